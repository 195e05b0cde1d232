/** What all apps of a page share: the workers with the engine, and its description. */

import type { Description } from "../protocol.js";
import { Client } from "./client.js";
import { Pool } from "./pool.js";

/** The number of workers for fits: one core is left to the page. */
export function workers(cores: number | undefined): number {
  return Math.min(8, Math.max(1, (cores || 2) - 1));
}

export class Engines {
  readonly pool: Pool;

  private constructor(
    private readonly module: WebAssembly.Module,
    readonly description: Description,
    private client: Client,
  ) {
    this.pool = new Pool(module, workers(navigator.hardwareConcurrency));
  }

  static async open(module: WebAssembly.Module): Promise<Engines> {
    const client = new Client(module);
    const { value } = await client.request({ type: "describe" });
    return new Engines(module, value, client);
  }

  /** The engine that answers at once, apart from fits. */
  get service(): Client {
    if (!this.client.usable) this.client = new Client(this.module);
    return this.client;
  }
}
