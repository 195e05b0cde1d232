/**
 * Tests of the built site:   SITE=FOLDER node --test docs/book/test.mjs
 *
 * Links, requests, sizes and accessibility of the pages; every figure draws its maps; every question has the answer
 * that its text explains.
 */

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { accessible, html, open, pages, site, skip } from "./site.mjs";

const here = dirname(fileURLToPath(import.meta.url));

/** The answers that the texts of the chapters explain, in their order. */
const ANSWERS = {
  projection: ["above 0.5", "about the same"],
  paths: ["below 0.01", "Isomap"],
  shortcut: ["above 0.1: the map is lost", "LLE"],
  lengths: ["below 2°", "Conformal eigenmaps"],
  scores: ["above 0.9", "t-SNE", "LTSA"],
  clusters: ["100", "above 0.95"],
  noise: ["about the same", "PCA"],
  tears: ["t-SNE", "random start, seed 1", "at most 0.01 apart"],
};

/** The affine error above which t-SNE has cut the sheet of the roll. */
const CUT = 0.5;
/** Bytes of a chapter's files as gzip sends them, without the engine. */
const CHAPTER_BYTES = 300_000;
/** Pages of every kind, whose accessibility is tested. */
const ACCESSIBLE = [
  "index.html",
  "chapters/shortcut.html",
  "methods/lle.html",
  "measures/trustworthiness.html",
  "tasks/new-rows.html",
  "exercises/lle.html",
  "lecture.html",
  "gallery.html",
  "coming-from.html",
  "faq.html",
  "reference/command-line.html",
  "reference/rust-api.html",
  "reference/speed.html",
  "lab.html",
];
/** Figures whose data have two components, which some methods refuse. */
const REFUSED = ["two-swiss-rolls"];

/** Whether a page has the heading that an address names. */
function headed(page, anchor) {
  return html.get(page)?.includes(`id="${decodeURIComponent(anchor).replace(/^\//, "")}"`);
}

test("every link leads to a page of the site and to a heading of it", () => {
  const missing = [];
  for (const [name, text] of html) {
    if (name === "404.html") continue;
    for (const [, address] of text.matchAll(/<a [^>]*href="([^"]*)"/g)) {
      if (/^(https?|mailto|data):/.test(address)) continue;
      const [path, anchor] = address.split("#");
      let target = path === "" ? name : posix.join(posix.dirname(name), path);
      if (target.endsWith("/") || target === ".") target = posix.join(target, "index.html");
      if (!existsSync(join(site, target))) missing.push(`${name}: ${address}`);
      // The lab takes settings after the sign, slides a slash and a heading.
      else if (anchor && target !== "lab.html" && !headed(target, anchor))
        missing.push(`${name}: ${address} has no such heading`);
    }
  }
  assert.deepEqual(missing, []);
});

