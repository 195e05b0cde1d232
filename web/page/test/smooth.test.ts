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
      address: `#n=300&methods=${methods}`,
      workers: cores,
    });
    await settled(page, methods);
    // Another one answers at once, apart from fits.
    assert.equal(page.workers().length, fitting + 1, `${cores} cores`);
    await page.close();
  }
});

test("a map that is requested after a score is computed before it", { skip }, async () => {
  // A long fit keeps the only worker, until it is stopped.
  const { page } = await bench.open(made.html, {
    address: "#n=300&methods=pca,tsne~perplexity%3D95",
    workers: 2,
  });
  const score = '[data-method="pca"] .scores';
  await page.waitForFunction((score) => document.querySelector(score)?.textContent === "measuring…", score);
  // The measures are queued a moment after the map.
  await page.waitForTimeout(600);
  await page.getByLabel("add a method").selectOption("isomap");
  await page.evaluate((score) => {
    const seen = { time: "none" };
    Object.assign(window, { seen });
    new MutationObserver(() => {
      if (seen.time === "none" && document.querySelector(`${score} dd`))
        seen.time = document.querySelector('[data-method="isomap"] .time')?.textContent ?? "";
    }).observe(document.body, { subtree: true, childList: true });
  }, score);
  await page.getByLabel("stop t-SNE").click();
  const time = () => (window as unknown as { seen: { time: string } }).seen.time;
  await page.waitForFunction(() => (window as unknown as { seen: { time: string } }).seen.time !== "none");
  assert.match(await page.evaluate(time), /ms|s/);
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
