/** Places that a measure gives to the points of a fit, in its map as it is shown. */

import type { Cloud } from "../draw/cloud.js";
import type { Overlay } from "../draw/overlay.js";
import { frame } from "../math/camera.js";
import { present } from "../present.js";
import type { PointValues } from "../protocol.js";
import { moved } from "./turned.js";

/** Most jumps that are drawn, and most ellipses. */
const MOST_JUMPS = 200;
const MOST_ELLIPSES = 90;
/** The median of the longest half axes, as a part of the extent of the map. */
const HALF_AXIS = 0.022;

/** What is drawn of them; nothing in a map of one dimension. */
export function overlay(
  { name, places, columns, per_point, drawn }: PointValues,
  coordinates: Float64Array,
  cloud: Cloud,
): Overlay | undefined {
  if (!places || !columns || !per_point || cloud.dim < 2) return undefined;
  const total = places.length / columns;
  const known = Array.from({ length: total }, (_, i) => i).filter(
    (i) => !Number.isNaN(present(places[i * columns])),
  );
  const given = new Float64Array(known.length * columns);
  known.forEach((i, at) => given.set(places.subarray(i * columns, (i + 1) * columns), at * columns));
  const shown = moved(given, columns, { values: coordinates, dim: columns }, cloud);
  const { dim } = cloud;
  const values = new Float64Array(total * dim).fill(NaN);
  known.forEach((i, at) => values.set(shown.subarray(at * dim, (at + 1) * dim), i * dim));
  const n = cloud.rows.length;
  if (name === "perturbation")
    return {
      cloud,
      kind: "jumps",
      count: per_point,
      values,
      drawn: (drawn ?? new Uint32Array(0)).slice(0, MOST_JUMPS),
    };
  const step = Math.max(1, Math.ceil(n / MOST_ELLIPSES));
  const spaced = Uint32Array.from({ length: Math.ceil(n / step) }, (_, i) => i * step);
  return {
    cloud,
    kind: "ellipses",
    count: per_point,
    values: sized(values, per_point, cloud),
    drawn: spaced,
  };
}

/** Ends of axes, all scaled alike so that ellipses are seen and do not cover each other. */
function sized(values: Float64Array, count: number, { values: places, dim }: Cloud): Float64Array {
  const lengths: number[] = [];
  const along = (end: number, a: number) =>
    present(values[end * dim + a]) - present(places[Math.floor(end / count) * dim + a]);
  for (let end = 0; end < values.length / dim; end += count) {
    let sum = 0;
    for (let a = 0; a < dim; a++) sum += along(end, a) ** 2;
    if (sum > 0) lengths.push(Math.sqrt(sum));
  }
  const middle = lengths.sort((a, b) => a - b)[Math.floor(lengths.length / 2)];
  const factor = middle ? (2 * HALF_AXIS * frame(places, dim).half) / middle : 0;
  return values.map((_, i) => {
    const [end, a] = [Math.floor(i / dim), i % dim];
    return present(places[Math.floor(end / count) * dim + a]) + factor * along(end, a);
  });
}
