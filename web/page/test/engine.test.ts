/** The page as it is committed, with the engine as it is committed, in a browser. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { drawn, prepared, settled, skip } from "./browser.js";

const DEFAULT = [
  "pca",
  "isomap",
  "lle",
  "modified-lle",
  "hessian-lle",
  "ltsa",
  "laplacian-eigenmaps",
  "conformal-eigenmaps",
  "tsne",
  "umap",
];
const made = prepared(committed);
const { bench } = made;

function committed(): string {
  const root = join(dirname(fileURLToPath(import.meta.url)), "..");
  const engine = readFileSync(join(root, "../engine.wasm.xz")).toString("base64");
  return readFileSync(join(root, "dist/lab.html"), "utf8").replace(
    'id="engine">',
    () => `id="engine">${engine}`,
  );
}

/** A score that a panel shows. */
async function score(page: import("playwright-core").Page, method: string, name: string): Promise<number> {
  const entry = page
    .locator(`[data-method="${method}"] .scores div`)
    .filter({ has: page.locator("dt", { hasText: name }) })
    .last();
  await entry.waitFor({ state: "attached" });
  return Number(await entry.locator("dd").textContent());
}

test("the methods of the start run, and have the scores of the Swiss roll", { skip }, async () => {
  const { page, said } = await bench.open(made.html);
  await settled(page, DEFAULT);
  for (const method of DEFAULT)
    assert.ok((await drawn(page, `[data-method="${method}"] canvas`)) > 500, method);
  // LTSA finds the sheet up to an affine map, PCA does not.
  assert.ok((await score(page, "ltsa", "affine")) < 0.01, String(await score(page, "ltsa", "affine")));
  assert.ok((await score(page, "pca", "affine")) > 0.5);
  for (const last of ["tsne", "umap"]) await score(page, last, "affine");
  // The table puts the best value of a column first.
  await page.getByText("all scores").click();
  await page.getByLabel("sort by affine").click();
  const values = (await page.locator(".all tbody tr td:nth-child(6)").allTextContents()).map(Number);
  assert.equal(values.length, DEFAULT.length);
  values.forEach((value, i) => assert.ok(i === 0 || value >= values[i - 1]!, values.join()));
  assert.equal(await page.locator(".all tbody tr").first().locator("td:nth-child(6).best").count(), 1);
  assert.deepEqual(said, []);
});

test("a file has choices for the meaning of its columns; names and numbers are shown, and go with the table", {
  skip,
}, async () => {
  const { page, said } = await bench.open(made.html, { address: "#n=300&methods=pca" });
  await settled(page, ["pca"]);
  const rows = Array.from(
    { length: 30 },
    (_, i) => `${i},${i * i},place ${i},${i % 2 ? "x" : "y"},${i === 4 ? "" : 10 * i}`,
  );
  const buffer = Buffer.from(`a,b,place,kind,age\n${rows.join("\n")}`);
  await page.locator("input[type=file]").setInputFiles({ name: "own.csv", mimeType: "text/csv", buffer });
  await page.waitForSelector(".reading select");
  assert.equal(await page.getByLabel("role of place").inputValue(), "name");
  assert.equal(await page.getByLabel("role of kind").inputValue(), "class");
  // A gap among the coordinates is refused, which opens the table; a color may have gaps.
  await page.getByLabel("role of age").selectOption("color");
  await page.waitForFunction(() => /1 missing, gray/.test(document.body.textContent));
  const plot = (await page.locator(".panels canvas").first().boundingBox())!;
  let pointed: string | undefined;
  for (let x = 5; x < plot.width && pointed === undefined; x += 5) {
    for (let y = 5; y < plot.height && pointed === undefined; y += 5) {
      await page.mouse.move(plot.x + x, plot.y + y);
      pointed = await page.evaluate(
        () => /place \d+ · row \d+ · kind [xy]/.exec(document.body.textContent)?.[0],
      );
    }
  }
  const [, place, row, kind] = /place (\d+) · row (\d+) · kind ([xy])/.exec(pointed ?? "") ?? [];
  const canvas = ".panels canvas";
  const named = await drawn(page, canvas);
  await page.getByLabel("names", { exact: true }).uncheck();
  await page.waitForFunction(() => /names=0/.test(location.hash));
  assert.ok((await drawn(page, canvas)) < named, "names are drawn");
  assert.ok(
    place !== undefined && place === row && kind === (Number(row) % 2 ? "x" : "y"),
    (pointed ?? "")[0],
  );
  assert.deepEqual(said, []);
});

test("every method of the engine gives a map or a reason, and parameters come from their ranges", {
  skip,
}, async () => {
  const { page, said } = await bench.open(made.html, { address: "#n=150&methods=pca" });
  await page.getByLabel("add a method").selectOption("*");
  const methods = await page
    .locator("[data-method]")
    .evaluateAll((panels) => panels.map((panel) => (panel as HTMLElement).dataset["method"]!));
  assert.ok(methods.length > 15);
  await settled(page, methods);
  for (const method of methods) {
    const failed = await page
      .locator(`[data-method="${method}"]`)
      .evaluate((panel) => panel.classList.contains("failed"));
    // The roll has no classes; everything else applies.
    assert.equal(failed, method === "lda", method);
  }
  await page.getByLabel("Isomap: parameters and facts", { exact: true }).click();
  await page.getByLabel("k, number").nth(1).fill("500");
  await page.getByLabel("k, number").nth(1).press("Enter");
  await page.waitForFunction(() => decodeURIComponent(location.hash).includes("isomap~k=149"));
  // The shared k removes the setting; the default does not, where it is not the shared one.
  await page.getByLabel("k, number").first().fill("12");
  await page.getByLabel("k, number").first().press("Enter");
  for (const [k, expected] of [
    ["10", "isomap~k=10"],
    ["12", "isomap,"],
  ] as const) {
    await page.getByLabel("k, number").nth(1).fill(k);
    await page.getByLabel("k, number").nth(1).press("Enter");
    await page.waitForFunction((text) => decodeURIComponent(location.hash).includes(text), expected);
  }
  assert.deepEqual(said, []);
});

