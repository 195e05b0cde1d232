/** Equations in plain text, as explanations have them, read into a tree. */

import { present } from "../present.js";

/** A leaf has a text, others have parts. */
export type Formula =
  | { kind: "identifier" | "number" | "operator" | "word"; text: string }
  | { kind: "row" | "root"; parts: Formula[] }
  | { kind: "sub" | "super" | "subsuper"; parts: Formula[] };

/** Runs of letters that are one name; any other run is a product of letters. */
export const WORDS: ReadonlySet<string> = new Set([
  "min",
  "max",
  "exp",
  "ln",
  "log",
  "tr",
  "det",
  "diag",
  "var",
  "cov",
  "width",
  "decay",
  "near",
  "mid",
  "further",
]);
const SUPERSCRIPTS: ReadonlyMap<string, string> = new Map([
  ["²", "2"],
  ["³", "3"],
  ["⁴", "4"],
  ["ᵀ", "T"],
]);
const TOKEN = /\s+|[0-9]+(?:\.[0-9]+)?|[½]|[a-z]{2,}|\p{L}\p{M}*|[²³⁴]|./gu;

/** Reads one equation; whatever is not known becomes a sign of its own. */
export function formula(text: string): Formula {
  const tokens = (text.match(TOKEN) ?? []).flatMap(split);
  let at = 0;

  /** Tokens up to a closing one, which is taken too. */
  function row(close?: string): Formula {
    const parts: Formula[] = [];
    while (at < tokens.length) {
      const token = present(tokens[at]);
      at += 1;
      if (token === close) break;
      if (token.trim() === "") continue;
      parts.push(scripts(base(token)));
    }
    return together(parts);
  }

  function base(token: string): Formula {
    if (token === "√" && tokens[at] === "(") {
      at += 1;
      return { kind: "root", parts: [row(")")] };
    }
    if (token === "{") return row("}");
    return leaf(token);
  }

  /** The signs behind a base that are set lower or higher. */
  function scripts(of: Formula): Formula {
    let [lower, upper]: (Formula | undefined)[] = [];
    for (;;) {
      const token = tokens[at] ?? "";
      const raised = SUPERSCRIPTS.get(token);
      if (raised !== undefined && !upper) {
        at += 1;
        upper = leaf(raised);
      } else if (token === "_" && !lower) {
        at += 1;
        lower = script();
      } else if (token === "^" && !upper) {
        at += 1;
        upper = script();
      } else break;
    }
    if (lower && upper) return { kind: "subsuper", parts: [of, lower, upper] };
    return lower ? { kind: "sub", parts: [of, lower] } : upper ? { kind: "super", parts: [of, upper] } : of;
  }

  /** A group in braces, or all letters and digits that follow. */
  function script(): Formula {
    if (tokens[at] === "{") {
      at += 1;
      return row("}");
    }
    const parts: Formula[] = [];
    for (const token of tokens.slice(at)) {
      if (!/^[\p{L}\p{M}\p{N}]+$/u.test(token) || SUPERSCRIPTS.has(token)) break;
      parts.push(leaf(token));
      at += 1;
    }
    return together(parts);
  }

  return row();
}

/** A run of letters that is no word is a product. */
function split(token: string): string[] {
  return /^[a-z]{2,}$/.test(token) && !WORDS.has(token) ? token.split("") : [token];
}

function together(parts: Formula[]): Formula {
  const [only] = parts;
  return only && parts.length === 1 ? only : { kind: "row", parts };
}

function leaf(text: string): Formula {
  if (WORDS.has(text)) return { kind: "word", text };
  if (/^[0-9½]/.test(text)) return { kind: "number", text };
  return { kind: /^\p{L}/u.test(text) && text !== "Σ" ? "identifier" : "operator", text };
}
