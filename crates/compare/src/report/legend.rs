//! The color legend as HTML.

use figure::color::ramp;
use figure::number::count;
use figure::paint::{Legend, Mark, Paint};
use maud::{Markup, html};

/// Returns the title and the colors with their meaning.
pub(super) fn legend(paint: &Paint) -> Markup {
    if matches!(paint.legend, Legend::Plain) && paint.title.is_empty() {
        return Markup::default();
    }
    html! {
        div class="legend" {
            b { "color: " (paint.title) }
            (colors(&paint.legend))
            @if let Some(text) = paint.shaded() { small { (text) } }
        }
    }
}

fn colors(legend: &Legend) -> Markup {
    match legend {
        Legend::Plain => Markup::default(),
        Legend::Ramp { .. } => {
            let [low, high] = legend.ends();
            let stops: Vec<String> = (0..=10).map(|i| ramp(f64::from(i) / 10.0).hex()).collect();
            html! {
                div class="ramp" style={ "background:linear-gradient(90deg," (stops.join(",")) ")" } {}
                div class="ends" { span { (low) } span { (high) } }
            }
        }
        Legend::Classes { listed, more } => html! {
            ul class="classes" {
                @for (name, Mark { color, core }) in listed {
                    @let inner = core.unwrap_or(*color).hex();
                    li { i style={ "background:radial-gradient(circle," (inner) " 40%," (color.hex()) " 42%)" } {} (name) }
                }
                @if *more > 0 { li { "… and " (count(*more)) " more" } }
            }
        },
    }
}
