//! `classical-mds`.

use mds::{ClassicalMds, FittedClassicalMds};

use super::Entry;
use super::entry::{Describe, Placement};
use super::parameter::{dim, tolerance};

impl Describe for FittedClassicalMds {}

pub(super) static CLASSICAL_MDS: Entry<ClassicalMds, FittedClassicalMds> = Entry {
    name: "classical-mds",
    summary: "Coordinates whose inner products are those of the data, as nearly as d dimensions allow.",
    preserves: "Euclidean distances, the large ones best; equals pca on points",
    cost: "time n D min(n, D), memory min(n, D)^2",
    supervised: false,
    parameters: &[dim!("1 to the rank of the data"), tolerance!()],
    neighborhood: None,
    fit: |recipe, input, observer| recipe.fit(input.points, observer),
    report: |fitted, _, report| {
        report.fact("eigenvalues", fitted.eigenvalues());
        report.fact("trace", fitted.trace());
    },
    placement: Placement::by("the same projection"),
};
