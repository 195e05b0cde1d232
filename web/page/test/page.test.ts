/** The page in a browser, with the tests' double instead of the engine. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { type Bench, doubled, drawn, prepared, settled, skip } from "./browser.js";

const METHODS = ["pca", "isomap", "lle", "tsne"];
const made = prepared(doubled);
const { bench } = made;

async function opened(
  options: Parameters<Bench["open"]>[1] = {},
  methods = METHODS,
): Promise<{ page: Page; said: string[] }> {
  const found = await bench.open(made.html, { address: "#n=300", ...options });
  await settled(found.page, methods);
  return found;
}

/** The middle of the picture of a panel, in pixels of the window. */
async function picture(
  page: Page,
  selector: string,
): Promise<{ x: number; y: number; width: number; height: number }> {
  await page.locator(`${selector} .over`).first().scrollIntoViewIfNeeded();
  return (await page.locator(`${selector} .over`).first().boundingBox())!;
}

/** Moves the pointer over a picture until it points at a point. */
async function pointAt(page: Page, selector: string): Promise<[number, number]> {
  const box = await picture(page, selector);
  for (let y = 0.2; y < 0.9; y += 0.07) {
    for (let x = 0.15; x < 0.9; x += 0.09) {
      const place: [number, number] = [box.x + x * box.width, box.y + y * box.height];
      await page.mouse.move(...place);
      if ((await page.locator(".point strong").count()) > 0) return place;
    }
  }
  throw new Error("no point was found");
}

