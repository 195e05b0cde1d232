//! `diffusion-maps`.

use laplacian::{DiffusionMaps, FittedDiffusionMaps};
use neighbor_graph::Pieces;

use super::Entry;
use super::entry::{Placement, single};
use super::parameter::{components, dim, field, k, memory_limit, radius, tolerance};

pub(super) static DIFFUSION_MAPS: Entry<DiffusionMaps, Pieces<FittedDiffusionMaps>> = Entry {
    name: "diffusion-maps",
    summary: "Where a random walker ends up after a while, as coordinates.",
    preserves: "diffusion distance: how many short paths join two points",
    cost: "neighbors, then a sparse eigenproblem: time about n k^2 and more for thick data",
    supervised: false,
    parameters: &[
        k!(),
        radius!(),
        dim!("1 to n - 1"),
        field!("width", width, "auto or a positive number in input units", "width of the kernel"),
        field!("alpha", alpha, "0 to 1", "how much of the sampling density is divided out"),
        field!("time", time, "0 or more", "how long the walker walks"),
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
        }
    },
    placement: Placement::by("Nystrom's formula over the nearest training points"),
};
