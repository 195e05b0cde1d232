// Builds the npm package: node build.mjs FOLDER writes FOLDER/swissroll-VERSION.tgz.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { instantiate } from "../engine/engine.mjs";
import { PACKED, readModule } from "../engine/unpack.mjs";
import { workers } from "../page/build.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const page = join(here, "../page");
const { build } = createRequire(join(page, "package.json"))("esbuild");
const manifest = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));

let described;

/** What the engine says of itself. */
function description() {
  described ??= describe();
  return described;
}

async function describe() {
  const engine = await instantiate(await WebAssembly.compile(await readModule()));
  const { value } = engine.call({ id: 0, type: "describe" });
  if (value.version !== manifest.version)
    throw new Error(`package.json has version ${manifest.version}, the engine ${value.version}`);
  return value;
}

const comment = (text) => text.replaceAll("*/", "* /").replaceAll(/\s+/g, " ");

/** The type of a parameter's values. */
function type({ kind, words = [] }) {
  const union = words.map((word) => JSON.stringify(word)).join(" | ");
  if (kind === "integer" || kind === "real") return "number";
  if (kind === "flag") return "boolean";
  if (kind === "words") return union;
  return words.length > 0 ? `number | ${union} | (string & {})` : "number | string";
}

/** The module `generated/methods.ts`: names and parameters as types, from the engine's description. */
export async function generate() {
  const { methods, datasets, measures } = await description();
  const names = (list) => list.map(({ name }) => `  ${JSON.stringify(name)},\n`).join("");
  const parameters = methods
    .map(({ name, title, summary, parameters }) => {
      const fields = parameters.map(
        (one) =>
          `    /** ${comment(`${one.about}. Legal: ${one.legal}. Default: ${one.default}.`)} */\n    ${JSON.stringify(one.name)}?: ${type(one)};\n`,
      );
      return `  /** ${comment(`${title}. ${summary}`)} */\n  ${JSON.stringify(name)}: {\n${fields.join("")}  };\n`;
    })
    .join("");
  mkdirSync(join(here, "generated"), { recursive: true });
  writeFileSync(
    join(here, "generated/methods.ts"),
    `/** Written by build.mjs from the engine's description. */

/** The parameters of each method. */
export interface MethodParameters {
${parameters}}

/** The names of all methods. */
export const METHODS = [
${names(methods)}] as const;
export type MethodName = (typeof METHODS)[number];

/** The names of the data sets that can be generated. */
export const DATASETS = [
${names(datasets)}] as const;
export type DatasetName = (typeof DATASETS)[number];

/** The names of all measures. */
export const MEASURES = [
${names(measures)}] as const;
export type MeasureName = (typeof MEASURES)[number];
`,
  );
}

/** The engine stays a file of its own, read when it is first needed. */
const engine = {
  name: "engine",
  setup(build) {
    build.onResolve({ filter: /^swissroll:engine$/ }, () => ({ path: "./engine.js", external: true }));
  },
};

/** Threads of Node instead of workers of a browser. */
const threads = {
  name: "threads",
  setup(build) {
    build.onResolve({ filter: /\/threads?\.js$/ }, () => ({ path: join(here, "src/node.ts") }));
  },
};

/** In a page without modules, the engine is a script next to the figure's. */
const engineScript = {
  name: "engine-script",
  setup(build) {
    build.onResolve({ filter: /\/engine-text\.js$/ }, () => ({ path: join(here, "src/engine-script.ts") }));
  },
};

/** Style sheets with their imports, as text. */
const styles = {
  name: "styles",
  setup(page) {
    page.onResolve({ filter: /^style:/ }, ({ path }) => ({
      path: join(here, "src", path.slice("style:".length)),
      namespace: "style",
    }));
    page.onLoad({ filter: /.*/, namespace: "style" }, async ({ path }) => {
      const { outputFiles } = await build({ entryPoints: [path], bundle: true, write: false, minify: true });
      return { contents: outputFiles[0].text, loader: "text" };
    });
  },
};

function bundle(entry, outfile, plugins, options = {}) {
  return build({
    entryPoints: [join(here, "src", entry)],
    outfile,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    charset: "ascii",
    legalComments: "inline",
    plugins: [...plugins, workers(), engine, styles],
    ...options,
  });
}

/** Writes the figure for notebooks, a file of the Python package. */
export function notebook(outfile) {
  return bundle("notebook.ts", outfile, []);
}

/** The declarations that the entries reach. */
function declare(folder, entries) {
  const emitted = mkdtempSync(join(tmpdir(), "swissroll-types-"));
  const compiler = join(page, "node_modules/typescript/bin/tsc");
  const options = [
    "--noEmit",
    "false",
    "--declaration",
    "--emitDeclarationOnly",
    "--rootDir",
    join(here, ".."),
  ];
  execFileSync(process.execPath, [compiler, "-p", here, ...options, "--outDir", emitted], {
    stdio: "inherit",
  });
  const reached = new Set(entries.map((entry) => join(emitted, `package/src/${entry}.d.ts`)));
  for (const path of reached) {
    const text = readFileSync(path, "utf8");
    for (const [, name] of text.matchAll(/(?:from |import\()["'](\.[^"']+)\.js["']/g))
      reached.add(join(dirname(path), `${name}.d.ts`));
    const target = join(folder, "types", relative(emitted, path));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  rmSync(emitted, { recursive: true });
}

/** The copyright notice of the decoder of xz, as in the page. */
function notice() {
  const [, text] = readFileSync(join(page, "src/index.html"), "utf8").match(/<!--\n([\s\S]*?)-->/);
  return text;
}

/** Writes all files of the package. */
async function stage(folder) {
  await generate();
  const engine = {
    module: readFileSync(PACKED).toString("base64"),
    description: JSON.stringify(await description()),
  };
  // A script as well as a module.
  writeFileSync(join(folder, "engine.js"), `globalThis.swissrollEngine=${JSON.stringify(engine)};\n`);
  await bundle("index.ts", join(folder, "node.js"), [threads], { external: ["node:*"], target: "node20" });
  await bundle("index.ts", join(folder, "browser.js"), []);
  await bundle("figure.ts", join(folder, "figure.js"), []);
  await bundle("figure.ts", join(folder, "figure.global.js"), [engineScript], { format: "iife" });
  declare(folder, ["index", "figure"]);
  for (const name of ["package.json", "README.md"]) copyFileSync(join(here, name), join(folder, name));
  for (const name of ["LICENSE-MIT", "LICENSE-APACHE"])
    copyFileSync(join(here, "../..", name), join(folder, name));
  writeFileSync(join(folder, "LICENSE-THIRD-PARTY"), notice());
}

/** Packs the package into a folder; returns the path of the file. */
export async function pack(folder) {
  const staged = mkdtempSync(join(tmpdir(), "swissroll-package-"));
  try {
    await stage(staged);
    const arguments_ = ["pack", "--silent", "--pack-destination", folder];
    const name = execFileSync("npm", arguments_, { cwd: staged, encoding: "utf8" }).trim();
    return join(folder, name);
  } finally {
    rmSync(staged, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2);
  if (!folder) throw new Error("usage: node build.mjs FOLDER, --notebook FILE, or --types");
  if (folder === "--notebook") await notebook(process.argv[3]);
  else if (folder === "--types") await generate();
  else {
    const path = await pack(folder);
    console.error(`${readFileSync(path).length} bytes`);
    console.log(path);
  }
}
