//! Interpolation by barycentric weights.

use embedding::implement::{Validate, proceed, require, require_finite};
use embedding::{Embedding, Error, Observer, Points, Rows, TrainingRows, Transform};
use faer::MatRef;
use lle::extension::BarycentricExtension;
use serde::{Deserialize, Serialize};

use crate::{Regressor, check_targets};

/// Interpolation of targets by barycentric weights among the nearest points.
///
/// **Idea.** A point is an affine combination of its neighbors, and its image is the same
/// combination of theirs: LLE's extension, between any two spaces. With the positions in a map as points and
/// the data as targets it decodes positions in the map.
///
/// **Definition.** f(x) = Σⱼ wⱼ tⱼ over the k nearest points xⱼ with targets tⱼ, where w has
/// sum one and minimizes |x − Σⱼ wⱼ xⱼ|² + r k Σⱼ wⱼ² |x − xⱼ|², r the regularization.
///
/// **Steps and cost.** Stage `"points"` copies points and targets. Each evaluation is a
/// neighbor search and O(k² d + k³ + k D), for d columns of points and D of targets.
///
/// **When it fails.** Weights may be negative, above all outside of the convex hull of the
/// neighbors: decoded values can leave the range of the targets. f jumps where the k nearest
/// points change. At a point it is exact: the first of several equal points has its own target,
/// to the bit. Where all points coincide, there is nothing to interpolate, and the fit fails.
///
/// ```
/// use embedding::{PointSet, Points, Silent, Transform};
/// use faer::Mat;
/// use regression::{LocalBarycentric, Regressor};
/// // Places on a square, and the data that they stand for: an affine image in space.
/// let places: Vec<[f64; 2]> = (0..25).map(|i| [f64::from(i % 5), f64::from(i / 5)]).collect();
/// let data = Mat::from_fn(25, 3, |i, j| places[i][0] * [1.0, 2.0, 0.0][j] + places[i][1]);
/// let inverse =
///     LocalBarycentric::default().fit(PointSet::from_rows(&places)?.view(), data.as_ref(), &Silent)?;
/// let decoded = inverse.transform(Points::new(&[1.5, 2.5], 2)?)?;
/// assert!((decoded[(0, 1)] - 5.5).abs() < 1e-2);
/// # Ok::<(), embedding::Error>(())
/// ```
///
/// **Reference.** Saul and Roweis, Think globally, fit locally: unsupervised learning of low
/// dimensional manifolds, JMLR 4 (2003), 119–155, section 6.1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LocalBarycentric {
    /// Number of neighbors, at least 1; all points where there are no more than k + 1;
    /// default 10.
    pub k: usize,
    /// The regularization r of the weights, positive; default 1e-3.
    pub regularization: f64,
}

impl Default for LocalBarycentric {
    fn default() -> Self {
        Self { k: 10, regularization: 1e-3 }
    }
}

impl Regressor for LocalBarycentric {
    type Fitted = FittedLocalBarycentric;

    fn fit(
        &self,
        points: Points<'_>,
        targets: MatRef<'_, f64>,
        observer: &dyn Observer,
    ) -> Result<FittedLocalBarycentric, Error> {
        check_targets(points, targets)?;
        observer.stage("points");
        proceed(observer, 0, 1)?;
        let map = BarycentricExtension::of_points(points, self.k, self.regularization)?;
        proceed(observer, 1, 1)?;
        Ok(FittedLocalBarycentric { map, targets: Embedding::new(targets.to_owned()) })
    }
}

/// A fitted interpolation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FittedLocalBarycentric {
    map: BarycentricExtension,
    targets: Embedding,
}

impl Transform for FittedLocalBarycentric {
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        rows.place_dense(known, |new, known| self.map.place(new, &self.targets, known))
    }
}

impl Validate for FittedLocalBarycentric {
    fn validate(&self) -> Result<(), Error> {
        self.map.validate()?;
        require(self.map.len() == self.targets.len(), "it does not have a target for every point")?;
        require_finite(self.targets.values(), "a target")
    }
}
