//! Fitted models that place new points.

use crate::{Embedding, Error, LinearMap, NewNeighbors, Points, Rows, TrainingRows};

/// A model that has the embedding of its training points.
pub trait Model {
    /// The coordinates of the training points, with the rows that were placed.
    fn embedding(&self) -> &Embedding;
}

/// A fitted model that can place new points.
///
/// An implementation provides [`Transform::place`]; callers usually use [`Transform::transform`].
/// Linear models also provide [`Transform::invert`] and [`Transform::linear_map`].
///
/// Rows are placed one by one: the coordinates of a row depend on that row alone, so that
/// `transform(subset)` equals the rows of `transform(all)`.
/// [`About::new_points`](crate::About::new_points) says whether the extension interpolates: whether
/// a row near a training row is placed near it, and how far from it otherwise.
pub trait Transform {
    /// Places new rows (m × D), dense or sparse; returns m × d coordinates. Sparse rows get the
    /// coordinates of the same rows with their zeros, to the bit.
    ///
    /// A row that equals a training row is placed as `known` requests: at the coordinates of the
    /// training row, exactly or up to rounding, or by the extension as any other row. If it equals
    /// several training rows, it gets the coordinates of one of them. With
    /// [`TrainingRows::LeftOut`] each row is placed as if one training row did not exist.
    ///
    /// Models that read all values of a row fill in the zeros of sparse rows block by block
    /// ([`Rows::place_dense`]). A model of distances takes the distances from new points to the
    /// training points, m × n. Fails with [`Error::Shape`] when the number of columns differs from
    /// the training data's, and where the model cannot place points; with [`Error::Parameter`] unless
    /// [`TrainingRows::LeftOut`] has an element for every row.
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error>;

    /// Places new points by their neighbors among the training points, in a model that was fitted to neighbor
    /// lists alone: Isomap, landmark Isomap, C-Isomap, Laplacian eigenmaps, diffusion maps, t-SNE, UMAP and densMAP.
    /// The places are those by coordinates, where the lists are those that a search of these finds. `known` is as
    /// in [`Transform::place`]; a point with a neighbor at distance 0 equals that training point.
    ///
    /// Each list is cut to the number of neighbors of the fit; a shorter one is used as it is. Fails with
    /// [`Error::Degenerate`] where the model was fitted to something else, where its method reads the coordinates
    /// of neighbors, and where a list has no training point that has a place.
    fn place_listed(&self, _new: &NewNeighbors, _known: TrainingRows<'_>) -> Result<Embedding, Error> {
        Err(Error::degenerate(
            "the model places new points by their coordinates or by their distances to all training points, and \
             neighbor lists are given",
            "give coordinates or distances, or fit isomap, laplacian-eigenmaps, diffusion-maps, tsne, umap or densmap to \
             neighbor lists",
        ))
    }

    /// The number of training points among which new points have their neighbor lists
    /// ([`Transform::place_listed`]); `None` unless the model was fitted to neighbor lists alone.
    fn lists_among(&self) -> Option<usize> {
        None
    }

    /// Places new points (m × D); rows that equal training rows get their coordinates.
    fn transform(&self, new: Points<'_>) -> Result<Embedding, Error> {
        self.place(new.into(), TrainingRows::Stored)
    }

    /// Places new points (m × D) by the extension alone, whether they equal training rows or not.
    fn transform_ignoring_matches(&self, new: Points<'_>) -> Result<Embedding, Error> {
        self.place(new.into(), TrainingRows::Extended)
    }

    /// The points of the data space (m × D) that a linear model maps to the given coordinates
    /// (m × d), in each case the one nearest to the model's origin; `None` for other models.
    ///
    /// Fails with [`Error::Shape`] when the coordinates do not have as many columns as the embedding.
    fn invert(&self, _places: Points<'_>) -> Result<Option<Embedding>, Error> {
        Ok(None)
    }

    /// The affine map of a linear model; `None` for every model without [`Transform::invert`].
    fn linear_map(&self) -> Option<LinearMap> {
        None
    }

    /// The smallest eigenvalue of each training point's block of the Hessian of the loss, one per row of
    /// the embedding; `None` for models of other methods than t-SNE and UMAP, such as densMAP. The inverse of an
    /// eigenvalue is the singularity score of its point: large or negative where a small change of the data
    /// moves the point far.
    ///
    /// Fails with [`Error::Degenerate`] where the model does not have what the loss is computed from.
    fn curvatures(&self) -> Result<Option<Vec<f64>>, Error> {
        Ok(None)
    }
}
