/** Fits that start at the map of another panel. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { type Chosen, decode, encode, usual } from "../src/state/settings.js";
import { doubled, engined, prepared, settled, skip } from "./browser.js";

const made = prepared(doubled);
const built = prepared(engined);

test("an address keeps the start of a fit, which may have a start of its own", () => {
  const start = usual("swiss-roll", 300, ["pca"]);
  const from: Chosen = { name: "tsne", set: { perplexity: "5" }, from: { name: "pca", set: { dim: "2" } } };
  const settings = { ...start, methods: [{ name: "tsne", set: { start: "random~,=" }, from }] };
  assert.deepEqual(decode(encode(settings), start).methods, settings.methods);
});

/** Waits until the panel says this of its map. */
const noted = (page: Page, note: string) =>
  page.locator("[data-method=tsne] .sentences").getByText(note).waitFor();
const titles = (page: Page) => page.locator("main .title .name").allTextContents();
/** The first coordinate of the saved map. */
async function saved(page: Page): Promise<number> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.locator("[data-method=tsne]").getByLabel("save the coordinates as CSV").click(),
  ]);
  const stream = await file.createReadStream();
  let text = "";
  for await (const part of stream) text += String(part);
  return Number(text.split("\n")[1]!.split(",")[1]);
}

test("a fit starts at the map of another panel, also from an address, and undo leads back", {
  skip,
}, async () => {
  const { page, said } = await made.bench.open(made.html, {
    address: "#n=300&methods=pca,isomap,tsne",
    width: 1500,
  });
  await settled(page, ["pca", "isomap", "tsne"]);
  await page.getByLabel("t-SNE: parameters and facts").click();
  const choice = page.getByLabel("start from");
  await choice.waitFor();
  assert.deepEqual(await page.locator("[data-method=pca]").getByLabel("start from").count(), 0);
  assert.deepEqual(await choice.locator("option").allTextContents(), [
    "the method's own start",
    "the map of PCA",
    "the map of Isomap",
    "its own map, and go on",
  ]);
  const before = await saved(page);
  await choice.selectOption({ label: "the map of PCA" });
  await page.waitForFunction(() => location.hash.endsWith("tsne~from%3Dpca"));
  await settled(page, ["tsne"]);
  assert.deepEqual(await titles(page), ["PCA", "Isomap", "t-SNE, from PCA"]);
  await noted(page, "the start was used");
  const after = await saved(page);
  assert.notEqual(after, before);
  const address = await page.evaluate(() => location.hash);

  // The command line says what it cannot repeat.
  await page.locator("[data-method=tsne]").getByLabel("copy the command line").click();
  const warning = page.locator("[data-method=tsne] .warn");
  await warning.waitFor();
  assert.match(
    (await warning.textContent())!,
    /Save the map of PCA as CSV.*embed --method tsne --start FILE/,
  );

  // It goes on from its own map.
  await choice.focus();
  await choice.selectOption({ label: "its own map, and go on" });
  await page.waitForFunction(() => location.hash.endsWith("tsne~from%3Dtsne%7Efrom%253Dpca"));
  await noted(page, "goes on from the given map");
  await settled(page, ["tsne"]);
  assert.deepEqual((await titles(page))[2], "t-SNE, on from t-SNE, from PCA");

  await page.keyboard.press("Control+z");
  await page.waitForFunction((hash) => location.hash === hash, address);
  await settled(page, ["tsne"]);
  assert.equal((await titles(page))[2], "t-SNE, from PCA");
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => location.hash.endsWith("methods=pca,isomap,tsne"));
  assert.deepEqual(await titles(page), ["PCA", "Isomap", "t-SNE"]);
  await settled(page, ["tsne"]);

  // Without the other panel the start is computed for the fit.
  const alone = await made.bench.open(made.html, {
    address: address.replace("pca,isomap,", ""),
    width: 1500,
  });
  await settled(alone.page, ["tsne"]);
  assert.deepEqual(await titles(alone.page), ["t-SNE, from PCA"]);
  await alone.page.getByLabel("from PCA: parameters and facts").click();
  assert.equal(await saved(alone.page), after);
  assert.equal(await alone.page.getByLabel("start from").inputValue(), "0");
  assert.deepEqual([...said, ...alone.said], []);
});

test("a start that a method cannot have, or that has no place for each point, is named", {
  skip,
}, async () => {
  const { page } = await made.bench.open(made.html, {
    address: "#n=300&methods=pca~from%3Disomap",
    width: 1500,
  });
  await settled(page, ["pca"]);
  assert.match((await page.locator(".notice").textContent())!, /a start that PCA cannot have/);
  assert.deepEqual(await titles(page), ["PCA"]);
  const from: Chosen = { name: "isomap", set: { solver: "dense" } };
  const methods = [{ name: "tsne", set: {}, from }];
  const address = `#${encode({ ...usual("swiss-roll", 300, []), methods })}`;
  const half = await made.bench.open(made.html, { address, width: 1500 });
  await settled(half.page, ["tsne"]);
  const text = await half.page.locator("[data-method=tsne] .state").textContent();
  assert.match(
    text!,
    /The map to start from, of isomap, must have a place for each of the 300 points, but has 150/,
  );
});

test("the committed engine starts at a given map", { skip }, async () => {
  const { page, said } = await built.bench.open(built.html, {
    address: "#data=swiss-roll&n=200&methods=pca,smacof",
    width: 1500,
  });
  await settled(page, ["pca", "smacof"]);
  await page.getByLabel("SMACOF: parameters and facts").click();
  await page.locator("[data-method=smacof] .parameters").last().waitFor();
  await page.getByLabel("start from").selectOption({ label: "the map of PCA" });
  await page.locator("[data-method=smacof] .sentences").getByText("start").waitFor();
  assert.deepEqual(said, []);
});
