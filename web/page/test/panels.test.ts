/** Panels in a browser: their parameters, titles, sizes and exports. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { Bench, doubled, program, settled } from "./browser.js";

const skip = program === undefined && "no Chromium is installed (apt-get install chromium, or set CHROMIUM)";
const bench = new Bench();
let html = "";

before(async () => {
  if (!skip) html = await doubled();
});

after(() => bench.close());

async function opened(address: string, methods: string[], width = 1500): Promise<{ page: Page; said: string[] }> {
  const found = await bench.open(html, { address, width });
  await settled(found.page, methods);
  return found;
}

test("a parameter that was dragged to an end can be dragged back, and set to its default", { skip }, async () => {
  const { page, said } = await opened("#n=300&methods=tsne", ["tsne"]);
  await page.getByLabel("t-SNE: parameters and facts").click();
  const slider = page.locator(".details").getByLabel("perplexity", { exact: true });
  const drag = (tick: string) => slider.evaluate((element, tick) => {
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
  assert.equal(await slider.getAttribute("aria-valuetext"), "30");
  assert.equal(await back.isVisible(), false);
  await drag("0");
  await all.click();
  await page.waitForFunction(() => location.hash.endsWith("methods=tsne"));
  assert.deepEqual([await slider.getAttribute("aria-valuetext"), await all.isVisible()], ["30", false]);
  assert.deepEqual(said, []);
});

test("panels of one method are told apart by their parameters, and a panel is duplicated", { skip }, async () => {
  const { page, said } = await opened("#n=300&methods=pca,tsne~perplexity%3D5,tsne~perplexity%3D40", ["pca", "tsne"]);
  const names = () => page.locator("main .title .name").allTextContents();
  assert.deepEqual(await names(), ["PCA", "t-SNE, perplexity 5", "t-SNE, perplexity 40"]);
  await page.locator("details.all summary").click();
  assert.deepEqual(await page.locator(".all tbody th").allTextContents(), await names());
  await page.getByLabel("remove t-SNE, perplexity 40").click();
  await page.getByLabel("PCA: parameters and facts").click();
  await page.getByLabel("add another panel of PCA").click();
  assert.deepEqual(await names(), ["PCA", "PCA", "t-SNE, perplexity 5"]);
  const copy = page.locator("main .panel").nth(1);
  await copy.getByLabel("dim, number").fill("1");
  await copy.getByLabel("dim, number").press("Enter");
  await page.waitForFunction(() => decodeURIComponent(location.hash).endsWith("methods=pca,pca~dim=1,tsne~perplexity=5"));
  assert.deepEqual(await names(), ["PCA", "PCA, dim 1", "t-SNE, perplexity 5"]);
  assert.deepEqual(said, []);
});
