/** The files of the built site, for its tests. The variable SITE names the folder that `docs/build` has written. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

export const site = process.env.SITE;
if (!site) throw new Error("SITE must name the folder that docs/build has written");

/** The site is served below a path that the build does not have. */
export const FOLDER = "/some/folder/";
const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".json": "application/json",
};

/** The names of all pages; the documentation of the crates has tests of its own tool. */
export const pages = readdirSync(site, { recursive: true })
  .filter((name) => name.endsWith(".html") && !name.startsWith("rustdoc/"))
  .sort();

/** The path, content and type of the file at an address; undefined where the site has no such file. */
export function served(url) {
  const path = decodeURIComponent(new URL(url, "http://localhost").pathname);
  const file = join(site, path.slice(FOLDER.length));
  if (!path.startsWith(FOLDER) || !existsSync(file)) return undefined;
  return {
    file,
    body: readFileSync(file),
    contentType: TYPES[extname(file)] ?? "application/octet-stream",
  };
}
