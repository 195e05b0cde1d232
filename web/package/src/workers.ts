/** Workers with an engine each, and the calls that wait for them. */

import { engineModule } from "../../page/src/engine/artifact.js";
import { Client } from "../../page/src/engine/client.js";
import { carriedEngine } from "./engine-text.js";
import { SwissrollError, translated } from "./error.js";

/** A worker, for one call at a time. */
export interface PooledWorker {
  client: Client;
  /** How many models the worker holds. */
  models: number;
  busy: boolean;
}

interface Call {
  /** The only worker that can run the call. */
  worker: PooledWorker | undefined;
  /** Whether an abort may end the worker: then one without models is preferred. */
  abortable: boolean;
  begin(worker: PooledWorker): void;
  fail(reason: unknown): void;
}

/** The engine's module, compiled once for all workers. */
let compiled: Promise<WebAssembly.Module> | undefined;

function compiledEngine(): Promise<WebAssembly.Module> {
  compiled ??= carriedEngine().then(({ module }) => engineModule(module));
  return compiled;
}

export class WorkerPool {
  private readonly workers = new Set<PooledWorker>();
  private calls: Call[] = [];
  /** Whether {@link close} was called. */
  closed = false;

  constructor(private readonly most: number) {}

  /**
   * Runs work in a worker: in `worker`, or in any that is free. An abort takes the call out of the queue, or ends the
   * worker that runs it.
   */
  async run<V>(
    work: (worker: PooledWorker) => Promise<V>,
    { worker, signal }: { worker?: PooledWorker | undefined; signal?: AbortSignal | undefined } = {},
  ): Promise<V> {
    signal?.throwIfAborted();
    await compiledEngine();
    signal?.throwIfAborted();
    if (this.closed) throw refusal();
    let running: PooledWorker | undefined;
    let abort: (() => void) | undefined;
    try {
      running = await new Promise<PooledWorker>((begin, fail) => {
        const call = { worker, abortable: signal !== undefined, begin, fail };
        abort = () => {
          this.calls = this.calls.filter((other) => other !== call);
          running?.client.end();
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as `throwIfAborted` throws it
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
        if (!running.client.usable) this.workers.delete(running);
      }
      this.fill();
    }
  }

  /** Whether the worker can still answer. */
  has(worker: PooledWorker): boolean {
    return this.workers.has(worker) && worker.client.usable;
  }

  /** Ends all workers. */
  close(): void {
    this.closed = true;
    for (const { client } of this.workers) client.end("cancelled", refusal().message);
    this.workers.clear();
    for (const call of this.calls.splice(0)) call.fail(refusal());
  }

  private fill(): void {
    for (const call of [...this.calls]) {
      const worker = this.worker(call);
      if (!worker) continue;
      this.calls.splice(this.calls.indexOf(call), 1);
      worker.busy = true;
      call.begin(worker);
    }
  }

  private worker({ worker, abortable }: Call): PooledWorker | undefined {
    if (worker) return worker.busy ? undefined : worker;
    const free = [...this.workers].filter(({ busy }) => !busy).sort((a, b) => a.models - b.models);
    const first = free[0];
    if (first && (first.models === 0 || !abortable)) return first;
    if (this.workers.size >= this.most) return first;
    const made = { client: new Client(compiledEngine()), models: 0, busy: false };
    this.workers.add(made);
    return made;
  }
}

function refusal(): SwissrollError {
  return new SwissrollError("cancelled", "this engine was closed; make another one");
}
