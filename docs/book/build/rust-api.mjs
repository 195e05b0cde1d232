/**
 * The page of the Rust API: every crate with its description.
 *
 * The variable RUSTDOC names the folder that `cargo doc` has written; then it is a part of the site.
 */

import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BASE } from "./relocate.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const REPOSITORY = "https://github.com/swissroll-rs/swissroll/blob/main";
/** The folder of the site. */
const FOLDER = "rustdoc";
/** The facade comes first. */
const FIRST = "swissroll";

/** The published crates: folder, name and description. */
function crates() {
  const folders = readdirSync(join(root, "crates")).map((name) => `crates/${name}`);
  const found = [...folders, "datasets"].map((folder) => {
    const manifest = readFileSync(join(root, folder, "Cargo.toml"), "utf8");
    const [name, description] = ["name", "description"].map(
      (key) => manifest.match(new RegExp(`^${key} = "(.*)"$`, "m"))[1],
    );
    return { folder, name, description, published: !/^publish = false$/m.test(manifest) };
  });
  const order = ({ name }) => (name === FIRST ? "" : name);
  return found.filter(({ published }) => published).sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** The names of the published crates as folders of the documentation. */
export const CRATES = crates().map(({ name }) => name.replaceAll("-", "_"));

function row({ folder, name, description }, here) {
  const address = `${BASE}${FOLDER}/${name.replaceAll("-", "_")}/index.html`;
  const link = here
    ? `<a href="${address}" target="_self"><code>${name}</code></a>`
    : `[\`${name}\`](${REPOSITORY}/${folder}/README.md)`;
  return `| ${link} | ${description} |`;
}

/** Writes the page; `documented` is the folder of `cargo doc`, if there is one. */
export function rustApi(page, documented) {
  const here = documented !== undefined;
  const where = here
    ? "Each name leads to the documentation of its crate: every recipe with equations, cost per stage, failures and papers."
    : "In a checkout, `cargo doc --no-deps --open` builds the documentation of all crates: every recipe with equations, cost per stage, failures and papers. Here, each name leads to the README of its crate.";
  writeFileSync(
    page,
    `---
title: "Rust API"
---

# Rust API

${where} [The library](./library.md) explains how the crates work together.

| crate | contents |
| --- | --- |
${crates()
  .map((one) => row(one, here))
  .join("\n")}
`,
  );
}

/** Copies the documentation into the site. */
export function copyRustdoc(documented, site) {
  const missing = CRATES.filter((name) => !existsSync(join(documented, name, "index.html")));
  if (missing.length > 0) throw new Error(`${documented} has no documentation of ${missing.join(", ")}`);
  cpSync(documented, join(site, FOLDER), { recursive: true });
}
