/** Panels in a browser: their parameters, titles, sizes and exports. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { doubled, drawn, prepared, selectLeft, settled, skip } from "./browser.js";

const made = prepared(doubled);
const { bench } = made;

async function opened(
  address: string,
  methods: string[],
  width = 1500,
): Promise<{ page: Page; said: string[] }> {
  const found = await bench.open(made.html, { address, width });
  await settled(found.page, methods);
  return found;
}

test("a parameter that was dragged to an end can be dragged back, and set to its default", {
  skip,
}, async () => {
  const { page, said } = await opened("#n=300&methods=tsne", ["tsne"]);
  await page.getByLabel("t-SNE: parameters and facts").click();
  const slider = page.locator(".details").getByLabel("perplexity", { exact: true });
  const drag = (tick: string) =>
    slider.evaluate((element, tick) => {
      (element as HTMLInputElement).value = tick;
      element.dispatchEvent(new Event("input", { bubbles: true }));
    }, tick);
  const back = page.getByLabel("perplexity to its default, 30");
  const all = page.getByLabel("all parameters of t-SNE to their defaults");
  assert.deepEqual([await back.isVisible(), await all.isVisible()], [false, false]);
  await drag("0");
  await page.waitForFunction(() => /perplexity%3D1/.test(location.hash) && location.hash.includes("tsne"));
  await settled(page, ["tsne"]);
  await page.waitForTimeout(300);
  await drag("1000");
  assert.equal(await slider.getAttribute("aria-valuetext"), "300");
  await back.click();
  await page.waitForFunction(() => location.hash.endsWith("methods=tsne"));
  // The row is made anew when the ranges of the parameters have come.
  const isDefault = () =>
    page.waitForFunction(
      () =>
        document
          .querySelector('.details input[type=range][aria-label="perplexity"]')
          ?.getAttribute("aria-valuetext") === "30",
    );
  await isDefault();
  assert.equal(await back.isVisible(), false);
  await drag("0");
  await all.click();
  await page.waitForFunction(() => location.hash.endsWith("methods=tsne"));
  await isDefault();
  assert.equal(await all.isVisible(), false);
  assert.deepEqual(said, []);
});

test("panels of one method are distinguished by their parameters, and a panel is duplicated", {
  skip,
}, async () => {
  const { page, said } = await opened("#n=300&methods=pca,tsne~perplexity%3D5,tsne~perplexity%3D40", [
    "pca",
    "tsne",
  ]);
  const names = () => page.locator("main .title .name").allTextContents();
  assert.deepEqual(await names(), ["PCA", "t-SNE, perplexity 5", "t-SNE, perplexity 40"]);
  await page.locator("details.all summary").click();
  // The table is filled when the browser tells that it was opened.
  await page.locator(".all tbody th").nth(2).waitFor();
  assert.deepEqual(await page.locator(".all tbody th").allTextContents(), await names());
  await page.getByLabel("remove t-SNE, perplexity 40").click();
  await page.getByLabel("PCA: parameters and facts").click();
  await page.getByLabel("duplicate: another panel of PCA").click();
  assert.deepEqual(await names(), ["PCA", "PCA", "t-SNE, perplexity 5"]);
  const copy = page.locator("main .panel").nth(1);
  await copy.getByLabel("dim, number").fill("1");
  await copy.getByLabel("dim, number").press("Enter");
  await page.waitForFunction(() =>
    decodeURIComponent(location.hash).endsWith("methods=pca,pca~dim=1,tsne~perplexity=5"),
  );
  assert.deepEqual(await names(), ["PCA", "PCA, dim 1", "t-SNE, perplexity 5"]);
  assert.deepEqual(said, []);
});

test("few maps fill the space, sharply, and many share it", { skip }, async () => {
  const { page } = await opened("#n=300&methods=pca,isomap", ["pca", "isomap"]);
  const sizes = () =>
    page
      .locator("main .picture")
      .evaluateAll((all) => all.map((element) => element.getBoundingClientRect().width));
  const sharp = () =>
    page
      .locator("main .plot canvas")
      .evaluateAll((all) =>
        all.every(
          (element) =>
            Math.abs(
              (element as HTMLCanvasElement).width - devicePixelRatio * element.getBoundingClientRect().width,
            ) <= 1,
        ),
      );
  assert.ok(
    (await sizes()).every((width) => width > 500),
    String(await sizes()),
  );
  assert.ok(await sharp());
  await page.getByLabel("remove PCA").click();
  await page.waitForTimeout(100);
  assert.ok((await sizes())[0]! > 600 && (await sharp()));
  // A map and its scores fit into the window.
  assert.ok((await page.locator("main .scores").boundingBox())!.y < 880);
  // Four in two rows, with their scores.
  const four = await opened("#n=300&methods=pca,isomap,lle,tsne", ["pca", "isomap", "lle", "tsne"]);
  const height = four.page.viewportSize()!.height;
  for (const scores of await four.page.locator("main .scores").all())
    assert.ok((await scores.boundingBox())!.y < height);
  const many = await opened("#n=300&methods=pca,isomap,lle,tsne,pca~dim%3D1,pca~dim%3D3", [
    "pca",
    "isomap",
    "lle",
    "tsne",
  ]);
  const narrow = await many.page.locator("main .picture").first().boundingBox();
  assert.ok(narrow!.width < 300);
});

test("a removed panel comes back to its place with its parameters", { skip }, async () => {
  const { page } = await opened("#n=300&methods=pca,tsne~perplexity%3D5,isomap", ["pca", "tsne", "isomap"]);
  await page.getByLabel("remove t-SNE, perplexity 5").click();
  assert.equal(await page.locator(".notice").textContent(), "t-SNE, perplexity 5 was removed. undo");
  await page.getByText("undo", { exact: true }).click();
  await settled(page, ["tsne"]);
  assert.deepEqual(await page.locator("main .title .name").allTextContents(), [
    "PCA",
    "t-SNE, perplexity 5",
    "Isomap",
  ]);
  await page.waitForFunction(() =>
    decodeURIComponent(location.hash).endsWith("methods=pca,tsne~perplexity=5,isomap"),
  );
  assert.equal(await page.locator(".notice").isVisible(), false);
});

test("on a telephone signs are as large as a finger, names whole and sliders wide", { skip }, async () => {
  const { page } = await opened(
    "#n=300&methods=pca,lle,isomap~components%3Dper-component,tsne",
    ["pca", "lle", "isomap", "tsne"],
    390,
  );
  const signs = page.locator("main .title button:not(.name):visible");
  const boxes = await signs.evaluateAll((all) =>
    all.map((element) => element.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height)),
  );
  // Three of each panel, and a sign for moving points in the map of t-SNE.
  assert.ok(boxes.length === 13 && boxes.every((side) => side >= 32), String(boxes));
  assert.deepEqual(
    await page
      .locator("main .title .name")
      .evaluateAll((all) =>
        all
          .filter((element) => element.scrollWidth > element.clientWidth + 1)
          .map(({ textContent }) => textContent),
      ),
    [],
  );
  await page.getByLabel("LLE <b>: parameters and facts").click();
  // Parameters are shown again when their ranges have come.
  await page.waitForFunction(
    () =>
      (document
        .querySelector('[data-method="lle"] .details input[type=range][aria-label="reg"]')
        ?.getBoundingClientRect().width ?? 0) > 100,
  );
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
});

test("a picture is saved at 1,200 pixels or more, and the one on the screen stays", { skip }, async () => {
  const { page } = await opened("#n=300&methods=pca,isomap~solver%3Ddense,lle,tsne,pca~dim%3D1", ["isomap"]);
  await page.getByLabel("Isomap, solver dense: parameters and facts").click();
  const shown = () =>
    page
      .locator('[data-method="isomap"] canvas')
      .first()
      .evaluate((element) => (element as HTMLCanvasElement).toDataURL());
  const before = await shown();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator('[data-method="isomap"] .details').getByText("PNG", { exact: true }).click(),
  ]);
  assert.equal(download.suggestedFilename(), "swiss-roll-isomap-solver-dense.png");
  const png = readFileSync(await download.path());
  assert.ok(png.readUInt32BE(16) >= 1200 && png.readUInt32BE(20) >= 1200, `${png.readUInt32BE(16)}`);
  assert.equal(await shown(), before);
});

test("components are listed largest first, and their policies stay under the maps while one is chosen", {
  skip,
}, async () => {
  const { page, said } = await opened("#n=300&k=3&methods=isomap,pca", ["isomap", "pca"]);
  await page.waitForFunction(() =>
    document.querySelector(".data")!.textContent.includes("3 components of 160, 100, 40 points"),
  );
  const choose = async (word: string) => {
    await page.locator('[data-method="isomap"]').getByText(word, { exact: true }).click();
    await page.waitForTimeout(400);
    await settled(page, ["isomap"]);
  };
  const policies = page.locator('[data-method="isomap"] .policies button');
  assert.equal(await policies.count(), 0);
  for (const word of ["bridge", "largest"]) {
    await choose(word);
    assert.deepEqual(await policies.allTextContents(), ["refuse", "bridge", "largest"]);
    assert.deepEqual(
      await page.locator('[data-method="isomap"] .policies [aria-pressed=true]').allTextContents(),
      [word],
    );
    await page.waitForFunction(
      (word) => decodeURIComponent(location.hash).includes(`isomap~components=${word}`),
      word,
    );
  }
  // A connected graph needs no policy.
  await page.getByLabel("k, number").fill("12");
  await page.getByLabel("k, number").press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".policies").length === 0);
  await page.getByLabel("k, number").fill("3");
  await page.getByLabel("k, number").press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".policies").length === 1);
  await choose("refuse");
  assert.equal(
    await page
      .locator('[data-method="isomap"] .state')
      .textContent()
      .then((text) => text!.startsWith("the neighbor graph has 3 components")),
    true,
  );
  assert.equal(await policies.count(), 0);
  assert.deepEqual(said, []);
});

test("colors of measures have the names of the scores, in menu and legend, and each name once", {
  skip,
}, async () => {
  const { page } = await opened("#n=300&methods=isomap&color=map%3Afalse_neighbors", ["isomap"]);
  await page.waitForFunction(() =>
    document.querySelector(".legend")!.textContent.startsWith("trustworthiness"),
  );
  const group = (label: string) =>
    page.getByLabel("color by").locator(`optgroup[label="${label}"] option`).allTextContents();
  assert.deepEqual(await group("Measured in each map"), [
    "trustworthiness",
    "spacing",
    "perturbation score",
    "roundness of small circles",
  ]);
  assert.deepEqual(await group("Reported by a method"), ["spacing, reported"]);
  await page.getByLabel("color by").selectOption({ label: "spacing, reported" });
  await page.waitForFunction(() =>
    document.querySelector(".legend")!.textContent.startsWith("spacing, reported"),
  );
});

test("a measure of a model says its sentence first, and a pointed point shows where it jumps", {
  skip,
}, async () => {
  const { page, said } = await opened("#n=300&methods=isomap,pca&color=map%3Aperturbation", [
    "isomap",
    "pca",
  ]);
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".sentences")].every((element) =>
      element.textContent.startsWith("Be careful with 1 point."),
    ),
  );
  await page.waitForFunction(() =>
    document.querySelector(".legend")!.textContent.startsWith("perturbation score"),
  );
  // The same in words for readers of screens.
  const described = page.locator('[data-method="pca"] .over');
  assert.match(
    (await described.getAttribute("aria-description"))!,
    /^300 points, trustworthiness 0\.[0-9]+, .*\. Be careful with 1 point\. /,
  );
  // The row that jumps has an arrow, others have rings alone.
  const inked = () => drawn(page, '[data-method="pca"] .over');
  const over = page.locator('[data-method="pca"] .over');
  await over.focus();
  const pointed = async (row: number) => {
    await page.keyboard.press("n");
    await page.waitForFunction(
      (row) => document.querySelector(".point strong")?.textContent.startsWith(`row ${row}`),
      row,
    );
    await page.waitForTimeout(100);
  };
  await pointed(0);
  const jumps = await inked();
  await pointed(1);
  const stays = await inked();
  assert.ok(jumps > stays + 20, `${jumps} and ${stays} pixels`);
  await page.getByLabel("color by").selectOption({ label: "row number" });
  await page.keyboard.press("Escape");
  assert.deepEqual(said, []);
});

test("a map with ellipses is un-warped around the point that was pointed at last, as long as this is chosen", {
  skip,
}, async () => {
  const { page, said } = await opened("#n=650&methods=pca&color=map%3Aroundness", ["pca"]);
  const choice = page.getByLabel("un-warp around the pointer");
  await choice.waitFor();
  assert.equal(await choice.isChecked(), false);
  const over = page.locator('[data-method="pca"] .over');
  await over.focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.querySelector(".point strong"));
  // The middle of the marks of the pointed point.
  const middle = await over.evaluate((element) => {
    const { width, height } = element as HTMLCanvasElement;
    const { data } = (element as HTMLCanvasElement).getContext("2d")!.getImageData(0, 0, width, height);
    const marked = Array.from({ length: width * height }, (_, i) => i).filter((i) => data[4 * i + 3]! > 0);
    const mean = (part: (i: number) => number) => marked.reduce((sum, i) => sum + part(i), 0) / marked.length;
    return [mean((i) => (i % width) / width), mean((i) => Math.floor(i / width) / height)] as [
      number,
      number,
    ];
  });
  /** Keeps the picture in the page; counts the numbers that differ from a kept one, near this place and far from it. */
  const picture = async (name: string, before = name) => {
    await page.waitForTimeout(100);
    return page
      .locator('[data-method="pca"] .plot canvas')
      .first()
      .evaluate(
        (element, { name, before, middle: [x, y] }) => {
          const { width, height } = element as HTMLCanvasElement;
          const context = (element as HTMLCanvasElement).getContext("2d")!;
          const kept = (window as { kept?: Record<string, Uint8ClampedArray> }).kept ?? {};
          const now = context.getImageData(0, 0, width, height).data;
          kept[name] = now;
          Object.assign(window, { kept });
          const counts = { near: 0, far: 0 };
          for (let at = 0; at < now.length; at++) {
            if (Math.abs(now[at]! - kept[before]![at]!) < 64) continue;
            const pixel = at >> 2;
            const away = Math.hypot((pixel % width) / width - x, Math.floor(pixel / width) / height - y);
            if (away < 0.25) counts.near += 1;
            if (away > 0.5) counts.far += 1;
          }
          return counts;
        },
        { name, before, middle },
      );
  };
  await picture("map");
  await choice.check();
  await page.waitForFunction(() => location.hash.includes("&unwarp=1"));
  const { near, far } = await picture("warped", "map");
  // Far points move by less than a tenth of a pixel, which changes where a few of them are rounded to.
  assert.ok(near > 1000 && far < near / 100, `${near} near, ${far} far`);
  // The picture follows the keys, and the pointer.
  await over.focus();
  await page.keyboard.press("ArrowRight");
  assert.ok((await picture("next", "warped")).near > 500);
  // It stays where no point is pointed at.
  await page.keyboard.press("Escape");
  assert.deepEqual(await picture("left", "next"), { near: 0, far: 0 });
  const box = (await over.boundingBox())!;
  const [left, top] = [box.x + box.width * middle[0], box.y + box.height * middle[1]];
  /** The points under the pointer as it moves through the picture, and the picture at the end. */
  const along = async (name: string) => {
    const rows: (string | null)[] = [];
    for (let i = -8; i <= 8; i++) {
      await page.mouse.move(left + 12 * i, top + 20);
      await page.waitForTimeout(30);
      const row = page.locator(".point strong");
      rows.push((await row.isVisible()) ? await row.textContent() : null);
    }
    return { rows, changed: await picture(name, "map") };
  };
  const moved = await along("moved");
  assert.ok(new Set(moved.rows).size > 4 && moved.changed.near > 1000, JSON.stringify(moved));
  // Undone, and repeated.
  await page.getByLabel(/^undo/).click();
  assert.equal(await choice.isChecked(), false);
  await page.getByLabel(/^redo/).click();
  assert.equal(await choice.isChecked(), true);
  await choice.uncheck();
  // Points are found at the same places, and the picture stays.
  assert.deepEqual(await along("still"), { rows: moved.rows, changed: { near: 0, far: 0 } });
  await over.focus();
  await page.keyboard.press("ArrowRight");
  assert.deepEqual(await picture("off", "map"), { near: 0, far: 0 });
  // Without ellipses there is no choice.
  await page.getByLabel("color by").selectOption({ label: "row number" });
  await choice.waitFor({ state: "hidden" });
  await page.getByLabel("color by").selectOption({ label: "roundness of small circles" });
  await choice.waitFor();
  await page.getByLabel("dim, number").first().fill("3");
  await page.getByLabel("dim, number").first().press("Enter");
  await choice.waitFor({ state: "hidden" });
  await settled(page, ["pca"]);
  await page.waitForTimeout(500);
  assert.equal(await choice.isVisible(), false);
  assert.deepEqual(said, []);
});

