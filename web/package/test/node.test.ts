/** The package in Node. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { installed, WEB } from "./installed.js";

const package_ = installed();

test("the packed file has at most 2 MB and needs no other package", () => {
  assert.ok(package_.size <= 2e6, String(package_.size));
  const listed = JSON.parse(package_.run("npm", "ls", "--all", "--json")) as {
    dependencies: Record<string, { dependencies?: object }>;
  };
  assert.deepEqual(Object.keys(listed.dependencies), ["swissroll"]);
  assert.equal(listed.dependencies["swissroll"]?.dependencies, undefined);
});

/** The checksums of native embeddings in `crates/swissroll/tests/all/recorded.rs`, by method. */
function recorded(): Map<string, bigint> {
  const text = readFileSync(join(WEB, "../crates/swissroll/tests/all/recorded.rs"), "utf8");
  const entries = [...text.matchAll(/\("([a-z-]+)", (0x[0-9a-f]{16}), 0x[0-9a-f]{16}\)/g)];
  return new Map(entries.map(([, name, sum]) => [name!, BigInt(sum!)]));
}

/** The checksum of recorded.rs: canonical signs, in units of the largest coordinate, rounded to 1e-8. */
function checksum(embedding: number[], dim: number): bigint {
  const largest = embedding.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const signs = Array.from({ length: dim }, (_, j) => {
    const column = embedding.filter((_, at) => at % dim === j);
    const most = column.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    return Math.sign(column.find((value) => Math.abs(value) > most * (1 - 1e-6))!);
  });
  const digits = new BigInt64Array(
    embedding.map((value, at) => {
      const scaled = ((signs[at % dim]! * value) / largest) * 1e8;
      // Halves away from zero, as Rust rounds.
      return BigInt(Math.sign(scaled) * Math.floor(Math.abs(scaled) + 0.5));
    }) as never,
  );
  return new Uint8Array(digits.buffer).reduce(
    (sum, byte) => BigInt.asUintN(64, (sum ^ BigInt(byte)) * 0x100000001b3n),
    0xcbf29ce484222325n,
  );
}

test("embeddings are the native ones, to 1e-8 of the largest coordinate", () => {
  const native = recorded();
  assert.ok(native.size >= 26);
  const methods = [...native.keys()].filter((name) => native.get(name) !== 0n);
  const found = package_.node<Record<string, { dim: number; values: number[] }>>(
    "native.mjs",
    `import { dataset, fit } from "swissroll";
     const data = await dataset("swiss-roll", { n: 300 });
     const fits = await Promise.all(${JSON.stringify(methods)}.map(async (method) => {
       const { dim, embedding } = await fit(method, data);
       return [method, { dim, values: [...embedding] }];
     }));
     console.log(JSON.stringify(Object.fromEntries(fits)));`,
  );
  const others = methods.filter(
    (name) => checksum(found[name]!.values, found[name]!.dim) !== native.get(name),
  );
  // Digits after the tenth differ in WebAssembly, and may change the rounding of a method or two;
  // web/engine/tests/parity.mjs compares with a tolerance.
  assert.ok(others.length <= 2, others.join());
});

