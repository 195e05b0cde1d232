/** Texts and equations of the engine's description as HTML. */

import { pageModule } from "./page-module.mjs";

/** Characters that Markdown, HTML or Vue would read as markup. */
export function escaped(text) {
  const codes = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "{": "&#123;",
    "}": "&#125;",
    "|": "&#124;",
  };
  return text.replaceAll(/[&<>"{}|]/g, (sign) => codes[sign]);
}

/** An element that can only be written as text: what the page's functions need of a document. */
class Written {
  constructor(name) {
    this.name = name;
    this.attributes = "";
    this.children = [];
  }
  setAttribute(name, value) {
    this.attributes += ` ${name}="${escaped(value)}"`;
  }
  append(...children) {
    this.children.push(...children);
  }
  toString() {
    return `<${this.name}${this.attributes}>${this.children.map(markup).join("")}</${this.name}>`;
  }
}

const markup = (node) => (typeof node === "string" ? escaped(node) : String(node));

const writing = {
  createElement: (name) => new Written(name),
  createElementNS: (_, name) => new Written(name),
};

/** Runs a function of the page with a document that writes text. Later steps must not find a document. */
function written(make) {
  globalThis.document = writing;
  try {
    const made = make();
    return Array.isArray(made) ? made.map(markup).join("") : String(made);
  } finally {
    delete globalThis.document;
  }
}

/** The page's own functions for equations. */
const { equation, indexed } = await pageModule("ui/formula.ts");

/** A text with indices, and with links to papers. */
export function sentence(text) {
  const html = written(() => indexed(text));
  return html
    .replaceAll(/&lt;(https:\/\/.*?)&gt;/g, '<a href="$1">$1</a>')
    .replaceAll(/\bdoi:(10\.[^\s,;]+[^\s,;.])/g, '<a href="https://doi.org/$1">doi:$1</a>');
}

/** The sections of an explanation, as Markdown with blocks of HTML. */
export function explanation(sections) {
  return sections.map(({ title, parts }) => `## ${title}\n\n${parts.map(part).join("\n\n")}\n`).join("\n");
}

function part({ text, equations, steps }) {
  if (text !== undefined) return `<p v-pre>${sentence(text)}</p>`;
  if (equations !== undefined)
    return `<div v-pre class="equations">${equations.map((line) => written(() => equation(line))).join("")}</div>`;
  return `<ol v-pre>${steps.map((step) => `<li>${sentence(step)}</li>`).join("")}</ol>`;
}
