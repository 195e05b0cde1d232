import type { Answer, Event, Request } from '../page/src/protocol.ts';

export interface Engine {
  /**
   * Answers a request. `events` receives the events of a fit; where it returns `true`, the
   * fit is cancelled (after a frame: ended with the result so far). After an answer of kind
   * `crashed` the engine must not be used again.
   */
  call<R extends Request>(request: R, events?: (event: Event) => boolean | void): Answer<R>;

  /** The bytes of its memory, which never shrinks. */
  bytes(): number;
}

/** Starts an engine from a compiled module. */
export function instantiate(module: WebAssembly.Module): Promise<Engine>;

/** The bytes of a message. */
export function encode(message: object): Uint8Array;

/** The message of bytes that begin at the beginning of their `ArrayBuffer`. */
export function decode(bytes: Uint8Array): unknown;

/** The buffers of a message, for `postMessage(message, transferables(message))`. */
export function transferables(message: unknown): ArrayBuffer[];
