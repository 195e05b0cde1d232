/** Singular value decomposition of a small square matrix, by one-sided Jacobi rotations. */

import { present } from "../present.js";

/** U and V of A = U S Vᵀ, d × d, row by row; U is completed to an orthogonal matrix where A is singular. */
export interface Singular {
  u: Float64Array;
  s: Float64Array;
  v: Float64Array;
}

const SWEEPS = 30;

export function svd(a: Float64Array, d: number): Singular {
  const w = Float64Array.from(a);
  const v = identity(d);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let rotated = false;
    for (let p = 0; p < d; p++) {
      for (let q = p + 1; q < d; q++) {
        rotated = rotate(w, v, d, p, q) || rotated;
      }
    }
    if (!rotated) break;
  }
  const s = new Float64Array(d);
  for (let j = 0; j < d; j++) s[j] = Math.sqrt(column(w, d, j, j));
  return { u: orthogonal(w, s, d), s, v };
}

export function identity(d: number): Float64Array {
  const m = new Float64Array(d * d);
  for (let i = 0; i < d; i++) m[i * d + i] = 1;
  return m;
}

/** The inner product of two columns. */
function column(w: Float64Array, d: number, p: number, q: number): number {
  let sum = 0;
  for (let i = 0; i < d; i++) sum += present(w[i * d + p]) * present(w[i * d + q]);
  return sum;
}

/** Makes columns p and q of w orthogonal; returns whether they were not. */
function rotate(w: Float64Array, v: Float64Array, d: number, p: number, q: number): boolean {
  const [pp, qq, pq] = [column(w, d, p, p), column(w, d, q, q), column(w, d, p, q)];
  if (Math.abs(pq) <= 1e-15 * Math.sqrt(pp * qq) || pq === 0) return false;
  const tau = (qq - pp) / (2 * pq);
  const t = (tau >= 0 ? 1 : -1) / (Math.abs(tau) + Math.sqrt(1 + tau * tau));
  const c = 1 / Math.sqrt(1 + t * t);
  for (const m of [w, v]) {
    for (let i = 0; i < d; i++) {
      const [x, y] = [present(m[i * d + p]), present(m[i * d + q])];
      m[i * d + p] = c * x - c * t * y;
      m[i * d + q] = c * t * x + c * y;
    }
  }
  return true;
}

/** The columns of w divided by their lengths; columns of length zero are replaced by an orthogonal completion. */
function orthogonal(w: Float64Array, s: Float64Array, d: number): Float64Array {
  const u = new Float64Array(d * d);
  const least = 1e-12 * Math.max(...s);
  const order = [...s.keys()].sort((a, b) => present(s[b]) - present(s[a]));
  const done: number[] = [];
  for (const j of order) {
    const candidates = present(s[j]) > least ? [w] : [];
    const tries = [
      ...candidates.map((m) => (i: number) => present(m[i * d + j]) / present(s[j])),
      ...unitVectors(d),
    ];
    for (const vector of tries) {
      const x = Array.from({ length: d }, (_, i) => vector(i));
      for (const k of done) {
        const dot = x.reduce((sum, xi, i) => sum + xi * present(u[i * d + k]), 0);
        x.forEach((xi, i) => (x[i] = xi - dot * present(u[i * d + k])));
      }
      const norm = Math.hypot(...x);
      if (norm < 0.3) continue;
      x.forEach((xi, i) => (u[i * d + j] = xi / norm));
      break;
    }
    done.push(j);
  }
  return u;
}

function unitVectors(d: number): ((i: number) => number)[] {
  return Array.from({ length: d }, (_, axis) => (i: number) => (i === axis ? 1 : 0));
}
