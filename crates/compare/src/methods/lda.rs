//! `lda`.

use embedding::Error;
use linear::{FittedLda, Lda};

use super::Entry;
use super::entry::{Describe, Placement};
use super::parameter::{dim, field};

impl Describe for FittedLda {}

pub(super) static LDA: Entry<Lda, FittedLda> = Entry {
    name: "lda",
    summary: "Projects on the directions that separate known classes best.",
    preserves: "the separation of the given classes",
    cost: "time n D min(n, D), memory D min(n, D)",
    supervised: true,
    parameters: &[
        dim!("1 to min(classes - 1, D)"),
        field!(
            "rank-tolerance",
            rank_tolerance,
            "between 0 and 1, both excluded",
            "directions of smaller relative deviation within the classes are left out"
        ),
    ],
    neighborhood: None,
    fit: |recipe, input, observer| {
        let labels = input.labels.ok_or(Error::Degenerate {
            problem: "lda needs labels, and this data has none".to_owned(),
            advice: "give a class per point, or choose an unsupervised method",
        })?;
        recipe.fit(input.points, labels, observer)
    },
    report: |fitted, _, report| {
        report.fact("explained_variance_ratio", fitted.explained_variance_ratio());
    },
    placement: Placement::by("the same projection"),
};
