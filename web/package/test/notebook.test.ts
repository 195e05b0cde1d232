/** The figure of the Python package, with a model as anywidget gives it. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { Bench, skip } from "../../page/test/browser.js";
import { WEB } from "./installed.js";

const bench = new Bench();
after(() => bench.close());

/** Forty points of a grid, as Python sends them. */
const DATA = {
  name: "grid",
  file: "grid",
  columns: 2,
  column_names: [],
  points: {
    f64: gzipSync(new Float64Array(Array.from({ length: 80 }, (_, i) => (i % 2 ? i % 16 : i >> 4)))).toString(
      "base64",
    ),
  },
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

/** Draws a box around the left half of a map, and returns the rows that Python receives. */
async function select(page: Page): Promise<number[]> {
  await page.getByLabel("a drag").selectOption("box");
  const over = page.locator('[data-method="pca"] .over');
  await over.scrollIntoViewIfNeeded();
  const box = (await over.boundingBox())!;
  await page.mouse.move(box.x + 2, box.y + 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height - 2, { steps: 4 });
  await page.mouse.up();
  await page.locator(".point strong").first().waitFor();
  return page.evaluate(() => (globalThis as unknown as { state: { selected: number[] } }).state.selected);
}

test("selected rows are rows of the data that Python sent, and of no other data set", {
  skip,
  timeout: 120_000,
}, async () => {
  const engine = readFileSync(join(WEB, "engine.wasm.xz")).toString("base64");
  const script = readFileSync(join(WEB, "../python/swissroll/figure.js"), "utf8");
  const address = `data:text/javascript;base64,${Buffer.from(script).toString("base64")}`;
  const { page } = await bench.open(`<!DOCTYPE html><title>figure</title><body><script type="module">
    globalThis.state = { settings: "n=40&k=4&methods=pca", controls: "full", picture: "", selected: [] };
    const { default: figure } = await import("${address}");
    let receive;
    const model = {
      get: (name) => state[name],
      set: (name, value) => { state[name] = value; },
      save_changes: () => {},
      send: () => setTimeout(() => receive({ type: "data", engine: "${engine}", data: ${JSON.stringify(DATA)} })),
      on: (_, listener) => { receive = listener; },
      off: () => {},
    };
    figure.render({ model, el: document.body });
  </script>`);
  const map = page.locator('[data-method="pca"]:not(.failed) .scores, [data-method="pca"] .facts').first();
  await map.waitFor({ state: "attached", timeout: 60_000 });
  const own = await select(page);
  assert.ok(own.length > 5 && own.length < 40, String(own.length));
  await page.getByLabel("data set").selectOption("s-curve");
  await page.waitForFunction(() => {
    const { state } = globalThis as unknown as { state: { settings: string; selected: number[] } };
    return state.settings.includes("s-curve") && state.selected.length === 0;
  });
  assert.deepEqual(await select(page), []);
});
