/** An engine in this thread. */

import type { Answer, Event, Request } from "../protocol.js";

export interface Engine {
  call(request: Request, event: (event: Event) => void): Answer;
}

export async function instantiate(_module: WebAssembly.Module): Promise<Engine> {
  throw new Error("no engine yet");
}
