//! Any method, and a learned function that extends its embedding to new points.

use embedding::implement::Validate;
use embedding::{Embedding, Error, Input, Method, Model, Rows, TrainingRows, Transform};
use serde::{Deserialize, Serialize};

use crate::Regressor;

/// A method whose embedding a regressor learns, so that it can place new points.
///
/// Training rows keep the method's coordinates in the model; placed again they get the function's values. The
/// stages of the method come first, then the stages of the regressor. Where a component policy leaves rows
/// out, the function learns from the others. The memory limit of the input holds for the method; a regressor
/// has its own.
///
/// ```
/// use linear::Pca;
/// use embedding::Points;
/// use regression::{KernelRidge, Learned, PointSet, Transform};
/// let x = PointSet::new((0..50).map(|i| f64::from(i) / 25.0 - 1.0).collect(), 1)?;
/// let learned = Learned { method: Pca { dim: 1, ..Pca::default() }, regressor: KernelRidge::default() };
/// let fitted = learned.fit(&x)?;
/// let placed = fitted.transform(Points::new(&[0.51], 1)?)?;
/// assert!((placed[(0, 0)] - 0.53).abs() < 0.02);
/// # Ok::<(), regression::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Learned<E, R> {
    /// Embeds the training points.
    pub method: E,
    /// Learns the embedding.
    pub regressor: R,
}

impl<E: Method, R: Regressor> Learned<E, R> {
    /// Embeds and learns.
    pub fn fit<'a>(&self, input: impl Into<Input<'a>>) -> Result<FittedLearned<R::Fitted>, Error> {
        let input = input.into();
        let points = input.require_points()?;
        let embedding = self.method.fit(input)?.embedding().clone();
        let kept = embedding.placed_rows().map(|rows| points.select(rows));
        let learned_from = kept.as_ref().map_or(points, |kept| kept.view());
        let function = self.regressor.fit(learned_from, embedding.coordinates(), input.observer())?;
        Ok(FittedLearned { embedding, function })
    }
}

/// An embedding and the learned function that extends it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FittedLearned<F> {
    embedding: Embedding,
    function: F,
}

impl<F> FittedLearned<F> {
    /// Returns the learned function.
    pub fn function(&self) -> &F {
        &self.function
    }
}

impl<F> Model for FittedLearned<F> {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

impl<F: Transform> Transform for FittedLearned<F> {
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        self.function.place(rows, known)
    }
}

impl<F: Validate> Validate for FittedLearned<F> {
    fn validate(&self) -> Result<(), Error> {
        self.function.validate()
    }
}
