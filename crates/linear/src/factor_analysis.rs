//! Factor analysis.

use std::f64::consts::{LN_2, TAU};

use embedding::implement::{Fact, Scale, Validate, matrix, require, require_finite};
use embedding::{
    About, DataKind, Embedding, Error, Explanation, Fitted, Input, LinearMap, MemoryLimit, Method, Model,
    Points, Recipe, Rows, Status, TrainingRows, Transform,
};
use faer::Mat;
use serde::{Deserialize, Serialize};
use spectral::principal::scatter_bytes;
use spectral::{AffineMap, Centered, dense};

use crate::Rotation;
use crate::likelihood::{LOWEST, Likelihood, Moments};

/// Factor analysis: the mean of hidden factors that explain the covariance of the columns.
///
#[doc = include_str!("factor_analysis.md")]
///
/// **Details.** The start and the lower bound are relative to the variance of each column, so
/// that a change of units changes the loadings and nothing else. Constant columns have no
/// likelihood: they are left out, with loadings and noise of zero. Without a rotation each
/// factor's loading of largest magnitude is positive. `dim` must lie in 1 ..= min(n − 1, D).
/// The iteration ends when the log-likelihood increases by less than `tolerance`;
/// [`FittedFactorAnalysis::status`] states whether it did.
///
/// **Cost.** O(n D²) for the covariance; per iteration O(D³) up to D = 300, and beyond a few products of the
/// D × D matrix with d vectors; D² numbers. With more columns than points the products are with the data, O(n
/// D d).
///
/// ```
/// use linear::{FactorAnalysis, Method, Model, PointSet};
/// // Three columns that share a factor, each with its own noise.
/// let row = |i: u32| {
///     let noise = |m: u32| f64::from((i * m) % 101) / 101.0 - 0.5;
///     let factor = noise(17);
///     [factor + 0.1 * noise(29), factor + 0.2 * noise(37), factor + 0.9 * noise(53)]
/// };
/// let points = PointSet::from_rows(&(0..101).map(row).collect::<Vec<_>>())?;
/// let fitted = FactorAnalysis { dim: 1, ..FactorAnalysis::default() }.fit(&points)?;
/// let noise = fitted.noise_variance();
/// assert!(noise[0] < noise[1] && noise[1] < noise[2]);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct FactorAnalysis {
    /// Target dimension d.
    #[param(default = 2, range = "1 to min(n - 1, D)")]
    pub dim: usize,
    /// Rotation of the factors to a simple structure.
    #[param(default = Rotation::None)]
    pub rotation: Rotation,
    /// Converged when an iteration increases the log-likelihood by less. The logarithm is natural.
    #[param(default = 1e-2, range = "above 0")]
    pub tolerance: f64,
    /// Largest number of iterations.
    #[param(name = "iterations", default = 1000, range = "at least 1")]
    pub max_iterations: usize,
}

impl Method for FactorAnalysis {
    type Fitted = FittedFactorAnalysis;

    const ABOUT: About = About {
        name: "factor-analysis",
        title: "Factor analysis",
        summary: "Explains the covariance of the columns by a few factors, with noise of its own for each column.",
        preserves: "the covariance of different columns",
        cost: "time n D^2, then D^2 d to D^3 per iteration; memory D^2",
        new_points: "the mean of the factors given the point, a projection; interpolates: near a training row it tends to the row's position",
        accepts: &[DataKind::Points],
        needs_labels: false,
        least_points: 2,
        explanation: Explanation::new(include_str!("factor_analysis.md")),
    };

