/** The engine that the package carries. */

import { present } from "../../page/src/present.js";

/** The engine as xz in base64, read when it is first needed. */
export async function engineText(): Promise<string> {
  await import("swissroll:engine");
  return present(globalThis.swissrollEngine);
}
