//! `landmark-mds`.

use mds::{FittedLandmarkMds, LandmarkMds, Landmarks};

use super::entry::{Describe, Placement};
use super::isomap::describe;
use super::parameter::{dim, memory_limit, tolerance};
use super::{Entry, Word};

/// `landmarks`, how many and which.
macro_rules! landmarks {
    () => {
        $crate::methods::parameter::field!(
            "landmarks",
            landmarks,
            "COUNT (each the farthest from those before) or random:COUNT:SEED",
            "how many landmarks, and which"
        )
    };
}
pub(super) use landmarks;

impl Describe for FittedLandmarkMds {}

pub(super) static LANDMARK_MDS: Entry<LandmarkMds, FittedLandmarkMds> = Entry {
    name: "landmark-mds",
    summary: "Classical scaling of a few landmarks; the other points are placed by their distances to them.",
    preserves: "Euclidean distances, the large ones best",
    cost: "time n l D + l^2 d, memory 8 l^2 bytes, l landmarks",
    supervised: false,
    parameters: &[landmarks!(), dim!("1 to l - 1"), tolerance!(), memory_limit!()],
    neighborhood: None,
    fit: |recipe, input, observer| recipe.fit(input.points, observer),
    report: |fitted, _, report| {
        describe(fitted.scaling(), report);
        report.fact("landmarks", fitted.landmarks());
    },
    placement: Placement::by("distances to the landmarks"),
};

impl Word for Landmarks {
    fn show(&self) -> String {
        match self {
            Self::MaxMin { count } => count.to_string(),
            Self::Random { count, seed } => format!("random:{count}:{seed}"),
        }
    }

    fn read(text: &str) -> Option<Self> {
        match *text.split(':').collect::<Vec<_>>() {
            [count] => Some(Self::MaxMin { count: Word::read(count)? }),
            ["random", count, seed] => {
                Some(Self::Random { count: Word::read(count)?, seed: Word::read(seed)? })
            }
            _ => None,
        }
    }
}
