/** A cloud of points as it is shown: coordinates, the rows they belong to, and the change from an earlier cloud. */

import { type Frame, frame, innerFrame } from "../math/camera.js";
import { present } from "../present.js";

/** Coordinates of the points of a map; `rows[i]` is the row of point i in the data set. */
export interface Cloud {
  values: Float64Array;
  dim: number;
  rows: Int32Array;
}

/** The rows 0 to n - 1. */
export function allRows(n: number): Int32Array {
  return Int32Array.from({ length: n }, (_, i) => i);
}

/** For each row of the data set its point, or -1. */
export function pointsOfRows(rows: Int32Array, n: number): Int32Array {
  const points = new Int32Array(n).fill(-1);
  rows.forEach((row, point) => (points[row] = point));
  return points;
}

/** A change from one cloud to the next, in time. */
export class Morph {
  readonly values: Float64Array;
  private readonly start: Float64Array;
  private complete = false;
  private readonly startFrame: Frame;
  private readonly endFrame: Frame;

  constructor(
    before: { values: Float64Array; rows: Int32Array; frame: Frame } | undefined,
    readonly cloud: Cloud,
    private readonly begin: number,
    private readonly duration: number,
    inner: boolean,
  ) {
    const { values, dim, rows } = cloud;
    this.endFrame = (inner ? innerFrame : frame)(values, dim);
    this.start = Float64Array.from(values);
    this.values = Float64Array.from(values);
    const same = before !== undefined && before.values.length === before.rows.length * dim;
    this.startFrame = same ? before.frame : this.endFrame;
    if (!same) {
      this.duration = 0;
      return;
    }
    const largest = Math.max(...[before.rows, rows].map((list) => list.reduce((a, b) => Math.max(a, b), -1)));
    const earlier = pointsOfRows(before.rows, largest + 1);
    rows.forEach((row, i) => {
      const j = present(earlier[row]);
      if (j < 0) return;
      for (let a = 0; a < dim; a++) this.start[i * dim + a] = present(before.values[j * dim + a]);
    });
  }

  /** Sets `values` to the values at a time; returns the frame, and whether the change is complete. */
  at(now: number): { frame: Frame; done: boolean } {
    const progress = this.duration > 0 ? Math.min(1, Math.max(0, (now - this.begin) / this.duration)) : 1;
    const t = progress * progress * (3 - 2 * progress);
    const end = this.cloud.values;
    if (!this.complete)
      for (let i = 0; i < end.length; i++)
        this.values[i] = present(this.start[i]) + t * (present(end[i]) - present(this.start[i]));
    this.complete = progress >= 1;
    const between = (a: number, b: number) => a + t * (b - a);
    const [from, to] = [this.startFrame, this.endFrame];
    const center: Frame["center"] = [
      between(from.center[0], to.center[0]),
      between(from.center[1], to.center[1]),
      between(from.center[2], to.center[2]),
    ];
    return { frame: { center, half: between(from.half, to.half) }, done: progress >= 1 };
  }
}
