/** The fit behind a panel: starts it, ends it for a newer one, and measures its map. */

import type { Client, EngineFailure } from "../engine/client.js";
import type { Pool, Shared, Task } from "../engine/pool.js";
import { type Known, keyOf, type Recipe, requestOf } from "../engine/start.js";
import type { Event, Fit, Measured, PerPointInfo, PointValues } from "../protocol.js";

/** The map that a panel is to show. */
export interface Wanted extends Recipe {
  data: Shared;
}

/** What a panel shows of its fit. */
export interface Shows {
  /** What is shown is not of the settings: a fit of them is queued, or will be. */
  waiting(): void;
  begun(wanted: Wanted): void;
  event(event: Event): void;
  fitted(fit: Fit, milliseconds: number, wanted: Wanted): void;
  failed(failure: EngineFailure, wanted: Wanted): void;
  measured(scores: Measured["scores"], sentences: string[]): void;
  /** The map that is shown has no scores, for this reason. */
  unmeasured(reason: string): void;
  perPoint(values: PointValues): void;
}

/** A fit that has run this long, in milliseconds, is ended when a newer setting comes; a shorter one may finish. */
const PATIENCE = 160;
/** A fit that is expected to be done within this time, in milliseconds, may finish, too. */
const WORTH = 800;
const REST = 140;
/** A fit that is expected to take longer begins when no newer setting has come for this long, in milliseconds. */
const SETTLED = 220;
/** Above this number of points measures look at this many rows; the page states this next to the scores. */
export const MEASURED_ROWS = 1500;
/** Above this number of points, perturbation scores are computed for this many points; the others are gray. */
const SCORED_ROWS = 1000;

export class PanelFit {
  private wanted: Wanted | undefined;
  private key = "";
  private task: Task | undefined;
  private measuring: Task | undefined;
  private holder: Client | undefined;
  private result: Fit | undefined;
  /** What the result was fitted for. */
  private of: Wanted | undefined;
  private pointMeasure: PerPointInfo | undefined;
  /** The last requested per-point measure. */
  private colored: { result: Fit; name: string } | undefined;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private settling: ReturnType<typeof setTimeout> | undefined;
  /** Whether the panel is on the screen; scores of others are computed last. */
  private visible = true;
  /** Milliseconds that a fit is expected to take: the time of the last fit, or its time until it was ended. */
  private expected = 0;

  constructor(
    readonly model: string,
    private readonly pool: Pool,
    private readonly shows: Shows,
    private readonly known: Known,
  ) {}

  /** The map of a recipe, where it is the last one. */
  resultOf(data: Shared, recipe: Recipe): Fit | undefined {
    const { of, result } = this;
    return of?.data === data && keyOf(of) === keyOf(recipe) ? result : undefined;
  }

  /** Requests a fit; nothing happens where the last request was the same. */
  want(wanted: Wanted): void {
    const key = JSON.stringify({ ...wanted, data: wanted.data.name });
    if (key === this.key) return;
    this.key = key;
    this.wanted = wanted;
    clearTimeout(this.rest);
    if (this.measuring) this.retire(this.measuring);
    this.measuring = undefined;
    this.shows.waiting();
    const task = this.task;
    if (task && this.retire(task)) return;
    this.task = undefined;
    this.settle();
  }

  /** Begins the fit; one that takes long only when the settings have come to a stop. */
  private settle(): void {
    clearTimeout(this.settling);
    if (this.expected < PATIENCE) this.submit();
    else {
      this.pool.expect(this);
      this.settling = setTimeout(() => this.task ?? this.submit(), SETTLED);
    }
  }

  /** The panel has come on the screen, or left it. */
  seen(visible: boolean): void {
    this.visible = visible;
    if (this.measuring) this.measuring.urgency = this.urgency;
  }

  private get urgency(): "measure" | "last" {
    return this.visible ? "measure" : "last";
  }

  /** Ending a worker costs a new one with the data: a fit that is nearly done is not worth it. */
  private get patience(): number {
    return this.expected > 0 && this.expected < WORTH ? WORTH : PATIENCE;
  }

  /** Takes a task out of the queue, or lets it run for a short time more; returns whether it runs. */
  private retire(task: Task): boolean {
    const elapsed = this.pool.runningFor(task);
    if (elapsed === undefined) this.pool.cancel(task);
    else setTimeout(() => this.pool.cancel(task), Math.max(0, this.patience - elapsed));
    return elapsed !== undefined;
  }

  /** Ends the running fit; the panel keeps its contents. */
  stop(): void {
    this.key = "";
    this.wanted = undefined;
    this.pool.unexpect(this);
    clearTimeout(this.rest);
    clearTimeout(this.settling);
    const tasks = [this.task, this.measuring];
    this.measuring = undefined;
    for (const task of tasks) if (task) this.pool.cancel(task);
  }

  /** Requests a per-point measure in addition to the scores; measured once for each fit. */
  color(measure: PerPointInfo | undefined): void {
    this.pointMeasure = measure;
    const { result } = this;
    const done = this.colored?.result === result && this.colored?.name === measure?.name;
    if (measure === undefined || !result || this.task || done) return;
    this.measure(0);
  }

  /**
   * Whether this worker has the model of the result. Where the worker that had it was ended by another panel, it is
   * fitted again, which gives the same model.
   */
  private async holds(client: Client, result: Fit, wanted: Wanted): Promise<boolean> {
    if (client === this.holder) return true;
    if (this.holder?.usable || this.result !== result) return false;
    const again = await requestOf(client, wanted.data, wanted, this.model, this.known)
      .then((request) => client.request({ ...request, steps: false }))
      .catch(() => undefined);
    if (!again || this.result !== result) return false;
    client.models.set(this.model, wanted.data.name);
    this.holder = client;
    return true;
  }

