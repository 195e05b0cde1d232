/**
 * A random walk over the page with the engine. Whatever order the actions come in, there is no error, and no text
 * about a row, a number or a map that does not exist.
 *
 * `WALK=1000` takes that many actions with each of ten seeds, in the browsers that `WALK_BROWSERS` names (both);
 * without it a few short walks are taken.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { engined } from "./browser.js";
import { absurd, Driven, type Kind, settled, skipped } from "./driven.js";
import { Walk } from "./walk.js";

const LONG = Number(process.env["WALK"] ?? 0);
const SEEDS = process.env["WALK_SEEDS"]?.split(",").map(Number);
const BROWSERS = (process.env["WALK_BROWSERS"]?.split(",") ?? ["Chromium", "Firefox"]) as Kind[];
const ACTIONS = LONG || 80;
const START = "#n=300&methods=pca,isomap,lle,tsne";

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
      timeout: 60_000 + 4000 * ACTIONS,
    }, async () => {
      driven ??= await Driven.open(kind);
      const { page, said } = await driven.show(html, START);
      await settled(page);
      const walk = new Walk(page, seed, (name, content) => driven!.file(name, content));
      for (let i = 0; i < ACTIONS; i++) {
        await walk.step();
        const found = await absurd(page);
        const last = walk.steps.slice(-14).join(", ");
        assert.equal(found, undefined, `action ${i + 1}, after ${last}`);
        assert.deepEqual(said, [], `action ${i + 1}, after ${last}`);
      }
      // Every fit and every measure comes to an end.
      await page.waitForFunction(() => document.querySelectorAll(".panels .busy").length === 0, {
        timeout: 120_000,
      });
      await setTimeout(300);
      assert.equal(await absurd(page), undefined);
      assert.deepEqual(said, []);
      await page.close();
    });
  }
}
