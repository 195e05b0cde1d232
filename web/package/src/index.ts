/**
 * Manifold learning in Node and in browsers: 32 methods, their parameters, measures and data sets, computed by
 * WebAssembly in workers.
 */

import { Engine } from "./engine.js";

export type * from "../../page/src/protocol.js";
export {
  DATASETS,
  type DatasetName,
  MEASURES,
  METHODS,
  type MeasureName,
  type MethodName,
  type MethodParameters,
} from "../generated/methods.js";
export { type DatasetOptions, Engine, type EngineOptions } from "./engine.js";
export { SwissrollError } from "./error.js";
export type { Cancellable, FitOptions, MeasureOptions, Measures, Model } from "./model.js";
export type { Rows, Table } from "./table.js";

/** The engine of the functions below. */
const usual = new Engine();

/** {@link Engine.fit} */
export const fit: Engine["fit"] = (...given) => usual.fit(...given);
/** {@link Engine.dataset} */
export const dataset: Engine["dataset"] = (...given) => usual.dataset(...given);
/** {@link Engine.neighbors} */
export const neighbors: Engine["neighbors"] = (...given) => usual.neighbors(...given);
/** {@link Engine.measures} */
export const measures: Engine["measures"] = (...given) => usual.measures(...given);
/** {@link Engine.describe} */
export const describe: Engine["describe"] = () => usual.describe();
