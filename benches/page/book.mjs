// Times of the book's first figures in headless Chromium:   node benches/page/book.mjs SITE [RUNS]
// SITE is the folder that docs/build has written; Python serves it. Prints a table in Markdown.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { loadavg } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const { chromium } = createRequire(join(here, "../../web/page/package.json"))("playwright-core");
const [site, runs = "5"] = process.argv.slice(2);
if (!site) throw new Error("usage: node book.mjs SITE [RUNS]");
const PORT = 8931;
const PAGES = ["index.html", "chapters/projection.html", "methods/lle.html"];

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** Milliseconds from the load of the page until the data are drawn, and until the first map is. */
async function times(page, open) {
  await open();
  const reached = (selector) =>
    page.waitForFunction(
      (selector) => {
        const root = document.querySelector("swissroll-figure")?.shadowRoot;
        return root?.querySelector(selector)?.textContent ? performance.now() : false;
      },
      selector,
      { polling: "raf", timeout: 120_000 },
    );
  const data = await (await reached(".legend")).jsonValue();
  const map = await (await reached(".panel .time:not(:empty)")).jsonValue();
  const load = await page.evaluate(() => performance.getEntriesByType("navigation")[0].loadEventEnd);
  return { data: data - load, map: map - load };
}

const server = spawn("python3", ["-m", "http.server", String(PORT), "--bind", "127.0.0.1", "--directory", site], {
  stdio: "ignore",
});
try {
  await new Promise((done) => setTimeout(done, 1000));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  console.log(`Load of the machine: ${loadavg().map((load) => load.toFixed(1)).join(", ")}.\n`);
  console.log("| page | cold: data, first map (s) | warm: data, first map (s) | files without the engine (kB, gzip) |");
  console.log("|---|---|---|---|");
  for (const name of PAGES) {
    const address = `http://127.0.0.1:${PORT}/${name}`;
    const [cold, warm] = [[], []];
    let files = new Set();
    for (let run = 0; run < Number(runs); run++) {
      const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
      const page = await context.newPage();
      files = new Set();
      page.on("request", (request) => files.add(new URL(request.url()).pathname.slice(1)));
      cold.push(await times(page, () => page.goto(address)));
      warm.push(await times(page, () => page.reload()));
      await context.close();
    }
    const present = [...files].filter(
      (file) => !file.endsWith("engine.js") && statSync(join(site, file), { throwIfNoEntry: false })?.isFile(),
    );
    const bytes = present.reduce((sum, file) => sum + gzipSync(readFileSync(join(site, file))).length, 0);
    const shown = (list) =>
      ["data", "map"].map((key) => (median(list.map((one) => one[key])) / 1000).toFixed(2)).join(", ");
    console.log(`| ${name} | ${shown(cold)} | ${shown(warm)} | ${(bytes / 1000).toFixed(0)} |`);
  }
  await browser.close();
  const pages = readdirSync(site, { recursive: true }).filter((name) => name.endsWith(".html"));
  console.log(`\n${pages.length} pages.`);
} finally {
  server.kill();
}
