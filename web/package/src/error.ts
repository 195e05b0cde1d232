/** Failures as errors. */

import { EngineFailure } from "../../page/src/engine/client.js";
import type { FailureKind } from "../../page/src/protocol.js";

/**
 * The engine refused the input, or a computation failed. The message says what must hold, what was found, and
 * what to try.
 */
export class SwissrollError extends Error {
  override readonly name = "SwissrollError";

  constructor(
    /** The kind of the failure: `parameter`, `not_finite`, `shape`, `disconnected`, `memory`, … */
    readonly code: FailureKind,
    message: string,
    /** What is illegal, as the message names it, where `code` is `parameter`. */
    readonly parameter?: string,
  ) {
    super(message);
  }
}

/** The error that users see instead of the page's own. */
export function translated(failure: unknown): unknown {
  return failure instanceof EngineFailure
    ? new SwissrollError(failure.kind, failure.message, failure.parameter)
    : failure;
}
