/**
 * Measures the lab in headless Chromium, and its engine against DruidJS in Node.
 *
 *     cargo run --release -p compare -- lab --out lab.html
 *     cd benches/page && npm ci && node measure.mjs ../../lab.html
 *
 * Reports of runs of many points may follow the lab's page; the maps that each run has
 * computed are opened:
 *
 *     cargo run --release -p compare -- run --datasets swiss-roll --n 70000 \
 *       --methods pca,random-projection,landmark-mds,lle --out roll
 *     node measure.mjs ../../lab.html ../../roll/report.html
 *
 * Prints a table in Markdown. With `--page` or `--druid` only one of the two parts runs;
 * CHROMIUM names the browser, /usr/bin/chromium by default. Times of the page are medians
 * of five loads; times of the methods are minima of five fits after warm-up fits, both
 * programs in turns.
 */
import { readFileSync, statSync } from "node:fs";
import os from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const args = process.argv.slice(2);
const files = args.filter((arg) => !arg.startsWith("--"));
const only = args.find((arg) => arg.startsWith("--"));
const rows = [];
const report = (what, value, aim = "") => rows.push(`| ${what} | ${value} | ${aim} |`);
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

/** Most points that the engine takes. */
const MOST = 50_000;

const DRAWN = `(selector) => {
  const canvas = document.querySelector(selector);
  if (!canvas || canvas.width === 0) return false;
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  for (let i = 3; i < data.length; i += 4) if (data[i] > 0) return true;
  return false;
}`;

/** Records in the page when the data, a first map and all maps are shown. */
const WATCH = `
  const drawn = ${DRAWN};
  window.marks = {};
  const mark = (name, holds) => { if (window.marks[name] === undefined && holds()) window.marks[name] = performance.now(); };
  const look = () => {
    const panels = [...document.querySelectorAll("[data-method]")];
    mark("data", () => drawn(".data canvas"));
    mark("first", () => panels.some((panel) => panel.querySelector(".time").textContent !== ""));
    mark("all", () => panels.length > 0 && panels.every((panel) => panel.querySelector(".time").textContent !== "" || panel.classList.contains("failed")));
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
`;

async function open(browser, address, file = files[0]) {
  const page = await browser.newPage({ viewport: { width: 1300, height: 900 } });
  await page.addInitScript(WATCH);
  await page.goto(`file://${resolve(file)}${address}`);
  return page;
}

const until = (page, name) => page.waitForFunction((name) => window.marks[name] !== undefined, name, { timeout: 300_000 });

/** From a movement of the pointer to the end of the frame that answers it, in milliseconds. */
async function hover(page, selector, moves = 60) {
  await page.evaluate(() => {
    window.answers = [];
    addEventListener("pointermove", () => {
      const begun = performance.now();
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => window.answers.push(performance.now() - begun);
        channel.port2.postMessage(0);
      });
    }, { capture: true });
  });
  const box = await page.locator(`${selector} .over`).first().boundingBox();
  for (let i = 0; i < moves; i++) {
    const [u, v] = [0.5 + 0.35 * Math.cos(i / 5), 0.5 + 0.35 * Math.sin(i / 3)];
    await page.mouse.move(box.x + u * box.width, box.y + v * box.height);
    await page.waitForTimeout(40);
  }
  return page.evaluate(() => window.answers);
}

/** Frames a second while the data are rotated by dragging. */
async function rotation(page, seconds = 3) {
  const box = await page.locator(".data .over").first().boundingBox();
  await page.evaluate(() => {
    window.painted = 0;
    // Frames of the picture, not of the window: each pass over the canvas clears it first.
    const canvas = document.querySelector(".data canvas");
    const context = canvas.getContext("2d");
    const clear = context.clearRect.bind(context);
    context.clearRect = (...box) => { window.painted += 1; clear(...box); };
    const put = context.putImageData.bind(context);
    context.putImageData = (...rest) => { window.painted += 1; put(...rest); };
  });
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  const begun = Date.now();
  for (let i = 0; Date.now() - begun < 1000 * seconds; i++) {
    await page.mouse.move(box.x + box.width * (0.5 + 0.4 * Math.sin(i / 20)), box.y + box.height * (0.5 + 0.2 * Math.cos(i / 20)));
  }
  await page.mouse.up();
  const painted = await page.evaluate(() => window.painted);
  return (1000 * painted) / (Date.now() - begun);
}

