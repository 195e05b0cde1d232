//! `pca`.

use linear::{FittedPca, Pca};

use super::Entry;
use super::entry::{Describe, Placement};
use super::parameter::{dim, tolerance};

impl Describe for FittedPca {}

pub(super) static PCA: Entry<Pca, FittedPca> = Entry {
    name: "pca",
    summary: "Projects on the directions of largest variance.",
    preserves: "variance; large distances along flat directions",
    cost: "time n D min(n, D), memory min(n, D)^2",
    supervised: false,
    parameters: &[dim!("1 to min(n, D)"), tolerance!()],
    neighborhood: None,
    fit: |recipe, input, observer| recipe.fit(input.points, observer),
    report: |fitted, _, report| {
        report.fact("explained_variance", fitted.explained_variance());
        report.fact("explained_variance_ratio", fitted.explained_variance_ratio());
        report.fact("total_variance", fitted.total_variance());
    },
    placement: Placement::by("the same projection"),
};
