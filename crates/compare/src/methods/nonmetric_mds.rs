//! `nonmetric-mds`.

use mds::{FittedConfiguration, NonmetricMds, Ties};

use super::Entry;
use super::entry::Placement;
use super::parameter::{dim, field, memory_limit};
use super::smacof::{describe, start};
use super::word::words;

words!(Ties { Primary = "primary", Secondary = "secondary" });

pub(super) static NONMETRIC_MDS: Entry<NonmetricMds, FittedConfiguration> = Entry {
    name: "nonmetric-mds",
    summary: "Moves points until the order of their distances fits that of the data's.",
    preserves: "the order of Euclidean distances",
    cost: "time n^2 log n, then n^2 d per iteration, memory 40 n^2 bytes",
    supervised: false,
    parameters: &[
        dim!("1 to n - 1"),
        start!(),
        field!("ties", ties, "primary or secondary", "whether equal distances may become different"),
        field!("tolerance", tolerance, "0 or more", "relative fall of the stress that counts as none"),
        field!("iterations", max_iterations, "at least 1", "at most"),
        memory_limit!(),
    ],
    neighborhood: None,
    fit: |recipe, input, observer| recipe.fit(input.points, observer),
    report: |fitted, _, report| describe(fitted, report),
    placement: Placement::by("majorization of the new point alone"),
};
