//! Sums over the pairs of all patches: the only step whose cost depends on the number of
//! points.

use std::sync::atomic::{AtomicUsize, Ordering};

use embedding::implement::{PairDistances, matrix, multiply_lower, proceed};
use embedding::{Error, MemoryLimit, Observer};
use faer::{Accum, Mat, MatMut, MatRef};
use neighbor_graph::Neighbors;
use rayon::prelude::*;

use crate::pairs::{PatchPairs, PatchWeight};
use crate::svec::packed_len;

/// Number of pairs whose rows are collected before their Gram matrix is added.
const BLOCK: usize = 512;
/// Largest number of partial sums; independent of the number of threads.
const GROUPS: usize = 16;
/// Patches per partial sum, at least, to limit memory.
const GROUP_PATCHES: usize = 64;

/// The row of a pair e = (i, j), with v_e = svec((y_i − y_j)(y_i − y_j)ᵀ) and g_e = |x_i
/// − x_j|².
#[derive(Clone, Copy)]
pub(crate) enum Reading {
    /// The residual after elimination of the patch's scale: the rows of √w_h R_h.
    Angles(PatchWeight),
    /// v_e, followed by g_e in units of `unit`.
    Lengths {
        /// A squared length.
        unit: f64,
    },
}

/// The patches of a data set, with a basis on it.
#[derive(Clone, Copy)]
pub(crate) struct Patches<'a> {
    pub(crate) distances: PairDistances<'a>,
    pub(crate) neighbors: &'a Neighbors,
    pub(crate) basis: MatRef<'a, f64>,
    pub(crate) pairs: PatchPairs,
    pub(crate) reading: Reading,
}

impl Patches<'_> {
    /// Returns the lower triangle of AᵀA for the rows A of all pairs of all patches, and,
    /// for angles, Σ w_h |V_h svec(I/m)|²; stage `"quadratic form"`.
    pub(crate) fn gram(
        &self,
        memory_limit: MemoryLimit,
        observer: &dyn Observer,
    ) -> Result<(Mat<f64>, f64), Error> {
        let (n, m) = (self.distances.len(), self.basis.ncols());
        check_rows("the number of rows of the basis", n, self.basis.nrows())?;
        check_rows("the number of neighbor lists", n, self.neighbors.len())?;
        let width = self.width();
        let groups = n.div_ceil(GROUP_PATCHES).clamp(1, GROUPS);
        let needed = 8 * (width as u64).saturating_mul((width * (groups + 1) + m * m) as u64);
        memory_limit.allow("the quadratic form", needed, "use fewer basis vectors")?;
        observer.stage("quadratic form");
        proceed(observer, 0, groups)?;
        let rows = matrix::to_rows(self.basis);
        let finished = AtomicUsize::new(0);
        let partial: Result<Vec<(Mat<f64>, f64)>, Error> = (0..groups)
            .into_par_iter()
            .map(|group| {
                let sum = self.sum(&rows, group * n / groups..(group + 1) * n / groups);
                proceed(observer, 1 + finished.fetch_add(1, Ordering::Relaxed), groups)?;
                Ok(sum)
            })
            .collect();
        let (mut total, mut energy) = (Mat::zeros(width, width), 0.0);
        for (sum, part) in partial? {
            total += sum;
            energy += part;
        }
        Ok((total, energy))
    }

    /// Returns the length of a row.
    fn width(&self) -> usize {
        let q = packed_len(self.basis.ncols());
        match self.reading {
            Reading::Angles(_) => q,
            Reading::Lengths { .. } => q + 1,
        }
    }

    /// Returns these sums over a range of patches.
    fn sum(&self, basis: &[f64], range: std::ops::Range<usize>) -> (Mat<f64>, f64) {
        let width = self.width();
        let mut sum = Mat::zeros(width, width);
        let mut energy = 0.0;
        let (mut block, mut pairs, mut g) = (Vec::with_capacity(BLOCK * width * 2), Vec::new(), Vec::new());
        for h in range {
            self.pairs.collect(h, self.neighbors, &mut pairs);
            g.clear();
            g.extend(pairs.iter().map(|&(i, j)| self.distances.squared_distance(i as usize, j as usize)));
            match self.reading {
                Reading::Angles(weight) => {
                    if let Some(root) = normalize(&mut g, weight) {
                        energy += self.push_angles(basis, &pairs, &g, root, &mut block);
                    }
                }
                Reading::Lengths { unit } => self.push_lengths(basis, &pairs, &g, unit, &mut block),
            }
            if block.len() >= BLOCK * width {
                add_gram(&block, width, sum.as_mut());
                block.clear();
            }
        }
        add_gram(&block, width, sum.as_mut());
        (sum, energy)
    }

    /// Appends the rows of √w_h R_h to the block, for g of norm one; returns w_h |V_h
    /// svec(I/m)|².
    fn push_angles(
        &self,
        basis: &[f64],
        pairs: &[(u32, u32)],
        g: &[f64],
        root: f64,
        block: &mut Vec<f64>,
    ) -> f64 {
        let m = self.basis.ncols();
        let q = packed_len(m);
        let mut packing = Packing::new(basis, m, root);
        let start = block.len();
        block.resize(start + pairs.len() * q, 0.0);
        let rows = &mut block[start..];
        let mut along = vec![0.0; q];
        let mut energy = 0.0;
        for ((row, &pair), &weight) in rows.chunks_exact_mut(q).zip(pairs).zip(g) {
            energy += (packing.write(pair, row) / m as f64).powi(2);
            along.iter_mut().zip(&*row).for_each(|(s, v)| *s += weight * v);
        }
        for (row, &weight) in rows.chunks_exact_mut(q).zip(g) {
            row.iter_mut().zip(&along).for_each(|(v, s)| *v -= weight * s);
        }
        energy
    }

    /// Appends the rows (v_e, g_e / unit) to the block.
    fn push_lengths(&self, basis: &[f64], pairs: &[(u32, u32)], g: &[f64], unit: f64, block: &mut Vec<f64>) {
        let m = self.basis.ncols();
        let q = packed_len(m);
        let mut packing = Packing::new(basis, m, 1.0);
        let start = block.len();
        block.resize(start + pairs.len() * (q + 1), 0.0);
        for ((row, &pair), &g) in block[start..].chunks_exact_mut(q + 1).zip(pairs).zip(g) {
            packing.write(pair, &mut row[..q]);
            row[q] = g / unit;
        }
    }
}

