/**
 * A random walk over the page with the engine: keys, clicks, sliders, panels, data, methods, exports, undo. Whatever
 * order they come in, there is no error, and no text about a row, a number or a map that does not exist.
 *
 * `WALK=1000` takes that many actions with each of ten seeds; without it two seeds take few.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { engined, prepared, skip } from "./browser.js";

const LONG = Number(process.env["WALK"] ?? 0);
const SEEDS =
  process.env["WALK_SEEDS"]?.split(",").map(Number) ?? (LONG > 0 ? [...Array(10).keys()] : [1, 2]);
const ACTIONS = LONG || 80;
const START = "#n=300&methods=pca,isomap,lle,tsne";
/** Words on the screen that a reader must never see, outside explanations. */
const ABSURD = /[−-]∞|\bNaN\b|\bundefined\b|\bInfinity\b|\[object /;

const made = prepared(engined);
const { bench } = made;

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

class Walk {
  readonly steps: string[] = [];
  private readonly next: () => number;

  constructor(
    private readonly page: Page,
    seed: number,
  ) {
    this.next = generator(seed);
  }

  private one<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)] as T;
  }

  /** A visible element, the n-th of those that match, by a random number. */
  private async element(selector: string) {
    const found = this.page.locator(`${selector} >> visible=true`);
    const count = await found.count();
    return count === 0 ? undefined : found.nth(Math.floor(this.next() * count));
  }

  private async click(selector: string, options: { modifiers?: ("Alt" | "Shift")[] } = {}): Promise<void> {
    const found = await this.element(selector);
    await found?.click({ timeout: 3000, force: true, ...options }).catch(() => undefined);
  }

  private async place(): Promise<[number, number] | undefined> {
    const found = await this.element(".plot .over");
    await found?.scrollIntoViewIfNeeded({ timeout: 2000 }).catch(() => undefined);
    const box = await found?.boundingBox();
    return box ? [box.x + box.width * this.next(), box.y + box.height * this.next()] : undefined;
  }

  private async range(label: string, ticks: readonly number[]): Promise<void> {
    const found = await this.element(`input[type=range][aria-label="${label}"]`);
    const tick = this.one(ticks);
    await found?.evaluate((element, tick) => {
      (element as HTMLInputElement).value = String(tick);
      element.dispatchEvent(new Event("input", { bubbles: true }));
    }, tick);
  }

  private async typed(label: string, values: readonly number[]): Promise<void> {
    const found = await this.element(`input[aria-label="${label}, number"]`);
    const value = this.one(values);
    await found?.evaluate((element, value) => {
      (element as HTMLInputElement).value = String(value);
      element.dispatchEvent(new Event("change", { bubbles: true }));
    }, value);
  }

  private async choice(label: string, but: readonly string[] = []): Promise<void> {
    const found = await this.element(`select[aria-label="${label}"]`);
    const number = this.next();
    await found?.evaluate(
      (element, [number, but]) => {
        const select = element as HTMLSelectElement;
        const options = [...select.options].filter(({ value }) => value !== "" && !but.includes(value));
        const option = options[Math.floor(number * options.length)];
        if (!option) return;
        select.value = option.value;
        select.dispatchEvent(new Event("change", { bubbles: true }));
      },
      [number, but] as const,
    );
  }

  private readonly actions: Record<string, () => Promise<unknown>> = {
    hover: async () => {
      const place = await this.place();
      if (place) await this.page.mouse.move(...place);
    },
    "hover again": async () => {
      const place = await this.place();
      if (place) await this.page.mouse.move(...place);
    },
    pick: async () => {
      const place = await this.place();
      if (place) await this.page.mouse.click(...place);
    },
    "place a point": () => this.click(".data .over", { modifiers: ["Alt"] }),
    lasso: async () => {
      const place = await this.place();
      if (!place) return;
      await this.page.keyboard.down("Shift");
      await this.page.mouse.move(...place);
      await this.page.mouse.down();
      for (const [x, y] of [
        [70, 0],
        [70, 70],
        [0, 70],
      ] as const)
        await this.page.mouse.move(place[0] + x, place[1] + y);
      await this.page.mouse.up();
      await this.page.keyboard.up("Shift");
    },
    keys: async () => {
      const found = await this.element(".plot .over");
      await found?.focus({ timeout: 2000 }).catch(() => undefined);
      for (let i = 0; i < 3; i++)
        await this.page.keyboard.press(
          this.one(["n", "p", "p", "ArrowLeft", "ArrowUp", "+", "-", "0", "Enter", "Escape"]),
        );
    },
    "n dragged": () => this.range("n", [0, 150, 300, 500, 600]),
    "n typed": () => this.typed("n", [50, 100, 300, 700]),
    k: () => this.range("k", [0, 30, 100, 250, 700, 1000]),
    "k typed": () => this.typed("k", [2, 5, 8, 12, 40]),
    dim: () => this.range("dim", [0, 250, 500, 1000]),
    seed: () => this.typed("seed", [0, 1, 2]),
    noise: () => this.range("noise", [0, 10, 100]),
    data: () => this.choice("data set", ["faces", "digits-20x20"]),
    color: () => this.choice("color by"),
    decode: () => this.choice("decode", ["kernel_ridge"]),
    drag: () => this.choice("a drag"),
    graph: () => this.click(".check input"),
    details: () => this.click(".details-of"),
    enlarge: () => this.click(".enlarge"),
    remove: async () => {
      if ((await this.page.locator(".panels .panel").count()) > 2) await this.click(".remove");
    },
    "add a method": async () => {
      if ((await this.page.locator(".panels .panel").count()) < 6) await this.choice("add a method", ["*"]);
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
    "own file": () =>
      this.page.setInputFiles("input[type=file]", {
        name: this.one(["a.csv", "b.csv"]),
        mimeType: "text/csv",
        buffer: Buffer.from(table(60 + Math.floor(40 * this.next()))),
      }),
    resize: () =>
      this.page.setViewportSize({ width: this.one([500, 900, 1300]), height: this.one([600, 900]) }),
  };

  private walked(button: string, by: number): Promise<void> {
    return this.page.evaluate(
      ([button, by]) => {
        if (!document.querySelector<HTMLButtonElement>(button)?.disabled) history.go(by);
      },
      [button, by] as const,
    );
  }

  async step(): Promise<void> {
    const name = this.one(Object.keys(this.actions));
    this.steps.push(name);
    await this.actions[name]?.();
    await this.page.waitForTimeout(this.one([0, 0, 20, 60, 200]));
  }
}

