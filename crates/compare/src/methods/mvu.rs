//! `mvu`.

use conformal_eigenmaps::{FittedMaximumVarianceUnfolding, MaximumVarianceUnfolding, UnfoldingReport};
use neighbor_graph::Pieces;
use serde_json::json;

use super::entry::{Placement, single};
use super::parameter::{components, field, k, radius, tolerance};
use super::{Entry, Report};

pub(super) static MVU: Entry<MaximumVarianceUnfolding, Pieces<FittedMaximumVarianceUnfolding>> = Entry {
    name: "mvu",
    summary: "Maximum variance unfolding: pulls LLE's eigenvectors apart as far as lengths between neighbors allow.",
    preserves: "distances between neighbors, in the unit of the input",
    cost: "that of lle with m vectors, then n k^2 m^4 once and some 40 small problems, whatever n is",
    supervised: false,
    parameters: &[
        k!(),
        radius!(),
        field!("dim", unfolding.dim, "1 to m", "target dimension d"),
        field!("basis", basis, "auto or d to n - 1", "number m of spectral vectors that are unfolded"),
        field!(
            "reg",
            regularization,
            "0 or more",
            "added to the diagonal of each local Gram matrix, relative to its trace"
        ),
        field!("stiffness", unfolding.stiffness, "above 0", "how much lengths count against variance"),
        field!("pairs", unfolding.pairs, "clique, neighbors or path", "which pairs of a neighborhood count"),
        field!(
            "gap",
            unfolding.tolerance,
            "above 0",
            "certified distance to the optimum that counts as solved"
        ),
        components!(),
        tolerance!(),
        field!(
            "memory-limit",
            unfolding.memory_limit,
            "bytes, or a number with kB, MB, GB or TB, or unlimited",
            "memory that one stage may take"
        ),
    ],
    neighborhood: Some(|recipe, _| recipe.neighborhood),
    fit: |recipe, input, observer| recipe.fit_neighbors(input.points, input.neighbors(), observer),
    report: |fitted, _, report| {
        if let Some(model) = single(fitted) {
            report.fact("residuals", model.basis().residuals());
            describe(model.report(), report);
        }
        for warning in fitted.pieces.iter().filter_map(|piece| piece.model.report().warning()) {
            report.note(warning);
        }
    },
    placement: Placement::by("the weights that rebuild the new point from its neighbors, then the map"),
};

fn describe(found: &UnfoldingReport, report: &mut Report) {
    report.note(format!(
        "squared lengths between neighbors: wrong by {:.0} % in LLE's own coordinates, by {:.1} % here",
        100.0 * found.length_error_before,
        100.0 * found.length_error_after
    ));
    let certificate = &found.solution.certificate;
    report.fact(
        "certificate",
        json!({
            "status": found.solution.outcome,
            "value": certificate.value,
            "lower_bound": certificate.lower_bound,
            "gap": certificate.gap(),
            "iterations": found.solution.iterations,
        }),
    );
    let total: f64 = found.spectrum.iter().sum();
    let shares: Vec<f64> = found.spectrum.iter().map(|v| v / total).collect();
    report.fact("explained_variance", &found.spectrum);
    report.fact("explained_variance_ratio", shares);
    report.fact("total_variance", total);
    report.fact("length_error_before", found.length_error_before);
    report.fact("length_error_unfolded", found.length_error_unfolded);
    report.fact("length_error_after", found.length_error_after);
    report.fact("angle_error_before", found.angle_error_before);
    report.fact("angle_error_after", found.angle_error_after);
}
