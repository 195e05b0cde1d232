/** Workers shared by all panels: tasks run in order of urgency, and can be cancelled. */

import type { Data } from "../protocol.js";
import { Client, EngineFailure, type Owner } from "./client.js";
import type { Run } from "./computed.js";

/** Fits come first, then measures of maps on the screen, then all others. */
export type Urgency = "fit" | "measure" | "last";

/** Work for one worker that holds the data set. */
export interface Task {
  urgency: Urgency;
  /** Milliseconds that it is expected to take; shorter ones come first. */
  expected?: number;
  data: Shared;
  /** The worker that must run it, where only one has the model. */
  pinned?: Client | undefined;
  run(client: Client): Promise<void>;
  /** What becomes of the task when it cannot be run to its end. */
  failed(failure: EngineFailure): void;
}

/** A data set, and the name that all engines know it by. */
export interface Shared {
  name: string;
  owner: Owner;
  data: Data;
  source: import("../protocol.js").Source | undefined;
  /** The run whose maps are shown; no engine has these data. */
  run?: Run | undefined;
}

interface Running {
  task: Task;
  client: Client;
  since: number;
}

export class Pool {
  private readonly idle: Client[] = [];
  private readonly running: Running[] = [];
  private queue: Task[] = [];
  /** Whose fits will be added in a moment: until then no measure is begun, which would keep a worker from them. */
  private readonly expected = new Set<object>();

  constructor(
    private readonly module: Promise<WebAssembly.Module>,
    private readonly size: number,
  ) {
    // The first task is not to wait for a worker to start.
    this.idle.push(new Client(module));
  }

  add(task: Task): void {
    this.queue.push(task);
    this.fill();
  }

  /** A fit will be added in a moment. */
  expect(by: object): void {
    this.expected.add(by);
  }

  /** The fit was added, or will not be. */
  unexpect(by: object): void {
    if (this.expected.delete(by)) this.fill();
  }

  /** Whether the task runs, and for how many milliseconds. */
  runningFor(task: Task): number | undefined {
    const found = this.running.find((running) => running.task === task);
    return found && performance.now() - found.since;
  }

  /** Takes a task out of the queue, or ends the worker that runs it. */
  cancel(task: Task): void {
    this.queue = this.queue.filter((queued) => queued !== task);
    this.running.find((running) => running.task === task)?.client.end();
  }

  /** Discards the data of an owner in all workers that are idle. */
  discard(owner: Owner): void {
    for (const client of this.idle) client.discard(owner).catch(() => undefined);
  }

  /** Whether nothing is running or waiting. */
  get quiet(): boolean {
    return this.running.length === 0 && this.queue.length === 0;
  }

  private fill(): void {
    while (this.running.length < this.size) {
      const task = this.next();
      if (!task) return;
      this.queue.splice(this.queue.indexOf(task), 1);
      if (task.pinned && !task.pinned.usable)
        task.failed(new EngineFailure("model", "the worker of this model has ended"));
      else void this.start(task);
    }
  }

  /** The most urgent task whose worker is not busy. */
  private next(): Task | undefined {
    const busy = (client: Client | undefined) => this.running.some((running) => running.client === client);
    const ready = this.queue.filter(({ pinned }) => !pinned || !busy(pinned));
    const of = (wanted: Urgency) => ready.filter(({ urgency }) => urgency === wanted);
    const [fits, measures] = [of("fit"), of("measure")];
    if (fits.length === 0 && this.expected.size > 0) return undefined;
    return (fits.length > 0 ? fits : measures.length > 0 ? measures : ready).reduce(
      (first: Task | undefined, task) =>
        first && (first.expected ?? 0) <= (task.expected ?? 0) ? first : task,
      undefined,
    );
  }

  private async start(task: Task): Promise<void> {
    const holds = task.pinned
      ? this.idle.indexOf(task.pinned)
      : this.idle.findIndex((client) => client.data.has(task.data.name));
    const [known] = this.idle.splice(Math.max(holds, 0), 1);
    const client = known?.usable ? known : new Client(this.module);
    const running = { task, client, since: performance.now() };
    this.running.push(running);
    try {
      await provide(client, task.data);
      await task.run(client);
    } catch (failure) {
      task.failed(failure instanceof EngineFailure ? failure : new EngineFailure("other", String(failure)));
    }
    this.running.splice(this.running.indexOf(running), 1);
    if (client.usable) this.idle.push(client);
    this.fill();
  }
}

/** Gives an engine the data set, and discards the data sets that it had before of the same owner. */
export async function provide(client: Client, { name, owner, data, source }: Shared): Promise<void> {
  if (client.data.has(name)) return;
  await client.discard(owner);
  await client.request({
    type: "points",
    data: name,
    points: data.points,
    columns: data.columns,
    title: data.title,
    geometry: data.geometry,
    labels: data.labels,
    notes: data.notes,
    truth_columns: data.truth_columns,
    truth_names: data.truth_names,
    ...(data.truth ? { truth: data.truth } : {}),
    ...(source ? { source } : {}),
  });
  client.data.set(name, owner);
}
