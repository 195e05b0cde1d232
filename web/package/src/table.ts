/** The forms of rows that the calls accept. */

import { present } from "../../page/src/present.js";
import type { Geometry, Labels, Source } from "../../page/src/protocol.js";
import { SwissrollError } from "./error.js";

/** Rows, one after the other: row i has the values i · columns to (i + 1) · columns - 1. */
export interface Table {
  points: Float64Array | Float32Array;
  columns: number;
  /** A class per row, for methods and measures that need classes. */
  labels?: readonly (string | number)[] | readonly Labels[];
  /** True coordinates of the rows, for measures that compare with them; `null` where unknown. */
  truth?: Float64Array | Float32Array | null;
  truth_columns?: number;
  geometry?: Geometry;
}

/** Rows as arrays of the same length, or as a table. A data set of `dataset()` is a table. */
export type Rows = readonly ArrayLike<number>[] | Table;

/** The fields of a request that carry the rows. */
export interface Points {
  points: Float64Array | Float32Array;
  columns: number;
  labels?: Labels[];
  truth?: Float64Array | Float32Array;
  truth_columns?: number;
  geometry?: Geometry;
  source?: Source;
}

/** The rows as the engine reads them; rows of different lengths are refused. */
export function pointsOf(rows: Rows): Points {
  if (Array.isArray(rows)) return joined(rows);
  const { points, columns, labels, truth, truth_columns, geometry } = ((rows as Rows | undefined) ??
    {}) as Table;
  if (!(points instanceof Float64Array || points instanceof Float32Array))
    throw new SwissrollError(
      "shape",
      "rows must be an array of rows, or `points` (a Float64Array or Float32Array) with `columns`",
    );
  if (!Number.isInteger(columns) || columns < 1 || points.length % columns !== 0)
    throw new SwissrollError(
      "shape",
      `the number of values must be a multiple of the number of columns; there are ${points.length} values and ${columns} columns`,
    );
  return {
    points,
    columns,
    ...(labels && labels.length > 0 ? { labels: labelsOf(labels, points.length / columns) } : {}),
    ...(truth && truth_columns ? { truth, truth_columns } : {}),
    ...(geometry ? { geometry } : {}),
  };
}

function joined(rows: readonly ArrayLike<number>[]): Points {
  const columns = rows[0]?.length ?? 0;
  if (columns === 0)
    throw new SwissrollError(
      "shape",
      "rows must be arrays of numbers, at least one row with at least one value; there is none",
    );
  const points = new Float64Array(rows.length * columns);
  rows.forEach((row, i) => {
    if (row.length !== columns)
      throw new SwissrollError(
        "shape",
        `all rows must have the same length; row 0 has ${columns} values, row ${i} has ${row.length}`,
      );
    points.set(row, i * columns);
  });
  return { points, columns };
}

function labelsOf(labels: readonly (string | number)[] | readonly Labels[], rows: number): Labels[] {
  if (typeof labels[0] === "object") return [...(labels as readonly Labels[])];
  if (labels.length !== rows)
    throw new SwissrollError(
      "shape",
      `there must be a label per row; there are ${labels.length} for ${rows} rows`,
    );
  const texts = (labels as readonly (string | number)[]).map(String);
  const classes = [...new Set(texts)];
  const indices = new Map(classes.map((name, index) => [name, index]));
  return [{ name: "label", classes, values: Uint32Array.from(texts, (text) => present(indices.get(text))) }];
}
