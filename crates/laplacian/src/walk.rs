//! Random walk on an affinity graph, and its slow modes.

use std::ops::ControlFlow;

use embedding::{Error, MemoryLimit, Observer};
use faer::Mat;
use neighbor_graph::Graph;
use rayon::prelude::*;
use spectral::{Pairs, Smallest, Sparse, Tolerance};

/// A random walk with symmetric affinities: transition probabilities a_ij / d_i.
pub(crate) struct Walk<'a> {
    pub(crate) graph: &'a Graph,
    /// a_ij in the order of the graph's rows.
    pub(crate) affinities: Vec<Vec<f64>>,
    /// a_ii, the affinity of every point to itself.
    pub(crate) own: Vec<f64>,
}

impl Walk<'_> {
    /// Returns d_i = Σⱼ a_ij.
    pub(crate) fn degrees(&self) -> Vec<f64> {
        self.affinities.iter().zip(&self.own).map(|(row, own)| own + row.iter().sum::<f64>()).collect()
    }

    /// Divides a_ij by ρ_i ρ_j.
    pub(crate) fn divide_out(&mut self, densities: &[f64]) {
        for (i, row) in self.affinities.iter_mut().enumerate() {
            for (&j, a) in self.graph.indices_of(i).iter().zip(row) {
                *a /= densities[i] * densities[j as usize];
            }
            self.own[i] /= densities[i] * densities[i];
        }
    }

    /// Computes the `count` smallest eigenpairs of I − D^−½ A D^−½ on the complement of
    /// its null vector D^½ 1, in ascending order. Eigenvalues of the walk are 1 − value. The memory limit
    /// counts the walk in addition to them.
    pub(crate) fn slow_modes(
        &self,
        degrees: &[f64],
        count: usize,
        tolerance: Tolerance,
        memory_limit: MemoryLimit,
        observer: &dyn Observer,
    ) -> Result<Pairs, Error> {
        let n = degrees.len();
        let matrix = self.normalized_laplacian(degrees);
        let factor = self.incidence(degrees);
        let total: f64 = degrees.iter().sum();
        let null = Mat::from_fn(n, 1, |i, _| (degrees[i] / total).sqrt());
        let memory_limit = memory_limit.beside(self.bytes());
        spectral::smallest(
            Smallest { matrix: &matrix, factor: Some(&factor), null: &null, count, tolerance, memory_limit },
            observer,
        )
    }

    fn normalized_laplacian(&self, degrees: &[f64]) -> Sparse {
        let n = degrees.len();
        let rows: Vec<Vec<(u32, f64)>> = (0..n)
            .into_par_iter()
            .map(|i| {
                let (js, _) = self.graph.of(i);
                let off = js.iter().zip(&self.affinities[i]);
                let mut row: Vec<(u32, f64)> =
                    off.map(|(&j, a)| (j, -a / (degrees[i] * degrees[j as usize]).sqrt())).collect();
                row.push((i as u32, (degrees[i] - self.own[i]) / degrees[i]));
                row
            })
            .collect();
        Sparse::from_rows(n, rows).expect("edges join vertices of the graph")
    }

    /// Returns B with BᵀB = I − D^−½ A D^−½: a row √a_ij (e_i/√d_i − e_j/√d_j) per edge.
    fn incidence(&self, degrees: &[f64]) -> Sparse {
        let edges = self.graph.edge_count();
        let offsets = (0..=edges).map(|edge| 2 * edge).collect();
        let (mut columns, mut values) = (Vec::with_capacity(2 * edges), Vec::with_capacity(2 * edges));
        for (i, affinities) in self.affinities.iter().enumerate() {
            for (&j, a) in self.graph.indices_of(i).iter().zip(affinities) {
                if (j as usize) > i {
                    let entry = |v: usize| (a / degrees[v]).sqrt();
                    columns.extend([i as u32, j]);
                    values.extend([entry(i), -entry(j as usize)]);
                }
            }
        }
        Sparse::from_parts(degrees.len(), offsets, columns, values)
    }

    /// The memory of the graph and of three numbers and a list of affinities per point, in bytes.
    fn bytes(&self) -> u64 {
        let (points, entries) = (self.own.len(), 2 * self.graph.edge_count());
        let lists = points * size_of::<Vec<f64>>() + entries * size_of::<f64>();
        self.graph.bytes() + (lists + 3 * points * size_of::<f64>()) as u64
    }
}

/// Reports the eigenvalues of the walk, 1 − value, instead of the eigenvalues of [`Walk::slow_modes`].
pub(crate) struct OfWalk<'a>(pub(crate) &'a dyn Observer);

impl Observer for OfWalk<'_> {
    fn stage(&self, name: &'static str) {
        self.0.stage(name);
    }

    fn step(&self, done: usize, total: usize) -> ControlFlow<()> {
        self.0.step(done, total)
    }

    fn further_eigenvalues(&self) -> usize {
        self.0.further_eigenvalues()
    }

    fn spectrum(&self, values: &[f64]) {
        self.0.spectrum(&values.iter().map(|v| 1.0 - v).collect::<Vec<f64>>());
    }
}

/// Returns u / √(d/Σd): functions with Σ dᵢ ψᵢ² = Σ dᵢ, orthogonal in that inner product,
/// with canonical signs.
pub(crate) fn functions(pairs: &Pairs, degrees: &[f64]) -> Mat<f64> {
    let total: f64 = degrees.iter().sum();
    let u = &pairs.vectors;
    let mut psi = Mat::from_fn(u.nrows(), u.ncols(), |i, j| u[(i, j)] / (degrees[i] / total).sqrt());
    spectral::canonical_signs(psi.as_mut());
    psi
}
