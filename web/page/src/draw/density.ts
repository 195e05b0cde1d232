/** Many points as shading: each pixel has the color of its points, the more opaque the more there are. */

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
  counts: Uint32Array;
  weights: Float32Array;
  /** Three values per pixel: squared red, green and blue; or the step of the ramp in the first. */
  colors: Float32Array;
}

/** What is shaded; positions are x, y and depth in pixels of the picture divided by `ratio`. */
export interface Shaded {
  pixels: Float32Array;
  rows: Int32Array;
  coloring: Coloring;
  /** By row: 1 for points drawn faintly, 2 for none. */
  faint: Uint8Array;
  deep: boolean;
}

/** The number of points that lie within a picture. */
export function within(pixels: Float32Array, width: number, height: number): number {
  let count = 0;
  for (let i = 0; i < pixels.length; i += 3) {
    const [x, y] = [pixels[i]!, pixels[i + 1]!];
    if (x >= 0 && y >= 0 && x < width && y < height) count += 1;
  }
  return count;
}

/**
 * Draws the points into a picture of `width` × `height` pixels, each as a square of `side` pixels. The color of a
 * pixel is the mean of its points: of classes in the light that they send, of numbers the mean number's.
 */
export function shade(shaded: Shaded, picture: ImageData, ratio: number, side: number, faintness: number): void {
  const { width, height, data } = picture;
  const [clear, faint] = [0, 1].map((kind) => sums(shaded, kind, width, height, ratio, side)) as [Sums, Sums];
  const tops = [top(clear.counts), top(faint.counts)];
  const out: Rgb = [0, 0, 0];
  for (let p = 0; p < width * height; p++) {
    const kind = clear.counts[p]! > 0 ? 0 : 1;
    const sum = kind === 0 ? clear : faint;
    const count = sum.counts[p]!;
    if (count === 0) continue;
    mean(sum, p, shaded.coloring, out);
    const opacity = LEAST_OPACITY + (1 - LEAST_OPACITY) * Math.min(1, Math.log(count) / Math.log(tops[kind]!));
    data[4 * p] = out[0];
    data[4 * p + 1] = out[1];
    data[4 * p + 2] = out[2];
    data[4 * p + 3] = 255 * (kind === 0 ? opacity : faintness * opacity);
  }
}

function sums({ pixels, rows, coloring, faint, deep }: Shaded, kind: number, width: number, height: number, ratio: number, side: number): Sums {
  const size = width * height;
  const found = { counts: new Uint32Array(size), weights: new Float32Array(size), colors: new Float32Array(3 * size) };
  const { counts, weights, colors } = found;
  const { bins, ordered } = coloring;
  const last = coloring.colors.length - 1;
  const light = coloring.colors.map((color) => color.map((level) => level * level) as Rgb);
  const half = side / 2;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    if (faint[row] !== kind) continue;
    const left = Math.round(pixels[3 * i]! * ratio - half);
    const above = Math.round(pixels[3 * i + 1]! * ratio - half);
    const bin = Math.min(last, bins[row]!);
    const weight = deep ? Math.exp(NEARNESS * pixels[3 * i + 2]!) : 1;
    // A missing number has a color of its own, which is mixed with no other.
    const missing = ordered && bin === last;
    for (let y = Math.max(0, above); y < Math.min(height, above + side); y++) {
      for (let x = Math.max(0, left); x < Math.min(width, left + side); x++) {
        const p = y * width + x;
        counts[p]! += 1;
        if (missing) continue;
        weights[p]! += weight;
        if (ordered) colors[3 * p]! += weight * bin;
        else for (let c = 0; c < 3; c++) colors[3 * p + c]! += weight * light[bin]![c]!;
      }
    }
  }
  return found;
}

function mean({ weights, colors }: Sums, p: number, coloring: Coloring, out: Rgb): void {
  const weight = weights[p]!;
  if (coloring.ordered) {
    const color = coloring.colors[weight > 0 ? Math.round(colors[3 * p]! / weight) : coloring.colors.length - 1]!;
    for (let c = 0; c < 3; c++) out[c] = color[c]!;
  } else {
    for (let c = 0; c < 3; c++) out[c] = Math.sqrt(colors[3 * p + c]! / weight);
  }
}

/** The count above which pixels are opaque, at least 2. */
function top(counts: Uint32Array): number {
  const largest = counts.reduce((a, b) => Math.max(a, b), 0);
  const histogram = new Uint32Array(largest + 1);
  for (const count of counts) histogram[count]! += 1;
  let rest = (1 - CLEAR) * (counts.length - histogram[0]!);
  let count = largest;
  while (count > 2 && rest >= histogram[count]!) rest -= histogram[count--]!;
  return Math.max(2, count);
}
