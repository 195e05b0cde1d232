/** Modules of the live page for Node, which reads no TypeScript. */

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const page = join(dirname(fileURLToPath(import.meta.url)), "../../../web/page");

/** The page's own esbuild. */
export const { build: pageBuild } = createRequire(join(page, "package.json"))("esbuild");

/** Imports a file of `web/page/src`. */
export async function pageModule(name) {
  const { outputFiles } = await pageBuild({
    entryPoints: [join(page, "src", name)],
    bundle: true,
    write: false,
    format: "esm",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
}
