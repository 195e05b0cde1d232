import assert from "node:assert/strict";
import { test } from "node:test";
import { byClass, byNumber, type Coloring, ramp, STEPS } from "../src/draw/color.js";
import { shade, within } from "../src/draw/density.js";

const WIDTH = 12;

/** Points given as x, y, depth, shaded into a picture of 12 × 8 pixels; red, green, blue and opacity of a pixel. */
function shaded(
  points: number[][],
  coloring: Coloring,
  options: { faint?: number[]; deep?: boolean; side?: number } = {},
): (x: number, y: number) => number[] {
  const picture = { width: WIDTH, height: 8, data: new Uint8ClampedArray(4 * WIDTH * 8) } as ImageData;
  const faint = Uint8Array.from(points, (_, i) => options.faint?.[i] ?? 0);
  const rows = Int32Array.from(points, (_, i) => i);
  shade(
    { pixels: Float32Array.from(points.flat()), rows, coloring, faint, deep: options.deep ?? false, step: 1 },
    picture,
    1,
    options.side ?? 1,
    0.1,
  );
  return (x, y) => [...picture.data.subarray(4 * (y * WIDTH + x), 4 * (y * WIDTH + x) + 4)];
}

const many = (count: number, point: number[]): number[][] => Array.from({ length: count }, () => point);

test("the more points a pixel has, the more opaque it is, by the logarithm of their number", () => {
  const points = [...many(1, [1.5, 1.5, 0]), ...many(10, [4.5, 1.5, 0]), ...many(100, [7.5, 1.5, 0])];
  const at = shaded(
    points,
    byClass(
      points.map(() => 0),
      1,
      false,
    ),
  );
  const [none, one, ten, hundred] = [10, 1, 4, 7].map((x) => at(x, 1)[3]!) as [
    number,
    number,
    number,
    number,
  ];
  assert.equal(none, 0);
  assert.equal(hundred, 255);
  assert.ok(
    one > 60 && one < ten && ten < hundred && Math.abs(2 * ten - one - hundred) <= 2,
    `${one} ${ten} ${hundred}`,
  );
});

test("a pixel of numbers has the color of their mean, without missing ones; one of classes the mean light", () => {
  const points = many(4, [3.5, 3.5, 0]);
  const numbers = shaded(points, byNumber([0, 1, 0.5, NaN], 0, 1, false));
  const step = Math.round((0 + STEPS - 1 + STEPS / 2) / 3);
  assert.deepEqual(numbers(3, 3).slice(0, 3), ramp((step + 0.5) / STEPS, false));
  const classes = byClass([0, 1, 1, 0], 2, false);
  const [a, b] = classes.colors as unknown as [number[], number[]];
  const light = [0, 1, 2].map((c) => Math.round(Math.sqrt((a[c]! ** 2 + b[c]! ** 2) / 2)));
  assert.deepEqual(shaded(points, classes)(3, 3).slice(0, 3), light);
});

test("faint points lie below all others, hidden ones are not drawn, and nearer ones come first", () => {
  const points = many(3, [3.5, 3.5, 0]);
  const coloring = byClass([0, 1, 2], 3, false);
  const at = shaded(points, coloring, { faint: [1, 0, 2] });
  assert.deepEqual(at(3, 3).slice(0, 3), coloring.colors[1]);
  assert.ok(shaded(points, coloring, { faint: [1, 2, 2] })(3, 3)[3]! < 30);
  const deep = shaded(
    [
      [3.5, 3.5, -1],
      [3.5, 3.5, 1],
    ],
    byNumber([0, 1], 0, 1, false),
    { deep: true },
  );
  assert.deepEqual(deep(3, 3).slice(0, 3), ramp((STEPS - 0.5) / STEPS, false));
});

test("a point covers a square of the given side, which ends at the border", () => {
  const at = shaded(
    [
      [5, 5, 0],
      [11.5, 7.5, 0],
    ],
    byClass([0, 0], 1, false),
    { side: 2 },
  );
  const covered = [...Array(8).keys()].flatMap((y) =>
    [...Array(WIDTH).keys()].filter((x) => at(x, y)[3]! > 0).map((x) => [x, y]),
  );
  assert.deepEqual(covered, [
    [4, 4],
    [5, 4],
    [4, 5],
    [5, 5],
    [11, 7],
  ]);
  assert.equal(within(Float32Array.of(5, 5, 0, -1, 2, 0, 12, 3, 0), WIDTH, 8), 1);
});
