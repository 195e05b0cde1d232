/** Threads of the surroundings. */

/** The number of processors. */
export function processors(): number {
  return (globalThis as { navigator?: Navigator }).navigator?.hardwareConcurrency ?? 2;
}
