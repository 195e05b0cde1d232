//! `sammon`.

use mds::{FittedConfiguration, Sammon};

use super::Entry;
use super::entry::Placement;
use super::parameter::{dim, field, memory_limit};
use super::smacof::{describe, start};

pub(super) static SAMMON: Entry<Sammon, FittedConfiguration> = Entry {
    name: "sammon",
    summary: "Moves points until their distances fit the data's, each relative to its size.",
    preserves: "Euclidean distances, small ones as well as large ones",
    cost: "time n^3 once, then n^2 d per iteration, memory 56 n^2 bytes",
    supervised: false,
    parameters: &[
        dim!("1 to n - 1"),
        start!(),
        field!("tolerance", tolerance, "0 or more", "relative fall of the stress that counts as none"),
        field!("iterations", max_iterations, "at least 1", "at most"),
        memory_limit!(),
    ],
    neighborhood: None,
    fit: |recipe, input, observer| recipe.fit(input.points, observer),
    report: |fitted, _, report| describe(fitted, report),
    placement: Placement::by("majorization of the new point alone"),
};
