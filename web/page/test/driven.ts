/** Browsers driven by WebDriver BiDi or the protocol of Chromium, for tests that run in both. */

import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { program as chromium } from "./browser.js";

const PLACES = [process.env["FIREFOX"], "/usr/bin/firefox-esr", "/usr/bin/firefox"];

export type Kind = "Chromium" | "Firefox";

const programs: Record<Kind, string | undefined> = {
  Chromium: chromium,
  Firefox: PLACES.find((place) => place !== undefined && existsSync(place)),
};

/** Why tests in a browser are skipped, where it is not installed. */
export function skipped(kind: Kind): string | false {
  return (
    programs[kind] === undefined &&
    `no ${kind} is installed (apt-get install ${kind === "Firefox" ? "firefox-esr" : "chromium"}, or set ${kind.toUpperCase()})`
  );
}

/** A page, and what it has reported and requested from outside. */
export interface Shown {
  page: Page;
  said: string[];
}

/** One browser, which shows pages from files. */
export class Driven {
  readonly folder = mkdtempSync(join(tmpdir(), "driven-"));

  private constructor(
    readonly kind: Kind,
    readonly browser: Browser,
  ) {}

  static async open(kind: Kind): Promise<Driven> {
    const browser = await puppeteer.launch({
      browser: kind === "Firefox" ? "firefox" : "chrome",
      executablePath: programs[kind]!,
      headless: true,
      args: kind === "Firefox" ? [] : ["--no-sandbox", "--disable-gpu"],
      protocolTimeout: 300_000,
      // Saved files go to a folder that the system cleans, and no dialog opens.
      extraPrefsFirefox: {
        "browser.download.folderList": 2,
        "browser.download.dir": tmpdir(),
        "browser.download.useDownloadDir": true,
        "browser.download.alwaysOpenPanel": false,
      },
    });
    return new Driven(kind, browser);
  }

  file(name: string, content: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, content);
    return path;
  }

  async show(html: string, address = ""): Promise<Shown> {
    const page = await this.browser.newPage();
    await page.setViewport({ width: 1300, height: 900 });
    const said: string[] = [];
    page.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) =>
      said.push(`error: ${error instanceof Error ? error.message : String(error)}`),
    );
    page.on("request", (request) => {
      if (!/^(file|blob|data):/.test(request.url())) said.push(`request: ${request.url()}`);
    });
    await page.goto(`file://${this.file("lab.html", html)}${address}`);
    return { page, said };
  }

  async close(): Promise<void> {
    await this.browser.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Waits until every panel shows a map, or why there is none; with `scores` also until nothing is computed. */
export async function settled(page: Page, scores = false): Promise<void> {
  await page.waitForFunction(
    (scores: boolean) => {
      const panels = [...document.querySelectorAll(".panels .panel")];
      return (
        panels.length > 0 &&
        panels.every(
          (panel) =>
            !panel.classList.contains("busy") &&
            (panel.querySelector(".time")?.textContent !== "" || panel.classList.contains("failed")) &&
            !(scores && panel.querySelector(".scores")?.textContent.includes("…")),
        )
      );
    },
    { timeout: 120_000 },
    scores,
  );
}

/** Words on the screen that a reader must never see, outside explanations. */
const ABSURD = /[−-]∞|\bNaN\b|\bundefined\b|\bInfinity\b|\[object /;

/** What is wrong on the screen, if anything. */
export function absurd(page: Page): Promise<string | undefined> {
  return page.evaluate((pattern: string) => {
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
  }, ABSURD.source);
}
