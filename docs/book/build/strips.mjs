/** Strips of small maps: what a parameter of a method changes. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pageModule } from "./page-module.mjs";

const { css, ramp } = await pageModule("draw/color.ts");

/** The values of parameters that multiples of the default do not suit, the most important parameters first. */
const VALUES = {
  k: [5, 8, 12, 20, 40],
  perplexity: [2, 5, 15, 30, 80],
  "min-dist": [0, 0.1, 0.3, 0.6, 1],
  reg: [1e-6, 1e-4, 1e-3, 1e-2, 1],
  time: [1, 2, 3, 10, 50],
  alpha: [0, 0.25, 0.5, 0.75, 1],
  decay: [2, 5, 10, 40, 100],
  "further-ratio": [0.5, 1, 2, 4, 8],
  outliers: [1, 2, 4, 8, 16],
  "density-weight": [0, 0.5, 1, 2, 4],
  "early-exaggeration": [1, 4, 12, 30, 60],
  "degrees-of-freedom": [0.3, 0.5, 1, 2, 10],
  gamma: [-1, -0.5, 0, 0.5, 1],
  temperature: [0, 0.25, 0.5, 1, 2],
  "mid-near-ratio": [0, 0.25, 0.5, 1, 2],
  repulsion: [0.1, 0.3, 1, 3, 10],
  landmarks: ["3", "10", "30", "100", "300"],
  kernel: ["linear", "cosine", "rbf:0.2", "rbf:1", "polynomial:2:1:1"],
  weights: ["connectivity", "heat:0.05", "heat:0.1", "heat", "heat:1"],
  width: [0.1, 0.2, 0.4, 1, 4],
  radius: [0.2, 0.3, 0.4, 0.6, 1],
  basis: [2, 3, 5, 10, 30],
  principal: [2, 3],
  epochs: [20, 50, 200, 500, 1000],
  // A sphere and a torus have more coordinates than a picture.
  surface: ["plane", "hyperboloid"],
  mix: [0, 0.25, 0.5, 0.75, 1],
  negatives: [0, 1, 5, 10, 20],
  "local-connectivity": [0, 1, 2, 4, 8],
  "density-fraction": [0, 0.15, 0.3, 0.6, 1],
  "third-mid-near": [0, 1, 3, 10, 100],
  "gradient-decay": [0, 0.5, 0.8, 0.9, 0.99],
  "square-decay": [0, 0.5, 0.9, 0.99, 0.999],
  "first-momentum": [0, 0.25, 0.5, 0.75, 0.9],
  "last-momentum": [0, 0.4, 0.8, 0.9, 0.95],
  "gain-decay": [0, 0.4, 0.8, 0.9, 1],
  "least-scale": [1e-6, 1e-4, 1e-3, 0.1, 1],
  restarts: [0, 2],
  "early-iterations": [0, 50, 100, 250, 500],
  iterations: [20, 50, 100, 200, 500],
  seed: [0, 1, 2, 3, 4],
};
/** The same for parameters of one method. */
const OF_METHOD = {
  smacof: { start: ["classical", "random:1:0", "random:1:1", "random:10:0"] },
  "nonmetric-mds": { start: ["classical", "random:1:0", "random:1:1", "random:10:0"] },
  sammon: { start: ["classical", "random:1:0", "random:1:1", "random:10:0"] },
  tsne: {
    gradient: ["exact", "barnes-hut:0.5", "barnes-hut:1", "interpolation"],
    "learning-rate": [5, 20, 200, 1000, 5000],
  },
};
/** Where neither is given, the values are the default times these. */
const MULTIPLES = [0.1, 0.3, 1, 3, 10];
/**
 * Parameters that are left out: a picture has two dimensions; these data have no classes, no copies, one piece and few
 * columns; the others are for new points, or have no part in the map but its last digits and when its fit ends.
 */
const LEFT_OUT =
  /^(?:dim|target-.*|duplicates|components|columns|recall|placing-.*|precision|gap|patience|check-every|smallest-gradient)$/;
/** The largest number of strips of a method that are seen at first. */
const MOST = 4;

/** A sheet that few points describe well. */
const DATA = { name: "s-curve", options: { n: 300 } };
const BINS = 8;
/** Codes of failures that a value of a parameter may cause. */
const REFUSALS = new Set(["parameter", "disconnected", "degenerate", "no_convergence"]);
/** Side and margin of a picture. */
const [SIDE, MARGIN] = [100, 6];

