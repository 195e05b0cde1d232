/** A fitted model, and the calls that need one. */

import { present } from "../../page/src/present.js";
import type { Event, Fit, Inverted, MapSource } from "../../page/src/protocol.js";
import type { MeasureName } from "../generated/methods.js";
import type { SwissrollError } from "./error.js";
import { type Points, pointsOf, type Rows } from "./table.js";
import type { PooledWorker, WorkerPool } from "./workers.js";

/** How a call is cancelled. */
export interface Cancellable {
  /** Ends the call, which then rejects with the signal's reason. */
  signal?: AbortSignal;
}

export interface FitOptions extends Cancellable {
  /** Bytes that one stage may take; default 1e9. The fit fails with code `memory` before it takes more. */
  memory?: number;
  /** Receives the stages and steps of the fit, and its iterations where `frames` is given. */
  onEvent?: (event: Event) => void;
  /** Every how many iterations of an iterative method an event has the coordinates; default never. */
  frames?: number;
  /** Which of several label sets of the data a supervised method reads; default 0. */
  labels?: number;
  /** How many eigenvalues after the map's own are computed; default 0. */
  further?: number;
}

export interface MeasureOptions extends Cancellable {
  /** Neighborhood size of the measures; default 10. */
  k?: number;
  /** The measures to compute; default all that apply. */
  names?: readonly MeasureName[];
  /** Number of evenly spaced rows over which rank measures are averaged; default all. */
  rows?: number;
}

export type Measures = Partial<Record<MeasureName, number>>;

/** What is needed to fit, and to fit again where the worker of a model has ended. */
export interface Recipe {
  method: string;
  points: Points;
  settings: Record<string, string | number | boolean>;
  options: FitOptions;
}

/** Where a model is held; `undefined` worker: nowhere. */
interface Held {
  name: string;
  worker: PooledWorker | undefined;
}

let names = 0;

/** A name that no data set and no model of any worker has. */
export function unused(): string {
  names += 1;
  return `package-${names}`;
}

/** Models that are no longer reachable leave their workers. */
const collected = new FinalizationRegistry<Held>(discard);

function discard(held: Held): void {
  const { worker, name } = held;
  held.worker = undefined;
  if (!worker?.client.usable) return;
  worker.models -= 1;
  worker.client.request({ type: "drop", data: [name], models: [name] }).catch(() => undefined);
}

/** Fits in a worker, where the model stays. */
export async function fitted(workers: WorkerPool, recipe: Recipe, held: Held): Promise<Fit> {
  const { method, points, settings, options } = recipe;
  const { onEvent, frames, memory, labels, further, signal } = options;
  return workers.run(
    async (worker) => {
      const { client } = worker;
      const { name } = held;
      await client.request({ type: "points", data: name, ...points });
      try {
        const { value } = await client.request(
          {
            type: "fit",
            data: name,
            model: name,
            method,
            settings,
            steps: onEvent !== undefined,
            ...(frames === undefined ? {} : { frames: { every: frames } }),
            ...(memory === undefined ? {} : { memory }),
            ...(labels === undefined ? {} : { labels }),
            ...(further === undefined ? {} : { further }),
          },
          onEvent,
        );
        held.worker = worker;
        worker.models += 1;
        return value;
      } catch (failure) {
        if (client.usable) await client.request({ type: "drop", data: [name], models: [name] });
        throw failure;
      }
    },
    { signal },
  );
}

/** A fitted model. It lives in a worker until {@link Model.free} or garbage collection. */
export class Model {
  private readonly held: Held;
  private freed = false;

  /** @internal */
  constructor(
    private readonly workers: WorkerPool,
    private readonly recipe: Recipe,
    held: Held,
    private readonly fit: Fit,
  ) {
    this.held = held;
    collected.register(this, held, held);
  }

  /** The method's name. */
  get method(): string {
    return this.fit.method;
  }

  /** The coordinates, row by row: n × dim. */
  get embedding(): Float64Array {
    return this.fit.coordinates;
  }

  /** Number of placed rows. */
  get n(): number {
    return this.fit.n;
  }

  /** Columns of the coordinates. */
  get dim(): number {
    return this.fit.columns;
  }

  /** The data row of each placed row, where a component policy left rows out; else `null`. */
  get rows(): Uint32Array | null {
    return this.fit.rows;
  }

