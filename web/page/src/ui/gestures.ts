/** Pointer and keyboard of a plot: hover, pick, rotate or shift, zoom, lasso, place. */

import type { Of } from "../draw/look.js";
import type { Plot } from "../draw/plot.js";
import { START } from "../math/camera.js";
import { enclosed, nearest } from "../math/hit.js";
import { present } from "../present.js";
import type { Labels } from "../protocol.js";
import { KEYS, stepped } from "./steps.js";

/** What a plot's user does; row numbers refer to the data set of the plot, and -1 is no row. */
export interface Actions {
  hover(row: number, of: Of | undefined): void;
  pick(row: number, of: Of | undefined): void;
  select(rows: number[], of: Of | undefined): void;
  /** The row that the keys have reached. */
  reached(of: Of | undefined): number;
  /** The classes of the rows, where they have any. */
  classes?(of: Of | undefined): Labels | undefined;
  /** A point of the space of the cloud, clicked with the Alt key held; as deep as the nearest point of the cloud. */
  place?(point: number[], of: Of | undefined): void;
  moved?(): void;
  /** A point that a drag moves instead of the picture. */
  carry?(row: number): Carry | undefined;
  /** Moves the point that the keys have reached by pixels; returns whether points are moved. */
  nudge?(dx: number, dy: number): boolean;
  /** The position of the pointer in pixels; `undefined` where it leaves. */
  over?(position: [number, number] | undefined): void;
}

/** A point that is dragged. */
export interface Carry {
  /** To a position in pixels. */
  to(x: number, y: number): void;
  /** Instead of a drag it was a click; returns whether this meant something. */
  clicked(): boolean;
}

/** What a plain drag does: moves the picture, or selects the points in a line drawn by hand, or in a box. */
export type Drag = "shift" | "lasso" | "box";

const REACH = 14;

export function attach(plot: Plot, actions: Actions, drag: () => Drag): void {
  const target = plot.target;
  target.dataset["hint"] = `Keys: ${KEYS}.`;
  const position = (event: MouseEvent): [number, number] => {
    const box = target.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const rowAt = ([x, y]: [number, number]) => {
    const cloud = plot.cloud;
    if (!cloud) return -1;
    // Where the map has the points: where an un-warped picture has them depends on the point that was pointed at last.
    const point = nearest(plot.places, cloud.rows.length, x, y, REACH, plot.hidden());
    return point < 0 ? -1 : present(cloud.rows[point]);
  };
  const moved = () => {
    plot.redraw();
    actions.moved?.();
  };

  let from: [number, number] | undefined;
  let begun = false;
  let carried: Carry | undefined;
  /** The places of fingers: two of them move and zoom the picture. */
  const fingers = new Map<number, [number, number]>();
  let pinched = false;
  /** Moves and zooms as one of two fingers moves. */
  const pinch = (id: number, now: [number, number]) => {
    const before = [...fingers.values()];
    fingers.set(id, now);
    const [a, b, c, d] = [...before, ...fingers.values()];
    if (!a || !b || !c || !d) return;
    const far = (p: [number, number], q: [number, number]) =>
      Math.max(1, Math.hypot(p[0] - q[0], p[1] - q[1]));
    const middle = (p: [number, number], q: [number, number]): [number, number] => [
      (p[0] + q[0]) / 2,
      (p[1] + q[1]) / 2,
    ];
    const [old, place] = [middle(a, b), middle(c, d)];
    plot.dragged = true;
    move(plot, place[0] - old[0], place[1] - old[1]);
    zoom(plot, far(c, d) / far(a, b), place);
    moved();
  };
  // A finger that selects, and two fingers, do not scroll the page.
  target.addEventListener(
    "touchstart",
    (event) => {
      const used = drag() !== "shift" || carried !== undefined || event.touches.length > 1;
      if (used && event.cancelable) event.preventDefault();
    },
    { passive: false },
  );
  let encircling: Exclude<Drag, "shift"> | undefined;
  target.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    if (event.pointerType === "touch") fingers.set(event.pointerId, position(event));
    if (fingers.size > 1) {
      pinched = true;
      from = undefined;
      carried = undefined;
      plot.lasso = [];
      plot.redrawMarks();
      target.setPointerCapture(event.pointerId);
      return;
    }
    pinched = false;
    from = position(event);
    begun = false;
    carried = event.shiftKey || event.altKey ? undefined : actions.carry?.(rowAt(from));
    const mode = drag();
    encircling =
      mode !== "shift"
        ? mode
        : event.shiftKey
          ? event.ctrlKey || event.metaKey
            ? "box"
            : "lasso"
          : undefined;
    target.setPointerCapture(event.pointerId);
  });
  target.addEventListener("pointermove", (event) => {
    const now = position(event);
    if (fingers.size === 2 && fingers.has(event.pointerId)) {
      pinch(event.pointerId, now);
      return;
    }
    if (pinched && fingers.size > 0) return;
    if (!from) {
      actions.hover(rowAt(now), plot.of);
      actions.over?.(now);
      return;
    }
    const [dx, dy] = [now[0] - from[0], now[1] - from[1]];
    if (!begun && Math.hypot(dx, dy) < 4) return;
    if (!begun) {
      begun = true;
      plot.lasso = encircling && !carried ? [from] : [];
    }
    if (carried) {
      carried.to(...now);
      return;
    }
    if (encircling) {
      if (encircling === "box") plot.lasso = [from, [now[0], from[1]], now, [from[0], now[1]]];
      else plot.lasso.push(now);
      plot.redrawMarks();
      return;
    }
    from = now;
    plot.dragged = true;
    move(plot, dx, dy);
    moved();
  });
  const end = (event: PointerEvent, cancelled: boolean) => {
    fingers.delete(event.pointerId);
    if (plot.dragged) {
      plot.dragged = false;
      plot.redraw();
    }
    if (!from) return;
    const cloud = plot.cloud;
    const held = carried;
    carried = undefined;
    if (held && (begun || cancelled || held.clicked())) {
      from = undefined;
      return;
    }
    if (begun && encircling) {
      const polygon = plot.lasso;
      plot.lasso = [];
      plot.redrawMarks();
      if (!cancelled && cloud && polygon.length > 2) {
        actions.select(
          enclosed(plot.pixels, cloud.rows.length, polygon, plot.hidden()).map((i) => present(cloud.rows[i])),
          plot.of,
        );
      }
    } else if (!begun && !cancelled) {
      const now = position(event);
      const like = cloud ? nearest(plot.pixels, cloud.rows.length, ...now, Infinity) : -1;
      if (event.altKey && actions.place && like >= 0) actions.place(plot.pointAt(...now, like), plot.of);
      else actions.pick(rowAt(now), plot.of);
    }
    from = undefined;
  };
  target.addEventListener("pointerup", (event) => end(event, false));
  target.addEventListener("pointercancel", (event) => end(event, true));
  target.addEventListener("pointerleave", () => {
    if (!from) actions.hover(-1, plot.of);
    actions.over?.(undefined);
  });
  target.addEventListener("dblclick", () => {
    reset(plot);
    moved();
  });
  target.addEventListener(
    "wheel",
    (event) => {
      // The wheel scrolls the page unless a control key is held or the picture was clicked.
      if (!event.ctrlKey && !event.metaKey && !target.matches(":focus")) return;
      event.preventDefault();
      zoom(plot, Math.exp(-event.deltaY * 0.0015), position(event));
      moved();
    },
    { passive: false },
  );
  target.addEventListener("keydown", (event) => {
    const arrow = event.altKey ? SHIFTS[event.key] : undefined;
    if (arrow && actions.nudge?.(...arrow)) event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (key(plot, event, actions)) {
      event.preventDefault();
      moved();
    }
  });
}