test("a saved picture of an un-warped map is as seen, and its coordinates are as they are", {
  skip,
}, async () => {
  const { page, said } = await opened("#n=300&methods=pca&color=map%3Aroundness&unwarp=1", ["pca"]);
  const choice = page.getByLabel("un-warp around the pointer");
  await choice.waitFor();
  assert.equal(await choice.isChecked(), true);
  await page.getByLabel("PCA: parameters and facts").click();
  await page.locator('[data-method="pca"] .over').focus();
  await page.keyboard.press("ArrowRight");
  const saved = async (kind: string) => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.locator('[data-method="pca"] .details').getByText(kind, { exact: true }).click(),
    ]);
    return readFileSync(await download.path(), "utf8").split("\n");
  };
  const [picture, table] = [await saved("SVG"), await saved("CSV")];
  await choice.uncheck();
  const plain = await saved("SVG");
  const moved = plain.filter((line, i) => line.startsWith("<circle") && line !== picture[i]).length;
  // Those within about 4 standard deviations of the point, not all.
  assert.ok(picture.length === plain.length && moved > 50 && moved < 295, `${moved}`);
  assert.deepEqual(await saved("CSV"), table);
  assert.deepEqual(said, []);
});

test("the columns that drive a map are listed where the list is unfolded, and follow a selection", {
  skip,
}, async () => {
  const { page, said } = await opened("#n=300&methods=isomap,pca", ["isomap", "pca"]);
  const list = page.locator('[data-method="pca"] .drivers');
  assert.equal(await list.locator("summary").textContent(), "what drives this map");
  assert.equal(await list.locator("tr").count(), 0);
  await list.locator("summary").click();
  await page.waitForFunction(() => document.querySelectorAll('[data-method="pca"] .drivers tr').length === 2);
  assert.deepEqual(await list.locator("th").allTextContents(), ["x2", "x1"]);
  assert.deepEqual(await list.locator("td:not(.bar)").allTextContents(), ["2 ± 0.250", "0.500 ± 0.125"]);
  assert.match((await list.locator("p").textContent())!, /Exact, because the map is linear\.$/);
  await selectLeft(page, "pca");
  await page.waitForFunction(() =>
    /^what drives the \d+ selected points$/.test(
      document.querySelector('[data-method="pca"] .drivers summary')!.textContent,
    ),
  );
  assert.equal(await page.locator('[data-method="isomap"] .drivers tr').count(), 0);
  assert.deepEqual(said, []);
});

