//! `hessian-lle`.

use lle::{FittedHessianLle, HessianLle};
use neighbor_graph::Pieces;

use super::Entry;
use super::entry::{Placement, single};
use super::parameter::{components, dim, field, k, memory_limit, radius, tolerance};

pub(super) static HESSIAN_LLE: Entry<HessianLle, Pieces<FittedHessianLle>> = Entry {
    name: "hessian-lle",
    summary: "Coordinates whose second derivatives vanish on the tangent spaces.",
    preserves: "local isometry, up to an affine map",
    cost: "time n (k^2 D + k d^4), then a sparse eigenproblem; memory n k^2",
    supervised: false,
    parameters: &[
        k!(),
        radius!(),
        dim!("1 and up, with k > d (d + 3) / 2"),
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
