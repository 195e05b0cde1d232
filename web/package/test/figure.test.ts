/** The element in pages. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { Bench, skip } from "../../page/test/browser.js";
import { installed } from "./installed.js";

const package_ = installed();
const bench = new Bench();
after(() => bench.close());

/** A page with the script of the package, next to it in the same folder. */
function page(body: string): string {
  for (const name of ["figure.global.js", "engine.js"])
    bench.file(name, readFileSync(join(package_.folder, "node_modules/swissroll", name), "utf8"));
  return `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>figures</title>
    <script>
      compiled = 0;
      for (const name of ["compile", "compileStreaming"]) {
        const original = WebAssembly[name];
        WebAssembly[name] = (...given) => { compiled += 1; return original.apply(WebAssembly, given); };
      }
      discarded = [];
      const post = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function (message, ...others) {
        if (message.type === "drop") discarded.push(...message.data);
        return post.call(this, message, ...others);
      };
    </script>
    <script src="figure.global.js" defer></script><body style="margin: 0">${body}</body></html>`;
}

/** A map as `figure.maps` lists it. */
interface Shown {
  method: string;
  title: string;
  scores: Record<string, number>;
}

const FIGURE = `<swissroll-figure data="swiss-roll" n="300" k="10" methods="isomap,lle" controls="k"><p>a still picture</p></swissroll-figure>`;

/** Waits until all figures, or a number of them, show their maps. */
async function drawn(page: Page, figures: number): Promise<void> {
  await page.waitForFunction(
    (count) => {
      const panels = [...document.querySelectorAll("swissroll-figure[started]")].map((figure) => [
        ...figure.shadowRoot!.querySelectorAll(".panels .panel"),
      ]);
      const done = (panel: Element) =>
        !panel.classList.contains("busy") && panel.querySelector(".time")!.textContent !== "";
      return panels.length === count && panels.every((list) => list.length > 0 && list.every(done));
    },
    figures,
    { timeout: 60_000 },
  );
  // The maps have stopped moving, and have their scores.
  await page.waitForTimeout(700);
}

/** A number that changes with the picture of a map. */
function picture(page: Page, method: string, figure = 0): Promise<number> {
  return page
    .locator("swissroll-figure")
    .nth(figure)
    .locator(`[data-method="${method}"] canvas`)
    .first()
    .evaluate((element) => {
      const canvas = element as HTMLCanvasElement;
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
      return data.reduce((sum, value, i) => (sum * 31 + value * (i + 1)) % 1_000_000_007, 7);
    });
}

/** Waits until the picture of a map is another one, and returns it. */
async function changed(page: Page, method: string, before: number): Promise<number> {
  for (let tries = 0; tries < 300; tries++) {
    const now = await picture(page, method);
    if (now !== before) return now;
    await page.waitForTimeout(100);
  }
  assert.fail(`the map of ${method} does not change`);
}

const clean = (said: string[]) => assert.deepEqual(said, []);

test("a figure draws its data and maps, and its slider changes the map", { skip }, async () => {
  const { page: shown, said } = await bench.open(page(FIGURE));
  await drawn(shown, 1);
  const figure = shown.locator("swissroll-figure");
  assert.equal(await figure.locator(".slider:visible").count(), 1);
  assert.equal(await shown.getByText("a still picture").isVisible(), false);
  const maps = await figure.evaluate((element) => (element as unknown as { maps: Shown[] }).maps);
  assert.deepEqual(
    maps.map(({ method, title }) => [method, title]),
    [
      ["isomap", "Isomap"],
      ["lle", "LLE"],
    ],
  );
  await shown.waitForFunction(() =>
    (document.querySelector("swissroll-figure") as unknown as { maps: Shown[] }).maps.every(
      ({ scores }) => scores["trustworthiness"]! > 0.5 && scores["affine"]! < 1,
    ),
  );
  const before = await picture(shown, "isomap");
  await figure.getByLabel("k", { exact: true }).focus();
  await shown.keyboard.press("ArrowRight");
  await changed(shown, "isomap", before);
  // An attribute and a message do what the slider does.
  const settings = () => figure.evaluate((element) => (element as unknown as { settings: string }).settings);
  await figure.evaluate((element) => element.setAttribute("k", "10"));
  await drawn(shown, 1);
  assert.match(await settings(), /&k=10&/);
  assert.equal(await figure.getByLabel("k, number").inputValue(), "10");
  await shown.evaluate(() => postMessage({ k: 25 }, "*"));
  await shown.waitForTimeout(200);
  await drawn(shown, 1);
  assert.equal(await figure.getByLabel("k, number").inputValue(), "25");
  await changed(shown, "isomap", before);
  // Messages of others are none of the figure.
  await shown.evaluate(() => postMessage({ k: 3, type: "other" }, "*"));
  await shown.evaluate(() => postMessage("k", "*"));
  await shown.evaluate(() => postMessage({ methods: "ltsa", n: 200 }, "*"));
  await shown.waitForFunction(() =>
    document.querySelector("swissroll-figure")!.shadowRoot!.querySelector('[data-method="ltsa"]'),
  );
  await drawn(shown, 1);
  assert.match(await settings(), /n=200&.*k=25&.*methods=ltsa/);
  clean(said);
});

