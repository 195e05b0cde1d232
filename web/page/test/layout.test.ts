/** Small windows: projectors, and magnified pages. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { doubled, prepared, settled, skip } from "./browser.js";

const made = prepared(doubled);
const METHODS = ["pca", "isomap", "lle", "tsne"];

async function opened(methods: readonly string[], width: number, height: number): Promise<Page> {
  const { page } = await made.bench.open(made.html, { address: `#n=300&methods=${methods.join()}`, width });
  await page.setViewportSize({ width, height });
  await settled(page, methods);
  // The scores have come.
  await page.waitForFunction(
    (count) => document.querySelectorAll("main .scores dl.main").length === count,
    methods.length,
  );
  return page;
}

const extent = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return [scrollWidth, scrollHeight];
  });
const boxes = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((all) =>
    all
      .filter((element) => (element as HTMLElement).offsetParent !== null)
      .map((element) => {
        const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
        return { left, top, right, bottom, width, height };
      }),
  );

test("two to four maps, their scores and all controls are in view at 1024 × 768", { skip }, async () => {
  for (const [count, least] of [
    [2, 350],
    [3, 240],
    [4, 180],
  ] as const) {
    const page = await opened(METHODS.slice(0, count), 1024, 768);
    assert.deepEqual(await extent(page), [1024, 768]);
    for (const { width, height, bottom } of await boxes(page, "main .picture"))
      assert.ok(
        Math.abs(width - height) < 1 && width >= least && bottom < 768,
        `${count}: ${width} × ${height}`,
      );
    for (const { bottom } of await boxes(page, "main .scores dl.main"))
      assert.ok(bottom < 768, String(bottom));
    // Parameters scroll within their panel, below the map that they change.
    await page.getByLabel("Isomap: parameters and facts").click();
    await page.getByLabel("save the coordinates as CSV").waitFor();
    assert.deepEqual(await extent(page), [1024, 768]);
    await page.getByLabel("Isomap: parameters and facts").click();
    await page.getByLabel("Isomap: larger").click();
    const [large] = await boxes(page, ".panel.large .picture");
    const [scores] = await boxes(page, ".panel.large .scores dl.main");
    assert.ok(scores && scores.bottom <= 768, JSON.stringify(scores));
    assert.ok(large && large.width > 380 && large.top >= 0 && large.bottom <= 768, JSON.stringify(large));
    await page.close();
  }
});

test("a page magnified twice has all controls, and no scroll to the side", { skip }, async () => {
  for (const [width, height] of [
    [700, 450],
    [512, 384],
  ] as const) {
    const page = await opened(METHODS, width, height);
    assert.equal((await extent(page))[0], width);
    // Signs of a panel are in one line.
    const signs = await boxes(page, '[data-method="isomap"] .title button:not(.name)');
    assert.equal(new Set(signs.map(({ top }) => Math.round(top))).size, 1);
    await page.getByText("settings", { exact: true }).click();
    for (const control of await page.locator("header :is(button, select, input:not([type=file]))").all()) {
      if (!(await control.isVisible())) continue;
      await control.scrollIntoViewIfNeeded();
      const box = (await control.boundingBox())!;
      assert.ok(box.x >= 0 && box.x + box.width <= width && box.y >= 0 && box.y + box.height <= height);
    }
    assert.equal((await extent(page))[0], width);
    await page.getByLabel("Isomap: larger").click();
    await page.locator(".panel.large .picture").scrollIntoViewIfNeeded();
    const [large] = await boxes(page, ".panel.large .picture");
    assert.ok(large && large.height <= height && large.right <= width, JSON.stringify(large));
    await page.close();
  }
});
