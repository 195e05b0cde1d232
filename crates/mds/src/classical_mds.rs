//! Classical multidimensional scaling.

use embedding::implement::{Fact, Scale, Sizes, TrainingPoints, Validate, require, require_finite};
use embedding::{
    About, DataKind, Embedding, Error, Explanation, Fitted, Input, LinearMap, Method, Metric, Model,
    Observer, Points, Recipe, Rows, TrainingRows, Transform,
};
use faer::Mat;
use serde::{Deserialize, Serialize};
use spectral::centering::CenteredSquares;
use spectral::{AffineMap, Principal, Tolerance, canonical_signs, largest};

use crate::distances::Distances;
use crate::residual_variance::residual_variances;
use crate::scaling::{ClassicalScaling, Means, too_flat};
use crate::squared_operator::SquaredOperator;
use crate::{NegativeEigenvalues, Precision};

/// Classical multidimensional scaling: coordinates from the inner products that
/// distances imply.
///
#[doc = include_str!("classical_mds.md")]
///
/// **Details.** A new point with squared distances s to the training points goes to ½ Λ_d^−½
/// V_dᵀ (s̄ − s), s̄ the column means of S (Gower); a training row returns its own coordinates.
/// For distances, and for points with a metric other than Euclidean, B is an operator that is never formed,
/// residuals are proven, and where n ≤ 1,000 all eigenvalues are computed to count the negative ones: see
/// [`ClassicalScaling::negative`]. For points, B = (X − μ)(X − μ)ᵀ, so no distance is computed. 1 ≤ d ≤ n −
/// 1; [`Error::Degenerate`] when fewer than d eigenvalues are positive beyond rounding.
///
/// **Cost.** Matrix: O(n² d) per step, no memory besides the matrix and a few n × d blocks. Points: O(n D
/// min(n, D)) time and O(n D + min(n, D)²) memory.
///
/// ```
/// use mds::{ClassicalMds, DistanceMatrix, Method, Model, Precision};
/// // A right triangle with sides 3, 4, 5.
/// let distances = [0.0, 3.0, 5.0, 3.0, 0.0, 4.0, 5.0, 4.0, 0.0];
/// let recipe = ClassicalMds { precision: Precision::Double, ..ClassicalMds::default() };
/// let fitted = recipe.fit(DistanceMatrix::new(&distances, 3)?)?;
/// let y = fitted.embedding();
/// let longest = ((y[(0, 0)] - y[(2, 0)]).powi(2) + (y[(0, 1)] - y[(2, 1)]).powi(2)).sqrt();
/// assert!((longest - 5.0).abs() < 1e-12);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct ClassicalMds {
    /// Target dimension d.
    #[param(default = 2, range = "1 to n - 1")]
    pub dim: usize,
    /// Residual demanded of the eigenvectors, relative to the operator's norm.
    pub tolerance: Tolerance,
    /// Precision of the stored distances. It matters where distances are given.
    #[param(default = Precision::Single)]
    pub precision: Precision,
}

impl Method for ClassicalMds {
    type Fitted = FittedClassicalMds;

    const ABOUT: About = About {
        name: "classical-mds",
        title: "Classical MDS",
        summary: "Coordinates that match the inner products of the data as nearly as d dimensions allow.",
        preserves: "Euclidean distances, the large ones best; equals pca on points",
        cost: "time n D min(n, D), memory min(n, D)^2; of distances: time n^2 d per step, memory 2 n^2 bytes",
        new_points: "the same projection; of distances by Gower's formula; interpolates: near a training row it tends to the row's position",
        accepts: &[DataKind::Points, DataKind::Distances],
        needs_labels: false,
        least_points: 2,
        explanation: Explanation::new(include_str!("classical_mds.md")),
    };

    const WEIGHTS: bool = true;