    /// Stages `"covariance"`, `"likelihood"`, `"scores"`.
    fn fit_input(&self, input: &Input<'_>) -> Result<FittedFactorAnalysis, Error> {
        let (points, observer, dim) = (input.require_points()?, input.observer(), self.dim);
        let (n, d) = (points.len(), points.dim());
        allow(n, d, dim, input.memory_limit())?;
        observer.stage("covariance");
        embedding::implement::proceed(observer, 0, 1)?;
        let centered = Centered::new(points)?;
        let deviations = centered.deviations();
        input.require_distinct()?;
        let varying: Vec<usize> = (0..d).filter(|&j| deviations[j] > 0.0).collect();
        if varying.len() < dim {
            return Err(Error::degenerate(
                format!("only {} columns vary, fewer than the {dim} factors", varying.len()),
                "choose a smaller target dimension",
            ));
        }
        let moments = Moments::new(&centered.rows, &deviations, &varying);
        embedding::implement::proceed(observer, 1, 1)?;
        observer.stage("likelihood");
        let likelihood =
            Likelihood::maximize(&moments, n, dim, self.tolerance, self.max_iterations, observer)?;
        observer.stage("scores");
        let unit = |j: usize| deviations[varying[j]] * centered.unit;
        let spread = |rows: &Mat<f64>, factor: &dyn Fn(usize) -> f64| {
            let mut all = Mat::zeros(d, dim);
            for (j, &column) in varying.iter().enumerate() {
                (0..dim).for_each(|c| all[(column, c)] = rows[(j, c)] * factor(j));
            }
            all
        };
        let mut loadings = spread(&likelihood.loadings, &unit);
        let mut scores = spread(&likelihood.scores(), &|j| unit(j).recip());
        let (rotation, rotated) = self.rotation.of(loadings.as_ref())?;
        loadings = dense::product(loadings.as_ref(), rotation.as_ref());
        scores = dense::product(scores.as_ref(), rotation.as_ref());
        same_signs(&mut loadings, &mut scores);
        let mut noise = vec![0.0; d];
        let logarithms: f64 = (0..varying.len()).map(|j| unit(j).ln()).sum();
        varying.iter().zip(&likelihood.noise).enumerate().for_each(|(j, (&at, psi))| {
            noise[at] = unit(j) * unit(j) * psi;
        });
        if !(varying.iter().all(|&j| noise[j].is_normal()) && scores.norm_max().is_finite()) {
            return Err(Error::degenerate(
                "the widths of the columns are too far apart for the range of numbers",
                "divide each column by its width",
            ));
        }
        let total = |standardized: &f64| {
            standardized - n as f64 * (logarithms + 0.5 * varying.len() as f64 * TAU.ln())
        };
        let standardized = dense::product(rotation.transpose(), likelihood.explained().as_ref());
        let explained = dense::product(standardized.as_ref(), rotation.as_ref());
        let map = AffineMap::new(centered.mean, scores);
        let embedding =
            map.apply(points)?.with_spectrum((0..dim).map(|c| explained[(c, c)].max(0.0)).collect());
        embedding::implement::proceed(observer, 1, 1)?;
        Ok(FittedFactorAnalysis {
            embedding,
            map,
            loadings,
            bounded: likelihood.noise.iter().filter(|psi| **psi <= LOWEST).count(),
            noise_variance: noise,
            log_likelihoods: likelihood.history.iter().map(total).collect(),
            factors: likelihood.factors,
            rotated,
            status: likelihood.status,
            scale: Scale::ONE,
        })
    }
}

/// Fails where the covariance or the centered data exceed the limit.
fn allow(n: usize, d: usize, dim: usize, limit: MemoryLimit) -> Result<(), Error> {
    let rows = 8 * n as u64 * d as u64;
    // The sums of the covariance and its scaled copy, or a copy of the rows.
    let moments = if d <= n { scatter_bytes(n, d) + 8 * (d as u64).pow(2) } else { rows };
    let scores = 8 * n as u64 * dim as u64;
    limit.allow("factor analysis", rows + moments.max(scores), "use fewer points or columns, or pca first")
}

/// Makes the entry of largest magnitude of each column of loadings positive, and flips the
/// scores with it.
fn same_signs(loadings: &mut Mat<f64>, scores: &mut Mat<f64>) {
    let before = loadings.clone();
    spectral::canonical_signs(loadings.as_mut());
    for j in 0..before.ncols() {
        if (0..before.nrows()).any(|i| before[(i, j)] != loadings[(i, j)]) {
            scores.col_mut(j).iter_mut().for_each(|v| *v = -*v);
        }
    }
}

/// A fitted factor analysis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FittedFactorAnalysis {
    embedding: Embedding,
    map: AffineMap,
    #[serde(with = "matrix")]
    loadings: Mat<f64>,
    noise_variance: Vec<f64>,
    /// The log-likelihood after each iteration.
    log_likelihoods: Vec<f64>,
    /// Factors that explain more than noise.
    factors: usize,
    /// Columns whose noise is at its lower bound.
    bounded: usize,
    /// Whether the rotation converged.
    rotated: bool,
    status: Status,
    /// The noise variances refer to the data divided by it.
    scale: Scale,
}

impl FittedFactorAnalysis {
    /// The loadings W, D × d: the factors' contributions to the columns, in units of the data.
    pub fn loadings(&self) -> &Mat<f64> {
        &self.loadings
    }

