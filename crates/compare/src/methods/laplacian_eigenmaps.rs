//! `laplacian-eigenmaps`.

use laplacian::{FittedLaplacianEigenmaps, Form, LaplacianEigenmaps, Weights, Width};
use neighbor_graph::Pieces;

use super::entry::{Placement, single};
use super::parameter::{components, dim, field, k, memory_limit, radius, tolerance};
use super::word::words;
use super::{Entry, Word};

words!(Form { Generalized = "generalized", Normalized = "normalized" });

pub(super) static LAPLACIAN_EIGENMAPS: Entry<LaplacianEigenmaps, Pieces<FittedLaplacianEigenmaps>> = Entry {
    name: "laplacian-eigenmaps",
    summary: "The slowest vibrations of the neighbor graph as coordinates.",
    preserves: "nearness: neighbors stay together, distances are not kept",
    cost: "neighbors, then a sparse eigenproblem: time about n k^2 and more for thick data",
    supervised: false,
    parameters: &[
        k!(),
        radius!(),
        field!("symmetry", symmetry, "union or mutual", "which edges count"),
        dim!("1 to n - 1"),
        field!(
            "weights",
            weights,
            "connectivity, heat, or heat:WIDTH",
            "affinity of neighbors; heat alone settles the width by itself"
        ),
        field!("form", form, "generalized or normalized", "which eigenproblem of the Laplacian"),
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

impl Word for Weights {
    fn show(&self) -> String {
        match self {
            Self::Connectivity => "connectivity".to_owned(),
            Self::Heat { width: Width::Auto } => "heat".to_owned(),
            Self::Heat { width: Width::Fixed(width) } => format!("heat:{}", width.show()),
        }
    }

    fn read(text: &str) -> Option<Self> {
        match text.split_once(':') {
            None if text == "connectivity" => Some(Self::Connectivity),
            None if text == "heat" => Some(Self::Heat { width: Width::Auto }),
            Some(("heat", width)) => Some(Self::Heat { width: Word::read(width)? }),
            _ => None,
        }
    }
}

impl Word for Width {
    fn show(&self) -> String {
        match self {
            Self::Auto => "auto".to_owned(),
            Self::Fixed(width) => width.show(),
        }
    }

    fn read(text: &str) -> Option<Self> {
        if text == "auto" { Some(Self::Auto) } else { f64::read(text).map(Self::Fixed) }
    }
}
