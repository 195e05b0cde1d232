/** A script that sets `swissrollEngine`, read when it is first needed. */
declare module "swissroll:engine";

/** The engine as xz in base64, and what it answers to `describe`, as JSON. */
interface CarriedEngine {
  module: string;
  description: string;
}

// eslint-disable-next-line no-var -- only a `var` is a property of `globalThis`
declare var swissrollEngine: CarriedEngine | undefined;

/** A style sheet with its imports, as text. */
declare module "style:*" {
  const text: string;
  export default text;
}