test("a model places rows, measures its map, decodes places, and is found again by the same call", () => {
  const found = package_.node<Record<string, never>>(
    "model.mjs",
    `import { dataset, fit, measures, neighbors, describe, METHODS, DATASETS } from "swissroll";
     const data = await dataset("swiss-roll", { n: 800 });
     const model = await fit("ltsa", data, { k: 8 });
     const again = await fit("ltsa", data, { k: 8 });
     const rows = Array.from({ length: 800 }, (_, i) => [...data.points.subarray(3 * i, 3 * i + 3)]);
     const listed = await fit("ltsa", rows, { k: 8 });
     const placed = await model.transform(rows.slice(0, 5));
     const scores = await model.measures();
     const own = await measures(data, { points: model.embedding, columns: 2 }, { names: ["trustworthiness"] });
     const { points } = await model.invert({ points: model.embedding.slice(0, 2), columns: 2 });
     const graph = await neighbors(data, { k: 5 });
     const sentences = await model.diagnose();
     const { methods, datasets } = await describe();
     const same = (a, b) => a.length === b.length && a.every((value, i) => value === b[i]);
     const before = await model.transform(rows);
     model.free();
     const after = await model.transform(rows);
     console.log(JSON.stringify({
       kind: model.embedding.constructor.name, n: model.n, dim: model.dim, k: model.parameters.k,
       same: same(model.embedding, again.embedding) && same(model.embedding, listed.embedding),
       freed: same(before, after),
       apart: Math.max(...placed.map((value, i) => Math.abs(value - model.embedding[i]))),
       decoded: Math.max(...points.map((value, i) => Math.abs(value - data.points[i]))),
       affine: scores.affine, trust: scores.trustworthiness === own.trustworthiness,
       lists: graph.neighbors.length, sentences: Array.isArray(sentences),
       named: methods.every(({ name }, i) => METHODS[i] === name) && datasets.every(({ name }, i) => DATASETS[i] === name),
     }));`,
  );
  const { apart, decoded, affine, ...exact } = found as unknown as Record<string, number>;
  assert.deepEqual(exact, {
    kind: "Float64Array",
    n: 800,
    dim: 2,
    k: "8",
    same: true,
    freed: true,
    trust: true,
    lists: 4000,
    sentences: true,
    named: true,
  });
  // Training rows keep their places in the map, and places their rows; LTSA finds the sheet up to an affine map.
  assert.deepEqual([apart, decoded], [0, 0]);
  assert.ok(affine! < 0.01, String(affine));
});

test("labels of any kind serve a supervised method", () => {
  const found = package_.node<{ dim: number; columns: number }>(
    "labels.mjs",
    `import { dataset, fit } from "swissroll";
     const { points, columns, labels } = await dataset("clusters", { n: 120 });
     const named = [...labels[0].values].map((index) => labels[0].classes[index]);
     const one = await fit("lda", { points, columns, labels }, { dim: 1 });
     const other = await fit("lda", { points, columns, labels: named }, { dim: 1 });
     const same = one.embedding.every((value, i) => Math.abs(Math.abs(value) - Math.abs(other.embedding[i])) < 1e-9);
     console.log(JSON.stringify({ same, dim: one.dim }));`,
  );
  assert.deepEqual(found, { same: true, dim: 1 });
});

test("bad input is a SwissrollError with a code and a sentence, and the engine goes on", () => {
  const found = package_.node<[string, string, string][]>(
    "bad.mjs",
    `import { dataset, fit, neighbors, measures, SwissrollError } from "swissroll";
     const data = await dataset("swiss-roll", { n: 60 });
     const model = await fit("pca", data);
     const bad = {
       nan: () => fit("isomap", [[1, 2], [NaN, 1], [3, 3]]),
       text: () => fit("isomap", [[1, 2], ["x", 1], [3, 3]]),
       ragged: () => fit("isomap", [[1, 2], [1]]),
       columns: () => fit("isomap", { points: new Float64Array(7), columns: 2 }),
       none: () => fit("isomap", []),
       kind: () => fit("isomap", "rows"),
       nothing: () => fit("isomap", undefined),
       method: () => fit("isomup", data),
       parameter: () => fit("isomap", data, { neighbors: 3 }),
       value: () => fit("isomap", data, { k: -1 }),
       fraction: () => fit("isomap", data, { k: 2.5 }),
       missing: () => fit("isomap", data, { k: null }),
       labels: () => fit("lda", data),
       counted: () => fit("lda", { ...data, labels: ["a", "b"] }),
       narrow: () => model.transform([[1, 2]]),
       graph: () => neighbors(data, {}),
       rows: () => measures(data, [[1, 2]]),
       set: () => dataset("swiss-rol"),
       memory: () => fit("isomap", data, {}, { memory: 10 }),
     };
     const found = [];
     for (const [name, call] of Object.entries(bad))
       await call().then(
         () => found.push([name, "", "no error"]),
         (error) => found.push([name, error instanceof SwissrollError ? error.code : "", error.message]),
       );
     await fit("isomap", data);
     console.log(JSON.stringify(found));`,
  );
  assert.deepEqual(
    found.map(([name, code]) => [name, code]),
    Object.entries({
      nan: "not_finite",
      text: "not_finite",
      ragged: "shape",
      columns: "shape",
      none: "shape",
      kind: "shape",
      nothing: "shape",
      method: "request",
      parameter: "parameter",
      value: "parameter",
      fraction: "parameter",
      missing: "request",
      labels: "degenerate",
      counted: "shape",
      narrow: "shape",
      graph: "parameter",
      rows: "shape",
      set: "parameter",
      memory: "memory",
    }),
    JSON.stringify(found, null, 1),
  );
  const messages = Object.fromEntries(found.map(([name, , message]) => [name, message]));
  assert.match(messages["nan"]!, /row 1, column 0 .* is NaN/);
  assert.match(messages["ragged"]!, /row 1 has 1/);
  assert.match(messages["method"]!, /did you mean `isomap`/);
  assert.match(messages["parameter"]!, /must be one of k, .* is `neighbors`/);
});

