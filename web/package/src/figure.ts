/**
 * The element `<swissroll-figure>`: data and maps of them, computed live in any page.
 *
 *     <swissroll-figure data="swiss-roll" n="1000" k="10" methods="isomap,lle" controls="k">
 *       <img src="still.png" alt="shown without a script">
 *     </swissroll-figure>
 *
 * Importing this module defines the element.
 */

import style from "style:figure.css";
import { App } from "../../page/src/app.js";
import { engineModule } from "../../page/src/engine/artifact.js";
import { Engines } from "../../page/src/engine/engines.js";
import type { Results } from "../../page/src/guide/answer.js";
import type { Description } from "../../page/src/protocol.js";
import { reasonOf } from "../../page/src/reason.js";
import { decode, encode, type Settings, usual } from "../../page/src/state/settings.js";
import { carriedEngine } from "./engine-text.js";

/** The attributes that are settings: parts of the address of the lab. */
const SETTINGS = [
  "data",
  "n",
  "noise",
  "seed",
  "k",
  "dim",
  "methods",
  "color",
  "view",
  "graph",
  "names",
  "decode",
  "unwarp",
] as const;

/** A setting as an attribute has it. */
export type Values = { [K in (typeof SETTINGS)[number]]?: string | number | boolean };

/** A map that a figure shows. */
export interface ShownMap {
  method: string;
  /** The method with the parameters that are set. */
  title: string;
  /** Scores by name; none until the map is measured, or where the fit is refused. */
  scores: Readonly<Record<string, number>>;
}

/** How many pixels from the window a figure starts, so that its maps are there when it is seen. */
const NEAR = 200;

/** One engine for all figures of a page. */
let opened: Promise<Engines> | undefined;

function engines(): Promise<Engines> {
  opened ??= (() => {
    const carried = carriedEngine();
    return Engines.open(
      carried.then(({ module }) => engineModule(module)),
      carried.then(({ description }) => JSON.parse(description) as Description),
    );
  })();
  return opened;
}

export class SwissrollFigure extends HTMLElement {
  static readonly observedAttributes: readonly string[] = [...SETTINGS, "controls", "predict"];

  private app: App | undefined;
  private seen: IntersectionObserver | undefined;
  private readonly root = this.attachShadow({ mode: "open" });
  private readonly received = ({ data }: MessageEvent) => {
    if (values(data)) this.set(data);
  };

  constructor() {
    super();
    this.rest();
    this.root.addEventListener("pointerup", () => this.release());
    this.addEventListener("keydown", (event) => this.key(event));
  }