/** The values of a parameter in its strip. */
function valuesOf({ name, words, kind, default: usual }, method) {
  const given = OF_METHOD[method]?.[name] ?? VALUES[name];
  if (given && kind !== "words") return given;
  if (words && kind === "words") return given ? words.filter((word) => given.includes(word)) : words;
  const number = Number(usual);
  if (!(number > 0)) return [];
  const rounded = (value) => (kind === "integer" ? Math.max(1, Math.round(value)) : value);
  return [...new Set(MULTIPLES.map((factor) => rounded(Number((factor * number).toPrecision(2)))))];
}

/**
 * Writes the pictures of a method to a folder. Returns its strips, with the names of the files; `more` of those that
 * are shown on request; and the parameters that do not change this map.
 */
export async function strips(engine, info, folder) {
  if (info.needs_labels) return { first: [], more: [], without: [] };
  mkdirSync(folder, { recursive: true });
  const data = await engine.dataset(DATA.name, DATA.options);
  const strip = async (parameter) => {
    const { name } = parameter;
    const pictures = await Promise.all(
      valuesOf(parameter, info.name).map(async (value) => {
        const file = `${info.name}-${name}-${String(value).replaceAll(":", "_")}.svg`;
        try {
          const model = await engine.fit(info.name, data, { [name]: value });
          const content = picture(model, data);
          model.free();
          return { value, file, content };
        } catch (failure) {
          // A value that the method refuses is shown as refused; any other failure ends the build.
          if (!REFUSALS.has(failure.code)) throw failure;
          return { value, refused: failure.code };
        }
      }),
    );
    const made = pictures.filter(({ content }) => content);
    if (new Set(made.map(({ content }) => content)).size < 2) return { parameter: name };
    for (const { file, content } of made) writeFileSync(join(folder, file), content);
    return { parameter: name, pictures };
  };
  const place = Object.keys(VALUES);
  const rank = ({ name }) => (place.includes(name) ? place.indexOf(name) : place.length);
  const parameters = info.parameters
    .filter((parameter) => !LEFT_OUT.test(parameter.name) && valuesOf(parameter, info.name).length > 1)
    .toSorted((a, b) => rank(a) - rank(b));
  const made = await Promise.all(parameters.map(strip));
  const shown = made.filter(({ pictures }) => pictures);
  return {
    first: shown.slice(0, MOST),
    more: shown.slice(MOST),
    without: made.filter(({ pictures }) => !pictures).map(({ parameter }) => parameter),
  };
}

/** A map as SVG: points of similar color are one path. */
function picture({ embedding, dim, n, rows }, { truth, truth_columns }) {
  const known = (i, column) => truth[(rows?.[i] ?? i) * truth_columns + column];
  const axes = [0, 1].map((column) => {
    const values = Float64Array.from({ length: n }, (_, i) => embedding[i * dim + column]);
    return oriented(values, (i) => known(i, column));
  });
  const ends = axes.map((values) => [Math.min(...values), Math.max(...values)]);
  const width = Math.max(...ends.map(([low, high]) => high - low)) || 1;
  const place = (column, i) =>
    Math.round(
      SIDE / 2 + ((axes[column][i] - (ends[column][0] + ends[column][1]) / 2) / width) * (SIDE - 2 * MARGIN),
    );
  const first = Float64Array.from({ length: n }, (_, i) => known(i, 0));
  const [low, high] = [Math.min(...first), Math.max(...first)];
  const paths = Array.from({ length: BINS }, () => "");
  for (let i = 0; i < n; i++) {
    const bin = Math.min(BINS - 1, Math.floor(((first[i] - low) / (high - low)) * BINS));
    paths[bin] += `M${place(0, i)} ${SIDE - place(1, i)}h0`;
  }
  const color = (bin, dark) => css(ramp((bin + 0.5) / BINS, dark));
  const style = (dark) => paths.map((_, bin) => `.c${bin}{stroke:${color(bin, dark)}}`).join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIDE} ${SIDE}" fill="none" stroke-linecap="round" stroke-width="3"><style>${style(false)}@media(prefers-color-scheme:dark){${style(true)}}</style>${paths.map((path, bin) => `<path class="c${bin}" d="${path}"/>`).join("")}</svg>\n`;
}

/** Values with the sign that agrees with the true coordinate. */
function oriented(values, known) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const product = values.reduce((sum, value, i) => sum + (value - mean) * known(i), 0);
  return product < 0 ? values.map((value) => -value) : values;
}
