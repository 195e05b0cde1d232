/** What the page does with the data that an address names, that it carries, or that are opened. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { doubled, prepared, settled, skip } from "./browser.js";

const made = prepared(doubled);
const { bench } = made;

async function opened(
  address: string,
  methods: string[] = [],
  content = made.html,
): Promise<{ page: Page; said: string[] }> {
  const found = await bench.open(content, { address });
  await settled(found.page, methods);
  return found;
}

async function read(page: Page, name: string, text: string): Promise<void> {
  await page
    .locator("input[type=file]")
    .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
}

test("k and dim are reduced to what the data allow, which is reported, and come back with other data", {
  skip,
}, async () => {
  const { page, said } = await opened("#n=300&methods=isomap", ["isomap"]);
  const shown = async () => [
    await page.getByLabel("k, number").inputValue(),
    await page.getByLabel("dim, number").inputValue(),
  ];
  await read(page, "three.csv", "1\n2\n4\n");
  await page.waitForSelector(".notice:not([hidden])");
  assert.equal(
    await page.locator(".notice").textContent(),
    "k = 2 instead of 10 and dim = 1 instead of 2: 3 points in 1 column allow no more.",
  );
  assert.deepEqual(await shown(), ["2", "1"]);
  await page.waitForFunction(() => /k=2&dim=1/.test(location.hash));
  await page.getByLabel("data set").selectOption("swiss-roll");
  await page.waitForFunction(() => /k=10&dim=2/.test(location.hash));
  assert.deepEqual(await shown(), ["10", "2"]);
  assert.equal(await page.locator(".notice").isVisible(), false);
  assert.deepEqual(said, []);
});

test("a file that was changed after it was chosen is not read again, which is reported", {
  skip,
}, async () => {
  const { page, said } = await opened("#n=300&methods=isomap", ["isomap"]);
  const path = bench.file("changed.csv", "1,2\n3,5\n4,1\n");
  await page.locator("input[type=file]").setInputFiles(path);
  await page.waitForFunction(() =>
    document.querySelector(".data .name")!.textContent.startsWith("changed.csv"),
  );
  bench.file("changed.csv", "1,2\n3,5\n4,1\n7,7\n");
  await page.getByLabel("standardize").check();
  await page.getByText(/^changed\.csv cannot be read: .* Open the file again\.$/).waitFor();
  assert.deepEqual(said, []);
  await page.locator("input[type=file]").setInputFiles(path);
  await page.getByText(/cannot be read/).waitFor({ state: "hidden" });
  assert.deepEqual(said, []);
});

test("a count of one is in the singular", { skip }, async () => {
  const { page } = await opened("#n=300&methods=isomap", ["isomap"]);
  await read(page, "one.csv", "1\n");
  await page.waitForFunction(() => document.querySelector(".data .name")!.textContent.startsWith("one.csv"));
  assert.equal(
    await page.locator(".data .name").textContent(),
    "one.csv: 1 point, 1 column, drawn to the right",
  );
  assert.equal(
    await page.locator(".notice").textContent(),
    "k = 1 instead of 10 and dim = 1 instead of 2: 1 point in 1 column allows no more.",
  );
});

test("for data and maps of one dimension the page states that heights mean nothing", { skip }, async () => {
  const { page, said } = await opened("#n=300&methods=isomap&dim=1", ["isomap"]);
  const sentences = () => page.locator(".sentences p").allTextContents();
  await page.waitForFunction(() => document.querySelectorAll(".sentences p").length > 1);
  assert.deepEqual(await sentences(), [
    "A map of one dimension, drawn to the right; heights keep points apart and mean nothing.",
    "<i>isomap</i> was measured.",
  ]);
  await page.getByLabel("dim, number").fill("2");
  await page.getByLabel("dim, number").press("Enter");
  await page.waitForFunction(
    () => document.querySelector(".sentences")!.textContent === "<i>isomap</i> was measured.",
  );
  await read(page, "three.csv", "1\n2\n4\n");
  await page.waitForFunction(() =>
    /^three.csv.*, drawn to the right$/.test(document.querySelector(".data .name")!.textContent),
  );
  assert.deepEqual(said, []);
});

test("a number that is typed beyond the end of a slider becomes the end, which is reported", {
  skip,
}, async () => {
  const { page } = await opened("#n=300&methods=isomap", ["isomap"]);
  const k = page.getByLabel("k, number");
  await k.fill("100000");
  await k.press("Enter");
  const note = page.locator(".main .slider").first().locator("small");
  assert.deepEqual([await k.inputValue(), await note.textContent()], ["299", "at most 299"]);
  await k.fill("12");
  await k.press("Enter");
  assert.equal(await note.isVisible(), false);
});

test("an unknown data set and unknown methods are named", { skip }, async () => {
  const { page, said } = await opened("#data=nonsense&methods=pca");
  await page.waitForSelector(".alert:not([hidden])");
  assert.equal(
    await page.locator(".alert").textContent(),
    "There is no data set “nonsense”; there are swiss-roll, tight-swiss-roll, and files of your own.",
  );
  // Another one can be chosen.
  await page.getByLabel("data set", { exact: true }).selectOption({ label: "swiss roll" });
  await settled(page, ["pca"]);
  await page.waitForFunction(() => location.hash.includes("data=swiss-roll"));
  assert.deepEqual(said, []);
  const more = await opened("#n=300&methods=foo,pca,bar", ["pca"]);
  assert.equal(
    await more.page.locator(".notice").textContent(),
    "The address names methods that do not exist: foo, bar.",
  );
  await more.page.waitForFunction(() => location.hash.endsWith("methods=pca"));
});

test("an address of a file requests the file, and shows it as the address says", { skip }, async () => {
  const { page, said } = await opened("#data=own%3Aown.csv&n=50&k=7&methods=isomap");
  await page.waitForSelector(".notice:not([hidden])");
  assert.match(
    (await page.locator(".notice").textContent())!,
    /^The address shows the file own\.csv.*open file show swiss roll$/,
  );
  assert.equal(await page.locator(".alert").isVisible(), false);
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByLabel("open own.csv again").click(),
  ]);
  const rows = Array.from({ length: 60 }, (_, i) => [Math.sin(i), Math.cos(i), i / 10].join(",")).join("\n");
  await chooser.setFiles({ name: "own.csv", mimeType: "text/csv", buffer: Buffer.from(rows) });
  await settled(page, ["isomap"]);
  assert.equal(await page.locator(".notice").isVisible(), false);
  assert.equal(await page.getByLabel("k, number").inputValue(), "7");
  const other = await opened("#data=own%3Aown.csv&n=50&methods=isomap");
  await other.page.getByText("show swiss roll").click();
  await settled(other.page, ["isomap"]);
  assert.deepEqual([...said, ...other.said], []);
});

test("the only column of words is read as classes at once", { skip }, async () => {
  const { page } = await opened("#n=300&methods=pca", ["pca"]);
  await read(
    page,
    "own.csv",
    `a,b,kind\n${Array.from({ length: 30 }, (_, i) => `${i},${i * i},${i % 2 ? "x" : "y"}`).join("\n")}`,
  );
  await page.waitForSelector(".reading select");
  assert.equal(await page.getByLabel("role of kind").inputValue(), "class");
});

test("points of a file are colored by its columns, under their names; a sample states the number of all rows", {
  skip,
}, async () => {
  const points = gzipSync(Uint8Array.from({ length: 80 }, (_, i) => (i * 37) % 101)).toString("base64");
  const own = {
    name: "cust",
    file: "cust.csv",
    columns: 2,
    column_names: ["Age (years)", "Annual income"],
    points: { u8: points },
    truth: null,
    truth_columns: 0,
    truth_names: [],
    geometry: "unknown",
    labels: [],
    quantities: [],
    row_names: null,
    images: null,
    pixels: null,
    notes: "",
  };
  const carried = made.html.replace(
    'id="data">',
    `id="data">${JSON.stringify({ start: {}, datasets: [own] })}`,
  );
  for (const [n, title] of [
    [40, "cust: 40 points, 2 columns"],
    [25, "cust: 25 of 40 rows, 2 columns"],
  ] as const) {
    const { page, said } = await opened(
      `#data=own%3Acust&n=${n}&methods=pca&color=column%3A1`,
      ["pca"],
      carried,
    );
    assert.deepEqual(
      await page
        .getByLabel("color by")
        .locator('optgroup[label="Columns of the data"] option')
        .allTextContents(),
      ["Age (years)", "Annual income", "row number"],
    );
    assert.match((await page.locator(".legend").textContent())!, /Annual income/);
    assert.equal(await page.locator(".data .name").textContent(), title);
    assert.deepEqual(said, []);
  }
});

test("neighbors are listed from left to right, in whatever direction their names are written", {
  skip,
}, async () => {
  const own = {
    name: "towns",
    file: "towns.csv",
    columns: 1,
    column_names: [],
    points: { u8: gzipSync(Uint8Array.from({ length: 40 }, (_, i) => i)).toString("base64") },
    truth: null,
    truth_columns: 0,
    truth_names: [],
    geometry: "unknown",
    labels: [],
    quantities: [],
    row_names: {
      name: "town",
      values: Array.from({ length: 40 }, (_, i) => String.fromCharCode(0x5d0 + (i % 27)).repeat(2)),
    },
    images: null,
    pixels: null,
    notes: "",
  };
  const carried = made.html.replace(
    'id="data">',
    `id="data">${JSON.stringify({ start: {}, datasets: [own] })}`,
  );
  const { page, said } = await opened("#data=own%3Atowns&n=40&k=4&dim=1&methods=pca", ["pca"], carried);
  await page.getByLabel("the data").focus();
  await page.keyboard.press("n");
  const list = page.getByText(/^4 neighbors, 1 to /);
  await list.waitFor();
  // The name of a neighbor is two equal letters; where each is, by the order of the text.
  const places = await list.evaluate((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const found: number[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (const { index } of node.textContent!.matchAll(/[\u05d0-\u05ea]{2}/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + 2);
        found.push(range.getBoundingClientRect().left);
      }
    }
    return found;
  });
  assert.equal(places.length, 4);
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
  );
  assert.deepEqual(said, []);
});

test("the command of a panel is copied; where there is none, nothing is copied and the reason is shown", {
  skip,
}, async () => {
  const pack = (values: ArrayBufferView) => gzipSync(Buffer.from(values.buffer)).toString("base64");
  const set = (name: string, complete: boolean) => ({
    name,
    file: null,
    complete,
    columns: 2,
    column_names: [],
    points: { u8: pack(Uint8Array.from({ length: 80 }, (_, i) => (i * 37) % 101)) },
    truth: null,
    truth_columns: 0,
    truth_names: [],
    geometry: "unknown",
    labels: [],
    quantities: [],
    row_names: null,
    images: null,
    pixels: null,
    notes: "",
  });
  const carried = made.html.replace(
    'id="data">',
    `id="data">${JSON.stringify({ start: {}, datasets: [set("digits", true), set("mnist", false)] })}`,
  );
  for (const [data, expected] of [
    ["swiss-roll", /^compare run "swiss-roll" pca$/],
    ["digits", /^compare run \{"dataset":"digits","n":40,"seed":3\} pca$/],
    ["mnist", undefined],
  ] as const) {
    const { page, said } = await opened(`#data=${data}&n=300&seed=3&methods=pca`, ["pca"], carried);
    await page.evaluate(() => {
      Object.assign(window, { copied: [] });
      Object.defineProperty(navigator, "clipboard", {
        value: {
          writeText: (text: string) =>
            Promise.resolve(void (window as unknown as { copied: string[] }).copied.push(text)),
        },
      });
    });
    await page.getByLabel("PCA: parameters and facts").click();
    await page.getByLabel("copy the command line that repeats this map").click();
    const copied = () => page.evaluate(() => (window as unknown as { copied: string[] }).copied);
    if (expected) {
      await page.getByText("copied", { exact: true }).waitFor();
      assert.match((await copied()).join("|"), expected);
    } else {
      assert.match(
        (await page.locator(".details .warn").textContent())!,
        /^The page carries 40 rows of mnist/,
      );
      assert.deepEqual(await copied(), []);
    }
    assert.deepEqual(said, []);
  }
});

test("two columns of words and gaps reach maps within three clicks; warnings stand above the maps with their repair", {
  skip,
}, async () => {
  const { page, said } = await opened("#n=300&methods=pca", ["pca"]);
  const rows = Array.from(
    { length: 40 },
    (_, i) => `${i * i},${i % 7 === 3 ? "" : i},${i % 5},${"abc"[i % 3]},${"uv"[i % 2]}`,
  );
  // The first click opens the file.
  await read(page, "shop.csv", ["sales,age,rank,city,kind", ...rows].join("\n"));
  await page.waitForSelector(".alert:not([hidden])");
  assert.equal(await page.getByLabel("role of kind").inputValue(), "class");
  assert.equal(await page.getByLabel("role of city").inputValue(), "left out");
  await page.getByText("leave out such rows", { exact: true }).first().click();
  await page.waitForFunction(() =>
    document.querySelector(".data .name")!.textContent.startsWith("shop.csv: 34 points, 3 columns"),
  );
  assert.equal(await page.locator(".alert:not([hidden])").count(), 0);
  assert.equal(await page.getByLabel("missing values").inputValue(), "drop");
  const warning = page.locator(".warnings li");
  assert.match((await warning.textContent())!, /^“sales” has 99\.90 % of the variance/);
  await warning.getByText("standardize", { exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll(".warnings").length === 0);
  assert.equal(await page.getByLabel("standardize").isChecked(), true);
  // The choices belong to the file: they go and come back with it.
  await settled(page, ["pca"]);
  await page.waitForFunction(() => location.hash.includes("shop.csv"));
  await page.getByLabel("undo: the settings").click();
  await page.waitForFunction(() => document.querySelectorAll(".reading > *").length === 0);
  await page.getByLabel("redo: the change").click();
  await page.waitForSelector(".reading .columns");
  assert.equal(await page.getByLabel("standardize").isChecked(), true);
  assert.deepEqual(said, []);
});

test("for screen readers headings rise by one, header cells and controls have names, and all is in a landmark", {
  skip,
}, async () => {
  const { page, said } = await opened("#n=300&methods=pca,isomap", ["pca", "isomap"]);
  await read(
    page,
    "shop.csv",
    ["a,b,kind", ...Array.from({ length: 30 }, (_, i) => `${i},${i * i},u`)].join("\n"),
  );
  await settled(page, ["pca", "isomap"]);
  await page.waitForFunction(() => document.querySelectorAll(".panels .scores dd").length > 0);
  await page.getByLabel("PCA: parameters and facts").click();
  await page.locator(".details h2").first().waitFor();
  for (const summary of [".columns summary", ".all summary"]) await page.locator(summary).click();
  const found = await page.evaluate(() => {
    const problems: string[] = [];
    const shown = (element: Element) => (element as HTMLElement).checkVisibility();
    let level = 0;
    for (const heading of document.querySelectorAll("h1, h2, h3, h4")) {
      if (!shown(heading)) continue;
      const next = Number(heading.tagName[1]);
      if (next > level + 1) problems.push(`${heading.outerHTML} after h${level}`);
      level = next;
    }
    for (const cell of document.querySelectorAll("th"))
      if (cell.textContent === "") problems.push("empty th");
    for (const control of document.querySelectorAll("button, select, input")) {
      if (!shown(control)) continue;
      const text = /\w/.test(control.textContent) && control.tagName === "BUTTON" ? control.textContent : "";
      const name = control.getAttribute("aria-label") ?? control.closest("label")?.textContent ?? text;
      if (!name.toLowerCase().includes(text.toLowerCase())) problems.push(control.outerHTML);
    }
    for (const part of document.querySelectorAll("p, td, th, li, figure, button, select, input"))
      if (shown(part) && !part.closest("header, main, section[aria-label], aside, footer"))
        problems.push(`outside of landmarks: ${part.outerHTML.slice(0, 80)}`);
    return problems;
  });
  assert.deepEqual(found, []);
  assert.deepEqual(said, []);
});
