//! Inline SVG figures.

use embedding::implement::{maximum, minimum};
use figure::number::score;
use figure::spectrum::Spectrum;
use figure::{Scene, inline_svg};
use maud::{Markup, PreEscaped, html};

use crate::results::DatasetResults;

/// Largest number of methods for which panels are large and all figures are expanded.
const UNFOLDED: usize = 4;

/// Whether the methods are few enough for large panels and expanded figures.
pub(super) fn unfolded(results: &DatasetResults) -> bool {
    results.methods.len() <= UNFOLDED
}

/// Returns a scene that can be enlarged; `words` is its text alternative, `caption` is
/// shown when it is enlarged.
pub(super) fn plot(scene: &Scene, words: &str, caption: &str) -> Markup {
    html! {
        button type="button" class="plot" data-caption=(caption) title="Enlarge" {
            (PreEscaped(inline_svg(scene, words)))
        }
    }
}

/// Returns a scene with colored points: the same as [`plot`], enlarged with the legend of its colors.
pub(super) fn map(scene: &Scene, words: &str, caption: &str) -> Markup {
    html! {
        button type="button" class="plot" data-caption=(caption) data-colored title="Enlarge" {
            (PreEscaped(inline_svg(scene, words)))
        }
    }
}

/// Returns a figure with its caption below it; `words` is its text alternative.
pub(super) fn captioned(scene: &Scene, words: &str, caption: &str, class: Option<&str>) -> Markup {
    html! {
        figure class=[class] {
            (plot(scene, words, caption))
            figcaption class="soft small" { (caption) }
        }
    }
}

/// Returns a bar chart of eigenvalues in the current text color, those beyond the map's paler.
pub(super) fn spectrum(spectrum: &Spectrum) -> Markup {
    let Spectrum { values, used } = spectrum;
    const HEIGHT: f64 = 34.0;
    const PITCH: f64 = 8.0;
    const GAP: f64 = 2.0;
    // Height of a line of text, in these units.
    const EM: f64 = 16.0;
    let with_zero = || values.iter().copied().chain([0.0]);
    let (low, high) = (minimum(with_zero()), maximum(with_zero()));
    // Also where a value is NaN.
    if !(high > low && (high - low).is_finite()) {
        return Markup::default();
    }
    let scale = HEIGHT / (high - low);
    let width = PITCH * values.len() as f64 - GAP;
    let listed: Vec<String> = values.iter().map(|&value| score(value)).collect();
    let listed = format!("eigenvalues {}", listed.join(", "));
    let bar = |i: usize, value: f64| {
        let length = (scale * value.abs()).max(0.6);
        let base = scale * high;
        let beyond = (i >= *used).then_some("beyond");
        let (y, class) = if value < 0.0 { (base, Some("negative")) } else { (base - length, beyond) };
        let (y, length) = (format!("{y:.1}"), format!("{length:.1}"));
        html! { rect x=(PITCH * i as f64) y=(y) width=(PITCH - GAP) height=(length) class=[class] {} }
    };
    html! {
        div class="spectrum" {
            svg role="img" aria-label=(listed) viewBox={ "0 0 " (width) " " (HEIGHT) }
                width={ (width / EM) "em" } height={ (HEIGHT / EM) "em" }
                preserveAspectRatio="none" fill="currentColor" {
                title { (listed) }
                @for (i, &value) in values.iter().enumerate() { (bar(i, value)) }
            }
        }
    }
}
