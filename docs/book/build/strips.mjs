/** Strips of small maps: what a parameter of a method changes. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pageModule } from "./page-module.mjs";

const { css, ramp } = await pageModule("draw/color.ts");

/** The parameters that have a strip, with their values, the most important first. */
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
  start: ["pca", "spectral", "random"],
  scale: ["unit-covariance", "unit-norm"],
  pairs: ["clique", "neighbors", "path"],
};
/** The largest number of strips of a method. */
const MOST = 4;

/** A sheet that few points describe well. */
const DATA = { name: "s-curve", options: { n: 300 } };
const BINS = 8;
/** Side and margin of a picture. */
const [SIDE, MARGIN] = [100, 6];

/** Writes the pictures of a method to a folder; returns its strips, with the names of the files. */
export async function strips(engine, info, folder) {
  const parameters = new Map(info.parameters.map((one) => [one.name, one]));
  const chosen = Object.keys(VALUES).filter((name) => parameters.has(name));
  if (info.needs_labels || chosen.length === 0) return [];
  mkdirSync(folder, { recursive: true });
  const data = await engine.dataset(DATA.name, DATA.options);
  const strip = async (parameter) => {
    const pictures = [];
    const { words = [] } = parameters.get(parameter);
    for (const value of VALUES[parameter].filter(
      (value) => Number.isFinite(value) || words.includes(value),
    )) {
      const file = `${info.name}-${parameter}-${value}.svg`;
      try {
        const model = await engine.fit(info.name, data, { [parameter]: value });
        writeFileSync(join(folder, file), picture(model, data));
        model.free();
        pictures.push({ value, file });
      } catch (failure) {
        // A value that the method refuses is shown as refused; any other failure ends the build.
        if (failure.code !== "parameter") throw failure;
        pictures.push({ value, refused: failure.code });
      }
    }
    return { parameter, pictures };
  };
  return Promise.all(chosen.slice(0, MOST).map(strip));
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
