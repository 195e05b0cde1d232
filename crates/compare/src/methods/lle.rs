//! `lle`.

use lle::{FittedLle, Lle, Scale};
use neighbor_graph::Pieces;

use super::Entry;
use super::entry::{Placement, single};
use super::parameter::{components, dim, field, k, memory_limit, radius, tolerance};
use super::word::words;

words!(Scale { UnitCovariance = "unit-covariance", UnitNorm = "unit-norm" });

pub(super) static LLE: Entry<Lle, Pieces<FittedLle>> = Entry {
    name: "lle",
    summary: "Rebuilds each point from its neighbors, and finds coordinates that the same weights rebuild.",
    preserves: "the weights that rebuild each point from its neighbors; scale is lost",
    cost: "time n k^3 + n k D for the weights, then a sparse eigenproblem; memory n k^2",
    supervised: false,
    parameters: &[
        k!(),
        radius!(),
        dim!("1 to n - 1"),
        field!(
            "reg",
            regularization,
            "0 or more",
            "added to the diagonal of each local Gram matrix, relative to its trace"
        ),
        field!("scale", scale, "unit-covariance or unit-norm", "length of a coordinate column"),
        components!(),
        tolerance!(),
        memory_limit!(),
    ],
    neighborhood: Some(|recipe, _| recipe.neighborhood),
    fit: |recipe, input, observer| recipe.fit_neighbors(input.points, input.neighbors(), observer),
    report: |fitted, _, report| {
        if let Some(model) = single(fitted) {
            report.fact("eigenvalues", model.eigenvalues());
            report.fact("residuals", model.residuals());
            report.fact("reconstruction_error", model.reconstruction_error());
        }
    },
    placement: Placement::by("the weights that rebuild the new point from its neighbors"),
};
