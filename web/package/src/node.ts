/** Threads of Node, instead of the workers of a browser. */

import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import workerText from "worker:worker.ts";
import type { Posted, Thread } from "../../page/src/engine/thread.js";

/** Gives the program of a worker the names that it uses in a browser. */
const NAMES = `
const { parentPort } = require("node:worker_threads");
globalThis.self = { onmessage: null, postMessage: (message, transfer) => parentPort.postMessage(message, transfer) };
parentPort.on("message", (data) => self.onmessage({ data }));
`;

/** The number of processors. */
export function processors(): number {
  return availableParallelism();
}

/** A thread that keeps the process alive only while a request waits for its answer. */
export function thread(): Thread {
  const worker = new Worker(NAMES + workerText, { eval: true });
  worker.unref();
  let waiting = 0;
  const made: Thread = {
    onmessage: null,
    onerror: null,
    postMessage(message) {
      if ((message as { type: string }).type !== "start" && waiting++ === 0) worker.ref();
      worker.postMessage(message);
    },
    terminate() {
      void worker.terminate();
    },
  };
  worker.on("message", (data: Posted) => {
    if ("answer" in data && --waiting === 0) worker.unref();
    made.onmessage?.({ data });
  });
  worker.on("error", ({ message }) => made.onerror?.({ message, preventDefault: () => undefined }));
  return made;
}
