//! One pass over all pairs: the stress, and where majorization pulls each point.

use rayon::prelude::*;

/// Rows worked on at a time; fixed, so that threads change no bit.
const CHUNK: usize = 32;

/// Keeps the quotient δ/d finite where points coincide; their difference,
/// which it multiplies, is 0 there.
const TINY: f64 = 1e-150;

/// Columns of coordinates, each of length n.
pub(crate) type Columns = Vec<Vec<f64>>;

/// Σ_{i<j} w (δ − d)² and, for each point, Σ_j w (δ/d) (x_i − x_j).
pub(crate) struct Sweep {
    pub(crate) stress: f64,
    pub(crate) pull: Columns,
}

/// Visits every ordered pair. O(n² d) time, no memory beside the result.
/// `targets` and `weights` are full n × n, row by row.
pub(crate) fn sweep(x: &[Vec<f64>], targets: &[f64], weights: Option<&[f64]>) -> Sweep {
    let n = x[0].len();
    let rows: Vec<usize> = (0..n).collect();
    let parts: Vec<(f64, Vec<f64>)> = rows
        .par_chunks(CHUNK)
        .map_init(
            || (vec![0.0; n], vec![0.0; n]),
            |(distances, ratios), rows| {
                let mut stress = 0.0;
                let mut pull = Vec::with_capacity(rows.len() * x.len());
                for &i in rows {
                    distances_from(x, i, distances);
                    let row = i * n..(i + 1) * n;
                    stress += match weights {
                        None => equal(&targets[row], distances, ratios),
                        Some(w) => weighted(&targets[row.clone()], &w[row], distances, ratios),
                    };
                    pull.extend(x.iter().map(|column| difference(ratios, column, column[i])));
                }
                (stress, pull)
            },
        )
        .collect();
    let mut pull = vec![Vec::with_capacity(n); x.len()];
    for row in parts.iter().flat_map(|part| part.1.chunks_exact(x.len())) {
        pull.iter_mut().zip(row).for_each(|(column, v)| column.push(*v));
    }
    // Every pair was visited twice.
    Sweep { stress: 0.5 * parts.iter().map(|part| part.0).sum::<f64>(), pull }
}

/// Distances from point `i` to all.
pub(crate) fn distances_from(x: &[Vec<f64>], i: usize, out: &mut [f64]) {
    out.fill(0.0);
    for column in x {
        let own = column[i];
        out.iter_mut().zip(column).for_each(|(s, v)| *s += (v - own) * (v - own));
    }
    out.iter_mut().for_each(|s| *s = s.sqrt());
}

/// Lanes of independent sums, which the compiler turns into vector registers.
const LANES: usize = 8;

fn equal(targets: &[f64], distances: &[f64], ratios: &mut [f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let blocks = targets.chunks(LANES).zip(distances.chunks(LANES)).zip(ratios.chunks_mut(LANES));
    for ((t, d), r) in blocks {
        for (((sum, t), d), r) in sums.iter_mut().zip(t).zip(d).zip(r) {
            *sum += (t - d) * (t - d);
            *r = t / d.max(TINY);
        }
    }
    sums.iter().sum()
}

fn weighted(targets: &[f64], weights: &[f64], distances: &[f64], ratios: &mut [f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let blocks = targets
        .chunks(LANES)
        .zip(weights.chunks(LANES))
        .zip(distances.chunks(LANES))
        .zip(ratios.chunks_mut(LANES));
    for (((t, w), d), r) in blocks {
        for ((((sum, t), w), d), r) in sums.iter_mut().zip(t).zip(w).zip(d).zip(r) {
            *sum += w * (t - d) * (t - d);
            *r = w * t / d.max(TINY);
        }
    }
    sums.iter().sum()
}

/// Σ_j r_j (own − x_j).
fn difference(ratios: &[f64], column: &[f64], own: f64) -> f64 {
    let mut sums = [0.0; LANES];
    for (r, x) in ratios.chunks(LANES).zip(column.chunks(LANES)) {
        for ((sum, r), x) in sums.iter_mut().zip(r).zip(x) {
            *sum += r * (own - x);
        }
    }
    sums.iter().sum()
}
