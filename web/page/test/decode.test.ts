/** Places of maps decoded to data, and the further eigenvalues, with the tests' double instead of the engine. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { doubled, drawn, prepared, settled, skip } from "./browser.js";

const made = prepared(doubled);
const { bench } = made;

/** A page with 40 pictures of 2 × 2 pixels or larger, which are the points, or the first of them two other columns. */
function withPictures(beside = false, side = 2): string {
  const bytes = (length: number) => ({
    u8: gzipSync(Uint8Array.from({ length }, (_, i) => (i * 37) % 256)).toString("base64"),
  });
  const own = {
    name: "tiny",
    file: null,
    columns: beside ? 2 : side * side,
    column_names: [],
    points: bytes(40 * (beside ? 2 : side * side)),
    truth: null,
    truth_columns: 0,
    truth_names: [],
    geometry: "unknown",
    labels: [],
    quantities: [],
    row_names: null,
    images: { height: side, width: side, channels: 1, white: 255 },
    pixels: beside ? bytes(160) : null,
    notes: "",
  };
  return made.html.replace(
    'id="data">',
    () => `id="data">${JSON.stringify({ start: { data: "tiny" }, datasets: [own] })}`,
  );
}

test("the place under the pointer is decoded to a picture next to it, with the nearest one", {
  skip,
}, async () => {
  const { page, said } = await bench.open(withPictures(), { address: "#data=tiny&methods=pca,isomap" });
  await settled(page, ["pca", "isomap"]);
  const box = (await page.locator('[data-method="pca"] .over').boundingBox())!;
  const decoded = page.locator('[data-method="pca"] .decoded');
  await page.mouse.move(box.x + 0.3 * box.width, box.y + 0.4 * box.height);
  assert.ok(await decoded.isHidden(), "it is off at first");
  await page.getByLabel("decode", { exact: true }).selectOption("auto");
  await page.mouse.move(box.x + 0.3 * box.width, box.y + 0.45 * box.height);
  await decoded.waitFor();
  assert.match((await decoded.textContent())!, /decoded: pseudo-inverse.*nearest: row \d+/);
  const pixel = () =>
    decoded
      .locator("canvas")
      .first()
      .evaluate((canvas) => [
        ...(canvas as HTMLCanvasElement).getContext("2d")!.getImageData(0, 0, 1, 2).data,
      ]);
  const first = await pixel();
  // The double decodes a place to itself in the first two pixels and to 7 in the others: below the first is the third.
  assert.equal(first[4], 7);
  await page.mouse.move(box.x + 0.7 * box.width, box.y + 0.45 * box.height);
  await page.waitForFunction((before) => {
    const canvas = document.querySelector<HTMLCanvasElement>('[data-method="pca"] .decoded canvas')!;
    return canvas.getContext("2d")!.getImageData(0, 0, 1, 1).data[0] !== before;
  }, first[0]);
  // The choice is in the address.
  await page.waitForFunction(() => location.hash.includes("decode=auto"));
  await page.mouse.move(box.x - 20, box.y + 20);
  assert.ok(await decoded.isHidden());
  assert.deepEqual(said, []);
});

test("pictures that are not the points are shown next to their rows, of a sample, too", {
  skip,
}, async () => {
  for (const n of [40, 25]) {
    const { page, said } = await bench.open(withPictures(true), {
      address: `#data=tiny&n=${n}&methods=pca&decode=auto`,
    });
    await settled(page, ["pca"]);
    const box = (await page.locator('[data-method="pca"] .over').boundingBox())!;
    const decoded = page.locator('[data-method="pca"] .decoded');
    await page.mouse.move(box.x + 0.3 * box.width, box.y + 0.45 * box.height);
    await decoded.waitFor();
    assert.match((await decoded.textContent())!, /^nearest: row \d+$/, "two columns are no picture");
    const row = Number(/\d+/.exec((await decoded.textContent())!)![0]);
    const first = await decoded
      .locator("canvas")
      .evaluate((canvas) => (canvas as HTMLCanvasElement).getContext("2d")!.getImageData(0, 0, 1, 1).data[0]);
    assert.equal(first, (4 * row * 37) % 256);
    assert.deepEqual(said, []);
  }
});

