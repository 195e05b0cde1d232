/** Many points as shading: each pixel has the color of its points, the more opaque the more there are. */

import { present } from "../present.js";
import type { Coloring, Rgb } from "./color.js";

/** More points than this within a picture are shaded rather than drawn one by one. */
export const MOST_DISCS = 20_000;

/** Opacity of a pixel with one point; it grows with the logarithm of their number. */
const LEAST_OPACITY = 0.38;
/** The fraction of the pixels with points that are not fully opaque. */
const CLEAR = 0.98;
/** In three dimensions nearer points count more, by this power of e over the depth of the cloud. */
const NEARNESS = 2.5;

/** Sums over the points of each pixel. */
interface Sums {
  counts: Float32Array;
  weights: Float32Array;
  /** Squared red, green and blue; of a ramp the steps alone. */
  colors: Float32Array[];
}

/** What is shaded; positions are x, y and depth in pixels of the picture divided by `ratio`. */
export interface Shaded {
  pixels: Float32Array;
  rows: Int32Array;
  coloring: Coloring;
  /** By row: 1 for points drawn faintly, 2 for none. */
  faint: Uint8Array;
  deep: boolean;
  /** One of this many points is looked at: 1 for all. */
  step: number;
}

/** The number of points that lie within a picture. */
export function within(pixels: Float32Array, width: number, height: number): number {
  let count = 0;
  for (let i = 0; i < pixels.length; i += 3) {
    const [x, y] = [present(pixels[i]), present(pixels[i + 1])];
    if (x >= 0 && y >= 0 && x < width && y < height) count += 1;
  }
  return count;
}

/**
 * Draws the points into a picture of `width` × `height` pixels, each as a square of `side` pixels. The color of a
 * pixel is the mean of its points: of classes in the light that they send, of numbers the mean number's.
 */
export function shade(
  shaded: Shaded,
  picture: ImageData,
  ratio: number,
  side: number,
  faintness: number,
): void {
  const { width, height, data } = picture;
  const out: Rgb = [0, 0, 0];
  // Faint points lie below all others.
  for (const kind of [1, 0]) {
    if (shaded.rows.every((row) => shaded.faint[row] !== kind)) continue;
    const sum = sums(shaded, kind, width, height, ratio, side);
    const opacities = opacity(sum.counts).map((value) => 255 * value * (kind === 1 ? faintness : 1));
    const most = opacities.length - 1;
    for (let p = 0; p < width * height; p++) {
      const count = present(sum.counts[p]);
      if (count === 0) continue;
      mean(sum, p, shaded.coloring, out);
      data[4 * p] = out[0];
      data[4 * p + 1] = out[1];
      data[4 * p + 2] = out[2];
      data[4 * p + 3] = present(opacities[Math.min(most, count)]);
    }
  }
}

function sums(
  { pixels, rows, coloring, faint, deep, step }: Shaded,
  kind: number,
  width: number,
  height: number,
  ratio: number,
  side: number,
): Sums {
  const { bins, ordered } = coloring;
  const last = coloring.colors.length - 1;
  const light = ([0, 1, 2] as const).map((c) => Float32Array.from(coloring.colors, (color) => color[c] ** 2));
  const values = ordered ? [Float32Array.from(coloring.colors, (_, bin) => bin)] : light;
  const table = () => new Float32Array(width * height);
  const counts = table();
  const weights = deep || ordered ? table() : counts;
  const channels = values.map((values) => ({ values, sums: table() }));
  const half = (side - 1) / 2;
  for (let i = 0; i < rows.length; i += step) {
    const row = present(rows[i]);
    if (faint[row] !== kind) continue;
    // The upper left of the pixels of its square.
    const x = Math.round(present(pixels[3 * i]) * ratio - half - 0.5);
    const y = Math.round(present(pixels[3 * i + 1]) * ratio - half - 0.5);
    if (!(x >= 0 && y >= 0 && x < width && y < height)) continue;
    const p = y * width + x;
    counts[p] = present(counts[p]) + 1;
    const bin = Math.min(last, present(bins[row]));
    // A missing number has a color of its own, which is mixed with no other.
    if (ordered && bin === last) continue;
    const weight = deep ? Math.exp(NEARNESS * present(pixels[3 * i + 2])) : 1;
    if (weights !== counts) weights[p] = present(weights[p]) + weight;
    for (const { values, sums } of channels) sums[p] = present(sums[p]) + weight * present(values[bin]);
  }
  const colors = channels.map(({ sums }) => sums);
  for (const sums of new Set([counts, weights, ...colors])) spread(sums, width, height, side);
  return { counts, weights, colors };
}

/** Adds every value to the squares of `side` pixels to the right and below that begin at its place. */
function spread(values: Float32Array, width: number, height: number, side: number): void {
  for (const step of [1, width]) {
    for (let p = width * height - 1; p >= 0; p--) {
      const most = Math.min(side - 1, step === 1 ? p % width : Math.floor(p / width));
      let sum = present(values[p]);
      for (let k = 1; k <= most; k++) sum += present(values[p - k * step]);
      values[p] = sum;
    }
  }
}

function mean({ weights, colors }: Sums, p: number, coloring: Coloring, out: Rgb): void {
  const weight = present(weights[p]);
  if (coloring.ordered) {
    const step =
      weight > 0 ? Math.round(present(present(colors[0])[p]) / weight) : coloring.colors.length - 1;
    [out[0], out[1], out[2]] = present(coloring.colors[step]);
  } else {
    for (let c = 0; c < 3; c++) out[c] = Math.sqrt(present(present(colors[c])[p]) / weight);
  }
}

/** The opacity for every number of points up to the one from which on pixels are opaque, at least 2. */
function opacity(counts: Float32Array): Float32Array {
  const largest = counts.reduce((a, b) => Math.max(a, b), 0);
  const histogram = new Uint32Array(largest + 1);
  for (const count of counts) histogram[count] = present(histogram[count]) + 1;
  let rest = (1 - CLEAR) * (counts.length - present(histogram[0]));
  let top = largest;
  while (top > 2 && rest >= present(histogram[top])) rest -= present(histogram[top--]);
  top = Math.max(2, top);
  return Float32Array.from(
    { length: top + 1 },
    (_, count) => LEAST_OPACITY + (1 - LEAST_OPACITY) * (Math.log(Math.max(1, count)) / Math.log(top)),
  );
}
