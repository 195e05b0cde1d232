/** What the points can be colored by, and the colors and legend that follow. */

import { byClass, byNumber, type Coloring, robustEnds } from "../draw/color.js";
import { present } from "../present.js";
import type { Data, PerPointInfo } from "../protocol.js";

export interface Choice {
  key: string;
  title: string;
  group: string;
}

/** What the colors mean. */
export type Legend =
  | { kind: "classes"; title: string; classes: string[]; counts: number[] }
  | {
      kind: "ramp";
      title: string;
      low: number;
      high: number /** Whether there are smaller values, and larger ones. */;
      beyond: [boolean, boolean];
      note: string;
    };

export interface Colored {
  coloring: Coloring;
  legend: Legend;
}

/** Distances from the point under the pointer, in the data or along the graph. */
export const NEAR = "near";
export const ALONG = "along";
const OF_MAP = "map:";
const REPORTED = "fit:";

const MOST_COLUMNS = 12;

/**
 * All that the data can be colored by. `measures` are the measures of the engine, `undefined` where it does not
 * have the data; `reported` are the values per point that fits have reported.
 */
export function choices(
  data: Data,
  measures: readonly PerPointInfo[] | undefined,
  reported: readonly string[],
): Choice[] {
  const list: Choice[] = [];
  data.quantities.forEach(({ name }, i) =>
    list.push({ key: `quantity:${i}`, title: name, group: "Quantities" }),
  );
  data.labels.forEach(({ name }, i) => list.push({ key: `label:${i}`, title: name, group: "Classes" }));
  for (let i = 0; i < data.truth_columns && data.truth; i++) {
    list.push({
      key: `truth:${i}`,
      title: data.truth_names[i] ?? `true coordinate ${i + 1}`,
      group: "True coordinates",
    });
  }
  for (const info of measures ?? [])
    list.push({ key: OF_MAP + info.name, title: measured(info), group: "Measured in each map" });
  for (const title of reported)
    list.push({ key: REPORTED + title, title: distinct(title, measures), group: "Reported by a method" });
  if (measures) {
    list.push({ key: NEAR, title: "distance from the pointed point", group: "Distances" });
    list.push({ key: ALONG, title: "the same along the graph", group: "Distances" });
  }
  if (data.columns <= MOST_COLUMNS) {
    for (let i = 0; i < data.columns; i++)
      list.push({ key: `column:${i}`, title: columnName(data, i), group: "Columns of the data" });
  }
  list.push({ key: "row", title: "row number", group: "Columns of the data" });
  return list;
}

/** The title of values per point: the name of the score that is their mean, where there is one. */
function measured({ measure, title }: PerPointInfo): string {
  return measure?.replaceAll("_", " ") ?? title;
}

/** The title of values that a method reports, made different from the titles of measures. */
function distinct(title: string, measures: readonly PerPointInfo[] | undefined): string {
  return measures?.some((info) => measured(info) === title) ? `${title}, reported` : title;
}

export function columnName(data: Data, column: number): string {
  return data.column_names[column] ?? `x${column + 1}`;
}

/** The choice at the start: a quantity, else classes, else the first true coordinate, else the row. */
export function usual(data: Data): string {
  if (data.quantities.length > 0) return "quantity:0";
  if (data.labels.length > 0) return "label:0";
  return data.truth ? "truth:0" : "row";
}

/** The name of the measure that colors each map by its own values, if the choice is one. */
export function measureOf(key: string): string | undefined {
  return key.startsWith(OF_MAP) ? key.slice(OF_MAP.length) : undefined;
}

/** The values that a fit reports under this title, as a measure of each map; `undefined` for other choices. */
export function reportedOf(key: string, measures: readonly PerPointInfo[] = []): PerPointInfo | undefined {
  if (!key.startsWith(REPORTED)) return undefined;
  const title = key.slice(REPORTED.length);
  return {
    name: key,
    title: distinct(title, measures),
    meaning: "as the method reports it",
    measure: null,
    low: 0,
    high: null,
    better: null,
    needs_model: false,
  };
}

/** The name of values that a method reports, in its panel. */
export const reportedName = (title: string): string => REPORTED + title;

