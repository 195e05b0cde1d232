/** The engine that the package carries. */

import { present } from "../../page/src/present.js";

/** The engine, read when it is first needed. */
export async function carriedEngine(): Promise<CarriedEngine> {
  await import("swissroll:engine");
  return present(globalThis.swissrollEngine);
}
