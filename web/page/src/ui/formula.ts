/** Equations as MathML, which screen readers speak. */

import { type Formula, formula } from "../math/formula.js";
import { h } from "./dom.js";

const SPACE = "http://www.w3.org/1998/Math/MathML";

/** An equation in a line of its own; lines may break at two spaces after a comma. */
export function equation(text: string): HTMLElement {
  const pieces = text.split(/(?<=,)\s{2,}/);
  return h(
    "div",
    { class: "equation" },
    ...pieces.map((piece) => {
      const math = element("math", [mathml(formula(piece))]);
      math.setAttribute("display", "block");
      // What it is called where it cannot be shown.
      math.setAttribute("alttext", piece);
      return math;
    }),
  );
}

/** A text with its lower and upper indices: `x_i`, `n^2`. */
export function indexed(text: string): (Node | string)[] {
  const pieces = text.split(/(?<![\p{L}\p{N}_])(\p{L}\p{M}*)([_^])(\{[^}]*\}|[\p{Lu}\p{Ll}0-9]+)/u);
  // In groups of four: text, base, sign, index.
  return pieces.flatMap((piece, i): (Node | string)[] => {
    if (i % 4 === 2) return [];
    if (i % 4 < 2) return [piece];
    return [h(pieces[i - 1] === "_" ? "sub" : "sup", {}, piece.replace(/^\{|\}$/g, ""))];
  });
}

function mathml(node: Formula): Element {
  switch (node.kind) {
    case "identifier":
      return element("mi", [node.text]);
    case "number":
      return element("mn", [node.text]);
    case "word":
      return element("mi", [node.text]);
    case "operator":
      return operator(node.text);
    case "row":
      return element("mrow", node.parts.map(mathml));
    case "root":
      return element("msqrt", node.parts.map(mathml));
    default:
      return element(scripted(node), node.parts.map(mathml));
  }
}

/** Sums and minima have their range below them. */
function scripted({ kind, parts }: { kind: "sub" | "super" | "subsuper"; parts: Formula[] }): string {
  const [base] = parts;
  const large = base && "text" in base && (base.text === "Σ" || base.text === "min" || base.text === "max");
  if (kind === "sub") return large ? "munder" : "msub";
  if (kind === "super") return large ? "mover" : "msup";
  return large ? "munderover" : "msubsup";
}

function operator(text: string): Element {
  const sign = element("mo", [text === "Σ" ? "∑" : text]);
  // Bars are on both sides of an expression, and are not stretched: the text does not show which one opens.
  if (text === "|") sign.setAttribute("stretchy", "false");
  if (text === "|") for (const side of ["lspace", "rspace"]) sign.setAttribute(side, "0.08em");
  return sign;
}

function element(name: string, children: (Element | string)[]): Element {
  const made = document.createElementNS(SPACE, name);
  made.append(...children);
  return made;
}
