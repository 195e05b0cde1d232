//! Whether `compare embed` reads the zeros of a sparse matrix. What a map becomes does not depend
//! on what else is written.

use embedding::{Data, DynMethod, Error, Metric};

use super::arguments::Embed;
use super::settings::InputSettings;
use crate::Failure;
use crate::results::MethodResults;

/// Whether and why the zeros of a sparse matrix are read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Zeros {
    /// They are not: neighbor lists are all that the fit reads.
    LeftOut,
    /// The initial map is computed from the coordinates.
    ForTheStart,
    /// The method, or an option of the search, reads the coordinates.
    ForTheFit,
}

impl Zeros {
    /// What a method and the options ask for.
    pub(super) fn of(method: &dyn DynMethod, arguments: &Embed, given: InputSettings) -> Self {
        let lists_alone = method.about().accepts.contains(&Data::Neighbors) && given.given == Data::Points;
        let options = arguments.reading.standardize
            || arguments.fit_on.is_some()
            || arguments.cut_shortcuts.is_some()
            || arguments.neighbor_recall.is_some();
        if !lists_alone || options {
            Self::ForTheFit
        } else if method.parameters().iter().any(|info| info.name == "start" && info.value == "pca") {
            Self::ForTheStart
        } else {
            Self::LeftOut
        }
    }

    /// Whether the neighbors are searched without the zeros: where the fit reads no coordinates,
    /// and by correlation where its start alone does, since its distances agree with those of all
    /// values to rounding only, which layouts amplify.
    pub(super) fn search_without(self, metric: Metric) -> bool {
        match self {
            Self::LeftOut => true,
            Self::ForTheStart => metric == Metric::Correlation,
            Self::ForTheFit => false,
        }
    }

    /// The failure to read the input, with the start that needs no zeros where these are read for
    /// the start alone.
    pub(super) fn failed(self, failure: Failure) -> Failure {
        match (self, failure) {
            (Self::ForTheStart, Failure::Failed(Error::Memory { stage, needed, allowed, .. })) => {
                let advice = "read fewer rows, allow more memory, or choose --set start=random, by which the \
                              zeros of a sparse matrix are not read";
                Failure::Failed(Error::Memory { stage, needed, allowed, advice })
            }
            (_, failure) => failure,
        }
    }
}

/// The number of components of a graph that a fit without the zeros put at random places, and
/// one with them puts by their means: those of a spectral start, of more than two components for
/// each dimension of the map.
pub(super) fn scattered(row: &MethodResults) -> Option<u64> {
    let components = row.facts.get("graph_components")?.as_u64()?;
    (row.recipe["start"] == "spectral" && components > 2 * row.dim as u64).then_some(components)
}
