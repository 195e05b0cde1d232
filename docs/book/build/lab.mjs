/** The lab as one file of the site, as `compare lab` writes it without data. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL("../../../web", import.meta.url));

export function lab(folder) {
  const engine = readFileSync(join(web, "engine.wasm.xz")).toString("base64");
  const page = readFileSync(join(web, "page/dist/lab.html"), "utf8");
  writeFileSync(
    join(folder, "lab.html"),
    page.replace('id="engine">', () => `id="engine">${engine}`),
  );
}
