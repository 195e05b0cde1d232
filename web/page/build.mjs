// Builds dist/lab.html: the page without engine and data, which `compare lab` adds.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
/** The lecture, whose sections are the steps of the guided path. */
const LECTURE = "../../docs/lecture.md";
const shared = {
  bundle: true,
  write: false,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "ascii",
  legalComments: "inline",
};

/** All files that the page is made of, as paths relative to this folder, in order; types alone leave no trace in it. */
function sources() {
  const own = readdirSync(join(here, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(here.length + 1));
  const code = own.map((path) => path.replaceAll("\\", "/")).filter((path) => path !== "src/protocol.ts");
  return [...code, "build.mjs", "package-lock.json", "../engine/engine.mjs", LECTURE].sort();
}

/** SHA-256 over the names and texts of the sources; a test of `compare` computes the same. */
function hash() {
  const digest = createHash("sha256");
  for (const path of sources())
    digest
      .update(`${path}\0`)
      .update(readFileSync(join(here, path)))
      .update("\0");
  return digest.digest("hex");
}

async function text(entry, plugins) {
  const result = await build({ ...shared, entryPoints: [join(here, entry)], plugins });
  return result.outputFiles[0].text;
}

/** Another module instead of the engine: the tests' double. */
const replaced = (instance) => ({
  name: "instance",
  setup(build) {
    if (instance) build.onResolve({ filter: /engine\/instance\.js$/ }, () => ({ path: instance }));
  },
});

/** The worker's program as text, which the page starts from a blob. */
export const workers = (plugins = []) => ({
  name: "worker",
  setup(build) {
    build.onResolve({ filter: /^worker:/ }, ({ path }) => ({
      path: path.slice("worker:".length),
      namespace: "worker",
    }));
    build.onLoad({ filter: /.*/, namespace: "worker" }, async ({ path }) => ({
      contents: await text(join("src", path), plugins),
      loader: "text",
    }));
  },
});

/** The steps of the lecture. A section of another form, or a step without a question, ends the build. */
export function steps() {
  const form =
    /^(\d:\d\d) (.+)\n\n```\nlab\.html#(\S+)\n```\n\n\*\*Say\.\*\* ([^`]*(?:`[^`]+`[^`]*)*?)\n\n\*\*See\.\*\* ([^`]+)$/;
  const paragraphs = (text) => text.split("\n\n").map((paragraph) => paragraph.replaceAll("\n", " "));
  const [, ...sections] = readFileSync(join(here, LECTURE), "utf8").split(/^## /m);
  const found = sections.map((section) => {
    const [, minute, title, address, say, see] = form.exec(section.trim()) ?? [];
    if (minute === undefined)
      throw new Error(`${LECTURE}: a section needs minute, title, address, Say and See: ${section}`);
    return { minute, title, address, say: paragraphs(say), see: paragraphs(see) };
  });
  const { questions } = JSON.parse(readFileSync(join(here, "src/guide/en.json"), "utf8"));
  const [minutes, asked] = [found.map(({ minute }) => minute), Object.keys(questions)].map(String);
  if (minutes !== asked)
    throw new Error(`src/guide/en.json has questions at ${asked}, the lecture has steps at ${minutes}`);
  return found;
}

/** The steps of the lecture as a module. */
const lecture = {
  name: "lecture",
  setup(build) {
    build.onResolve({ filter: /^lecture:/ }, ({ path }) => ({ path, namespace: "lecture" }));
    build.onLoad({ filter: /.*/, namespace: "lecture" }, () => ({
      contents: JSON.stringify(steps()),
      loader: "json",
    }));
  },
};

const source = (content) => `'sha256-${createHash("sha256").update(content, "utf8").digest("base64")}'`;

/** The page; its policy allows exactly its script and its style. */
export async function page(instance) {
  const script = (await text("src/main.ts", [workers([replaced(instance)]), lecture]))
    .replaceAll("</script", "<\\/script")
    .trimEnd();
  const style = (
    await build({ ...shared, entryPoints: [join(here, "src/page.css")], format: undefined })
  ).outputFiles[0].text.trimEnd();
  const policy = [
    "default-src 'none'",
    `script-src ${source(script)} 'wasm-unsafe-eval'`,
    `style-src ${source(style)}`,
    "worker-src blob:",
    // Browsers ask for an icon of a page that names none.
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return readFileSync(join(here, "src/index.html"), "utf8")
    .replace("{policy}", () => policy)
    .replace("{sources}", () => hash())
    .replace("{style}", () => style)
    .replace("{script}", () => script);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const html = await page();
  mkdirSync(join(here, "dist"), { recursive: true });
  writeFileSync(join(here, "dist/lab.html"), html);
  console.log(`dist/lab.html: ${html.length} bytes`);
}
