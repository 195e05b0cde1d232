/** Words that explain controls and numbers, at the pointer and for the keyboard. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator } from "playwright-core";
import { doubled, prepared, settled, skip } from "./browser.js";

const made = prepared(doubled);

test("every control and every marked number has a word at the pointer and for the keyboard", {
  skip,
}, async () => {
  const { page, said } = await made.bench.open(made.html, {
    address: "#n=300&methods=pca,tsne,isomap",
    width: 1500,
  });
  await settled(page, ["pca", "tsne", "isomap"]);
  for (const title of ["PCA", "t-SNE", "Isomap"])
    await page.getByLabel(`${title}: parameters and facts`).click();
  await page.getByText("sweep k", { exact: true }).click();
  await page.locator(".sweep td.best").waitFor();
  for (const summary of await page.locator("summary").all()) await summary.click();
  await page.locator("main .scores .best dd").first().waitFor();
  await page.locator(".all td.best").first().waitFor();
  await page.locator(".parameters .slider").first().waitFor();
  const wordless = await page.evaluate(() => {
    const all = [
      ...document.querySelectorAll<HTMLElement>(
        "button, select, input, summary, [tabindex], output, .best, .time, .slider",
      ),
    ];
    return all
      .filter((element) => element.checkVisibility())
      .filter((element) => !(element.dataset["hint"] ?? element.closest<HTMLElement>("[title]")?.title))
      .map((element) => element.outerHTML.slice(0, 120));
  });
  assert.deepEqual(wordless, []);
  // The keyboard shows the same words.
  const hint = page.locator(".hint");
  const reach = async (control: Locator) => {
    await control.focus();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
  };
  for (const [label, words] of [
    ["k", /neighbors of each point/],
    ["k, number", /neighbors of each point/],
    ["dim", /dimension of the maps/],
    ["decode", /decoded to data/],
    ["color by", /what the color of a point means/],
  ] as const) {
    await reach(page.getByLabel(label, { exact: true }).first());
    assert.match((await hint.textContent())!, words);
    assert.ok(await hint.isVisible(), label);
  }
  await reach(page.locator("[data-method=tsne] .film input"));
  assert.match((await hint.textContent())!, /at the right its number and its objective/);
  // A blue score, by the name of its measure; its number has the same words at the pointer.
  const best = page.locator("main .scores .best").first();
  await reach(best.getByRole("button"));
  assert.match((await hint.textContent())!, /Blue: the best of these maps/);
  assert.match((await best.getAttribute("title"))!, /Blue: the best of these maps/);
  assert.match((await page.locator(".film output").first().getAttribute("title"))!, /iteration · objective/);
  assert.match((await page.locator(".all > p").last().textContent())!, /^Blue: the best of these maps/);
  assert.deepEqual(said, []);
});
