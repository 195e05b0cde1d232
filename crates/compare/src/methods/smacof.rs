//! `smacof`, and what the iterative scalings have in common.

use mds::{FittedConfiguration, Smacof, Start};

use super::entry::{Describe, Placement};
use super::parameter::{dim, field, memory_limit};
use super::{Entry, Report, Word};

/// `start`, of an iterative scaling.
macro_rules! start {
    () => {
        $crate::methods::parameter::field!(
            "start",
            start,
            "classical or random:RUNS:SEED",
            "first coordinates; of several random runs the best is kept"
        )
    };
}
pub(super) use start;

impl Describe for FittedConfiguration {}

pub(super) static SMACOF: Entry<Smacof, FittedConfiguration> = Entry {
    name: "smacof",
    summary: "Moves points until their distances fit the data's, by majorization of the stress.",
    preserves: "Euclidean distances, all alike",
    cost: "time n^2 (D + d per iteration), memory 12 n^2 bytes",
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

/// Stress, its course, and why it ended.
pub(super) fn describe(fitted: &FittedConfiguration, report: &mut Report) {
    let found = fitted.configuration();
    let stress = found.stress();
    report.fact("stress", stress.raw);
    report.fact("stress_1", stress.stress_1);
    report.fact("stress_scale_normalized", stress.scale_normalized);
    report.fact("stress_history", found.history());
    report.fact("status", found.status());
}

impl Word for Start {
    fn show(&self) -> String {
        match self {
            Self::Classical => "classical".to_owned(),
            Self::Random { seed, runs } => format!("random:{runs}:{seed}"),
        }
    }

    fn read(text: &str) -> Option<Self> {
        match *text.split(':').collect::<Vec<_>>() {
            ["classical"] => Some(Self::Classical),
            ["random", runs, seed] => Some(Self::Random { seed: Word::read(seed)?, runs: Word::read(runs)? }),
            _ => None,
        }
    }
}
