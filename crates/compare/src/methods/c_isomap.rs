//! `c-isomap`.

use isomap::{ConformalIsomap, FittedConformalIsomap};
use neighbor_graph::Pieces;

use super::Entry;
use super::entry::{Placement, single};
use super::isomap::describe;
use super::parameter::{components, dim, field, k, memory_limit, radius, tolerance};

pub(super) static C_ISOMAP: Entry<ConformalIsomap, Pieces<FittedConformalIsomap>> = Entry {
    name: "c-isomap",
    summary: "Isomap with edges measured in units of the local spacing of points.",
    preserves: "angles, where the density of points follows the conformal factor",
    cost: "that of isomap",
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
            report.color("local spacing", model.spacing().to_vec());
        }
    },
    placement: Placement::by("distances through the nearest training points, scaled"),
};
