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

let begin: (module: WebAssembly.Module) => void;
/** Requests may come before the module. */
const engine: Promise<Engine> = new Promise<WebAssembly.Module>((resolve) => (begin = resolve)).then(
  instantiate,
);

scope.onmessage = ({ data }) => {
  if (data.type === "start") begin(data.module);
  else void respond(data);
};

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
    const ready = await engine;
    const begin = performance.now();
    const answer = ready.call(data, event);
    if (left) scope.postMessage({ event: left }, transferables(left));
    scope.postMessage({ answer, milliseconds: performance.now() - begin }, transferables(answer));
  } catch (error) {
    const message = reasonOf(error);
    scope.postMessage({ answer: { id: data.id, type: "failed", kind: "crashed", message }, milliseconds: 0 });
  }
}