    /// Stage `"eigenvectors"`; for distances, `"distances"` before it.
    fn fit_input(&self, input: &Input<'_>) -> Result<FittedClassicalMds, Error> {
        let observer = input.observer();
        if input.row_weights().is_some() && (input.points().is_none() || !input.metric().is_euclidean()) {
            return Err(Error::degenerate(
                "classical MDS has weights of rows for points and their Euclidean distances alone",
                "leave the weights out, or choose kernel-pca with the linear kernel, which is classical scaling",
            ));
        }
        if let (Some(points), Some(measured)) = (input.points(), input.metric_points()?) {
            observer.stage("distances");
            let distances = Distances::measured(&measured, self.precision, input.memory_limit(), observer)?;
            let scaling = self.fit_distances(&distances, observer)?;
            let training = Some(TrainingPoints::new(points, input.metric()));
            return Ok(FittedClassicalMds::new(Scaled::Distances { scaling, training }));
        }
        let Some(given) = input.distances() else {
            return self.fit_points(input.require_points()?, input).map(FittedClassicalMds::new);
        };
        observer.stage("distances");
        embedding::implement::proceed(observer, 0, 1)?;
        let advice = match self.precision {
            Precision::Single => "use fewer points, or allow more memory",
            Precision::Double => "use single precision, fewer points, or allow more memory",
        };
        let needed = ClassicalScaling::bytes(given.len(), self.dim, self.precision);
        input.memory_limit().allow("the distances", needed, advice)?;
        let distances = Distances::from_given(given, self.precision)?;
        embedding::implement::proceed(observer, 1, 1)?;
        let scaling = self.fit_distances(&distances, observer)?;
        Ok(FittedClassicalMds::new(Scaled::Distances { scaling, training: None }))
    }
}

impl ClassicalMds {
    fn fit_points(&self, points: Points<'_>, input: &Input<'_>) -> Result<Scaled, Error> {
        let (limit, observer) = (input.memory_limit(), input.observer());
        // The components; or the coordinates before and after their signs are chosen, and the map's
        // coordinates.
        let coordinates = 8 * 3 * (points.len() * self.dim) as u64;
        let copied = if input.row_weights().is_some() { 8 * points.values().len() as u64 } else { 0 };
        let needed = (copied + Principal::bytes(points.len(), points.dim())).max(coordinates);
        limit.allow("the principal components", needed, "use pca, or allow more memory")?;
        observer.stage("eigenvectors");
        embedding::implement::proceed(observer, 0, 1)?;
        let most = self.dim.min(points.dim());
        let Principal { mean, mut directions, sums, total } = match input.row_weights() {
            Some(weights) => Principal::weighted(points, weights, most, self.tolerance, observer)?,
            None => Principal::new(points, most, self.tolerance, observer)?,
        };
        let noise = rounding(points, sums[0]);
        let positive = sums.iter().filter(|s| **s > noise).count();
        if positive < self.dim {
            return Err(too_flat(positive, self.dim));
        }
        let unsigned = AffineMap::new(mean.clone(), directions.clone()).apply(points)?;
        let unsigned = unsigned.coordinates();
        let mut coordinates = unsigned.to_owned();
        canonical_signs(coordinates.as_mut());
        for j in 0..self.dim {
            if (0..points.len()).any(|i| coordinates[(i, j)] != unsigned[(i, j)]) {
                directions.col_mut(j).iter_mut().for_each(|v| *v = -*v);
            }
        }
        let map = AffineMap::new(mean, directions);
        let embedding = map.apply(points)?.with_spectrum(sums);
        embedding::implement::proceed(observer, 1, 1)?;
        Ok(Scaled::Points { embedding, trace: total, map })
    }

    /// Scales given distances; stage `"eigenvectors"`.
    pub fn fit_distances(
        &self,
        distances: &Distances,
        observer: &dyn Observer,
    ) -> Result<ClassicalScaling, Error> {
        self.check_count(distances.len())?;
        observer.stage("eigenvectors");
        embedding::implement::proceed(observer, 0, 1)?;
        let (scaling, _) = self.solve(distances, self.dim, observer)?;
        embedding::implement::proceed(observer, 1, 1)?;
        Ok(scaling)
    }

    /// The same, with the curve of residual variances ([`residual_variances`])
    /// over 1, 2, … dimensions: the target dimension and at least `dims` of
    /// them, or as many as have positive eigenvalues. One eigenproblem for both;
    /// stages `"eigenvectors"`, `"residual variance"`.
    pub fn fit_distances_with_curve(
        &self,
        distances: &Distances,
        dims: usize,
        observer: &dyn Observer,
    ) -> Result<(ClassicalScaling, Vec<f64>), Error> {
        self.check_count(distances.len())?;
        let most = distances.len() - 1;
        observer.stage("eigenvectors");
        embedding::implement::proceed(observer, 0, 1)?;
        let (scaling, coordinates) = self.solve(distances, self.dim.max(dims.min(most)), observer)?;
        embedding::implement::proceed(observer, 1, 1)?;
        observer.stage("residual variance");
        embedding::implement::proceed(observer, 0, 1)?;
        let curve = residual_variances(distances, coordinates.as_ref());
        embedding::implement::proceed(observer, 1, 1)?;
        Ok((scaling, curve))
    }

