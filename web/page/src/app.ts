/** The page as a whole: settings, data, panels, and what links them. */

import { schedule } from "./draw/frames.js";
import { onPaper } from "./draw/theme.js";
import { EngineFailure } from "./engine/client.js";
import { type Computed, isOf } from "./engine/computed.js";
import type { Engines } from "./engine/engines.js";
import { Latest } from "./engine/latest.js";
import { provide, type Shared } from "./engine/pool.js";
import { type Own, type ReadOptions, Sources } from "./engine/sources.js";
import type { Recipe } from "./engine/start.js";
import type { Results } from "./guide/answer.js";
import { Linked } from "./linked.js";
import { present } from "./present.js";
import type { Data, Description, Fit, Graph, MeasureInfo, MethodInfo, ParameterRange } from "./protocol.js";
import { reasonOf } from "./reason.js";
import { isBest } from "./state/best.js";
import { type Colored, choices, reportedOf, usual } from "./state/coloring.js";
import { History } from "./state/history.js";
import { type Chosen, copied, encode, recalled, type Settings, titled, written } from "./state/settings.js";
import { fileColumns, suggested } from "./state/text-columns.js";
import { Controls, largest, liveSize } from "./ui/controls.js";
import { DataPicture } from "./ui/data-view.js";
import { button, counted, download, fill, h } from "./ui/dom.js";
import { Drawer } from "./ui/drawer.js";
import { fileOptions, type Opened } from "./ui/file-options.js";
import { hints } from "./ui/hint.js";
import { inPage } from "./ui/in-page.js";
import { type Host, Panel } from "./ui/panel.js";
import { copy } from "./ui/panel-export.js";
import type { Wanted } from "./ui/panel-fit.js";
import type { Score } from "./ui/panel-report.js";
import { control as parameterControl } from "./ui/parameters.js";
import { ScoreTable } from "./ui/scores.js";
import { sheet } from "./ui/sheet.js";
import { KEYS } from "./ui/steps.js";
import { Sweep } from "./ui/sweep.js";
import { oriented } from "./ui/turned.js";

/** Measures shown at first, in this order as far as they apply; the others on demand. */
const MOST_MAIN = 3;

/** Most points that methods are fitted to live where a run has maps of more. */
const MOST_SAMPLED = 5000;

/** Most maps that are side by side on a small screen. */
const MOST_SIDE_BY_SIDE = 4;

/** Pixels of the side of a map in a picture of all. */
const SAVED = 600;

/** Milliseconds within which the history of the browser follows an undo. */
const LONGEST_WALK = 2000;

/** Where an app is shown: as a page, or as one of the figures of a page. */
export interface Mount {
  kind: "page" | "figure";
  /** The controls: all, or the named ones, which are controls of {@link Controls} or parameters of methods. */
  controls: "all" | readonly string[];
  /** Receives the settings a moment after they have changed, and whether undo leads back from them. */
  changed(settings: Settings, step: boolean): void;
  /** Goes back or forward in a history that has the steps of the settings; returns whether there is one. */
  go?(by: -1 | 1): boolean;
  /** Opens the guided path. */
  guide?: () => void;
  /** Receives the selected rows, of the whole data where a sample of them is shown. */
  selected?(rows: number[]): void;
}

/** The number of data sets that the apps of this page have loaded. */
let versions = 0;

export class App {
  readonly element: HTMLElement;
  readonly panels: Panel[] = [];
  private readonly description: Description;
  private readonly sources: Sources;
  private readonly controls: Controls;
  private readonly view: DataPicture;
  private readonly drawer = new Drawer();
  private readonly grid: HTMLElement;
  private readonly alert = h("p", { class: "alert", role: "alert", hidden: true });
  private readonly notice = h("p", { class: "notice", role: "status", hidden: true });
  private readonly reading = h("div", { class: "reading" });
  /** The files of the user by their keys in the settings, as they were read. */
  private readonly opened = new Map<string, Opened>();
  /** Controls of parameters of single methods that the figure names. */
  private readonly extra = h("div", { class: "parameters extra" });
  private readonly linked: Linked;
  private readonly sweep: Sweep;
  /** What the notice is about: one about the data is gone with them. */
  private noticed: "data" | "methods" | undefined;
  /** Shared parameters that were reduced to what the data allow: the values before and since. */
  private readonly reduced: { k?: [number, number]; dim?: [number, number] } = {};
  private readonly loading = new Latest();
  private readonly graphing = new Latest();
  /** The data that are shown. */
  private shared: Shared | undefined;
  /** Whether other data are on their way: what belongs to the shown ones is not computed any more. */
  private arriving = false;
  private readonly history = new History();
  /** Whether the settings come from the history: then what the data change of them is no step of its own. */
  private restored = false;
  /** When the history of the browser was asked to follow an undo, until it does. */
  private going: number | undefined;
  /** Whether the history has a step that was not passed on. */
  private stepped = false;
  /** The number of components of the neighbor graph. */
  private components = 1;
  /** The neighbor graph of the settings, once it is computed. */
  private graph: Graph | undefined;
  /** How many times data were requested, and the request that has been answered. */
  private requested = 0;
  private answered = 0;
  /** The titles of values per point that fits of the current data have reported. */
  private reported: string[] = [];
  private readonly scores: ScoreTable;
  private readonly rank = () => {
    for (const panel of this.panels) panel.rescore();
    this.scores.show();
  };
  private addressTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly host: Host;

