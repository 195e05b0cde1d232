/** The built site in a browser, for its tests. The variable SITE names the folder that `docs/build` has written. */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { FOLDER, pages, served, site } from "./files.mjs";

export { pages, site };

const here = dirname(fileURLToPath(import.meta.url));
const { chromium } = createRequire(join(here, "../../web/page/package.json"))("playwright-core");
const axe = readFileSync(join(here, "node_modules/axe-core/axe.min.js"), "utf8");
const program = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((place) => place && existsSync(place));
export const skip =
  program === undefined && "no Chromium is installed (apt-get install chromium, or set CHROMIUM)";

const SITE_ADDRESS = `http://localhost${FOLDER}`;

/** The texts of all pages. */
export const html = new Map(pages.map((name) => [name, readFileSync(join(site, name), "utf8")]));

let browser;
before(async () => {
  if (!skip)
    browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox", "--disable-gpu"] });
});
after(() => browser?.close());

/** Opens a page; `said` has messages of the console, failures, and requests to elsewhere; `sent` the files. */
export async function open(name, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, ...options });
  const [said, sent] = [[], []];
  page.on("console", (message) => {
    // The tests themselves read canvases back.
    if (!message.text().includes("willReadFrequently")) said.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => said.push(`error: ${error.message}`));
  // Windows that the page opens are served, too.
  await page.context().route("**/*", (route) => {
    const url = route.request().url();
    if (/^(blob|data):/.test(url)) return route.continue();
    const found = url.startsWith(SITE_ADDRESS) ? served(url) : undefined;
    if (!found) {
      said.push(`request: ${url}`);
      return route.abort();
    }
    const { file, ...answer } = found;
    sent.push(relative(site, file));
    return route.fulfill(answer);
  });
  await page.goto(`${SITE_ADDRESS}${name}`);
  return { page, said, sent };
}

/** Fails where a page violates a rule of accessibility. */
export async function accessible(page, name) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  const violations = await page.evaluate(async () => (await globalThis.axe.run()).violations);
  assert.deepEqual(
    violations.map(({ id, nodes }) => [
      id,
      ...nodes.map(({ target, failureSummary }) => `${target}: ${failureSummary}`),
    ]),
    [],
    name,
  );
}
