/** Where data sets come from: the catalog of the engine, files bundled with the page, files of the user. */

import { present } from "../present.js";
import type { Data, FileWarning, Geometry, ImageShape, Request, RowNames, Source } from "../protocol.js";
import type { Settings } from "../state/settings.js";
import { bytesOf, gunzip } from "./artifact.js";
import type { Client, Owner, Unnumbered } from "./client.js";
import { type Computed, isOf, type Run, unpackRun } from "./computed.js";
import { floats, integers, type Packed } from "./packed.js";

/** A data set that `compare lab` put into the page. */
export interface Own {
  name: string;
  /** Where it was read from; `null` for a data set of the catalog. */
  file: string | null;
  /** Whether it has all rows of a data set of the catalog, so that the command line draws the same samples. */
  complete?: boolean;
  columns: number;
  /** Names of the columns; empty where they have none. */
  column_names: string[];
  points: Packed;
  truth: Packed | null;
  truth_columns: number;
  truth_names: string[];
  geometry: Geometry;
  labels: { name: string; classes: string[]; values: Packed; unknown?: number }[];
  quantities: { name: string; values: Packed }[];
  row_names: RowNames | null;
  images: ImageShape | null;
  /** The pictures of the rows, in 256 levels, where the points are not the pixels. */
  pixels: Packed | null;
  notes: string;
}

/** How a file is read. */
export interface ReadOptions {
  label_column?: string;
  ignore?: string[];
  color_columns?: string[];
  name_column?: string;
  windows_1252?: boolean;
  decimal_comma?: boolean;
  standardize?: boolean;
  missing?: "drop" | "mean" | "median" | "zero" | "refuse";
  missing_values?: string[];
}

interface Held {
  request: Unnumbered<Extract<Request, { type: "points" | "read" }>>;
  rows: number;
  /** The pictures of the rows, where the points are not their pixels. */
  pictures?: { images: ImageShape; pixels: Float64Array };
}

/** Above this number of rows a sample is shown at first. */
export const USUAL_ROWS = 2000;
const USUAL_BUNDLED = 1000;

/** What a data set of one's own has before its name in the settings. */
const PREFIX = "own:";

export class Sources {
  private readonly held = new Map<string, Held>();
  private readonly packed = new Map<string, Own>();
  private readonly computed = new Map<string, Computed>();

  constructor(carried: readonly Own[], computed: readonly Computed[]) {
    for (const data of carried) this.packed.set(keyOf(data), data);
    for (const run of computed) this.computed.set(run.key, run);
  }

  /** The run that computed maps of a data set. */
  run(key: string): Computed | undefined {
    return this.computed.get(key);
  }

  /** Whether the page has the points of a data set. */
  has(key: string): boolean {
    return this.held.has(key) || this.packed.has(key) || this.computed.has(key);
  }

  /** The name of a file of one's own that the page does not have. */
  missing(key: string): string | undefined {
    return key.startsWith(PREFIX) && !this.has(key) ? key.slice(PREFIX.length) : undefined;
  }

  /** The data sets of one's own: their keys in the settings, and their names. */
  own(): [string, string][] {
    const keys = [...this.packed.keys(), ...this.held.keys()].filter((key) => key.startsWith(PREFIX));
    return [...new Set(keys)].map((key) => [key, key.slice(PREFIX.length)]);
  }

  /** The data sets of the catalog that the page carries. */
  bundled(): string[] {
    return [...this.packed.keys()].filter((key) => !key.startsWith(PREFIX));
  }

  /** The number of rows of a data set that was read. */
  rows(key: string): number | undefined {
    return this.held.get(key)?.rows;
  }

  /** The number of rows to begin with. */
  usualSize(key: string): number | undefined {
    const rows = this.held.get(key)?.rows;
    if (rows !== undefined) return Math.min(rows, USUAL_ROWS);
    return key.startsWith(PREFIX) ? USUAL_ROWS : USUAL_BUNDLED;
  }