test("a report opens the lab in its place, at the settings of the address, and the lab leads back", {
  skip,
}, async () => {
  const script = readFileSync(
    join(dirname(fileURLToPath(import.meta.url)), "../../../crates/compare/src/report/script.js"),
    "utf8",
  );
  const lab = made.html.replace('id="data">', 'id="data">{"start":{},"datasets":[],"report":true}');
  const report = `<!DOCTYPE html><html><head><title>Report</title></head><body><a id="live" href="#data=swiss-roll&n=300">live</a>
    <script type="application/json" id="lab">${JSON.stringify(lab).replaceAll("<", "\\u003c")}</script><script>${script}</script></body></html>`;
  const { page, said } = await bench.open(report);
  await page.click("#live");
  await settled(page, METHODS);
  assert.equal(await page.title(), "Manifold learning, live");
  assert.match(page.url(), /#data=swiss-roll&n=300/);
  // The address alone opens the lab, too.
  await page.reload();
  await settled(page, METHODS);
  assert.deepEqual(said, []);
  await page.click(".back a");
  await page.waitForSelector("#live");
  assert.equal(await page.title(), "Report");
});

test("every method shows a map, texts are shown as text, without errors or requests", {
  skip,
}, async () => {
  const { page, said } = await opened();
  for (const method of METHODS)
    assert.ok((await drawn(page, `[data-method="${method}"] canvas`)) > 500, method);
  assert.equal(await page.locator('[data-method="lle"] .name').textContent(), "LLE <b>");
  await page.waitForSelector('[data-method="lle"] .sentences p');
  assert.equal(
    await page.locator('[data-method="lle"] .sentences p').textContent(),
    "<i>lle</i> was measured.",
  );
  assert.match((await page.locator('[data-method="pca"] .scores').textContent())!, /trustworthiness0\.\d+/);
  assert.deepEqual(said, []);
});

test("shortcut edges are counted by distances and by the true coordinates", { skip }, async () => {
  const { page } = await opened();
  await page.waitForFunction(() =>
    document.body.textContent.includes(
      "1 suspected shortcut. By the true coordinates, 3 edges are shortcuts.",
    ),
  );
});

test("pointing at a point marks it in every picture and tells its row", { skip }, async () => {
  const { page } = await opened();
  await page.waitForFunction(() => document.querySelector(".data")!.textContent.includes("edges"));
  const over = (method: string) => drawn(page, `[data-method="${method}"] .over`);
  assert.equal(await over("isomap"), 0);
  await pointAt(page, ".data");
  assert.match((await page.locator(".point strong").textContent())!, /^row \d+/);
  await page.waitForTimeout(60);
  for (const method of METHODS) assert.ok((await over(method)) > 50, method);
});

test("data that are made to fail are a group of their own, with what is expected", { skip }, async () => {
  const { page, said } = await opened();
  const group = page.getByLabel("data set").locator("optgroup[label='made to fail'] option");
  assert.deepEqual(await group.allTextContents(), ["tight swiss roll"]);
  assert.equal(await page.locator(".about.failure").isVisible(), false);
  await page.getByLabel("data set").selectOption("tight-swiss-roll");
  await settled(page, METHODS);
  assert.equal(await page.locator(".about.failure").textContent(), "Expected: The layers <touch>.");
  await page.waitForFunction(() => location.hash.includes("data=tight-swiss-roll"));
  assert.deepEqual(said, []);
});

test("a slider moved by keys fits again, and the address has the setting", { skip }, async () => {
  const { page, said } = await opened();
  const before = await page.locator('[data-method="isomap"] .plot').screenshot();
  await page.getByLabel("k", { exact: true }).first().press("PageUp");
  await page.waitForFunction(() => location.hash.includes("k=20"));
  await settled(page, METHODS);
  await page.waitForTimeout(500);
  assert.ok(!before.equals(await page.locator('[data-method="isomap"] .plot').screenshot()));
  assert.deepEqual(said, []);
});

test("a method that refuses says why in its panel, and the others go on", { skip }, async () => {
  const { page, said } = await opened({ address: "#n=300&k=50" });
  const panel = page.locator('[data-method="lle"]');
  assert.equal(
    await panel.locator(".state").textContent(),
    "the neighbor graph must be <connected>, but k is 50; use fewer",
  );
  assert.ok(await panel.evaluate((element) => element.classList.contains("failed")));
  assert.ok((await drawn(page, '[data-method="isomap"] canvas')) > 500);
  await page.getByLabel("k, number").first().fill("12");
  await page.getByLabel("k, number").first().press("Enter");
  await page.waitForFunction(
    () => !document.querySelector('[data-method="lle"]')!.classList.contains("failed"),
  );
  assert.deepEqual(said, []);
});

test("dragging rotates the data; Shift and drag selects; Escape clears", { skip }, async () => {
  const { page } = await opened();
  const { x, y, width, height } = await picture(page, ".data");
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + 80, y + height / 2 + 10, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction(() => /view=(?!25,)-?\d+,/.test(location.hash));
  await page.keyboard.down("Shift");
  await page.mouse.move(x + 5, y + 5);
  await page.mouse.down();
  for (const [dx, dy] of [
    [width - 5, 5],
    [width - 5, height / 2],
    [5, height / 2],
  ] as const)
    await page.mouse.move(x + dx, y + dy, { steps: 3 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  const selected = Number((await page.locator(".point strong").first().textContent())!.split(" ")[0]);
  assert.ok(selected > 20 && selected < 290, String(selected));
  await page.keyboard.press("Escape");
  assert.ok(!(await page.locator(".point").textContent())!.includes("selected"));
});

test("a box selects what lies in it, by the mode of a drag and by keys", { skip }, async () => {
  const { page } = await opened();
  const { x, y, width, height } = await picture(page, '[data-method="pca"]');
  const box = async () => {
    await page.mouse.move(x + 4, y + 4);
    await page.mouse.down();
    await page.mouse.move(x + width / 3, y + height / 4, { steps: 3 });
    await page.mouse.move(x + width / 2, y + height - 4, { steps: 3 });
    await page.mouse.up();
    return Number((await page.locator(".point strong").first().textContent())!.split(" ")[0]);
  };
  await page.getByLabel("a drag").selectOption("box");
  const half = await box();
  // A lasso along the same path encloses a triangle only.
  await page.getByLabel("a drag").selectOption("lasso");
  const triangle = await box();
  assert.ok(half > 60 && half < 240 && triangle > 5 && triangle < 0.8 * half, `${half} ${triangle}`);
  await page.getByLabel("a drag").selectOption("shift");
  await page.keyboard.down("Shift");
  await page.keyboard.down("Control");
  assert.equal(await box(), half);
});

test("while many points are dragged a part of them is drawn, and all when they are let go", {
  skip,
}, async () => {
  const { page } = await opened({ address: "#n=9000&methods=pca" }, ["pca"]);
  const { x, y, width, height } = await picture(page, ".data");
  const whole = await drawn(page, ".data canvas");
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + 6, y + height / 2, { steps: 3 });
  await page.waitForTimeout(80);
  const dragged = await drawn(page, ".data canvas");
  await page.mouse.up();
  await page.waitForTimeout(80);
  const after = await drawn(page, ".data canvas");
  assert.ok(dragged < 0.8 * whole && Math.abs(after - whole) < 0.1 * whole, `${whole} ${dragged} ${after}`);
});

test("values per point that a method reports color its map, also from the address", { skip }, async () => {
  const { page, said } = await opened();
  const before = await page.locator('[data-method="isomap"] .plot').screenshot();
  await page.getByLabel("color by").selectOption({ label: "spacing, reported" });
  await page.waitForFunction(() => decodeURIComponent(location.hash).includes("color=fit:spacing"));
  await page.waitForTimeout(100);
  assert.ok(!before.equals(await page.locator('[data-method="isomap"] .plot').screenshot()));
  assert.match((await page.locator(".legend").textContent())!, /spacing.*as the method reports it/);
  const again = await opened({ address: "#n=300&color=fit%3Aspacing" });
  await again.page.waitForFunction(() => document.querySelector(".legend")!.textContent.includes("spacing"));
  assert.equal(await again.page.getByLabel("color by").inputValue(), "fit:spacing");
  assert.deepEqual([...said, ...again.said], []);
});

test("two picked points have a path, one has weights", { skip }, async () => {
  const { page } = await opened();
  const place = await pointAt(page, '[data-method="pca"]');
  await page.mouse.click(...place);
  await page.waitForFunction(() =>
    document.querySelector(".point")!.textContent.includes("Weights by which"),
  );
  // The second one by keys.
  await page.locator(".data .over").focus();
  await page.keyboard.press("n");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector(".point")!.textContent.includes("along the graph"));
});

test("a new point clicked into the data is placed by every method", { skip }, async () => {
  const { page, said } = await opened();
  const { x, y, width, height } = await picture(page, ".data");
  const corner = { x: Math.round(width / 2), y: Math.round(height / 2) };
  assert.equal(await drawn(page, '[data-method="pca"] .over'), 0);
  await page.locator(".data .over").click({ modifiers: ["Alt"], position: corner });
  await page.mouse.move(x - 5, y - 5);
  await page.waitForTimeout(400);
  for (const method of METHODS)
    assert.ok((await drawn(page, `[data-method="${method}"] .over`)) > 20, method);
  assert.deepEqual(said, []);
});

test("iterations can be stepped through, parameters set, a method removed and added", { skip }, async () => {
  const { page, said } = await opened();
  const film = page.locator('[data-method="tsne"] .film');
  const last = await film.locator("output").textContent();
  await film.getByLabel("one frame back").click();
  assert.notEqual(await film.locator("output").textContent(), last);
  await page.getByLabel("t-SNE: parameters and facts").click();
  await page.getByLabel("perplexity, number").fill("12");
  await page.getByLabel("perplexity, number").press("Enter");
  await page.waitForFunction(() => decodeURIComponent(location.hash).includes("perplexity=12"));
  await page.getByLabel("remove PCA").click();
  assert.equal(await page.locator('[data-method="pca"]').count(), 0);
  await page.getByLabel("add a method").selectOption("pca");
  await settled(page, ["pca"]);
  await page.locator('[data-method="pca"] .name').click();
  await page.waitForSelector(".drawer:not([hidden])");
  const drawer = page.locator(".drawer");
  assert.match((await drawer.textContent())!, /PCA, in a sentence\./);
  const titles = [
    "Idea",
    "Definition",
    "Steps",
    "Properties",
    "Parameters",
    "When it fails",
    "Reference",
    "Reported facts",
    "In a terminal",
  ];
  assert.deepEqual(await drawer.locator("h3").allTextContents(), titles);
  assert.match((await drawer.textContent())!, /PCA keeps <b>something<\/b> of xij² in n2\./);
  assert.deepEqual(await drawer.locator("p sub, p sup").allTextContents(), ["ij", "2"]);
  assert.equal(await drawer.locator("math").count(), 2);
  assert.ok((await drawer.locator("math").first().boundingBox())!.height > 15, "the equation is drawn");
  assert.deepEqual(
    await drawer.locator("a").evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href)),
    ["https://doi.org/10.1234/ab.c", "https://example.org/paper.html"],
  );
  await page.keyboard.press("Escape");
  assert.ok(await page.locator(".drawer").isHidden());
  // The name of a score explains the measure.
  await page.getByRole("button", { name: "explain trustworthiness" }).first().click();
  assert.match((await drawer.textContent())!, /As trustworthiness, with.*compare explain trustworthiness/);
  assert.deepEqual(
    [await drawer.locator("h2").textContent(), await drawer.locator("math").count()],
    ["trustworthiness", 1],
  );
  await page.keyboard.press("Escape");
  assert.ok(await drawer.isHidden());
  assert.deepEqual(said, []);
});

