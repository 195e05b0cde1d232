/** Threads of the surroundings. */

/** The number of processors. */
export function processors(): number {
  return globalThis.navigator?.hardwareConcurrency ?? 2;
}
