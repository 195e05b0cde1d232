/** The entrance and the guided path: every step of the lecture shows its state, and what its text says is so. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import type { MeasureInfo } from "../src/protocol.js";
import { isBest } from "../src/state/best.js";
import { doubled, engined, prepared, root, settled, skip } from "./browser.js";

const made = prepared(engined);
const small = prepared(doubled);

/** A number that the text has: a score of a map, or a part of a sentence below a map or below the data. */
type Said = [text: string, measure: string, map: number] | [text: string, sentence: string];

interface Expected {
  /** The answer that the text of the step explains. */
  answer: string;
  says?: Said[];
  /** Numbers for another k, which the text names. */
  with?: { k: number; says: Said[] };
  /** The number of maps that are refused; 0 where omitted. */
  refused?: number;
}

const STEPS: Record<string, Expected> = {
  "0:00": {
    answer: "above 0.9",
    says: [
      ["is 0.88", "affine", 0],
      ["and 0.89:", "affine", 1],
      ["nevertheless 0.97", "trustworthiness", 0],
      ["at 10 % for PCA", "at 10 % of the points"],
      ["at 44 % for SMACOF", "at 44 % of the points"],
    ],
  },
  "0:05": {
    answer: "below 0.01",
    says: [
      ["5,770 of them", "5770 edges"],
      ["0.0009 from the truth", "procrustes", 0],
    ],
  },
  "0:10": {
    answer: "LLE",
    says: [
      ["below 0.0001", "affine", 1],
      ["below 0.0001", "affine", 2],
      ["below 0.0001", "affine", 3],
      ["(procrustes) 0.27", "procrustes", 1],
      ["(procrustes) 0.27", "procrustes", 3],
      ["affine error 0.02)", "affine", 0],
      ["0.996", "trustworthiness", 0],
    ],
  },
  "0:16": { answer: "t-SNE", says: [["trustworthiness, 0.999", "trustworthiness", 2]] },
  "0:20": {
    answer: "1 to 9",
    says: [
      ["6 suspected shortcuts", "6 suspected shortcuts"],
      ["procrustes 0.51", "procrustes", 0],
    ],
    with: {
      k: 8,
      says: [
        ["still wrong (0.41)", "procrustes", 0],
        ["3 edges between layers", "3 edges are shortcuts"],
        ["the red edges are gone", "no suspected shortcut"],
      ],
    },
  },
  "0:25": {
    answer: "no",
    says: [
      ["178 suspected shortcuts", "178 suspected shortcuts"],
      ["errors of 0.89 and more", "affine", 1],
    ],
    with: {
      k: 15,
      says: [
        ["there are 4", "4 suspected shortcuts"],
        ["affine error 0.04", "affine", 1],
        ["is not (0.20)", "affine", 0],
      ],
    },
  },
  "0:30": {
    answer: "Isomap",
    says: [["procrustes 0.004", "procrustes", 0]],
  },
  "0:34": { answer: "Isomap", says: [["(0.003)", "procrustes", 0]] },
  "0:38": {
    answer: "below 2",
    says: [
      ["0.00006 and", "procrustes", 0],
      ["and 0.00002", "procrustes", 1],
      ["LLE has 0.33", "procrustes", 2],
      ["20.8° to 0.7°", "20.8° for plain LLE, 0.7° here"],
    ],
  },
  "0:43": {
    answer: "Conformal eigenmaps",
    says: [
      ["closest (0.002,", "procrustes", 1],
      ["Isomap 0.008", "procrustes", 0],
    ],
  },
  "0:47": { answer: "LTSA", says: [["procrustes 0.012", "procrustes", 0]] },
  "0:50": { answer: "one or two", refused: 2 },
  "0:52": {
    answer: "at most 400",
    says: [
      ["one edge was added", "1 edge was added"],
      ["400 of 800 points were placed", "400 of 800 points were placed"],
      ["placed next to each other", "placed side by side"],
    ],
  },
  "0:54": { answer: "LDA" },
  "0:55": { answer: "above 0.9" },
  "0:56": {
    answer: "t-SNE",
    says: [
      ["0.9996 and", "trustworthiness", 3],
      ["and 0.9989", "trustworthiness", 1],
      ["PaCMAP 0.991", "trustworthiness", 2],
      ["PCA 0.949", "trustworthiness", 0],
    ],
  },
  "0:58": { answer: "Isomap" },
};

const LIMIT = { timeout: 120_000 };

/** Waits until the scores and the graph of the settings are shown. */
async function computed(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      !/^$|…$/.test(document.querySelector(".graph-text")!.textContent) &&
      [...document.querySelectorAll(".panel[data-method]")].every(
        (panel) =>
          !panel.classList.contains("busy") &&
          (panel.classList.contains("failed") ||
            (panel.querySelector(".scores dd") &&
              !panel.querySelector(".scores")!.textContent.includes("…"))),
      ),
    undefined,
    LIMIT,
  );
}

