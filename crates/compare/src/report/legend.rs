//! The color legend as HTML.

use figure::color::ramp;
use figure::number::count;
use figure::{Legend, Paint, escape};

/// Returns the title and the colors with their meaning.
pub(super) fn legend(paint: &Paint) -> String {
    let shaded: String = paint.shaded().map(|text| format!("<small>{text}</small>")).into_iter().collect();
    let title = escape(&paint.title);
    match &paint.legend {
        Legend::Plain if paint.title.is_empty() => String::new(),
        Legend::Plain => format!("<div class=\"legend\"><b>color: {title}</b>{shaded}</div>"),
        Legend::Ramp { .. } => {
            let [low, high] = paint.legend.ends();
            let stops: Vec<String> = (0..=10).map(|i| ramp(f64::from(i) / 10.0).hex()).collect();
            format!(
                "<div class=\"legend\"><b>color: {title}</b><div class=\"ramp\" style=\"background:\
                 linear-gradient(90deg,{})\"></div><div class=\"ends\"><span>{low}</span><span>{high}</span></div>{shaded}</div>",
                stops.join(",")
            )
        }
        Legend::Classes { listed, more } => {
            let item = |(name, color): &(String, figure::color::Color)| {
                format!("<li><i style=\"background:{}\"></i>{}</li>", color.hex(), escape(name))
            };
            let others = (*more > 0).then(|| format!("<li>… and {} more</li>", count(*more)));
            let items: String = listed.iter().map(item).chain(others).collect();
            format!(
                "<div class=\"legend\"><b>color: {title}</b><ul class=\"classes\">{items}</ul>{shaded}</div>"
            )
        }
    }
}
