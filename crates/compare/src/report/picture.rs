//! Inline SVG figures.

use embedding::implement::{maximum, minimum};
use figure::spectrum::Spectrum;
use figure::{Scene, escape, svg};

/// Returns a scene that can be enlarged; `words` is its text alternative, `caption` is
/// shown when it is enlarged.
pub(super) fn plot(scene: &Scene, words: &str, caption: &str) -> String {
    format!(
        "<button type=\"button\" class=\"plot\" data-caption=\"{}\" title=\"Enlarge\">{}</button>",
        escape(caption),
        inline(scene, words)
    )
}

/// Returns a scene as SVG with a text alternative.
fn inline(scene: &Scene, words: &str) -> String {
    svg(scene).replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{}\" ", escape(words)), 1)
}

/// Returns a bar chart of eigenvalues in the current text color, those beyond the map's paler.
pub(super) fn spectrum(spectrum: &Spectrum) -> String {
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
        return String::new();
    }
    let scale = HEIGHT / (high - low);
    let width = PITCH * values.len() as f64 - GAP;
    let listed: Vec<String> = values.iter().map(|&value| figure::number::score(value)).collect();
    let mut out = format!(
        "<div class=\"spectrum\"><svg role=\"img\" aria-label=\"eigenvalues {listed}\" viewBox=\"0 0 {width} {HEIGHT}\" \
         width=\"{across}em\" height=\"{tall}em\" preserveAspectRatio=\"none\" fill=\"currentColor\">\
         <title>eigenvalues {listed}</title>",
        listed = listed.join(", "),
        across = width / EM,
        tall = HEIGHT / EM
    );
    for (i, &value) in values.iter().enumerate() {
        let length = (scale * value.abs()).max(0.6);
        let base = scale * high;
        let beyond = if i < *used { "" } else { " class=\"beyond\"" };
        let (y, class) = if value < 0.0 { (base, " class=\"negative\"") } else { (base - length, beyond) };
        let (x, wide) = (PITCH * i as f64, PITCH - GAP);
        out.push_str(&format!(
            "<rect x=\"{x}\" y=\"{y:.1}\" width=\"{wide}\" height=\"{length:.1}\"{class}/>"
        ));
    }
    out.push_str("</svg></div>");
    out
}
