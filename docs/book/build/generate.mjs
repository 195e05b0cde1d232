/** Writes the pages of methods, measures and data sets from the engine's description. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { escaped, explanation, sentence } from "./markup.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const pages = join(root, "docs/book/pages");

/** The data of a method's figure; the Swiss roll where none are named. */
const FIGURES = {
  lda: { data: "clusters", n: 600 },
  sammon: { data: "swiss-roll", n: 400 },
  "nonmetric-mds": { data: "swiss-roll", n: 400 },
  tsne: { data: "mammoth", n: 800 },
  umap: { data: "mammoth", n: 800 },
  densmap: { data: "mammoth", n: 800 },
  pacmap: { data: "mammoth", n: 800 },
  localmap: { data: "mammoth", n: 800 },
  trimap: { data: "mammoth", n: 800 },
  phate: { data: "tree", n: 600 },
  "random-projection": { data: "swiss-roll", controls: "seed" },
};

/** The maps on which a measure is shown; the roll by four methods where none are named. */
const SHOWN = {
  knn_accuracy: { data: "clusters", n: 600, methods: "pca,tsne,lda" },
  silhouette: { data: "clusters", n: 600, methods: "pca,tsne,lda" },
};

const MOST_CONTROLS = 3;

/** Parameters that stop an iteration: a map that has converged does not change by them. */
const STOPS = /tolerance$|^(?:gap|iterations|patience|check-every|smallest-gradient)$/;
/** The control of a method without another one, since noise in the data changes every map. */
const DATA_CONTROL = "noise";

function figure(attributes) {
  const text = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(String(value))}"`);
  return `<swissroll-figure${text.join("")}></swissroll-figure>`;
}

const row = (cells) => `| ${cells.join(" | ")} |`;
const table = (head, rows) => [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
const code = (text) => `<code v-pre>${escaped(text)}</code>`;

function page(folder, name, title, text) {
  mkdirSync(join(pages, folder), { recursive: true });
  writeFileSync(join(pages, folder, `${name}.md`), `---\ntitle: ${JSON.stringify(title)}\n---\n\n${text}\n`);
}

/** The names of the Python classes that differ from the method's name. */
function pythonClasses() {
  const settings = readFileSync(join(root, "python/swissroll/_settings.py"), "utf8");
  const dictionaries = settings.matchAll(/^(?:DROP_IN|CLASSES)\b.*?^}/gms);
  const pairs = [...dictionaries].flatMap(([text]) => [...text.matchAll(/"([\w-]+)": "(\w+)"/g)]);
  return new Map(pairs.map(([, method, name]) => [method, name]));
}

const classes = pythonClasses();
const capitalized = (name) =>
  name
    .split("-")
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join("");

/** Pictures of maps in a row, with the values of the parameter above them. */
function strip(title, { parameter, pictures }, parameters) {
  const cell = ({ value, file, refused }) =>
    file ? `![${title} with ${parameter} = ${value}](/strips/${file})` : `refused (${refused})`;
  const { about } = parameters.find(({ name }) => name === parameter);
  return `**${parameter}**: ${sentence(about)}

${table(
  pictures.map(({ value }) => String(value)),
  [pictures.map(cell)],
)}
`;
}

/** The strips that are shown on request, and the parameters without a strip. */
function folded({ more, without }, rows) {
  const none =
    without.length === 0
      ? ""
      : `\nThe values that were tried of ${without.map((name) => `\`${name}\``).join(", ")} give the same map of these points.\n`;
  return more.length === 0
    ? none
    : `\n::: details ${more.length} more ${more.length === 1 ? "parameter" : "parameters"}\n\n${rows(more)}\n:::\n${none}`;
}

function method(info, strips) {
  const { name, title, parameters } = info;
  const stripsOf = (list) => list.map((one) => strip(title, one, parameters)).join("\n");
  const numbers = parameters.filter(
    ({ kind, name }) => (kind === "integer" || kind === "real") && name !== "dim",
  );
  const controls = numbers
    .filter(({ default: usual, name }) => usual !== "none" && name !== "seed" && !STOPS.test(name))
    .slice(0, MOST_CONTROLS)
    .map(({ name }) => name);
  const shown = {
    data: "swiss-roll",
    n: 1000,
    k: 10,
    controls: controls.join(",") || DATA_CONTROL,
    ...FIGURES[name],
    methods: name,
  };
  const least = info.least_points > 1 ? ` At least ${info.least_points} rows.` : "";
  const facts = [
    ["Preserves", sentence(info.preserves)],
    ["Cost", sentence(info.cost)],
    ["Input", `${info.accepts.join(", ")}${info.needs_labels ? ", with a class per row" : ""}.${least}`],
    ["New rows", sentence(info.new_points)],
  ];
  const labels = info.needs_labels ? " --label-column class" : "";
  const fitted = info.needs_labels ? "fit_transform(X, y)" : "fit_transform(X)";
  const rows = info.needs_labels ? '{ points: rows, labels: [{ name: "class", classes, values }] }' : "rows";
  page(
    "methods",
    name,
    title,
    `# ${title}

