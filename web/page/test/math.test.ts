import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { allRows } from "../src/draw/cloud.js";
import { alignTo } from "../src/math/align.js";
import { frame, innerFrame, project, START, unproject } from "../src/math/camera.js";
import { type Formula, formula, WORDS } from "../src/math/formula.js";
import { enclosed, inside, nearest } from "../src/math/hit.js";
import { svd } from "../src/math/svd.js";
import { MOST_RATIO, unwarp, unwarpedVector, unwarping } from "../src/math/unwarp.js";
import { present } from "../src/present.js";
import { overlay } from "../src/ui/places.js";

/** Numbers between -1 and 1, the same in every run. */
function numbers(count: number): Float64Array {
  let state = 12345;
  return Float64Array.from({ length: count }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

function product(a: Float64Array, b: Float64Array, d: number, transposed = false): Float64Array {
  const out = new Float64Array(d * d);
  for (let i = 0; i < d; i++)
    for (let j = 0; j < d; j++)
      for (let k = 0; k < d; k++)
        out[i * d + j]! += a[i * d + k]! * (transposed ? b[j * d + k]! : b[k * d + j]!);
  return out;
}

test("a value that is missing where there must be one is an error; zeros and empty texts are values", () => {
  assert.deepEqual([0, "", false, Number.NaN].map(present), [0, "", false, Number.NaN]);
  assert.throws(() => present(new Float64Array(2)[2]), /missing/);
  assert.throws(() => present(null), /missing/);
});

test("a decomposition multiplies to the matrix, with orthogonal factors, also when it is singular", () => {
  for (const [d, a] of [
    [2, numbers(4)],
    [3, numbers(9)],
    [3, Float64Array.of(1, 2, 3, 2, 4, 6, 0, 0, 0)],
    [3, new Float64Array(9)],
  ] as const) {
    const { u, s, v } = svd(a, d);
    const us = u.map((value, i) => value * s[i % d]!);
    product(us, v, d, true).forEach((value, i) => assert.ok(Math.abs(value - a[i]!) < 1e-12));
    for (const m of [u, v]) {
      product(m, m, d, true).forEach((value, i) =>
        assert.ok(Math.abs(value - (i % (d + 1) === 0 ? 1 : 0)) < 1e-12),
      );
    }
  }
});

test("a rotated and shifted map is brought back onto the original, with and without a reflection", () => {
  const n = 40;
  const target = { values: numbers(2 * n), dim: 2 };
  const mean = [0, 1].map((a) => target.values.filter((_, i) => i % 2 === a).reduce((x, y) => x + y) / n);
  const [c, s] = [Math.cos(1.1), Math.sin(1.1)];
  for (const sign of [1, -1]) {
    const values = new Float64Array(2 * n);
    for (let i = 0; i < n; i++) {
      const [x, y] = [target.values[2 * i]!, sign * target.values[2 * i + 1]!];
      values[2 * i] = c * x - s * y + 5;
      values[2 * i + 1] = s * x + c * y - 3;
    }
    const aligned = alignTo({ values, dim: 2 }, target, allRows(n)).values;
    aligned.forEach((value, i) => assert.ok(Math.abs(value - (target.values[i]! - mean[i % 2]!)) < 1e-12));
  }
});

test("alignment changes no distance, whatever the target and its dimension", () => {
  const n = 25;
  for (const [dim, other] of [
    [2, 3],
    [3, 2],
    [1, 2],
    [2, 2],
  ] as const) {
    const map = numbers(n * dim);
    const aligned = alignTo(
      { values: map, dim },
      { values: numbers(n * other + 7).subarray(7), dim: other },
      allRows(n),
    );
    const distance = (v: Float64Array, i: number, j: number) =>
      Math.hypot(...Array.from({ length: dim }, (_, a) => v[i * dim + a]! - v[j * dim + a]!));
    assert.ok(Math.abs(distance(aligned.values, 3, 9) - distance(map, 3, 9)) < 1e-12);
    assert.equal(aligned.dim, dim);
  }
});

test("maps of very large and very small numbers are aligned as well", () => {
  const n = 25;
  for (const [scale, other] of [
    [1e300, 1e300],
    [1e-300, 1e-300],
    [1e300, 1],
  ] as const) {
    const target = numbers(2 * n);
    // A rotation by a right angle.
    const values = target.map((_, i) => scale * (i % 2 === 0 ? -target[i + 1]! : target[i - 1]!));
    const aligned = alignTo(
      { values, dim: 2 },
      { values: target.map((value) => other * value), dim: 2 },
      allRows(n),
    ).values;
    const mean = [0, 1].map((a) => target.filter((_, i) => i % 2 === a).reduce((x, y) => x + y) / n);
    aligned.forEach((value, i) =>
      assert.ok(
        Math.abs(value / scale - (target[i]! - mean[i % 2]!)) < 1e-12,
        `${scale} onto ${other}: ${value}`,
      ),
    );
  }
});

test("the projection keeps lengths: no rotation changes the distance of a point to the middle", () => {
  const values = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, -1, -1, -1);
  const box = { center: [0, 0, 0] as [number, number, number], half: 1 };
  const out = new Float32Array(12);
  for (const [yaw, pitch] of [
    [0, 0],
    [0.4, 1],
    [2, -0.7],
  ] as const) {
    project(values, 3, box, { ...START, yaw, pitch }, 200, 200, 0, out);
    for (const [i, length] of [
      [0, 1],
      [1, 1],
      [2, 1],
      [3, Math.sqrt(3)],
    ] as const) {
      const [x, y, z] = [(out[3 * i]! - 100) / 100, (out[3 * i + 1]! - 100) / 100, out[3 * i + 2]!];
      assert.ok(Math.abs(Math.hypot(x, y, z) - length) < 1e-6);
    }
  }
  project(values, 3, box, { ...START, yaw: 0, pitch: 0 }, 200, 200, 0, out);
  assert.deepEqual([out[7]], [0], "the third axis points up");
});

test("a position with a depth leads back to the point that is drawn there", () => {
  const box = { center: [1, -2, 3] as [number, number, number], half: 2.5 };
  const camera = { yaw: 0.7, pitch: -0.4, zoom: 1.5, shift: [0.2, -0.1] as [number, number] };
  const out = new Float32Array(3);
  for (const dim of [2, 3]) {
    const point = [0.3, 1.1, 2.2].slice(0, dim);
    project(point, dim, box, camera, 300, 200, 10, out);
    const back = unproject([out[0]!, out[1]!, out[2]!], dim, box, camera, 300, 200, 10);
    assert.equal(back.length, dim);
    back.forEach((value, a) => assert.ok(Math.abs(value - point[a]!) < 1e-5));
  }
});

test("the frame of a plane cloud reaches its ends; a single point has one too", () => {
  assert.deepEqual(frame([0, 0, 4, 2], 2), { center: [2, 1, 0], half: 2 });
  assert.equal(frame([3, 3], 2).half, 1);
  // In three dimensions the farthest point, which a rotation may take anywhere.
  assert.deepEqual(frame([-3, -4, 0, 3, 4, 0, 0, 0, 0], 3), { center: [0, 0, 0], half: 5 });
});

test("the inner frame leaves out a few far points", () => {
  const values = Float64Array.from({ length: 400 }, (_, i) => (i < 2 ? 1000 : Math.floor(i / 2) / 200));
  assert.ok(frame(values, 2).half > 400);
  assert.ok(innerFrame(values, 2).half < 1);
});

test("the pointer finds the nearest point within reach, and none that is hidden", () => {
  const pixels = Float32Array.of(10, 10, 0, 20, 10, 0, 20.5, 10, 0.9);
  assert.equal(nearest(pixels, 3, 11, 10, 5), 0);
  assert.equal(nearest(pixels, 3, 20, 10, 5), 2);
  assert.equal(nearest(pixels, 3, 20, 10, 5, Uint8Array.of(0, 0, 1)), 1);
  assert.equal(nearest(pixels, 3, 60, 60, 5), -1);
});

test("a lasso with a notch encloses what lies inside it", () => {
  const polygon: [number, number][] = [
    [0, 0],
    [10, 0],
    [10, 10],
    [5, 2],
    [0, 10],
  ];
  assert.ok(
    inside(polygon, 1, 5) && inside(polygon, 9, 5) && !inside(polygon, 5, 5) && !inside(polygon, 11, 5),
  );
  assert.deepEqual(
    enclosed(Float32Array.of(1, 5, 0, 5, 5, 0, 9, 5, 0), 3, polygon, Uint8Array.of(0, 0, 1)),
    [0],
  );
});

/** A tree as text: kind and parts. */
function shown(node: Formula): string {
  return "text" in node ? node.text : `${node.kind}(${node.parts.map(shown).join(" ")})`;
}

test("equations in plain text are read: products, subscripts, superscripts, groups, roots, words", () => {
  const cases: [string, string][] = [
    ["w_ij", "sub(w row(i j))"],
    ["x_i²", "subsuper(x i 2)"],
    ["Yᵀ Y = n I", "row(super(Y T) Y = n I)"],
    ["Σ_{i<j} δ_ij", "row(sub(Σ row(i < j)) sub(δ row(i j)))"],
    ["min_Y |y_i|", "row(sub(min Y) | sub(y i) |)"],
    ["λ_j^t ψ", "row(subsuper(λ j t) ψ)"],
    ["Λ^{−1/2}", "super(Λ row(− 1 / 2))"],
    ["√(λ_j) v", "row(root(sub(λ j)) v)"],
    ["½ s̄ ln(aᵀ)", "row(½ s̄ ln ( super(a T) ))"],
    ["d̂_ij", "sub(d̂ row(i j))"],
    ["(x − μ)ᵀ", "row(( x − μ super() T))"],
    ["x_1", "sub(x 1)"],
  ];
  for (const [text, tree] of cases) assert.equal(shown(formula(text)), tree, text);
});

test("the equations of all explanations have only groups and words that are set as such", () => {
  const crates = join(dirname(fileURLToPath(import.meta.url)), "../../../crates");
  const texts = (readdirSync(crates, { recursive: true }) as string[]).filter((path) =>
    /^[^/]+\/src\/.*\.md$/.test(path),
  );
  const equations = texts.flatMap((path) =>
    [...readFileSync(join(crates, path), "utf8").matchAll(/```text\n(.*?)```/gs)].flatMap(([, lines]) =>
      lines!.trim().split("\n"),
    ),
  );
  assert.ok(
    equations.length > 60 && equations.some((line) => line.startsWith("A = (1/n)")),
    `${equations.length}`,
  );
  for (const line of equations) {
    assert.ok(!/(^|[^_^])\{|[#‖]/.test(line), line);
    for (const [word] of line.matchAll(/(?<![_\p{L}])[a-z]{3,}/gu))
      assert.ok(WORDS.has(word), `${word} in ${line}`);
  }
});

test("no text stops the reader of equations", () => {
  for (const text of ["", "_", "^", "x_", "{", "√(", "}", "a_{", "²"])
    assert.doesNotThrow(() => formula(text), text);
});

test("places of points turn with the map; ellipses keep their shapes at a size that is seen", () => {
  const coordinates = numbers(80);
  // A quarter turn, and a shift.
  const turned = (values: Float64Array) =>
    values.map((_, i) => (i % 2 === 0 ? 3 - values[i + 1]! : values[i - 1]! - 5));
  const cloud = { values: turned(coordinates), dim: 2, rows: allRows(40) };
  const far = coordinates.map((value, i) => value + (i % 2 === 0 ? 0.5 : -0.25));
  far.fill(NaN, 6, 8);
  const jumps = { name: "perturbation", values: new Float64Array(40), places: far, columns: 2, per_point: 1 };
  const found = overlay({ ...jumps, drawn: Uint32Array.of(7) }, coordinates, cloud)!;
  assert.deepEqual([found.kind, [...found.drawn]], ["jumps", [7]]);
  turned(far).forEach((value, i) => {
    if (i === 6 || i === 7) assert.ok(Number.isNaN(found.values[i]!));
    else assert.ok(Math.abs(found.values[i]! - value) < 1e-12);
  });
  // Axes of lengths 6 and 2 at every point, along the columns.
  const ends = new Float64Array(160);
  for (let i = 0; i < 40; i++) {
    const [x, y] = [coordinates[2 * i]!, coordinates[2 * i + 1]!];
    ends.set([x + 6, y, x, y + 2], 4 * i);
  }
  const axes = { name: "roundness", values: new Float64Array(40), places: ends, columns: 2, per_point: 2 };
  const ellipses = overlay(axes, coordinates, cloud)!;
  const length = 0.044 * frame(cloud.values, 2).half;
  for (let i = 0; i < 40; i++) {
    const along = [0, 1, 2, 3].map((a) => ellipses.values[4 * i + a]! - cloud.values[2 * i + (a % 2)]!);
    const expected = [0, length, -length / 3, 0];
    along.forEach((value, a) => assert.ok(Math.abs(value - expected[a]!) < 1e-9, along.join()));
  }
  assert.equal(ellipses.drawn.length, 40);
  assert.equal(overlay(jumps, coordinates, { values: numbers(40), dim: 1, rows: allRows(40) }), undefined);
});

/** The half axes of an ellipse, the longest first, whose direction is an angle. */
function axes(long: number, short: number, angle: number): [[number, number], [number, number]] {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [
    [long * cos, long * sin],
    [-short * sin, short * cos],
  ];
}

test("a sheet stretched 4:1 is square around the pointer of an un-warped map, with its area and its directions", () => {
  for (const [angle, mirrored] of [
    [0, 1],
    [0.7, 1],
    [2.5, -1],
  ] as const) {
    const center = [3, -5] as const;
    const [first, second] = axes(4, mirrored, angle);
    const warp = unwarping(center, first, second, 10)!;
    // The axes are the images of the two directions of the sheet.
    const [u, v] = [unwarpedVector(warp, center, first), unwarpedVector(warp, center, second)];
    assert.ok(
      Math.abs(Math.hypot(...u) - 2) < 1e-9 && Math.abs(Math.hypot(...v) - 2) < 1e-9,
      `${u.join()} ${v.join()}`,
    );
    assert.ok(Math.abs(u[0] * v[0] + u[1] * v[1]) < 1e-9);
    // Nothing is rotated: the axes keep their directions.
    assert.ok(Math.abs(u[0] - first[0] / 2) < 1e-9 && Math.abs(u[1] - first[1] / 2) < 1e-9);
    // So are places next to the center, and the center stays.
    const near = [first, second].map(([x, y]) => [center[0] + 1e-5 * x, center[1] + 1e-5 * y]);
    const places = Float64Array.of(...center, 7, ...near[0]!, 7, ...near[1]!, 7);
    unwarp(warp, places, 3);
    const to = (i: number) => Math.hypot(places[3 * i]! - center[0], places[3 * i + 1]! - center[1]);
    assert.deepEqual([places[0], places[1], places[2]], [3, -5, 7]);
    assert.ok(Math.abs(to(1) - 2e-5) < 1e-9 && Math.abs(to(2) - 2e-5) < 1e-9);
  }
});

test("an un-warped map is as it was far from the pointer", () => {
  const warp = unwarping([0, 0], [4, 0], [0, 1], 1)!;
  const places = Float64Array.of(9, 0, 0, -9, 40, 30, 1, 0);
  const before = places.slice();
  unwarp(warp, places, 2);
  for (let i = 0; i < 6; i++) assert.ok(Math.abs(places[i]! - before[i]!) < 1e-12, `${i}`);
  assert.ok(places[6]! < 0.9);
  const [x, y] = unwarpedVector(warp, [9, 3], [1, 2]);
  assert.ok(Math.abs(x - 1) < 1e-12 && Math.abs(y - 2) < 1e-12);
});

test("an un-warped map has no fold: neighbors of a grid keep their order, and triangles their side", () => {
  const side = 81;
  const at = (i: number, j: number) => 2 * (i * side + j);
  for (const [ratio, angle] of [
    [4, 0],
    [4, 1],
    [MOST_RATIO, 0],
    [1e5, 0.3],
  ] as const) {
    const warp = unwarping([0.01, 0.02], ...axes(ratio, 1, angle), 1)!;
    const grid = Float64Array.from({ length: 2 * side * side }, (_, a) => {
      const place = a >> 1;
      return ((a % 2 === 0 ? place % side : Math.floor(place / side)) - (side - 1) / 2) / 10;
    });
    unwarp(warp, grid, 2);
    for (let i = 0; i + 1 < side; i++)
      for (let j = 0; j + 1 < side; j++) {
        const [a, b, c] = [at(i, j), at(i, j + 1), at(i + 1, j)];
        const area =
          (grid[b]! - grid[a]!) * (grid[c + 1]! - grid[a + 1]!) -
          (grid[b + 1]! - grid[a + 1]!) * (grid[c]! - grid[a]!);
        assert.ok(area > 0, `ratio ${ratio}: ${i}, ${j}`);
        if (angle === 0) assert.ok(grid[b]! > grid[a]! && grid[c + 1]! > grid[a + 1]!);
      }
  }
});

test("vectors of an un-warped map are differences of its places", () => {
  const warp = unwarping([1, 2], ...axes(5, 2, 0.4), 3)!;
  for (const [x, y] of [
    [1.5, 0.5],
    [-2, 4],
  ] as const) {
    const [u, v, h] = [0.3, -1, 1e-5];
    const ends = Float64Array.of(x + h * u, y + h * v, x - h * u, y - h * v);
    unwarp(warp, ends, 2);
    const found = unwarpedVector(warp, [x, y], [u, v]);
    for (const a of [0, 1]) assert.ok(Math.abs((ends[a]! - ends[a + 2]!) / (2 * h) - found[a]!) < 1e-8);
  }
});

test("an ellipse without area un-warps nothing; the ratio of a long one is limited; its size has no effect", () => {
  const degenerate: [number, number][][] = [
    [
      [1, 2],
      [0, 0],
    ],
    [
      [1, 2],
      [2, 4],
    ],
    [
      [0, 0],
      [0, 0],
    ],
    [
      [NaN, 0],
      [0, 1],
    ],
    [
      [1, 0],
      [0, 1e-9],
    ],
  ];
  for (const [first, second] of degenerate) assert.equal(unwarping([0, 0], first!, second!, 1), undefined);
  const image = (long: number, short: number) =>
    unwarpedVector(unwarping([0, 0], [long, 0], [0, short], 1)!, [0, 0], [1, 0])[0];
  assert.ok(Math.abs(image(1000, 1) - 1 / Math.sqrt(MOST_RATIO)) < 1e-12);
  assert.ok(Math.abs(image(4e-8, 1e-8) - 0.5) < 1e-12 && Math.abs(image(4e8, 1e8) - 0.5) < 1e-12);
  // A round one as well.
  assert.equal(image(3, 3), 1);
});
