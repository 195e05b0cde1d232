//! Kernel ridge regression.

use embedding::implement::{Division, Scale, Validate, proceed, require, require_finite};
use embedding::{Embedding, Error, MemoryLimit, Observer, PointSet, Points, Rows, TrainingRows, Transform};
use faer::{Mat, MatRef};
use neighbor_graph::NeighborSearch;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use spectral::dense;

use crate::scaler::Scaler;
use crate::{Regressor, ValidationError, check_targets};

/// Kernel ridge regression with a Gaussian kernel.
///
/// **Idea.** The function is a linear combination of Gaussian kernels centered at the
/// training points, with coefficients that trade the fit against the norm of the
/// function.
///
/// **Definition.** f(x) = mean + Σ_i k(x, x_i) a_i with k(x, x') =
/// exp(−|x − x'|²/(2 width²)) and (K + ridge · I) a = y − mean.
///
/// **Steps and cost.** Stages `"kernel"`, O(n² D), and `"solving"`, O(n³), with 24 n²
/// bytes and 24 n for each column of the targets.
///
/// **When it fails.** Far from all training points the function is the mean of the
/// targets; if the width is too small, also between them. With a ridge of 0 and duplicate
/// points the system is singular.
///
/// ```
/// use embedding::{PointSet, Silent};
/// use faer::Mat;
/// use regression::{KernelRidge, Regressor};
/// let x = PointSet::new((0..60).map(|i| f64::from(i) / 10.0).collect(), 1)?;
/// let y = Mat::from_fn(60, 1, |i, _| x.view().row(i)[0].sin());
/// let fitted = KernelRidge::default().fit(x.view(), y.as_ref(), &Silent)?;
/// assert!(fitted.validation().unexplained < 1e-2);
/// # Ok::<(), embedding::Error>(())
/// ```
///
/// **Reference.** Saunders, Gammerman and Vovk, Ridge regression learning
/// algorithm in dual variables, ICML 1998.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KernelRidge {
    /// Width of the kernel; default half the root mean square distance to the mean.
    pub width: Width,
    /// Regularization added to the diagonal of K; default 1e-3, at least 0.
    pub ridge: f64,
    /// Largest total memory of the matrices; default 4 GB.
    pub memory_limit: MemoryLimit,
}

/// Width of a Gaussian kernel, in the units of the points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Width {
    /// Half the root mean square distance of the points from their mean.
    #[default]
    Auto,
    /// A given width, finite and positive.
    Fixed(f64),
    /// This multiple, finite and positive, of the spacing of the points: the median distance to the 10th
    /// nearest other point (the farthest where there are fewer points). It follows local detail, for example
    /// when data are decoded from a map with gaps.
    Spacing(f64),
}

impl Default for KernelRidge {
    fn default() -> Self {
        Self { width: Width::Auto, ridge: 1e-3, memory_limit: MemoryLimit::default() }
    }
}

impl Regressor for KernelRidge {
    type Fitted = FittedKernelRidge;

    fn fit(
        &self,
        points: Points<'_>,
        targets: MatRef<'_, f64>,
        observer: &dyn Observer,
    ) -> Result<FittedKernelRidge, Error> {
        check_targets(points, targets)?;
        let n = points.len();
        if !(self.ridge.is_finite() && self.ridge >= 0.0) {
            return Err(Error::parameter("ridge", "finite and at least 0", self.ridge));
        }
        let width = match self.width {
            Width::Auto => automatic_width(points),
            Width::Fixed(width) if width.is_finite() && width > 0.0 => width,
            Width::Spacing(multiple) if multiple.is_finite() && multiple > 0.0 => multiple * spacing(points)?,
            Width::Fixed(width) | Width::Spacing(width) => {
                return Err(Error::parameter("width", "finite and positive", width));
            }
        };
        let needed = 24 * (n as u64) * (n as u64 + targets.ncols() as u64);
        self.memory_limit.allow("kernel ridge regression", needed, "use fewer points, or a perceptron")?;
        observer.stage("kernel");
        proceed(observer, 0, 1)?;
        let columns: Vec<Vec<f64>> =
            (0..n).into_par_iter().map(|j| kernels(points, points.row(j), width)).collect();
        let mut system = Mat::from_fn(n, n, |i, j| columns[j][i]);
        drop(columns);
        (0..n).for_each(|i| system[(i, i)] += self.ridge);
        proceed(observer, 1, 1)?;
        observer.stage("solving");
        proceed(observer, 0, 1)?;
        let mean: Vec<f64> =
            (0..targets.ncols()).map(|j| targets.col(j).iter().sum::<f64>() / n as f64).collect();
        let d = targets.ncols();
        // The inverse, solved for together with the coefficients, gives all leave-one-out
        // errors.
        let right = Mat::from_fn(n, d + n, |i, j| match j.checked_sub(d) {
            None => targets[(i, j)] - mean[j],
            Some(column) => f64::from(u8::from(column == i)),
        });
        let Some(solution) = dense::solve_spd(system.as_ref(), right.as_ref()) else {
            return Err(Error::degenerate(
                "the kernel matrix is singular",
                "use a larger ridge or a smaller width, or remove duplicates",
            ));
        };
        proceed(observer, 1, 1)?;
        let weights = solution.subcols(0, d).to_owned();
        let left_out = |i: usize, j: usize| weights[(i, j)] / solution[(i, d + i)];
        let unit = Scale::of_length(right.subcols(0, d).norm_max(), Division::SQUARES);
        let square = |value: f64| unit.quotient(value).powi(2);
        let squared: f64 = (0..n).map(|i| (0..d).map(|j| square(left_out(i, j))).sum::<f64>()).sum();
        let spread: f64 = (0..n).map(|i| (0..d).map(|j| square(right[(i, j)])).sum::<f64>()).sum();
        let validation = ValidationError::of(squared, spread, n, unit.times(1.0));
        Ok(FittedKernelRidge { points: points.to_owned(), weights, mean, width, validation })
    }
}

