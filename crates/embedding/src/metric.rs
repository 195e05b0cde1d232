//! Named distances between points.

use serde::{Deserialize, Serialize};

use crate::implement::{MetricPoints, Scale, Validate, Value, ValueSyntax, require};
use crate::mixed_rows;
use crate::sparse_metric_points::{self, SparseMetricPoints};
use crate::{Error, MemoryLimit, PointSet, Points, Rows, SparsePoints};

/// The distance between two points x and y of D columns.
///
/// | name | distance | rows must |
/// |---|---|---|
/// | `euclidean` | √Σ (x_c − y_c)² | |
/// | `cosine` | 1 − x·y / (\|x\| \|y\|), 0 to 2 | not be zero |
/// | `correlation` | the cosine distance of the rows minus their means, 0 to 2 | not be constant |
/// | `manhattan` | Σ \|x_c − y_c\| | |
/// | `chebyshev` | max \|x_c − y_c\| | |
/// | `minkowski:P` | (Σ \|x_c − y_c\|^P)^(1/P), 1 ≤ P < ∞ | |
/// | `hamming` | the fraction of columns in which x and y differ | |
/// | `jaccard` | 1 − \|A ∩ B\| / \|A ∪ B\|, with A and B the columns in which x and y are not 0; 0 where both are empty | |
/// | `hellinger` | √½ \|√p − √q\| with p = x/Σx and q = y/Σy, 0 to 1 | have no negative value and a positive sum |
/// | `gower` | Σ w_c δ_c / Σ w_c over the columns that both rows have; δ_c = \|x_c − y_c\| / range for numbers, and 0 or 1 for categories; common zeros of asymmetric columns are no values | be encoded by [`MixedColumns`](crate::mixed::MixedColumns) |
/// | `nan-euclidean` | √(Σ w_c / Σ' w_c · Σ' w_c (x_c − y_c)²) with Σ' over the columns that both rows have | be encoded by [`MixedColumns`](crate::mixed::MixedColumns) |
///
/// Cosine and correlation are no metrics in the strict sense: the triangle inequality holds
/// for the square root of either. The definitions agree with `scipy.spatial.distance` for
/// 0/1 rows and, except for Jaccard, for all others; Hellinger's distance is the distance
/// of probability distributions. Gower's coefficient (J. C. Gower 1971, doi:10.2307/2528823) agrees
/// with `cluster::daisy` of R, `nan-euclidean` with scikit-learn.
///
/// As text, `minkowski` takes its exponent after a colon: `minkowski:3`.
///
/// ```
/// use embedding::implement::Value;
/// use embedding::{Metric, Points};
/// let points = [3.0, 4.0, 0.0, 2.0];
/// let metric = Metric::read("cosine").ok_or("no such metric")?;
/// let measured = metric.prepare(Points::new(&points, 2)?)?;
/// assert!((measured.distance(0, 1) - 0.2).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Metric {
    /// The length of the difference.
    #[default]
    Euclidean,
    /// One minus the cosine of the angle between the rows.
    Cosine,
    /// One minus the correlation coefficient of the rows.
    Correlation,
    /// The sum of the absolute differences.
    Manhattan,
    /// The largest absolute difference.
    Chebyshev,
    /// The norm of exponent `p` of the difference.
    Minkowski {
        /// 1 or more, finite.
        p: f64,
    },
    /// The fraction of columns that differ.
    Hamming,
    /// The dissimilarity of the sets of columns that are not 0.
    Jaccard,
    /// The distance of the rows as distributions.
    Hellinger,
    /// The mean dissimilarity of the columns that both rows have, of [`MixedColumns`](crate::mixed::MixedColumns).
    Gower,
    /// The length of the difference over the columns that both rows have, of [`MixedColumns`](crate::mixed::MixedColumns).
    NanEuclidean,
}

/// The metrics without a parameter, by name.
const NAMES: [(&str, Metric); 10] = [
    ("euclidean", Metric::Euclidean),
    ("cosine", Metric::Cosine),
    ("correlation", Metric::Correlation),
    ("manhattan", Metric::Manhattan),
    ("chebyshev", Metric::Chebyshev),
    ("hamming", Metric::Hamming),
    ("jaccard", Metric::Jaccard),
    ("hellinger", Metric::Hellinger),
    ("gower", Metric::Gower),
    ("nan-euclidean", Metric::NanEuclidean),
];

/// The name and colon before an exponent.
const MINKOWSKI: &str = "minkowski:";

