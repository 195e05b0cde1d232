// Builds the site: node build.mjs PACKAGE FOLDER, with the file of the npm package.
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vitepress";
import { copyDocuments } from "./documents.mjs";
import { copyExercises } from "./exercises.mjs";
import { generate, titles } from "./generate.mjs";
import { lab } from "./lab.mjs";
import { relocate } from "./relocate.mjs";
import { copyRustdoc, rustApi } from "./rust-api.mjs";
import { slides } from "./slides.mjs";
import { strips } from "./strips.mjs";

const book = join(dirname(fileURLToPath(import.meta.url)), "..");
const [packed, folder] = process.argv.slice(2);
if (!folder) throw new Error("usage: node build.mjs PACKAGE FOLDER");

const unpacked = mkdtempSync(join(tmpdir(), "swissroll-book-"));
try {
  execFileSync("tar", ["-xzf", resolve(packed), "-C", unpacked]);
  const files = join(unpacked, "package");
  const served = join(book, "pages/public/swissroll");
  mkdirSync(served, { recursive: true });
  for (const name of ["figure.global.js", "engine.js", "LICENSE-THIRD-PARTY"])
    copyFileSync(join(files, name), join(served, name));

  const { Engine } = await import(pathToFileURL(join(files, "node.js")).href);
  const engine = new Engine();
  const description = await engine.describe();
  const pictures = join(book, "pages/public/strips");
  const made = await Promise.all(
    description.methods.map(async (info) => [info.name, await strips(engine, info, pictures)]),
  );
  engine.close();
  generate(description, new Map(made));
  copyDocuments();
  copyExercises();
  const rustdoc = process.env.RUSTDOC || undefined;
  rustApi(join(book, "pages/reference/rust-api.md"), rustdoc);
  writeFileSync(join(book, "build/titles.json"), JSON.stringify(titles(description)));

  await build(book, { logLevel: "error" });
  const built = join(book, "built");
  relocate(built);
  lab(built);
  await slides(built, description);
  if (rustdoc) copyRustdoc(rustdoc, built);
  cpSync(built, resolve(folder), { recursive: true });
  rmSync(built, { recursive: true });
} finally {
  rmSync(unpacked, { recursive: true });
}