fn automatic_width(points: Points<'_>) -> f64 {
    let scaler = Scaler::new(points.as_mat());
    let difference = |(j, v): (usize, &f64)| scaler.forward(j, *v) * scaler.scale(j);
    let of_row =
        |row: &[f64]| row.iter().enumerate().map(difference).fold(0.0, |most: f64, d| most.max(d.abs()));
    // In units in which squares are finite and not 0.
    let unit = Scale::of_length(points.rows().map(of_row).fold(0.0, f64::max), Division::SQUARES);
    let spread = |row: &[f64]| -> f64 {
        row.iter().enumerate().map(|entry| unit.quotient(difference(entry)).powi(2)).sum()
    };
    let mean = points.rows().map(spread).sum::<f64>() / points.len() as f64;
    if mean > 0.0 { unit.times(0.5 * mean.sqrt()) } else { 1.0 }
}

/// The median distance to the 10th nearest other point, or to the farthest.
fn spacing(points: Points<'_>) -> Result<f64, Error> {
    const RANK: usize = 10;
    let n = points.len();
    if n < 2 {
        return Err(Error::TooFewPoints { what: "the spacing of points", needed: 2, got: n });
    }
    let lists = NeighborSearch::nearest(RANK.min(n - 1)).find(points)?;
    let mut distances: Vec<f64> = (0..n).filter_map(|i| lists.distances_of(i).last().copied()).collect();
    distances.sort_by(f64::total_cmp);
    let median = distances[n / 2];
    if median > 0.0 {
        return Ok(median);
    }
    let problem = format!("more than half of the points coincide with {RANK} others or more");
    Err(Error::degenerate(problem, "give a width"))
}

/// Returns k(x, x_i) for every i.
fn kernels(points: Points<'_>, x: &[f64], width: f64) -> Vec<f64> {
    let bump = |row: &[f64]| {
        let squared: f64 = row.iter().zip(x).map(|(a, b)| ((a - b) / width).powi(2)).sum();
        (-0.5 * squared).exp()
    };
    points.rows().map(bump).collect()
}

/// A fitted kernel ridge regression.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FittedKernelRidge {
    points: PointSet,
    #[serde(with = "embedding::implement::matrix")]
    weights: Mat<f64>,
    mean: Vec<f64>,
    width: f64,
    validation: ValidationError,
}

impl FittedKernelRidge {
    /// Returns the exact leave-one-out error, by a_i / (K + ridge · I)⁻¹_ii.
    pub fn validation(&self) -> ValidationError {
        self.validation
    }

    /// Returns the kernel width used.
    pub fn width(&self) -> f64 {
        self.width
    }
}

impl Transform for FittedKernelRidge {
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        rows.place_dense(known, |new, _| self.predict(new))
    }
}

impl FittedKernelRidge {
    fn predict(&self, new: Points<'_>) -> Result<Embedding, Error> {
        new.check_columns(self.points.dim())?;
        let d = self.mean.len();
        let rows: Vec<Vec<f64>> = (0..new.len())
            .into_par_iter()
            .map(|i| {
                let k = kernels(self.points.view(), new.row(i), self.width);
                let sum =
                    |j: usize| k.iter().zip(self.weights.col(j).iter()).map(|(k, a)| k * a).sum::<f64>();
                (0..d).map(|j| self.mean[j] + sum(j)).collect()
            })
            .collect();
        Ok(Embedding::from_rows(rows.concat(), d))
    }
}

impl Validate for FittedKernelRidge {
    fn validate(&self) -> Result<(), Error> {
        let shaped = self.weights.shape() == (self.points.len(), self.mean.len());
        require(shaped, "it does not have a weight for every training point")?;
        require(self.width.is_finite() && self.width > 0.0, "its width is not positive")?;
        require_finite(&self.mean, "a mean")
    }
}
