/** Random actions of a reader: keys, clicks, sliders, panels, data, methods, exports, undo. */

import { setTimeout } from "node:timers/promises";
import type { Page } from "puppeteer-core";

/** Uniform numbers from 0 to 1, the same for the same seed. */
function generator(seed: number): () => number {
  let state = seed + 0x6d2b79f5;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const KEYS = ["n", "p", "p", "ArrowLeft", "ArrowUp", "+", "-", "0", "Enter", "Escape"] as const;

export class Walk {
  readonly steps: string[] = [];
  private readonly next: () => number;

  constructor(
    private readonly page: Page,
    seed: number,
    private readonly file: (name: string, content: string) => string,
  ) {
    this.next = generator(seed);
  }

  private one<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)]!;
  }

  /** The rectangle of one visible element of those that match, by a random number; it is scrolled into view. */
  private element(selector: string): Promise<[number, number, number, number] | undefined> {
    return this.page.evaluate(
      (selector: string, number: number) => {
        const found = [...document.querySelectorAll(selector)].filter((element) => {
          const { width, height } = element.getBoundingClientRect();
          return width > 0 && height > 0 && getComputedStyle(element).visibility !== "hidden";
        });
        const element = found[Math.floor(number * found.length)];
        if (!element) return undefined;
        const place = element.getBoundingClientRect();
        if (place.top < 0 || place.bottom > innerHeight || place.left < 0 || place.right > innerWidth)
          element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
        const { x, y, width, height } = element.getBoundingClientRect();
        return [x, y, width, height] as [number, number, number, number];
      },
      selector,
      this.next(),
    );
  }

  private async click(selector: string, modifier?: "Alt"): Promise<void> {
    const found = await this.element(selector);
    if (!found) return;
    const [x, y, width, height] = found;
    if (modifier) await this.page.keyboard.down(modifier);
    await this.within(x + width / 2, y + height / 2, (x, y) => this.page.mouse.click(x, y));
    if (modifier) await this.page.keyboard.up(modifier);
  }

  /** Acts at a place of the window; places outside of it cannot be reached. */
  private async within(x: number, y: number, act: (x: number, y: number) => Promise<void>): Promise<void> {
    const { width, height } = this.page.viewport()!;
    if (x >= 0 && y >= 0 && x < width && y < height) await act(Math.floor(x), Math.floor(y));
  }

  /** Acts at a random place of a picture. */
  private async place(act: (x: number, y: number) => Promise<void>): Promise<void> {
    const found = await this.element(".plot .over");
    const [across, down] = [this.next(), this.next()];
    if (found) await this.within(found[0] + found[2] * across, found[1] + found[3] * down, act);
  }

  /** Sets the value of one visible control of those that match, and sends an event. */
  private set(selector: string, event: "input" | "change", value: number): Promise<void> {
    return this.page.evaluate(
      (selector: string, event: string, value: string, number: number) => {
        const found = [...document.querySelectorAll<HTMLInputElement>(selector)].filter(
          (element) => element.getBoundingClientRect().width > 0,
        );
        const element = found[Math.floor(number * found.length)];
        if (!element) return;
        element.value = value;
        element.dispatchEvent(new Event(event, { bubbles: true }));
      },
      selector,
      event,
      String(value),
      this.next(),
    );
  }

  private range(label: string, ticks: readonly number[]): Promise<void> {
    return this.set(`input[type=range][aria-label="${label}"]`, "input", this.one(ticks));
  }

  private typed(label: string, values: readonly number[]): Promise<void> {
    return this.set(`input[aria-label="${label}, number"]`, "change", this.one(values));
  }

  private choice(label: string, but: readonly string[] = []): Promise<void> {
    return this.page.evaluate(
      (label: string, number: number, but: readonly string[]) => {
        const select = document.querySelector<HTMLSelectElement>(`select[aria-label="${label}"]`);
        if (!select || select.getBoundingClientRect().width === 0) return;
        const options = [...select.options].filter(({ value }) => value !== "" && !but.includes(value));
        const option = options[Math.floor(number * options.length)];
        if (!option) return;
        select.value = option.value;
        select.dispatchEvent(new Event("change", { bubbles: true }));
      },
      label,
      this.next(),
      but,
    );
  }

  private count(selector: string): Promise<number> {
    return this.page.evaluate((selector: string) => document.querySelectorAll(selector).length, selector);
  }

  private readonly actions: Record<string, () => Promise<unknown>> = {
    hover: () => this.place((x, y) => this.page.mouse.move(x, y)),
    "hover again": () => this.place((x, y) => this.page.mouse.move(x, y)),
    pick: () => this.place((x, y) => this.page.mouse.click(x, y)),
    "place a point": () => this.click(".data .over", "Alt"),
    lasso: () =>
      this.place(async (x, y) => {
        const { mouse, keyboard } = this.page;
        await keyboard.down("Shift");
        await mouse.move(x, y);
        await mouse.down();
        for (const [right, down] of [
          [70, 0],
          [70, 70],
          [0, 70],
        ] as const)
          await this.within(x + right, y + down, (x, y) => mouse.move(x, y));
        await mouse.up();
        await keyboard.up("Shift");
      }),
    keys: async () => {
      const number = this.next();
      await this.page.evaluate((number: number) => {
        const found = document.querySelectorAll<HTMLElement>(".plot .over");
        found[Math.floor(number * found.length)]?.focus();
      }, number);
      for (let i = 0; i < 3; i++) await this.page.keyboard.press(this.one(KEYS));
    },
    "n dragged": () => this.range("n", [0, 150, 300, 500, 600]),
    "n typed": () => this.typed("n", [50, 100, 300, 700]),
    k: () => this.range("k", [0, 30, 100, 250, 700, 1000]),
    "k typed": () => this.typed("k", [2, 5, 8, 12, 40]),
    dim: () => this.range("dim", [0, 250, 500, 1000]),
    seed: () => this.typed("seed", [0, 1, 2]),
    noise: () => this.range("noise", [0, 10, 100]),
    // Rendering fruits takes tens of seconds, during which the page waits.
    data: () => this.choice("data set", ["faces", "digits-20x20", "fruits"]),
    color: () => this.choice("color by"),
    decode: () => this.choice("decode", ["kernel_ridge"]),
    drag: () => this.choice("a drag"),
    graph: () => this.click(".check input"),
    details: () => this.click(".details-of"),
    enlarge: () => this.click(".enlarge"),
    remove: async () => {
      if ((await this.count(".panels .panel")) > 2) await this.click(".remove");
    },
    "add a method": async () => {
      if ((await this.count(".panels .panel")) < 6) await this.choice("add a method", ["*"]);
    },
    stop: () => this.click(".stop"),
    film: () => this.click(".film button"),
    "film dragged": () => this.range("iteration", [0, 3, 12, 30]),
    parameter: () => this.click(".details .parameters button, .details select"),
    file: () => this.click(".details .buttons button"),
    scores: () => this.click(".scores summary, .all summary"),
    explain: () => this.click(".name.explain, .term, .panel .name"),
    close: () => this.page.keyboard.press("Escape"),
    legend: () => this.click(".legend button"),
    "a point between": () => this.range("new point", [100, 500, 900]),
    sweep: () => this.click('button[title^="sweep k"], button[title="close the sweep"]'),
    undo: () => this.click('button[aria-label^="undo"]'),
    redo: () => this.click('button[aria-label^="redo"]'),
    // Only within the page, whose steps the buttons know.
    back: () => this.walked('button[aria-label^="undo"]', -1),
    forward: () => this.walked('button[aria-label^="redo"]', 1),
    notice: () => this.click(".notice button"),
    "own file": async () => {
      const name = this.one(["a.csv", "b.csv"]);
      const path = this.file(name, table(60 + Math.floor(40 * this.next())));
      const input = (await this.page.$(
        "input[type=file]",
      )) as import("puppeteer-core").ElementHandle<HTMLInputElement>;
      await input.uploadFile(path);
      await input.dispose();
    },
    resize: () => this.page.setViewport({ width: this.one([500, 900, 1300]), height: this.one([600, 900]) }),
  };

  private walked(button: string, by: number): Promise<void> {
    return this.page.evaluate(
      (button: string, by: number) => {
        if (!document.querySelector<HTMLButtonElement>(button)?.disabled) history.go(by);
      },
      button,
      by,
    );
  }

  async step(): Promise<void> {
    const name = this.one(Object.keys(this.actions));
    this.steps.push(name);
    await this.actions[name]!();
    await setTimeout(this.one([0, 0, 20, 60, 200]));
  }
}

/** A small table with a class. */
function table(rows: number): string {
  const lines = Array.from(
    { length: rows },
    (_, i) =>
      `${Math.sin(i).toFixed(3)},${Math.cos(i * 1.3).toFixed(3)},${(i / 10).toFixed(2)},${"ab"[i % 2]}`,
  );
  return ["x,y,z,kind", ...lines].join("\n");
}
