//! `tsne`.

use neighbor_graph::Neighborhood;
use tsne::{Divergence, FittedTsne, Gradient, LearningRate, Start, Tsne};

use super::entry::{Describe, Placement};
use super::parameter::{dim, field, seed};
use super::{Entry, Word};

impl Describe for FittedTsne {}

pub(super) static TSNE: Entry<Tsne, FittedTsne> = Entry {
    name: "tsne",
    summary: "Moves points until neighbors are as probable in the map as in the data.",
    preserves: "who is near whom, and clusters; neither distances nor densities",
    cost: "3 perplexity neighbors per point, then time n per iteration, memory n perplexity",
    supervised: false,
    parameters: &[
        field!("perplexity", perplexity, "1 to n - 1", "effective number of neighbors of a point"),
        dim!("1 or more; 1 or 2 for interpolation, up to 3 for barnes-hut"),
        field!(
            "gradient",
            gradient,
            "auto, exact, barnes-hut:THETA or interpolation",
            "how the forces between all pairs are computed"
        ),
        field!("start", start, "pca, spectral or random", "where the map begins"),
        field!(
            "early-exaggeration",
            schedule.early_exaggeration,
            "a positive number",
            "factor on the attraction at first"
        ),
        field!("early-iterations", schedule.early_iterations, "0 or more", "iterations with that factor"),
        field!("iterations", schedule.iterations, "0 or more", "iterations afterwards, at most"),
        field!(
            "late-exaggeration",
            schedule.late_exaggeration,
            "a positive number",
            "factor on the attraction afterwards"
        ),
        field!(
            "learning-rate",
            schedule.learning_rate,
            "auto, by-phase or a positive number",
            "length of a step relative to the gradient; auto is max(n / 12, 200), by-phase max(n / exaggeration, 200)"
        ),
        field!(
            "degrees-of-freedom",
            degrees_of_freedom,
            "a positive number",
            "of the kernel in the map; below 1 clusters fall apart into finer ones"
        ),
        seed!(),
    ],
    // Three times the perplexity, as far as there are points.
    neighborhood: Some(|recipe, n| {
        let k = (3.0 * recipe.perplexity).min(n.saturating_sub(1) as f64) as usize;
        Neighborhood::Nearest { k }
    }),
    fit: |recipe, input, observer| recipe.fit_neighbors(input.points, input.neighbors(), observer),
    report: |fitted, _, report| {
        report.fact("kl_divergence", fitted.divergence().value());
        report.fact("kl_divergence_exact", matches!(fitted.divergence(), Divergence::Exact(_)));
        report.fact("kl_divergences", fitted.divergences());
        report.fact("status", fitted.status());
        report.fact("gradient", fitted.gradient().show());
    },
    placement: Placement::by("descent of each new point by itself into the fixed map"),
};

impl Word for Gradient {
    fn show(&self) -> String {
        match self {
            Self::Auto => "auto".to_owned(),
            Self::Exact => "exact".to_owned(),
            Self::BarnesHut { theta } => format!("barnes-hut:{}", theta.show()),
            Self::Interpolation => "interpolation".to_owned(),
        }
    }

    fn read(text: &str) -> Option<Self> {
        match text.split_once(':') {
            None if text == "auto" => Some(Self::Auto),
            None if text == "exact" => Some(Self::Exact),
            None if text == "interpolation" => Some(Self::Interpolation),
            None if text == "barnes-hut" => Some(Self::BarnesHut { theta: 0.5 }),
            Some(("barnes-hut", theta)) => Some(Self::BarnesHut { theta: Word::read(theta)? }),
            _ => None,
        }
    }
}

impl Word for LearningRate {
    fn show(&self) -> String {
        match self {
            Self::Auto => "auto".to_owned(),
            Self::ByPhase => "by-phase".to_owned(),
            Self::Fixed(rate) => rate.show(),
        }
    }

    fn read(text: &str) -> Option<Self> {
        match text {
            "auto" => Some(Self::Auto),
            "by-phase" => Some(Self::ByPhase),
            _ => f64::read(text).map(Self::Fixed),
        }
    }
}

impl Word for Start {
    fn show(&self) -> String {
        match self {
            Self::Pca => "pca",
            Self::Spectral => "spectral",
            Self::Random => "random",
            Self::Given(_) => "given",
        }
        .to_owned()
    }

    fn read(text: &str) -> Option<Self> {
        match text {
            "pca" => Some(Self::Pca),
            "spectral" => Some(Self::Spectral),
            "random" => Some(Self::Random),
            _ => None,
        }
    }
}