  /** Reads a file once, and keeps it, instead of the file of this name that was read before. */
  async add(
    file: File,
    options: ReadOptions,
    client: Client,
  ): Promise<{ key: string; rows: number; warnings: FileWarning[] }> {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const request = { type: "read", data: "file", name: file.name, bytes, ...options } as const;
    const { value } = await client.request(request);
    await client.request({ type: "drop", data: ["file"] });
    const key = PREFIX + file.name;
    this.packed.delete(key);
    this.computed.delete(key);
    this.held.set(key, { request, rows: value.n });
    return { key, rows: value.n, warnings: value.warnings ?? [] };
  }

  /** How the command line makes the points of a data set of the catalog that the page carries; `undefined` for others. */
  listed({ data: key, n, seed }: Settings): Source | undefined {
    const own = this.packed.get(key);
    if (!own || own.file !== null) return undefined;
    const rows = this.held.get(key)?.rows ?? 0;
    if (!own.complete)
      throw new Error(
        `The page carries ${rows.toLocaleString("en")} rows of ${key} and takes its samples of them; the command line samples all rows of ${key}, which gives other points.`,
      );
    return { dataset: key, n: Math.min(n, rows), seed };
  }

  /** The data set that the settings name, made or read by the engine under `name`. */
  async load(
    settings: Settings,
    name: string,
    client: Client,
    owner: Owner,
  ): Promise<{ data: Data; source: Source | undefined; run?: Run }> {
    await client.discard(owner);
    const { data: key, n, noise, seed } = settings;
    const computed = this.run(key);
    if (computed && isOf(computed, settings)) {
      const run = await unpackRun(computed, name);
      return { data: run.data, source: undefined, run };
    }
    if (!this.held.has(key) && !this.packed.has(key)) {
      const { value } = await client.request({ type: "generate", data: name, dataset: key, n, noise, seed });
      return { data: value, source: { dataset: key, n, noise, seed } };
    }
    const held = this.held.get(key) ?? (await this.unpack(key));
    const file = held.request.type === "read" ? held.request.name : present(this.packed.get(key)).file;
    const source = file === null ? { dataset: key, n, seed } : { file };
    const whole = held.rows <= n ? name : `${name}/whole`;
    let { value } = await client.request({ ...held.request, data: whole });
    if (whole !== name) {
      ({ value } = await client.request({ type: "sample", data: name, of: whole, n, seed }));
      await client.request({ type: "drop", data: [whole] });
    }
    return { data: pictured({ ...value, title: key.replace(PREFIX, "") }, held), source };
  }

  private async unpack(key: string): Promise<Held> {
    const own = present(this.packed.get(key));
    const points = await floats(own.points);
    const labels = await Promise.all(
      own.labels.map(async (labels) => ({ ...labels, values: await integers(labels.values) })),
    );
    const quantities = await Promise.all(
      own.quantities.map(async ({ name, values }) => ({ name, values: await floats(values) })),
    );
    const truth = own.truth
      ? { truth: await floats(own.truth), truth_columns: own.truth_columns, truth_names: own.truth_names }
      : {};
    const request = {
      type: "points",
      data: "",
      points,
      columns: own.columns,
      column_names: own.column_names,
      title: own.name,
      geometry: own.geometry,
      labels,
      quantities,
      row_names: own.row_names,
      notes: own.notes,
      ...truth,
      ...(own.images && !own.pixels ? { images: own.images } : {}),
    } as const;
    const held: Held = { request, rows: points.length / own.columns };
    if (own.images && own.pixels) {
      const levels = new Uint8Array(await gunzip(bytesOf(own.pixels.u8 ?? "")));
      const { white } = own.images;
      held.pictures = {
        images: own.images,
        pixels: Float64Array.from(levels, (level) => (level / 255) * white),
      };
    }
    this.held.set(key, held);
    return held;
  }
}

/** The data with the pictures of their rows, which the engine does not need. */
function pictured(data: Data, { pictures }: Held): Data {
  if (!pictures) return data;
  const { images, pixels } = pictures;
  const { rows } = data;
  if (!rows) return { ...data, images, pixels };
  const size = images.height * images.width * images.channels;
  const chosen = new Float64Array(rows.length * size);
  rows.forEach((row, i) => chosen.set(pixels.subarray(row * size, (row + 1) * size), i * size));
  return { ...data, images, pixels: chosen };
}

/** The key of a carried data set in the settings. */
export function keyOf({ name, file }: Own): string {
  return file === null ? name : PREFIX + name;
}
