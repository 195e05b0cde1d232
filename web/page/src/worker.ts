/** The program of a worker: one engine, which answers requests in order. */

import { transferables } from "../../engine/engine.mjs";
import { type Engine, instantiate } from "./engine/instance.js";
import type { Event, Request } from "./protocol.js";
import { reasonOf } from "./reason.js";

const scope = self as unknown as {
  onmessage: ((event: MessageEvent<Start | Request>) => void) | null;
  postMessage(message: unknown, transfer?: Transferable[]): void;
};

/** The message that starts the engine. */
export interface Start {
  type: "start";
  module: WebAssembly.Module;
}

/** Frames closer together than this are left out, except the first ones of a fit and the last. */
const LEAST_MILLISECONDS = 25;
const FIRST_FRAMES = 24;

/** The memory of an engine never shrinks: one with more bytes that holds nothing is replaced by a new one. */
const MOST_EMPTY = 48e6;

let begin: (module: WebAssembly.Module) => void;
/** Requests may come before the module. */
const module = new Promise<WebAssembly.Module>((resolve) => (begin = resolve));
let engine = module.then(instantiate);
/** The data and the models that the engine holds. */
const held = new Set<string>();

scope.onmessage = ({ data }) => {
  if (data.type === "start") begin(data.module);
  else void respond(data);
};

/** The engine that is in force when it has started. */
async function present(): Promise<Engine> {
  const awaited = engine;
  const ready = await awaited;
  return awaited === engine ? ready : present();
}

/** Notes what a request has added to the engine, or removed. */
function follow(request: Request): void {
  const { type } = request;
  if (type === "fit") held.add(`model ${request.model ?? request.method}`);
  else if (type === "generate" || type === "points" || type === "read" || type === "sample")
    held.add(`data ${request.data}`);
  else if (type === "drop") {
    for (const name of request.data ?? []) held.delete(`data ${name}`);
    for (const name of request.models ?? []) held.delete(`model ${name}`);
  }
}

/** Answers a request, with a failure where there is no answer. */
async function respond(data: Request): Promise<void> {
  let frames = 0;
  let last = 0;
  /** The newest frame, while it is left out. */
  let left: Event | undefined;
  const event = (event: Event) => {
    if (event.type === "frame") {
      const now = performance.now();
      left = event;
      if (frames >= FIRST_FRAMES && now - last < LEAST_MILLISECONDS) return;
      left = undefined;
      frames += 1;
      last = now;
    }
    scope.postMessage({ event }, transferables(event));
  };
  try {
    const ready = await present();
    const begin = performance.now();
    const answer = ready.call(data, event);
    if (left) scope.postMessage({ event: left }, transferables(left));
    scope.postMessage({ answer, milliseconds: performance.now() - begin }, transferables(answer));
    if (answer.type === "result") follow(data);
    if (held.size === 0 && ready.bytes() > MOST_EMPTY) engine = module.then(instantiate);
  } catch (error) {
    const message = reasonOf(error);
    scope.postMessage({ answer: { id: data.id, type: "failed", kind: "crashed", message }, milliseconds: 0 });
  }
}