test("a film ends at the map itself, after the last iteration", { skip }, async () => {
  const { page, said } = await opened({}, ["tsne"]);
  await page.waitForTimeout(400);
  const film = page.locator('[data-method="tsne"] .film');
  const map = () =>
    page
      .locator('[data-method="tsne"] .plot canvas')
      .first()
      .evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
  const whole = await map();
  assert.equal(await film.locator("output").textContent(), "30 · 0.033");
  // From the beginning, after the last one.
  await film.getByLabel("play the iterations").click();
  await page.waitForFunction(
    () => !document.querySelector('[data-method="tsne"] .film output')!.textContent.startsWith("30 "),
  );
  assert.ok((await map()) !== whole, "an early iteration is another map");
  await page.waitForFunction(
    () => document.querySelector('[data-method="tsne"] .film button')!.textContent === "▶",
  );
  await page.waitForTimeout(60);
  assert.equal(await film.locator("output").textContent(), "30 · 0.033");
  assert.ok((await map()) === whole, "the last one is the map");
  assert.deepEqual(said, []);
});

test("a sweep over k names the methods that it leaves out, and closes where other settings change", {
  skip,
}, async () => {
  const { page, said } = await opened();
  const sweep = page.locator(".sweep");
  const set = async (label: string, value: string) => {
    await page.getByLabel(`${label}, number`).first().fill(value);
    await page.getByLabel(`${label}, number`).first().press("Enter");
  };
  const begin = () => page.getByLabel("fit every method for several k").click();
  await begin();
  assert.deepEqual(await sweep.locator("tbody th").allTextContents(), ["Isomap", "LLE <b>"]);
  assert.match((await sweep.textContent())!, /Left out, without a parameter k: PCA, t-SNE\.$/);
  // Its own setting leaves it open.
  await set("k", "12");
  await page.waitForFunction(() => location.hash.includes("k=12"));
  assert.ok(await sweep.isVisible());
  await set("dim", "3");
  await page.waitForFunction(() => location.hash.includes("dim=3"));
  assert.ok(await sweep.isHidden());
  await begin();
  await page.getByLabel("LLE <b>: parameters and facts").click();
  await set("reg", "0.5");
  await page.waitForFunction(() => decodeURIComponent(location.hash).includes("reg=0.5"));
  assert.ok(await sweep.isHidden());
  assert.deepEqual(said, []);
});

