/** Scores belong to the map above them, in the page with the tests' double instead of the engine. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { doubled, prepared, settled, skip } from "./browser.js";

const made = prepared(doubled);
const { bench } = made;

async function type(page: Page, label: string, value: string): Promise<void> {
  await page.getByLabel(`${label}, number`).first().fill(value);
  await page.getByLabel(`${label}, number`).first().press("Enter");
}

async function file(page: Page, name: string, rows: number): Promise<void> {
  const text = Array.from({ length: rows }, (_, i) => [Math.sin(i), Math.cos(i), i / 10].join(",")).join(
    "\n",
  );
  await page
    .locator("input[type=file]")
    .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  await page.waitForFunction(
    ([name, rows]) =>
      document.querySelector(".data .name")!.textContent.startsWith(`${name}: ${rows} points`),
    [name, rows] as const,
  );
}

/** Waits until every panel has scores. */
function scored(page: Page): Promise<unknown> {
  return page.waitForFunction(() =>
    [...document.querySelectorAll(".panels .panel")].every((panel) =>
      /trustworthiness\d/.test(panel.querySelector(".scores")!.textContent),
    ),
  );
}

test("from a change of settings on a panel has no scores of the map before, and says what it waits for", {
  skip,
}, async () => {
  const { page, said } = await bench.open(made.html, {
    address: "#n=300&methods=pca,tsne,tsne,tsne",
    workers: 3,
  });
  await scored(page);
  // What panels show at any time, as soon as the data are the new ones.
  await page.evaluate(() => {
    const seen: { state: string; busy: boolean; scores: string; best: number; pale: boolean }[][] = [];
    Object.assign(window, { seen });
    setInterval(() => {
      if (!document.querySelector(".data .name")!.textContent.includes("1700 points")) return;
      seen.push(
        [...document.querySelectorAll(".panels .panel")].map((panel) => ({
          state: panel.querySelector(".state")!.textContent,
          busy: panel.classList.contains("busy"),
          scores: panel.querySelector(".scores")!.textContent,
          best: panel.querySelectorAll(".scores .best").length,
          pale: Number(getComputedStyle(panel.querySelector(".plot")!).opacity) < 1,
        })),
      );
    }, 20);
  });
  await type(page, "n", "1700");
  await page.waitForFunction(() =>
    document.querySelector(".data .name")!.textContent.includes("1700 points"),
  );
  await scored(page);
  await page.waitForTimeout(200);
  const seen = await page.evaluate(
    () =>
      (
        window as unknown as {
          seen: { state: string; busy: boolean; scores: string; best: number; pale: boolean }[][];
        }
      ).seen,
  );
  const steps = [0, 1, 2, 3].map((panel) => seen.map((panels) => panels[panel]!));
  for (const panel of steps) {
    const first = panel.findIndex(({ scores }) => /\d\.\d/.test(scores));
    const before = panel.slice(0, first);
    assert.ok(first > 0, "scores belonged to the map before");
    assert.ok(before.every(({ best }) => best === 0));
    assert.ok(before.some(({ scores }) => scores.includes("measuring…")));
    // Once there, scores stay.
    assert.ok(panel.slice(first).every(({ scores }) => /\d\.\d/.test(scores)));
  }
  // Two workers fit, for one core is left to the page, and one of three long fits is queued.
  const queued = steps.filter((panel) => panel.some(({ state }) => state.startsWith("waiting")));
  assert.ok(queued.length > 0, "the queued panel shows that it waits");
  for (const panel of queued)
    assert.ok(
      panel.every(({ state, busy, pale }) => busy === pale && (busy || !state.startsWith("waiting"))),
    );
  assert.deepEqual(said, []);
});

test("scores of a sample of rows say so", { skip }, async () => {
  const { page, said } = await bench.open(made.html, { address: "#n=1700&methods=pca" });
  await scored(page);
  const over =
    "Measures of ranks and neighborhoods are averages over 1,500 of 1,700 points; those that need all points are left out.";
  assert.ok((await page.locator(".scores dl.main div").first().getAttribute("title"))!.endsWith(`. ${over}`));
  assert.equal(await page.locator(".scores details p").textContent(), over);
  await page.getByText("all scores").click();
  await page.waitForFunction((over) => document.querySelector(".all p")!.textContent === over, over);
  await type(page, "n", "900");
  await page.waitForFunction(() => document.querySelector(".all p")!.textContent === "");
  await scored(page);
  assert.doesNotMatch((await page.locator(".scores dl.main div").first().getAttribute("title"))!, /averages/);
  assert.deepEqual(said, []);
});

test("a map that cannot be measured has no scores, not even scores of another file, and says why", {
  skip,
}, async () => {
  const { page, said } = await bench.open(made.html, { address: "#n=300&methods=pca" });
  await file(page, "many.csv", 180);
  await scored(page);
  await page.getByText("all scores").click();
  await file(page, "three.csv", 3);
  await settled(page, ["pca"]);
  const why =
    "No scores, because the measures failed: k must be 1 to n - 1 (here <fewer>), but is 10 (a setting of the measures, not of the methods)";
  await page.waitForFunction((why) => document.querySelector(".scores")!.textContent === why, why);
  await page.waitForFunction(() => document.querySelectorAll(".all tbody td").length === 1);
  await file(page, "many.csv", 180);
  await scored(page);
  assert.deepEqual(said, []);
});

test("a map is measured where the worker that has its model is ended", { skip }, async () => {
  const { page, said } = await bench.open(made.html, {
    address: "#n=300&methods=pca,tsne~perplexity%3D95,tsne~perplexity%3D96",
    workers: 3,
  });
  await page.waitForFunction(() => document.querySelectorAll(".busy").length === 2);
  const scores = page.locator('[data-method="pca"] .scores');
  // Both workers fit for long, so that the measures wait.
  await page.waitForTimeout(400);
  assert.equal(await scores.textContent(), "measuring…");
  for (const stop of [0, 1]) await page.getByLabel("stop t-SNE").nth(stop).click();
  await page.waitForFunction(() =>
    /trustworthiness\d/.test(document.querySelector('[data-method="pca"] .scores')!.textContent),
  );
  assert.deepEqual(said, []);
});

test("points that are left out are counted in one sentence", { skip }, async () => {
  const { page, said } = await bench.open(made.html, { address: "#n=300&methods=isomap~solver%3Ddense" });
  const sentences = page.locator(".sentences p");
  await page.waitForFunction(() => document.querySelectorAll(".sentences p").length > 1);
  assert.deepEqual(await sentences.allTextContents(), [
    "150 of 300 points were placed",
    "<i>isomap</i> was measured.",
  ]);
  assert.deepEqual(said, []);
});
