/** One worker with an engine, for one request at a time. */

import type { Answer, Event, FailureKind, Request, Value } from "../protocol.js";
import { reasonOf } from "../reason.js";
import { type Thread, thread } from "./thread.js";

/** A request without its number, which the client gives. */
export type Unnumbered<R extends Request = Request> = R extends Request ? Omit<R, "id"> : never;

/** The engine's answer that something is refused or has failed. */
export class EngineFailure extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
    readonly parameter?: string,
  ) {
    super(message);
  }
}

export interface Answered<V> {
  value: V;
  milliseconds: number;
}

/** One of the apps of a page; they share workers, and each discards its own data only. */
export type Owner = object;

interface Waiting {
  id: number;
  resolve(answered: Answered<never>): void;
  reject: (failure: EngineFailure) => void;
  event?: ((event: Event) => void) | undefined;
}

export class Client {
  /** The data sets that the engine holds, and who shows them. */
  readonly data = new Map<string, Owner>();
  /** The models that the engine holds, and their data sets. */
  readonly models = new Map<string, string>();
  private readonly worker: Thread;
  private readonly waiting: Waiting[] = [];
  private next = 1;
  private ended = false;

  /** Starts the thread at once, and its engine when the module is compiled. */
  constructor(module: Promise<WebAssembly.Module>) {
    this.worker = thread();
    this.worker.onmessage = ({ data }) => {
      if ("event" in data) this.waiting[0]?.event?.(data.event);
      else this.answered(data.answer, data.milliseconds);
    };
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.end("crashed", event.message || "the engine could not be started");
    };
    module.then(
      (module) => this.worker.postMessage({ type: "start", module }),
      (failure: unknown) => this.end("crashed", reasonOf(failure)),
    );
  }

  get usable(): boolean {
    return !this.ended;
  }

  request<T extends Request["type"], R extends Extract<Request, { type: T }>>(
    request: Unnumbered<R> & { type: T },
    event?: (event: Event) => void,
  ): Promise<Answered<Value<R>>> {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      if (this.ended) {
        reject(new EngineFailure("cancelled", "the worker has ended"));
        return;
      }
      this.waiting.push({ id, resolve, reject, event });
      this.worker.postMessage({ ...request, id });
    });
  }

  /** Discards the data sets of an owner, and their models. */
  async discard(owner: Owner): Promise<void> {
    const data = [...this.data].filter(([, other]) => other === owner).map(([name]) => name);
    const models = [...this.models].filter(([, of]) => data.includes(of)).map(([name]) => name);
    for (const name of data) this.data.delete(name);
    for (const name of models) this.models.delete(name);
    if (data.length > 0) await this.request({ type: "drop", data, models });
  }

  /** Ends the worker and whatever it computes. */
  end(kind: FailureKind = "cancelled", message = "ended by a newer setting"): void {
    this.ended = true;
    this.worker.terminate();
    for (const { reject } of this.waiting.splice(0)) reject(new EngineFailure(kind, message));
  }

  private answered(answer: Answer, milliseconds: number): void {
    const waiting = this.waiting.shift();
    if (!waiting) return;
    if (answer.type === "result") {
      waiting.resolve({ value: answer.value as never, milliseconds });
      return;
    }
    const failure = new EngineFailure(answer.kind, answer.message, answer.parameter);
    waiting.reject(failure);
    if (answer.kind === "crashed") this.end("crashed", answer.message);
  }
}