impl Metric {
    /// The names of the metrics without a parameter.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name)
    }

    /// Whether the metric is Euclidean, under any name.
    pub fn is_euclidean(self) -> bool {
        matches!(self, Self::Euclidean | Self::Minkowski { p: 2.0 })
    }

    /// Whether its rows are encoded by [`MixedColumns`](crate::mixed::MixedColumns): they may have gaps, and hold no coordinates.
    pub fn is_mixed(self) -> bool {
        matches!(self, Self::Gower | Self::NanEuclidean)
    }

    /// The scale of distances between points of a scale: the same where distances have the unit of
    /// the coordinates, and otherwise one.
    pub fn scale(self, points: Scale) -> Scale {
        match self {
            Self::Euclidean
            | Self::Manhattan
            | Self::Chebyshev
            | Self::Minkowski { .. }
            | Self::NanEuclidean => points,
            Self::Cosine
            | Self::Correlation
            | Self::Hellinger
            | Self::Hamming
            | Self::Jaccard
            | Self::Gower => Scale::ONE,
        }
    }

    /// Whether it can be prepared for sparse points ([`Metric::prepare_sparse`]).
    pub fn takes_sparse(self) -> bool {
        sparse_metric_points::mapping(self).is_some()
    }

    /// Fails with [`Error::Parameter`] for an exponent below 1 or not finite.
    pub fn check(self) -> Result<(), Error> {
        match self {
            Self::Minkowski { p } if !(p.is_finite() && p >= 1.0) => {
                let requirement = "finite and at least 1 (chebyshev is the limit of large exponents)";
                Err(Error::parameter("the exponent of minkowski", requirement, p))
            }
            _ => Ok(()),
        }
    }

    /// Prepares points so that the distance of a pair takes one pass over its columns. Each
    /// row is prepared by itself, so new points that are prepared separately have the same
    /// distances. O(n D) time, and a copy of the points for cosine, correlation and
    /// Hellinger.
    ///
    /// Fails with [`Error::Degenerate`] where a row has no distance to others by this
    /// metric, and where values are so large that distances could overflow.
    pub fn prepare(self, points: Points<'_>) -> Result<MetricPoints<'_>, Error> {
        self.check()?;
        MetricPoints::new(self, points)
    }

    /// The points as coordinates, where their rows hold none ([`Metric::is_mixed`]): a column per number, a
    /// column per category that occurs, which is half of its weight in its rows and 0 in others, and the mean of
    /// the column in gaps. `None` for other metrics. O(n D).
    ///
    /// Fails with [`Error::Memory`] where they exceed the limit.
    pub fn coordinates(self, points: Points<'_>, limit: MemoryLimit) -> Result<Option<PointSet>, Error> {
        if self.is_mixed() { mixed_rows::coordinates(self, points, limit).map(Some) } else { Ok(None) }
    }

    /// As [`Metric::prepare`], for sparse points, whose zeros are never stored: O(n + entries) time and
    /// memory.
    ///
    /// Fails with [`Error::Parameter`] for Chebyshev's metric and for Minkowski's of exponents
    /// other than 1 and 2, which no sum over common columns bounds, and with
    /// [`Error::Degenerate`] where a row has no distance to others.
    pub fn prepare_sparse(self, points: SparsePoints<'_>) -> Result<SparseMetricPoints, Error> {
        self.check()?;
        SparseMetricPoints::new(self, points)
    }

    /// Fails as [`Metric::prepare`] for dense rows, without copying them; for sparse rows, where a
    /// row has no distance to others. O(n D) or O(n + entries).
    pub(crate) fn check_rows(self, rows: Rows<'_>) -> Result<(), Error> {
        match rows {
            Rows::Dense(points) => MetricPoints::check(self, points),
            Rows::Sparse(points) if self.takes_sparse() => self.prepare_sparse(points).map(drop),
            Rows::Sparse(_) => Ok(()),
        }
    }
}

/// The name; of Minkowski distances with the exponent.
impl Value for Metric {
    const SYNTAX: ValueSyntax = ValueSyntax::Text(
        "euclidean, cosine, correlation, manhattan, chebyshev, minkowski:P with P at least 1, hamming, jaccard, \
         hellinger, gower or nan-euclidean",
    );

    fn show(&self) -> String {
        match self {
            Self::Minkowski { p } => format!("{MINKOWSKI}{}", p.show()),
            named => {
                let found = NAMES.iter().find(|(_, metric)| metric == named);
                found.expect("every other metric has a name").0.to_owned()
            }
        }
    }

    fn read(text: &str) -> Option<Self> {
        let metric = match text.strip_prefix(MINKOWSKI) {
            Some(p) => Self::Minkowski { p: Value::read(p)? },
            None => NAMES.iter().find(|(name, _)| *name == text)?.1,
        };
        metric.check().is_ok().then_some(metric)
    }
}

crate::text!(Metric);

impl Validate for Metric {
    fn validate(&self) -> Result<(), Error> {
        require(self.check().is_ok(), "its metric has an exponent below 1")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        let all = NAMES.iter().map(|(_, metric)| *metric);
        for metric in all.chain([Metric::Minkowski { p: 3.0 }, Metric::Minkowski { p: 1.5 }]) {
            assert_eq!(Metric::read(&metric.show()), Some(metric));
        }
        for text in ["", "l2", "minkowski", "minkowski:", "minkowski:0.5", "minkowski:inf", "minkowski:x"] {
            assert_eq!(Metric::read(text), None, "{text}");
        }
    }
}