test("an abort ends a fit, waiting ones too, and models in the ended worker still place rows", () => {
  const found = package_.node<Record<string, unknown>>(
    "abort.mjs",
    `import { Engine } from "swissroll";
     const engine = new Engine({ workers: 1 });
     const data = await engine.dataset("swiss-roll", { n: 300 });
     const model = await engine.fit("umap", data);
     const before = await model.transform(data);
     const control = new AbortController();
     const events = [];
     const long = engine.fit("tsne", data, { iterations: 100000 }, { signal: control.signal, frames: 1, onEvent: (event) => {
       events.push(event.type);
       if (event.type === "frame") control.abort();
     } });
     const queued = engine.fit("pca", data, {}, { signal: control.signal });
     const free = engine.fit("pca", data);
     const names = (await Promise.allSettled([long, queued])).map(({ reason }) => reason?.name);
     const { n } = await free;
     const after = await model.transform(data);
     const late = await engine.fit("pca", data, {}, { signal: control.signal }).catch(({ name }) => name);
     engine.close();
     const closed = await engine.fit("pca", data).catch(({ code }) => code);
     console.log(JSON.stringify({ names, n, late, closed, same: before.every((value, i) => value === after[i]),
       events: ["stage", "frame"].every((type) => events.includes(type)) }));`,
  );
  assert.deepEqual(found, {
    names: ["AbortError", "AbortError"],
    n: 300,
    late: "AbortError",
    closed: "cancelled",
    same: true,
    events: true,
  });
});

test("types know methods, parameters and their words", () => {
  package_.write(
    "types.ts",
    `import { fit, type MethodName, SwissrollError, dataset } from "swissroll";
     const data = await dataset("swiss-roll", { n: 100 });
     const model = await fit("umap", data, { k: 10, "min-dist": 0.2, start: "pca" });
     const coordinates: Float64Array = model.embedding;
     const name: MethodName = "isomap";
     const trust: number | undefined = (await model.measures()).trustworthiness;
     // @ts-expect-error there is no such method
     await fit("isomup", data);
     // @ts-expect-error Isomap has no such parameter
     await fit("isomap", data, { neighbors: 3 });
     // @ts-expect-error no such word
     await fit("isomap", data, { components: "all" });
     export { coordinates, name, trust, SwissrollError };`,
  );
  const compiler = join(WEB, "page/node_modules/typescript/bin/tsc");
  for (const resolution of ["nodenext", "bundler"]) {
    const module = resolution === "bundler" ? "esnext" : "nodenext";
    const options = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom"];
    package_.run(
      process.execPath,
      compiler,
      ...options,
      ...["--module", module, "--moduleResolution", resolution, "types.ts"],
    );
  }
});