test("pages load no file of another server, and no path of the build is left", () => {
  for (const [name, text] of html) {
    assert.doesNotMatch(text, /<(?:script|img|iframe|source)[^>]* src="(?:https?:)?\/\//, name);
    assert.doesNotMatch(text, /<link[^>]* href="(?:https?:)?\/\//, name);
  }
  for (const name of readdirSync(site, { recursive: true }).filter((name) => /\.(html|js|css)$/.test(name)))
    assert.ok(!readFileSync(join(site, name), "utf8").includes("/__base__"), name);
});

/** Waits until a figure shows all its maps with scores, or the reasons why there are none; returns those reasons. */
async function settled(figure) {
  const handle = await figure.elementHandle();
  // No waiting until the page is still, which moving maps delay.
  await handle.evaluate((element) => element.scrollIntoView({ block: "center" }));
  await figure.page().waitForFunction(
    (element) => {
      const panels = [...(element.shadowRoot?.querySelectorAll(".panels .panel") ?? [])];
      const done = (panel, i) =>
        panel.classList.contains("failed") || Object.keys(element.maps[i]?.scores ?? {}).length > 0;
      return panels.length > 0 && panels.every(done);
    },
    handle,
    { timeout: 120_000 },
  );
  return handle.evaluate((element) => {
    const root = element.shadowRoot;
    const blank = [...root.querySelectorAll(".panel:not(.failed) canvas")].filter((canvas) => {
      if (canvas.classList.contains("over")) return false;
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return !data.some((value, i) => i % 4 === 3 && value > 0);
    });
    return {
      blank: blank.length,
      data: element.getAttribute("data"),
      refused: [...root.querySelectorAll(".panel.failed .state")].map((state) => state.textContent),
    };
  });
}

/** Moves the first control of a figure to an end, and waits until its map is another one or is refused. */
async function controlled(page, figure) {
  const element = await figure.elementHandle();
  const before = await element.evaluate(({ maps }) => JSON.stringify(maps[0].scores));
  const slider = figure.locator('input[type="range"]').locator("visible=true").first();
  const end = await slider.evaluate(({ value, max }) => (value === max ? "Home" : "End"));
  await slider.focus();
  await page.keyboard.press(end);
  await page.waitForFunction(
    ([element, before]) => {
      const failed = element.shadowRoot.querySelector(".panels .panel.failed") !== null;
      const { scores } = element.maps[0];
      return failed || (Object.keys(scores).length > 0 && JSON.stringify(scores) !== before);
    },
    [element, before],
    { timeout: 120_000 },
  );
}

const figured = pages.filter((name) => html.get(name).includes("<swissroll-figure"));

describe("figures", { concurrency: 2 }, () => {
  for (const name of figured) {
    test(`${name}: every figure computes`, { skip, timeout: 300_000 }, async () => {
      const { page, said } = await open(name);
      // Headings arrive with the page's scripts; figures that they create are counted then.
      await page.locator("swissroll-figure").first().waitFor();
      const figures = page.locator(".vp-doc swissroll-figure");
      for (let i = 0; i < (await figures.count()); i++) {
        const { blank, data, refused } = await settled(figures.nth(i));
        if (!REFUSED.includes(data)) assert.deepEqual(refused, [], `figure ${i + 1}`);
        assert.equal(blank, 0, `figure ${i + 1} has an empty map`);
      }
      if (/^methods\/(?!index)/.test(name)) await controlled(page, figures.first());
      assert.deepEqual(said, []);
      await page.close();
    });
  }
});

for (const [name, answers] of Object.entries(ANSWERS)) {
  test(`chapters/${name}: questions have the answers that the text explains`, {
    skip,
    timeout: 300_000,
  }, async () => {
    const { page, said } = await open(`chapters/${name}.html`);
    const questions = page.locator(".predict");
    await page.locator("swissroll-figure[started], .predict").first().waitFor();
    assert.equal(await questions.count(), answers.length);
    for (const [i, answer] of answers.entries()) {
      const question = questions.nth(i);
      await question.locator("button").first().click();
      const strong = question.locator(".answer strong");
      await strong.waitFor({ timeout: 120_000 });
      assert.equal((await strong.textContent()).replace(/^(Yes|No): |\.$/g, ""), answer);
    }
    assert.deepEqual(said, []);
    await page.close();
  });
}

test("the first page: k moves from 10 to 12, and Isomap breaks", { skip, timeout: 120_000 }, async () => {
  const { page, said } = await open("index.html");
  const figure = page.locator("swissroll-figure").first();
  await settled(figure);
  const [before] = await figure.evaluate(({ maps }) => maps.map(({ scores }) => scores.procrustes));
  assert.ok(before < 0.01, String(before));
  await figure.getByLabel("k", { exact: true }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.equal(await figure.getByLabel("k, number").inputValue(), "12");
  await page.waitForFunction(
    () => document.querySelector("swissroll-figure").results?.maps[0].scores.get("procrustes") > 0.1,
    undefined,
    { timeout: 60_000 },
  );
  // LLE hardly changes, as the text says.
  const lle = await figure.evaluate(({ maps }) => maps[1].scores.affine);
  assert.ok(lle < 0.1, String(lle));
  assert.deepEqual(said, []);
  await page.close();
});

/** Shows settings in the first figure of a page; returns the scores of its maps. */
async function shown(page, settings) {
  const figure = page.locator(".vp-doc swissroll-figure").first();
  await figure.evaluate((element, settings) => element.set(settings), settings);
  await settled(figure);
  return figure.evaluate(({ maps }) => maps.map(({ scores }) => scores));
}

/** Waits for the sentence about the neighbor graph of the first figure, which only figures with all controls show. */
const graphed = (page, sentence) =>
  page
    .locator(".vp-doc swissroll-figure")
    .first()
    .getByText(sentence)
    .first()
    .waitFor({ state: "attached", timeout: 60_000 });

test("numbers in the chapters are what the figures compute", { skip, timeout: 600_000 }, async () => {
  const { page } = await open("chapters/shortcut.html");
  const roll = { data: "swiss-roll", n: 1000, k: 12, methods: "isomap", graph: 1 };
  // Chapter `shortcut`: one wrong edge at k = 12, none at 11, one of 600 points at 6.
  await shown(page, roll);
  await graphed(page, /6,?851 edges.* By the true coordinates, 1 edge is a shortcut\./);
  await page
    .locator(".panels .sentences", { hasText: /shortcut/ })
    .first()
    .waitFor({ timeout: 60_000 });
  const [right] = await shown(page, { ...roll, k: 11 });
  await graphed(page, /edges, connected, no suspected shortcut\.$/);
  assert.ok(right.procrustes < 0.001, String(right.procrustes));
  await shown(page, { ...roll, n: 600, k: 6 });
  await graphed(page, /By the true coordinates, 1 edge is a shortcut\./);
  // Chapter `scores`: the similarity error of LTSA, and the reversed order of three methods.
  const three = await shown(page, { ...roll, k: 10, graph: 0, methods: "lle,ltsa,tsne" });
  assert.equal(three[1].procrustes.toFixed(2), "0.27");
  const order = (measure) => [0, 1, 2].sort((i, j) => three[i][measure] - three[j][measure]);
  assert.deepEqual(order("affine"), order("trustworthiness"));
  // Chapter `tears`: of seven random starts of t-SNE, three cut the sheet.
  const starts = Array.from({ length: 7 }, (_, seed) => `tsne~start=random~seed=${seed}`);
  const cut = await shown(page, { ...roll, k: 10, graph: 0, methods: starts.join(",") });
  assert.equal(cut.filter(({ affine }) => affine > CUT).length, 3, cut.map(({ affine }) => affine).join(" "));
  await page.close();
});

for (const colorScheme of ["light", "dark"]) {
  for (const name of ACCESSIBLE) {
    test(`${name}: no violation of accessibility rules, ${colorScheme}`, {
      skip,
      timeout: 120_000,
    }, async () => {
      const { page } = await open(name, { colorScheme });
      if (figured.includes(name)) await settled(page.locator(".vp-doc swissroll-figure").first());
      // The lab writes its page when it has read its engine.
      await page.locator("h1").first().waitFor();
      await accessible(page, name);
      await page.close();
    });
  }
}

const api = join(site, "reference/python-api");
test("every estimator of the Python package has a page with its parameters", {
  skip: !existsSync(api) && "the site was built without Python",
}, () => {
  const source = readFileSync(join(here, "../../python/swissroll/_estimators.py"), "utf8");
  const classes = [...source.matchAll(/^class (\w+)\(/gm)].map(([, name]) => name);
  assert.ok(classes.length > 25, String(classes.length));
  for (const name of classes) {
    const text = readFileSync(join(api, `${name}.html`), "utf8");
    assert.match(text, /n_components/, name);
    assert.match(text, /Examples/, name);
  }
});

test("methods have strips of maps for the parameters that change them, whose pictures exist", () => {
  const expected = {
    lle: ["k", "reg", "radius"],
    isomap: ["k", "radius", "symmetry"],
    tsne: ["perplexity", "early-exaggeration", "degrees-of-freedom", "start", "learning-rate"],
    umap: ["k", "min-dist", "repulsion", "start", "spread", "seed"],
    phate: ["k", "decay", "gamma", "landmarks"],
    pacmap: ["further-ratio", "mid-near-ratio", "start", "near-saturation", "third-further"],
    "conformal-eigenmaps": ["k", "reg", "pairs", "weight", "pipeline"],
  };
  // The others have said that they have no effect.
  assert.match(html.get("methods/lle.html"), /were tried of <code>scale<\/code>, <code>tolerance<\/code>/);
  for (const [name, parameters] of Object.entries(expected)) {
    const found = [...html.get(`methods/${name}.html`).matchAll(/src="[^"]*(strips\/[^"]+)"/g)];
    const shown = parameters.map((one) =>
      found.filter(([, file]) => file.startsWith(`strips/${name}-${one}-`)),
    );
    for (const [i, pictures] of shown.entries()) assert.ok(pictures.length > 1, `${name}: ${parameters[i]}`);
    for (const [, file] of found) assert.ok(existsSync(join(site, file)), file);
  }
});

test("the page of the Rust API leads to every crate", () => {
  const text = html.get("reference/rust-api.html");
  for (const folder of readdirSync(join(here, "../../crates"))) {
    const manifest = readFileSync(join(here, `../../crates/${folder}/Cargo.toml`), "utf8");
    const link = new RegExp(`href="[^"]*/${folder.replace("-", "[-_]")}/(README.md|index.html)"`);
    assert.equal(link.test(text), !manifest.includes("publish = false"), folder);
  }
});

test("a chapter is small without the engine, and search works without a server", { skip }, async () => {
  const { page, sent, said } = await open("chapters/projection.html");
  await settled(page.locator(".vp-doc swissroll-figure").first());
  const files = [...new Set(sent)].filter((name) => !name.endsWith("engine.js"));
  const bytes = files.reduce((sum, name) => sum + gzipSync(readFileSync(join(site, name))).length, 0);
  assert.ok(bytes <= CHAPTER_BYTES, `${bytes} bytes: ${files.join(", ")}`);
  await page.keyboard.press("Control+k");
  await page.locator("#localsearch-input").fill("shortest paths");
  await page.locator("#localsearch-list a").first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/some\/folder\/[a-z]+\//);
  assert.deepEqual(said, []);
  await page.close();
});

test("without scripts a page can be read", { skip }, async () => {
  const { page } = await open("chapters/paths.html", { javaScriptEnabled: false });
  assert.equal(await page.getByText("geodesic distance").first().isVisible(), true);
  await page.close();
});
