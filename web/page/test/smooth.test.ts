/** What keeps the page smooth: one core is left to it, maps come before scores, and only what changes is fitted. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { doubled, prepared, settled, skip } from "./browser.js";

const made = prepared(doubled);
const { bench } = made;

test("one core is left to the page: fits run in as many workers as there are other cores, at least in one", {
  skip,
}, async () => {
  for (const [cores, fitting] of [
    [1, 1],
    [2, 1],
    [4, 3],
  ] as const) {
    const methods = ["pca", "isomap", "lle", "tsne"];
    const { page } = await bench.open(made.html, {
      address: `#n=300&methods=${methods.join()}`,
      workers: cores,
    });
    await settled(page, methods);
    // Another one answers at once, apart from fits.
    assert.equal(page.workers().length, fitting + 1, `${cores} cores`);
    await page.close();
  }
});

test("the slowest map comes before the first score", { skip }, async () => {
  // Of this number of points t-SNE and measures take long.
  const { page } = await bench.open(made.html, { address: "#n=1700&methods=pca,tsne", workers: 2 });
  // The scores of the first maps have come.
  await page.waitForFunction(() => {
    const scores = [...document.querySelectorAll(".panels .scores dl.main dd")];
    return scores.length > 2 && scores.every(({ textContent }) => textContent !== "…");
  });
  await page.evaluate(() => {
    const seen = { mapped: false, blank: false, first: "" };
    Object.assign(window, { seen });
    const [time, score] = ['[data-method="tsne"] .time', '[data-method="pca"] .scores dd'];
    new MutationObserver(() => (seen.mapped = true)).observe(document.querySelector(time) as Element, {
      childList: true,
    });
    new MutationObserver(() => {
      const text = document.querySelector(score)?.textContent ?? "…";
      if (text === "…") seen.blank = true;
      else if (seen.blank && seen.first === "") seen.first = seen.mapped ? "after the maps" : "before a map";
    }).observe(document.querySelector('[data-method="pca"]') as Element, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  await page.getByLabel("seed, number").fill("1");
  await page.getByLabel("seed, number").press("Enter");
  const first = () => (window as unknown as { seen: { first: string } }).seen.first;
  await page.waitForFunction(() => (window as unknown as { seen: { first: string } }).seen.first !== "");
  assert.equal(await page.evaluate(first), "after the maps");
  await page.close();
});

test("another k fits the methods again that have it, and no others", { skip }, async () => {
  const { page, said } = await bench.open(made.html, { address: "#n=300&methods=pca,isomap" });
  await settled(page, ["pca", "isomap"]);
  await page.waitForFunction(() => document.querySelectorAll(".panels .scores dd").length >= 6);
  await page.evaluate(() => {
    const changed: string[] = [];
    Object.assign(window, { changed });
    for (const panel of document.querySelectorAll<HTMLElement>(".panels .panel"))
      new MutationObserver(() => changed.push(panel.dataset["method"] ?? "")).observe(
        panel.querySelector(".time") as Element,
        { childList: true, characterData: true, subtree: true },
      );
  });
  await page.getByLabel("k, number").first().fill("12");
  await page.getByLabel("k, number").first().press("Enter");
  await page.waitForFunction(() => (window as unknown as { changed: string[] }).changed.includes("isomap"));
  await page.waitForTimeout(300);
  assert.deepEqual(
    await page.evaluate(() => [...new Set((window as unknown as { changed: string[] }).changed)]),
    ["isomap"],
  );
  assert.deepEqual(said, []);
  await page.close();
});
