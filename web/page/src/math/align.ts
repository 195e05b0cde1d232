/** Rotation of a map onto another, so that maps do not jump when a setting changes. */

import { present } from "../present.js";
import { svd } from "./svd.js";

/** Coordinates of n points, row by row. */
export interface Coordinates {
  values: Float64Array;
  dim: number;
}

/**
 * The map after the rotation or reflection and the translation that bring it closest to the target, in
 * least squares over the pairs: `pairs[i]` is the row of the target that row i of the map belongs to, or -1.
 * Distances within the map are unchanged. Columns beyond the first three, and
 * columns of the target beyond the map's, are left out; columns that the target lacks count as 0.
 */
export function alignTo(map: Coordinates, target: Coordinates, pairs: Int32Array): Coordinates {
  const dim = Math.min(3, map.dim);
  const common = Math.min(dim, target.dim);
  const d = dim;
  const n = map.values.length / map.dim;
  const [from, to] = [mean(map, dim, pairs, false), mean(target, common, pairs, true)];
  // The rotation does not depend on units; in the chosen ones no product leaves the range of numbers.
  const [unit, targetUnit] = [extent(map, from), extent(target, to)];
  const cross = new Float64Array(d * d);
  for (let i = 0; i < n; i++) {
    const row = present(pairs[i]);
    if (row < 0) continue;
    for (let a = 0; a < common; a++) {
      const t = (present(target.values[row * target.dim + a]) - present(to[a])) / targetUnit;
      for (let b = 0; b < dim; b++) {
        cross[a * d + b] =
          present(cross[a * d + b]) + (t * (present(map.values[i * map.dim + b]) - present(from[b]))) / unit;
      }
    }
  }
  const rotation = orthogonalFactor(cross, d);
  const values = new Float64Array(n * dim);
  for (let i = 0; i < n; i++) {
    for (let a = 0; a < dim; a++) {
      let sum = 0;
      for (let b = 0; b < dim; b++)
        sum += present(rotation[a * d + b]) * (present(map.values[i * map.dim + b]) - present(from[b]));
      values[i * dim + a] = sum;
    }
  }
  return { values, dim };
}

/** U Vᵀ of a matrix U S Vᵀ. */
function orthogonalFactor(matrix: Float64Array, d: number): Float64Array {
  const { u, v } = svd(matrix, d);
  const product = new Float64Array(d * d);
  for (let a = 0; a < d; a++) {
    for (let b = 0; b < d; b++) {
      for (let c = 0; c < d; c++)
        product[a * d + b] = present(product[a * d + b]) + present(u[a * d + c]) * present(v[b * d + c]);
    }
  }
  return product;
}

/** The largest distance to the center along an axis; 1 where all points are there. */
function extent(of: Coordinates, center: Float64Array): number {
  let largest = 0;
  for (let i = 0; i < of.values.length / of.dim; i++) {
    center.forEach(
      (middle, a) => (largest = Math.max(largest, Math.abs(present(of.values[i * of.dim + a]) - middle))),
    );
  }
  return largest || 1;
}

/** The mean of the first columns; of the target over the rows that pairs name. */
function mean(of: Coordinates, columns: number, pairs: Int32Array, paired: boolean): Float64Array {
  const sums = new Float64Array(columns);
  let count = 0;
  pairs.forEach((row, i) => {
    if (row < 0) return;
    count += 1;
    for (let a = 0; a < columns; a++)
      sums[a] = present(sums[a]) + present(of.values[(paired ? row : i) * of.dim + a]);
  });
  return sums.map((sum) => sum / Math.max(1, count));
}
