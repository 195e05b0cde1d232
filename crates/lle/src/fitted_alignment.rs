//! The fitted model of the methods of the family.

use embedding::implement::{Fact, Validate, require, require_finite};
use embedding::{Embedding, Error, Fitted, Model, PointSet, Rows, TrainingRows, Transform};
use serde::{Deserialize, Serialize};
use spectral::Pairs;

use crate::barycentric_extension::BarycentricExtension;
use crate::basis::ColumnNorm;
use crate::tangent_maps::TangentMaps;

/// Coordinates from the bottom of an alignment matrix; new points by an
/// extension `E`, [`BarycentricExtension`] or [`TangentMaps`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FittedAlignment<E> {
    embedding: Embedding,
    residuals: Vec<f64>,
    extension: E,
}

impl<E> FittedAlignment<E> {
    pub(crate) fn new(basis: Pairs, scale: ColumnNorm, extension: E) -> Self {
        let norm = scale.norm(basis.vectors.nrows());
        let coordinates = &basis.vectors * faer::Scale(norm);
        Self {
            embedding: Embedding::new(coordinates).with_spectrum(basis.values),
            residuals: basis.residuals,
            extension,
        }
    }

    /// Eigenvalues of the alignment matrix, ascending, without the zero of the
    /// constant vector.
    pub fn eigenvalues(&self) -> &[f64] {
        self.embedding.spectrum()
    }

    /// |M v − λ v| / |M| of each eigenvector v of norm one.
    pub fn residuals(&self) -> &[f64] {
        &self.residuals
    }

    /// The part that the local models leave unexplained, tr YᵀMY for columns of norm one: the sum of the
    /// eigenvalues.
    pub fn reconstruction_error(&self) -> f64 {
        self.eigenvalues().iter().sum()
    }
}

impl<E> Model for FittedAlignment<E> {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

impl Transform for FittedAlignment<BarycentricExtension> {
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        rows.place_dense(known, |new, known| self.extension.place(new, &self.embedding, known))
    }
}

impl Transform for FittedAlignment<TangentMaps> {
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        rows.place_dense(known, |new, known| self.extension.place(new, &self.embedding, known))
    }
}

impl Fitted for FittedAlignment<BarycentricExtension> {
    fn training_points(&self) -> Result<Option<PointSet>, Error> {
        Ok(self.extension.points().map(|points| points.to_owned()))
    }

    fn facts() -> Vec<Fact<Self>> {
        facts_of(|m| m)
    }
}

impl Fitted for FittedAlignment<TangentMaps> {
    fn training_points(&self) -> Result<Option<PointSet>, Error> {
        Ok(self.extension.points().map(|points| points.to_owned()))
    }

    fn facts() -> Vec<Fact<Self>> {
        facts_of(|m| m)
    }
}

/// The facts of a model of type `M` that contains such coordinates.
pub(crate) fn facts_of<M: 'static, E: 'static>(alignment: fn(&M) -> &FittedAlignment<E>) -> Vec<Fact<M>> {
    vec![
        Fact::eigenvalues(move |m: &M| alignment(m).eigenvalues()),
        Fact::residuals(move |m: &M| alignment(m).residuals()),
        Fact::new(
            "reconstruction_error",
            "what the embedding leaves unexplained: the sum of the eigenvalues",
            move |m: &M| alignment(m).reconstruction_error(),
        ),
    ]
}

impl Validate for FittedAlignment<BarycentricExtension> {
    fn validate(&self) -> Result<(), Error> {
        self.extension.validate()?;
        self.require_points(self.extension.len())
    }
}

impl Validate for FittedAlignment<TangentMaps> {
    fn validate(&self) -> Result<(), Error> {
        self.extension.validate()?;
        let same = self.extension.dim() == self.embedding.dim();
        require(same, "its tangent spaces have another dimension than its coordinates")?;
        self.require_points(self.extension.len())
    }
}

impl<E> FittedAlignment<E> {
    /// Fails unless there are as many training points as rows, and an eigenvalue for each
    /// coordinate.
    fn require_points(&self, count: usize) -> Result<(), Error> {
        require(count == self.embedding.len(), "it does not have a training point for every row")?;
        let dim = self.embedding.dim();
        let pairs = self.residuals.len() == dim && self.embedding.spectrum().len() == dim;
        require(pairs, "it does not have an eigenvalue for every coordinate")?;
        require_finite(&self.residuals, "a residual")
    }
}
