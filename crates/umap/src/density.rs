//! The density term of densMAP in the optimization.

use std::ops::Range;

use neighbor_graph::Graph;
use rayon::prelude::*;

use crate::Curve;
use crate::edges::{CHUNK, STEPS};
use crate::forces::Forces;
use crate::loss::squared;
use crate::pairs::bounded;
use crate::radii::{SOFTENING, standardized};

/// The parameters of the term.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Density {
    /// λ.
    pub(crate) weight: f64,
    /// Fraction of the epochs, at the end, that use the term.
    pub(crate) fraction: f64,
    /// Added to the variance of log radii in the map.
    pub(crate) shift: f64,
}

/// The term −λ V C of the loss: V the sum of all weights v of the graph, and
/// C = cov(r, z) / √(var(r) + shift) with r the log radii in the map and z those in the
/// data, of mean 0 and variance 1.
///
/// With R_i = Σ_j w_ij s_ij / Σ_j w_ij over squared lengths s, r_i = ln(1e-8 + R_i), and
/// −dw/ds = b (1 − w) w / s,
///
/// ```text
/// ∂r_i/∂s_ij = w_ij (1 − b (1 − w_ij) + R_i b (1 − w_ij) / s_ij) / ((1e-8 + R_i) Σ_j w_ij)
/// ∂C/∂r_i = (z_i − (r_i − mean r) cov(r, z) / (var(r) + shift)) / (n √(var(r) + shift))
/// ```
pub(crate) struct DensityTerm<'a> {
    graph: &'a Graph,
    forces: Forces,
    b: f32,
    dim: usize,
    shift: f64,
    /// z, 0 for points without an edge; `counted` is the number of points with one.
    standard: Vec<f64>,
    counted: f64,
    /// The first epoch that uses the term.
    first: usize,
    /// Displacement of a step per gradient, in units of the rate.
    step: f32,
    /// For every point 1 / ((1e-8 + R_i) Σ_j w_ij) ∂C/∂r_i, and R_i times this number.
    slopes: Vec<[f32; 2]>,
}

impl Density {
    /// The term for a graph, and log radii in the data; `None` where these are the same for
    /// all points, and where no epoch has the term.
    pub(crate) fn term<'a>(
        self,
        graph: &'a Graph,
        radii: &[Option<f64>],
        curve: Curve,
        dim: usize,
        epochs: usize,
    ) -> Option<DensityTerm<'a>> {
        let standard = standardized(radii)?;
        let first = epochs - (self.fraction * epochs as f64).round() as usize;
        let total = 0.5 * (0..graph.len()).flat_map(|i| graph.weights_of(i)).sum::<f64>();
        // Steps of the edges' terms: twice, and in units of the largest weight, per epoch.
        let step = (2.0 * self.weight * total / graph.longest_edge() / STEPS as f64) as f32;
        (step > 0.0 && first < epochs).then(|| DensityTerm {
            graph,
            forces: Forces::new(curve, 0.0),
            b: curve.b as f32,
            dim,
            shift: self.shift,
            standard,
            counted: radii.iter().flatten().count() as f64,
            first,
            step,
            slopes: vec![[0.0; 2]; graph.len()],
        })
    }
}

/// Working memory of a task: squared lengths of edges, and 1 / w − 1.
#[derive(Default)]
pub(crate) struct Lengths {
    squares: Vec<f32>,
    odds: Vec<f32>,
}

/// What the term reads of one point in the map.
struct Local {
    /// Σ_j w_ij.
    sum: f32,
    /// R_i.
    radius: f32,
    /// r_i.
    log: f64,
}

impl Local {
    fn new(sum: f32, radius: f32) -> Self {
        let mut local = Self { sum, radius, log: 0.0 };
        local.log = local.softened().ln();
        local
    }

    /// 1e-8 + R_i.
    fn softened(&self) -> f64 {
        SOFTENING + f64::from(self.radius)
    }
}

