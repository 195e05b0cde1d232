/** Documents of the repository as pages of the book. Their links lead to other pages, or to the repository. */

import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { EXERCISES } from "./exercises.mjs";
import { escaped } from "./markup.mjs";
import { plain } from "./plain.mjs";
import { BASE } from "./relocate.mjs";
import { attributes } from "./slides.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const pages = join(root, "docs/book/pages");
const REPOSITORY = "https://github.com/swissroll-rs/swissroll";

/** Each document, its page and its title in the navigation. */
export const DOCUMENTS = [
  ["docs/command-line.md", "reference/command-line", "Command line"],
  ["python/README.md", "reference/python", "Python"],
  ["docs/library.md", "reference/library", "Rust"],
  ["web/package/README.md", "reference/javascript", "JavaScript"],
  ["docs/figures.md", "reference/figures", "Figures in your pages"],
  ["docs/methods.md", "reference/methods", "How to choose a method"],
  ["datasets/README.md", "reference/data-sets", "Data sets"],
  ["docs/glossary.md", "reference/glossary", "Glossary"],
  ["benches/README.md", "reference/speed", "Speed and quality"],
  ["CHANGELOG.md", "reference/changes", "Release notes"],
  ["docs/lecture.md", "lecture", "A lecture of 60 minutes"],
  ["docs/exercises/README.md", "exercises/index", "Exercises"],
];

const page = new Map([
  ...DOCUMENTS.map(([source, target]) => [source, target]),
  ...EXERCISES.map(([name]) => [`docs/exercises/${name}.ipynb`, `exercises/${name}`]),
]);

export function copyDocuments() {
  const list = DOCUMENTS.map(([, target, title]) => `- [${title}](../${target}.md)`);
  mkdirSync(join(pages, "reference"), { recursive: true });
  writeFileSync(
    join(pages, "reference/index.md"),
    `# Reference\n\n${list.join("\n")}\n- [Rust API](./rust-api.md)\n- [How it is fast](../fast.md)\n- [How to cite](../cite.md)\n`,
  );
  for (const [source, target, title] of DOCUMENTS) {
    const text = readFileSync(join(root, source), "utf8");
    const path = join(pages, `${target}.md`);
    mkdirSync(dirname(path), { recursive: true });
    const body = converted(text, source, target);
    writeFileSync(
      path,
      `---\ntitle: ${JSON.stringify(title)}\n---\n\n${target === "lecture" ? beside(body) : body}`,
    );
  }
}

/** The text of the lecture with links to its slides and to the lab, below the title. */
function beside(text) {
  const slides = `<a href="${BASE}slides/lecture.html" target="_self">The same lecture as slides</a>`;
  const lab = `<a href="${BASE}lab.html" target="_self">the lab</a>`;
  return text.replace("\n", `\n\n${slides}, with live figures and speaker’s notes. Or open ${lab} here.\n`);
}

/** A document with links and figures of the book. Code is left unchanged, but for addresses of the lab. */
function converted(text, source, target) {
  const blocks = text.split(/(^ *```[\s\S]*?^ *```$)/m);
  return blocks
    .map((block, i) => (i % 2 === 1 ? figures(block) : plain(links(block, source, target))))
    .join("");
}

/** A block with one address of the lab becomes the figure that it describes. */
function figures(piece) {
  const [, address] = piece.match(/^```\nlab\.html#(\S+)\n```$/) ?? [];
  if (address === undefined) return piece;
  const given = Object.entries(attributes(address)).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  const lab = `<a href="${BASE}lab.html#${escaped(address)}" target="_self">with all controls</a>`;
  return `<swissroll-figure${given.join("")}></swissroll-figure>\n\n${lab}`;
}

function links(text, source, target) {
  return text.replaceAll(/(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, (_, image, label, address) => {
    const inner = label.includes("](") ? links(label, source, target) : label;
    return `${image}[${inner}](${destination(address, source, target, image !== "")})`;
  });
}

function destination(address, source, target, image) {
  if (/^(https?:|#|mailto:)/.test(address)) return address;
  const [path, anchor] = address.split("#");
  const file = posix.join(posix.dirname(source), path);
  if (!existsSync(join(root, file))) throw new Error(`${source} links to ${address}, which does not exist`);
  const up = "../".repeat(target.split("/").length - 1) || "./";
  if (page.has(file)) return `${up}${page.get(file)}.md${anchor ? `#${anchor}` : ""}`;
  if (image) {
    const served = join(pages, "public/images");
    mkdirSync(served, { recursive: true });
    copyFileSync(join(root, file), join(served, basename(file)));
    return `/images/${basename(file)}`;
  }
  const kind = statSync(join(root, file)).isDirectory() ? "tree" : "blob";
  return `${REPOSITORY}/${kind}/main/${file}${anchor ? `#${anchor}` : ""}`;
}
