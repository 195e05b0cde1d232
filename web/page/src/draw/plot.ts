/** A picture of a cloud on a canvas, with a second canvas above it for the marks that follow the pointer. */

import { type Camera, type Frame, project, START, unproject } from "../math/camera.js";
import { type Unwarp, unwarp } from "../math/unwarp.js";
import { present } from "../present.js";
import { type Cloud, Morph, pointsOfRows } from "./cloud.js";
import { type Coloring, css } from "./color.js";
import { MOST_DISCS, shade, within } from "./density.js";
import { schedule } from "./frames.js";
import { type Look, MARGIN, type Marks, NO_MARKS, type Of, type Projected, type Theme } from "./look.js";
import { paintNames } from "./names.js";
import { type Overlay, paintOverlay, unwarpingAt } from "./overlay.js";
import { paintPictures } from "./pictures.js";
import { sprites } from "./sprites.js";

const ALPHA_FAINT = 0.13;
/** Most points that are drawn while a picture is dragged; all of them are drawn at the end. */
const MOST_DRAGGED = 4000;
/** Most shaded points that are drawn while a picture is dragged. */
const MOST_SHADED = 50_000;
/** More edges than this are drawn fainter. */
const CLEAR_EDGES = 6000;

/** A cloud to be shown, and the data set that its rows refer to. */
export interface Scene {
  of: Of;
  /** The number of rows of the data set. */
  n: number;
  cloud: Cloud;
  /** The picture of a row, where rows are pictures: some are drawn at their points. */
  pictures?: ((row: number) => CanvasImageSource) | undefined;
}

export class Plot implements Projected {
  readonly element = document.createElement("div");
  readonly camera: Camera = { ...START, shift: [0, 0] };
  /** Pixels of the points, in CSS pixels: x, y, depth. */
  pixels = new Float32Array(0);
  /** The same without un-warping. */
  places = this.pixels;
  /** How the picture is un-warped. */
  warp: Unwarp | undefined;
  width = 0;
  height = 0;
  /** New points: coordinates in the space of the cloud. */
  placed: Float64Array | undefined;
  lasso: [number, number][] = [];
  /** Places that belong to the points of a cloud; drawn while that cloud is shown. */
  private placesOf: Overlay | undefined;
  private unwarps = false;
  /** Fixed rows, and the places in the space of the cloud where they are drawn instead of their own. */
  private fixed: ReadonlyMap<number, number[] | undefined> = new Map();
  /** Whether the picture is being dragged: of many points every few are drawn, and no edges. */
  dragged = false;
  /** Whether the points are shaded by their number rather than drawn one by one. */
  shaded = false;
  /** Whether the frame leaves out the outermost points: 1 % at each end of each axis. */
  inner = false;
  private readonly base = document.createElement("canvas");
  private readonly over = document.createElement("canvas");
  /** What the keys did not find, for readers of screens. */
  private readonly told = document.createElement("span");
  private morph: Morph | undefined;
  private shownFrame: Frame = { center: [0, 0, 0], half: 1 };
  private points: Int32Array = new Int32Array(0);
  private scene: Scene | undefined;
  /** The last look of each data set: its cloud may come after the look of a newer one. */
  private readonly looks = new WeakMap<Of, Look>();
  private marks: Marks = NO_MARKS;
  private order = new Uint32Array(0);
  private readonly drawBase = () => this.paint();
  private readonly drawOver = () => this.paintMarks();

