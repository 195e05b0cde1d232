/** Maps that a run has computed, in the page with the tests' double instead of the engine. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import type { Quantized } from "../src/engine/computed.js";
import { dequantized } from "../src/math/quantized.js";
import { doubled, drawn, prepared, selectLeft, settled, skip } from "./browser.js";

const METHODS = ["pca", "isomap", "tsne"];
const made = prepared(doubled);
const { bench } = made;

/** Columns as `compare` writes them: 16 bits a value, all low bytes before all high bytes. */
function quantized(columns: number[][]): Quantized {
  const low = columns.map((column) => column.reduce((a, b) => Math.min(a, b)));
  const step = columns.map((column, j) => (column.reduce((a, b) => Math.max(a, b)) - low[j]!) / 65535);
  const levels = columns.flatMap((column, j) =>
    column.map((value) => Math.round((value - low[j]!) / step[j]!)),
  );
  const bytes = Uint8Array.from([
    ...levels.map((level) => level & 255),
    ...levels.map((level) => level >> 8),
  ]);
  return { low, step, levels: { u16: gzipSync(bytes).toString("base64") } };
}

/** A page that carries the maps of a run over a strip of n points. */
function withRun(n: number): string {
  const at = (f: (i: number) => number) => Array.from({ length: n }, (_, i) => f(i));
  const [x, y] = [at((i) => i % 331), at((i) => (i * 7919) % 977)];
  const map = (method: string, columns: number[][] | null) => ({
    method,
    coordinates: columns && quantized(columns),
    rows: null,
    seconds: 12,
    scores: [["trustworthiness", 0.875]],
    spectrum: [],
    sentences: [`<i>${method}</i> of the run.`],
    reason: columns ? null : "it needs <classes>",
  });
  const labels = Uint32Array.from({ length: n }, (_, i) => i % 3);
  const run = {
    key: "swiss-roll",
    n,
    columns: 3,
    column_names: ["length", "width, in cm", "height"],
    seed: 4,
    noise: 0,
    k: 12,
    dim: 2,
    command: "compare run --datasets swiss-roll --n 70000",
    space: quantized([x, y, at((i) => i % 13)]),
    truth: null,
    truth_names: [],
    geometry: "unknown",
    notes: "",
    labels: [
      {
        name: "kind",
        classes: ["a", "<b>", "c"],
        values: { u32: gzipSync(Buffer.from(labels.buffer)).toString("base64") },
      },
    ],
    quantities: [],
    row_names: null,
    maps: [map("pca", [x, y]), map("isomap", [y, x]), map("tsne", null)],
  };
  const data = JSON.stringify({
    start: { data: "swiss-roll", methods: METHODS },
    datasets: [],
    computed: [run],
    report: true,
  });
  return made.html.replace('id="data">', () => `id="data">${data.replaceAll("<", "\\u003c")}`);
}

test("quantized columns come back row by row to half a step", () => {
  const columns = [
    Array.from({ length: 300 }, (_, i) => Math.sin(i)),
    Array.from({ length: 300 }, (_, i) => 1e6 + ((i * i) % 97)),
  ];
  const packed = quantized(columns);
  const found = dequantized(packed, gunzipSync(Buffer.from(packed.levels.u16, "base64")));
  for (let i = 0; i < 300; i++)
    columns.forEach((column, j) =>
      assert.ok(Math.abs(found[2 * i + j]! - column[i]!) <= 0.51 * packed.step[j]!, `${i} ${j}`),
    );
});

/** The sum of the opacities of a canvas. */
function opacity(page: Page, selector: string): Promise<number> {
  return page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const canvas = element as HTMLCanvasElement;
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
      return data.reduce((sum, value, i) => (i % 4 === 3 ? sum + value : sum), 0);
    });
}

async function opened(n: number): Promise<{ page: Page; said: string[] }> {
  const found = await bench.open(withRun(n), { address: `#data=swiss-roll&n=${n}&seed=4&k=12` });
  await settled(found.page, METHODS);
  return found;
}