  private readonly dark = matchMedia("(prefers-color-scheme: dark)");
  private readonly darkened = () => this.linked.dress();

  constructor(
    private readonly engines: Engines,
    readonly settings: Settings,
    private readonly mount: Mount,
    own: Own[] = [],
    computed: Computed[] = [],
  ) {
    const { description } = engines;
    const whole = mount.kind === "page";
    this.description = description;
    this.grid = h(whole ? "main" : "div", { class: "panels", "aria-label": "maps" });
    this.sources = new Sources(own, computed);
    this.controls = new Controls(settings, description, {
      data: (name) => this.choose(name),
      sample: () => {
        this.release();
        this.load();
      },
      shared: () => this.refit(),
      color: (key) => this.color(key),
      graph: (shown) => {
        settings.graph = shown;
        this.linked.dress();
        this.address();
      },
      names: (shown) => {
        settings.names = shown;
        this.linked.dress();
        this.address();
      },
      decode: () => this.address(),
      add: (name) => this.addMethods(name),
      files: (files) => void this.open(files),
      link: (at) => void copy(location.href, at),
      step: (by) => this.step(by),
      save: () => this.save(),
      ...(mount.guide ? { guide: mount.guide } : {}),
      sweep: () =>
        this.live()
          ? this.sweep.run()
          : this.say("A sweep fits every method several times, live: choose a smaller n first."),
      run: () => this.choose(settings.data),
    });
    this.sweep = new Sweep({
      pool: engines.pool,
      panels: this.panels,
      measures: description.measures,
      wanted: (panel) => this.wanted(panel.chosen),
      oriented: (panel, fit) => {
        const target = panel.plot.cloud ?? (this.shared && this.reference(panel, this.shared));
        return target ? oriented(fit, target).values : fit.coordinates;
      },
      known: (data, recipe) => this.known(data, recipe),
      take: (k) => {
        settings.k = k;
        this.controls.show();
        this.refit();
      },
    });
    this.scores = new ScoreTable(this.panels, description.measures);
    this.view = new DataPicture(settings, () => this.address(), whole);
    this.linked = new Linked(
      settings,
      this.panels,
      this.view,
      description,
      (request) => this.ask(request),
      (rows) => mount.selected?.(rows),
    );
    this.host = this.makeHost();
    this.view.attach(this.linked, () => this.controls.drag);
    const header = h(
      whole ? "header" : "div",
      { class: "head" },
      whole && h("h1", {}, "Manifold learning, live"),
      this.controls.element,
      this.extra,
      this.alert,
      this.notice,
      this.reading,
    );
    this.element = h(
      "div",
      {
        class: `lab ${mount.kind}`,
        "data-controls": mount.controls === "all" ? "all" : mount.controls.length,
      },
      header,
      h("div", { class: "body" }, this.view.element, this.grid),
      h(
        whole ? "section" : "div",
        { "aria-label": "scores of all maps", role: !whole && "group" },
        this.scores.element,
      ),
      this.sweep.element,
      this.drawer.element,
      whole &&
        h(
          "footer",
          {},
          h(
            "details",
            {},
            h(
              "summary",
              { title: "what a drag, a click and the keys do in a picture" },
              `Swissroll ${description.version}. Everything is computed in this page; nothing is sent anywhere. Keys and gestures`,
            ),
            h(
              "p",
              {},
              "The name of a method or a measure explains it. Drag: shift or rotate; Shift and drag: lasso, with Ctrl a box; click: pick a point, two for a path and a new point between them; Alt and click in data of up to three columns: a new point; double click: reset; Ctrl and wheel: zoom. ✥ above the map of an iterative method: drag points to places that they keep in the next fit; a click on a fixed point releases it, Alt and arrows move the pointed one.",
            ),
            h(
              "p",
              {},
              `Keys in a picture: ${KEYS}. Ctrl and Z undoes a change of the settings, Ctrl and Y repeats it.`,
            ),
          ),
        ),
    );
    this.controls.datasets(this.sources.own(), this.sources.bundled());
    this.fillGrid();
    // A figure has no address of its own.
    if (!whole)
      this.controls.only((name) =>
        mount.controls === "all" ? name !== "link" && name !== "fold" : mount.controls.includes(name),
      );
    // What sticks below the header begins where it ends.
    new ResizeObserver(() => this.element.style.setProperty("--header", `${header.offsetHeight}px`)).observe(
      header,
    );
    this.dark.addEventListener("change", this.darkened);
    if (whole) hints(this.element);
    if (whole) {
      addEventListener("beforeprint", () => this.paper(true));
      addEventListener("afterprint", () => this.paper(false));
    }
    (whole ? document : this.element).addEventListener("keydown", (event) =>
      this.keyed(event as KeyboardEvent),
    );
    this.load();
  }

