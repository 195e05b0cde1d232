//! `isomap`.

use isomap::{FittedIsomap, Isomap, Precision};
use mds::{ClassicalScaling, NegativeEigenvalues};
use neighbor_graph::Pieces;

use super::entry::{Placement, single};
use super::parameter::{components, dim, field, k, memory_limit, radius, tolerance};
use super::word::words;
use super::{Entry, Report};

words!(Precision { Single = "single", Double = "double" });

pub(super) static ISOMAP: Entry<Isomap, Pieces<FittedIsomap>> = Entry {
    name: "isomap",
    summary: "Measures distances along the neighbor graph, then classical scaling.",
    preserves: "distances along the manifold, large and small",
    cost: "time n^2 (k + log n), memory 2 n^2 bytes, or twice that in double precision",
    supervised: false,
    parameters: &[
        k!(),
        radius!(),
        field!("symmetry", symmetry, "union or mutual", "which edges count"),
        dim!("1 to n - 1"),
        components!(),
        field!("precision", precision, "single or double", "of the stored distances"),
        tolerance!(),
        memory_limit!(),
    ],
    neighborhood: Some(|recipe, _| recipe.neighborhood),
    fit: |recipe, input, observer| recipe.fit_neighbors(input.points, input.neighbors(), observer),
    report: |fitted, _, report| {
        if let Some(model) = single(fitted) {
            describe(model.scaling(), report);
            report.fact("residual_variances", model.residual_variances());
        }
    },
    placement: Placement::by("distances through the nearest training points, scaled"),
};

/// What every classical scaling of geodesics can tell.
pub(super) fn describe(scaling: &ClassicalScaling, report: &mut Report) {
    report.fact("eigenvalues", scaling.eigenvalues());
    report.fact("residuals", scaling.residuals());
    report.fact("trace", scaling.trace());
    report.fact("reconstruction_error", scaling.reconstruction_error());
    match scaling.negative() {
        NegativeEigenvalues::Counted { count, mass } => {
            report.fact("negative_eigenvalues", count);
            report.fact("negative_mass", mass);
        }
        NegativeEigenvalues::AtLeast { mass } => report.fact("negative_mass_at_least", mass),
    }
}
