/** A number that is dragged or typed. */

import { h } from "./dom.js";

export interface SliderOptions {
  label: string;
  title?: string;
  low: number;
  high: number;
  whole: boolean;
  value: number;
  /** The largest number that may be typed; the slider itself ends at `high`. */
  most?: number;
  change(value: number): void;
}

const TICKS = 1000;

export class Slider {
  readonly element: HTMLElement;
  private readonly range: HTMLInputElement;
  private readonly box: HTMLInputElement;
  /** The end at which a typed number was taken. */
  private readonly note = h("small", { role: "status", hidden: true });
  private options: SliderOptions;

  constructor(options: SliderOptions) {
    this.options = options;
    this.range = h("input", {
      type: "range",
      min: 0,
      max: TICKS,
      "aria-label": options.label,
      oninput: () => this.dragged(),
    });
    this.box = h("input", {
      type: "text",
      inputmode: options.whole ? "numeric" : "decimal",
      "aria-label": `${options.label}, number`,
      onchange: () => this.typed(),
    });
    this.range.addEventListener("keydown", (event) => this.key(event));
    this.element = h(
      "label",
      { class: "slider", title: options.title ?? "" },
      h("span", {}, options.label),
      this.range,
      this.box,
      this.note,
    );
    this.set(options.value);
  }

  set(value: number): void {
    this.options.value = value;
    this.range.value = String(Math.round(TICKS * fraction(value, this.options)));
    this.box.value = written(value, this.options.whole);
    this.range.setAttribute("aria-valuetext", this.box.value);
  }

  /** Sets the ends, and the largest number that may be typed. */
  limit(low: number, high: number, most = this.options.most): void {
    this.options.low = low;
    this.options.high = high;
    if (most !== undefined) this.options.most = most;
    this.set(this.options.value);
  }

  private take(value: number): void {
    this.note.hidden = true;
    if (value === this.options.value) return;
    this.set(value);
    this.options.change(value);
  }

  private dragged(): void {
    this.take(at(Number(this.range.value) / TICKS, this.options));
  }

  private typed(): void {
    const { low, whole, most, high, value } = this.options;
    const typed = Number(this.box.value.replace(",", "."));
    if (!Number.isFinite(typed) || this.box.value.trim() === "") {
      this.set(value);
      return;
    }
    const inside = Math.min(most ?? high, Math.max(low, typed));
    this.take(whole ? Math.round(inside) : inside);
    this.set(this.options.value);
    this.note.hidden = inside === typed;
    this.note.textContent =
      inside < typed ? `at most ${written(inside, whole)}` : `at least ${written(inside, whole)}`;
  }

  /** The arrow keys change whole numbers by one, others by a fiftieth of the slider. */
  private key(event: KeyboardEvent): void {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 10, PageDown: -10 }[
      event.key
    ];
    if (by === undefined) return;
    event.preventDefault();
    const { low, high, whole, value } = this.options;
    const next = whole ? value + by : at(fraction(value, this.options) + by / 50, this.options);
    this.take(Math.min(high, Math.max(low, next)));
  }
}

/** Whether equal steps of the slider are equal factors. */
function logarithmic({ low, high, whole }: SliderOptions): boolean {
  return low > 0 && high / low > (whole ? 60 : 20);
}

/** The place of a value on its slider, 0 to 1. */
export function fraction(value: number, options: SliderOptions): number {
  const { low, high } = options;
  if (!(high > low)) return 0;
  const inside = Math.min(high, Math.max(low, value));
  return logarithmic(options) ? Math.log(inside / low) / Math.log(high / low) : (inside - low) / (high - low);
}

/** The value at a place of the slider, rounded to two or three digits. */
export function at(place: number, options: SliderOptions): number {
  const { low, high, whole } = options;
  const inside = Math.min(1, Math.max(0, place));
  const value = logarithmic(options) ? low * (high / low) ** inside : low + inside * (high - low);
  if (whole) return value > 400 ? Math.min(high, Math.round(value / 20) * 20) : Math.round(value);
  return inside === 0 ? low : inside === 1 ? high : Number(value.toPrecision(logarithmic(options) ? 2 : 3));
}

function written(value: number, whole: boolean): string {
  return whole ? String(value) : String(Number(value.toPrecision(6)));
}