  /** What the page shows, once every map of the settings is fitted and measured. */
  results(): Results | undefined {
    if (this.answered < this.requested || !this.graph || this.panels.some(({ settled }) => !settled))
      return undefined;
    return {
      maps: this.panels.map(({ title, raw, fit }) => ({
        title,
        scores: new Map(raw.map(({ name, value }) => [name, value])),
        placed: fit?.n,
      })),
      true_shortcuts: this.graph.true_shortcuts,
    };
  }

  /** Ends all fits, and frees what the workers hold for this app. */
  close(): void {
    clearTimeout(this.addressTimer);
    this.dark.removeEventListener("change", this.darkened);
    for (const panel of this.panels) panel.close();
    this.engines.pool.discard(this);
    this.engines.service.discard(this).catch(() => undefined);
  }

  /** Takes settings from outside, as if the controls had changed them. */
  take(next: Settings): void {
    const { settings } = this;
    const changed = (...keys: (keyof Settings)[]) =>
      keys.some((key) => JSON.stringify(next[key]) !== JSON.stringify(settings[key]));
    if (changed("data")) this.showFile(next.data);
    const points = changed("data", "n", "noise", "seed");
    const methods = changed("methods");
    const fits = methods || changed("k", "dim");
    if (changed("view")) this.view.turn(next.view);
    // Panels change the methods of the settings that they were made of.
    Object.assign(settings, next, methods ? {} : { methods: settings.methods });
    if (settings.color === "" && this.shared && !points) settings.color = usual(this.shared.data);
    if (methods) {
      this.notify();
      this.sweep.close();
      this.regrid();
    }
    this.controls.show();
    if (points) this.load();
    else if (fits) this.refit();
    if (!this.arriving) this.linked.color(settings.color);
    this.settle();
  }

  /** Shows the panels of the settings; panels that they had before stay as they are. */
  private regrid(): void {
    const before = this.panels.splice(0);
    const wanted = this.settings.methods;
    const alike = ({ name, set, from, fixed = [] }: Chosen) =>
      JSON.stringify([name, Object.entries(set).sort(), from && written(from), fixed]);
    const kept = wanted.map((chosen) => {
      const at = before.findIndex((panel) => alike(panel.chosen) === alike(chosen));
      return at < 0 ? undefined : before.splice(at, 1)[0];
    });
    for (const panel of before) {
      panel.close();
      panel.element.remove();
    }
    this.settings.methods = wanted.map((chosen, i) => kept[i]?.chosen ?? chosen);
    this.fillGrid(kept);
  }

  // ---- files

  /** Draws everything in the colors of white paper, or of the screen again, at once. */
  private paper(on: boolean): void {
    onPaper(on);
    this.linked.dress();
    for (const { plot } of [this.view, ...this.panels]) plot.paintNow();
  }

  private onPaper(work: (colored: Colored | undefined) => void): void {
    this.paper(true);
    try {
      work(this.view.legend.colored);
    } finally {
      this.paper(false);
    }
  }

  /** Saves all maps as one picture. */
  private save(): void {
    const title = this.shared?.data.title ?? "maps";
    this.onPaper((colored) => {
      const maps = this.panels.filter(({ plot }) => plot.cloud).map(({ title, plot }) => ({ title, plot }));
      if (maps.length > 0)
        sheet(maps, colored, SAVED).toBlob((blob) => blob && download(`${title}-maps.png`, blob));
    });
  }

  // ---- undo