  constructor() {
    this.element.className = "plot";
    this.over.className = "over";
    this.over.tabIndex = 0;
    this.over.setAttribute("role", "application");
    this.told.className = "told";
    this.told.setAttribute("role", "status");
    this.element.append(this.base, this.over, this.told);
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  /** The canvas that receives the pointer and the keys. */
  get target(): HTMLCanvasElement {
    return this.over;
  }

  get cloud(): Cloud | undefined {
    return this.morph?.cloud;
  }

  /** The data set of the cloud. */
  get of(): Of | undefined {
    return this.scene?.of;
  }

  get coloring(): Coloring | undefined {
    return this.look?.coloring;
  }

  get frame(): Frame {
    return this.shownFrame;
  }

  /** Rows of the data set that are not drawn, as points of this cloud. */
  hidden(): Uint8Array | undefined {
    const [cloud, look] = [this.cloud, this.look];
    if (!cloud || !look) return undefined;
    return Uint8Array.from(cloud.rows, (row) => (look.faint[row] === 2 ? 1 : 0));
  }

  /** Shows a cloud, moving from the one before it within `duration` milliseconds; colors and marks of other data end. */
  show(scene: Scene | undefined, duration: number): void {
    if (this.scene?.of !== scene?.of) this.placed = undefined;
    this.scene = scene;
    if (!scene) {
      this.morph = undefined;
      this.placed = undefined;
    } else {
      const { cloud, n } = scene;
      const before = this.morph && {
        values: this.morph.values,
        rows: this.morph.cloud.rows,
        frame: this.shownFrame,
      };
      this.morph = new Morph(before, cloud, performance.now(), duration, this.inner);
      this.points = pointsOfRows(cloud.rows, n);
      this.pixels = new Float32Array(3 * cloud.rows.length);
      this.places = this.pixels;
      this.order = new Uint32Array(cloud.rows.length);
    }
    schedule(this.drawBase);
  }

  /** Colors the clouds of a data set, also those that have not come yet. */
  dress(look: Look): void {
    this.looks.set(look.of, look);
    if (this.scene?.of === look.of) schedule(this.drawBase);
  }

  /** The look of the cloud. */
  private get look(): Look | undefined {
    return this.scene && this.looks.get(this.scene.of);
  }

  set overlay(overlay: Overlay | undefined) {
    if (overlay === this.placesOf) return;
    this.placesOf = overlay;
    schedule(this.drawBase);
  }

  /** Whether a map of two dimensions is shown with ellipses. */
  get elliptic(): boolean {
    const overlay = this.placesOf;
    return overlay?.kind === "ellipses" && overlay.cloud === this.cloud && overlay.cloud.dim === 2;
  }

  /** Draws a map with ellipses un-warped around the point that was pointed at last, or as it is. */
  set unwarped(on: boolean) {
    if (on === this.unwarps) return;
    this.unwarps = on;
    schedule(this.drawBase);
  }

  mark(marks: Marks): void {
    this.marks = marks;
    schedule(this.unwarps && this.elliptic ? this.drawBase : this.drawOver);
  }

  /** Marks fixed rows; those with a place are drawn there, until the next cloud. */
  fix(fixed: ReadonlyMap<number, number[] | undefined>): void {
    this.fixed = fixed;
    schedule(this.drawBase);
  }

  /** The point of a row; -1 where the cloud has none. */
  pointOf(row: number): number {
    return this.points[row] ?? -1;
  }

  /** Pictures of the rows at the points of the cloud that is shown, or none. */
  illustrate(pictures: Scene["pictures"]): void {
    if (this.scene) this.scene = { ...this.scene, pictures };
    schedule(this.drawBase);
  }

  redraw(): void {
    schedule(this.drawBase);
  }

  redrawMarks(): void {
    schedule(this.drawOver);
  }

  /** The point of the cloud's space at a position in pixels, as deep as a point of the cloud. */
  pointAt(x: number, y: number, like: number): number[] {
    const depth = this.pixels[3 * like + 2] ?? 0;
    return unproject(
      [x, y, depth],
      this.cloud?.dim ?? 2,
      this.shownFrame,
      this.camera,
      this.width,
      this.height,
      MARGIN,
    );
  }

  /** The picture as it is shown, with its ground, drawn again so that its shorter side has at least the given number of pixels. */
  snapshot(side: number): HTMLCanvasElement {
    this.size(Math.max(this.ratio, side / Math.max(1, Math.min(this.width, this.height))));
    const canvas = document.createElement("canvas");
    canvas.width = this.base.width;
    canvas.height = this.base.height;
    const context = present(canvas.getContext("2d"));
    context.fillStyle = css(this.look?.theme.ground ?? [255, 255, 255]);
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(this.base, 0, 0);
    context.drawImage(this.over, 0, 0);
    this.size(this.ratio);
    return canvas;
  }

  /** Says something about the picture, without showing it. */
  tell(text: string): void {
    this.told.textContent = text;
  }

  /** Draws at once, before the next frame. */
  paintNow(): void {
    this.paint();
  }

  /** The look of the cloud and the marks in it. */
  get drawn(): { look: Look | undefined; marks: Marks; points: Int32Array } {
    return { look: this.look, marks: this.marked, points: this.points };
  }

  /** The marks, where they are of the data of the cloud. */
  private get marked(): Marks {
    return this.marks.of === this.scene?.of ? this.marks : NO_MARKS;
  }

  /** The radius of the points in CSS pixels. */
  radius(): number {
    const n = this.cloud?.rows.length ?? 1;
    const side = Math.min(this.width, this.height);
    return (
      Math.min(5, Math.max(0.9, (side / Math.sqrt(n)) * 0.19)) * Math.min(2, Math.sqrt(this.camera.zoom))
    );
  }

  private resize(): void {
    const [width, height] = [this.element.clientWidth, this.element.clientHeight];
    this.width = width;
    this.height = height;
    this.size(this.ratio);
  }

  /** Pixels of the screen per CSS pixel. */
  private get ratio(): number {
    return Math.min(3, window.devicePixelRatio || 1);
  }

  /** Draws with the given number of pixels per CSS pixel. */
  private size(ratio: number): void {
    for (const canvas of [this.base, this.over]) {
      canvas.width = Math.round(this.width * ratio);
      canvas.height = Math.round(this.height * ratio);
    }
    // In the same frame, so that no empty canvas is shown.
    this.paint();
  }

  private context(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
    const context = present(canvas.getContext("2d"));
    const ratio = canvas.width / Math.max(1, this.width);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    return context;
  }

  private paint(): void {
    if (this.width === 0) return;
    const context = this.context(this.base);
    const { morph, look, scene } = this;
    if (morph && look && scene) {
      const { frame, done } = morph.at(performance.now());
      this.shownFrame = frame;
      const { dim, rows } = morph.cloud;
      project(morph.values, dim, frame, this.camera, this.width, this.height, MARGIN, this.pixels);
      this.displace(dim, frame);
      this.unwarp(done);
      this.shaded = rows.length > MOST_DISCS && within(this.pixels, this.width, this.height) > MOST_DISCS;
      const step = this.dragged ? Math.ceil(rows.length / MOST_DRAGGED) : 1;
      if (step === 1) this.paintEdges(context, look);
      if (this.shaded) this.shadePoints(context, look, rows, dim);
      else this.paintPoints(context, look, rows, dim, step);
      if (done && !this.dragged) this.paintOverlay(context, look);
      if (done && scene.pictures) paintPictures(context, this, look, rows, scene.pictures);
      else if (done && look.names && !this.dragged) paintNames(context, this, look, rows, look.names);
      if (!done) schedule(this.drawBase);
    }
    this.paintMarks();
  }

  /** Gives fixed points the pixels of their places. */
  private displace(dim: number, frame: Frame): void {
    const pixel = new Float32Array(3);
    for (const [row, place] of this.fixed) {
      const point = this.pointOf(row);
      if (!place || point < 0) continue;
      project(Float64Array.from(place), dim, frame, this.camera, this.width, this.height, MARGIN, pixel);
      this.pixels.set(pixel, 3 * point);
    }
  }

  /** Moves all points to where the un-warped picture has them; moved points stay where they are put. */
  private unwarp(done: boolean): void {
    this.places = this.pixels;
    this.warp = undefined;
    const overlay = this.placesOf;
    const point = this.pointOf(this.marked.reached);
    const moved = [...this.fixed.values()].some((place) => place !== undefined);
    if (!overlay || !done || !this.unwarps || !this.elliptic || point < 0 || moved) return;
    this.warp = unwarpingAt(overlay, this, point);
    if (!this.warp) return;
    this.places = this.pixels.slice();
    unwarp(this.warp, this.pixels, 3);
  }

  private paintEdges(context: CanvasRenderingContext2D, { edges, theme }: Look): void {
    if (!edges) return;
    for (const jumping of [0, 1]) {
      context.beginPath();
      for (let e = 0; e < edges.jumps.length; e++) {
        if (edges.jumps[e] !== jumping) continue;
        const a = this.points[present(edges.pairs[2 * e])] ?? -1;
        const b = this.points[present(edges.pairs[2 * e + 1])] ?? -1;
        if (a < 0 || b < 0) continue;
        context.moveTo(present(this.pixels[3 * a]), present(this.pixels[3 * a + 1]));
        context.lineTo(present(this.pixels[3 * b]), present(this.pixels[3 * b + 1]));
      }
      context.strokeStyle = jumping ? theme.alert : theme.edge;
      context.lineWidth = jumping ? 1.6 : 0.7;
      context.globalAlpha = jumping ? 1 : Math.min(1, (CLEAR_EDGES / edges.jumps.length) ** 0.7);
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  /** The places of points of this cloud: thin lines for all that are drawn. */
  private paintOverlay(context: CanvasRenderingContext2D, { theme, faint }: Look): void {
    const overlay = this.placesOf;
    if (!overlay || overlay.cloud !== this.cloud) return;
    const seen = overlay.drawn.filter((point) => faint[present(overlay.cloud.rows[point])] === 0);
    const jumps = overlay.kind === "jumps";
    paintOverlay(context, this, overlay, seen, {
      color: jumps ? theme.alert : css(theme.ink),
      width: jumps ? 0.8 : 1.1,
      alpha: jumps ? 0.45 : 0.85,
    });
  }

  /** Draws many points at once. */
  private shadePoints(
    context: CanvasRenderingContext2D,
    { coloring, faint }: Look,
    rows: Int32Array,
    dim: number,
  ): void {
    const { width, height } = this.base;
    const ratio = width / this.width;
    const picture = new ImageData(width, height);
    const side = Math.max(1, Math.round(2 * this.radius() * ratio));
    shade(
      {
        pixels: this.pixels,
        rows,
        coloring,
        faint,
        deep: dim >= 3,
        step: this.dragged ? Math.ceil(rows.length / MOST_SHADED) : 1,
      },
      picture,
      ratio,
      side,
      ALPHA_FAINT,
    );
    const layer = new OffscreenCanvas(width, height);
    present(layer.getContext("2d")).putImageData(picture, 0, 0);
    context.drawImage(layer, 0, 0, this.width, this.height);
  }

  private paintPoints(
    context: CanvasRenderingContext2D,
    look: Look,
    rows: Int32Array,
    dim: number,
    step: number,
  ): void {
    const ratio = this.base.width / this.width;
    const radius = this.radius();
    const ring = radius > 2.4 ? look.theme.ground : undefined;
    const { picture, cell } = sprites(
      look.coloring.colors,
      Math.max(1, Math.round(radius * ratio * 4) / 4),
      ring,
    );
    const size = cell / ratio;
    this.sort(dim);
    for (const faint of [1, 0]) {
      for (let o = 0; o < this.order.length; o++) {
        const i = present(this.order[o]);
        if (i % step !== 0) continue;
        const row = present(rows[i]);
        if (look.faint[row] !== faint) continue;
        const x = present(this.pixels[3 * i]);
        const y = present(this.pixels[3 * i + 1]);
        if (!(x > -size && y > -size && x < this.width + size && y < this.height + size)) continue;
        const depth = dim >= 3 ? 0.72 + 0.28 * Math.max(-1, Math.min(1, present(this.pixels[3 * i + 2]))) : 1;
        context.globalAlpha = faint ? ALPHA_FAINT : depth;
        const bin = Math.min(look.coloring.colors.length - 1, present(look.coloring.bins[row]));
        context.drawImage(picture, bin * cell, 0, cell, cell, x - size / 2, y - size / 2, size, size);
      }
    }
    context.globalAlpha = 1;
  }

  /** Orders the points from far to near, by 256 steps of depth. */
  private sort(dim: number): void {
    const n = this.order.length;
    if (dim < 3) {
      for (let i = 0; i < n; i++) this.order[i] = i;
      return;
    }
    const step = (i: number) =>
      Math.max(0, Math.min(255, Math.floor((present(this.pixels[3 * i + 2]) + 1.3) * 98)));
    const starts = new Uint32Array(257);
    for (let i = 0; i < n; i++) {
      const next = step(i) + 1;
      starts[next] = present(starts[next]) + 1;
    }
    for (let s = 0; s < 256; s++) starts[s + 1] = present(starts[s + 1]) + present(starts[s]);
    for (let i = 0; i < n; i++) {
      const place = present(starts[step(i)]);
      this.order[place] = i;
      starts[step(i)] = place + 1;
    }
  }

  private paintMarks(): void {
    if (this.width === 0) return;
    const context = this.context(this.over);
    const { look } = this;
    if (!look || !this.morph) return;
    const marks = this.marked;
    const { theme } = look;
    const radius = this.radius();
    for (const { rows, color, dashed } of marks.traces) this.line(context, rows, color, dashed ?? false);
    const at = (row: number) => {
      const point = this.points[row] ?? -1;
      return point < 0
        ? undefined
        : ([present(this.pixels[3 * point]), present(this.pixels[3 * point + 1])] as const);
    };
    for (const row of this.fixed.keys()) {
      const place = at(row);
      if (place) this.square(context, place, radius + 3, theme);
    }
    const center = at(marks.hovered);
    const overlay = this.placesOf;
    if (center && overlay && overlay.cloud === this.cloud)
      paintOverlay(context, this, overlay, [present(this.points[marks.hovered])], {
        color: theme.alert,
        width: 2.4,
        alpha: 1,
      });
    for (let j = 0; j < marks.neighbors.length; j++) {
      const place = at(present(marks.neighbors[j]));
      if (!place) continue;
      const weight = marks.weights?.[j];
      if (center) {
        context.beginPath();
        context.moveTo(...center);
        context.lineTo(...place);
        context.strokeStyle = weight !== undefined && weight < 0 ? theme.alert : theme.accent;
        context.globalAlpha = weight === undefined ? 0.5 : 0.85;
        context.lineWidth = weight === undefined ? 1 : Math.max(0.6, 7 * Math.abs(weight));
        context.stroke();
        context.globalAlpha = 1;
      }
      this.ring(context, place, radius + 1.2, theme.accent, 1.6);
    }
    for (const row of marks.picked) {
      const place = at(row);
      if (place) this.ring(context, place, radius + 3, theme.alert, 2.4);
    }
    if (center) {
      this.ring(context, center, radius + 3.2, css(theme.ground), 5);
      this.ring(context, center, radius + 3, css(theme.ink), 2.2);
    }
    this.paintPlaced(context, theme);
    this.paintLasso(context, theme);
  }

  private ring(
    context: CanvasRenderingContext2D,
    [x, y]: readonly [number, number],
    radius: number,
    color: string,
    width: number,
  ): void {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.strokeStyle = color;
    context.lineWidth = width;
    context.stroke();
  }

  private square(
    context: CanvasRenderingContext2D,
    [x, y]: readonly [number, number],
    half: number,
    theme: Theme,
  ): void {
    for (const [color, width] of [
      [css(theme.ground), 4.5],
      [css(theme.ink), 2],
    ] as const) {
      context.strokeStyle = color;
      context.lineWidth = width;
      context.strokeRect(x - half, y - half, 2 * half, 2 * half);
    }
  }

  private line(
    context: CanvasRenderingContext2D,
    rows: ArrayLike<number>,
    color: string,
    dashed: boolean,
  ): void {
    context.beginPath();
    let begun = false;
    for (let j = 0; j < rows.length; j++) {
      const point = this.points[present(rows[j])] ?? -1;
      if (point < 0) continue;
      const [x, y] = [present(this.pixels[3 * point]), present(this.pixels[3 * point + 1])];
      if (begun) context.lineTo(x, y);
      else context.moveTo(x, y);
      begun = true;
    }
    context.setLineDash(dashed ? [5, 4] : []);
    context.strokeStyle = color;
    context.lineWidth = 2.6;
    context.stroke();
    context.setLineDash([]);
  }

  private paintPlaced(context: CanvasRenderingContext2D, theme: Theme): void {
    const dim = present(this.morph).cloud.dim;
    if (!this.placed || this.placed.length < dim) return;
    const out = new Float32Array(3 * Math.floor(this.placed.length / dim));
    project(this.placed, dim, this.shownFrame, this.camera, this.width, this.height, MARGIN, out);
    if (this.warp) unwarp(this.warp, out, 3);
    for (let i = 0; 3 * i < out.length; i++) {
      const [x, y] = [present(out[3 * i]), present(out[3 * i + 1])];
      for (const [color, width] of [
        [css(theme.ground), 5],
        [theme.alert, 2.5],
      ] as const) {
        context.beginPath();
        context.moveTo(x - 7, y);
        context.lineTo(x + 7, y);
        context.moveTo(x, y - 7);
        context.lineTo(x, y + 7);
        context.strokeStyle = color;
        context.lineWidth = width;
        context.stroke();
      }
    }
  }

  private paintLasso(context: CanvasRenderingContext2D, theme: Theme): void {
    if (this.lasso.length < 2) return;
    context.beginPath();
    for (const [x, y] of this.lasso) context.lineTo(x, y);
    context.closePath();
    context.strokeStyle = theme.accent;
    context.lineWidth = 1.5;
    context.stroke();
    context.globalAlpha = 0.1;
    context.fillStyle = theme.accent;
    context.fill();
    context.globalAlpha = 1;
  }
}
