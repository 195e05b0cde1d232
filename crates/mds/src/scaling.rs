//! Classical scaling of distances, with Gower's formula for new points.

use embedding::implement::{Division, Fact, Scale, Validate, matrix, require, require_finite};
use embedding::{Embedding, Error, Model};
use faer::{Mat, MatRef};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use spectral::centering::CenteredSquares;
use spectral::{Operator, Pairs};

use crate::distances::Distances;
use crate::negative_eigenvalues::COUNTED;
use crate::squared_operator::{self, SquaredOperator};
use crate::storage::Packing;
use crate::{NegativeEigenvalues, Precision};

/// The result of classical scaling of a matrix of distances.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ClassicalScaling {
    embedding: Embedding,
    residuals: Vec<f64>,
    negative: NegativeEigenvalues,
    trace: f64,
    reconstruction_error: f64,
    gower: Gower,
    /// Quantities in squared units of distances refer to the distances divided by it.
    scale: Scale,
}

impl ClassicalScaling {
    /// Estimates the memory of n points' distances with classical scaling of them to
    /// `count` dimensions, in bytes.
    pub fn bytes(n: usize, count: usize, precision: Precision) -> u64 {
        let (eigen, block) = spectral::memory::largest_bytes(n, count);
        let applied = 8 * (n * block * squared_operator::groups(n)) as u64;
        let counted = if n <= COUNTED { 4 * 8 * (n as u64).pow(2) } else { 0 };
        Distances::bytes(n, precision) + (eigen + applied).max(counted)
    }

    /// Computes coordinates from the leading eigenpairs of the doubly centered squares;
    /// `noise` bounds the effect of rounding on an eigenvalue.
    pub(crate) fn new(distances: &Distances, pairs: Pairs, noise: f64, means: Means) -> Result<Self, Error> {
        let (n, dim, unit) = (distances.len(), pairs.values.len(), distances.unit());
        let positive = pairs.values.iter().filter(|v| **v > noise).count();
        if positive < dim {
            return Err(too_flat(positive, dim));
        }
        let scale = Scale::of_length(unit, Division::SQUARES);
        let square = scale.quotient(unit).powi(2);
        let spectrum = pairs.values.iter().map(|v| v * square).collect();
        let trace = n as f64 * means.grand / 2.0;
        let negative = NegativeEigenvalues::of(distances, trace, &pairs.values, noise, square)?;
        let unexplained =
            frobenius_square(distances, &means) - pairs.values.iter().map(|v| v * v).sum::<f64>();
        let projection = projection(&pairs);
        // B V Λ^−½ instead of V Λ^½: equal for exact eigenvectors, and consistent with
        // Gower's formula at training points.
        let mut coordinates = Mat::zeros(n, dim);
        CenteredSquares(SquaredOperator(distances)).apply(projection.as_ref(), coordinates.as_mut());
        let coordinates = Mat::from_fn(n, dim, |i, j| unit * coordinates[(i, j)]);
        if !coordinates.norm_max().is_finite() {
            return Err(too_large());
        }
        Ok(Self {
            scale,
            embedding: Embedding::new(coordinates).with_spectrum(spectrum),
            residuals: pairs.residuals,
            negative,
            trace: trace * square,
            reconstruction_error: square * unexplained.max(0.0).sqrt() / n as f64,
            gower: Gower { packing: distances.packing(), means: means.columns, projection },
        })
    }

    /// The scaling of distances that were divided by a power of two before.
    pub(crate) fn multiplied(self, scale: Scale) -> Result<Self, Error> {
        Ok(Self { embedding: self.embedding.multiplied(scale)?, scale, ..self })
    }

    /// A sentence where squared input units would leave the range of numbers, so that the eigenvalues, their
    /// sum and the reconstruction error refer to the distances divided by a power of two.
    pub fn notes(&self) -> Vec<String> {
        self.scale.note("eigenvalues, their sum and the reconstruction error").into_iter().collect()
    }

    /// Returns the d largest eigenvalues of the doubly centered matrix, descending and
    /// positive, in squared input units, with the exception that [`ClassicalScaling::notes`]
    /// states. Each is the sum of squares of its column of coordinates.
    pub fn eigenvalues(&self) -> &[f64] {
        self.embedding.spectrum()
    }

    /// Returns the relative residual |B v − λ v| / |B| of each eigenpair.
    pub fn residuals(&self) -> &[f64] {
        &self.residuals
    }

