/** The controls at the top: data set, its settings, shared settings, coloring. */

import type { Computed } from "../engine/computed.js";
import type { Shared } from "../engine/pool.js";
import { present } from "../present.js";
import type { Description } from "../protocol.js";
import type { Choice } from "../state/coloring.js";
import { INVERSES, type Settings } from "../state/settings.js";
import { button, fill, h } from "./dom.js";
import type { Drag } from "./gestures.js";
import { Slider } from "./slider.js";

/** What the controls change. */
export interface Changes {
  data(name: string): void;
  /** n, noise or seed. */
  sample(): void;
  /** k or dim. */
  shared(): void;
  color(key: string): void;
  graph(shown: boolean): void;
  names(shown: boolean): void;
  add(method: string): void;
  files(files: Iterable<File>): void;
  link(at: HTMLElement): void;
  /** Undoes a change of the settings (-1), or repeats it (1). */
  step(by: -1 | 1): void;
  /** Saves all maps as one picture. */
  save(): void;
  /** Opens the guided path. */
  guide?: () => void;
  /** Decoding is switched on or off, or another one is chosen. */
  decode(): void;
  sweep(): void;
  /** Restores the settings of the run that computed maps of the data. */
  run(): void;
}

const MOST_LIVE = 5000;
const MOST_TYPED = 20000;
const USUAL_LIVE = 2000;
const MOST_K = 60;

/** The number of points on which methods are fitted live instead of showing a run. */
export function liveSize(run: Computed): number {
  return Math.min(run.n, USUAL_LIVE);
}

/** The largest k and dim that all methods can be fitted with. */
export function largest(n: number, columns: number): { k: number; dim: number } {
  return { k: Math.max(1, n - 1), dim: Math.max(1, Math.min(columns, n - 1)) };
}

export class Controls {
  readonly element: HTMLElement;
  /** Lets the user choose a file. */
  readonly pick: () => void;
  drag: Drag = "shift";
  private readonly data = h("select", {
    "aria-label": "data set",
    title: "the data: points that are generated here, points of the page, or a file of your own",
    onchange: () => this.changes.data(this.data.value),
  });
  private readonly about = h("p", { class: "about" });
  private readonly failure = h("p", { class: "about failure", hidden: true });
  private readonly origin = h("p", { class: "about origin", role: "status", hidden: true });
  private readonly n: Slider;
  private readonly noise: Slider;
  private readonly seed: Slider;
  private readonly k: Slider;
  private readonly dim: Slider;
  private readonly color = h("select", {
    "aria-label": "color by",
    onchange: () => this.changes.color(this.color.value),
  });
  private readonly graph: HTMLInputElement;
  private readonly names: HTMLElement;
  private readonly namesBox: HTMLInputElement;
  private readonly decode: HTMLSelectElement;
  /** Controls that need data that the engine has, with their usual title. */
  private readonly live: (readonly [
    control: HTMLInputElement | HTMLSelectElement,
    label: HTMLElement,
    title: string,
  ])[];
  private readonly undo: HTMLButtonElement;
  private readonly redo: HTMLButtonElement;
  private readonly add: HTMLSelectElement;
  /** The controls by the names that places choose them by. */
  private readonly parts: Record<string, HTMLElement>;

