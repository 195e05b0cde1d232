/** Points under the pointer and inside a lasso, from pixels as `project` writes them (x, y, depth). */

import { present } from "../present.js";

/** The point nearest to a position within a radius; of several at one place the nearest to the viewer; -1 if there is no point. */
export function nearest(
  pixels: Float32Array,
  n: number,
  x: number,
  y: number,
  radius: number,
  hidden?: Uint8Array,
): number {
  let best = -1;
  let bestScore = radius * radius;
  for (let i = 0; i < n; i++) {
    if (hidden?.[i]) continue;
    const dx = present(pixels[3 * i]) - x;
    const dy = present(pixels[3 * i + 1]) - y;
    // A point in front wins over one at the same place behind it, by up to 4 square pixels.
    const score = dx * dx + dy * dy - 2 * present(pixels[3 * i + 2]);
    if (score < bestScore) [best, bestScore] = [i, score];
  }
  return best;
}

/**
 * The nearest point within 45° of a direction (a unit vector along an axis) as seen from another point, within a
 * picture of the given size; -1 if there is none.
 */
export function ahead(
  pixels: Float32Array,
  n: number,
  from: number,
  [ux, uy]: readonly [number, number],
  [width, height]: readonly [number, number],
  hidden?: Uint8Array,
): number {
  const [x0 = 0, y0 = 0] = pixels.subarray(3 * from);
  let [best, least] = [-1, Infinity];
  for (let i = 0; i < n; i++) {
    const [x = 0, y = 0] = pixels.subarray(3 * i, 3 * i + 2);
    if (hidden?.[i] || x < 0 || y < 0 || x > width || y > height) continue;
    const [dx, dy] = [x - x0, y - y0];
    const along = dx * ux + dy * uy;
    const distance = Math.hypot(dx, dy);
    if (along > 0 && Math.abs(dx * uy - dy * ux) <= along && distance < least) [best, least] = [i, distance];
  }
  return best;
}

/** Whether a position lies inside a closed polygon, by the parity of crossings. */
export function inside(polygon: readonly [number, number][], x: number, y: number): boolean {
  let odd = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [xi, yi] = present(polygon[i]);
    const [xj, yj] = present(polygon[j]);
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) odd = !odd;
  }
  return odd;
}

/** The points inside a polygon. */
export function enclosed(
  pixels: Float32Array,
  n: number,
  polygon: readonly [number, number][],
  hidden?: Uint8Array,
): number[] {
  const found: number[] = [];
  for (let i = 0; i < n; i++) {
    if (!hidden?.[i] && inside(polygon, present(pixels[3 * i]), present(pixels[3 * i + 1]))) found.push(i);
  }
  return found;
}
