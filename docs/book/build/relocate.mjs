/**
 * Makes a built site independent of its address.
 *
 * VitePress writes one base path into pages and scripts. The site is built with a placeholder as base. Pages
 * then get relative paths, and scripts the path that the first page of the visit computes.
 */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "rollup/parseAst";

/** The base path that is replaced. */
export const BASE = "/__base__/";

/** Where scripts read the base path. */
const VARIABLE = "globalThis.__base__";

/** Replaces the placeholder in all files of a folder. */
export function relocate(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (!entry.isFile() || !/\.(html|js|css|json)$/.test(path)) continue;
    const text = readFileSync(path, "utf8");
    if (!text.includes(BASE.slice(0, -1))) continue;
    const depth = path.slice(folder.length + 1).split("/").length - 1;
    const relative = depth === 0 ? "./" : "../".repeat(depth);
    if (path.endsWith(".html")) writeFileSync(path, page(text, relative));
    else if (path.endsWith(".js")) writeFileSync(path, script(text));
    else writeFileSync(path, text.replaceAll(BASE, relative));
  }
}

function page(text, relative) {
  const first = `<script>${VARIABLE}=new URL(${JSON.stringify(relative)},location.href).pathname</script>`;
  return text
    .replace(/<script id="check-dark-mode">|<head>/, (tag) =>
      tag === "<head>" ? `${tag}${first}` : `${first}${tag}`,
    )
    .replace(/<script>[^<]*__VP_SITE_DATA__[^<]*<\/script>/g, (data) => siteData(data))
    .replaceAll(BASE, relative);
}

/** The site's data are text in a script of each page. */
function siteData(element) {
  const body = element.slice("<script>".length, -"</script>".length);
  return `<script>${script(body)}</script>`;
}

/** A script whose strings with the placeholder are sums with the base path. */
function script(text) {
  const parts = [];
  let from = 0;
  walk(parseAst(text), undefined, (node, parent) => {
    const sum = replacement(node, text, parent);
    if (sum === undefined) return;
    parts.push(text.slice(from, node.start), sum);
    from = node.end;
  });
  const changed = parts.join("") + text.slice(from);
  if (changed.includes(BASE)) throw new Error("a script has the base path in a place that is not a string");
  return changed;
}

function replacement(node, text, parent) {
  if (node.type === "Literal" && typeof node.value === "string" && node.value.includes(BASE)) {
    const sum = node.value
      .split(BASE)
      .map((part) => JSON.stringify(part))
      .join(`+${VARIABLE}+`);
    if (parent?.type === "Property" && parent.key === node && !parent.computed) return `[${sum}]`;
    return `(${sum})`;
  }
  if (node.type === "TemplateElement") {
    const source = text.slice(node.start, node.end);
    if (source.includes(BASE)) return source.replaceAll(BASE, `\${${VARIABLE}}`);
  }
  return undefined;
}

/** Visits nodes in the order of the text. */
function walk(node, parent, visit) {
  visit(node, parent);
  const children = Object.values(node)
    .flat()
    .filter((child) => typeof child === "object" && child !== null && typeof child.type === "string");
  for (const child of children.sort((a, b) => a.start - b.start)) walk(child, node, visit);
}