    /// The noise variance of each column, in squared units of the data; 0 for constant columns.
    /// Where one of them exceeds the range of numbers, they refer to the data divided by a power of two,
    /// which [`Fitted::notes`] states.
    pub fn noise_variance(&self) -> &[f64] {
        &self.noise_variance
    }

    /// The log-likelihood of all points under the model, without constant columns.
    pub fn log_likelihood(&self) -> f64 {
        self.log_likelihoods.last().copied().unwrap_or(f64::NEG_INFINITY)
    }

    /// The log-likelihood before each update of the noise variances; it never decreases, except by rounding.
    pub fn log_likelihoods(&self) -> &[f64] {
        &self.log_likelihoods
    }

    /// The column means of the training data. For data near the smallest numbers, the means refer to the data
    /// divided by a power of two, which [`Fitted::notes`] states.
    pub fn mean(&self) -> &[f64] {
        self.map.origin()
    }

    /// Whether the iteration converged.
    pub fn status(&self) -> Status {
        self.status
    }
}

impl Model for FittedFactorAnalysis {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

impl Transform for FittedFactorAnalysis {
    /// Training rows reproduce to the bit.
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        rows.place_dense(known, |new, _| self.map.apply(new))
    }

    fn invert(&self, places: Points<'_>) -> Result<Option<Embedding>, Error> {
        self.map.invert(places).map(Some)
    }

    fn linear_map(&self) -> Option<LinearMap> {
        Some(LinearMap { loadings: Some(self.loadings.clone()), ..self.map.in_units_of_data() })
    }
}

impl Fitted for FittedFactorAnalysis {
    fn multiplied(mut self, scale: Scale) -> Result<Self, Error> {
        // Converts the density of the data divided by 2ᵉ, n times in each varying column.
        let varying = self.noise_variance.iter().filter(|variance| **variance > 0.0).count();
        let logarithm = f64::from(scale.exponent()) * LN_2 * (self.embedding.len() * varying) as f64;
        self.log_likelihoods.iter_mut().for_each(|likelihood| *likelihood -= logarithm);
        self.map = self.map.multiplied(scale, Scale::ONE);
        let loadings = &self.loadings;
        self.loadings =
            Mat::from_fn(loadings.nrows(), loadings.ncols(), |i, j| scale.times(loadings[(i, j)]));
        let squared = |variance: &f64| scale.times(scale.times(*variance));
        let noise: Vec<f64> = self.noise_variance.iter().map(squared).collect();
        if noise.iter().filter(|variance| variance.is_normal()).count() == varying {
            return Ok(Self { noise_variance: noise, ..self });
        }
        Ok(Self { scale, ..self })
    }

    fn facts() -> Vec<Fact<Self>> {
        vec![
            Fact::new("log_likelihood", "log-likelihood of all points under the model", Self::log_likelihood),
            Fact::new("noise_variance", "noise variance of each column", |m: &Self| {
                m.noise_variance().to_vec()
            }),
            Fact::new(
                "explained_variance",
                "variance of the columns that each factor explains, in units of their own variances",
                |m: &Self| m.embedding.spectrum().to_vec(),
            ),
            Fact::new("status", "how the iteration ended", Self::status),
        ]
    }

    fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> =
            self.scale.note("the noise variances").into_iter().chain(self.map.note()).collect();
        if let Status::IterationLimit { iterations } = self.status {
            notes.push(format!(
                "the likelihood did not converge in {iterations} iterations; allow more, or a larger tolerance"
            ));
        }
        if !self.rotated {
            notes.push("the rotation of the factors did not converge".to_owned());
        }
        if self.factors < self.embedding.dim() {
            let all = self.embedding.dim();
            notes.push(format!(
                "{} of {all} factors explain more than noise; the others are zero",
                self.factors
            ));
        }
        if self.bounded > 0 {
            notes.push(format!(
                "{} columns have no noise of their own beyond the lower bound, 1e-6 of their variance (a Heywood case); \
                 use fewer factors",
                self.bounded
            ));
        }
        notes
    }
}

impl Validate for FittedFactorAnalysis {
    fn validate(&self) -> Result<(), Error> {
        self.map.require_fits(&self.embedding)?;
        let (d, dim) = self.map.matrix().shape();
        let fits = self.loadings.shape() == (d, dim)
            && self.noise_variance.len() == d
            && self.embedding.spectrum().len() == dim;
        require(fits, "its loadings do not fit its columns and factors")?;
        require_finite(self.noise_variance.iter().chain(&self.log_likelihoods), "its likelihood")
    }
}
