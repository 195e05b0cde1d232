/**
 * Measures the npm package next to DruidJS and umap-js, in Node: time of a fit, and trustworthiness of the map.
 *
 *     web/package/build FOLDER
 *     cd benches/page && npm ci && node peers.mjs FOLDER/swissroll-0.1.0.tgz [N or METHOD ...]
 *
 * The data are a Swiss roll. Every fit runs in a process of its own, on one thread, after a fit of 100 rows; programs
 * run in turns. By default all methods are fitted to 1,000 and to 5,000 rows, once each. A fit is ended after two minutes.
 * Prints a table in Markdown.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const LIMIT = 120_000;
const K = 10;

/** What each program calls the methods; all maps have two columns, and the other parameters are defaults. */
const METHODS = {
  UMAP: { swissroll: ["umap", { k: 15 }], druid: ["UMAP", { n_neighbors: 15 }], umap: { nNeighbors: 15 } },
  "t-SNE": { swissroll: ["tsne", {}], druid: ["TSNE", {}] },
  Isomap: { swissroll: ["isomap", { k: K }], druid: ["ISOMAP", { neighbors: K }] },
  LLE: { swissroll: ["lle", { k: K }], druid: ["LLE", { neighbors: K }] },
  "classical MDS": { swissroll: ["classical-mds", {}], druid: ["MDS", {}] },
};

const PROGRAMS = {
  swissroll: async ([method, parameters], folder) => {
    const { Engine } = await import(pathToFileURL(join(folder, "package/node.js")).href);
    const engine = new Engine({ workers: 1 });
    return async (rows) => split((await engine.fit(method, rows, parameters)).embedding);
  },
  druid: async ([name, parameters]) => {
    const druid = await import("@saehrimnir/druidjs");
    return async (rows) => new druid[name](rows, { ...parameters, d: 2, seed: 1 }).transform();
  },
  umap: async (parameters) => {
    const { UMAP } = (await import("umap-js")).default;
    let state = 1;
    const random = () => (state = (state * 16807) % 2147483647) / 2147483647;
    return async (rows) => new UMAP({ ...parameters, random }).fit(rows);
  },
};

const split = (values) => Array.from({ length: values.length / 2 }, (_, i) => [values[2 * i], values[2 * i + 1]]);

/** One fit, in this process; prints milliseconds and coordinates. */
async function fit(program, method, folder) {
  const fit = await PROGRAMS[program](METHODS[method][program], folder);
  const rows = JSON.parse(readFileSync(0, "utf8"));
  await fit(rows.slice(0, 100)).catch(() => undefined);
  const begin = performance.now();
  const map = await fit(rows);
  const milliseconds = performance.now() - begin;
  const text = JSON.stringify({ milliseconds, map: Array.from(map, (row) => [...row]) });
  await new Promise((written) => process.stdout.write(text, written));
}

function measured(program, method, folder, rows) {
  const words = [fileURLToPath(import.meta.url), "--fit", program, method, folder];
  const options = { input: JSON.stringify(rows), encoding: "utf8", maxBuffer: 2 ** 28, timeout: LIMIT };
  const { status, stdout, stderr } = spawnSync(process.execPath, words, options);
  if (status === 0) return JSON.parse(stdout);
  return status === null ? `more than ${LIMIT / 1000} s` : `fails: ${stderr.match(/\w*Error: .*/)?.[0] ?? stderr}`;
}

async function compare(file, sizes, methods) {
  const folder = mkdtempSync(join(os.tmpdir(), "swissroll-peers-"));
  try {
    execFileSync("tar", ["-xzf", resolve(file), "-C", folder]);
    const { dataset, measures } = await import(pathToFileURL(join(folder, "package/node.js")).href);
    const entry = (result, trust) =>
      typeof result === "string" ? result : `${(result.milliseconds / 1000).toFixed(2)} s, ${trust.toFixed(3)}`;
    console.log(`${os.cpus()[0].model}, ${os.cpus().length} cores, load ${os.loadavg()[0].toFixed(1)}, Node ${process.version}\n`);
    console.log("| method | n | swissroll | DruidJS | umap-js |\n|---|---|---|---|---|");
    for (const n of sizes) {
      const { points } = await dataset("swiss-roll", { n });
      const rows = Array.from({ length: n }, (_, i) => [...points.subarray(3 * i, 3 * i + 3)]);
      for (const method of methods) {
        const cells = [];
        for (const program of Object.keys(PROGRAMS)) {
          if (!METHODS[method][program]) {
            cells.push("–");
            continue;
          }
          const result = measured(program, method, folder, rows);
          const scores =
            typeof result === "string"
              ? {}
              : await measures(rows, result.map, { k: K, names: ["trustworthiness"] }).catch(() => ({ trustworthiness: NaN }));
          cells.push(entry(result, scores.trustworthiness));
        }
        console.log(`| ${method} | ${n.toLocaleString("en")} | ${cells.join(" | ")} |`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [first, ...rest] = process.argv.slice(2);
if (first === "--fit") {
  await fit(...rest);
  process.exit();
}
if (!first) throw new Error("give the file that web/package/build wrote");
const sizes = rest.map(Number).filter((n) => n > 0);
const methods = rest.filter((word) => METHODS[word]);
await compare(
  first,
  sizes.length > 0 ? sizes : [1000, 5000],
  methods.length > 0 ? methods : Object.keys(METHODS),
);