test("figures start when they come into sight, share one engine, and keep their own data", {
  skip,
}, async () => {
  const other = FIGURE.replace('n="300"', 'n="200" seed="4"').replace("isomap,lle", "pca~dim=2,ltsa");
  const far = '<div style="height: 3000px"></div>';
  const { page: shown, said } = await bench.open(page(`${FIGURE}${far}${other}`), { workers: 3 });
  await drawn(shown, 1);
  assert.equal(await shown.locator("swissroll-figure[started]").count(), 1);
  const first = await picture(shown, "isomap");
  await shown.locator("swissroll-figure").nth(1).scrollIntoViewIfNeeded();
  await drawn(shown, 2);
  // One of three cores is left to the page: two workers for fits and one for questions, of one compiled module.
  assert.equal(await shown.evaluate("compiled"), 1);
  assert.equal(shown.workers().length, 3);
  await shown.evaluate(() => document.querySelectorAll("swissroll-figure")[1]!.setAttribute("k", "14"));
  await drawn(shown, 2);
  assert.equal(await picture(shown, "isomap"), first);
  const titles = await shown.locator("swissroll-figure .data .name").allTextContents();
  assert.deepEqual(
    titles.map((title) => title.match(/\d+ points/)?.[0]),
    ["300 points", "200 points"],
  );
  // Neither discards data of the other, until it is removed.
  assert.deepEqual(await shown.evaluate("discarded"), []);
  await shown.evaluate(() => document.querySelectorAll("swissroll-figure")[0]!.remove());
  const discarded = await shown.evaluate<string[]>("discarded");
  assert.deepEqual([...new Set(discarded)], ["swiss-roll/1"]);
  await shown.evaluate(() => document.querySelector("swissroll-figure")!.setAttribute("k", "9"));
  await drawn(shown, 1);
  clean(said);
});

test("controls are none, the named ones or all", { skip }, async () => {
  const { page: shown, said } = await bench.open(page(FIGURE.replace(' controls="k"', "")));
  await drawn(shown, 1);
  const figure = shown.locator("swissroll-figure");
  assert.equal(await figure.locator(".slider:visible, select:visible").count(), 0);
  const set = (controls: string) =>
    figure.evaluate((element, text) => element.setAttribute("controls", text), controls);
  await set("k,noise,reg");
  await figure.locator(".extra .slider").waitFor();
  await drawn(shown, 1);
  const names = await figure.locator(".slider:visible > span").allTextContents();
  assert.deepEqual(names, ["k", "noise", "reg"]);
  const before = await picture(shown, "lle");
  const isomap = await picture(shown, "isomap");
  await figure.getByLabel("reg, number").fill("1");
  await figure.getByLabel("reg, number").press("Enter");
  await changed(shown, "lle", before);
  assert.equal(await picture(shown, "isomap"), isomap);
  await set("full");
  await figure.getByText("sweep k").waitFor();
  await drawn(shown, 1);
  assert.equal(await figure.getByLabel("data set").isVisible(), true);
  clean(said);
});

test("predict hides the scores until it is removed; results come when all maps are measured", {
  skip,
}, async () => {
  const { page: shown, said } = await bench.open(page(FIGURE.replace("<swissroll-figure", "$& predict")));
  interface Results {
    maps: { title: string; scores: Map<string, number>; placed?: number }[];
    true_shortcuts: number | null;
  }
  const results = () =>
    shown.evaluate(() => {
      const figure = document.querySelector("swissroll-figure") as unknown as { results?: Results };
      const found = figure.results;
      return found && { wrong: found.true_shortcuts, placed: found.maps.map(({ placed }) => placed) };
    });
  const visible = () => shown.locator(".scores").locator("visible=true").count();
  await drawn(shown, 1);
  await shown.waitForFunction(
    () => (document.querySelector("swissroll-figure") as unknown as { results?: Results }).results,
  );
  const found = await results();
  assert.deepEqual(found?.placed, [300, 300]);
  assert.ok(found.wrong! > 0);
  assert.equal(await visible(), 0);
  const figure = shown.locator("swissroll-figure");
  await figure.evaluate((element) => element.removeAttribute("predict"));
  assert.equal(await visible(), 2);
  // New maps are not measured yet.
  const changing = await figure.evaluate((element) => {
    element.setAttribute("k", "8");
    return (element as unknown as { results?: Results }).results;
  });
  assert.equal(changing, undefined);
  clean(said);
});