/** Rotates a cloud of three dimensions, shifts others. */
function move(plot: Plot, dx: number, dy: number): void {
  const { camera } = plot;
  if ((plot.cloud?.dim ?? 0) >= 3) {
    camera.yaw += dx * 0.01;
    camera.pitch = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, camera.pitch + dy * 0.01));
  } else {
    camera.shift[0] += (2 * dx) / plot.width;
    camera.shift[1] += (2 * dy) / plot.height;
  }
}

function zoom(plot: Plot, factor: number, [x, y]: [number, number]): void {
  const { camera } = plot;
  const now = Math.min(60, Math.max(0.5, camera.zoom * factor));
  const change = now / camera.zoom;
  camera.zoom = now;
  if ((plot.cloud?.dim ?? 0) >= 3) return;
  // The position under the pointer keeps its place.
  const [px, py] = [(2 * x) / plot.width - 1, (2 * y) / plot.height - 1];
  camera.shift[0] = px + change * (camera.shift[0] - px);
  camera.shift[1] = py + change * (camera.shift[1] - py);
}

export function reset(plot: Plot): void {
  Object.assign(plot.camera, START, { shift: [0, 0] });
}

/** How far a key moves a picture, in pixels. */
const STEP = 18;
const SHIFTS: Record<string, [number, number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

function key(plot: Plot, event: KeyboardEvent, actions: Actions): boolean {
  const middle: [number, number] = [plot.width / 2, plot.height / 2];
  const arrow = event.shiftKey ? SHIFTS[event.key] : undefined;
  if (arrow) {
    move(plot, ...arrow);
    return true;
  }
  switch (event.key) {
    case "+":
    case "=":
      zoom(plot, 1.25, middle);
      return true;
    case "-":
      zoom(plot, 0.8, middle);
      return true;
    case "0":
    case "Home":
      reset(plot);
      return true;
    case "Enter": {
      const row = actions.reached(plot.of);
      if (row >= 0 && plot.cloud?.rows.includes(row)) actions.pick(row, plot.of);
      return true;
    }
    case "Escape":
      actions.select([], plot.of);
      actions.hover(-1, plot.of);
      return true;
    default:
      return stepped(plot, event.key, actions);
  }
}