    fn check_count(&self, n: usize) -> Result<(), Error> {
        self.check(Sizes { points: Some(n), ..Sizes::default() })
    }

    /// The scaling, and coordinates in `count` dimensions or as many as have
    /// positive eigenvalues, in units of the distances as stored.
    fn solve(
        &self,
        distances: &Distances,
        count: usize,
        observer: &dyn Observer,
    ) -> Result<(ClassicalScaling, Mat<f64>), Error> {
        let n = distances.len();
        let means = Means::of(distances);
        if means.grand == 0.0 {
            return Err(too_flat(0, self.dim));
        }
        let mut pairs =
            largest(&CenteredSquares(SquaredOperator(distances)), count, self.tolerance, observer)?;
        // Weyl: relative rounding of the squares by ½ ε moves no eigenvalue of B = −½ J S J by more than ¼ ε
        // |S|_F; the eigensolver adds n ε λ₁.
        let stored = 0.25 * distances.packing().precision.epsilon() * frobenius(distances);
        let noise = stored + n as f64 * f64::EPSILON * pairs.values[0].abs();
        let positive = pairs.values.iter().take_while(|v| **v > noise).count();
        let coordinates = Mat::from_fn(n, positive, |i, j| pairs.vectors[(i, j)] * pairs.values[j].sqrt());
        pairs.values.truncate(self.dim);
        pairs.residuals.truncate(self.dim);
        pairs.vectors.resize_with(n, self.dim, |_, _| 0.0);
        Ok((ClassicalScaling::new(distances, pairs, noise, means)?, coordinates))
    }
}

/// Fitted classical scaling, of points or of distances.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FittedClassicalMds {
    scaled: Scaled,
    /// Eigenvalues of points refer to the data divided by it.
    scale: Scale,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Scaled {
    Points {
        embedding: Embedding,
        trace: f64,
        map: AffineMap,
    },
    Distances {
        scaling: ClassicalScaling,
        /// The training points, where the distances are computed from points by a metric.
        training: Option<TrainingPoints>,
    },
}

impl FittedClassicalMds {
    fn new(scaled: Scaled) -> Self {
        Self { scaled, scale: Scale::ONE }
    }

    /// The factor by which coordinates were multiplied.
    fn images(&self) -> Scale {
        self.metric().scale(self.scale)
    }

    /// The d largest eigenvalues of the doubly centered matrix, descending. Where squares of the data exceed
    /// the range of numbers, the eigenvalues refer to the data divided by a power of two, which
    /// [`Fitted::notes`] states.
    pub fn eigenvalues(&self) -> &[f64] {
        self.embedding().spectrum()
    }

    /// The sum of all eigenvalues.
    pub fn trace(&self) -> f64 {
        match &self.scaled {
            Scaled::Points { trace, .. } => *trace,
            Scaled::Distances { scaling, .. } => scaling.trace(),
        }
    }

    /// The negative eigenvalues; Euclidean distances of points have none.
    pub fn negative(&self) -> NegativeEigenvalues {
        match &self.scaled {
            Scaled::Points { .. } => NegativeEigenvalues::NONE,
            Scaled::Distances { scaling, .. } => scaling.negative(),
        }
    }

    /// The metric of the points that were scaled; Euclidean of given distances.
    pub fn metric(&self) -> Metric {
        match &self.scaled {
            Scaled::Distances { training: Some(training), .. } => training.metric(),
            _ => Metric::Euclidean,
        }
    }

    /// The scaling of distances; `None` for points with Euclidean distances.
    pub fn scaling(&self) -> Option<&ClassicalScaling> {
        match &self.scaled {
            Scaled::Points { .. } => None,
            Scaled::Distances { scaling, .. } => Some(scaling),
        }
    }
}

impl Model for FittedClassicalMds {
    fn embedding(&self) -> &Embedding {
        match &self.scaled {
            Scaled::Points { embedding, .. } => embedding,
            Scaled::Distances { scaling, .. } => scaling.embedding(),
        }
    }
}