test("a file with classes is read by the library's reader, its only column of words as classes", {
  skip,
}, async () => {
  const { page, said } = await bench.open(made.html, { address: "#n=200&methods=pca,lda" });
  const rows = Array.from(
    { length: 90 },
    (_, i) => `${Math.sin(i) + (i % 3)},${Math.cos(i)},${(i % 7) / 7},${["plain", "twin", "<b>"][i % 3]}`,
  );
  const buffer = Buffer.from(["a,b,c,kind", ...rows].join("\n"));
  await page.locator("input[type=file]").setInputFiles({ name: "flowers.csv", mimeType: "text/csv", buffer });
  await page.waitForFunction(() =>
    document.querySelector(".data .name")!.textContent.startsWith("flowers.csv: 90 points, 3 columns"),
  );
  assert.equal(await page.locator(".alert:not([hidden])").count(), 0);
  await settled(page, ["pca", "lda"]);
  assert.deepEqual(await page.locator(".legend li").allTextContents(), ["plain", "twin", "<b>"]);
  await page.locator(".legend button").first().click();
  assert.equal(await page.locator(".legend button").first().getAttribute("aria-pressed"), "false");
  assert.deepEqual(said, []);
});

test("a map is drawn though the fit of the data before it came after its colors", { skip }, async () => {
  const methods = ["isomap", "lle"];
  const { page, said } = await bench.open(made.html, { address: "#n=300&methods=isomap,lle" });
  await settled(page, methods);
  const go = (values: string) =>
    page.evaluate((values) => (location.hash = `#${values}&methods=isomap,lle`), values);
  for (let wait = 0; wait <= 250; wait += 50) {
    // The first data are left while their maps are fitted.
    await go(`n=1200&noise=${wait / 1000}`);
    await page.waitForTimeout(wait);
    const n = 301 + wait;
    await go(`n=${n}`);
    await page.waitForFunction(
      (title) => document.querySelector(".data .name")?.textContent.startsWith(title),
      `swiss-roll: ${n} points`,
    );
    await settled(page, methods);
    await page.waitForTimeout(400);
    for (const method of methods)
      assert.ok((await drawn(page, `[data-method="${method}"] canvas`)) > 300, `${method} after ${wait} ms`);
  }
  assert.deepEqual(said, []);
});

test("a disconnected graph is refused, and embedded after the policy is chosen in its panel", {
  skip,
}, async () => {
  const { page, said } = await bench.open(made.html, {
    address: "#data=two-swiss-rolls&n=300&k=8&methods=lle,pca",
  });
  await page.waitForSelector('[data-method="lle"].failed');
  await page.locator('[data-method="lle"] .state button').filter({ hasText: "largest" }).click();
  await page.waitForFunction(
    () => !document.querySelector('[data-method="lle"]')!.classList.contains("failed"),
  );
  await settled(page, ["lle"]);
  assert.ok((await drawn(page, '[data-method="lle"] canvas')) > 300);
  assert.deepEqual(said, []);
});

test("a sweep over k has a map and a score for every k", { skip }, async () => {
  const { page, said } = await bench.open(made.html, { address: "#n=120&k=13&methods=pca,ltsa" });
  await settled(page, ["pca", "ltsa"]);
  await page.getByText("sweep k").click();
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll(".sweep td")].length > 5 &&
      [...document.querySelectorAll(".sweep td span")].every((cell) => cell.textContent !== "…"),
  );
  assert.equal(await page.locator(".sweep td.best").count(), 1);
  assert.equal(await page.getByLabel("LTSA, k = 13").count(), 1, "the k of the settings");
  await page.getByLabel("LTSA, k = 15").click();
  await page.waitForFunction(() => location.hash.includes("k=15"));
  assert.deepEqual(said, []);
});

test("places of maps are decoded: by the pseudo-inverse of PCA, by near points of others, and spectra go on", {
  skip,
}, async () => {
  const { page, said } = await bench.open(made.html, {
    address: "#data=fruits&n=120&methods=pca,ltsa,isomap&decode=auto",
  });
  await settled(page, ["pca", "ltsa", "isomap"]);
  for (const [method, how] of [
    ["pca", "pseudo-inverse"],
    ["isomap", "weights of near points"],
  ] as const) {
    const over = page.locator(`[data-method="${method}"] .over`);
    await over.scrollIntoViewIfNeeded();
    const box = (await over.boundingBox())!;
    const decoded = page.locator(`[data-method="${method}"] .decoded`);
    await page.mouse.move(box.x + 0.45 * box.width, box.y + 0.5 * box.height, { steps: 2 });
    await decoded.locator("canvas").first().waitFor();
    assert.match((await decoded.textContent())!, new RegExp(`decoded: ${how}.*nearest: row \\d+`));
    assert.equal(await decoded.locator("canvas").count(), 2);
  }
  await page.getByLabel("LTSA: parameters and facts", { exact: true }).click();
  await page.waitForFunction(
    () => document.querySelectorAll('[data-method="ltsa"] .chart rect.rest').length === 8,
  );
  assert.equal(await page.locator('[data-method="ltsa"] .chart rect.used').count(), 2);
  assert.deepEqual(said, []);
});