test("a sweep has a row for each panel, named as the panel, with a best value of its own", {
  skip,
}, async () => {
  const { page } = await opened("#n=120&methods=isomap~solver%3Ddense,isomap", ["isomap"]);
  await page.getByLabel("fit every method for several k").click();
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".sweep td span")].every((element) => /\d/.test(element.textContent)),
  );
  assert.deepEqual(await page.locator(".sweep th[scope=row]").allTextContents(), [
    "Isomap, solver dense",
    "Isomap",
  ]);
  for (const row of [0, 1])
    assert.ok((await page.locator(".sweep tbody tr").nth(row).locator("td.best").count()) > 0);
});

/** A pixel of a picture in a file, from 0 to 1 in both directions. */
async function pixel(page: Page, path: string, x: number, y: number): Promise<number[]> {
  const text = readFileSync(path).toString("base64");
  return page.evaluate(
    async ({ text, x, y }) => {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      const picture = await createImageBitmap(new Blob([bytes]));
      const canvas = new OffscreenCanvas(picture.width, picture.height);
      const context = canvas.getContext("2d")!;
      context.drawImage(picture, 0, 0);
      return [...context.getImageData(x * (picture.width - 1), y * (picture.height - 1), 1, 1).data];
    },
    { text, x, y },
  );
}