impl Transform for FittedClassicalMds {
    /// Gower's formula, which for Euclidean distances is the projection on the
    /// principal directions; training rows reproduce to the bit.
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        rows.place_dense(known, |new, _| match &self.scaled {
            Scaled::Points { map, .. } => map.apply(new),
            Scaled::Distances { scaling, training } => {
                let place = |distances: Points<'_>| scaling.place(distances.as_mat());
                let placed = self.scale.divided(new, |new| match training {
                    None => place(new),
                    Some(training) => training.place(new, place),
                });
                placed?.multiplied(self.images())
            }
        })
    }

    /// Defined for Euclidean points, whose scaling is a projection.
    fn invert(&self, places: Points<'_>) -> Result<Option<Embedding>, Error> {
        match &self.scaled {
            Scaled::Points { map, .. } => map.invert(places).map(Some),
            Scaled::Distances { .. } => Ok(None),
        }
    }

    fn linear_map(&self) -> Option<LinearMap> {
        match &self.scaled {
            Scaled::Points { map, .. } => Some(map.in_units_of_data()),
            Scaled::Distances { .. } => None,
        }
    }
}

impl Fitted for FittedClassicalMds {
    fn multiplied(mut self, scale: Scale) -> Result<Self, Error> {
        self.scale = scale;
        let images = self.images();
        self.scaled = match self.scaled {
            Scaled::Distances { scaling, training } => {
                Scaled::Distances { scaling: scaling.multiplied(images)?, training }
            }
            Scaled::Points { embedding, trace, map } => Scaled::Points {
                embedding: embedding.multiplied(images)?,
                trace,
                map: map.multiplied(scale, images),
            },
        };
        Ok(self)
    }

    fn notes(&self) -> Vec<String> {
        match &self.scaled {
            Scaled::Distances { scaling, .. } => scaling.notes(),
            Scaled::Points { map, .. } => {
                self.scale.note("eigenvalues and their sum").into_iter().chain(map.note()).collect()
            }
        }
    }

    fn facts() -> Vec<Fact<Self>> {
        let mut facts = ClassicalScaling::facts_of(Self::scaling);
        facts.retain(|fact| !["eigenvalues", "trace"].contains(&fact.name));
        facts.extend([
            Fact::metric(Self::metric),
            Fact::eigenvalues(Self::eigenvalues),
            Fact::new("trace", "the sum of all eigenvalues", Self::trace),
        ]);
        facts
    }
}

/// A bound on the rounding error of an eigenvalue: from the decomposition, relative to the largest; and from
/// the mean, which every centered entry inherits.
fn rounding(points: Points<'_>, largest: f64) -> f64 {
    let (n, width) = (points.len() as f64, points.dim() as f64);
    let magnitude = points.values().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    n.max(width) * f64::EPSILON * largest + n * width * (n * f64::EPSILON * magnitude).powi(2)
}

/// |S|_F, in stored units.
fn frobenius(distances: &Distances) -> f64 {
    let parts =
        distances.by_strip(|| 0.0, |sum, _, squares| *sum += squares.iter().map(|s| s * s).sum::<f64>());
    (2.0 * parts.iter().sum::<f64>()).sqrt()
}

impl Validate for FittedClassicalMds {
    fn validate(&self) -> Result<(), Error> {
        match &self.scaled {
            Scaled::Distances { scaling, training } => {
                scaling.validate()?;
                let Some(training) = training else { return Ok(()) };
                training.validate()?;
                let trained = training.len() == scaling.embedding().len();
                require(trained, "it does not have a training point for every row")
            }
            Scaled::Points { embedding, trace, map } => {
                map.require_fits(embedding)?;
                require_finite([trace], "its trace")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both triangles of the squares, for a triangle with the sides 1, √2 and √2.
    #[test]
    fn the_norm_of_the_squares_is_that_of_all_entries() -> Result<(), Error> {
        let sides =
            Mat::from_fn(3, 3, |i, j| if i == j { 0.0 } else { f64::sqrt((i + j) as f64).min(2f64.sqrt()) });
        let distances = Distances::from_matrix(sides.as_ref(), Precision::Double)?;
        let unit = distances.unit();
        assert!((frobenius(&distances) * unit * unit - f64::sqrt(2.0 * (1.0 + 4.0 + 4.0))).abs() < 1e-12);
        Ok(())
    }
}
