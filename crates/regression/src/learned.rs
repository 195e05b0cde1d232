//! Out-of-sample extension of an embedder by regression.

use embedding::{Embedder, Embedding, Error, Model, Observer, PointSet, Points, Transform};
use faer::Mat;
use serde::{Deserialize, Serialize};

use crate::Regressor;

/// An embedder extended to new points by a regressor trained on its embedding.
///
/// The model keeps the embedder's coordinates of the training points; `transform`
/// evaluates the learned function, also at training points. The stages are those of the
/// embedder followed by those of the regressor. If the embedder omits rows, the function
/// is trained on the remaining ones.
///
/// ```
/// use embedding::{Embedder, Embedding, Error, Observer, PointSet, Points, Silent, Transform};
/// use regression::{KernelRidge, Learned};
/// # use faer::Mat;
/// # struct Squares;
/// # impl Embedder for Squares {
/// #     fn name(&self) -> &'static str { "squares" }
/// #     fn embed(&self, points: Points<'_>, _: &dyn Observer) -> Result<Embedding, Error> {
/// #         Ok(Embedding::new(Mat::from_fn(points.len(), 1, |i, _| points.row(i)[0].powi(2))))
/// #     }
/// # }
/// let x = PointSet::new((0..50).map(|i| f64::from(i) / 25.0 - 1.0).collect(), 1)?;
/// let learned = Learned { embedder: Squares, regressor: KernelRidge::default() };
/// let fitted = learned.fit(x.view(), &Silent)?;
/// let placed = fitted.transform(Points::new(&[0.51], 1)?)?;
/// assert!((placed[(0, 0)] - 0.26).abs() < 0.02);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Learned<E, R> {
    /// Embeds the training points.
    pub embedder: E,
    /// Learns the map from points to coordinates.
    pub regressor: R,
}

impl<E: Embedder, R: Regressor> Learned<E, R> {
    /// Embeds the points and trains the regressor on the result.
    pub fn fit(
        &self,
        points: Points<'_>,
        observer: &dyn Observer,
    ) -> Result<FittedLearned<R::Fitted>, Error> {
        let embedding = self.embedder.embed(points, observer)?;
        let kept: PointSet;
        let learned_from = match &embedding.rows {
            None => points,
            Some(rows) => {
                kept = points.select(rows);
                kept.view()
            }
        };
        let function = self.regressor.fit(learned_from, embedding.coordinates.as_ref(), observer)?;
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
    fn transform(&self, new: Points<'_>) -> Result<Mat<f64>, Error> {
        self.function.transform(new)
    }
}
