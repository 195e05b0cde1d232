/**
 * A map drawn so that small circles of the data around one point become circles of the picture.
 *
 * The distortion ellipse of a point is the image of a small circle of the data, by the dual metric of Perrault-Joncas
 * and Meilă: Non-linear dimensionality reduction: Riemannian metric estimation and the problem of geometric discovery
 * (2013), arXiv:1305.7255; also as Metric learning and manifolds: preserving the intrinsic geometry. With the half axes
 * as the columns of A, the symmetric matrix S = √|det A| (A Aᵀ)^(−1/2) maps the ellipse to a circle of the same area,
 * without a rotation. For the point at p, a place x is drawn at
 *
 *   p + S^w (x − p),  w = exp(−|x − p|² / 2σ²),
 *
 * where w is 1 at p and 0 far from it. The eigenvalues of S are λ and 1/λ, where λ² is the ratio of the axes. The
 * derivative has the determinant 1 − (w/σ²) (x − p)ᵀ log S (x − p), at least 1 − (2/e) log λ. It is positive for
 * ratios below e^e, about 15, so that the picture has no fold.
 */

import { present } from "../present.js";

/** The largest ratio of the axes of an ellipse that is taken back; of longer ones, this part of the ratio. */
export const MOST_RATIO = 10;

/** An un-warping: log S = strength · [[cos, sin], [sin, −cos]]. */
export interface Unwarp {
  readonly center: readonly [number, number];
  /** The logarithm of λ. */
  readonly strength: number;
  readonly cos: number;
  readonly sin: number;
  /** σ, in the units of the places. */
  readonly width: number;
}

type Vector = readonly [number, number];

/** The un-warping around a center by the half axes of its ellipse; `undefined` where they span no area. */
export function unwarping(center: Vector, [a, c]: Vector, [b, d]: Vector, width: number): Unwarp | undefined {
  // A Aᵀ is the mean of its eigenvalues plus a symmetric matrix without trace.
  const mean = (a * a + b * b + c * c + d * d) / 2;
  const [along, across] = [(a * a + b * b - c * c - d * d) / 2, a * c + b * d];
  const length = Math.hypot(along, across);
  const largest = mean + length;
  const ratio = largest / Math.abs(a * d - b * c);
  if (!(ratio * Math.sqrt(Number.EPSILON) < 1)) return undefined;
  return {
    center,
    strength: Math.log(Math.min(ratio, MOST_RATIO)) / 2,
    cos: length > 0 ? -along / length : 0,
    sin: length > 0 ? -across / length : 0,
    width,
  };
}

/** Moves places to where they are drawn; `step` numbers for each place, the first two of them its coordinates. */
export function unwarp(warp: Unwarp, places: Float32Array | Float64Array, step: number): void {
  const [px, py] = warp.center;
  for (let at = 0; at < places.length; at += step) {
    const [dx, dy] = [present(places[at]) - px, present(places[at + 1]) - py];
    const [x, y] = powered(warp, weight(warp, dx, dy), dx, dy);
    places[at] = px + x;
    places[at + 1] = py + y;
  }
}

/** A short vector at a place, as it is drawn: the derivative of {@link unwarp}. */
export function unwarpedVector(warp: Unwarp, [x, y]: Vector, [ux, uy]: Vector): [number, number] {
  const [dx, dy] = [x - warp.center[0], y - warp.center[1]];
  const w = weight(warp, dx, dy);
  // Along the vector, w changes by −w (d · u) / σ², and S^w d by log S · S^w d for each unit of w.
  const change = (-w * (dx * ux + dy * uy)) / warp.width ** 2;
  const [sx, sy] = powered(warp, w, dx, dy);
  const [vx, vy] = powered(warp, w, ux, uy);
  const { strength, cos, sin } = warp;
  return [vx + change * strength * (cos * sx + sin * sy), vy + change * strength * (sin * sx - cos * sy)];
}

function weight({ width }: Unwarp, dx: number, dy: number): number {
  return Math.exp(-(dx * dx + dy * dy) / (2 * width * width));
}

/** S^w times a vector. */
function powered({ strength, cos, sin }: Unwarp, w: number, x: number, y: number): [number, number] {
  const [even, odd] = [Math.cosh(w * strength), Math.sinh(w * strength)];
  return [even * x + odd * (cos * x + sin * y), even * y + odd * (sin * x - cos * y)];
}
