//! What can be trusted: each map colored by how far its points jump when their data change a little.

use maud::{Markup, html};

use crate::methods::title;
use crate::results::{DatasetResults, MapTrust, MethodResults};
use crate::views::trust::{careful, paint};

use super::legend::legend;
use super::section::colored;
use super::verdict::marked;

/// The section; empty where no map has scores.
pub(super) fn trusted(results: &DatasetResults) -> Markup {
    let scored: Vec<(&MethodResults, &MapTrust)> = results
        .methods
        .iter()
        .filter(|method| method.embedding.is_some())
        .filter_map(|method| Some((method, method.trust.as_ref()?)))
        .collect();
    let Some((_, sparsest)) = scored.iter().min_by_key(|(_, trust)| trust.rows.len()) else {
        return Markup::default();
    };
    html! {
        div class="trusted" {
        h3 { "What can be trusted" }
        p class="facts" {
            "Each point is moved in the data by the distance to its own neighbors, and placed again without itself. \
             The perturbation score is how far it moves in the map, in distances of neighbors there. Points that jump \
             lie at tears, or between clusters that the map separates. Linear maps cannot tear."
        }
        (legend(&paint(sparsest, results.n)))
        div class="panels" {
            @for (method, trust) in &scored {
                @let paint = paint(trust, results.n);
                (colored(results, method, &paint, "perturbation score", sentences(results, method, trust)))
            }
        }
        }
    }
}

fn sentences(results: &DatasetResults, method: &MethodResults, trust: &MapTrust) -> Markup {
    html! {
        ul class="notes" aria-label={ "Points of " (title(&method.method)) " to be careful with" } {
            @for sentence in careful(trust, &results.data) { li { (marked(&sentence)) } }
        }
    }
}