test("of a film the last frame is decoded, which is the map, and no other", { skip }, async () => {
  const { page, said } = await bench.open(withPictures(), { address: "#data=tiny&methods=tsne&decode=auto" });
  await settled(page, ["tsne"]);
  await page.waitForTimeout(400);
  const panel = page.locator('[data-method="tsne"]');
  const point = async () => {
    const box = (await panel.locator(".over").boundingBox())!;
    await page.mouse.move(box.x + 0.3 * box.width, box.y + 0.4 * box.height);
    await page.mouse.move(box.x + 0.3 * box.width, box.y + 0.45 * box.height);
  };
  await panel.getByLabel("one frame back").click();
  await point();
  await page.waitForTimeout(200);
  assert.ok(await panel.locator(".decoded").isHidden());
  await panel.getByLabel("one frame on").click();
  await point();
  await panel.locator(".decoded").waitFor({ timeout: 5000 });
  assert.deepEqual(said, []);
});

test("a decoded picture does not outlive its map", { skip }, async () => {
  const { page, said } = await bench.open(withPictures(), {
    address: "#data=tiny&methods=isomap&decode=auto",
  });
  await settled(page, ["isomap"]);
  const box = (await page.locator('[data-method="isomap"] .over').boundingBox())!;
  const decoded = page.locator('[data-method="isomap"] .decoded');
  await page.mouse.move(box.x + 0.3 * box.width, box.y + 0.45 * box.height);
  await decoded.waitFor();
  // A key fits again while the pointer stays where it is.
  await page
    .getByLabel("k, number")
    .first()
    .evaluate((input) => {
      (input as HTMLInputElement).value = "9";
      input.dispatchEvent(new Event("change", { bubbles: true }));
    });
  await page.waitForFunction(
    () => document.querySelector<HTMLElement>('[data-method="isomap"] .decoded')!.hidden,
  );
  assert.deepEqual(said, []);
});

test("in data of three columns the decoded point is shown", { skip }, async () => {
  const { page, said } = await bench.open(made.html, { address: "#n=300&methods=pca&decode=kernel_ridge" });
  await settled(page, ["pca"]);
  const cross = () => drawn(page, ".data .over");
  assert.equal(await page.getByLabel("decode", { exact: true }).inputValue(), "kernel_ridge");
  const box = (await page.locator('[data-method="pca"] .over').boundingBox())!;
  // A corner, where no point is marked.
  await page.mouse.move(box.x + 14, box.y + 14);
  await page.waitForFunction(() => {
    const canvas = document.querySelector<HTMLCanvasElement>(".data .over")!;
    return canvas
      .getContext("2d")!
      .getImageData(0, 0, canvas.width, canvas.height)
      .data.some((value) => value > 0);
  });
  assert.ok(await page.locator('[data-method="pca"] .decoded').isHidden(), "there is no picture");
  await page.mouse.move(box.x - 30, box.y - 30);
  await page.waitForTimeout(200);
  assert.equal(await cross(), 0);
  assert.deepEqual(said, []);
});

test("an opened panel shows eigenvalues that the map does not use, paler", { skip }, async () => {
  const { page, said } = await bench.open(made.html, { address: "#n=300&methods=isomap" });
  await settled(page, ["isomap"]);
  await page.getByLabel("Isomap: parameters and facts").click();
  const bars = (kind: string) => page.locator(`[data-method="isomap"] .chart rect.${kind}`).count();
  await page.waitForFunction(
    () => document.querySelectorAll('[data-method="isomap"] .chart rect.rest').length === 1,
  );
  assert.equal(await bars("used"), 2);
  assert.match(
    (await page.locator('[data-method="isomap"] .details').textContent())!,
    /Pale: eigenvalues that the map does not use/,
  );
  assert.deepEqual(said, []);
});

test("an enlarged map that showed pictures keeps none of them when other data are chosen", {
  skip,
}, async () => {
  const side = 200;
  const { page, said } = await bench.open(withPictures(false, side), {
    address: "#data=tiny&methods=pca,isomap",
  });
  await settled(page, ["pca", "isomap"]);
  await page.getByLabel("PCA: larger").click();
  await page.waitForTimeout(300);
  await page.getByLabel("data set").selectOption("swiss-roll");
  await page.waitForFunction(() => document.querySelector(".data .name")!.textContent.startsWith("swiss"));
  await settled(page, ["pca", "isomap"]);
  const client = await page.context().newCDPSession(page);
  // Twice: what the first run finalizes is collected by the second.
  for (let i = 0; i < 2; i++) await client.send("HeapProfiler.collectGarbage");
  const { backingStorageSize } = (await client.send("Runtime.getHeapUsage")) as {
    backingStorageSize: number;
  };
  // The page keeps the data once, so that they can be chosen again.
  const bytes = 8 * 40 * side * side;
  assert.ok(backingStorageSize < 1.5 * bytes, `${backingStorageSize} bytes, of the data ${bytes}`);
  assert.deepEqual(said, []);
});
