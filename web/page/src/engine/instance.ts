/** An engine in this thread; the tests replace this module by their double. */

export { type Engine, instantiate } from "../../../engine/engine.mjs";
