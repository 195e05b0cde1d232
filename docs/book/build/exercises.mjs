/** The exercises as pages: text, code with gaps, folded solutions, and a live figure. */

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { plain } from "./plain.mjs";
import { BASE } from "./relocate.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const pages = join(root, "docs/book/pages");

/** The exercises in their order: the name of the notebook, and the attributes of the figure. */
const FIGURES = {
  lle: 'data="swiss-roll" n="2500" k="20" methods="lle~reg=0.1" controls="k,reg"',
  isomap: 'data="swiss-roll" n="1000" k="10" methods="isomap" graph="1" controls="k"',
  conformal: 'data="swiss-roll" n="1000" k="10" methods="lle,conformal-eigenmaps~basis=8" controls="k"',
  tsne: 'data="clusters" n="600" k="10" methods="tsne" controls="perplexity"',
  choose_k: 'data="swiss-roll" n="600" k="10" methods="isomap" graph="1" controls="k"',
  own_table: 'data="clusters" n="300" k="12" methods="pca,isomap~components=bridge,umap" controls="full"',
};

/** The cells of a notebook: their kind and their text. */
function cells(notebook) {
  const { cells } = JSON.parse(readFileSync(join(root, "docs/exercises", notebook), "utf8"));
  return cells.map(({ cell_type, source }) => ({ kind: cell_type, text: source.join("") }));
}

/** The names and titles of all exercises. */
export const EXERCISES = Object.keys(FIGURES).map((name) => [
  name,
  cells(`${name}.ipynb`)[0].text.match(/^# (.*)$/m)[1],
]);

/** A cell of an exercise; below code with gaps its solution, which the reader opens. */
function written({ kind, text }, solution) {
  if (kind === "markdown") return plain(text);
  const block = (text) => `\`\`\`python\n${text}\n\`\`\``;
  if (text === solution.text) return block(text);
  return `${block(text)}\n\n::: details Solution\n\n${block(solution.text)}\n\n:::`;
}

/** Writes the pages, and copies the notebooks next to them. */
export function copyExercises() {
  const served = join(pages, "public/notebooks");
  mkdirSync(served, { recursive: true });
  mkdirSync(join(pages, "exercises"), { recursive: true });
  for (const [name, title] of EXERCISES) {
    copyFileSync(join(root, `docs/exercises/${name}.ipynb`), join(served, `${name}.ipynb`));
    const solutions = cells(`solutions/${name}.ipynb`);
    const [first, ...others] = cells(`${name}.ipynb`).map((cell, i) => written(cell, solutions[i]));
    const figure = `<swissroll-figure ${FIGURES[name]}></swissroll-figure>`;
    const notebook = `<a href="${BASE}notebooks/${name}.ipynb" download>This page as a notebook</a>, for Python.`;
    const parts = [first, figure, notebook, ...others];
    writeFileSync(
      join(pages, `exercises/${name}.md`),
      `---\ntitle: ${JSON.stringify(title)}\n---\n\n${parts.join("\n\n")}\n`,
    );
  }
}