  /** The eigenvalues behind the coordinates, then the further ones that were requested. */
  get spectrum(): { used: Float64Array; further: Float64Array } {
    return { used: this.fit.spectrum, further: this.fit.further };
  }

  /** Numbers, words and lists that the method reports, by name; `describe()` has their meanings. */
  get facts(): Readonly<Record<string, unknown>> {
    return this.fit.facts;
  }

  /** Sentences that a reader of the result must know. */
  get notes(): readonly string[] {
    return this.fit.notes;
  }

  /** Values per placed row that the method reports. */
  get perPoint(): readonly { title: string; values: Float64Array }[] {
    return this.fit.per_point;
  }

  /** The values of all parameters, as text. */
  get parameters(): Readonly<Record<string, string>> {
    return this.fit.settings;
  }

  /** Iterations of the optimization; 0 where the method has none. */
  get iterations(): number {
    return this.fit.iterations;
  }

  /** Places new rows with the columns of the fitted ones. Returns coordinates, row by row. */
  async transform(rows: Rows, { signal }: Cancellable = {}): Promise<Float64Array> {
    const { points, columns } = pointsOf(rows);
    const placed = await this.ask(signal, ({ client }) =>
      client.request({ type: "transform", model: this.held.name, points, columns }),
    );
    return placed.value.coordinates;
  }

  /**
   * Decodes places of the map, given in the form of rows, to data: by the pseudo-inverse where the method is a linear
   * map, else by barycentric weights of the nearest points, or by kernel ridge regression.
   */
  async invert(
    places: Rows,
    { by, k, signal }: Cancellable & { by?: "auto" | "barycentric" | "kernel_ridge"; k?: number } = {},
  ): Promise<Omit<Inverted, "id">> {
    const { points, columns } = pointsOf(places);
    const inverted = await this.ask(signal, ({ client }) =>
      client.request({
        type: "invert",
        model: this.held.name,
        places: points,
        columns,
        ...(by === undefined ? {} : { by }),
        ...(k === undefined ? {} : { k }),
      }),
    );
    return inverted.value;
  }

  /** Scores of the map against its data, and against true coordinates and labels where the data have them. */
  async measures(options: MeasureOptions = {}): Promise<Measures> {
    return this.ask(options.signal, (worker) =>
      measured(worker, this.held.name, { model: this.held.name }, options),
    );
  }

  /** Sentences on probable faults of the map. */
  async diagnose({ signal }: Cancellable = {}): Promise<string[]> {
    const diagnosis = await this.ask(signal, ({ client }) =>
      client.request({ type: "diagnose", model: this.held.name }),
    );
    return diagnosis.value.sentences.map(({ sentence }) => sentence);
  }

  /** Removes the model from its worker; the embedding remains, and later calls fit again. */
  free(): void {
    this.freed = true;
    discard(this.held);
  }

  /** Runs a call where the model is held. Where its worker has ended, the same fit is repeated first. */
  private async ask<V>(
    signal: AbortSignal | undefined,
    work: (worker: PooledWorker) => Promise<V>,
  ): Promise<V> {
    for (;;) {
      const { held, workers } = this;
      if (!held.worker || !workers.has(held.worker)) {
        const options = { ...this.recipe.options, onEvent: undefined, frames: undefined, signal };
        await fitted(workers, { ...this.recipe, options: defined(options) }, held);
      }
      const worker = present(held.worker);
      try {
        return await workers.run(work, { worker, signal });
      } catch (failure) {
        const { code } = failure as SwissrollError;
        if (code !== "cancelled" || workers.has(worker) || workers.closed) throw failure;
      } finally {
        if (this.freed) discard(held);
      }
    }
  }
}

/** The options that are given. */
function defined<T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}

/** Measures a map of data that the worker holds. */
export async function measured(
  { client }: PooledWorker,
  data: string,
  map: MapSource,
  { k, names: chosen, rows }: MeasureOptions,
): Promise<Measures> {
  const { value } = await client.request({
    type: "measures",
    data,
    map,
    ...(k === undefined ? {} : { k }),
    ...(chosen === undefined ? {} : { names: [...chosen] }),
    ...(rows === undefined ? {} : { rows }),
  });
  return Object.fromEntries(value.scores.map(({ name, value }) => [name, value]));
}
