//! `landmark-isomap`.

use isomap::{FittedLandmarkIsomap, LandmarkIsomap};
use neighbor_graph::Pieces;

use super::Entry;
use super::entry::{Placement, single};
use super::isomap::describe;
use super::landmark_mds::landmarks;
use super::parameter::{components, dim, field, k, memory_limit, radius, tolerance};

pub(super) static LANDMARK_ISOMAP: Entry<LandmarkIsomap, Pieces<FittedLandmarkIsomap>> = Entry {
    name: "landmark-isomap",
    summary: "Isomap of a few landmarks; the other points are placed by their geodesics to them.",
    preserves: "distances along the manifold, large and small",
    cost: "time l n (k + log n), memory (4 l + 1000) n bytes, l landmarks",
    supervised: false,
    parameters: &[
        k!(),
        radius!(),
        field!("symmetry", symmetry, "union or mutual", "which edges count"),
        landmarks!(),
        dim!("1 to l - 1"),
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
            report.fact("landmarks", model.landmarks());
        }
    },
    placement: Placement::by("geodesics to the landmarks through the nearest training points"),
};