/** All scores by map, with all digits. */
async function scores(page: Page): Promise<Record<string, string>[]> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByLabel("save the table as CSV").click(),
  ]);
  const [head = "", ...rows] = readFileSync(await download.path(), "utf8")
    .trim()
    .split("\n");
  const names = head.split(",");
  return rows.map((row) => {
    const values = row.replace(/^"[^"]*"/, "").split(",");
    return Object.fromEntries(names.map((name, i) => [name, values[i] ?? ""]));
  });
}

/** Compares the numbers of a text with the page. */
async function compare(page: Page, text: string, says: readonly Said[], step: string): Promise<void> {
  const all = await scores(page);
  const sentences = (await page.locator(".graph-text, .sentences").allTextContents()).join("\n");
  for (const [words, about, map] of says) {
    assert.ok(text.includes(words), `${step}: the text does not say “${words}”`);
    if (map === undefined) {
      assert.ok(sentences.includes(about), `${step}: no sentence of the page says “${about}”`);
      continue;
    }
    const said = /\d+\.\d+/.exec(words)![0];
    const value = Number(all[map]![about]);
    const decimals = said.split(".")[1]!.length;
    if (words.startsWith("below")) assert.ok(value < Number(said), `${step}: ${about} ${value}`);
    else assert.equal(value.toFixed(decimals), said, `${step}: ${words}: ${about} ${value}`);
  }
}