    /// Returns the negative eigenvalues: the non-Euclidean part of the distances.
    pub fn negative(&self) -> NegativeEigenvalues {
        self.negative
    }

    /// Returns the sum of all eigenvalues, positive and negative, in squared input units.
    pub fn trace(&self) -> f64 {
        self.trace
    }

    /// Returns |B − Y Yᵀ|_F / n, the error with which the inner products of the
    /// coordinates Y approximate the doubly centered matrix B, in squared input units.
    pub fn reconstruction_error(&self) -> f64 {
        self.reconstruction_error
    }

    /// Places new points, given their distances to the n training points
    /// (m × n), by Gower's formula; see [`crate::ClassicalMds`].
    pub fn place(&self, distances: MatRef<'_, f64>) -> Result<Embedding, Error> {
        let n = self.embedding.len();
        if distances.ncols() != n {
            return Err(Error::Shape {
                what: "the number of distances of each new point",
                expected: format!("{n}, one per training point"),
                got: distances.ncols().to_string(),
            });
        }
        self.place_rows(distances.nrows(), |i, row| {
            row.iter_mut().enumerate().for_each(|(j, d)| *d = distances[(i, j)]);
        })
    }

    /// The same for m points whose distances `fill(i, row)` writes; rows in
    /// parallel, each by itself. Fails when a distance is negative or not finite.
    pub fn place_rows(&self, m: usize, fill: impl Fn(usize, &mut [f64]) + Sync) -> Result<Embedding, Error> {
        self.gower.place_rows(m, fill)
    }

    /// The coordinates of the `i`-th of several new points, whose distances to the training points
    /// are `row`. Fails when one is negative or not finite.
    pub fn place_row(&self, i: usize, row: &[f64]) -> Result<Vec<f64>, Error> {
        let mut place = vec![0.0; self.gower.projection.ncols()];
        self.gower.place_row(i, &mut row.to_vec(), &mut place)?;
        Ok(place)
    }
}

impl Model for ClassicalScaling {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

impl ClassicalScaling {
    /// The facts of a model of type `M` with such a scaling.
    pub fn facts_of<M: 'static>(scaling: fn(&M) -> Option<&Self>) -> Vec<Fact<M>> {
        let facts = vec![
            Fact::eigenvalues(Self::eigenvalues),
            Fact::residuals(Self::residuals),
            Fact::new("trace", "the sum of all eigenvalues", Self::trace),
            Fact::new(
                "reconstruction_error",
                "norm of the difference between the doubly centered matrix and the inner products of the \
                 coordinates, divided by n",
                Self::reconstruction_error,
            ),
            Fact::optional(
                "negative_eigenvalues",
                "number of negative eigenvalues: the distances are not Euclidean",
                |s: &Self| match s.negative {
                    NegativeEigenvalues::Counted { count, .. } => Some(count),
                    NegativeEigenvalues::AtLeast { .. } => None,
                },
            ),
            Fact::optional("negative_mass", "the sum of their magnitudes", |s: &Self| match s.negative {
                NegativeEigenvalues::Counted { mass, .. } => Some(mass),
                NegativeEigenvalues::AtLeast { .. } => None,
            }),
            Fact::optional(
                "negative_mass_at_least",
                "the same where not all eigenvalues are known: a lower bound",
                |s: &Self| match s.negative {
                    NegativeEigenvalues::Counted { .. } => None,
                    NegativeEigenvalues::AtLeast { mass } => Some(mass),
                },
            ),
        ];
        facts.into_iter().map(|fact| fact.within(scaling)).collect()
    }
}

/// y = ½ Λ^−½ Vᵀ (s̄ − s) for a point with squared distances s to the training
/// points, whose column means are s̄.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Gower {
    pub(crate) packing: Packing,
    /// Column means of the squares, in stored units.
    pub(crate) means: Vec<f64>,
    /// V Λ^−½, n × d, in stored units.
    #[serde(with = "matrix")]
    pub(crate) projection: Mat<f64>,
}

impl Gower {
    pub(crate) fn place_rows(
        &self,
        m: usize,
        fill: impl Fn(usize, &mut [f64]) + Sync,
    ) -> Result<Embedding, Error> {
        let (n, dim) = (self.means.len(), self.projection.ncols());
        let mut places = vec![0.0; m * dim];
        places.par_chunks_mut(dim).enumerate().try_for_each_init(
            || vec![0.0; n],
            |row, (i, place)| {
                fill(i, row);
                self.place_row(i, row, place)
            },
        )?;
        Ok(Embedding::from_rows(places, dim))
    }

