/** Fits that start at the map of another fit. */

import type { Fit, FitRequest, Settings as Texts } from "../protocol.js";
import type { FixedPlace } from "../state/settings.js";
import { type Client, EngineFailure } from "./client.js";
import type { Shared } from "./pool.js";

/** What determines a map of a data set. */
export interface Recipe {
  method: string;
  /** Shared parameters; k for methods that have it only, so that others are not fitted again where it changes. */
  common: { k?: number; dim: number; seed: number };
  settings: Texts;
  /** The fit starts at the map of this recipe; it goes on from a map of its own method. */
  start?: Recipe | undefined;
  /** Rows that keep these places in the map of the start. */
  fixed?: readonly FixedPlace[] | undefined;
}

/** A finished map of a recipe that the page shows; `undefined` where there is none. */
export type Known = (data: Shared, recipe: Recipe) => Fit | undefined;

/** The maps that were computed as starts last, for each data set. */
const starts = new WeakMap<Shared, Map<string, Fit>>();
const MOST_KEPT = 4;

/** Recipes of the same map have the same key. */
export function keyOf({ method, common, settings, start, fixed }: Recipe): string {
  return JSON.stringify([method, common, settings, start && keyOf(start), fixed]);
}

/** The recipe with another k, where its methods have one. */
export function withK(recipe: Recipe, k: number): Recipe {
  const { common, start } = recipe;
  const own = common.k === undefined ? common : { ...common, k };
  return { ...recipe, common: own, ...(start ? { start: withK(start, k) } : {}) };
}

/** The request of a fit: with its start, which this worker computes where the page does not show it. */
export async function requestOf(
  client: Client,
  data: Shared,
  recipe: Recipe,
  model: string,
  known: Known,
): Promise<Omit<FitRequest, "id">> {
  const { method, common, settings, start, fixed } = recipe;
  const request = { type: "fit", data: data.name, method, model, common, settings } as const;
  if (!start) return request;
  const map = known(data, start) ?? (await mapOf(client, data, start, `${model}-start`, known));
  const { coordinates, columns } = map;
  if (map.rows)
    throw new EngineFailure(
      "shape",
      `The map to start from, of ${start.method}, must have a place for each of the ${data.data.n} points, but has ${map.n}; choose another start.`,
    );
  if (fixed) {
    const places = Float64Array.from(coordinates);
    for (const { row, place } of fixed) {
      if (row >= data.data.n)
        throw new EngineFailure(
          "parameter",
          `A fixed row must be below ${data.data.n}, the number of points, but is ${row}; release it.`,
        );
      places.set(place, row * columns);
    }
    const rows = Uint32Array.from(fixed, ({ row }) => row);
    return { ...request, start: { coordinates: places, columns }, fixed: rows };
  }
  return { ...request, start: { coordinates, columns, goes_on: start.method === method } };
}

async function mapOf(
  client: Client,
  data: Shared,
  recipe: Recipe,
  model: string,
  known: Known,
): Promise<Fit> {
  const key = keyOf(recipe);
  const kept = starts.get(data) ?? new Map<string, Fit>();
  starts.set(data, kept);
  const found = kept.get(key);
  if (found) return found;
  const request = await requestOf(client, data, recipe, model, known);
  const { value } = await client.request({ ...request, steps: false }).catch((failure: unknown) => {
    if (!client.usable || !(failure instanceof EngineFailure)) throw failure;
    throw new EngineFailure(
      failure.kind,
      `The map to start from, of ${recipe.method}: ${failure.message}`,
      failure.parameter,
    );
  });
  await client.request({ type: "drop", models: [model] });
  kept.set(key, value);
  for (const old of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(old);
  return value;
}