test("the panels show the maps of the run at once, linked, and say so", { skip }, async () => {
  const { page, said } = await opened(30_000);
  assert.match((await page.locator(".origin").textContent())!, /^Maps computed by the run, n = 30,000\./);
  assert.match((await page.locator(".data .name").textContent())!, /30000 points, 3 columns/);
  const panel = (method: string) => page.locator(`[data-method="${method}"]`);
  assert.equal(await panel("pca").locator(".time").textContent(), "12 s");
  assert.match((await panel("pca").locator(".scores").textContent())!, /trustworthiness0\.875/);
  assert.equal(await panel("pca").locator(".sentences p").first().textContent(), "<i>pca</i> of the run.");
  assert.match((await panel("tsne").locator(".state").textContent())!, /it needs <classes>/);
  assert.ok((await drawn(page, '[data-method="isomap"] canvas')) > 5000);
  // A point marked in one map is marked in the other.
  const box = (await panel("pca").locator(".over").boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForFunction(() => document.querySelector(".point strong") !== null);
  assert.match((await page.locator(".point strong").textContent())!, /^row \d+ · kind (a|<b>|c)$/);
  await page.waitForTimeout(60);
  assert.ok((await drawn(page, '[data-method="isomap"] .over')) > 30);
  assert.match(
    (await page.locator(".legend").textContent())!,
    /shaded by number of points, where more than 20,000 are in view/,
  );
  // A class is dimmed by the legend.
  const before = await opacity(page, '[data-method="isomap"] canvas');
  await page.locator(".legend button").first().click();
  await page.waitForTimeout(100);
  assert.ok((await opacity(page, '[data-method="isomap"] canvas')) < 0.95 * before);
  const colors = page.getByLabel("color by").locator("option");
  assert.equal(await colors.filter({ hasText: "trustworthiness" }).count(), 0);
  assert.equal(await colors.filter({ hasText: /^width, in cm$/ }).count(), 1);
  assert.deepEqual(said, []);
});

test("what needs the data of the run is disabled, and says why", { skip }, async () => {
  const { page, said } = await opened(9000);
  const controls = [page.getByLabel("graph", { exact: true }), page.getByLabel("decode", { exact: true })];
  const titles = () =>
    Promise.all(controls.map((control) => control.evaluate((element) => element.closest("label")!.title)));
  for (const control of controls) assert.ok(await control.isDisabled());
  for (const title of await titles()) assert.match(title, /^not for maps of the run/);
  const hint = page.locator(".point");
  assert.match(
    (await hint.textContent())!,
    /to see it in all of them\. Weights of a point and paths between two are for methods fitted here: change a setting\.$/,
  );
  await page.getByLabel("k, number").first().fill("9");
  await page.getByLabel("k, number").first().press("Enter");
  await page.waitForFunction(() => document.querySelector(".origin")!.textContent.startsWith("Fitted live"));
  await page.waitForFunction(() =>
    document.querySelector(".point")!.textContent.includes("Click one for its weights"),
  );
  for (const control of controls) assert.ok(await control.isEnabled());
  for (const title of await titles()) assert.doesNotMatch(title, /maps of the run/);
  assert.deepEqual(said, []);
});

test("a lasso selects rows of the run, and the panel's command is the command of the run", {
  skip,
}, async () => {
  const { page, said } = await opened(30_000);
  await selectLeft(page, "pca");
  const selected = Number((await page.locator(".point strong").first().textContent())!.split(" ")[0]);
  assert.ok(selected > 10_000 && selected < 20_000, String(selected));
  const saved = page.waitForEvent("download");
  await page.getByLabel("save the selected rows as CSV").click();
  const lines = (await readFile(await (await saved).path(), "utf8")).trimEnd().split("\n");
  assert.deepEqual([lines[0], lines.length], ['row,length,"width, in cm",height', selected + 1]);
  await page.evaluate(() =>
    Object.defineProperty(navigator, "clipboard", {
      value: {
        writeText: (text: string) => {
          document.body.setAttribute("data-copied", text);
          return Promise.resolve();
        },
      },
    }),
  );
  await page.getByLabel("PCA: parameters and facts").click();
  await page.locator('[data-method="pca"]').getByLabel("copy the command line that repeats this map").click();
  await page.waitForSelector('[data-copied="compare run --datasets swiss-roll --n 70000"]');
  assert.deepEqual(said, []);
});

test("a changed setting fits live on fewer points, and a button leads back", { skip }, async () => {
  const { page, said } = await opened(30_000);
  await page.getByLabel("k, number").first().fill("9");
  await page.getByLabel("k, number").first().press("Enter");
  await page.waitForFunction(() =>
    document.querySelector(".origin")!.textContent.startsWith("Fitted live on 2,000 points made anew."),
  );
  await page.waitForFunction(() => /n=2000&.*k=9/.test(location.hash));
  await page.waitForFunction(
    () => document.querySelector('[data-method="pca"] .time')!.textContent !== "12 s",
  );
  await settled(page, METHODS);
  assert.equal(
    await page.getByLabel("color by").locator("option", { hasText: "trustworthiness" }).count(),
    1,
  );
  await page.getByLabel("show the maps that the run has computed").click();
  await page.waitForFunction(() =>
    document.querySelector(".origin")!.textContent.startsWith("Maps computed by the run"),
  );
  await page.waitForFunction(
    () => document.querySelector('[data-method="pca"] .time')!.textContent === "12 s",
  );
  await settled(page, METHODS);
  assert.equal(await page.getByLabel("k, number").first().inputValue(), "12");
  assert.deepEqual(said, []);
});

test("a number of points that is typed is kept", { skip }, async () => {
  const { page, said } = await opened(30_000);
  await page.getByLabel("n, number").first().fill("700");
  await page.getByLabel("n, number").first().press("Enter");
  await page.waitForFunction(() =>
    document.querySelector(".origin")!.textContent.startsWith("Fitted live on 700 points made anew."),
  );
  await page.getByLabel("n, number").first().fill("3500");
  await page.getByLabel("n, number").first().press("Enter");
  await page.waitForFunction(() =>
    document.querySelector(".origin")!.textContent.startsWith("Fitted live on 3,500 points made anew."),
  );
  assert.deepEqual(said, []);
});

test("a parameter of one method fits live, too", { skip }, async () => {
  const { page, said } = await opened(30_000);
  await page.getByLabel("t-SNE: parameters and facts").click();
  await page.getByLabel("perplexity, number").fill("12");
  await page.getByLabel("perplexity, number").press("Enter");
  await page.waitForFunction(() => document.querySelector(".origin")!.textContent.startsWith("Fitted live"));
  // The reason why the run has no map stays until the live fit begins.
  await page.waitForFunction(() => document.querySelector(".panel.failed") === null);
  await settled(page, METHODS);
  assert.equal(await page.locator(".panel.failed").count(), 0);
  assert.deepEqual(said, []);
});

test("fewer points than are shaded are drawn one by one", { skip }, async () => {
  const { page } = await opened(9000);
  assert.match((await page.locator(".origin").textContent())!, /n = 9,000/);
  assert.doesNotMatch((await page.locator(".legend").textContent())!, /shaded/);
});