  /** Settings from an entry of the history of the browser. */
  arrive(settings: Settings): void {
    this.going = undefined;
    const state = encode(settings);
    // The browser has followed an undo of the page.
    if (this.history.present === state && encode(this.settings) === state) {
      this.address();
      return;
    }
    this.history.arrive(state);
    this.restore(settings);
  }

  /** Takes settings of the history. */
  private restore(settings: Settings): void {
    this.restored = true;
    this.controls.steps(this.history.can(-1), this.history.can(1));
    this.take(settings);
  }

  /** Undoes a change of the settings, or repeats it. */
  private step(by: -1 | 1): void {
    this.note();
    const state = this.history.step(by);
    if (state === undefined) return;
    // The history of the browser follows a moment later.
    if (this.mount.go?.(by)) this.going = performance.now();
    this.restore(recalled(state));
  }

  private keyed(event: KeyboardEvent): void {
    const typing = event.target instanceof HTMLInputElement && event.target.type === "text";
    if (typing || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    this.step(key === "y" || event.shiftKey ? 1 : -1);
  }

  // ---- data

  /** Rows of other data are other points: none is fixed. */
  private release(): void {
    for (const { chosen } of this.panels) delete chosen.fixed;
  }

  private choose(name: string): void {
    const { settings } = this;
    this.release();
    const info = this.description.datasets.find((info) => info.name === name);
    const run = this.sources.run(name);
    settings.data = name;
    this.showFile(name);
    if (run) {
      Object.assign(settings, {
        n: run.n,
        noise: run.noise,
        seed: run.seed,
        k: run.k ?? settings.k,
        dim: run.dim,
      });
      for (const { chosen } of this.panels) {
        chosen.set = {};
        delete chosen.from;
      }
    } else if (info) {
      settings.n = Math.min(info.default_n, info.largest_n ?? Infinity, 1000);
      settings.noise = 0;
    } else {
      settings.n = this.sources.usualSize(name) ?? settings.n;
    }
    settings.color = "";
    this.controls.show();
    this.load();
  }

  /** Reads files that were dropped or chosen, and shows the last. */
  async open(files: Iterable<File>): Promise<void> {
    for (const file of files) await this.read(file);
  }

  /** Reads a file; how it is read can be changed and the reading repeated, also where it failed. */
  private async read(file: File, asked?: ReadOptions): Promise<void> {
    let opened: Opened;
    try {
      const options = asked ?? (await suggested(file));
      opened = { file, options, columns: await fileColumns(file, options), rows: 0, warnings: [] };
    } catch {
      this.say(
        `${file.name} cannot be read: it is a folder, or was changed, moved or deleted after it was chosen. Open the file again.`,
      );
      return;
    }
    try {
      const { options } = opened;
      const { key, rows, warnings } = await this.sources.add(file, options, this.engines.service);
      this.opened.set(key, { ...opened, rows, warnings });
      this.say(undefined);
      this.controls.datasets(this.sources.own(), this.sources.bundled());
      this.choose(key);
    } catch (error) {
      const failure = reasonOf(error);
      this.form({ ...opened, failure });
      this.say(inPage(failure));
    }
  }

  /** Shows how a file of the user was read, and nothing for other data. */
  private showFile(key: string): void {
    const opened = this.opened.get(key);
    if (opened) this.form(opened);
    else fill(this.reading);
  }

  private form(opened: Opened): void {
    const focused = this.reading.querySelector(":focus")?.getAttribute("aria-label");
    const unfolded = this.reading.querySelector("details")?.open ?? false;
    fill(this.reading, ...fileOptions(opened, (changed) => void this.read(opened.file, changed)));
    const columns = this.reading.querySelector("details");
    if (columns && unfolded) columns.open = true;
    // The control in use is made anew, and keeps the focus.
    const controls = this.reading.querySelectorAll<HTMLElement>("select, input");
    [...controls].find((control) => focused && control.getAttribute("aria-label") === focused)?.focus();
  }

  private color(key: string): void {
    this.settings.color = key;
    this.linked.color(key);
    this.address();
  }

  /** Whether the maps are fitted in the page; with a run whose settings were changed they are from now on. */
  private live(): boolean {
    return this.shared?.run === undefined;
  }

  /** Leaves the maps of a run where the settings are no longer its own; returns whether it does. */
  private left(): boolean {
    const run = this.shared?.run;
    if (!run || isOf(run.of, this.settings)) return false;
    this.load();
    return true;
  }

  private load(): void {
    const { settings } = this;
    const run = this.sources.run(settings.data);
    // A chosen number of points is kept, up to the largest number for which methods are fitted live.
    if (run && !isOf(run, settings))
      settings.n = settings.n >= run.n && !this.live() ? liveSize(run) : Math.min(settings.n, MOST_SAMPLED);
    this.arriving = true;
    this.address();
    const request = ++this.requested;
    this.loading.run(async () => {
      const name = `${settings.data}/${++versions}`;
      try {
        if (this.missing(settings.data)) return;
        const { service } = this.engines;
        const { data, source, run } = await this.sources.load(settings, name, service, this);
        const shared: Shared = { name, owner: this, data, source, run };
        if (!run) service.data.set(name, this);
        const cloud = await this.view.pictureOf(shared, service);
        // From here on everything shows the new data.
        this.shared = shared;
        this.components = 1;
        this.graph = undefined;
        const offered = choices(data, run ? undefined : this.description.per_point, []);
        // What a method reports is offered when its fit has come.
        if (!reportedOf(settings.color) && !offered.some(({ key }) => key === settings.color))
          settings.color = usual(data);
        this.reported = [];
        this.controls.colors(offered);
        const rows = this.sources.rows(settings.data);
        if (rows !== undefined && !run) settings.n = Math.min(settings.n, rows);
        if (this.noticed === "data") this.notify();
        if (!run) this.reduce(data);
        this.controls.show();
        this.controls.limit(data.n, run?.of.columns ?? data.columns, rows);
        this.controls.from(this.sources.run(settings.data), this.shared);
        this.controls.named(data.row_names !== null);
        this.say(undefined);
        this.sweep.close();
        this.view.show(shared, cloud, service, rows);
        this.linked.begin(shared);
        this.answered = request;
        this.arriving = request !== this.requested;
        this.refit();
      } catch (failure) {
        this.say(reasonOf(failure));
      }
      if (request === this.requested) this.arriving = false;
      // The constructor has returned before anything is passed on, also where the data are refused at once.
      await Promise.resolve();
      this.settle();
    });
  }

  /** Whether the data are a file that the page does not have; then shows a message with advice. Unknown names are refused. */
  private missing(key: string): boolean {
    const made = this.description.datasets.map(({ name }) => name);
    const file = this.sources.missing(key);
    if (file === undefined && !this.sources.has(key) && !made.includes(key)) {
      throw new Error(
        `There is no data set “${key}”; there are ${[...made, ...this.sources.bundled()].join(", ")}, and files of your own.`,
      );
    }
    if (file === undefined) return false;
    const usual = made[0];
    this.say(undefined);
    this.notify(
      "data",
      `The address shows the file ${file}, which this page does not contain. Open it to see these maps. `,
      button("open file", `open ${file} again`, () => this.controls.pick()),
      ...(usual === undefined
        ? []
        : [
            " ",
            button(`show ${usual.replaceAll("-", " ")}`, "show generated data in its place", () =>
              this.choose(usual),
            ),
          ]),
    );
    return true;
  }

  /** Reduces k and dim to the largest values that the data allow, and reports it. Data that allow more restore the former values. */
  private reduce({ n, columns }: Data): void {
    const { settings, reduced } = this;
    const most = largest(n, columns);
    const said: string[] = [];
    for (const key of ["k", "dim"] as const) {
      const [before, since] = reduced[key] ?? [];
      const asked = before !== undefined && settings[key] === since ? before : settings[key];
      settings[key] = Math.min(asked, most[key]);
      delete reduced[key];
      if (asked <= most[key]) continue;
      reduced[key] = [asked, most[key]];
      said.push(`${key} = ${most[key]} instead of ${asked}`);
    }
    if (said.length > 0)
      this.notify(
        "data",
        `${said.join(" and ")}: ${counted(n, "point")} in ${counted(columns, "column")} ${n === 1 ? "allows" : "allow"} no more.`,
      );
  }

  /** Offers the values per point that fits have come with. */
  private offer(): void {
    const data = this.shared?.data;
    const found = new Set([
      ...this.reported,
      ...this.panels.flatMap(({ fit }) => fit?.per_point.map(({ title }) => title) ?? []),
    ]);
    if (!data || found.size === this.reported.length) return;
    this.reported = [...found];
    this.controls.colors(choices(data, this.live() ? this.description.per_point : undefined, this.reported));
  }

  private say(text: string | undefined): void {
    this.alert.hidden = text === undefined;
    this.alert.textContent = text ?? "";
  }

  /** Shows what the page did, with advice, until the next message. */
  private notify(about?: "data" | "methods", ...parts: (string | HTMLElement)[]): void {
    this.noticed = about;
    this.notice.hidden = parts.length === 0;
    fill(this.notice, ...parts);
  }

  /** Asks the engine that answers at once, about the present data. */
  private ask: import("./linked.js").Ask = async (request) => {
    const shared = this.shared;
    if (!shared) throw new EngineFailure("request", "no data yet");
    if (this.arriving) throw new EngineFailure("cancelled", "other data are on their way");
    if (shared.run)
      throw new EngineFailure(
        "request",
        "the maps of the run are shown, and the engine does not have its data",
      );
    const client = this.engines.service;
    await provide(client, shared);
    return (await client.request({ ...request, data: shared.name } as never)).value as never;
  };

  // ---- panels

  private refit(): void {
    this.address();
    const shared = this.shared;
    if (!shared || this.arriving || this.left()) return;
    this.sweep.check();
    this.graph = undefined;
    const k = this.settings.k;
    this.graphing.run(async () => {
      const graph: Graph | undefined = await this.ask({ type: "graph", k }).catch(() => undefined);
      if (this.shared !== shared || this.settings.k !== k) return;
      this.graph = graph;
      this.linked.graphed(shared, graph);
      this.components = graph?.sizes.length ?? 1;
      for (const panel of this.panels) panel.offerPolicies();
    });
    for (const panel of this.panels) panel.update();
    void this.offerParameters();
  }

  private addMethods(name: string): void {
    const shown = this.panels.map(({ info }) => info.name);
    const added = this.description.methods.filter((info) =>
      name === "*" ? !shown.includes(info.name) : info.name === name,
    );
    for (const info of added) {
      const chosen = { name: info.name, set: {} };
      this.settings.methods.push(chosen);
      this.insert(chosen)?.update();
    }
    this.controls.methods(this.panels.map(({ info }) => info.name));
    this.linked.dress();
    this.address();
  }

  /** Adds a panel of the same method after another one, with its parameters open. */
  private duplicate(panel: Panel): void {
    const { methods } = this.settings;
    const chosen = copied(panel.chosen);
    methods.splice(methods.indexOf(panel.chosen) + 1, 0, chosen);
    const copy = this.insert(chosen, this.panels.indexOf(panel) + 1);
    copy?.update();
    copy?.toggle();
    this.linked.dress();
    this.address();
  }

  /** Makes the panels of the settings, as far as they are not there. */
  private fillGrid(kept: readonly (Panel | undefined)[] = []): void {
    const { settings } = this;
    const unknown = settings.methods.filter((chosen, i) => {
      const panel = kept[i];
      if (!panel) return !this.insert(chosen);
      this.grid.append(panel.element);
      this.panels.push(panel);
      return false;
    });
    this.arrange();
    settings.methods = settings.methods.filter((chosen) => !unknown.includes(chosen));
    const names = unknown.map(({ name }) => name).join(", ");
    if (unknown.length > 0)
      this.notify(
        "methods",
        `The address names ${unknown.length === 1 ? `a method that does not exist: ${names}` : `methods that do not exist: ${names}`}.`,
      );
    this.controls.methods(this.panels.map(({ info }) => info.name));
  }

  private insert(chosen: Chosen, at = this.panels.length): Panel | undefined {
    const info = this.info(chosen.name);
    if (!info) return undefined;
    if (chosen.from && !(info.given_start && this.recipe(chosen.from))) {
      delete chosen.from;
      this.notify(
        "methods",
        `The address names a start that ${info.title} cannot have here; it has its own.`,
      );
    }
    if (!info.fixes) delete chosen.fixed;
    const panel = new Panel(info, chosen, this.host);
    this.grid.insertBefore(panel.element, this.panels[at]?.element ?? null);
    this.panels.splice(at, 0, panel);
    this.arrange();
    return panel;
  }

  /** Tells the style sheet how many maps there are: few are larger. */
  private arrange(): void {
    this.grid.dataset["maps"] = String(this.panels.length);
    this.element.classList.toggle("few", this.panels.length <= MOST_SIDE_BY_SIDE);
  }

  /** Offers the parameters of single methods that the figure names. */
  private async offerParameters(): Promise<void> {
    const { controls } = this.mount;
    if (controls === "all") return;
    const rows: HTMLElement[] = [];
    for (const name of controls) {
      const panel = this.panels.find(({ info }) => info.parameters.some((one) => one.name === name));
      const parameter = panel?.info.parameters.find((one) => one.name === name);
      if (!panel || !parameter || this.controls.has(name)) continue;
      const range = (await this.host.ranges(panel.chosen).catch(() => [])).find((one) => one.name === name);
      const value = panel.chosen.set[name] ?? range?.value ?? parameter.default;
      const change = (text: string) => this.host.everywhere(name, text);
      rows.push(parameterControl(parameter, range, value, parameter.default, change));
    }
    if (!this.extra.matches(":focus-within")) fill(this.extra, ...rows);
  }

  private remove(panel: Panel): void {
    const { chosen } = panel;
    const [at, listed] = [this.panels.indexOf(panel), this.settings.methods.indexOf(chosen)];
    panel.close();
    panel.element.remove();
    this.panels.splice(at, 1);
    this.arrange();
    schedule(this.rank);
    this.settings.methods = this.settings.methods.filter((other) => other !== chosen);
    const restore = () => {
      this.notify();
      this.settings.methods.splice(listed, 0, chosen);
      this.insert(chosen, Math.min(at, this.panels.length))?.update();
      this.controls.methods(this.panels.map(({ info }) => info.name));
      this.linked.dress();
      this.address();
    };
    this.notify(
      "methods",
      `${panel.title} was removed. `,
      button("undo", `show ${panel.title} again`, restore),
    );
    this.controls.methods(this.panels.map(({ info }) => info.name));
    this.address();
  }

  private makeHost(): Host {
    return {
      pool: this.engines.pool,
      actions: this.linked,
      drag: () => this.controls.drag,
      wanted: (chosen) => this.wanted(chosen),
      ranges: async (chosen): Promise<ParameterRange[]> => {
        const wanted = this.wanted(chosen);
        if (!wanted) return [];
        const { parameters } = await this.ask({
          type: "ranges",
          method: chosen.name,
          settings: wanted.settings,
          common: wanted.common,
        });
        return parameters;
      },
      titled: (chosen) => this.titled(chosen),
      known: (data, recipe) => this.known(data, recipe),
      starts: (panel) =>
        this.panels.filter(
          ({ fit, shared, awaited }) =>
            !awaited && fit && !fit.rows && shared === this.shared && fit.columns === panel.dim,
        ),
      command: async (chosen) => {
        if (this.shared?.run) return this.shared.run.of.command;
        if (chosen.from)
          throw new Error(
            `\`compare run\` has no map that starts from another. Save the map of ${this.titled(chosen.from)} as CSV, and give it as \`compare embed --method ${chosen.name} --start FILE\`.`,
          );
        if (chosen.fixed)
          throw new Error(
            `\`compare run\` fixes no rows. Save this map as CSV, and give it as \`compare embed --method ${chosen.name} --start FILE --fixed ROWS\`, with the rows ${chosen.fixed.map(({ row }) => row).join(", ")} in the file ROWS.`,
          );
        const request = {
          type: "command" as const,
          common: this.common(),
          methods: [{ method: chosen.name, settings: chosen.set }],
        };
        const listed = this.sources.listed(this.settings);
        if (!listed) return (await this.ask(request)).line;
        // The engine has no source of the points that the page contains: the request has a point of that source.
        const client = this.engines.service;
        await client.request({
          type: "points",
          data: "listed",
          points: Float64Array.of(0),
          columns: 1,
          source: listed,
        });
        const { value } = await client.request({ ...request, data: "listed" });
        await client.request({ type: "drop", data: ["listed"] });
        return value.line;
      },
      reference: (panel, shared) => this.reference(panel, shared),
      words: ({ labels, row_names }) => {
        const first = labels.slice(0, 1).map(({ classes, values }) => ({
          title: "label",
          of: (row: number) => classes[present(values[row])] ?? "",
        }));
        return row_names
          ? [{ title: row_names.name, of: (row: number) => row_names.values[row] ?? "" }, ...first]
          : first;
      },
      score: (name, value) => this.score(name, value),
      chosen: () => {
        this.address();
        this.left();
        this.sweep.check();
      },
      disconnected: () => this.components > 1,
      everywhere: (name, text) => {
        for (const { info, chosen } of this.panels) {
          const parameter = info.parameters.find((parameter) => parameter.name === name);
          if (parameter?.default === text) delete chosen.set[name];
          else if (parameter) chosen.set[name] = text;
        }
        this.refit();
      },
      drawn: () => {
        this.offer();
        this.linked.dressOne();
      },
      measured: () => schedule(this.rank),
      inverse: () => this.settings.decode,
      decoded: (point) => void this.view.place(point),
      remove: (panel) => this.remove(panel),
      onPaper: (work) => this.onPaper(work),
      duplicate: (panel) => this.duplicate(panel),
      explain: (info: MethodInfo, ranges: ParameterRange[]) => this.drawer.method(info, ranges),
      explainMeasure: (info: MeasureInfo) => this.drawer.measure(info),
    };
  }

  private common(): { k: number; dim: number; seed: number } {
    const { k, dim, seed } = this.settings;
    return { k, dim, seed };
  }

  private wanted(chosen: Chosen): Wanted | undefined {
    if (this.arriving) return undefined;
    const run = this.shared?.run;
    if (run && !isOf(run.of, this.settings)) return undefined;
    const recipe = this.recipe(chosen);
    return this.shared && recipe && { data: this.shared, ...recipe };
  }

  /** A map that panels of these settings show; `undefined` for methods that do not exist. */
  private recipe({ name: method, set, from, fixed }: Chosen): Recipe | undefined {
    const info = this.info(method);
    const { k, ...others } = this.common();
    const start = from && this.recipe(from);
    if (!info || (from && !start)) return undefined;
    const common = info.parameters.some(({ name }) => name === "k") ? { k, ...others } : others;
    const recipe = { method, common, settings: { ...set }, ...(start ? { start } : {}) };
    // Places of another dimension are no places of this map.
    const dim = Number(set["dim"] ?? common.dim);
    const kept = info.fixes && fixed?.length && fixed.every(({ place }) => place.length === dim);
    return kept ? { ...recipe, start: recipe, fixed } : recipe;
  }

  /** The map of a recipe, where a panel shows it. */
  private known(data: Shared, recipe: Recipe): Fit | undefined {
    return this.panels.map((panel) => panel.resultOf(data, recipe)).find((fit) => fit !== undefined);
  }

  private info(method: string): MethodInfo | undefined {
    return this.description.methods.find(({ name }) => name === method);
  }

  /** The title of a method with its settings. */
  private titled(chosen: Chosen): string {
    const { name, set, from, fixed } = chosen;
    const start = from && `, ${from.name === name ? "on from" : "from"} ${this.titled(from)}`;
    const kept = fixed && `, ${fixed.length} fixed`;
    return titled(this.info(name)?.title ?? name, set) + (start ?? "") + (kept ?? "");
  }

  /** The true coordinates, or another map of the same data, that a first map is rotated onto. */
  private reference(panel: Panel, shared: Shared): ReturnType<Host["reference"]> {
    const { truth, truth_columns, n } = shared.data;
    if (truth && truth_columns <= 3)
      return { values: truth, dim: truth_columns, rows: Int32Array.from({ length: n }, (_, i) => i) };
    const other = this.panels.find(
      ({ plot, fit }) => plot !== panel.plot && fit && plot.cloud && plot.of === shared.data,
    );
    return other?.plot.cloud;
  }

  private score(name: string, value: number): Score | undefined {
    const info = this.description.measures.find((measure) => measure.name === name);
    if (!info) return undefined;
    const truth = this.shared?.data.truth ? ["procrustes", "affine"] : ["continuity", "knn_accuracy"];
    const main = ["trustworthiness", ...truth].slice(0, MOST_MAIN).includes(name);
    const all = this.panels.flatMap(({ raw }) =>
      raw.filter((score) => score.name === name).map((score) => score.value),
    );
    return { info, value, main, best: all.length > 1 && isBest(info, value, all) };
  }

  /** Ends a step of the history, or the beginning, when its data have come: a change that follows is another step. */
  private settle(): void {
    if (this.restored || this.history.present === undefined) this.note();
    else this.address();
  }

  /** Passes the settings on, a moment after the last change, and after the data have come. */
  private address(): void {
    clearTimeout(this.addressTimer);
    this.addressTimer = setTimeout(() => this.note(), 300);
  }

  /** Passes the settings on, and keeps them as a step of the history. A rotation alone is no step. */
  private note(): void {
    clearTimeout(this.addressTimer);
    this.addressTimer = undefined;
    if (this.arriving) return;
    const { history, settings } = this;
    const state = encode(settings);
    const turned = history.present && encode({ ...recalled(history.present), view: settings.view });
    const first = history.present === undefined;
    if (turned === state || this.restored) history.amend(state);
    this.restored = false;
    if (history.record(state) && !first) this.stepped = true;
    this.controls.steps(history.can(-1), history.can(1));
    // Until the history of the browser has followed an undo, nothing is written into its entry.
    if (this.going !== undefined && performance.now() < this.going + LONGEST_WALK) {
      this.address();
      return;
    }
    this.mount.changed(settings, this.stepped);
    this.stepped = false;
  }
}

/** Shows why the page cannot run. */
export function refuse(reason: string): void {
  fill(
    document.body,
    h("div", { class: "refused" }, h("h1", {}, "The lab cannot run here"), h("p", {}, reason)),
  );
}