/** A small table with a class and a gap-free id. */
function table(rows: number): string {
  const lines = Array.from(
    { length: rows },
    (_, i) =>
      `${Math.sin(i).toFixed(3)},${Math.cos(i * 1.3).toFixed(3)},${(i / 10).toFixed(2)},${"ab"[i % 2]}`,
  );
  return ["x,y,z,kind", ...lines].join("\n");
}

/** What is wrong on the screen, if anything. */
function absurd(page: Page, pattern: string): Promise<string | undefined> {
  return page.evaluate((pattern) => {
    const lab = document.querySelector<HTMLElement>(".lab");
    if (!lab) return `no page: ${document.body.textContent.slice(0, 200)}`;
    const text = [...lab.children]
      .filter((part) => !part.classList.contains("drawer"))
      // biome-ignore lint/performance/useDomNodeTextContent: text that is not shown does no harm
      .map((part) => (part as HTMLElement).innerText)
      .join("\n");
    const found = new RegExp(`.*(?:${pattern}).*`).exec(text);
    if (found) return found[0];
    // The row and its neighbors exist in the data whose title is shown.
    const title = document.querySelector(".data .name")?.textContent ?? "";
    const n = Number(/: ([\d,]+) points?/.exec(title)?.[1]?.replaceAll(",", "") ?? Number.POSITIVE_INFINITY);
    const point = [...document.querySelectorAll(".data .point > *")]
      .map((part) => part.textContent)
      .join("\n");
    for (const [, row] of point.matchAll(/\brow (\d+)/g))
      if (Number(row) >= n) return `row ${row} of ${title}`;
    const near = /(\d+) neighbors?/.exec(point)?.[1];
    if (near !== undefined && Number(near) >= n) return `${near} neighbors in ${title}`;
    return undefined;
  }, pattern);
}

for (const seed of SEEDS) {
  test(`a walk of ${ACTIONS} random actions, seed ${seed}, meets no error and no absurd text`, {
    skip,
    timeout: 30_000 + 3000 * ACTIONS,
  }, async () => {
    const { page, said } = await bench.open(made.html, { address: START });
    await page.waitForSelector(".panel .time:not(:empty)");
    const walk = new Walk(page, seed);
    for (let i = 0; i < ACTIONS; i++) {
      await walk.step();
      const found = await absurd(page, ABSURD.source);
      const last = walk.steps.slice(-14).join(", ");
      assert.equal(found, undefined, `action ${i + 1}, after ${last}`);
      assert.deepEqual(said, [], `action ${i + 1}, after ${last}`);
    }
    // Every fit and every measure comes to an end.
    await page.waitForFunction(() => document.querySelectorAll(".panels .busy").length === 0, undefined, {
      timeout: 120_000,
    });
    await page.waitForTimeout(300);
    assert.equal(await absurd(page, ABSURD.source), undefined);
    assert.deepEqual(said, []);
    await page.close();
  });
}
