/** The built site in a browser, for its tests. The variable SITE names the folder that `docs/build` has written. */

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join, relative } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
export const site = process.env.SITE;
if (!site) throw new Error("SITE must name the folder that docs/build has written");
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

/** The site is served below a path that the build does not have. */
const SITE_ADDRESS = "http://localhost/some/folder/";
const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".json": "application/json",
};

/** The names of all pages, and their texts; the documentation of the crates has tests of its own tool. */
export const pages = readdirSync(site, { recursive: true })
  .filter((name) => name.endsWith(".html") && !name.startsWith("rustdoc/"))
  .sort();
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
    const path = decodeURIComponent(new URL(url).pathname);
    const file = url.startsWith(SITE_ADDRESS) && join(site, path.slice("/some/folder/".length));
    if (!file || !existsSync(file)) {
      said.push(`request: ${url}`);
      return route.abort();
    }
    sent.push(relative(site, file));
    return route.fulfill({
      body: readFileSync(file),
      contentType: TYPES[extname(file)] ?? "application/octet-stream",
    });
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
