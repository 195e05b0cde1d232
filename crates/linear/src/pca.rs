//! Principal component analysis.

use embedding::implement::{Fact, Scale, Validate, require, require_finite};
use embedding::{
    About, DataKind, Embedding, Error, Explanation, Fitted, Input, Method, Recipe, SparsePoints,
};
use faer::{Mat, MatRef};
use serde::{Deserialize, Serialize};
use spectral::{AffineMap, Principal, Tolerance, dense};

/// Principal component analysis: projection on the directions of largest variance.
///
#[doc = include_str!("pca.md")]
///
/// **Details.** Where D and n both exceed 1,500, C is never formed: a block Krylov method
/// applies the centered data twice per step, and every residual is recomputed. Each direction's
/// entry of largest magnitude is positive. `dim` must lie in 1 ..= min(n, D). Zeros of sparse points are not
/// read: the same method applies the entries, less the mean. Coordinates of sparse points agree with
/// coordinates of the same rows given densely within the tolerance, and with the coordinates of new rows to
/// rounding.
///
/// **Cost.** Time O(n D min(n, D)) and memory O(min(n, D)²) while the smaller side is at most
/// 1,500; O(n D d) per step and O((n + D) d) beyond. For sparse points: time O(entries d + min(n, D) d²) per
/// step and memory O(entries + (n + D) d). The scatter matrix squares the condition number: variances below
/// about 1e-16 of the largest are rounding noise.
///
/// ```
/// use embedding::Points;
/// use linear::{Method, Pca, Transform};
/// let line = [0.0, 0.0, 1.0, 2.0, 2.0, 4.0, 3.0, 6.0];
/// let points = Points::new(&line, 2)?;
/// let fitted = Pca { dim: 1, ..Pca::default() }.fit(points)?;
/// assert!((fitted.explained_variance_ratio()[0] - 1.0).abs() < 1e-12);
/// let back = fitted.inverse_transform(fitted.transform(points)?.coordinates())?;
/// assert!((back[(3, 1)] - 6.0).abs() < 1e-12);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct Pca {
    /// Target dimension d.
    #[param(default = 2, range = "1 to min(n, D)")]
    pub dim: usize,
    /// Residual demanded of the eigenvectors, relative to the operator's norm.
    pub tolerance: Tolerance,
}

impl Method for Pca {
    type Fitted = FittedPca;

    const ABOUT: About = About {
        name: "pca",
        title: "PCA",
        summary: "Projects on the directions of largest variance.",
        preserves: "variance; large distances along flat directions",
        cost: "time n D min(n, D), memory min(n, D)^2",
        new_points: "the same projection; interpolates: near a training row it tends to the row's position",
        accepts: &[DataKind::Points],
        needs_labels: false,
        least_points: 1,
        explanation: Explanation::new(include_str!("pca.md")),
    };

    const SPARSE: bool = true;
    const WEIGHTS: bool = true;

    /// Stages `"components"`, `"projection"`; for sparse points only the first.
    fn fit_input(&self, input: &Input<'_>) -> Result<FittedPca, Error> {
        if let Some(points) = input.sparse_points() {
            if input.row_weights().is_some() {
                return Err(Error::degenerate(
                    "PCA of sparse points has no weights of rows",
                    "leave the weights out, or give the points densely",
                ));
            }
            return self.fit_sparse(points, input);
        }
        let (points, observer) = (input.require_points()?, input.observer());
        let (n, columns) = (points.len(), points.dim());
        let copied = if input.row_weights().is_some() { 8 * (n * columns) as u64 } else { 0 };
        let needed = (copied + Principal::bytes(n, columns)).max(8 * (n * self.dim) as u64);
        input.memory_limit().allow(COMPONENTS, needed, ADVICE)?;
        observer.stage("components");
        let principal = match input.row_weights() {
            Some(weights) => Principal::weighted(points, weights, self.dim, self.tolerance, observer)?,
            None => Principal::new(points, self.dim, self.tolerance, observer)?,
        };
        embedding::implement::proceed(observer, 1, 1)?;
        observer.stage("projection");
        let (sums, total) = (principal.sums, principal.total);
        let map = AffineMap::new(principal.mean, principal.directions);
        let coordinates = map.apply(points)?;
        embedding::implement::proceed(observer, 1, 1)?;
        let count = input.row_weights().map_or(n as f64, |weights| weights.iter().sum());
        Ok(FittedPca::new(coordinates, map, sums, (total, count)))
    }
}

/// What the memory is needed for, and the advice where it is too much.
const COMPONENTS: &str = "the principal components";
const ADVICE: &str = "use random-projection first, or allow more memory";

