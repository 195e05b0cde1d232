/** Equations as MathML, which screen readers speak. */

import { formula, type Formula } from "../math/formula.js";

const SPACE = "http://www.w3.org/1998/Math/MathML";

/** An equation in a line of its own; `text` is what it is called where it cannot be shown. */
export function equation(text: string): Element {
  const math = element("math", [mathml(formula(text))]);
  math.setAttribute("display", "block");
  math.setAttribute("alttext", text);
  return math;
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
  // Bars stand on either side of what they enclose, and are not stretched: which one opens is not said.
  if (text === "|") sign.setAttribute("stretchy", "false");
  if (text === "|") for (const side of ["lspace", "rspace"]) sign.setAttribute(side, "0.08em");
  if (text === ",") sign.setAttribute("rspace", "1em");
  return sign;
}

function element(name: string, children: (Element | string)[]): Element {
  const made = document.createElementNS(SPACE, name);
  made.append(...children);
  return made;
}
