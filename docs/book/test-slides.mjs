/**
 * Tests of the lecture as slides, and of the lab:   SITE=FOLDER node --test docs/book/test-slides.mjs
 *
 * Every slide has the figure, the question and the notes of its step, fits into the window, and changes by keys.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { steps } from "../../web/page/build.mjs";
import { accessible, html, open, skip } from "./site.mjs";

const SLIDES = "slides/lecture.html";
const WINDOWS = [
  { viewport: { width: 1280, height: 720 }, colorScheme: "light" },
  { viewport: { width: 1024, height: 768 }, colorScheme: "dark" },
];
const WAIT = { timeout: 120_000 };

/** The title of the slide that is shown. */
const title = (page) => page.locator("section.present :is(h1, h2)").first().textContent();

/** Waits until the figure of the present slide has all maps and scores; returns its settings as pairs. */
async function computed(page) {
  const figure = page.locator("section.present swissroll-figure");
  await page.waitForFunction(
    () => document.querySelector("section.present swissroll-figure")?.results !== undefined,
    undefined,
    WAIT,
  );
  return Object.fromEntries(new URLSearchParams(await figure.evaluate(({ settings }) => settings)));
}

/** Pixels of the present slide below the window. */
const hidden = (page) =>
  page.locator("section.present").evaluate((slide) => slide.scrollHeight - slide.clientHeight);

for (const options of WINDOWS) {
  const size = `${options.viewport.width} × ${options.viewport.height}`;
  test(`every slide computes, fits into ${size}, and answers its question, ${options.colorScheme}`, {
    skip,
    timeout: 900_000,
  }, async () => {
    const { page, said } = await open(SLIDES, options);
    await page.locator("section.present").waitFor();
    await accessible(page, "the first slide");
    for (const step of steps()) {
      await page.keyboard.press("ArrowRight");
      assert.equal(await title(page), step.title);
      const settings = await computed(page);
      for (const [name, value] of new URLSearchParams(step.address))
        if (name !== "graph") assert.equal(settings[name], value, `${step.title}: ${name}`);
      const scores = page.locator("section.present .scores").locator("visible=true");
      assert.equal(await scores.count(), 0, `${step.title}: scores are seen before the answer`);
      await page.locator("section.present .ask button").first().click();
      const strong = page.locator("section.present .reply strong");
      await strong.waitFor(WAIT);
      const right = await page.locator("section.present .ask .right").textContent();
      assert.match(await strong.textContent(), /^(Yes|No): /);
      assert.ok((await strong.textContent()).endsWith(`: ${right}.`), step.title);
      assert.ok(
        (await hidden(page)) <= 0,
        `${step.title}: ${await hidden(page)} pixels are below the window`,
      );
      await accessible(page, step.title);
    }
    await page.keyboard.press("ArrowRight");
    assert.equal(await title(page), "After the lecture");
    await accessible(page, "the last slide");
    assert.deepEqual(said, []);
    await page.close();
  });
}

test("arrow keys change slides after a click in a figure; Space presses a button", {
  skip,
  timeout: 300_000,
}, async () => {
  const [first, second, third] = steps();
  const { page, said } = await open(`${SLIDES}#/distances-along-the-sheet`, WINDOWS[0]);
  assert.equal(await title(page), second.title);
  await computed(page);
  await page.locator("section.present canvas.over").first().click();
  await page.keyboard.press("ArrowRight");
  assert.equal(await title(page), third.title);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await title(page), first.title);
  const choice = page.locator("section.present .ask button").first();
  await choice.focus();
  await page.keyboard.press("Space");
  assert.equal(await title(page), first.title);
  assert.equal(await choice.getAttribute("aria-pressed"), "true");
  // A figure keeps what was set, when the lecturer comes back to its slide.
  await page.locator("section.present swissroll-figure").evaluate((figure) => figure.set({ k: 12 }));
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  assert.equal((await computed(page)).k, "12");
  assert.deepEqual(said, []);
  await page.close();
});

test("the speaker's window has the notes of the slide, and computes nothing", {
  skip,
  timeout: 120_000,
}, async () => {
  const { page, said } = await open(`${SLIDES}#/noise`, WINDOWS[0]);
  await page.locator("section.present .ask").waitFor();
  const opened = page.waitForEvent("popup");
  await page.keyboard.press("s");
  const speaker = await opened;
  const { say, see } = steps().find(({ title }) => title === "Noise");
  for (const text of [say[0], see[0]]) await speaker.getByText(text.slice(0, 40)).first().waitFor();
  const frames = speaker.frameLocator("iframe");
  await frames.first().locator("section.present h2", { hasText: "Noise" }).waitFor();
  assert.equal(await frames.first().locator("swissroll-figure").count(), 0);
  assert.deepEqual(said, []);
  await page.close();
});

test("without scripts the slides are a text", { skip }, async () => {
  const { page } = await open(SLIDES, { javaScriptEnabled: false });
  assert.equal(await page.getByText("Rotate the data by dragging").isVisible(), true);
  await page.close();
});

test("the lab is a file of the site, and opens the addresses of the lecture", {
  skip,
  timeout: 120_000,
}, async () => {
  for (const { address } of steps())
    assert.ok(html.get("lecture.html").includes(`lab.html#${address.replaceAll("&", "&amp;")}"`), address);
  const { page, said, sent } = await open("lab.html#data=swiss-roll&n=300&k=8&methods=isomap");
  await page
    .locator('.panel[data-method="isomap"] .scores')
    .getByText("trustworthiness")
    .first()
    .waitFor(WAIT);
  assert.deepEqual(sent, ["lab.html"]);
  assert.deepEqual(said, []);
  await page.close();
});
