//! `conformal-eigenmaps`.

use conformal_eigenmaps::{
    Alternation, BasisSize, ConformalEigenmaps, ConformalReport, Coupling, FittedConformalEigenmaps,
    PatchPairs, PatchWeight, Pipeline, Quadratic, Scheme, Solution, Units, alternate, basis_start,
};
use embedding::Silent;
use neighbor_graph::Pieces;
use serde_json::{Map, Value, json};

use super::entry::{Placement, single};
use super::parameter::{components, field, k, radius, tolerance};
use super::word::words;
use super::{Entry, Report, Word};

words!(PatchPairs { Clique = "clique", Neighbors = "neighbors", Path = "path" });
words!(PatchWeight { Paper = "paper", Patch = "patch", Sqrt = "sqrt" });
words!(Pipeline { ConvexThenRank = "convex-then-rank", Convex = "convex", Rank = "rank" });
words!(Units { Input = "input", UnitTrace = "unit-trace" });

pub(super) static CONFORMAL_EIGENMAPS: Entry<ConformalEigenmaps, Pieces<FittedConformalEigenmaps>> = Entry {
    name: "conformal-eigenmaps",
    summary: "Turns and stretches LLE's eigenvectors until the angles inside neighborhoods survive.",
    preserves: "angles, and lengths up to a local factor; in the unit of the input",
    cost: "that of lle with m vectors, then n k^2 m^4 once and some 50 small problems, whatever n is",
    supervised: false,
    parameters: &[
        k!(),
        radius!(),
        field!("dim", refinement.dim, "1 to m", "target dimension d"),
        field!("basis", basis, "auto or d to n - 1", "number m of spectral vectors that are refined"),
        field!(
            "reg",
            regularization,
            "0 or more",
            "added to the diagonal of each local Gram matrix, relative to its trace"
        ),
        field!("pairs", refinement.pairs, "clique, neighbors or path", "which pairs of a neighborhood count"),
        field!("weight", refinement.weight, "paper, patch or sqrt", "how much a neighborhood counts"),
        field!(
            "pipeline",
            refinement.pipeline,
            "convex-then-rank, convex or rank",
            "which solutions are computed"
        ),
        field!("restarts", refinement.restarts, "0 or more", "random starts beside the informed ones"),
        field!("seed", refinement.seed, "0 to 2^64 - 1", "seed of the first random start"),
        field!("units", refinement.units, "input or unit-trace", "unit of length of the result"),
        field!(
            "gap",
            refinement.alternation.tolerance,
            "at least 0 and below 1",
            "certified distance to the convex optimum that counts as solved"
        ),
        field!("iterations", refinement.alternation.max_iterations, "at least 1", "of each alternation"),
        components!(),
        tolerance!(),
        field!(
            "memory-limit",
            refinement.memory_limit,
            "bytes, or a number with kB, MB, GB or TB, or unlimited",
            "memory that one stage may take"
        ),
    ],
    neighborhood: Some(|recipe, _| recipe.neighborhood),
    fit: |recipe, input, observer| recipe.fit_neighbors(input.points, input.neighbors(), observer),
    report: |fitted, _, report| {
        if let Some(model) = single(fitted) {
            report.fact("eigenvalues", model.basis().eigenvalues());
            report.fact("residuals", model.basis().residuals());
            describe(model.report(), report);
        }
        for warning in fitted.pieces.iter().filter_map(|piece| piece.model.report().warning()) {
            report.note(warning);
        }
    },
    placement: Placement::by("the weights that rebuild the new point from its neighbors, then the map"),
};

fn describe(found: &ConformalReport, report: &mut Report) {
    report.note(format!(
        "angles of small triangles: wrong by {:.1}\u{b0} in LLE's own coordinates, by {:.1}\u{b0} here",
        found.angle_error_before, found.angle_error_after
    ));
    report.fact("angle_error_before", found.angle_error_before);
    report.fact("angle_error_after", found.angle_error_after);
    report.fact("angle_error_truncated", found.truncated_angle_error);
    report.fact("conformal_spectrum", &found.spectrum);
    report.fact("rank_profile", &found.rank_profile);
    report.fact("scale_variation", found.scale_variation);
    report.fact("loss_of_basis", found.basis_value);
    report.fact("loss", found.value);
    if let Some(convex) = &found.convex {
        report.fact(
            "certificate",
            json!({
                "status": convex.outcome,
                "value": convex.certificate.value,
                "lower_bound": convex.certificate.lower_bound,
                "gap": convex.certificate.gap(),
                "iterations": convex.iterations,
                "estimates": convex.estimates,
            }),
        );
        report.fact("convergence", convergence(&found.quadratic, convex));
    }
    // A patch whose points coincide has no scale: nothing was enlarged.
    let scales = found.local_scale.iter().map(|scale| scale.unwrap_or(0.0)).collect();
    report.color("local scale", scales);
}

/// Plain loops that are shown beside the alternation that was run.
const PLAIN: [(&str, Coupling); 3] = [
    ("plain, adaptive weight", Coupling::Adaptive),
    ("plain, weight 0.01", Coupling::Fixed { weight: 0.01 }),
    ("plain, weight 0.1", Coupling::Fixed { weight: 0.1 }),
];
/// Sweeps of two estimates after which a plain loop has shown what it can do.
const SWEEPS: usize = 150;
/// Basis vectors above which an estimate costs too much to be repeated for show.
const SHOWN_BASIS: usize = 20;

/// The states of the alternation, and of plain loops on the same loss from the
/// same start, by name.
fn convergence(quadratic: &Quadratic, convex: &Solution) -> Value {
    let mut traces = Map::new();
    traces.insert("midpoint".to_owned(), json!(convex.trace));
    let m = quadratic.order();
    for (name, coupling) in PLAIN {
        let scheme = Scheme::Plain { coupling };
        let settings = Alternation { scheme, max_iterations: SWEEPS, ..Alternation::default() };
        if m <= SHOWN_BASIS
            && let Ok(run) = alternate(quadratic, basis_start(m, m).as_ref(), &settings, &Silent)
        {
            traces.insert(name.to_owned(), json!(run.trace));
        }
    }
    Value::Object(traces)
}

impl Word for BasisSize {
    fn show(&self) -> String {
        match self {
            Self::Auto => "auto".to_owned(),
            Self::Vectors { count } => count.to_string(),
        }
    }

    fn read(text: &str) -> Option<Self> {
        if text == "auto" { Some(Self::Auto) } else { usize::read(text).map(|count| Self::Vectors { count }) }
    }
}