  connectedCallback(): void {
    addEventListener("message", this.received);
    this.seen = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void this.start();
      },
      { rootMargin: `${NEAR}px` },
    );
    this.seen.observe(this);
    // The observer reports after the first frame; the figure then shows a failure, too.
    if (this.near()) engines().catch(() => undefined);
  }

  disconnectedCallback(): void {
    removeEventListener("message", this.received);
    this.seen?.disconnect();
    this.app?.close();
    this.app = undefined;
    this.rest();
  }

  attributeChangedCallback(name: string, _: string | null, text: string | null): void {
    const { app } = this;
    if (!app) return;
    if (name === "controls") void this.show();
    else if (name === "predict") this.hide();
    else if (text !== null) app.take(decode(this.address([name]), app.settings));
    else app.take({ ...app.settings, [name]: this.first()[name as keyof Settings] });
  }

  /** Changes settings, as the controls do: `figure.set({ k: 12 })`. A message to the window does the same. */
  set(changes: Values): void {
    for (const [name, value] of Object.entries(changes))
      this.setAttribute(name, typeof value === "boolean" ? String(Number(value)) : String(value));
  }

  /** The settings in force, as the address of the lab has them after `#`. */
  get settings(): string {
    return encode(this.app?.settings ?? decode(this.address(SETTINGS), this.first()));
  }

  /** The maps in their order, with their scores; none before the figure has started. */
  get maps(): ShownMap[] {
    return (this.app?.panels ?? []).map(({ info, title, raw }) => ({
      method: info.name,
      title,
      scores: Object.fromEntries(raw.map(({ name, value }) => [name, value])),
    }));
  }

  /** What the figure shows, once every map is fitted and measured; until then `undefined`. */
  get results(): Results | undefined {
    return this.app?.results();
  }

  /** Hides the scores while the attribute `predict` is set. */
  private hide(): void {
    this.app?.element.classList.toggle("predicting", this.hasAttribute("predict"));
  }

  /** Shows the contents for readers without a script. */
  private rest(): void {
    this.removeAttribute("started");
    this.root.replaceChildren(sheet(), document.createElement("slot"));
  }

  /** Whether the figure is in the window, or near it. */
  private near(): boolean {
    const { width, top, bottom } = this.getBoundingClientRect();
    return width > 0 && top < innerHeight + NEAR && bottom > -NEAR;
  }

  private async start(): Promise<void> {
    this.seen?.disconnect();
    try {
      await this.show();
    } catch (error) {
      this.app?.close();
      this.app = undefined;
      const reason = document.createElement("p");
      reason.className = "refused";
      reason.textContent = `This figure cannot be computed: ${reasonOf(error)}`;
      this.root.append(reason);
    }
  }

  /** Replaces the contents by data and maps. */
  private async show(): Promise<void> {
    const shared = await engines();
    if (!this.isConnected) return;
    const settings = this.app?.settings ?? decode(this.address(SETTINGS), this.first());
    this.app?.close();
    const named = this.getAttribute("controls") ?? "none";
    const app = new App(shared, settings, {
      kind: "figure",
      controls: named === "full" ? "all" : named === "none" ? [] : named.split(/[\s,]+/).filter(Boolean),
      changed: (settings) => this.dispatchEvent(new CustomEvent("change", { detail: encode(settings) })),
    });
    this.app = app;
    this.hide();
    // Until the engine is compiled, the contents for readers without a script stay.
    await shared.module;
    if (this.app !== app) return;
    this.root.replaceChildren(sheet(), app.element);
    this.setAttribute("started", "");
  }

  private first(): Settings {
    return usual("swiss-roll", 1000, ["isomap", "lle"]);
  }

  /** Attributes as an address. */
  private address(names: readonly string[]): string {
    const given = names.filter((name) => this.hasAttribute(name));
    return given.map((name) => `${name}=${written(name, this.getAttribute(name) ?? "")}`).join("&");
  }

  /** In slides, the keys belong to the deck again after a click or a drag. */
  private release(): void {
    const focused = this.root.activeElement;
    if (
      this.closest(".reveal") &&
      focused instanceof HTMLElement &&
      !focused.matches("input[type=text], select")
    )
      focused.blur();
  }

  /** Keys that a control of the figure uses are no keys of the page. */
  private key(event: KeyboardEvent): void {
    if (event.defaultPrevented || this.root.activeElement?.matches("input, select, textarea"))
      event.stopPropagation();
  }
}

/** The text of an attribute as in an address. */
function written(name: string, text: string): string {
  if (["graph", "names", "unwarp"].includes(name))
    return text === "" || text === "true" || text === "1" ? "1" : "0";
  if (name === "data" || name === "color") return encodeURIComponent(text);
  return name === "methods" ? text.replaceAll(/\s+/g, "") : text;
}

/** Whether a message consists of settings, and nothing else. */
function values(message: unknown): message is Values {
  if (typeof message !== "object" || message === null) return false;
  const entries = Object.entries(message);
  return (
    entries.length > 0 &&
    entries.every(
      ([name, value]) =>
        (SETTINGS as readonly string[]).includes(name) &&
        ["string", "number", "boolean"].includes(typeof value),
    )
  );
}

function sheet(): HTMLStyleElement {
  const element = document.createElement("style");
  element.textContent = style;
  return element;
}

declare global {
  interface HTMLElementTagNameMap {
    "swissroll-figure": SwissrollFigure;
  }
}

if (!customElements.get("swissroll-figure")) customElements.define("swissroll-figure", SwissrollFigure);
