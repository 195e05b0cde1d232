//! New rows that equal training rows, and training rows that are left out.

use std::ops::Range;

use crate::Error;

/// How a model treats its training rows when it places new rows.
///
/// If the extension of a method interpolates, [`TrainingRows::Stored`] and
/// [`TrainingRows::Extended`] agree up to rounding. If it does not (t-SNE, UMAP, iterative scaling,
/// Nyström's formula), the stored place of a row differs from the places of points arbitrarily near
/// the row; the documentation of each such method states the difference.
///
/// # Leaving a row out
/// With [`TrainingRows::LeftOut`] a new row is placed as if one training row did not exist, while
/// all other rows keep their places: the leave-one-out map of Liu, Ma and Zhong (2025),
/// doi:10.1038/s41467-025-60434-9. If that row is among merged copies, its copies stay. Nothing is
/// fitted again, so that the fitted parts of a model still contain the row:
///
/// | model | without the row | still with the row |
/// |---|---|---|
/// | LLE and its variants, LTSA, Hessian LLE, conformal eigenmaps, maximum variance unfolding | neighbors and weights of the new row | places of the other rows |
/// | Laplacian eigenmaps, diffusion maps | neighbors and degree of the new row | eigenfunctions, densities |
/// | Isomap and its variants | edges of the new row | paths between other rows that pass the row, mean and eigenvectors of the scaling |
/// | metric, non-metric scaling, Sammon's mapping | all terms of the stress of the new row | places of the other rows |
/// | t-SNE | neighbors, attraction and repulsion, with all probabilities recomputed | places of the other rows |
/// | UMAP, densMAP | neighbors and attraction | random points of the repulsion |
/// | PaCMAP, LocalMAP, TriMap | neighbors, outliers | scales of the other rows, principal components |
/// | PHATE | neighbors, kernel of the new row | places of the other rows and of landmarks |
/// | linear maps, kernel PCA, classical and landmark scaling | nothing: the map is one formula for all rows | the whole map |
///
/// For the last group the place of a row left out is therefore its place by the extension. One row
/// of n changes such a map by O(1/n).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TrainingRows<'a> {
    /// A new row that equals a training row is placed at the coordinates of that row in the
    /// embedding; if several rows are equal, at the coordinates of the first one.
    #[default]
    Stored,
    /// A new row that equals a training row is placed where the extension places any other row:
    /// continuous with the rows around it.
    Extended,
    /// For each new row the training row, by its number in the training data, without which the new
    /// row is placed, otherwise as [`TrainingRows::Extended`]. With `None`, or a row that the model
    /// does not contain, no row is left out.
    LeftOut(&'a [Option<u32>]),
}

impl<'a> TrainingRows<'a> {
    /// The training row that is left out for a new row.
    pub fn left_out(self, new_row: usize) -> Option<u32> {
        match self {
            Self::LeftOut(rows) => rows.get(new_row).copied().flatten(),
            Self::Stored | Self::Extended => None,
        }
    }

    /// The same for some of the new rows.
    ///
    /// # Panics
    /// If the range exceeds the rows that are left out; see [`TrainingRows::check`].
    #[must_use]
    pub fn part(self, new_rows: Range<usize>) -> Self {
        match self {
            Self::LeftOut(rows) => Self::LeftOut(&rows[new_rows]),
            Self::Stored | Self::Extended => self,
        }
    }

    /// Fails with [`Error::Parameter`] unless there is one element for each of `count` new rows.
    pub fn check(self, count: usize) -> Result<(), Error> {
        match self {
            Self::LeftOut(rows) if rows.len() != count => Err(Error::parameter(
                "the number of rows left out",
                format!("{count}, one for each new row"),
                rows.len(),
            )),
            _ => Ok(()),
        }
    }
}
