/**
 * Tests of the built site in Firefox:   SITE=FOLDER node --test docs/book/firefox.mjs
 *
 * Every page opens without an error, and every figure of the chapters draws its maps.
 */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { FOLDER, pages, served } from "./files.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const installed = createRequire(join(here, "../../web/page/package.json")).resolve("puppeteer-core");
const { default: puppeteer } = await import(pathToFileURL(installed).href);
const program = [process.env.FIREFOX, "/usr/bin/firefox-esr", "/usr/bin/firefox"].find(
  (place) => place && existsSync(place),
);
const skip = program === undefined && "no Firefox is installed (apt-get install firefox-esr, or set FIREFOX)";

/** Data sets with two components, which some methods refuse. */
const REFUSED = ["two-swiss-rolls"];

const server = createServer((request, response) => {
  const found = served(request.url);
  if (found) response.writeHead(200, { "content-type": found.contentType }).end(found.body);
  else response.writeHead(404).end();
});

let browser;
let address;
before(async () => {
  if (skip) return;
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${server.address().port}${FOLDER}`;
  browser = await puppeteer.launch({ browser: "firefox", executablePath: program, protocolTimeout: 300_000 });
});
after(async () => {
  await browser?.close();
  server.close();
});

/** Opens a page; `said` has messages of the console, failures, and requests to elsewhere. */
async function open(name) {
  const page = await browser.newPage();
  await page.setViewport({ width: 1400, height: 900 });
  const said = [];
  page.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => said.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(address) && !/^(blob|data):/.test(request.url()))
      said.push(`request: ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) said.push(`${response.status()}: ${response.url()}`);
  });
  const response = await page.goto(`${address}${name}`);
  assert.equal(response.status(), 200, name);
  return { page, said };
}

for (const name of pages.filter((name) => name.startsWith("chapters/"))) {
  test(`${name}: every figure computes in Firefox`, { skip, timeout: 300_000 }, async () => {
    const { page, said } = await open(name);
    await page.waitForSelector(".vp-doc swissroll-figure");
    const count = (await page.$$(".vp-doc swissroll-figure")).length;
    for (let i = 0; i < count; i++) {
      await page.waitForFunction(
        (i) => {
          const element = document.querySelectorAll(".vp-doc swissroll-figure")[i];
          element.scrollIntoView({ block: "center" });
          const panels = [...(element.shadowRoot?.querySelectorAll(".panels .panel") ?? [])];
          const done = (panel, i) =>
            panel.classList.contains("failed") || Object.keys(element.maps[i]?.scores ?? {}).length > 0;
          return panels.length > 0 && panels.every(done);
        },
        { timeout: 120_000, polling: 200 },
        i,
      );
      const [data, refused, blank] = await page.evaluate((i) => {
        const element = document.querySelectorAll(".vp-doc swissroll-figure")[i];
        const canvases = [...element.shadowRoot.querySelectorAll(".panel:not(.failed) canvas:not(.over)")];
        const blank = canvases.filter((canvas) => {
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          return !data.some((value, i) => i % 4 === 3 && value > 0);
        });
        const refused = [...element.shadowRoot.querySelectorAll(".panel.failed .state")];
        return [element.getAttribute("data"), refused.map((state) => state.textContent), blank.length];
      }, i);
      if (!REFUSED.includes(data)) assert.deepEqual(refused, [], `figure ${i + 1}`);
      assert.equal(blank, 0, `figure ${i + 1} has an empty map`);
    }
    assert.deepEqual(said, []);
    await page.close();
  });
}

test("every other page opens in Firefox without an error", { skip, timeout: 600_000 }, async () => {
  const others = pages.filter((name) => !name.startsWith("chapters/") && name !== "404.html");
  const { page, said } = await open("index.html");
  for (const name of others) {
    const response = await page.goto(`${address}${name}`);
    assert.equal(response.status(), 200, name);
    assert.deepEqual(said, [], name);
  }
  await page.close();
});