test("files have the selection, the legend and a light ground, also from a dark screen; one button saves all maps", {
  skip,
}, async () => {
  const { page, said } = await bench.open(made.html, {
    address: "#n=300&methods=pca,isomap,lle&graph=1",
    dark: true,
  });
  await settled(page, ["pca", "isomap", "lle"]);
  await page.waitForFunction(() => document.querySelector(".graph-text")!.textContent.includes("edges"));
  const shown = () =>
    page
      .locator('[data-method="pca"] canvas')
      .first()
      .evaluate((element) => (element as HTMLCanvasElement).toDataURL());
  const saved = async (click: Promise<unknown>) => {
    const [download] = await Promise.all([page.waitForEvent("download"), click]);
    return { name: download.suggestedFilename(), path: await download.path() };
  };
  const before = await shown();
  const all = await saved(page.getByLabel("save: all maps").click());
  assert.equal(all.name, "swiss-roll-maps.png");
  const png = readFileSync(all.path);
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  // Two columns and two rows of 600 pixels, and a legend.
  assert.ok(width > 1200 && width < 1300 && height > 1290 && height < 1500, `${width} ${height}`);
  assert.deepEqual(await pixel(page, all.path, 0.001, 0.001), [250, 251, 252, 255]);
  assert.equal(await shown(), before);
  await page.getByLabel("PCA: parameters and facts").click();
  // A box around the left half selects.
  const box = (await page.locator('[data-method="pca"] .over').boundingBox())!;
  await page.keyboard.down("Shift");
  await page.keyboard.down("Control");
  await page.mouse.move(box.x + 3, box.y + 3);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height - 3, { steps: 3 });
  await page.mouse.up();
  await page.keyboard.up("Control");
  await page.keyboard.up("Shift");
  const selected = Number((await page.locator(".point strong").first().textContent())!.split(" ")[0]);
  const panel = page.locator('[data-method="pca"] .details');
  const svg = readFileSync((await saved(panel.getByText("SVG", { exact: true }).click())).path, "utf8");
  assert.equal(svg.match(/<circle /g)!.length, 300);
  assert.equal(svg.match(/ opacity="0.13"/g)!.length, 300 - selected);
  assert.match(svg, /<rect width="\d+" height="[\d.]+" fill="rgb\(250,251,252\)"\/>/);
  assert.match(svg, />arc length<\/text>/);
  assert.equal(svg.match(/<path /g)!.length, 2, "edges, and suspected shortcuts");
  // Paper has light colors while it is printed.
  const ground = () =>
    page.evaluate(() => [...document.querySelectorAll<HTMLElement>(".legend .ramp")][0]!.style.background);
  const screen = await ground();
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.notEqual(await ground(), screen);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.equal(await ground(), screen);
  assert.deepEqual(said, []);
});
