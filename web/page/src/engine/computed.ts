/** Maps that a run has computed, which the page carries in 16 bits a value. */

import { dequantized, type Scales } from "../math/quantized.js";
import type { Data, Fit, Geometry, RowNames } from "../protocol.js";
import type { Settings } from "../state/settings.js";
import { bytesOf, gunzip } from "./artifact.js";
import { floats, integers, type Packed } from "./packed.js";

/** Columns of values in 16 bits. */
export interface Quantized extends Scales {
  levels: { u16: string };
}

/** A data set of a run with its maps. */
export interface Computed {
  /** Its key in the settings. */
  key: string;
  n: number;
  /** Columns of the data. */
  columns: number;
  /** Their names; empty where they have none. */
  column_names: string[];
  seed: number;
  noise: number;
  /** `null` where neighbors lie within a radius. */
  k: number | null;
  dim: number;
  /** The command line that repeats the run. */
  command: string;
  /** Up to three columns as they are, of more the first three principal components. */
  space: Quantized;
  truth: Quantized | null;
  truth_names: string[];
  geometry: Geometry;
  labels: { name: string; classes: string[]; values: Packed; unknown?: number }[];
  quantities: { name: string; values: Packed }[];
  row_names: RowNames | null;
  notes: string;
  maps: {
    method: string;
    coordinates: Quantized | null;
    rows: Packed | null;
    seconds: number;
    scores: [string, number][];
    spectrum: number[];
    sentences: string[];
    /** Why there is no map. */
    reason: string | null;
  }[];
}

/** A map of the run, or why there is none. */
export interface RunMap {
  fit: Fit | undefined;
  milliseconds: number;
  scores: { name: string; value: number }[];
  sentences: string[];
  reason: string;
}

/** A data set of the run, unpacked. */
export interface Run {
  of: Computed;
  data: Data;
  maps: Map<string, RunMap>;
}

/** Whether the settings equal the settings of the run, with its number of points or a larger one. */
export function isOf(run: Computed, { data, n, noise, seed, k, dim, methods }: Settings): boolean {
  const same = run.key === data && n >= run.n && noise === run.noise && seed === run.seed && dim === run.dim;
  return (
    same &&
    (run.k === null || k === run.k) &&
    methods.every(({ set, from }) => !from && Object.keys(set).length === 0)
  );
}

export async function unpackRun(run: Computed, name: string): Promise<Run> {
  const [points, truth, labels, quantities] = await Promise.all([
    values(run.space),
    run.truth && values(run.truth),
    Promise.all(run.labels.map(async (labels) => ({ ...labels, values: await integers(labels.values) }))),
    Promise.all(run.quantities.map(async ({ name, values }) => ({ name, values: await floats(values) }))),
  ]);
  const columns = run.space.low.length;
  const components = run.columns > columns || run.columns > 3;
  const data: Data = {
    data: name,
    title: run.key.replace(/^own:/, ""),
    n: run.n,
    columns,
    points,
    truth,
    truth_columns: run.truth?.low.length ?? 0,
    truth_names: run.truth_names,
    geometry: run.geometry,
    labels,
    quantities,
    row_names: run.row_names,
    images: null,
    pixels: null,
    rows: null,
    notes: run.notes,
    column_names: components
      ? Array.from({ length: columns }, (_, i) => `principal component ${i + 1}`)
      : run.column_names,
  };
  const maps = await Promise.all(run.maps.map(async (map) => [map.method, await unpackMap(map)] as const));
  return { of: run, data, maps: new Map(maps) };
}

async function unpackMap({
  method,
  coordinates,
  rows,
  seconds,
  scores,
  spectrum,
  sentences,
  reason,
}: Computed["maps"][number]): Promise<RunMap> {
  const columns = coordinates?.low.length ?? 0;
  const found = coordinates && (await values(coordinates));
  const fit: Fit | undefined = found
    ? {
        model: method,
        method,
        n: found.length / columns,
        columns,
        coordinates: found,
        rows: rows && (await integers(rows)),
        spectrum: Float64Array.from(spectrum.slice(0, columns)),
        further: Float64Array.from(spectrum.slice(columns)),
        facts: {},
        notes: sentences,
        per_point: [],
        stages: [],
        iterations: 0,
        settings: {},
        neighborhood: null,
      }
    : undefined;
  return {
    fit,
    milliseconds: 1000 * seconds,
    scores: scores.map(([name, value]) => ({ name, value })),
    sentences,
    reason: reason ?? "no map",
  };
}

async function values(packed: Quantized): Promise<Float64Array> {
  return dequantized(packed, new Uint8Array(await gunzip(bytesOf(packed.levels.u16))));
}
