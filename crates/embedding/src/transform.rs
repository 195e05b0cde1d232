//! Fitted models that place new points.

use crate::{Embedding, Error, ExactMatches, LinearMap, NewPoints, Points};

/// A model that has the embedding of its training points.
pub trait Model {
    /// The coordinates of the training points, with the rows that were placed.
    fn embedding(&self) -> &Embedding;
}

/// A fitted model that can place new points.
///
/// A row that equals a training row returns to its place in the embedding, exactly or up to
/// rounding (one that equals several, to that of one of them); [`Transform::extend`] disregards
/// that. [`About::new_points`](crate::About::new_points) says whether the extension interpolates, so that rows beside a training row tend to its place,
/// and how far from it they are otherwise.
///
/// Row by row: a row's coordinates depend on that row alone, so that
/// `transform(subset)` equals the rows of `transform(all)`.
pub trait Transform {
    /// Places new points (m × D); returns m × d coordinates.
    ///
    /// A model of distances takes the distances of new points to the training
    /// points, m × n. Fails with [`Error::Shape`] when the number of columns differs
    /// from the training data's, and where the model cannot place points.
    fn transform(&self, new: Points<'_>) -> Result<Embedding, Error>;

    /// Places new points by the extension alone, whether they equal training rows or not;
    /// the same as [`Transform::transform`] where that is one formula for all points.
    fn extend(&self, new: Points<'_>) -> Result<Embedding, Error> {
        self.transform(new)
    }

    /// Places new points, those that equal training rows as requested.
    fn transform_by(&self, new: Points<'_>, exact: ExactMatches) -> Result<Embedding, Error> {
        match exact {
            ExactMatches::Stored => self.transform(new),
            ExactMatches::Extended => self.extend(new),
        }
    }

    /// Places new points, with all values or sparse: the places of the same rows by
    /// [`Transform::transform_by`], to the bit.
    ///
    /// Models of neighbors among sparse points compare sparse rows; for all others some rows at a
    /// time are filled in with their zeros.
    fn place(&self, new: NewPoints<'_>, exact: ExactMatches) -> Result<Embedding, Error> {
        let (mut values, mut dim) = (Vec::new(), 0);
        new.dense_blocks(|rows| {
            let placed = self.transform_by(rows, exact)?;
            dim = placed.dim();
            values.extend_from_slice(placed.values());
            Ok(())
        })?;
        Ok(Embedding::from_rows(values, dim))
    }

    /// The points of the data space (m × D) that a linear map takes to given places (m × d):
    /// of all such points those nearest to its origin; `None` of every other model.
    ///
    /// Fails with [`Error::Shape`] when the number of columns is not that of the embedding.
    fn invert(&self, _places: Points<'_>) -> Result<Option<Embedding>, Error> {
        Ok(None)
    }

    /// The map of a linear model, of every model with [`Transform::invert`]; `None` of every other.
    fn linear_map(&self) -> Option<LinearMap> {
        None
    }
}