test("an engine that crashes is reported in its panel, and another one takes its place", {
  skip,
}, async () => {
  const { page, said } = await opened();
  await page.getByLabel("LLE <b>: parameters and facts").click();
  const set = async (value: string) => {
    await page.getByLabel("reg, number").fill(value);
    await page.getByLabel("reg, number").press("Enter");
  };
  await set("5");
  await page.waitForSelector('[data-method="lle"].failed');
  assert.equal(
    await page.locator('[data-method="lle"] .state').textContent(),
    "The engine stopped: unreachable executed",
  );
  await set("0.5");
  await page.waitForFunction(
    () => !document.querySelector('[data-method="lle"]')!.classList.contains("failed"),
  );
  assert.deepEqual(said, []);
});

test("a long fit shows its frames, is stopped by a click, and ended by a newer setting", {
  skip,
}, async () => {
  const { page, said } = await opened();
  const panel = page.locator('[data-method="tsne"]');
  await page.getByLabel("t-SNE: parameters and facts").click();
  const set = async (value: string) => {
    await page.getByLabel("perplexity, number").fill(value);
    await page.getByLabel("perplexity, number").press("Enter");
  };
  await set("95");
  await page.waitForSelector('[data-method="tsne"].busy');
  await page.waitForFunction(
    () => Number(document.querySelector('[data-method="tsne"] .film output')!.textContent.split(" ")[0]) > 40,
  );
  await page.getByLabel("stop t-SNE").click();
  assert.match((await panel.locator(".state").textContent())!, /^stopped/);
  assert.equal(await panel.locator(".scores").textContent(), "No scores, because the fit was stopped");
  await set("96");
  await page.waitForSelector('[data-method="tsne"].busy');
  await set("20");
  await settled(page, ["tsne"]);
  await page.waitForFunction(() =>
    document.querySelector('[data-method="tsne"] .film output')!.textContent.startsWith("30 "),
  );
  assert.equal(await panel.locator(".state").textContent(), "");
  assert.deepEqual(said, []);
});

