//! `random-projection`.

use linear::{Distribution, FittedRandomProjection, RandomProjection};

use super::Entry;
use super::entry::{Describe, Placement};
use super::parameter::{dim, field, seed};
use super::word::words;

impl Describe for FittedRandomProjection {}

words!(Distribution { Gaussian = "gaussian", Sparse = "sparse" });

pub(super) static RANDOM_PROJECTION: Entry<RandomProjection, FittedRandomProjection> = Entry {
    name: "random-projection",
    summary: "Projects on random directions: the baseline that knows nothing of the data.",
    preserves: "distances in the mean, within an error that shrinks as d grows",
    cost: "time n D d, memory D d",
    supervised: false,
    parameters: &[
        dim!("at least 1"),
        field!("distribution", distribution, "gaussian or sparse", "of the matrix's entries"),
        seed!(),
    ],
    neighborhood: None,
    fit: |recipe, input, observer| recipe.fit(input.points, observer),
    report: |_, _, _| {},
    placement: Placement::by("the same projection"),
};
