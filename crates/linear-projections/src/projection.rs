//! The eigenproblem that the linear projections share, and its result.

use embedding::implement::{Division, Fact, Scale, Sizes, Validate, require, require_finite};
use embedding::{Embedding, Error, Fitted, MemoryLimit, Observer, Points};
use faer::Mat;
use neighbor_graph::Manifold;
use serde::{Deserialize, Serialize};
use spectral::memory::rayleigh_ritz_bytes;
use spectral::{AffineMap, QuadraticForm, RayleighRitz, RowSpace, canonical_signs, dense, rayleigh_ritz};

/// What a projection minimizes.
pub(crate) struct Objective<'a> {
    /// yᵀ M y.
    pub(crate) form: QuadraticForm<'a>,
    /// The diagonal of D in yᵀ D y; all ones by default.
    pub(crate) weights: Option<&'a [f64]>,
    /// Principal directions to keep at most; by default all that the data span.
    pub(crate) principal: Option<usize>,
    /// The memory of the matrix and all that it was made of, as a multiple of its own.
    pub(crate) made: u64,
}

impl Objective<'_> {
    /// The `dim` linear maps of smallest yᵀ M y / yᵀ D y, with yᵀ D y = tr D.
    ///
    /// Stages `"row space"`, `"eigenvectors"`.
    pub(crate) fn project(self, manifold: &Manifold<'_>, dim: usize) -> Result<FittedProjection, Error> {
        let points = manifold.data.points().ok_or_else(Error::no_points)?;
        let observer = manifold.observer;
        let (n, columns) = (points.len(), points.dim());
        let rank = self.principal.unwrap_or(usize::MAX).min(columns).min(n);
        let form = manifold.neighbors.bytes() + self.made * self.form.bytes();
        let sizes = Sizes { points: Some(n), columns: Some(columns), ..Sizes::default() };
        let scale = Scale::of_points(points, Division::SQUARES);
        let copied = if scale.is_one() { 0 } else { 8 * (n * columns) as u64 };
        let solving = copied + form + rayleigh_ritz_bytes(self.form, n, rank);
        allow(sizes, self.principal, solving, manifold.memory_limit)?;
        observer.stage("row space");
        scale.divided(points, |points| self.within(points, dim, observer))?.multiplied(scale)
    }

    /// The same for points of ordinary scale.
    fn within(
        self,
        points: Points<'_>,
        dim: usize,
        observer: &dyn Observer,
    ) -> Result<FittedProjection, Error> {
        let space = RowSpace::new(points, self.principal, observer)?;
        let rank = space.coordinates.ncols();
        if rank < dim {
            return Err(Error::degenerate(
                format!(
                    "the projection is made of {rank} directions of the data, fewer than the {dim} wanted"
                ),
                "choose a smaller target dimension, or keep more principal directions",
            ));
        }
        observer.stage("eigenvectors");
        let problem = RayleighRitz {
            form: self.form,
            columns: space.coordinates.as_ref(),
            weights: self.weights,
            count: dim,
        };
        let pairs = rayleigh_ritz(problem, observer)?;
        let total = self.weights.map_or(points.len() as f64, |weights| weights.iter().sum());
        let mut directions =
            dense::product(space.map.as_ref(), pairs.vectors.as_ref()) * faer::Scale(total.sqrt());
        canonical_signs(directions.as_mut());
        let origin = self.weights.map_or(space.mean, |weights| weighted_mean(points, weights));
        let map = AffineMap::new(origin, directions);
        let embedding = map.apply(points)?.with_spectrum(pairs.values);
        Ok(FittedProjection { embedding, map, residuals: pairs.residuals, rank })
    }
}

/// Σ wᵢ xᵢ / Σ wᵢ.
fn weighted_mean(points: Points<'_>, weights: &[f64]) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    let mut mean = vec![0.0; points.dim()];
    for (row, weight) in points.rows().zip(weights) {
        mean.iter_mut().zip(row).for_each(|(m, x)| *m += weight / total * x);
    }
    mean
}

/// Fails where the data in their row space, and `solving` bytes of the eigenproblem with the
/// matrix and the lists, exceed the limit.
pub(crate) fn allow(
    sizes: Sizes,
    principal: Option<usize>,
    solving: u64,
    limit: MemoryLimit,
) -> Result<(), Error> {
    let (Some(n), Some(columns)) = (sizes.points, sizes.columns) else { return Ok(()) };
    // What the one stage frees stays with common allocators.
    let needed = RowSpace::bytes(n, columns, principal) + solving;
    limit.allow("the row space of the data", needed, "use fewer points, or fewer principal directions")
}

/// A fitted linear projection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FittedProjection {
    embedding: Embedding,
    map: AffineMap,
    residuals: Vec<f64>,
    rank: usize,
}

impl FittedProjection {
    /// The directions a, one per column, D × d: coordinates are Aᵀ (x − origin). For data near the smallest
    /// numbers, both refer to the data divided by a power of two, which [`Fitted::notes`] states.
    pub fn directions(&self) -> &Mat<f64> {
        self.map.matrix()
    }

    /// The point that is mapped to zero: the mean of the data, for [`crate::Lpp`] weighted by
    /// the degrees.
    pub fn origin(&self) -> &[f64] {
        self.map.origin()
    }

    /// The eigenvalues λ = yᵀ M y / yᵀ D y, ascending.
    pub fn eigenvalues(&self) -> &[f64] {
        self.embedding.spectrum()
    }

    /// The relative residual of each eigenpair in the row space of the data.
    pub fn residuals(&self) -> &[f64] {
        &self.residuals
    }

    /// The number of directions of the data that the map is made of.
    pub fn rank(&self) -> usize {
        self.rank
    }
}

spectral::projection_model!(FittedProjection);

impl Fitted for FittedProjection {
    fn multiplied(self, scale: Scale) -> Result<Self, Error> {
        Ok(Self { map: self.map.multiplied(scale, Scale::ONE), ..self })
    }

    fn notes(&self) -> Vec<String> {
        self.map.note().into_iter().collect()
    }

    fn facts() -> Vec<Fact<Self>> {
        vec![
            Fact::eigenvalues(Self::eigenvalues),
            Fact::residuals(Self::residuals),
            Fact::new("rank", "directions of the data that the map is made of", Self::rank),
        ]
    }
}

impl Validate for FittedProjection {
    fn validate(&self) -> Result<(), Error> {
        self.map.require_fits(&self.embedding)?;
        let dim = self.embedding.dim();
        let pairs = self.residuals.len() == dim && self.embedding.spectrum().len() == dim;
        require(pairs && self.rank >= dim, "it does not have an eigenvalue for every coordinate")?;
        require_finite(&self.residuals, "a residual")
    }
}
