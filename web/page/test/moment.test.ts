/** One moment: what refers to rows of other data is dropped; undo, redo and the history of the browser. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import type { Shared } from "../src/engine/pool.js";
import type { Data } from "../src/protocol.js";
import { History } from "../src/state/history.js";
import { begun, isRow, picked, pointed, selected } from "../src/state/moment.js";
import { doubled, prepared, settled, skip } from "./browser.js";

const made = prepared(doubled);
const { bench } = made;

async function opened(address: string, methods: readonly string[]): Promise<{ page: Page; said: string[] }> {
  const found = await bench.open(made.html, { address });
  await settled(found.page, methods);
  return found;
}

function shared(name: string, n: number): Shared {
  return { name, owner: {}, data: { n } as Data, source: undefined };
}

test("rows of the same points stay in the next moment, rows of others do not", () => {
  const roll = shared("swiss-roll/1", 100);
  let moment = begun(undefined, roll, "row");
  assert.deepEqual([moment.hovered, moment.reached, moment.picked], [-1, -1, []]);
  moment = selected(picked(picked(pointed(moment, 99), 7), 8), [3, 4]);
  assert.deepEqual([moment.hovered, moment.reached, moment.picked], [99, 99, [7, 8]]);
  const noisy = begun(moment, shared("swiss-roll/2", 100), "row");
  assert.deepEqual([noisy.hovered, noisy.picked, noisy.selected], [99, [7, 8], new Set([3, 4])]);
  for (const other of [shared("swiss-roll/3", 50), shared("own:a/b/4", 100)]) {
    const next = begun(moment, other, "row");
    assert.deepEqual(
      [next.hovered, next.reached, next.picked, next.selected],
      [-1, -1, [], undefined],
      other.name,
    );
  }
  // The row that the keys reached stays where the pointer leaves.
  assert.deepEqual([pointed(moment, -1).hovered, pointed(moment, -1).reached], [-1, 99]);
  assert.deepEqual(picked(moment, 7).picked, [8]);
  assert.deepEqual(picked(moment, 9).picked, [9]);
  assert.deepEqual([selected(moment, []).picked, selected(moment, []).selected], [[], undefined]);
  assert.deepEqual(
    [-2, -1, 99, 100].map((row) => isRow(roll.data, row)),
    [false, true, true, false],
  );
});

test("a history goes back and forward, and discards what was undone when something else follows", () => {
  const history = new History();
  assert.deepEqual([history.can(-1), history.can(1), history.step(-1)], [false, false, undefined]);
  for (const state of ["a", "b", "b", "c"]) history.record(state);
  assert.equal(history.step(-1), "b");
  assert.equal(history.step(-1), "a");
  assert.equal(history.step(-1), undefined);
  assert.equal(history.step(1), "b");
  assert.deepEqual([history.can(-1), history.can(1)], [true, true]);
  history.amend("b, rotated");
  history.arrive("c");
  assert.deepEqual([history.present, history.can(1)], ["c", false]);
  history.arrive("b, rotated");
  history.record("d");
  assert.deepEqual([history.present, history.can(1), history.step(-1)], ["d", false, "b, rotated"]);
});

test("a row that fewer points lack is no longer shown", { skip }, async () => {
  const { page, said } = await opened("#n=300&methods=pca,isomap", ["pca", "isomap"]);
  await page.locator(".data .over").focus();
  await page.keyboard.press("p");
  await page.waitForFunction(() => document.querySelector(".point strong")?.textContent === "row 299");
  await page.getByLabel("n, number").fill("100");
  await page.getByLabel("n, number").press("Enter");
  await page.waitForFunction(() =>
    document.querySelector(".data .name")!.textContent.startsWith("swiss-roll: 100 points"),
  );
  // In the same moment as the title, and after all answers.
  assert.equal(await page.locator(".point strong").count(), 0);
  await settled(page, ["pca", "isomap"]);
  assert.equal(await page.locator(".point strong").count(), 0);
  await page.locator(".data .over").focus();
  await page.keyboard.press("p");
  await page.waitForFunction(() => document.querySelector(".point strong")?.textContent === "row 99");
  assert.match((await page.locator(".point").textContent())!, /10 neighbors/);
  assert.deepEqual(said, []);
});

test("while fewer points are fitted, a map keeps its own colors, and can be saved as SVG", {
  skip,
}, async () => {
  const { page, said } = await opened("#n=300&methods=tsne", ["tsne"]);
  await page.getByLabel("t-SNE: parameters and facts").click();
  await page.waitForSelector(".details .buttons button");
  // The film of t-SNE takes a while, in which the page shows the data of both moments.
  await page.getByLabel("n, number").fill("60");
  await page.getByLabel("n, number").press("Enter");
  for (let i = 0; i < 12; i++) {
    await page.evaluate(() =>
      document.querySelector<HTMLElement>('[title="save this picture as SVG"]')?.click(),
    );
    await page.waitForTimeout(30);
  }
  await settled(page, ["tsne"]);
  assert.deepEqual(said, []);
});

test("an iteration of a film has no scores, which are scores of the map; settings that open leave both", {
  skip,
}, async () => {
  const { page, said } = await opened("#n=300&methods=pca,tsne", ["pca", "tsne"]);
  const panel = page.locator('[data-method="tsne"]');
  const scores = () => panel.locator(".scores dd").allTextContents();
  await page.waitForFunction(() =>
    /0\.\d/.test(document.querySelector('[data-method="tsne"] .scores dd')?.textContent ?? ""),
  );
  const whole = await scores();
  await page.getByText("all scores").click();
  const inTable = () => page.locator(".all tbody tr").nth(1).locator("td").nth(1).textContent();
  const listed = await inTable();
  assert.match(listed ?? "", /^0\.\d+$/);
  const film = panel.locator(".film");
  await film.getByLabel("one frame back").click();
  assert.deepEqual(
    await scores(),
    whole.map(() => "…"),
  );
  await page.waitForFunction(
    (listed) =>
      document.querySelectorAll(".all tbody tr")[1]?.querySelectorAll("td")[1]?.textContent !== listed,
    listed,
  );
  const shown = await film.locator("output").textContent();
  // Nothing is fitted again, so the film stays where it is.
  await page.getByLabel("t-SNE: parameters and facts").click();
  await panel.locator(".details h2", { hasText: "Spectrum" }).waitFor();
  await page.waitForTimeout(500);
  assert.equal(await film.locator("output").textContent(), shown);
  await film.getByLabel("one frame on").click();
  assert.deepEqual(await scores(), whole);
  await page.waitForFunction(
    (listed) =>
      document.querySelectorAll(".all tbody tr")[1]?.querySelectorAll("td")[1]?.textContent === listed,
    listed,
  );
  assert.match((await panel.locator(".details").textContent())!, /Pale: eigenvalues/);
  assert.deepEqual(said, []);
});

test("undo and redo lead through data, methods and settings, as the browser's back and forward do", {
  skip,
}, async () => {
  const { page, said } = await opened("#n=300&methods=pca,isomap", ["pca", "isomap"]);
  const [undo, redo] = [page.getByLabel("undo: the settings"), page.getByLabel("redo: the change")];
  assert.deepEqual([await undo.isDisabled(), await redo.isDisabled()], [true, true]);
  const state = async (pattern: RegExp, panels: string[], data: string) => {
    await page.waitForFunction((source) => new RegExp(source).test(location.hash), pattern.source);
    await page.waitForFunction(
      (data) => document.querySelector(".data .name")!.textContent.startsWith(data),
      data,
    );
    await settled(page, panels);
    assert.deepEqual(
      await page.locator("main [data-method]").evaluateAll((all) => all.map((one) => one.dataset["method"])),
      panels,
    );
  };
  await page.getByLabel("k, number").first().fill("7");
  await page.getByLabel("k, number").first().press("Enter");
  await state(/k=7/, ["pca", "isomap"], "swiss-roll: 300");
  await page.setInputFiles("input[type=file]", {
    name: "own.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(Array.from({ length: 40 }, (_, i) => `${i % 7},${i},${(i * i) % 11}`).join("\n")),
  });
  await state(/own%3Aown\.csv/, ["pca", "isomap"], "own.csv: 40");
  await page.getByLabel("remove PCA").click();
  await state(/methods=isomap$/, ["isomap"], "own.csv: 40");
  await undo.click();
  await state(/own%3Aown.*methods=pca,isomap$/, ["pca", "isomap"], "own.csv: 40");
  await page.keyboard.press("Control+z");
  await state(/swiss-roll.*k=7/, ["pca", "isomap"], "swiss-roll: 300");
  await page.goBack();
  await state(/k=10/, ["pca", "isomap"], "swiss-roll: 300");
  assert.equal(await page.getByLabel("k, number").first().inputValue(), "10");
  assert.deepEqual([await undo.isDisabled(), await redo.isDisabled()], [true, false]);
  await redo.click();
  await state(/k=7/, ["pca", "isomap"], "swiss-roll: 300");
  await page.goForward();
  await state(/own%3Aown/, ["pca", "isomap"], "own.csv: 40");
  await page.keyboard.press("Control+y");
  await state(/methods=isomap$/, ["isomap"], "own.csv: 40");
  assert.equal(await redo.isDisabled(), true);
  // An address that is typed is a step, too; the file stays open.
  await page.evaluate(() => {
    location.hash = "#data=swiss-roll&n=100&k=5&methods=lle";
  });
  await state(/n=100&.*k=5/, ["lle"], "swiss-roll: 100");
  await undo.click();
  await state(/methods=isomap$/, ["isomap"], "own.csv: 40");
  assert.deepEqual(said, []);
});
