/** A page in a browser, for the tests. */

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";

const PLACES = [
  process.env["CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** The browser's program; `undefined` where none is installed. */
export const program = PLACES.find((place) => place !== undefined && existsSync(place));

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** The page of the sources, with another module instead of the engine's. */
async function built(instance?: string): Promise<string> {
  const { page } = (await import(pathToFileURL(join(root, "build.mjs")).href)) as {
    page: (instance?: string) => Promise<string>;
  };
  return page(instance);
}

/** The page of the sources with the engine as it is committed. */
export async function engined(): Promise<string> {
  const engine = readFileSync(join(root, "../engine.wasm.xz")).toString("base64");
  return (await built()).replace('id="engine">', () => `id="engine">${engine}`);
}

/** The page with the tests' double instead of the engine. */
export async function doubled(): Promise<string> {
  // The smallest module there is, its eight bytes packed by `xz --check=crc32`.
  const module = "/Td6WFoAAAFpIt42AgAhARYAAAB0L+WjAQAHAGFzbQEAAAAAzjNLHAABHAhEYCrIkEKZDQEAAAAAAVla";
  return (await built(join(root, "test/double.ts"))).replace('id="engine">', `id="engine">${module}`);
}

/** Opens pages from files, and keeps what they say and ask for. */
export class Bench {
  private readonly folder = mkdtempSync(join(tmpdir(), "lab-"));
  private browser: Browser | undefined;

  file(name: string, content: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, content);
    return path;
  }

  async open(
    html: string,
    options: { width?: number; address?: string; dark?: boolean; workers?: number; touch?: boolean } = {},
  ): Promise<{ page: Page; said: string[] }> {
    this.browser ??= await chromium.launch({
      executablePath: program!,
      args: ["--no-sandbox", "--disable-gpu"],
    });
    const page = await this.browser.newPage({
      viewport: { width: options.width ?? 1300, height: 900 },
      colorScheme: options.dark ? "dark" : "light",
      hasTouch: options.touch ?? false,
    });
    const { workers } = options;
    if (workers !== undefined)
      await page.addInitScript(
        (count) => Object.defineProperty(navigator, "hardwareConcurrency", { value: count }),
        workers,
      );
    const said: string[] = [];
    page.on("console", (message) => {
      // The tests themselves read canvases back, which the page never does.
      if (!message.text().includes("willReadFrequently")) said.push(`${message.type()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => said.push(`error: ${error.message}`));
    page.on("request", (request) => {
      if (!/^(file|blob):/.test(request.url())) said.push(`request: ${request.url()}`);
    });
    await page.goto(`file://${this.file("lab.html", html)}${options.address ?? ""}`);
    return { page, said };
  }

  async close(): Promise<void> {
    await this.browser?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Why tests in a browser are skipped, where none is installed. */
export const skip =
  program === undefined && "no Chromium is installed (apt-get install chromium, or set CHROMIUM)";

/** The browser of a file of tests, closed after them, and the page that is made before them. */
export function prepared(make: () => string | Promise<string>): { bench: Bench; readonly html: string } {
  const made = { bench: new Bench(), html: "" };
  before(async () => {
    if (!skip) made.html = await make();
  });
  after(() => made.bench.close());
  return made;
}

/** Waits until the panels of these methods show a map, or why there is none. */
export async function settled(page: Page, methods: readonly string[]): Promise<void> {
  for (const method of methods) {
    await page.waitForFunction(
      (name) => {
        const panel = document.querySelector(`[data-method="${name}"]`);
        return (
          panel !== null &&
          !panel.classList.contains("busy") &&
          (panel.querySelector(".time")!.textContent !== "" || panel.classList.contains("failed"))
        );
      },
      method,
      { timeout: 30_000 },
    );
  }
}

/** Selects the points in the left half of a map by a box. */
export async function selectLeft(page: Page, method: string): Promise<void> {
  await page.getByLabel("a drag").selectOption("box");
  const box = (await page.locator(`[data-method="${method}"] .over`).boundingBox())!;
  await page.mouse.move(box.x + 2, box.y + 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height - 2, { steps: 4 });
  await page.mouse.up();
}

/** The number of pixels of a canvas that are not transparent. */
export function drawn(page: Page, selector: string): Promise<number> {
  return page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const canvas = element as HTMLCanvasElement;
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let i = 3; i < data.length; i += 4) if (data[i]! > 0) count += 1;
      return count;
    });
}