/** Colors that are the same in all pictures; `distances` are measured from the pointed point, where requested. */
export function shared(key: string, data: Data, dark: boolean, distances: Float64Array | undefined): Colored {
  const [kind, index] = [key.split(":")[0], Number(key.split(":")[1] ?? 0)];
  const labels = data.labels[index];
  if (kind === "label" && labels) {
    const counts = new Array<number>(labels.classes.length).fill(0);
    for (const value of labels.values) counts[value] = present(counts[value]) + 1;
    const classes = labels.classes.map((name, i) => (i === labels.unknown ? `${name} (unknown)` : name));
    return {
      coloring: byClass(labels.values, labels.classes.length, dark, labels.unknown ?? undefined),
      legend: { kind: "classes", title: labels.name, classes, counts },
    };
  }
  const quantity = data.quantities[index];
  if (kind === "quantity" && quantity) {
    const missing = quantity.values.filter(Number.isNaN).length;
    return ramped(quantity.values, quantity.name, dark, missing > 0 ? `${missing} missing, gray` : "");
  }
  if (kind === "truth" && data.truth && index < data.truth_columns) {
    return ramped(
      column(data.truth, data.truth_columns, index),
      data.truth_names[index] ?? `true coordinate ${index + 1}`,
      dark,
    );
  }
  if (kind === "column" && index < data.columns) {
    return ramped(column(data.points, data.columns, index), columnName(data, index), dark);
  }
  if (kind === NEAR || kind === ALONG) {
    const title = kind === NEAR ? "distance in the data" : "distance along the graph";
    return ramped(
      distances ?? new Float64Array(data.n).fill(NaN),
      title,
      dark,
      distances ? "" : "point at a point",
      0,
    );
  }
  return ramped(
    Float64Array.from({ length: data.n }, (_, i) => i),
    "row number",
    dark,
  );
}

/** Colors of values between ends that all maps share. */
export function ofMap(
  values: Float64Array | undefined,
  info: PerPointInfo,
  n: number,
  ends: [number, number],
  dark: boolean,
): Colored {
  const given = values ?? new Float64Array(n).fill(NaN);
  return {
    coloring: byNumber(given, ends[0], ends[1], dark),
    legend: {
      kind: "ramp",
      title: measured(info),
      low: ends[0],
      high: ends[1],
      beyond: beyond(given, ends[0], ends[1]),
      note: info.meaning + (info.better ? `; ${info.better} is better` : ""),
    },
  };
}

/** The ends of a ramp for the values of several maps. */
export function commonEnds(values: readonly Float64Array[], info: PerPointInfo): [number, number] {
  const all = new Float64Array(values.reduce((sum, list) => sum + list.length, 0));
  let at = 0;
  for (const list of values) {
    all.set(list, at);
    at += list.length;
  }
  const [low, high] = robustEnds(all);
  // The best value is an end of the ramp, also where no point reaches it.
  if (info.better === "lower") return [info.low, Math.max(high, info.low + 1e-12)];
  if (info.better === "higher" && info.high !== null) return [Math.min(low, info.high - 1e-12), info.high];
  return [low, high];
}

function column(values: Float64Array, columns: number, index: number): Float64Array {
  return Float64Array.from({ length: values.length / columns }, (_, i) =>
    present(values[i * columns + index]),
  );
}

function ramped(values: Float64Array, title: string, dark: boolean, note = "", from?: number): Colored {
  const [least, high] = robustEnds(values);
  const low = from ?? least;
  return {
    coloring: byNumber(values, low, high, dark),
    legend: { kind: "ramp", title, low, high, beyond: beyond(values, low, high), note },
  };
}

/** Whether values lie below and above the given ends; such values have the colors of the ends. */
function beyond(values: Float64Array, low: number, high: number): [boolean, boolean] {
  return [values.some((value) => value < low), values.some((value) => value > high)];
}

/** Euclidean distances from one row to all. */
export function distancesFrom(row: number, { points, columns, n }: Data): Float64Array {
  const out = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let a = 0; a < columns; a++) {
      const difference = present(points[i * columns + a]) - present(points[row * columns + a]);
      sum += difference * difference;
    }
    out[i] = Math.sqrt(sum);
  }
  return out;
}
