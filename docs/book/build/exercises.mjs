/** The exercises as pages: text, code with gaps, folded solutions, and a live figure. */

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { plain } from "./plain.mjs";
import { BASE } from "./relocate.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const pages = join(root, "docs/book/pages");

/** The exercises in their order: the name of the source, and the attributes of the figure. */
const FIGURES = {
  lle: 'data="swiss-roll" n="2500" k="20" methods="lle~reg=0.1" controls="k,reg"',
  isomap: 'data="swiss-roll" n="1000" k="10" methods="isomap" graph="1" controls="k"',
  conformal: 'data="swiss-roll" n="1000" k="10" methods="lle,conformal-eigenmaps~basis=8" controls="k"',
  tsne: 'data="clusters" n="600" k="10" methods="tsne" controls="perplexity"',
  choose_k: 'data="swiss-roll" n="600" k="10" methods="isomap" graph="1" controls="k"',
  own_table: 'data="clusters" n="300" k="12" methods="pca,isomap~components=bridge,umap" controls="full"',
};

const source = (name) => readFileSync(join(root, `docs/exercises/source/${name}.py`), "utf8");

/** The names and titles of all exercises. */
export const EXERCISES = Object.keys(FIGURES).map((name) => [name, source(name).match(/^# # (.*)$/m)[1]]);

/** The kind and the text of each cell of a source, as docs/exercises/notebooks.py reads them. */
function cells(text) {
  return text
    .split(/^# %%/m)
    .slice(1)
    .map((part) => {
      const [kind] = part.split("\n", 1);
      return { kind: kind.trim(), body: part.slice(kind.length + 1).trim() };
    });
}

const GAP = /^( *)# gap: (.*)\n(?:.*\n)*?\1# end$/gm;

/** A cell of code: with gaps, and below them the solution, which the reader opens. */
function code(body) {
  const gaps = body.replaceAll(GAP, "$1# Your part: $2\n$1...");
  const block = (text) => `\`\`\`python\n${text}\n\`\`\``;
  if (gaps === body) return block(body);
  const solved = body.replaceAll(/^ *# (?:gap: .*|end)\n?/gm, "");
  return `${block(gaps)}\n\n::: details Solution\n\n${block(solved.trim())}\n\n:::`;
}

const written = ({ kind, body }) => (kind === "text" ? plain(body.replaceAll(/^# ?/gm, "")) : code(body));

/** Writes the pages, and copies the notebooks next to them. */
export function copyExercises() {
  const served = join(pages, "public/notebooks");
  mkdirSync(served, { recursive: true });
  mkdirSync(join(pages, "exercises"), { recursive: true });
  for (const [name, title] of EXERCISES) {
    copyFileSync(join(root, `docs/exercises/${name}.ipynb`), join(served, `${name}.ipynb`));
    const [first, ...others] = cells(source(name));
    const figure = `<swissroll-figure ${FIGURES[name]}></swissroll-figure>`;
    const notebook = `<a href="${BASE}notebooks/${name}.ipynb" download>This page as a notebook</a>, for Python.`;
    const parts = [written(first), figure, notebook, ...others.map(written)];
    writeFileSync(
      join(pages, `exercises/${name}.md`),
      `---\ntitle: ${JSON.stringify(title)}\n---\n\n${parts.join("\n\n")}\n`,
    );
  }
}