${sentence(info.summary)}

${figure(shown)}

${table(["property", "value"], facts)}

::: code-group

\`\`\`sh [Command line]
compare embed --method ${name} --input points.csv --output map.csv${labels}
\`\`\`

\`\`\`python [Python]
Y = swissroll.${classes.get(name) ?? capitalized(name)}().${fitted}
\`\`\`

\`\`\`js [JavaScript]
const model = await fit("${name}", ${rows});
\`\`\`

:::

${
  strips.first.length === 0
    ? ""
    : `## What parameters change

Maps of 300 points of an S-shaped sheet. Other parameters have their defaults. Parameters of new points, of copies, of separate pieces and of the end of a fit have no strip.

${stripsOf(strips.first)}${folded(strips, stripsOf)}`
}

${explanation(info.explanation)}

## Parameters

Names are as on the command line, where \`--set NAME=VALUE\` sets them.

${table(
  ["name", "meaning", "legal values", "default"],
  parameters.map((one) => [code(one.name), sentence(one.about), sentence(one.legal), code(one.default)]),
)}

${
  info.facts.length === 0
    ? ""
    : `## Reported facts

${table(
  ["name", "meaning"],
  info.facts.map((fact) => [code(fact.name), sentence(fact.meaning)]),
)}
`
}`,
  );
}

const limit = (value) => (value === null || !Number.isFinite(value) ? "∞" : String(value));

function measure(info, perPoint) {
  const { name } = info;
  const title = name.replaceAll("_", " ");
  const per = perPoint.find(({ measure }) => measure === name);
  const shown = { data: "swiss-roll", n: 600, k: 8, methods: "pca,isomap,lle,tsne", ...SHOWN[name] };
  if (per) shown.color = `map:${per.name}`;
  page(
    "measures",
    name,
    title,
    `# ${title[0].toUpperCase()}${title.slice(1)}

${sentence(info.meaning)}

Range ${limit(info.low)} to ${limit(info.high)}; ${info.better} is better.${per ? " The maps below are colored by its value at each point." : ""}

${figure({ ...shown, controls: "k" })}

\`\`\`sh
compare measure --input points.csv --embedding map.csv   # ${name}, among others
\`\`\`

${explanation(info.explanation)}`,
  );
}

/** Lists of all pages of a kind, for the navigation. */
export function titles({ methods, measures }) {
  return {
    methods: methods.map(({ name, title }) => [name, title]),
    measures: measures.map(({ name }) => [name, name.replaceAll("_", " ")]),
  };
}

/** Writes all pages; `strips` has the strips of each method by its name. */
export function generate(description, strips) {
  for (const folder of ["methods", "measures"]) rmSync(join(pages, folder), { recursive: true, force: true });
  const { methods, measures, per_point, datasets } = description;
  for (const info of methods) method(info, strips.get(info.name));
  for (const info of measures) measure(info, per_point);
  page(
    "methods",
    "index",
    "Methods",
    `# Methods

Every method as one page: what it does, a live figure, its parameters and its papers. [How to choose](../reference/methods.md#how-to-choose) compares them.

${table(
  ["method", "what it does", "preserves"],
  methods.map(({ name, title, summary, preserves }) => [
    `[${title}](./${name}.md)`,
    sentence(summary),
    sentence(preserves),
  ]),
)}`,
  );
  page(
    "measures",
    "index",
    "Measures",
    `# Measures

Numbers that say how well a map preserves a property of the data. No single one decides: [a good score can hide a bad shape](../chapters/scores.md).

${table(
  ["measure", "meaning", "better"],
  measures.map(({ name, meaning, better }) => [
    `[${name.replaceAll("_", " ")}](./${name}.md)`,
    sentence(meaning),
    better,
  ]),
)}`,
  );
  // Pictures of many pixels take minutes in a browser.
  const drawn = datasets.filter(({ ambient }) => ambient < 10_000);
  page(
    ".",
    "gallery",
    "Gallery",
    `# Gallery

Data sets that are generated, with the parameters that made them known. Choose any, and change what you like.

${figure({ data: "s-curve", n: 800, k: 10, methods: "pca,isomap,ltsa,tsne,umap,pacmap", controls: "full" })}

${table(
  ["data set", "points", "what it shows"],
  drawn.map(({ name, summary, shows }) => [code(name), sentence(summary), sentence(shows)]),
)}`,
  );
}
