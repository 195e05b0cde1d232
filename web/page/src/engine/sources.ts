/** Where data sets come from: the catalog of the engine, files bundled with the page, files of the user. */

import type { Data, Geometry, ImageShape, Source } from "../protocol.js";
import type { Settings } from "../state/settings.js";
import { bytesOf, gunzip } from "./artifact.js";
import { type Client, type Unnumbered } from "./client.js";
import type { Request } from "../protocol.js";

/** Numbers as text: base64 of gzip of little-endian values. */
export interface Packed {
  f64?: string;
  u32?: string;
  u8?: string;
}

/** A data set that `compare lab` put into the page. */
export interface Own {
  name: string;
  file: string;
  columns: number;
  points: Packed;
  truth: Packed | null;
  truth_columns: number;
  truth_names: string[];
  geometry: Geometry;
  labels: { name: string; classes: string[]; values: Packed }[];
  images: ImageShape | null;
  /** The pictures of the rows, in 256 levels, where the points are not the pixels. */
  pixels: Packed | null;
  notes: string;
}

/** How a file is read. */
export interface ReadOptions {
  label_column?: string;
  ignore?: string[];
  standardize?: boolean;
}

interface Held {
  request: Unnumbered<Extract<Request, { type: "points" | "read" }>>;
  rows: number;
  pixels?: Float64Array;
}

/** Above this number of rows a sample is shown at first. */
const USUAL_ROWS = 2000;

export class Sources {
  private readonly held = new Map<string, Held>();
  private readonly packed = new Map<string, Own>();

  constructor(own: readonly Own[]) {
    for (const data of own) this.packed.set(data.name, data);
  }

  names(): string[] {
    return [...new Set([...this.packed.keys(), ...this.held.keys()])];
  }

  /** The number of rows to begin with. */
  usualSize(name: string): number | undefined {
    const rows = this.held.get(name)?.rows;
    return rows === undefined ? undefined : Math.min(rows, USUAL_ROWS);
  }

  /** The number of rows of a data set that was read. */
  rows(name: string): number | undefined {
    return this.held.get(name)?.rows;
  }

  /** Reads a file once, and keeps it under its name, in place of one that was read before. */
  async add(file: File, options: ReadOptions, client: Client): Promise<string> {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const request = { type: "read", data: "file", name: file.name, bytes, ...options } as const;
    const { value } = await client.request(request);
    await client.request({ type: "drop", data: ["file"] });
    this.packed.delete(file.name);
    this.held.set(file.name, { request, rows: value.n });
    return file.name;
  }

  /** The data set that the settings name, made or read by the engine under `name`. */
  async load(settings: Settings, name: string, client: Client): Promise<{ data: Data; source: Source | undefined }> {
    const old = [...client.data];
    const drop = old.length > 0 ? client.request({ type: "drop", data: old }) : undefined;
    client.data.clear();
    await drop;
    const { data, n, noise, seed } = settings;
    if (!data.startsWith("own:")) {
      const { value } = await client.request({ type: "generate", data: name, dataset: data, n, noise, seed });
      return { data: value, source: { dataset: data, n, noise, seed } };
    }
    const own = data.slice("own:".length);
    const held = this.held.get(own) ?? (await this.unpack(own));
    const source = { file: held.request.type === "read" ? held.request.name : this.packed.get(own)!.file };
    const whole = held.rows <= n ? name : `${name}/whole`;
    let { value } = await client.request({ ...held.request, data: whole } as typeof held.request);
    if (whole !== name) {
      ({ value } = await client.request({ type: "sample", data: name, of: whole, n, seed }));
      await client.request({ type: "drop", data: [whole] });
    }
    return { data: pictured({ ...value, title: own }, held), source };
  }

  private async unpack(name: string): Promise<Held> {
    const own = this.packed.get(name);
    if (!own) throw new Error(`The address names the file ${name}, which is not part of this page: open it.`);
    const points = await floats(own.points);
    const labels = await Promise.all(own.labels.map(async ({ name, classes, values }) => ({ name, classes, values: await integers(values) })));
    const truth = own.truth ? { truth: await floats(own.truth), truth_columns: own.truth_columns, truth_names: own.truth_names } : {};
    const request = {
      type: "points", data: "", points, columns: own.columns, title: own.name, geometry: own.geometry, labels, notes: own.notes, ...truth,
      ...(own.images ? { images: own.images } : {}), source: { file: own.file },
    } as const;
    const pixels = own.pixels ? { pixels: Float64Array.from(new Uint8Array(await gunzip(bytesOf(own.pixels.u8 ?? ""))), (level) => (level / 255) * (own.images?.white ?? 1)) } : {};
    const held = { request, rows: points.length / own.columns, ...pixels };
    this.held.set(name, held);
    return held;
  }
}

/** The data with the pictures of their rows, which the engine does not need. */
function pictured(data: Data, { pixels }: Held): Data {
  if (!pixels || !data.images) return data;
  const { height, width, channels } = data.images;
  const size = height * width * channels;
  const { rows } = data;
  if (!rows) return { ...data, pixels };
  const chosen = new Float64Array(rows.length * size);
  rows.forEach((row, i) => chosen.set(pixels.subarray(row * size, (row + 1) * size), i * size));
  return { ...data, pixels: chosen };
}

async function floats({ f64 }: Packed): Promise<Float64Array> {
  return new Float64Array(await gunzip(bytesOf(f64 ?? "")));
}

async function integers({ u32 }: Packed): Promise<Uint32Array> {
  return new Uint32Array(await gunzip(bytesOf(u32 ?? "")));
}
