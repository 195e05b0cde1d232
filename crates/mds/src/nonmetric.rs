//! Non-metric multidimensional scaling.

use std::ops::Range;

use embedding::{Embedder, Embedding, Error, MemoryLimit, Observer, Points};
use serde::{Deserialize, Serialize};

use crate::configuration::{Iterative, matrix_of};
use crate::majorization::{Stop, Targets};
use crate::placement::Placement;
use crate::sweep::distances_from;
use crate::{Configuration, Dissimilarities, FittedConfiguration, Start, Stress, isotonic_regression};

/// Distances in the order of the dissimilarities.
///
/// **Idea.** Judgments of likeness are ordinal: believe only that this pair is
/// more alike than that one, and fit distances to the best ascending function
/// of the dissimilarities.
///
/// **Definition.** Minimize Σ_{i<j} w (d̂_ij − |y_i − y_j|)² over Y and over
/// disparities d̂ that ascend with δ, with Σ w d̂² = Σ w δ² held fixed.
///
/// **Steps.** A start ([`Start`]); then, in turn, d̂ by isotonic regression of the
/// distances on the order of δ ([`isotonic_regression`]) and rescaling, and one
/// step of majorization as in [`crate::Smacof`]. Neither raises the stress.
///
/// **Cost.** O(n² log n) once, O(n² d) per step (O(n² log n) with many primary
/// ties), about 40 n² bytes.
///
/// **When it fails.** 1 ≤ d ≤ n − 1. Local minima, as metric scaling has them.
/// With well separated clusters, or few points in many dimensions, the order is
/// met exactly by a map with little structure left (degeneration): the stress
/// goes to 0.
///
/// ```
/// use embedding::{Points, Silent};
/// use mds::NonmetricMds;
/// let points: Vec<f64> = (0..20).flat_map(|i| [f64::from(i % 5), f64::from(i * i % 7)]).collect();
/// let fitted = NonmetricMds::default().fit(Points::new(&points, 2)?, &Silent)?;
/// assert!(fitted.configuration().stress().stress_1 < 1e-6);
/// # Ok::<(), embedding::Error>(())
/// ```
///
/// **Reference.** Kruskal (1964), doi:10.1007/BF02289565 and
/// doi:10.1007/BF02289694; Borg and Groenen (2005), chapter 9,
/// doi:10.1007/0-387-28981-X.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct NonmetricMds {
    /// Target dimension d; default 2, 1 ≤ d ≤ n − 1.
    pub dim: usize,
    /// Default classical.
    pub start: Start,
    /// What equal dissimilarities ask for; default primary.
    pub ties: Ties,
    /// Smallest decrease worth a step, as a share of Σ w δ²; default 1e-7.
    pub tolerance: f64,
    /// Steps at most, per start; default 300.
    pub max_iterations: usize,
    /// The largest matrices allowed; default 4 GB.
    pub memory_limit: MemoryLimit,
}

/// What equal dissimilarities ask of their distances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ties {
    /// Nothing: they may differ.
    #[default]
    Primary,
    /// To be equal.
    Secondary,
}

impl Default for NonmetricMds {
    fn default() -> Self {
        let crate::Smacof { dim, start, tolerance, max_iterations, memory_limit } = crate::Smacof::default();
        Self { dim, start, ties: Ties::Primary, tolerance, max_iterations, memory_limit }
    }
}

impl NonmetricMds {
    /// Maps points by the order of their Euclidean distances; stages `"start"`,
    /// `"majorization"`.
    pub fn fit(&self, points: Points<'_>, observer: &dyn Observer) -> Result<FittedConfiguration, Error> {
        self.iterative().check(points.len())?;
        let n = points.len() as u64;
        let advice = "use landmark-mds, fewer points, or allow more memory";
        self.memory_limit.allow("dissimilarities, disparities and their order", 40 * n * n, advice)?;
        let dissimilarities = Dissimilarities::euclidean(points, self.memory_limit)?;
        let configuration = self.fit_dissimilarities(&dissimilarities, observer)?;
        Ok(FittedConfiguration { points: points.to_owned(), configuration })
    }

    /// Maps objects by the order of given dissimilarities.
    pub fn fit_dissimilarities(
        &self,
        dissimilarities: &Dissimilarities,
        observer: &dyn Observer,
    ) -> Result<Configuration, Error> {
        let mut targets = Ordered::new(dissimilarities, self.ties);
        let run = self.iterative().best(dissimilarities, dissimilarities, &mut targets, observer)?;
        targets.update(&run.x)?;
        let (n, coordinates) = (dissimilarities.len(), matrix_of(&run.x));
        let mut distances = vec![0.0; n];
        let stress = Stress::between((0..n).flat_map(|i| {
            distances_from(&run.x, i, &mut distances);
            let row = |j: usize| (targets.disparities[i * n + j], distances[j], dissimilarities.weight(i, j));
            (0..i).map(row).collect::<Vec<_>>()
        }));
        Ok(Configuration {
            embedding: Embedding::new(coordinates),
            stress,
            history: run.history,
            status: run.status,
            placement: Placement::Monotone(targets.knots()),
        })
    }

