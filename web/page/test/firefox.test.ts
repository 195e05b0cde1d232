/** The page in Firefox: every address of the lecture shows its maps, k moves them, and pictures are drawn. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Page } from "puppeteer-core";
import { engined, root } from "./browser.js";
import { absurd, Driven, type Shown, settled, skipped } from "./driven.js";

const skip = skipped("Firefox");

const lecture = readFileSync(join(root, "../../docs/lecture.md"), "utf8");
const ADDRESSES = [...lecture.matchAll(/^lab\.html(#\S+)$/gm)].map(([, address]) => address!);

let driven: Driven | undefined;
let html = "";
before(async () => {
  if (skip) return;
  [driven, html] = await Promise.all([Driven.open("Firefox"), engined()]);
});
after(() => driven?.close());

/** Each panel's method, whether it was refused, and the number of pixels that its map covers. */
function maps(page: Page): Promise<{ method: string; failed: boolean; pixels: number }[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>(".panels .panel")].map((panel) => {
      const { width, height } = panel.querySelector("canvas")!;
      // A copy is read, because Firefox moves a canvas that is read to other memory.
      const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true })!;
      copy.drawImage(panel.querySelector("canvas")!, 0, 0);
      const { data } = copy.getImageData(0, 0, width, height);
      return {
        method: panel.dataset["method"]!,
        failed: panel.classList.contains("failed"),
        pixels: data.filter((value, i) => i % 4 === 3 && value > 0).length,
      };
    }),
  );
}

/** The maps, after those that are not refused are drawn: a frame after the fit. */
async function drawn(page: Page): ReturnType<typeof maps> {
  for (const end = Date.now() + 20_000; ; await new Promise((next) => setTimeout(next, 50))) {
    const shown = await maps(page);
    if (Date.now() > end || shown.every(({ failed, pixels }) => failed || pixels > 300)) return shown;
  }
}

/** Goes to an address as a reader does who types it. */
async function go(page: Page, address: string): Promise<void> {
  await page.evaluate((address: string) => {
    location.hash = address;
  }, address);
}

/** Waits until the data and all maps of an address are shown. */
async function arrived(page: Page, address: string): Promise<void> {
  const values = new URLSearchParams(address.slice(1));
  const methods = values
    .get("methods")!
    .split(",")
    .map((one) => one.split("~")[0]!);
  await page.waitForFunction(
    (title: string, methods: string[]) =>
      document.querySelector(".data .name")?.textContent.startsWith(title) &&
      methods.join() ===
        [...document.querySelectorAll<HTMLElement>(".panels .panel")]
          .map(({ dataset }) => dataset["method"])
          .join(),
    { timeout: 60_000 },
    `${values.get("data")}: ${values.get("n")} points`,
    methods,
  );
  await settled(page);
}

test("every address of the lecture shows its data and a map by every method in Firefox", {
  skip,
  timeout: 600_000,
}, async () => {
  assert.equal(ADDRESSES.length, 17);
  const { page, said } = await driven!.show(html, ADDRESSES[0]);
  for (const address of ADDRESSES) {
    await go(page, address);
    await arrived(page, address);
    assert.equal(await absurd(page), undefined, address);
    const shown = await drawn(page);
    for (const { method, failed, pixels } of shown)
      assert.ok(
        failed || pixels > 300,
        `${address}: ${method} covers ${pixels} pixels, with messages ${said.join()}`,
      );
    // Only two separate pieces are refused, by methods that need one.
    const refused = shown.filter(({ failed }) => failed).length;
    assert.equal(refused, address.includes("two-swiss-rolls") && !address.includes("~") ? 2 : 0, address);
    assert.deepEqual(said, [], address);
  }
  await page.close();
});

test("k moves the maps, the row at the pointer is shown, and a file opens in Firefox", {
  skip,
  timeout: 120_000,
}, async () => {
  const { page, said }: Shown = await driven!.show(html, "#n=300&k=10&methods=isomap,lle");
  await settled(page, true);
  const picture = () => page.$eval('[data-method="isomap"] canvas', (canvas) => canvas.toDataURL());
  const before = await picture();
  await page.$eval('input[type=range][aria-label="k"]', (element) => {
    element.stepUp(200);
    element.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await page.waitForFunction(() => /[#&]k=(?!10\b)/.test(location.hash));
  await settled(page, true);
  assert.notEqual(await picture(), before);
  const map = (await page.$('[data-method="isomap"] .over'))!;
  const box = (await map.boundingBox())!;
  let row: string | undefined;
  for (let y = 5; y < box.height && row === undefined; y += 6) {
    for (let x = 5; x < box.width && row === undefined; x += 12) {
      await page.mouse.move(box.x + x, box.y + y);
      row = await page.evaluate(
        () => document.querySelector(".data .point")?.textContent.match(/row \d+/)?.[0],
      );
    }
  }
  assert.match(row ?? "", /^row \d+/);
  const input = (await page.$("input[type=file]"))!;
  const lines = Array.from({ length: 60 }, (_, i) => `${Math.sin(i)},${Math.cos(i)},${i}`);
  await input.uploadFile(driven!.file("three.csv", ["x,y,z", ...lines].join("\n")));
  await page.waitForFunction(() =>
    document.querySelector(".data .name")?.textContent.startsWith("three.csv: 60 points"),
  );
  await settled(page, true);
  assert.equal(await absurd(page), undefined);
  assert.deepEqual(said, []);
  await page.close();
});
