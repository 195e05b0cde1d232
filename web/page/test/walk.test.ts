/**
 * A random walk over the page with the engine. Whatever order the actions come in, there is no error, and no text
 * about a row, a number or a map that does not exist, and the memory of scripts and elements does not grow.
 *
 * `WALK=1000` takes that many actions with each of ten seeds, in the browsers that `WALK_BROWSERS` names (both);
 * without it a few short walks are taken.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { Page } from "puppeteer-core";
import { engined } from "./browser.js";
import { absurd, Driven, type Kind, settled, skipped } from "./driven.js";
import { type Held, held, resident } from "./memory.js";
import { Walk } from "./walk.js";

const LONG = Number(process.env["WALK"] ?? 0);
const SEEDS = process.env["WALK_SEEDS"]?.split(",").map(Number);
const BROWSERS = (process.env["WALK_BROWSERS"]?.split(",") ?? ["Chromium", "Firefox"]) as Kind[];
const ACTIONS = LONG || 80;
/** After this many actions memory is measured first. */
const FIRST = 50;
const START = "#data=swiss-roll&n=300&k=10&methods=pca,isomap,lle,tsne";

/** Memory is measured with these settings, after others without a panel: none is open or enlarged, and there is no film. */
const MEASURED = [
  "#data=swiss-roll&n=50&methods=",
  "#data=swiss-roll&n=300&k=10&methods=pca,isomap,lle,ltsa",
];

/** The memory of a WebAssembly module never shrinks: the largest fit of the data determines it. */
const MOST_WASM = 64e6;

async function go(page: Page, address: string): Promise<void> {
  await page.evaluate((address: string) => {
    location.hash = address;
  }, address);
  await setTimeout(500);
}

/** The memory with settings that are always the same. */
async function memory(driven: Driven, page: Page): Promise<Held> {
  await page.setViewport({ width: 1300, height: 900 });
  for (const address of MEASURED) await go(page, address);
  await settled(page);
  return driven.kind === "Chromium" ? held(page) : { heap: resident(driven) ?? 0, wasm: 0 };
}

/** Megabytes. */
const size = ({ heap, wasm }: Held) => `${(heap / 1e6).toFixed(1)} + ${(wasm / 1e6).toFixed(1)} MB`;

for (const kind of BROWSERS) {
  const skip = skipped(kind);
  const seeds = SEEDS ?? (LONG > 0 ? [...Array(10).keys()] : kind === "Chromium" ? [1, 2] : [3]);
  let driven: Driven | undefined;
  let html = "";
  before(async () => {
    if (!skip) html = await engined();
  });
  after(() => driven?.close());

  for (const seed of seeds) {
    test(`a walk of ${ACTIONS} random actions in ${kind}, seed ${seed}, meets no error and no absurd text`, {
      skip,
      timeout: 120_000 + 4000 * ACTIONS,
    }, async (context) => {
      driven ??= await Driven.open(kind);
      const { page, said } = await driven.show(html, START);
      await settled(page);
      const walk = new Walk(page, seed, (name, content) => driven!.file(name, content));
      let begin: Held | undefined;
      for (let i = 0; i < ACTIONS; i++) {
        await walk.step();
        const found = await absurd(page);
        const last = walk.steps.slice(-14).join(", ");
        assert.equal(found, undefined, `action ${i + 1}, after ${last}`);
        assert.deepEqual(said, [], `action ${i + 1}, after ${last}`);
        if (i + 1 !== FIRST) continue;
        begin = await memory(driven, page);
        await go(page, START);
      }
      // Every fit and every measure comes to an end.
      await page.waitForFunction(() => document.querySelectorAll(".panels .busy").length === 0, {
        timeout: 120_000,
      });
      await setTimeout(300);
      assert.equal(await absurd(page), undefined);
      const end = await memory(driven, page);
      const both = begin ? `${size(begin)} became ${size(end)}` : size(end);
      context.diagnostic(both);
      // Only Chromium collects garbage before it is measured.
      if (kind === "Chromium" && begin)
        assert.ok(end.heap <= 1.2 * begin.heap && end.wasm <= MOST_WASM, both);
      assert.equal(await absurd(page), undefined);
      assert.deepEqual(said, []);
      await page.close();
    });
  }
}