/// Writes root · svec((y_i − y_j)(y_i − y_j)ᵀ).
struct Packing<'a> {
    basis: &'a [f64],
    root: f64,
    apart: Vec<f64>,
    doubled: Vec<f64>,
}

impl<'a> Packing<'a> {
    fn new(basis: &'a [f64], m: usize, root: f64) -> Self {
        Self { basis, root, apart: vec![0.0; m], doubled: vec![0.0; m] }
    }

    /// Returns root · |y_i − y_j|².
    fn write(&mut self, (i, j): (u32, u32), row: &mut [f64]) -> f64 {
        let (m, root) = (self.apart.len(), self.root);
        let (yi, yj) = (&self.basis[i as usize * m..][..m], &self.basis[j as usize * m..][..m]);
        self.apart.iter_mut().zip(yi.iter().zip(yj)).for_each(|(d, (u, v))| *d = u - v);
        self.doubled.iter_mut().zip(&self.apart).for_each(|(s, d)| *s = std::f64::consts::SQRT_2 * root * d);
        let mut rest = row;
        let mut square = 0.0;
        for (a, &d) in self.apart.iter().enumerate() {
            let (own, next) = rest.split_at_mut(m - a);
            own[0] = root * d * d;
            square += own[0];
            own[1..].iter_mut().zip(&self.doubled[a + 1..]).for_each(|(v, s)| *v = d * s);
            rest = next;
        }
        square
    }
}

/// Normalizes g and returns √w_h; `None` if all points of the patch coincide.
fn normalize(g: &mut [f64], weight: PatchWeight) -> Option<f64> {
    let largest = g.iter().fold(0.0_f64, |most, v| most.max(*v));
    if largest == 0.0 {
        return None;
    }
    let norm = largest * g.iter().map(|v| (v / largest) * (v / largest)).sum::<f64>().sqrt();
    g.iter_mut().for_each(|v| *v /= norm);
    Some(weight.root(norm))
}

/// Adds AᵀA to the lower triangle of `sum`, for the rows of A stored consecutively.
fn add_gram(rows: &[f64], width: usize, sum: MatMut<'_, f64>) {
    let a = MatRef::from_row_major_slice(rows, rows.len() / width, width);
    multiply_lower(sum, Accum::Add, a.transpose(), a, 1.0);
}

pub(crate) fn check_rows(what: &'static str, n: usize, got: usize) -> Result<(), Error> {
    if got != n {
        return Err(Error::Shape { what, expected: format!("{n}, one per point"), got: got.to_string() });
    }
    Ok(())
}