impl Pca {
    /// The fit to sparse points.
    fn fit_sparse(&self, points: SparsePoints<'_>, input: &Input<'_>) -> Result<FittedPca, Error> {
        let observer = input.observer();
        let coordinates = 8 * (points.len() * self.dim) as u64;
        let needed = Principal::sparse_bytes(points, self.dim) + coordinates;
        input.memory_limit().allow(COMPONENTS, needed, "use fewer rows or columns, or allow more memory")?;
        observer.stage("components");
        let (principal, coordinates, scale) =
            Principal::of_sparse(points, self.dim, self.tolerance, observer)?;
        embedding::implement::proceed(observer, 1, 1)?;
        let map = AffineMap::new(principal.mean, principal.directions);
        let total = (principal.total, points.len() as f64);
        let fitted = FittedPca::new(Embedding::new(coordinates), map, principal.sums, total);
        if scale.is_one() { Ok(fitted) } else { fitted.multiplied(scale) }
    }
}

/// A fitted projection on principal directions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FittedPca {
    embedding: Embedding,
    total_variance: f64,
    map: AffineMap,
    /// The variances refer to the data divided by it.
    scale: Scale,
}

impl FittedPca {
    /// The model with these sums of squares along its directions and of all directions, and a number of rows.
    fn new(coordinates: Embedding, map: AffineMap, sums: Vec<f64>, (total, count): (f64, f64)) -> Self {
        let freedom = if coordinates.len() > 1 { count - 1.0 } else { 1.0 };
        let variances = sums.iter().map(|s| s / freedom).collect();
        let embedding = coordinates.with_spectrum(variances);
        Self { embedding, total_variance: total / freedom, map, scale: Scale::ONE }
    }

    /// Variance along each direction, descending; divisor n − 1, or Σ w − 1 of rows with weights. Where squares of the data exceed the range
    /// of numbers, the variances refer to the data divided by a power of two, which [`Fitted::notes`] states.
    pub fn explained_variance(&self) -> &[f64] {
        self.embedding.spectrum()
    }

    /// The same as fractions of the total variance; zero for constant data.
    pub fn explained_variance_ratio(&self) -> Vec<f64> {
        let total = self.total_variance;
        self.explained_variance().iter().map(|v| if total > 0.0 { v / total } else { 0.0 }).collect()
    }

    /// The variance of the data, all directions together, in the unit of the others.
    pub fn total_variance(&self) -> f64 {
        self.total_variance
    }

    /// The principal directions, one per column, D × d, orthonormal.
    pub fn directions(&self) -> MatRef<'_, f64> {
        self.map.matrix().as_ref()
    }

    /// The column means of the training data. Where they are below the normal numbers, they refer to the data
    /// divided by a power of two, which [`Fitted::notes`] states.
    pub fn mean(&self) -> &[f64] {
        self.map.origin()
    }

    /// The points of the data space that lie at the given coordinates (m × d):
    /// μ + [v₁ … v_d] y, m × D.
    pub fn inverse_transform(&self, coordinates: MatRef<'_, f64>) -> Result<Mat<f64>, Error> {
        let directions = self.directions();
        if coordinates.ncols() != directions.ncols() {
            return Err(Error::Shape {
                what: "the number of coordinates",
                expected: directions.ncols().to_string(),
                got: coordinates.ncols().to_string(),
            });
        }
        let mut points = dense::product(coordinates, directions.transpose());
        for (j, mean) in self.mean().iter().enumerate() {
            points.col_mut(j).iter_mut().for_each(|x| *x += mean);
        }
        Ok(points)
    }
}

spectral::projection_model!(FittedPca);

impl Fitted for FittedPca {
    fn multiplied(self, scale: Scale) -> Result<Self, Error> {
        let map = self.map.multiplied(scale, scale);
        Ok(Self { embedding: self.embedding.multiplied(scale)?, map, scale, ..self })
    }

    fn notes(&self) -> Vec<String> {
        self.scale.note("the variances").into_iter().chain(self.map.note()).collect()
    }

    fn facts() -> Vec<Fact<Self>> {
        vec![
            Fact::new("explained_variance", "variance along each direction", |m: &Self| {
                m.explained_variance().to_vec()
            }),
            Fact::new(
                "explained_variance_ratio",
                "the same as fractions of the total",
                Self::explained_variance_ratio,
            ),
            Fact::new(
                "total_variance",
                "variance of the data in all directions together",
                Self::total_variance,
            ),
        ]
    }
}

impl Validate for FittedPca {
    fn validate(&self) -> Result<(), Error> {
        self.map.require_fits(&self.embedding)?;
        require(
            self.embedding.spectrum().len() == self.embedding.dim(),
            "it does not have a variance for every coordinate",
        )?;
        require_finite([&self.total_variance], "its total variance")
    }
}
