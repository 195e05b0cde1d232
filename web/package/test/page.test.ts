/** The package in a page. */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Bench, skip } from "../../page/test/browser.js";
import { installed } from "./installed.js";

const package_ = installed();
const bench = new Bench();
after(() => bench.close());

test("a page fits in workers, without a request, and has the embedding of Node", { skip }, async () => {
  const program = `
    const data = await dataset("swiss-roll", { n: 300 });
    const model = await fit("isomap", data, { k: 10 });
    const failure = await fit("isomap", [[NaN, 1], [2, 3]]).catch((error) => error.code);
    const control = new AbortController();
    const ended = fit("tsne", data, { iterations: 100000 }, { signal: control.signal }).catch(({ name }) => name);
    setTimeout(() => control.abort(), 50);
    const found = { embedding: [...model.embedding], placed: [...await model.transform(data)].length, failure, ended: await ended };`;
  const imported = `import { dataset, fit } from "swissroll";`;
  const script = await package_.bundled(
    "page.js",
    `${imported} (async () => { ${program} document.title = JSON.stringify(found); })();`,
  );
  const { page, said } = await bench.open(
    `<!DOCTYPE html><title></title><script type="module">${script}</script>`,
  );
  await page.waitForFunction(() => document.title !== "", undefined, { timeout: 60_000 });
  const found = JSON.parse(await page.title()) as Record<string, unknown>;
  const node = package_.node<object>(
    "same.mjs",
    `${imported} ${program} console.log(JSON.stringify(found));`,
  );
  assert.deepEqual(found, node);
  assert.deepEqual([found["placed"], found["failure"], found["ended"]], [600, "not_finite", "AbortError"]);
  assert.deepEqual(said, []);
});
