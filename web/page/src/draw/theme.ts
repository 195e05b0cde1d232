/** Colors of the page, from its style sheet. */

import { DARK_GROUND, LIGHT_GROUND, type Rgb } from "./color.js";
import type { Theme } from "./look.js";

/** Whether colors are for white paper, as in print and in files, whatever the screen has. */
let paper = false;

/** From here on colors are for white paper, or for the screen again. */
export function onPaper(on: boolean): void {
  paper = on;
}

/** The colors in force. */
export function theme(): Theme {
  const dark = !paper && matchMedia("(prefers-color-scheme: dark)").matches;
  const ground: Rgb = dark ? DARK_GROUND : LIGHT_GROUND;
  const ink: Rgb = dark ? [0xe7, 0xea, 0xee] : [0x1b, 0x1f, 0x24];
  return {
    dark,
    ground,
    ink,
    edge: dark ? "rgba(200,210,220,.28)" : "rgba(40,50,60,.22)",
    alert: dark ? "#ff7d66" : "#c8321e",
    accent: dark ? "#86b8ea" : "#1f5f99",
  };
}
