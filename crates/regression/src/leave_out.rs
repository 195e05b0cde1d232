//! Errors of a regressor on points left out of its fit.

use embedding::implement::matrix::to_rows;
use embedding::implement::unit;
use embedding::{Error, Observer, Points, Transform};
use faer::{Mat, MatRef};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

use crate::shuffle::shuffle;
use crate::{Regressor, ValidationError, check_targets};

/// Cross-validation: the points are distributed to folds in random order, and the targets of each fold are
/// predicted by a fit to all others.
///
/// For the inverse of an embedding, the points are positions in the map, and the map stays as it is: a row
/// that is left out took part in the map, and only the inverse is learned without it. The error is the error
/// of decoding, not of embedding a new row and decoding it.
///
/// A fit per fold. Rows whose points are equal may lie on both sides of a split.
///
/// ```
/// use embedding::{PointSet, Silent};
/// use faer::Mat;
/// use regression::{LeaveOut, LocalBarycentric};
/// let places: Vec<[f64; 1]> = (0..100).map(|i| [f64::from(i) / 100.0]).collect();
/// let data = Mat::from_fn(100, 2, |i, j| [places[i][0].sin(), places[i][0].cos()][j]);
/// let places = PointSet::from_rows(&places)?;
/// let errors = LeaveOut::default().errors(
///     &LocalBarycentric { k: 4, ..LocalBarycentric::default() },
///     places.view(),
///     data.as_ref(),
///     &Silent,
/// )?;
/// assert!(errors.total.relative() < 0.01 && errors.folds.len() == 5);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LeaveOut {
    /// Number of folds, 2 to n, whose sizes differ by one at most; default 5.
    pub folds: usize,
    /// Seed of the order; default 0.
    pub seed: u64,
}

impl Default for LeaveOut {
    fn default() -> Self {
        Self { folds: 5, seed: 0 }
    }
}

/// Errors on points left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LeftOut {
    /// The error over all points, each left out once.
    pub total: ValidationError,
    /// The error of each fold.
    pub folds: Vec<ValidationError>,
}

/// Sums over points left out.
#[derive(Clone, Copy, Default)]
struct Sums {
    count: usize,
    /// Σ |t − f(x)|².
    squared: f64,
    /// Σ |t − mean of the targets of the fit|².
    spread: f64,
}

impl LeaveOut {
    /// The root mean square distance between targets and predictions, and what fraction of the
    /// squared distance to the mean target of the other folds is left unexplained.
    ///
    /// Fails where the folds are not 2 to n, and as [`Regressor::fit`] and
    /// [`Transform::transform`].
    pub fn errors<R: Regressor>(
        &self,
        regressor: &R,
        points: Points<'_>,
        targets: MatRef<'_, f64>,
        observer: &dyn Observer,
    ) -> Result<LeftOut, Error> {
        check_targets(points, targets)?;
        let n = points.len();
        if self.folds < 2 || self.folds > n {
            return Err(Error::parameter("folds", format!("2 to {n}, the number of points"), self.folds));
        }
        let mut order: Vec<u32> = (0..n as u32).collect();
        shuffle(&mut order, &mut ChaCha8Rng::seed_from_u64(self.seed));
        // Squares in units of the largest target do not overflow at any scale.
        let unit = unit(&to_rows(targets));
        let mut sums = Vec::with_capacity(self.folds);
        for fold in 0..self.folds {
            let (mut left, mut kept): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
            for (position, &row) in order.iter().enumerate() {
                if position % self.folds == fold { left.push(row) } else { kept.push(row) }
            }
            let rows = |rows: &[u32]| {
                Mat::from_fn(rows.len(), targets.ncols(), |i, j| targets[(rows[i] as usize, j)])
            };
            let known = rows(&kept);
            let fitted = regressor.fit(points.select(&kept).view(), known.as_ref(), observer)?;
            let found = fitted.transform(points.select(&left).view())?;
            sums.push(Sums::of(rows(&left).as_ref(), found.coordinates(), known.as_ref(), unit));
        }
        let total = sums.iter().fold(Sums::default(), |a, b| Sums {
            count: a.count + b.count,
            squared: a.squared + b.squared,
            spread: a.spread + b.spread,
        });
        Ok(LeftOut { total: total.error(unit), folds: sums.iter().map(|sums| sums.error(unit)).collect() })
    }
}

impl Sums {
    /// Sums over targets, the predictions `found` for them, and the targets `known` to the fit, in squares of
    /// a unit.
    fn of(targets: MatRef<'_, f64>, found: MatRef<'_, f64>, known: MatRef<'_, f64>, unit: f64) -> Self {
        let mut sums = Self { count: targets.nrows(), ..Self::default() };
        for j in 0..targets.ncols() {
            let mean = known.col(j).iter().map(|t| t / unit).sum::<f64>() / known.nrows() as f64;
            for (t, f) in targets.col(j).iter().zip(found.col(j).iter()) {
                sums.squared += (t / unit - f / unit).powi(2);
                sums.spread += (t / unit - mean).powi(2);
            }
        }
        sums
    }

    fn error(&self, unit: f64) -> ValidationError {
        ValidationError::of(self.squared, self.spread, self.count, unit)
    }
}
