/** A thread that runs the program of a worker; the package for Node replaces this module by threads of Node. */

import workerText from "worker:worker.ts";
import type { Answer, Event } from "../protocol.js";

/** What a worker posts. */
export type Posted = { event: Event } | { answer: Answer; milliseconds: number };

/** The part of a `Worker` that clients use. */
export interface Thread {
  onmessage: ((event: { data: Posted }) => void) | null;
  onerror: ((event: { message: string; preventDefault(): void }) => void) | null;
  postMessage(message: unknown): void;
  terminate(): void;
}

let address: string | undefined;

export function thread(): Thread {
  address ??= URL.createObjectURL(new Blob([workerText], { type: "text/javascript" }));
  return new Worker(address) as Thread;
}
