/** What is known of the point under the pointer, of picked points, and of a selection. */

import { present } from "../present.js";
import type { Data, Graph, ImageShape, Path, Weights } from "../protocol.js";
import { columnName } from "../state/coloring.js";
import { bars } from "./chart.js";
import { button, counted, h, number } from "./dom.js";

const MOST_VALUES = 6;

/** The number of a row in the file or data set that the data are a sample of. */
function numbered(data: Data, row: number): number {
  return data.rows ? present(data.rows[row]) : row;
}

/** The name of a row, or its number where it has none. */
function called(data: Data, row: number): string {
  return data.row_names?.values[row] || String(numbered(data, row));
}

/** One line for a row: its name, its number, its classes. */
export function rowText(data: Data, row: number): string {
  const labels = data.labels.map(
    ({ name, classes, values }) => `${name} ${classes[present(values[row])] ?? "–"}`,
  );
  const name = data.row_names?.values[row];
  return [...(name ? [name] : []), `row ${numbered(data, row)}`, ...labels].join(" · ");
}

/** Names separated by commas, each with a direction of its own, so that names in Arabic or Hebrew keep their order. */
function listed(names: readonly string[]): (Node | string)[] {
  return names.flatMap((name, i) => [i > 0 ? ", " : "", h("bdi", {}, name)]);
}

/** Row, classes, true coordinates, values, picture and neighbors of a point. */
export function pointView(data: Data, row: number, graph: Graph | undefined): Node[] {
  const parts: Node[] = [h("strong", {}, rowText(data, row))];
  const picture = thumbnail(data, row);
  if (picture) parts.push(picture);
  const values: [string, number][] = data.quantities.map(({ name, values }) => [name, present(values[row])]);
  for (let a = 0; data.truth && a < data.truth_columns; a++) {
    values.push([data.truth_names[a] ?? `true ${a + 1}`, present(data.truth[row * data.truth_columns + a])]);
  }
  if (!picture) {
    for (let a = 0; a < Math.min(MOST_VALUES, data.columns); a++)
      values.push([columnName(data, a), present(data.points[row * data.columns + a])]);
  }
  parts.push(
    h(
      "p",
      { class: "values" },
      values.map(([name, value]) => `${name} ${number(value)}`).join(", ") +
        (!picture && data.columns > MOST_VALUES ? ", …" : ""),
    ),
  );
  if (graph) {
    const [from, to] = [present(graph.offsets[row]), present(graph.offsets[row + 1])];
    const near = Array.from(graph.neighbors.subarray(from, to), (other) => called(data, other));
    const ends =
      to > from
        ? `, ${number(present(graph.distances[from]))} to ${number(present(graph.distances[to - 1]))}`
        : "";
    parts.push(
      h(
        "p",
        { class: "soft" },
        `${counted(near.length, "neighbor")}${ends}: `,
        ...listed(near.slice(0, 12)),
        near.length > 12 && ", …",
      ),
    );
    if (data.images) {
      const pictures = Array.from(graph.neighbors.subarray(from, Math.min(to, from + 8)), (other) =>
        present(thumbnail(data, other)),
      );
      parts.push(h("div", { class: "thumbs" }, ...pictures));
    }
  }
  return parts;
}

/** The weights by which the neighbors of a picked point reconstruct it. */
export function weightView(data: Data, { neighbors, weights }: Weights, row: number): Node[] {
  return [
    h("p", {}, `Weights by which its neighbors reconstruct row ${called(data, row)} (LLE)`),
    bars(weights, (i) => called(data, present(neighbors[i]))),
  ];
}

/** The shortest path between two picked points. */
export function pathView(data: Data, path: Path, from: number, to: number): Node[] {
  const rows = `${called(data, from)} and ${called(data, to)}`;
  if (path.length === null) return [h("p", {}, `No path of the graph joins rows ${rows}.`)];
  const truth = path.truth === null ? "" : `; in the true coordinates ${number(path.truth)}`;
  return [
    h(
      "p",
      {},
      `Rows ${rows}: along the graph ${number(path.length)} in ${counted(path.rows.length - 1, "edge")}, straight ${number(path.straight)}${truth}.`,
    ),
  ];
}

/** A selection: how many points, which classes. */
export function selectionView(
  data: Data,
  rows: readonly number[],
  save: () => void,
  clear: () => void,
): Node[] {
  const labels = data.labels[0];
  const counts = new Map<string, number>();
  for (const row of rows) {
    const name = labels?.classes[present(labels.values[row])];
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const most = [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 6)
    .map(([name, count]) => `${name} ${count}`);
  return [
    h("strong", {}, `${counted(rows.length, "point")} selected`),
    h("p", { class: "soft" }, ...listed(most)),
    h(
      "div",
      { class: "buttons" },
      button("CSV", "save the selected rows as CSV", save),
      button("clear", "clear the selection", clear),
    ),
  ];
}

/** The picture of a row, where rows are pictures. */
export function thumbnail(data: Data, row: number): HTMLCanvasElement | undefined {
  const shape = data.images;
  if (!shape) return undefined;
  const size = shape.height * shape.width * shape.channels;
  return pictureOf(
    shape,
    (data.pixels ?? data.points).subarray(row * size, (row + 1) * size),
    `picture of row ${row}`,
  );
}

/** The pictures of rows, each made once. */
export function thumbnails(data: Data): (row: number) => HTMLCanvasElement {
  const made = new Map<number, HTMLCanvasElement>();
  return (row) => {
    const picture = made.get(row) ?? present(thumbnail(data, row));
    made.set(row, picture);
    return picture;
  };
}

/** Pixels as a picture. */
export function pictureOf(
  { height, width, channels, white }: ImageShape,
  pixels: Float64Array,
  name: string,
): HTMLCanvasElement {
  const canvas = h("canvas", { class: "thumb", width, height, role: "img", "aria-label": name });
  const context = present(canvas.getContext("2d"));
  const picture = context.createImageData(width, height);
  for (let i = 0; i < height * width; i++) {
    for (let c = 0; c < 3; c++) {
      const value = present(pixels[i * channels + (channels === 3 ? c : 0)]);
      picture.data[4 * i + c] = Math.round((255 * value) / white);
    }
    picture.data[4 * i + 3] = 255;
  }
  context.putImageData(picture, 0, 0);
  return canvas;
}