test("a click leaves the arrow keys to a deck of slides; a figure reached by Tab keeps them", {
  skip,
}, async () => {
  const deck = `<div class="reveal">${FIGURE}</div><script>
    keys = [];
    document.addEventListener("keydown", ({ key, defaultPrevented }) => keys.push(key + (defaultPrevented ? " used" : "")));
  </script>`;
  const { page: shown, said } = await bench.open(page(deck));
  await drawn(shown, 1);
  const figure = shown.locator("swissroll-figure");
  const before = await picture(shown, "isomap");
  await figure.locator('[data-method="isomap"] .over').click({ position: { x: 8, y: 8 } });
  await shown.keyboard.press("ArrowRight");
  assert.equal(await picture(shown, "isomap"), before);
  await figure.getByLabel("k", { exact: true }).click();
  await changed(shown, "isomap", before);
  const number = await figure.getByLabel("k, number").inputValue();
  await shown.keyboard.press("ArrowLeft");
  assert.deepEqual(await shown.evaluate("keys"), ["ArrowRight", "ArrowLeft"]);
  assert.equal(await figure.getByLabel("k, number").inputValue(), number);
  await figure.getByLabel("k", { exact: true }).focus();
  await shown.keyboard.press("ArrowLeft");
  assert.notEqual(await figure.getByLabel("k, number").inputValue(), number);
  await figure.locator('[data-method="isomap"] .over').focus();
  await shown.keyboard.press("ArrowRight");
  assert.deepEqual(await shown.evaluate("keys"), ["ArrowRight", "ArrowLeft"]);
  clean(said);
});

test("a figure fits into a frame of 640 × 360, and takes messages there", { skip }, async () => {
  const inner = page(FIGURE.replace("<swissroll-figure", '<swissroll-figure style="margin: 0"'));
  bench.file("inner.html", inner);
  const outer =
    '<!DOCTYPE html><title>frame</title><iframe src="inner.html" width="640" height="360"></iframe>';
  const { page: shown, said } = await bench.open(outer);
  const frame = shown.frames().find((frame) => frame.url().endsWith("inner.html"))!;
  await drawn(frame as unknown as Page, 1);
  const size = await frame.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return [scrollWidth, scrollHeight];
  });
  assert.ok(size[0]! <= 640 && size[1]! <= 360, size.join());
  await shown.evaluate(() => document.querySelector("iframe")!.contentWindow!.postMessage({ k: 7 }, "*"));
  await frame.waitForFunction(() =>
    (document.querySelector("swissroll-figure") as unknown as { settings: string }).settings.includes(
      "&k=7&",
    ),
  );
  clean(said);
});

test("a figure is dark where the browser is, and prints as a still picture", { skip }, async () => {
  const { page: shown, said } = await bench.open(page(FIGURE), { dark: true });
  await drawn(shown, 1);
  const figure = shown.locator("swissroll-figure");
  const ground = () => figure.evaluate((element) => getComputedStyle(element).backgroundColor);
  assert.equal(await ground(), "rgb(20, 23, 27)");
  await shown.emulateMedia({ media: "print", colorScheme: "light" });
  assert.equal(await ground(), "rgb(255, 255, 255)");
  assert.equal(await figure.locator("input[type=range]:visible, .head button:visible").count(), 0);
  assert.equal(await figure.getByLabel("k, number").inputValue(), "10");
  assert.equal(await figure.locator(".plot canvas:visible").count(), 6);
  clean(said);
});

test("without a script the page's own picture is shown; the figure names what does not exist", {
  skip,
}, async () => {
  const bare = `<!DOCTYPE html><title>bare</title>${FIGURE}`;
  const { page: still } = await bench.open(bare);
  assert.equal(await still.getByText("a still picture").isVisible(), true);
  const wrong = FIGURE.replace("swiss-roll", "no-such-set").replace("isomap,lle", "isomap,isomup");
  const { page: shown, said } = await bench.open(page(wrong));
  await shown.getByText("There is no data set “no-such-set”").waitFor();
  await shown.getByText("a method that does not exist: isomup").waitFor();
  clean(said);
});

test("the module defines the element too, by a bundler", { skip }, async () => {
  const script = await package_.bundled("figure.js", 'import "swissroll/figure";');
  const { page: shown, said } = await bench.open(
    `<!DOCTYPE html><title>bundled</title>${FIGURE}<script type="module">${script}</script>`,
  );
  await drawn(shown, 1);
  clean(said);
});
