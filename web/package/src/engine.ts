/** The calls of the package. */

import type { Data, Description, Graph } from "../../page/src/protocol.js";
import type { DatasetName, MethodName, MethodParameters } from "../generated/methods.js";
import {
  type Cancellable,
  type FitOptions,
  fitted,
  type MeasureOptions,
  type Measures,
  Model,
  measured,
  unused,
} from "./model.js";
import { pointsOf, type Rows } from "./table.js";
import { processors } from "./threads.js";
import { type PooledWorker, WorkerPool } from "./workers.js";

export interface EngineOptions {
  /** The largest number of workers; default the number of processors, at least 1 and at most 8. */
  workers?: number;
}

/** Options of {@link Engine.dataset}; each set has its own defaults. */
export interface DatasetOptions extends Cancellable {
  n?: number;
  noise?: number;
  seed?: number;
}

/** Workers with an engine each. One exists for the functions of the package; more are for tests and special cases. */
export class Engine {
  private readonly workers: WorkerPool;

  constructor({ workers = Math.max(1, Math.min(8, processors())) }: EngineOptions = {}) {
    this.workers = new WorkerPool(workers);
  }

  /**
   * Fits a method. The same rows, parameters and seed give the same bytes.
   *
   * @param method one of `METHODS`
   * @param rows at least one row; all values finite. The arrays must not be changed while the model is in use.
   * @param parameters values of parameters of the method; unknown ones are refused
   */
  async fit<M extends MethodName>(
    method: M,
    rows: Rows,
    parameters: MethodParameters[M] = {},
    options: FitOptions = {},
  ): Promise<Model> {
    const settings = parameters as Record<string, string | number | boolean>;
    const recipe = { method, points: pointsOf(rows), settings, options };
    const held = { name: unused(), worker: undefined };
    return new Model(this.workers, recipe, held, await fitted(this.workers, recipe, held));
  }

  /** A generated data set with its true coordinates; `describe()` lists and explains them. */
  async dataset(name: DatasetName, { signal, ...options }: DatasetOptions = {}): Promise<Data> {
    const data = unused();
    return this.workers.run(
      async ({ client }) => {
        const { value } = await client.request({ type: "generate", data, dataset: name, ...options });
        await client.request({ type: "drop", data: [data] });
        return { ...value, data: name };
      },
      { signal },
    );
  }

  /** The neighbor graph of the rows: lists, edges, components, and edges that may be shortcuts. */
  async neighbors(
    rows: Rows,
    { signal, ...options }: Cancellable & ({ k: number } | { radius: number }) & { stretch?: number },
  ): Promise<Graph> {
    return this.holding(rows, signal, async ({ client }, data) => {
      const { value } = await client.request({ type: "graph", data, ...options });
      return value;
    });
  }

  /**
   * Scores of any map of the rows, such as one of another program.
   *
   * @param map the coordinates of each row, in the form of rows
   */
  async measures(rows: Rows, map: Rows, options: MeasureOptions = {}): Promise<Measures> {
    const { points: coordinates, columns } = pointsOf(map);
    return this.holding(rows, options.signal, (worker, data) =>
      measured(worker, data, { coordinates, columns }, options),
    );
  }

  /** Version, methods with parameters and explanations, data sets, and measures. */
  async describe(): Promise<Description> {
    return this.workers.run(async ({ client }) => (await client.request({ type: "describe" })).value);
  }

  /** Ends all workers. Running calls fail with code `cancelled`. */
  close(): void {
    this.workers.close();
  }

  /** Runs work in a worker that holds the rows meanwhile. */
  private holding<V>(
    rows: Rows,
    signal: AbortSignal | undefined,
    work: (worker: PooledWorker, data: string) => Promise<V>,
  ): Promise<V> {
    const points = pointsOf(rows);
    return this.workers.run(
      async (worker) => {
        const data = unused();
        await worker.client.request({ type: "points", data, ...points });
        try {
          return await work(worker, data);
        } finally {
          if (worker.client.usable) await worker.client.request({ type: "drop", data: [data] });
        }
      },
      { signal },
    );
  }
}