    fn iterative(&self) -> Iterative {
        let stop = Stop { tolerance: self.tolerance, max_iterations: self.max_iterations };
        Iterative { dim: self.dim, start: self.start, stop }
    }
}

impl Embedder for NonmetricMds {
    fn name(&self) -> &'static str {
        "nonmetric-mds"
    }

    fn embed(&self, points: Points<'_>, observer: &dyn Observer) -> Result<Embedding, Error> {
        Ok(self.fit(points, observer)?.configuration.embedding)
    }
}

/// Pairs in the order of their dissimilarities, and the disparities of the
/// present coordinates.
struct Ordered<'a> {
    given: &'a Dissimilarities,
    ties: Ties,
    /// Known pairs i > j by ascending dissimilarity.
    pairs: Vec<(u32, u32)>,
    /// Runs of more than one pair with the same dissimilarity.
    tied: Vec<Range<usize>>,
    /// Σ w δ².
    total: f64,
    disparities: Vec<f64>,
}

impl<'a> Ordered<'a> {
    fn new(given: &'a Dissimilarities, ties: Ties) -> Self {
        let n = given.len();
        let mut pairs: Vec<(u32, u32)> = (0..n as u32)
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .filter(|&(i, j)| given.weight(i as usize, j as usize) > 0.0)
            .collect();
        let value = |p: &(u32, u32)| given.get(p.0 as usize, p.1 as usize);
        pairs.sort_by(|a, b| value(a).total_cmp(&value(b)));
        let mut tied = Vec::new();
        let mut start = 0;
        for run in pairs.chunk_by(|a, b| value(a) == value(b)) {
            if run.len() > 1 {
                tied.push(start..start + run.len());
            }
            start += run.len();
        }
        Self { given, ties, pairs, tied, total: given.sum_of_squares(), disparities: vec![0.0; n * n] }
    }

    fn value(&self, pair: (u32, u32)) -> f64 {
        self.given.get(pair.0 as usize, pair.1 as usize)
    }

    /// Dissimilarities at which the ascending function changes its slope, with
    /// its mean there.
    fn knots(&self) -> Vec<(f64, f64)> {
        let disparity = |p: &(u32, u32)| self.disparities[p.0 as usize * self.given.len() + p.1 as usize];
        let means: Vec<(f64, f64)> = self
            .pairs
            .chunk_by(|a, b| self.value(*a) == self.value(*b))
            .map(|run| (self.value(run[0]), run.iter().map(disparity).sum::<f64>() / run.len() as f64))
            .collect();
        let kept = |i: usize| {
            let inside = i > 0 && i + 1 < means.len();
            !(inside && means[i - 1].1 == means[i].1 && means[i].1 == means[i + 1].1)
        };
        (0..means.len()).filter(|&i| kept(i)).map(|i| means[i]).collect()
    }
}

impl Targets for Ordered<'_> {
    fn update(&mut self, x: &[Vec<f64>]) -> Result<&[f64], Error> {
        let n = self.given.len();
        let distance = |p: (u32, u32)| {
            let (i, j) = (p.0 as usize, p.1 as usize);
            x.iter().map(|c| (c[i] - c[j]) * (c[i] - c[j])).sum::<f64>().sqrt()
        };
        let weight = |p: (u32, u32)| self.given.weight(p.0 as usize, p.1 as usize);
        let mut order = self.pairs.clone();
        let mut distances: Vec<f64> = order.iter().map(|p| distance(*p)).collect();
        for tied in &self.tied {
            let range = tied.clone();
            match self.ties {
                // Free to differ: best in the order of their distances.
                Ties::Primary => {
                    let mut entries: Vec<_> = range.clone().map(|e| (distances[e], order[e])).collect();
                    entries.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                    for (e, (d, p)) in range.zip(entries) {
                        (distances[e], order[e]) = (d, p);
                    }
                }
                // One value for all: their mean.
                Ties::Secondary => {
                    let mass: f64 = range.clone().map(|e| weight(order[e])).sum();
                    let mean = range.clone().map(|e| weight(order[e]) * distances[e]).sum::<f64>() / mass;
                    distances[range].fill(mean);
                }
            }
        }
        let weights: Vec<f64> = order.iter().map(|p| weight(*p)).collect();
        let fitted = isotonic_regression(&distances, &weights);
        let shown: f64 = fitted.iter().zip(&weights).map(|(d, w)| w * d * d).sum();
        if shown == 0.0 {
            return Err(Error::degenerate("all points fell together", "use another start"));
        }
        let factor = (self.total / shown).sqrt();
        for (pair, d) in order.iter().zip(&fitted) {
            let (i, j) = (pair.0 as usize, pair.1 as usize);
            self.disparities[i * n + j] = factor * d;
            self.disparities[j * n + i] = factor * d;
        }
        Ok(&self.disparities)
    }
}
