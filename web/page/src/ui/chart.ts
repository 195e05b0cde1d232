/** Small charts as SVG. */

import { present } from "../present.js";
import { number } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";

function part(name: string, attributes: Record<string, string | number>, text?: string): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text !== undefined) element.textContent = text;
  return element;
}

function canvas(width: number, height: number, words: string): SVGElement {
  return part("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words, class: "chart" });
}

/** Below this fraction of the largest value, values are rounding error. */
const ROUNDING = 1e-12;

/** Where the largest gap of a spectrum lies: after how many values the ratio of neighbors is largest. */
export function gap(values: readonly number[]): number {
  let [place, largest] = [0, 1];
  const least = ROUNDING * Math.max(...values.map(Math.abs), 0);
  for (let i = 0; i + 1 < values.length; i++) {
    const [low, high] = [Math.abs(present(values[i])), Math.abs(present(values[i + 1]))]
      .map((size) => Math.max(size, least))
      .sort((x, y) => x - y) as [number, number];
    if (low > 0 && high / low > largest) [place, largest] = [i + 1, high / low];
  }
  return place;
}

/** Bars of eigenvalues; the first `used` belong to the coordinates. */
export function spectrum(values: readonly number[], used: number): SVGElement {
  const shown = values.slice(0, 40);
  const [width, height, bottom] = [240, 78, 64];
  const words = `eigenvalues: ${shown.map(number).join(", ")}`;
  const svg = canvas(width, height, words);
  const top = Math.max(...shown.map(Math.abs), 1e-300);
  const step = Math.min(18, width / Math.max(1, shown.length));
  shown.forEach((value, i) => {
    const tall = Math.max(1, (Math.abs(value) / top) * (bottom - 6));
    const kind = value < 0 ? "negative" : i < used ? "used" : "rest";
    const bar = part("rect", {
      x: i * step + 1,
      y: bottom - tall,
      width: Math.max(1, step - 2),
      height: tall,
      class: kind,
    });
    bar.append(part("title", {}, `${i + 1}: ${number(value)}`));
    svg.append(bar);
  });
  const after = gap(shown);
  if (after > 0 && shown.length > 2) {
    const x = after * step;
    svg.append(part("line", { x1: x, x2: x, y1: 2, y2: bottom + 3, class: "gap" }));
    svg.append(
      part("text", { x: Math.min(x, width - 76), y: height - 2, class: "small" }, `gap after ${after}`),
    );
  }
  return svg;
}

/** Bars around zero, one per name. */
export function bars(values: ArrayLike<number>, names: (index: number) => string): SVGElement {
  const n = values.length;
  const [width, row] = [240, 15];
  const svg = canvas(width, n * row, "weights of the neighbors");
  const largest = Math.max(...Array.from(values, Math.abs), 1e-12);
  const middle = Array.from(values).some((value) => value < 0) ? 120 : 56;
  for (let i = 0; i < n; i++) {
    const value = present(values[i]);
    const length = (Math.abs(value) / largest) * Math.min(middle === 56 ? 140 : 64, width - middle - 40);
    const y = i * row;
    svg.append(part("text", { x: 0, y: y + 11, class: "small" }, names(i)));
    svg.append(
      part("rect", {
        x: value < 0 ? middle - length : middle,
        y: y + 2,
        width: Math.max(0.5, length),
        height: row - 4,
        class: value < 0 ? "negative" : "used",
      }),
    );
    svg.append(
      part(
        "text",
        { x: value < 0 ? middle + 4 : middle + length + 4, y: y + 11, class: "small" },
        number(value),
      ),
    );
  }
  return svg;
}

/** A curve over numbered steps, such as an objective over iterations. */
export function curve(values: readonly (number | null)[], words: string): SVGElement | undefined {
  const known = values.flatMap((value, i) =>
    value !== null && Number.isFinite(value) ? [[i, value] as const] : [],
  );
  if (known.length < 3) return undefined;
  const [width, height] = [240, 60];
  const [low, high] = [Math.min(...known.map(([, v]) => v)), Math.max(...known.map(([, v]) => v))];
  const [first, last] = [known[0], known.at(-1)].map((end) => number(present(end)[1]));
  const svg = canvas(width, height, `${words}: from ${first} to ${last}`);
  const points = known.map(([i, v]) => {
    const x = (i / Math.max(1, values.length - 1)) * (width - 4) + 2;
    const y = height - 14 - ((v - low) / (high - low || 1)) * (height - 20);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  svg.append(part("polyline", { points: points.join(" "), class: "curve" }));
  svg.append(part("text", { x: 2, y: height - 2, class: "small" }, `${words}: ${last}`));
  return svg;
}
