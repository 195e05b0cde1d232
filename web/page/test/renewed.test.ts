/** Engines whose memory has grown are replaced when they hold nothing. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { doubled, prepared, settled, skip } from "./browser.js";
import { LARGE } from "./double.js";

const made = prepared(doubled);

/** How many engines each worker has started. */
const engines = (page: Page) =>
  Promise.all(
    page.workers().map((worker) => worker.evaluate(() => (globalThis as { engines?: number }).engines)),
  );

async function show(page: Page, n: number): Promise<void> {
  await page.evaluate((n) => (location.hash = `#n=${n}&methods=pca,isomap`), n);
  await page.waitForFunction(
    (n) => document.querySelector(".data .name")!.textContent.includes(`: ${n} points`),
    n,
  );
  await settled(page, ["pca", "isomap"]);
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".scores")].every((scores) => /\d/.test(scores.textContent)),
  );
}

test("an engine that large data have left is replaced, with small ones it stays", { skip }, async () => {
  const { page, said } = await made.bench.open(made.html, {
    address: "#n=300&methods=pca,isomap",
    workers: 2,
  });
  await settled(page, ["pca", "isomap"]);
  await show(page, 200);
  assert.deepEqual(await engines(page), [1, 1]);
  await show(page, LARGE);
  assert.deepEqual(await engines(page), [1, 1], "it is used as long as it holds the data");
  await show(page, 200);
  assert.deepEqual(await engines(page), [2, 2]);
  await show(page, 300);
  assert.deepEqual(await engines(page), [2, 2]);
  assert.deepEqual(said, []);
});
