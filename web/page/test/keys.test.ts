/** Keys in pictures: they lead from point to point by direction, by row and by class. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { ahead } from "../src/math/hit.js";
import { doubled, prepared, settled, skip } from "./browser.js";

const made = prepared(doubled);

/** Points on a grid of 10 × 10, four apart in x and three in y, of three classes by row number. */
const SIDE = 10;
const POINTS = Array.from({ length: SIDE * SIDE }, (_, row) => [
  4 * (row % SIDE),
  3 * Math.floor(row / SIDE),
]);
const CLASSES = Uint32Array.from(POINTS, (_, row) => [0, 1, 3][row % 3]!);
const packed = (values: number[]) => ({ u8: gzipSync(Uint8Array.from(values)).toString("base64") });

async function opened(): Promise<{ page: Page; said: string[] }> {
  const own = {
    name: "grid",
    file: "grid.csv",
    columns: 2,
    column_names: [],
    points: packed(POINTS.flat()),
    truth: null,
    truth_columns: 0,
    truth_names: [],
    geometry: "unknown",
    labels: [
      {
        name: "kind",
        classes: ["red", "green", "none", "blue"],
        values: { u32: gzipSync(new Uint8Array(CLASSES.buffer)).toString("base64") },
      },
    ],
    quantities: [],
    row_names: null,
    images: null,
    pixels: null,
    notes: "",
  };
  const carried = made.html.replace(
    'id="data">',
    `id="data">${JSON.stringify({ start: {}, datasets: [own] })}`,
  );
  const address = "#data=own%3Agrid&n=100&k=4&methods=pca,isomap";
  const found = await made.bench.open(carried, { address });
  await settled(found.page, ["pca", "isomap"]);
  return found;
}

test("the nearest point ahead lies within 45° of the direction and inside the picture", () => {
  const pixels = Float32Array.from([50, 50, 0, 56, 58, 0, 70, 60, 0, 52, 40, 0, 110, 50, 0, 50, 50, 0]);
  const of = (direction: [number, number], hidden?: Uint8Array) =>
    ahead(pixels, 6, 0, direction, [100, 100], hidden);
  // The nearest point to the right is 53° below: the next one is taken.
  assert.deepEqual([of([1, 0]), of([-1, 0]), of([0, 1]), of([0, -1])], [2, -1, 1, 3]);
  assert.equal(of([0, 1], Uint8Array.of(0, 1, 0, 0, 0, 0)), -1);
});

const line = (page: Page) => page.locator(".point strong").textContent();

test("arrows move to the nearest point in their direction, in the data and in maps", { skip }, async () => {
  const { page, said } = await opened();
  const press = async (key: string) => {
    await page.keyboard.press(key);
    await page.waitForTimeout(60);
    const [, row, kind] = /^row (\d+) · kind (\w+)$/.exec((await line(page)) ?? "") ?? [];
    assert.equal(kind, ["red", "green", "blue"][Number(row) % 3]);
    return Number(row);
  };
  await page.getByLabel("the data").focus();
  const hint = page.locator(".hint");
  assert.match((await hint.textContent())!, /arrows go to the nearest point.*Shift and c to the next class/);
  const middle = await press("ArrowRight");
  assert.equal(await hint.isVisible(), false);
  assert.deepEqual(
    [await press("ArrowRight"), await press("ArrowLeft"), await press("ArrowUp"), await press("ArrowDown")],
    [middle + 1, middle, middle + SIDE, middle],
  );
  // At the edge the row stays, which is reported to readers of screens.
  for (let i = 0; i < SIDE; i++) await press("ArrowRight");
  assert.equal((await press("ArrowRight")) % SIDE, SIDE - 1);
  assert.equal(await page.locator(".data .told").textContent(), "no point to the right");
  await press("ArrowLeft");
  assert.equal(await page.locator(".data .told").textContent(), "");
  for (const method of ["pca", "isomap"]) {
    await page.locator(`[data-method=${method}] .over`).focus();
    await page.keyboard.press("n");
    for (let i = 0; i < SIDE / 2; i++) await page.keyboard.press("n");
    const before = await press("n");
    const there = await press("ArrowLeft");
    assert.notEqual(there, before);
    assert.equal(await press("ArrowRight"), before);
    // With Shift the picture moves instead.
    const picture = () => page.locator(`[data-method=${method}] .plot`).screenshot();
    const still = await picture();
    assert.equal(await press("Shift+ArrowRight"), before);
    assert.ok(!still.equals(await picture()));
  }
  assert.deepEqual(said, []);
});

test("a key leads to the next point of the class, and to the next class that has points", {
  skip,
}, async () => {
  const { page, said } = await opened();
  await page.locator("[data-method=pca] .over").focus();
  const press = async (key: string) => {
    await page.keyboard.press(key);
    await page.waitForTimeout(60);
    return line(page);
  };
  assert.equal(await press("n"), "row 0 · kind red");
  assert.equal(await press("c"), "row 3 · kind red");
  assert.equal(await press("Shift+C"), "row 1 · kind green");
  assert.equal(await press("c"), "row 4 · kind green");
  assert.equal(await press("Shift+C"), "row 2 · kind blue");
  assert.equal(await press("Shift+C"), "row 0 · kind red");
  const roll = await made.bench.open(made.html, { address: "#n=60&methods=pca" });
  await settled(roll.page, ["pca"]);
  await roll.page.locator("[data-method=pca] .over").focus();
  await roll.page.keyboard.press("c");
  assert.equal(
    await roll.page.locator("[data-method=pca] .told").textContent(),
    "these data have no classes",
  );
  assert.deepEqual([...said, ...roll.said], []);
});
