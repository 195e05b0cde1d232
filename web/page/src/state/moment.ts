/**
 * What all pictures show at one moment: the data, and what refers to their rows. A moment is never changed, only
 * followed by the next one; an answer about the rows of another moment's data is dropped.
 */

import type { Shared } from "../engine/pool.js";
import type { Data, Graph, Path, Weights } from "../protocol.js";

export interface Moment {
  readonly shared: Shared;
  /** What the points are colored by. */
  readonly color: string;
  /** The neighbor graph, and the number of neighbors that it was computed with. */
  readonly graph: Graph | undefined;
  /** The row under the pointer, or -1. */
  readonly hovered: number;
  /** The row that was pointed at last, from which the keys go on, or -1. */
  readonly reached: number;
  /** At most two rows. */
  readonly picked: readonly number[];
  readonly selected: ReadonlySet<number> | undefined;
  /** Distances of all rows from a pointed one, where points are colored by them. */
  readonly distances: Float64Array | undefined;
  /** The weights of the one picked row. */
  readonly weights: Weights | undefined;
  /** The path between the two picked rows. */
  readonly path: Path | undefined;
}

/** The first moment of new data. Rows stay pointed at, picked and selected where the points are the same. */
export function begun(before: Moment | undefined, shared: Shared, color: string): Moment {
  const same = before !== undefined && samePoints(before.shared, shared);
  return {
    shared,
    color,
    graph: undefined,
    hovered: same ? before.hovered : -1,
    reached: same ? before.reached : -1,
    picked: same ? before.picked : [],
    selected: same ? before.selected : undefined,
    distances: undefined,
    weights: undefined,
    path: undefined,
  };
}

/** Whether rows of two data sets are compared: the same set with as many points. */
export function samePoints(a: Shared, b: Shared): boolean {
  return keyOf(a) === keyOf(b) && a.data.n === b.data.n;
}

/** The key of the data set in the settings. */
export function keyOf({ name }: Shared): string {
  return name.slice(0, name.lastIndexOf("/"));
}

/** The moment after a row is pointed at; -1 is no row. */
export function pointed(moment: Moment, row: number): Moment {
  return { ...moment, hovered: row, reached: row < 0 ? moment.reached : row };
}

/** The moment after a row is picked, or picked no longer; -1 ends all picks. */
export function picked(moment: Moment, row: number): Moment {
  const { picked: before } = moment;
  const after =
    row < 0
      ? []
      : before.includes(row)
        ? before.filter((other) => other !== row)
        : before.length < 2
          ? [...before, row]
          : [row];
  return { ...moment, picked: after, weights: undefined, path: undefined };
}

/** The moment after rows are selected; without rows it ends the picks, too. */
export function selected(moment: Moment, rows: readonly number[]): Moment {
  if (rows.length > 0) return { ...moment, selected: new Set(rows) };
  return { ...moment, selected: undefined, picked: [], weights: undefined, path: undefined };
}

/** Whether this is a row of the data, or -1 for none. */
export function isRow({ n }: Data, row: number): boolean {
  return row >= -1 && row < n;
}