  constructor(
    private readonly settings: Settings,
    private readonly description: Description,
    private readonly changes: Changes,
  ) {
    const sample = (key: "n" | "noise" | "seed") => (value: number) => {
      settings[key] = value;
      changes.sample();
    };
    const shared = (key: "k" | "dim") => (value: number) => {
      settings[key] = value;
      changes.shared();
    };
    this.n = new Slider({
      label: "n",
      title: "number of points",
      low: 50,
      high: 3000,
      most: MOST_TYPED,
      whole: true,
      value: settings.n,
      change: sample("n"),
    });
    this.noise = new Slider({
      label: "noise",
      title: "standard deviation of noise added to every value",
      low: 0,
      high: 1,
      most: 1e6,
      whole: false,
      value: settings.noise,
      change: sample("noise"),
    });
    this.seed = new Slider({
      label: "seed",
      title: "seed of all random choices",
      low: 0,
      high: 20,
      most: Number.MAX_SAFE_INTEGER,
      whole: true,
      value: settings.seed,
      change: sample("seed"),
    });
    this.k = new Slider({
      label: "k",
      title: "neighbors of each point, for all methods that have them",
      low: 2,
      high: MOST_K,
      most: 1000,
      whole: true,
      value: settings.k,
      change: shared("k"),
    });
    this.dim = new Slider({
      label: "dim",
      title: "dimension of the maps",
      low: 1,
      high: 3,
      most: 100,
      whole: true,
      value: settings.dim,
      change: shared("dim"),
    });
    this.graph = h("input", {
      type: "checkbox",
      checked: settings.graph,
      onchange: () => changes.graph(this.graph.checked),
    });
    const names = h("input", {
      type: "checkbox",
      checked: settings.names,
      onchange: () => changes.names(names.checked),
    });
    this.namesBox = names;
    this.names = h(
      "label",
      {
        class: "check",
        title: "draw the names of rows next to their points, where there is space",
        hidden: true,
      },
      names,
      "names",
    );
    const drags: [Drag, string][] = [
      ["shift", "moves"],
      ["lasso", "lasso"],
      ["box", "box"],
    ];
    const drag = h(
      "select",
      { "aria-label": "a drag", onchange: () => (this.drag = drag.value as Drag) },
      ...drags.map(([value, text]) => h("option", { value }, text)),
    );
    this.add = h("select", {
      "aria-label": "add a method",
      title: "another map of the same data, by another method",
      onchange: () => this.chose(),
    });
    const picker = h("input", {
      type: "file",
      accept: ".csv,.tsv,.npy,.npz,.mtx,.gz",
      multiple: true,
      hidden: true,
      onchange: () => {
        const files = [...(picker.files ?? [])];
        // Otherwise the same file could not be chosen again after it was changed.
        picker.value = "";
        changes.files(files);
      },
    });
    this.pick = () => picker.click();
    const file = button(
      "open file",
      "open file: compare a file of your own; it stays on this machine",
      this.pick,
    );
    const sweep = button("sweep k", "sweep k: fit every method for several k", () => changes.sweep());
    const link = button("link", "link: copy the address of this view", () => changes.link(link));
    const save = button("save", "save: all maps as one picture (PNG), with the legend", () => changes.save());
    this.undo = button("↶", "undo: the settings before the last change (Ctrl and Z)", () => changes.step(-1));
    this.redo = button("↷", "redo: the change that was undone (Ctrl and Y)", () => changes.step(1));
    this.steps(false, false);
    const choose = () => {
      settings.decode = INVERSES.find(([key]) => key === decode.value)?.[0] ?? "";
      changes.decode();
    };
    const decode = h(
      "select",
      { "aria-label": "decode", onchange: choose },
      ...INVERSES.map(([value, text]) => h("option", { value, selected: value === settings.decode }, text)),
    );
    this.decode = decode;
    const guide =
      changes.guide &&
      button("guide", "guide: the steps of a lecture next to the maps, each with a question", changes.guide);
    const fold = button(
      "settings",
      "show or hide all settings",
      () => fold.setAttribute("aria-expanded", String(this.element.classList.toggle("unfolded"))),
      "fold",
    );
    fold.setAttribute("aria-expanded", "false");
    this.element = h(
      "div",
      { class: "controls" },
      h("div", { class: "group source" }, this.data, file, fold, picker),
      h("div", { class: "group main" }, this.k.element, this.dim.element),
      h("div", { class: "group" }, this.undo, this.redo, this.add, sweep, save, link, guide),
      h("div", { class: "group" }, this.n.element, this.noise.element, this.seed.element),
      h(
        "div",
        { class: "group" },
        h(
          "label",
          {
            class: "row",
            title: "what the color of a point means: its class, a number, or how well each map has it",
          },
          h("span", {}, "color"),
          this.color,
        ),
        h(
          "label",
          { class: "check", title: "draw the neighbor graph over data and maps; suspected shortcuts in red" },
          this.graph,
          "graph",
        ),
        this.names,
        h(
          "label",
          {
            class: "row",
            title:
              "a drag moves or rotates the picture, or selects points; with Shift it is a lasso, with Shift and Ctrl a box",
          },
          h("span", {}, "drag"),
          drag,
        ),
        h(
          "label",
          {
            class: "row",
            title:
              "the place under the pointer in a map is decoded to data: a picture, or a new point in the data; kernel ridge takes seconds for 2,000 points",
          },
          h("span", {}, "decode"),
          decode,
        ),
      ),
      this.origin,
      this.about,
      this.failure,
    );
    const row = (control: HTMLElement) => present(control.closest<HTMLElement>("label"));
    this.parts = {
      data: this.data,
      file,
      fold,
      k: this.k.element,
      dim: this.dim.element,
      undo: this.undo,
      redo: this.redo,
      add: this.add,
      sweep,
      save,
      link,
      n: this.n.element,
      noise: this.noise.element,
      seed: this.seed.element,
      color: row(this.color),
      graph: row(this.graph),
      names: this.names,
      drag: row(drag),
      decode: row(decode),
    };
    this.live = [this.graph, decode].map((control) => [control, row(control), row(control).title] as const);
  }

  /** Offers the data sets, by key and name: the user's own first, then generated ones, then those in the page. */
  datasets(own: readonly [string, string][], bundled: readonly string[]): void {
    const option = (value: string, text: string) =>
      h("option", { value, selected: value === this.settings.data }, text);
    const group = (label: string, options: HTMLOptionElement[]) =>
      options.length > 0 && h("optgroup", { label }, ...options);
    const made = this.description.datasets.filter(({ name }) => !bundled.includes(name));
    const entries = (failing: boolean) =>
      made
        .filter(({ failure }) => (failure !== null) === failing)
        .map(({ name }) => option(name, name.replaceAll("-", " ")));
    fill(
      this.data,
      group(
        "your files",
        own.map(([key, name]) => option(key, name)),
      ),
      group("generated", entries(false)),
      group("made to fail", entries(true)),
      group(
        "bundled",
        bundled.map((name) => option(name, name.replaceAll("-", " "))),
      ),
    );
    this.show();
  }

