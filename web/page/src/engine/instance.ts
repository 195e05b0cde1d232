/** An engine in this thread; the tests replace this module by their double. */

export { instantiate, type Engine } from "../../../engine/engine.mjs";