/** Hover over the first map, and rotation of the data. */
async function answering(page, what) {
  const maps = await page.locator("[data-method]").count();
  const answers = await hover(page, "[data-method]");
  report(`hover, ${what} × ${maps} maps: median`, ms(median(answers)), "≤ 33 ms");
  report(`hover, ${what} × ${maps} maps: longest of ${answers.length}`, ms(Math.max(...answers)));
  report(`rotation, ${what}`, `${(await rotation(page)).toFixed(0)} frames/s`, "≥ 30");
  report(`data of ${what} shown after`, ms(await page.evaluate(() => window.marks.data)));
}

async function measurePage() {
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
  const size = (file) => `${(statSync(file).size / 1e6).toFixed(2)} MB`;
  report("size of the lab", size(files[0]), "≤ 4.5 MB");
  const loads = [];
  for (let i = 0; i < 5; i++) {
    const page = await open(browser, "");
    await until(page, "all");
    loads.push(await page.evaluate(() => window.marks));
    await page.close();
  }
  const of = (name) => median(loads.map((marks) => marks[name]));
  report("first picture (the data, n = 1,000)", ms(of("data")), "≤ 500 ms");
  report("first map, controls answer", ms(of("first")), "≤ 1,500 ms");
  report("all nine maps", ms(of("all")));
  for (const n of [1000, MOST]) {
    const page = await open(browser, `#data=swiss-roll&n=${n}&k=5&methods=pca,random-projection,landmark-mds,classical-mds`);
    await until(page, "all");
    await page.waitForTimeout(n > 10_000 ? 20_000 : 2000);
    await answering(page, `${n.toLocaleString("en")} points`);
    await page.close();
  }
  for (const file of files.slice(1)) {
    const address = readFileSync(file, "utf8").match(/href="(#data=[^"]+)"/)[1].replaceAll("&amp;", "&");
    const page = await open(browser, address, file);
    await until(page, "all");
    await page.waitForTimeout(5000);
    const what = `${Number(address.match(/&n=(\d+)/)[1]).toLocaleString("en")} points of a run`;
    report(`size of the report, ${what}`, size(file));
    await answering(page, what);
    report(`all maps of ${what} shown after`, ms(await page.evaluate(() => window.marks.all)));
    await page.close();
  }
  await browser.close();
}

async function measureDruid() {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const { instantiate } = await import(`${root}web/engine/engine.mjs`);
  const { readModule } = await import(`${root}web/engine/unpack.mjs`);
  const druid = await import("@saehrimnir/druidjs");
  const version = JSON.parse(readFileSync(new URL("node_modules/@saehrimnir/druidjs/package.json", import.meta.url), "utf8")).version;
  const engine = await instantiate(await WebAssembly.compile(await readModule()));
  let id = 0;
  const ask = (request) => {
    const answer = engine.call({ id: ++id, ...request });
    if (answer.type !== "result") throw new Error(answer.message);
    return answer.value;
  };
  const [n, k] = [1000, 10];
  const data = ask({ type: "generate", data: "roll", dataset: "swiss-roll", n });
  const points = Array.from({ length: n }, (_, i) => Array.from(data.points.slice(3 * i, 3 * i + 3)));
  const timed = (run) => {
    const begun = performance.now();
    run();
    return performance.now() - begun;
  };
  const pairs = [
    ["lle", () => new druid.LLE(points, { neighbors: k, d: 2 }).transform()],
    ["ltsa", () => new druid.LTSA(points, { neighbors: k, d: 2 }).transform()],
    ["isomap", () => new druid.ISOMAP(points, { neighbors: k, d: 2 }).transform()],
  ];
  for (const [method, theirs] of pairs) {
    const [ours, peer] = [[], []];
    const fit = () => {
      // New data each time, so that the neighbor search is part of the time.
      ask({ type: "points", data: "fresh", points: data.points.slice(), columns: 3 });
      ask({ type: "fit", data: "fresh", method, common: { k } });
    };
    // Both are compiled while they run: the first fits are not counted.
    for (const run of [fit, fit, theirs]) run();
    for (let i = 0; i < 5; i++) {
      ours.push(timed(fit));
      peer.push(timed(theirs));
    }
    const [best, other] = [Math.min(...ours), Math.min(...peer)];
    report(`${method}, n = ${n}, k = ${k}: engine ${ms(best)}, DruidJS ${version} ${ms(other)}`, `${(other / best).toFixed(0)} times as fast`, "≥ 10");
  }
}

if (only !== "--druid") {
  if (files.length === 0) throw new Error("give the page that `compare lab` wrote, or --druid");
  await measurePage();
}
if (only !== "--page") await measureDruid();
const load = os.loadavg()[0];
console.log(`${os.cpus()[0].model}, ${os.cpus().length} processors, Node ${process.versions.node}, load ${load.toFixed(1)} at the end\n`);
console.log(["| figure | measured | aim |", "|---|---|---|", ...rows].join("\n"));