test("from a bare page, “next” shows every step of the lecture, whose numbers and answers the page computes", {
  skip,
}, async () => {
  const { page, said } = await made.bench.open(made.html, { width: 1400 });
  assert.equal(
    (await page.locator(".entrance").textContent())!.replace("×", ""),
    "A rectangle rolled up along an Archimedean spiral: 1,000 points, and 10 maps of them. Move k and watch the maps. Begin the guided path",
  );
  await page.getByLabel("Begin the guided path").click();
  assert.equal(await page.locator(".entrance").count(), 0);
  await page.locator(".all summary").evaluate((summary: HTMLElement) => summary.click());
  const lecture = readFileSync(join(root, "../../docs/lecture.md"), "utf8");
  const addresses = [...lecture.matchAll(/^lab\.html#(\S+)$/gm)].map((found) => found[1]!);
  const minutes = Object.keys(STEPS);
  assert.equal(addresses.length, 17);
  assert.equal(minutes.length, 17);
  for (const [i, address] of addresses.entries()) {
    const minute = minutes[i]!;
    const expected = STEPS[minute]!;
    const wanted = new URLSearchParams(address);
    const methods = wanted
      .get("methods")!
      .split(",")
      .map((method) => method.split("~")[0]!);
    assert.equal(await page.locator(".guide .place").textContent(), `Step ${i + 1} of 17 · ${minute}`);
    assert.ok(lecture.includes(`## ${minute} ${await page.locator(".guide h2").textContent()}\n`));
    await page.waitForFunction(
      (name) => document.querySelector(".data .name")!.textContent.startsWith(name),
      `${wanted.get("data")}: ${wanted.get("n")} points`,
      LIMIT,
    );
    // Every setting was understood: the page writes the same ones.
    await page.waitForFunction(() => location.hash.includes("view="));
    const written = new URLSearchParams(new URL(page.url()).hash.slice(1));
    assert.equal(written.get("guide"), String(i + 1));
    for (const [key, value] of wanted) assert.equal(written.get(key), value, `${address}: ${key}`);
    // The numbers are hidden until an answer is chosen.
    const shown = () =>
      page
        .locator(".panels")
        .evaluate(() => getComputedStyle(document.querySelector(".graph-text")!).visibility);
    assert.equal(await shown(), "hidden");
    assert.equal(await page.getByRole("heading", { name: "What you see" }).count(), 0);
    await page.locator(".ask > .buttons button").first().click();
    assert.equal(await shown(), "visible");
    await page.locator(".reply strong").waitFor(LIMIT);
    assert.match(
      (await page.locator(".reply").textContent())!,
      /^(Yes|No): .*Computed here: .*\d\.$/,
      address,
    );
    assert.equal(await page.locator(".ask .right").textContent(), expected.answer, address);
    await settled(page, [...new Set(methods)]);
    await computed(page);
    assert.deepEqual(
      await page
        .locator("[data-method]")
        .evaluateAll((panels) => panels.map((panel) => (panel as HTMLElement).dataset["method"])),
      methods,
      address,
    );
    assert.equal(await page.locator(".panel.failed").count(), expected.refused ?? 0, address);
    assert.equal(await page.locator(".alert:not([hidden])").count(), 0, address);
    const text = (await page.locator(".guide .text").textContent())!;
    if (expected.says) await compare(page, text, expected.says, minute);
    if (expected.with) {
      await page.getByLabel("k, number").first().fill(String(expected.with.k));
      await page.getByLabel("k, number").first().press("Enter");
      await computed(page);
      await compare(page, text, expected.with.says, `${minute}, k = ${expected.with.k}`);
    }
    // A step with the methods of the step before keeps its panels, whose changes still reach the address.
    if (minute === "0:30") {
      await page.getByLabel("remove LTSA").click();
      await page.waitForFunction(() => location.hash.endsWith("methods=isomap,lle"));
    }
    assert.deepEqual(said, [], address);
    await page.locator(".guide .next-step").click();
  }
  assert.equal(await page.locator(".guide").isVisible(), false);
  await page.waitForFunction(() => !location.hash.includes("guide="));
  assert.deepEqual(said, []);
  await page.close();
});

test("steps are entries of the history; an address opens the guide at its step, with what differs from the step", {
  skip,
}, async () => {
  const { page, said } = await small.bench.open(small.html, { address: "#guide=5&k=7" });
  const place = () => page.locator(".guide .place").textContent();
  assert.equal(await place(), "Step 5 of 17 · 0:20");
  await page.waitForFunction(() => /guide=5&data=swiss-roll&n=600.*k=7.*graph=1/.test(location.hash));
  await page.evaluate(() => Object.assign(window, { same: true }));
  await page.locator(".guide .next-step").click();
  await page.waitForFunction(() => /guide=6&data=swiss-roll&n=1000.*k=30/.test(location.hash));
  assert.equal(await page.getByLabel("k, number").first().inputValue(), "30");
  await page.goBack();
  await page.waitForFunction(() => document.querySelector(".guide .place")!.textContent.startsWith("Step 5"));
  assert.equal(await page.getByLabel("k, number").first().inputValue(), "7");
  assert.equal(await page.evaluate(() => "same" in window), true, "the page was loaded anew");
  // The keyboard alone: the focus stays on the button.
  await page.locator(".guide .next-step").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  assert.equal(await place(), "Step 7 of 17 · 0:30");
  await page.getByLabel("close the guided path").click();
  assert.equal(await page.locator(".predicting").count(), 0);
  await page.waitForFunction(() => !location.hash.includes("guide="));
  await page.getByLabel("guide: the steps of a lecture").click();
  assert.equal(await place(), "Step 1 of 17 · 0:00");
  assert.deepEqual(said, []);
  await page.close();
});

test("where a map of a step was removed, there is no answer, and the step can be restored", {
  skip,
}, async () => {
  const { page, said } = await small.bench.open(small.html, { address: "#guide=7" });
  await settled(page, ["isomap", "lle"]);
  await page.getByLabel("remove LLE").click();
  await page.getByText("show without a guess").click();
  await page.getByText("restore the step").click();
  await settled(page, ["lle"]);
  assert.equal(await page.locator(".reply").textContent(), "");
  assert.deepEqual(said, []);
  await page.close();
});

test("on a phone a map and k share the first screen: without the guide, with it, and where it is folded", {
  skip,
}, async () => {
  const { page, said } = await small.bench.open(small.html);
  await page.setViewportSize({ width: 390, height: 844 });
  const seen = () =>
    page.waitForFunction(() => {
      const map = document.querySelector(".panel[data-method] .picture");
      const k = document.querySelector('input[aria-label="k"]');
      const free = [map, k].every((element) => {
        if (element === null) return false;
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const points = [
          [left + 2, top + 2],
          [right - 2, bottom - 2],
          [(left + right) / 2, (top + bottom) / 2],
        ] as const;
        return points.every(([x, y]) => {
          const at = document.elementFromPoint(x, y);
          return at !== null && (element.contains(at) || at.contains(element));
        });
      });
      return free && scrollY === 0;
    });
  await seen();
  await page.getByLabel("Begin the guided path").click();
  await page.waitForFunction(() => document.querySelectorAll(".panel[data-method]").length > 0);
  await seen();
  assert.equal(await page.locator(".guide .text").isVisible(), true);
  await page.locator(".guide .fold").click();
  assert.equal(await page.locator(".guide .text").isVisible(), false);
  await seen();
  assert.deepEqual(said, []);
  await page.close();
});

test("the explanation of a control is shown where the keyboard has its focus", { skip }, async () => {
  const { page } = await small.bench.open(small.html, { address: "#n=300&methods=isomap" });
  const hint = page.locator(".hint");
  for (const [label, text] of [
    ["k", /neighbors of each point/],
    ["dim", /dimension of the maps/],
    ["decode", /decoded to data/],
  ] as const) {
    await page.getByLabel(label, { exact: true }).focus();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    assert.match((await hint.textContent())!, text);
    assert.equal(await hint.isVisible(), true);
  }
  await page.keyboard.press("Escape");
  assert.equal(await hint.isVisible(), false);
  await page.close();
});

test("a best value is marked only within the best fifth of its measure's range", () => {
  const info = (low: number, high: number, better: "lower" | "higher") =>
    ({ low, high, better }) as MeasureInfo;
  const affine = info(0, 1, "lower");
  assert.deepEqual(
    [0.88, 0.21, 0.2, 0.001].map((value) => isBest(affine, value, [value, 0.95])),
    [false, false, true, true],
  );
  assert.equal(isBest(affine, 0.002, [0.002, 0.001]), false);
  assert.equal(isBest(info(-1, 1, "higher"), 0.6, [0.6, 0.1]), true);
  assert.equal(isBest(info(-1, 1, "higher"), 0.5, [0.5, 0.1]), false);
  assert.equal(isBest(info(0, 120, "lower"), 24, [24, 30]), true);
});