  /** Whether there is a change to undo, and one to repeat. */
  steps(undo: boolean, redo: boolean): void {
    this.undo.disabled = !undo;
    this.redo.disabled = !redo;
  }

  /** Whether there is a control of this name. */
  has(name: string): boolean {
    return this.parts[name] !== undefined;
  }

  /** Leaves out all controls but the chosen ones. */
  only(chosen: (name: string) => boolean): void {
    for (const [name, part] of Object.entries(this.parts)) part.classList.toggle("omitted", !chosen(name));
  }

  /** Sets all controls to the settings. */
  show(): void {
    const { n, noise, seed, k, dim, data, color, graph, names, decode } = this.settings;
    const info = this.description.datasets.find(({ name }) => name === data);
    this.data.value = data;
    this.about.textContent = info ? `${info.summary} ${info.shows}` : "";
    this.failure.textContent = info?.failure ? `Expected: ${info.failure}` : "";
    this.failure.hidden = !info?.failure;
    this.n.limit(
      50,
      Math.min(info?.largest_n ?? MOST_LIVE, MOST_LIVE),
      Math.min(info?.largest_n ?? MOST_TYPED, MOST_TYPED),
    );
    for (const [slider, value] of [
      [this.n, n],
      [this.noise, noise],
      [this.seed, seed],
      [this.k, k],
      [this.dim, dim],
    ] as const)
      slider.set(value);
    this.noise.element.hidden = info === undefined;
    this.graph.checked = graph;
    this.namesBox.checked = names;
    this.decode.value = decode;
    if ([...this.color.options].some(({ value }) => value === color)) this.color.value = color;
  }

  /** Sets the ends of the sliders for the data; `rows` is the number of rows from which a sample is drawn. */
  limit(n: number, columns: number, rows: number | undefined): void {
    if (rows !== undefined) {
      this.n.limit(Math.min(50, rows), Math.min(rows, MOST_LIVE), Math.min(rows, MOST_TYPED));
      this.n.set(this.settings.n);
    }
    const most = largest(n, columns);
    this.k.limit(Math.min(2, most.k), Math.min(MOST_K, most.k), most.k);
    this.dim.limit(1, Math.min(5, most.dim), most.dim);
  }

  /** Offers to draw the names of rows, where there are any. */
  named(has: boolean): void {
    this.names.hidden = !has;
  }

  /** Shows where the maps come from, where a run has computed maps of the data. */
  from(run: Computed | undefined, shared: Shared): void {
    for (const [control, label, title] of this.live) {
      control.disabled = shared.run !== undefined;
      label.title = shared.run
        ? "not for maps of the run, whose data this page does not carry; change a setting to fit every method here"
        : title;
    }
    this.origin.hidden = run === undefined;
    if (!run) return;
    const points = (n: number) => `${n.toLocaleString("en")} points`;
    if (shared.run) {
      const live =
        "Coordinates are rounded to 1/65,535 of the range of their column. A changed setting, parameter or number of points fits every method here, live";
      fill(
        this.origin,
        h("b", {}, `Maps computed by the run, n = ${run.n.toLocaleString("en")}.`),
        ` ${live}, on ${points(liveSize(run))}.`,
      );
      return;
    }
    const part =
      shared.source && "dataset" in shared.source && shared.data.rows === null
        ? `${points(shared.data.n)} made anew`
        : `a sample of ${points(shared.data.n)} of ${run.n.toLocaleString("en")}`;
    const back = button(
      `maps of the run, n = ${run.n.toLocaleString("en")}`,
      "show the maps that the run has computed",
      () => this.changes.run(),
    );
    fill(this.origin, h("b", {}, `Fitted live on ${part}.`), " ", back);
  }

  colors(choices: readonly Choice[]): void {
    const groups = new Map<string, HTMLElement>();
    for (const { key, title, group } of choices) {
      const list = groups.get(group) ?? h("optgroup", { label: group });
      groups.set(group, list);
      list.append(h("option", { value: key, selected: key === this.settings.color }, title));
    }
    fill(this.color, ...groups.values());
  }

  /** Offers the methods that the page does not show yet. */
  methods(shown: readonly string[]): void {
    const rest = this.description.methods.filter(({ name }) => !shown.includes(name));
    fill(
      this.add,
      h("option", { value: "" }, "add a method …"),
      ...rest.map(({ name, title }) => h("option", { value: name }, title)),
      rest.length > 0 && h("option", { value: "*" }, "all others"),
    );
  }

  private chose(): void {
    const name = this.add.value;
    this.add.value = "";
    if (name !== "") this.changes.add(name);
  }
}
