/** Workers with an engine each, and the calls that wait for them. */

import { engineModule } from "../../page/src/engine/artifact.js";
import { Client } from "../../page/src/engine/client.js";
import { carried } from "./carried.js";
import { SwissrollError, translated } from "./error.js";

/** A worker, for one call at a time. */
export interface Lane {
  client: Client;
  /** How many models the worker holds. */
  models: number;
  busy: boolean;
}

interface Call {
  /** The only worker that can run the call. */
  lane: Lane | undefined;
  /** Whether an abort may end the worker: then one without models is preferred. */
  abortable: boolean;
  begin(lane: Lane): void;
  fail(reason: unknown): void;
}

/** The engine's module, compiled once for all workers. */
let compiled: Promise<WebAssembly.Module> | undefined;

export function compiledEngine(): Promise<WebAssembly.Module> {
  compiled ??= carried().then(engineModule);
  return compiled;
}

export class Lanes {
  private readonly lanes = new Set<Lane>();
  private calls: Call[] = [];
  private module: WebAssembly.Module | undefined;
  /** Whether {@link close} was called. */
  closed = false;

  constructor(private readonly most: number) {}

  /**
   * Runs work in a worker: in `lane`, or in any that is free. An abort takes the call out of the queue, or ends the
   * worker that runs it.
   */
  async run<V>(
    work: (lane: Lane) => Promise<V>,
    { lane, signal }: { lane?: Lane | undefined; signal?: AbortSignal | undefined } = {},
  ): Promise<V> {
    signal?.throwIfAborted();
    this.module = await compiledEngine();
    signal?.throwIfAborted();
    if (this.closed) throw refusal();
    let running: Lane | undefined;
    let abort: (() => void) | undefined;
    try {
      running = await new Promise<Lane>((begin, fail) => {
        const call = { lane, abortable: signal !== undefined, begin, fail };
        abort = () => {
          this.calls = this.calls.filter((other) => other !== call);
          running?.client.end();
          fail(signal?.reason);
        };
        signal?.addEventListener("abort", abort);
        this.calls.push(call);
        this.fill();
      });
      return await work(running);
    } catch (failure) {
      signal?.throwIfAborted();
      throw translated(failure);
    } finally {
      if (abort) signal?.removeEventListener("abort", abort);
      if (running) {
        running.busy = false;
        if (!running.client.usable) this.lanes.delete(running);
      }
      this.fill();
    }
  }

  /** Whether the worker can still answer. */
  has(lane: Lane): boolean {
    return this.lanes.has(lane) && lane.client.usable;
  }

  /** Ends all workers. */
  close(): void {
    this.closed = true;
    for (const { client } of this.lanes) client.end("cancelled", refusal().message);
    this.lanes.clear();
    for (const call of this.calls.splice(0)) call.fail(refusal());
  }

  private fill(): void {
    for (const call of [...this.calls]) {
      const lane = this.lane(call);
      if (!lane) continue;
      this.calls.splice(this.calls.indexOf(call), 1);
      lane.busy = true;
      call.begin(lane);
    }
  }

  private lane({ lane, abortable }: Call): Lane | undefined {
    if (lane) return lane.busy ? undefined : lane;
    const free = [...this.lanes].filter(({ busy }) => !busy).sort((a, b) => a.models - b.models);
    const first = free[0];
    if (first && (first.models === 0 || !abortable)) return first;
    if (this.lanes.size >= this.most) return first;
    const made = { client: new Client(this.module!), models: 0, busy: false };
    this.lanes.add(made);
    return made;
  }
}

function refusal(): SwissrollError {
  return new SwissrollError("cancelled", "this engine was closed; make another one");
}