test("a panel is saved as picture, as drawing and as table", { skip }, async () => {
  const { page, said } = await opened();
  await page.getByLabel("Isomap: parameters and facts").click();
  const saved = async (name: string) => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.locator('[data-method="isomap"] .details').getByText(name, { exact: true }).click(),
    ]);
    return { name: download.suggestedFilename(), content: readFileSync(await download.path()) };
  };
  const png = await saved("PNG");
  assert.deepEqual([png.name, png.content.subarray(1, 4).toString()], ["swiss-roll-isomap.png", "PNG"]);
  const svg = await saved("SVG");
  assert.equal(svg.content.toString().match(/<circle /g)!.length, 300);
  const csv = await saved("CSV");
  assert.match(csv.content.toString(), /^row,y1,y2\n0,/);
  assert.equal(csv.content.toString().trim().split("\n").length, 301);
  assert.deepEqual(said, []);
});

test("a file is read and shown under its name, whatever the name; a broken one is refused with its problem", {
  skip,
}, async () => {
  const { page, said } = await opened();
  const rows = Array.from({ length: 60 }, (_, i) => [Math.sin(i), Math.cos(i), i / 10].join(",")).join("\n");
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "<img src=x>.csv", mimeType: "text/csv", buffer: Buffer.from(rows) });
  await page.waitForFunction(() =>
    document.querySelector(".data .name")!.textContent.startsWith("<img src=x>.csv: 60 points"),
  );
  await settled(page, METHODS);
  await page.waitForFunction(() => document.querySelector(".data")!.textContent.includes("600 edges"));
  assert.equal(await page.getByLabel("n, number").inputValue(), "60");
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "broken.csv", mimeType: "text/csv", buffer: Buffer.from("1,2\n3,x\n") });
  await page.waitForSelector(".alert:not([hidden])");
  assert.equal(await page.locator(".alert").textContent(), "broken.csv: every value must be a number");
  assert.deepEqual(said, []);
});

test("on a telephone nothing is wider than the screen, in light and dark", { skip }, async () => {
  for (const dark of [false, true]) {
    const { page, said } = await opened({ width: 400, dark });
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 400);
    assert.deepEqual(said, []);
    await page.close();
  }
});

test("two fingers move and zoom a picture, and one selects where a drag is a lasso", { skip }, async () => {
  const { page, said } = await opened({ touch: true, address: "#n=300&methods=pca" }, ["pca"]);
  const { x, y, width, height } = await picture(page, '[data-method="pca"]');
  const session = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...points: [number, number][]) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: points.map(([fx, fy], id) => ({ x: x + fx * width, y: y + fy * height, id })),
    });
  const plot = page.locator('[data-method="pca"] .plot');
  const before = await plot.screenshot();
  const scrolled = await page.evaluate(() => scrollY);
  await touch("touchStart", [0.4, 0.5], [0.6, 0.5]);
  for (const step of [0.05, 0.1, 0.15]) await touch("touchMove", [0.4 - step, 0.5], [0.6 + step, 0.5]);
  await touch("touchEnd");
  await page.waitForTimeout(100);
  assert.ok(!before.equals(await plot.screenshot()), "the picture is zoomed");
  // Back by the key that resets the picture.
  await page.locator('[data-method="pca"] .over').focus();
  await page.keyboard.press("0");
  await page.waitForTimeout(100);
  assert.equal(await page.locator(".point strong").count(), 0, "nothing was picked");
  await page.getByLabel("a drag").selectOption("lasso");
  await touch("touchStart", [0.02, 0.02]);
  for (const place of [
    [0.98, 0.02],
    [0.98, 0.5],
    [0.98, 0.98],
    [0.02, 0.98],
  ] as const)
    await touch("touchMove", [...place]);
  await touch("touchEnd");
  await page.waitForFunction(() =>
    /^\d+ points selected$/.test(document.querySelector(".point strong")?.textContent ?? ""),
  );
  assert.equal(await page.evaluate(() => scrollY), scrolled);
  assert.deepEqual(said, []);
});
