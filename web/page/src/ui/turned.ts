/** Maps as they are shown: rotated onto other maps of the same data. */

import { allRows, pointsOfRows } from "../draw/cloud.js";
import { alignTo, type Coordinates } from "../math/align.js";
import { present } from "../present.js";
import type { Fit } from "../protocol.js";

/** The first three columns of a map. */
export function first({ values, dim }: Coordinates): Coordinates {
  if (dim <= 3) return { values, dim };
  return {
    values: Float64Array.from({ length: (3 * values.length) / dim }, (_, i) =>
      present(values[Math.floor(i / 3) * dim + (i % 3)]),
    ),
    dim: 3,
  };
}

/** The coordinates of a fit, rotated onto a cloud of the same data. */
export function oriented(fit: Fit, target: Coordinates & { rows: Int32Array }): Coordinates {
  const rows = fit.rows ? Int32Array.from(fit.rows) : allRows(fit.n);
  return onto({ values: fit.coordinates, dim: fit.columns }, rows, target, target.rows);
}

/** A map rotated onto another by the rows that both have. */
export function onto(
  map: Coordinates,
  rows: Int32Array,
  target: Coordinates,
  targetRows: Int32Array,
): Coordinates {
  const most = Math.max(
    rows.reduce((a, b) => Math.max(a, b), 0),
    targetRows.reduce((a, b) => Math.max(a, b), 0),
  );
  const places = pointsOfRows(targetRows, most + 1);
  return alignTo(
    map,
    target,
    rows.map((row) => present(places[row])),
  );
}

/** New points of one map, in the coordinates of another of the same points: moved as its points are. */
export function moved(values: Float64Array, dim: number, from: Coordinates, to: Coordinates): Float64Array {
  const n = from.values.length / dim;
  const count = values.length / dim;
  const together = new Float64Array((n + count) * dim);
  together.set(from.values);
  together.set(values, n * dim);
  const pairs = Int32Array.from({ length: n + count }, (_, i) => (i < n ? i : -1));
  const aligned = alignTo({ values: together, dim }, to, pairs);
  // The target's mean is its origin only where all of its rows were aligned: add it back.
  const out = aligned.values.slice(n * aligned.dim);
  for (let a = 0; a < aligned.dim; a++) {
    let shift = 0;
    for (let i = 0; i < n; i++)
      shift += present(to.values[i * to.dim + a]) - present(aligned.values[i * aligned.dim + a]);
    for (let i = 0; i < count; i++) out[i * aligned.dim + a] = present(out[i * aligned.dim + a]) + shift / n;
  }
  return out;
}
