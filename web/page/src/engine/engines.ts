/** What all apps of a page share: the workers with the engine, and its description. */

import type { Description } from "../protocol.js";
import { Client } from "./client.js";
import { Pool } from "./pool.js";

/** The number of workers for fits: one core is left to the page. */
export function workers(cores: number | undefined): number {
  return Math.min(8, Math.max(1, (cores || 2) - 1));
}

export class Engines {
  private constructor(
    /** The engine, once it is compiled. */
    readonly module: Promise<WebAssembly.Module>,
    private client: Client,
    readonly pool: Pool,
    readonly description: Description,
  ) {}

  /** Starts workers while the module is compiled; `known` is the description of its engine, where the page has it. */
  static async open(module: Promise<WebAssembly.Module>, known?: Promise<Description>): Promise<Engines> {
    const client = new Client(module);
    const pool = new Pool(module, workers(navigator.hardwareConcurrency));
    const description = await (known ?? client.request({ type: "describe" }).then(({ value }) => value));
    return new Engines(module, client, pool, description);
  }

  /** The engine that answers at once, apart from fits. */
  get service(): Client {
    if (!this.client.usable) this.client = new Client(this.module);
    return this.client;
  }
}
