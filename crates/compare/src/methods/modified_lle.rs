//! `modified-lle`.

use lle::{FittedModifiedLle, ModifiedLle};
use neighbor_graph::Pieces;

use super::Entry;
use super::entry::{Placement, single};
use super::parameter::{components, dim, field, k, memory_limit, radius, tolerance};

pub(super) static MODIFIED_LLE: Entry<ModifiedLle, Pieces<FittedModifiedLle>> = Entry {
    name: "modified-lle",
    summary: "LLE with several weight vectors per point, which removes its folds.",
    preserves: "all weights that rebuild each point well; scale is lost",
    cost: "time n k^3 + n k^2 D, then a sparse eigenproblem; memory n k^2",
    supervised: false,
    parameters: &[
        k!(),
        radius!(),
        dim!("1 to k - 1"),
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
