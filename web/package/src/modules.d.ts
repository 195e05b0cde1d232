/** The engine as xz in base64: a script that sets `swissrollEngine`, read when it is first needed. */
declare module "swissroll:engine";

// eslint-disable-next-line no-var -- only a `var` is a property of `globalThis`
declare var swissrollEngine: string | undefined;

/** A style sheet with its imports, as text. */
declare module "style:*" {
  const text: string;
  export default text;
}