    /// Places one point by its distances, which are overwritten.
    fn place_row(&self, i: usize, row: &mut [f64], place: &mut [f64]) -> Result<(), Error> {
        if let Some(j) = row.iter().position(|d| !(d.is_finite() && *d >= 0.0)) {
            if row[j] == f64::INFINITY {
                return Err(too_far(i));
            }
            let got = format!("{} from new point {i} to training point {j}", row[j]);
            return Err(Error::parameter("a distance", "finite and not negative", got));
        }
        for (d, mean) in row.iter_mut().zip(&self.means) {
            // Rounded in the same way as the training distances.
            *d = mean - self.packing.square(*d);
        }
        for (j, v) in place.iter_mut().enumerate() {
            *v = 0.5 * self.packing.unit * dot(row, self.projection.col(j).iter());
        }
        if place.iter().any(|v| !v.is_finite()) { Err(too_far(i)) } else { Ok(()) }
    }
}

fn dot<'a>(a: &[f64], b: impl Iterator<Item = &'a f64>) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Means of the squares, in stored units.
pub(crate) struct Means {
    pub(crate) columns: Vec<f64>,
    pub(crate) grand: f64,
}

impl Means {
    pub(crate) fn of(distances: &Distances) -> Self {
        let n = distances.len();
        let mut sums = Mat::zeros(n, 1);
        SquaredOperator(distances).apply(Mat::from_fn(n, 1, |_, _| 1.0).as_ref(), sums.as_mut());
        let columns: Vec<f64> = sums.col(0).iter().map(|s| s / n as f64).collect();
        let grand = columns.iter().sum::<f64>() / n as f64;
        Self { columns, grand }
    }
}

/// Returns V Λ^−½ with columns that sum to 0, as exact eigenvectors do and Gower's formula requires.
fn projection(pairs: &Pairs) -> Mat<f64> {
    let n = pairs.vectors.nrows();
    let mut out = Mat::from_fn(n, pairs.values.len(), |i, j| pairs.vectors[(i, j)] / pairs.values[j].sqrt());
    for j in 0..out.ncols() {
        let mean = out.col(j).iter().sum::<f64>() / n as f64;
        out.col_mut(j).iter_mut().for_each(|v| *v -= mean);
    }
    out
}

/// Returns |B|_F², in stored units.
fn frobenius_square(distances: &Distances, means: &Means) -> f64 {
    let entry = |s: f64, i: usize, j: usize| -0.5 * (s - means.columns[i] - means.columns[j] + means.grand);
    let parts = distances.by_strip(
        || 0.0,
        |sum, i, squares| {
            let row: f64 = squares.iter().enumerate().map(|(j, &s)| entry(s, i, j).powi(2)).sum();
            *sum += 2.0 * row + entry(0.0, i, i).powi(2);
        },
    );
    parts.iter().sum()
}

pub(crate) fn too_flat(positive: usize, dim: usize) -> Error {
    let noun = if positive == 1 { "eigenvalue" } else { "eigenvalues" };
    Error::degenerate(
        format!("only {positive} positive {noun} beyond rounding, fewer than the {dim} dimensions requested"),
        "use at most that many dimensions; check for equal points, and for columns or single points so much \
         larger than the others that all else is rounding (scale the columns to one deviation)",
    )
}

pub(crate) fn too_far(row: usize) -> Error {
    Error::degenerate(
        format!("new point {row} is so far from the training points that squared distances overflow"),
        "leave it out, or bring the new points to the units of the training data",
    )
}

pub(crate) fn too_large() -> Error {
    Error::degenerate("squared distances overflow", "divide the data by a constant")
}

impl Validate for ClassicalScaling {
    fn validate(&self) -> Result<(), Error> {
        let (n, dim) = (self.embedding.len(), self.embedding.dim());
        let Gower { packing, means, projection } = &self.gower;
        packing.validate()?;
        let mass = match &self.negative {
            NegativeEigenvalues::Counted { mass, .. } | NegativeEigenvalues::AtLeast { mass } => mass,
        };
        let numbers = [mass, &self.trace, &self.reconstruction_error];
        require_finite(means.iter().chain(&self.residuals).chain(numbers), "a number of its scaling")?;
        let pairs = self.residuals.len() == dim && self.embedding.spectrum().len() == dim;
        require(pairs, "its scaling does not have an eigenvalue for every coordinate")?;
        let shaped = means.len() == n && projection.shape() == (n, dim);
        require(shaped, "its projection does not have the shape of its coordinates")
    }
}