impl DensityTerm<'_> {
    /// Whether an epoch uses the term.
    pub(crate) fn acts(&self, epoch: usize) -> bool {
        epoch >= self.first
    }

    /// Computes the derivatives by all radii at the positions `y`.
    pub(crate) fn update(&mut self, y: &[f32]) {
        let n = self.graph.len();
        let chunks = (0..n.div_ceil(CHUNK)).into_par_iter();
        let locals: Vec<Local> = chunks
            .map_init(Lengths::default, |lengths, chunk| {
                let rows = chunk * CHUNK..n.min((chunk + 1) * CHUNK);
                self.lengths(rows.clone(), y, lengths);
                let mut pairs = lengths.squares.iter().zip(&lengths.odds);
                let local = |i: usize| {
                    let (mut sum, mut moment) = (0.0_f32, 0.0_f32);
                    for (s, odds) in pairs.by_ref().take(self.graph.indices_of(i).len()) {
                        let w = 1.0 / (1.0 + odds);
                        sum += w;
                        moment += w * s;
                    }
                    Local::new(sum, if sum > 0.0 { moment / sum } else { 0.0 })
                };
                rows.map(local).collect::<Vec<_>>()
            })
            .flatten_iter()
            .collect();
        let with_edges = || locals.iter().zip(&self.standard).filter(|(local, _)| local.sum > 0.0);
        let mean = with_edges().map(|(local, _)| local.log).sum::<f64>() / self.counted;
        let (mut variance, mut covariance) = (self.shift, 0.0);
        for (local, z) in with_edges() {
            variance += (local.log - mean).powi(2) / self.counted;
            covariance += (local.log - mean) * z / self.counted;
        }
        let scale = if variance > 0.0 { 1.0 / (self.counted * variance.sqrt()) } else { 0.0 };
        let regression = if variance > 0.0 { covariance / variance } else { 0.0 };
        for (i, slope) in self.slopes.iter_mut().enumerate() {
            let (local, z) = (&locals[i], self.standard[i]);
            let by_log = scale * (z - regression * (local.log - mean));
            let by_sums =
                if local.sum > 0.0 { by_log / (local.softened() * f64::from(local.sum)) } else { 0.0 };
            *slope = [by_sums as f32, (by_sums * f64::from(local.radius)) as f32];
        }
    }

    /// Adds the displacements of the points from `first` on to `moves`.
    pub(crate) fn add(&self, first: usize, y: &[f32], lengths: &mut Lengths, moves: &mut [f32]) {
        let rows = first..first + moves.len() / self.dim;
        self.lengths(rows.clone(), y, lengths);
        let mut pairs = lengths.squares.iter().zip(&lengths.odds);
        for (i, moves) in rows.zip(moves.chunks_exact_mut(self.dim)) {
            let (here, own) = (&y[i * self.dim..][..self.dim], self.slopes[i]);
            for (&j, (s, odds)) in self.graph.indices_of(i).iter().zip(pairs.by_ref()) {
                let there = &y[j as usize * self.dim..][..self.dim];
                let other = self.slopes[j as usize];
                let w = 1.0 / (1.0 + odds);
                let falls = self.b * odds * w;
                let by_square = w
                    * ((own[0] + other[0]) * (1.0 - falls)
                        + (own[1] + other[1]) * falls / s.max(Forces::CLOSEST));
                let factor = 2.0 * self.step * by_square;
                for ((m, a), b) in moves.iter_mut().zip(here).zip(there) {
                    *m += bounded(factor * (a - b));
                }
            }
        }
    }

    /// Squared lengths of all edges of some points, row by row.
    fn lengths(&self, rows: Range<usize>, y: &[f32], lengths: &mut Lengths) {
        // Common numbers of coordinates are compiled separately, as constants.
        match self.dim {
            2 => self.squares(rows, (y, 2), &mut lengths.squares),
            3 => self.squares(rows, (y, 3), &mut lengths.squares),
            dim => self.squares(rows, (y, dim), &mut lengths.squares),
        }
        lengths.odds.clone_from(&lengths.squares);
        self.forces.odds(&mut lengths.odds);
    }

    #[inline(always)]
    fn squares(&self, rows: Range<usize>, (y, dim): (&[f32], usize), squares: &mut Vec<f32>) {
        let position = |i: usize| &y[i * dim..][..dim];
        squares.clear();
        for i in rows {
            squares
                .extend(self.graph.indices_of(i).iter().map(|&j| squared(position(i), position(j as usize))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CURVES: [Curve; 2] = [Curve { a: 1.5769, b: 0.8951 }, Curve { a: 0.1193, b: 1.9164 }];
    /// With displacements below the bound of each.
    const DENSITY: Density = Density { weight: 0.01, fraction: 0.5, shift: 0.1 };

    /// Every point of a ring of 30 has an edge to the third after it; the last point has none.
    fn ring() -> Result<Graph, embedding::Error> {
        let edges = (0..30).flat_map(|i| [(i, (i + 1) % 30, 0.8), (i, (i + 3) % 30, 0.4)]);
        Graph::from_edges(31, &edges.collect::<Vec<_>>())
    }

    fn wave(i: usize, c: usize) -> f64 {
        (0.7 * i as f64 + 1.9 * c as f64).sin() * (0.2 + 0.11 * i as f64)
    }

    /// The correlation of the definition, in double precision.
    fn correlation(graph: &Graph, curve: Curve, y: &[f64], dim: usize, z: &[f64], shift: f64) -> f64 {
        let log = |i: usize| {
            let (mut sum, mut moment) = (0.0, 0.0);
            for &j in graph.indices_of(i) {
                let s = (0..dim).map(|c| (y[i * dim + c] - y[j as usize * dim + c]).powi(2)).sum::<f64>();
                sum += curve.similarity(s);
                moment += curve.similarity(s) * s;
            }
            (1e-8 + moment / sum).ln()
        };
        let logs: Vec<f64> = (0..30).map(log).collect();
        let mean = logs.iter().sum::<f64>() / 30.0;
        let variance = logs.iter().map(|r| (r - mean).powi(2)).sum::<f64>() / 30.0;
        let covariance = logs.iter().zip(z).map(|(r, z)| (r - mean) * z).sum::<f64>() / 30.0;
        covariance / (variance + shift).sqrt()
    }

    #[test]
    fn displacements_are_derivatives_of_the_correlation() -> Result<(), embedding::Error> {
        let graph = ring()?;
        let radii: Vec<Option<f64>> = (0..31).map(|i| (i < 30).then(|| wave(i, 9))).collect();
        let z = standardized(&radii).expect("a wave is not constant");
        for curve in CURVES {
            for dim in [1, 2, 3] {
                let y: Vec<f32> = (0..31 * dim).map(|at| wave(at / dim, at % dim) as f32).collect();
                let wide: Vec<f64> = y.iter().map(|&v| f64::from(v)).collect();
                let mut term = DENSITY.term(&graph, &radii, curve, dim, 100).expect("half of the epochs");
                assert!(term.acts(50) && !term.acts(49));
                term.update(&y);
                let mut moves = vec![0.0; y.len()];
                term.add(0, &y, &mut Lengths::default(), &mut moves);
                // Twice λ V / largest, by quarters.
                let per_gradient = 2.0 * 0.01 * (30.0 * 1.2) / 0.8 / 4.0;
                for at in 0..y.len() {
                    let h = 1e-5;
                    let at_offset = |h: f64| {
                        let mut y = wide.clone();
                        y[at] += h;
                        correlation(&graph, curve, &y, dim, &z, 0.1)
                    };
                    let slope = per_gradient * (at_offset(h) - at_offset(-h)) / (2.0 * h);
                    let got = f64::from(moves[at]);
                    assert!(
                        (got - slope).abs() < 1e-3 * (0.01 + slope.abs()),
                        "{curve:?}, {dim}, {at}: {got}, {slope}"
                    );
                }
                assert_eq!(moves[30 * dim..], vec![0.0; dim], "a point without edges stays");
            }
        }
        Ok(())
    }

    #[test]
    fn there_is_no_term_without_a_difference_of_radii() -> Result<(), embedding::Error> {
        let graph = ring()?;
        let term =
            |density: Density, radii: &[Option<f64>]| density.term(&graph, radii, CURVES[0], 2, 10).is_some();
        let different: Vec<Option<f64>> = (0..31).map(|i| Some(wave(i, 0))).collect();
        assert!(term(DENSITY, &different));
        assert!(!term(DENSITY, &[Some(0.7); 31]) && !term(DENSITY, &[None; 31]));
        assert!(!term(Density { weight: 0.0, ..DENSITY }, &different));
        assert!(!term(Density { fraction: 0.0, ..DENSITY }, &different));
        Ok(())
    }
}