  /** Runs a request on the model of the last fit; `undefined` where a newer fit comes. */
  withModel<T>(run: (client: Client) => Promise<T>): Promise<T | undefined> {
    const { holder, wanted, result } = this;
    if (!result || !wanted || this.of !== wanted || this.task) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const task: Task = {
        urgency: "fit",
        data: wanted.data,
        pinned: holder?.usable ? holder : undefined,
        run: async (client) =>
          resolve((await this.holds(client, result, wanted)) ? await run(client) : undefined),
        failed: () => resolve(undefined),
      };
      this.pool.add(task);
    });
  }

  /** Eigenvalues after the map's own, by a fit of their own; `undefined` where a newer map came or is awaited. */
  further(count: number): Promise<Float64Array | undefined> {
    const { result, of: wanted } = this;
    if (!result || !wanted || this.wanted !== wanted) return Promise.resolve(undefined);
    const { data } = wanted;
    const model = `${this.model}-spectrum`;
    return new Promise((resolve) => {
      this.pool.add({
        urgency: "measure",
        expected: this.expected,
        data,
        run: async (client) => {
          if (this.result !== result) {
            resolve(undefined);
            return;
          }
          const request = await requestOf(client, data, wanted, model, this.known);
          const { value } = await client.request({ ...request, further: count, steps: false });
          await client.request({ type: "drop", models: [model] });
          resolve(this.result === result ? value.further : undefined);
        },
        // The spectrum stays as it is, where the fit ended early.
        failed: () => resolve(undefined),
      });
    });
  }

  private submit(): void {
    const wanted = this.wanted;
    if (!wanted) {
      this.pool.unexpect(this);
      return;
    }
    const { data } = wanted;
    const task: Task = {
      urgency: "fit",
      expected: this.expected,
      data,
      run: async (client) => {
        this.shows.begun(wanted);
        const request = await requestOf(client, data, wanted, this.model, this.known);
        const { value, milliseconds } = await client.request(
          { ...request, frames: { every: 1 } },
          (event) => this.task === task && this.shows.event(event),
        );
        client.models.set(this.model, data.name);
        this.holder = client;
        this.task = undefined;
        this.result = value;
        this.of = wanted;
        this.expected = milliseconds;
        this.shows.fitted(value, milliseconds, wanted);
        if (this.wanted === wanted) {
          this.measure(REST);
          return;
        }
        this.shows.waiting();
        this.settle();
      },
      failed: (failure) => {
        if (this.task !== task) return;
        this.task = undefined;
        if (this.wanted !== wanted) {
          this.expected = Math.max(this.expected, PATIENCE);
          this.settle();
          return;
        }
        this.result = undefined;
        this.shows.failed(failure, wanted);
      },
    };
    this.task = task;
    this.pool.add(task);
    // Only now: before, a measure would take the worker.
    this.pool.unexpect(this);
  }

  private measure(wait: number): void {
    clearTimeout(this.rest);
    if (this.result && this.pointMeasure)
      this.colored = { result: this.result, name: this.pointMeasure.name };
    this.rest = setTimeout(() => this.measureNow(), wait);
  }

  private measureNow(): void {
    const { result, wanted, holder } = this;
    // While a newer fit is awaited, the requested data may differ from the data of the result.
    if (!result || !wanted || this.of !== wanted || this.task) return;
    if (this.measuring) this.retire(this.measuring);
    const map = {
      coordinates: result.coordinates,
      columns: result.columns,
      ...(result.rows ? { rows: result.rows } : {}),
    };
    const data = wanted.data.name;
    const current = () => this.measuring === task && this.result === result;
    const task: Task = {
      urgency: this.urgency,
      data: wanted.data,
      pinned: holder?.usable ? holder : undefined,
      run: async (client) => {
        const wantedValues = this.pointMeasure;
        const values = async ({ name, needs_model }: PerPointInfo) => {
          if (needs_model && !(await this.holds(client, result, wanted))) return;
          const of = needs_model ? { map: { model: this.model }, rows: SCORED_ROWS } : { map };
          // Scores may exist where values per point do not.
          const found = await client
            .request({ type: "per_point", data, names: [name], ...of })
            .catch((failure: unknown) => {
              if (!client.usable) throw failure;
            });
          for (const values of found?.value.measures ?? []) if (current()) this.shows.perPoint(values);
        };
        if (wantedValues && !wantedValues.needs_model) await values(wantedValues);
        const rows = result.n > MEASURED_ROWS ? { rows: MEASURED_ROWS } : {};
        const { value } = await client.request({ type: "measures", data, map, ...rows });
        // Scores are shown without a diagnosis, too.
        const diagnosis =
          (await this.holds(client, result, wanted)) &&
          (await client.request({ type: "diagnose", model: this.model }).catch(() => undefined));
        if (!current()) return;
        const sentences = diagnosis ? diagnosis.value.sentences.map(({ sentence }) => sentence) : [];
        this.shows.measured(value.scores, sentences);
        // New points of some layouts take seconds to place: scores come first.
        if (wantedValues?.needs_model) await values(wantedValues);
      },
      // Maps are shown without measures, but with the reason, where measures fail.
      failed: (failure) => {
        if (!current()) return;
        // The worker of the model was ended by a fit of another panel: any other worker can measure.
        if (task.pinned && !task.pinned.usable && failure.kind !== "crashed") this.measureNow();
        else
          this.shows.unmeasured(
            `the measures failed: ${failure.message}${failure.parameter === undefined ? "" : " (a setting of the measures, not of the methods)"}`,
          );
      },
    };
    this.measuring = task;
    this.pool.add(task);
  }
}
