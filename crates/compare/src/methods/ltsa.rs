//! `ltsa`.

use lle::{FittedLtsa, Ltsa};
use neighbor_graph::Pieces;

use super::Entry;
use super::entry::{Placement, single};
use super::parameter::{components, dim, field, k, memory_limit, radius, tolerance};

pub(super) static LTSA: Entry<Ltsa, Pieces<FittedLtsa>> = Entry {
    name: "ltsa",
    summary: "Fits a tangent space at each point and lines them up.",
    preserves: "tangent coordinates of each neighborhood, up to an affine map",
    cost: "time n k^2 D, then a sparse eigenproblem; memory n k^2",
    supervised: false,
    parameters: &[
        k!(),
        radius!(),
        dim!("1 to k - 2"),
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
    placement: Placement::by("the affine map of the nearest training point's tangent space"),
};
