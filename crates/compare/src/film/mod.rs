//! A film of aligned maps: one page in which the rows of a map move to their places in the next.

use std::collections::HashMap;

use datasets::Labels;
use embedding::{Error, Points};
use figure::color;
use figure::controls::without_controls;
use maud::{Markup, PreEscaped, html};
use serde_json::json;

use crate::document::document;

const STYLE: &str = include_str!("film.css");
const SCRIPT: &str = include_str!("film.js");
/// SHA-256 of the two, as the page has them between their tags.
const STYLE_HASH: &str = "UPb+xsmjOLDTAL7k+vDIFOoExA+Gj78eh2ufGDL3Ei8=";
const SCRIPT_HASH: &str = "HkKo9hcuRHxU7LPAnqqWcfdzTA2RrcXSts0kaVT90Pg=";

/// One map of a film.
pub(crate) struct Scene<'a> {
    /// The name of its data set.
    pub title: &'a str,
    /// The names of its rows.
    pub rows: &'a [String],
    /// The classes of its rows, if they have any.
    pub labels: Option<&'a Labels>,
    /// The coordinates of its rows.
    pub map: Points<'a>,
}

/// Writes the page. All maps have one scale; of maps in more than two dimensions it shows the first two.
pub(crate) fn page(title: &str, scenes: &[Scene<'_>]) -> Result<String, Error> {
    let classes = class_names(scenes);
    let maps = maps(scenes, &classes);
    let rows = maps["rows"].as_array().map_or(0, Vec::len);
    // No text ends the element early.
    let data = serde_json::to_string(&maps).map_err(|error| Error::file("the film", error))?;
    let data = data.replace('<', "\\u003c");
    let most = scenes.len().saturating_sub(1);
    let body = html! {
        main {
            h1 { (title) }
            p {
                "Rows of one name move from their place in a map to their place in the next. Rows that only one of the two "
                "has appear or fade. All maps have one scale."
                @if scenes.iter().any(|scene| scene.map.dim() > 2) { " The first two coordinates are shown." }
            }
            canvas role="img" aria-label={ "Maps of " (rows) " rows in " (scenes.len()) " data sets" } {}
            div class="controls" {
                button type="button" { "Play" }
                input type="range" min="0" max=(most) step="any" value="0" aria-label="Map";
                output { (scenes.first().map_or("", |scene| scene.title)) }
            }
            p id="under" aria-live="polite" {}
            noscript { p { "The film needs JavaScript." } }
            (legend(&classes))
        }
    };
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{SCRIPT_HASH}'; style-src 'sha256-{STYLE_HASH}'; base-uri 'none'; \
         form-action 'none'"
    );
    let body = without_controls(body.into_string());
    let body = html! {
        (PreEscaped(body))
        script type="application/json" id="maps" { (PreEscaped(data)) }
        script { "\n" (PreEscaped(SCRIPT)) }
    };
    Ok(document(title, &policy, STYLE, &body))
}

fn legend(classes: &[&str]) -> Markup {
    html! {
        @if !classes.is_empty() {
            ul class="legend" aria-label="Classes" {
                @for (at, class) in classes.iter().enumerate() {
                    li {
                        svg viewBox="0 0 10 10" aria-hidden="true" {
                            circle cx="5" cy="5" r="5" fill=(color::class(at).hex()) {}
                        }
                        (class)
                    }
                }
            }
        }
    }
}

/// The names of the classes of all maps, in the order in which maps and their data sets list them.
fn class_names<'a>(scenes: &[Scene<'a>]) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for name in scenes.iter().filter_map(|scene| scene.labels).flat_map(|labels| &labels.classes) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}

/// What the script reads: names of the maps, and for every row its name, its class, and its place in each map, in
/// parts of the largest extent.
fn maps(scenes: &[Scene<'_>], classes: &[&str]) -> serde_json::Value {
    let (mut rows, mut known, mut numbers) = (Vec::new(), Vec::new(), HashMap::new());
    for scene in scenes {
        let labels = scene.labels.map(Labels::known);
        for (at, name) in scene.rows.iter().enumerate() {
            let row = *numbers.entry(name.as_str()).or_insert_with(|| {
                rows.push(name.as_str());
                known.push(None);
                rows.len() - 1
            });
            if let (Some(labels), Some(set)) = (&labels, scene.labels) {
                let class = labels[at].map(|class| set.classes[class as usize].as_str());
                let class = class.and_then(|class| classes.iter().position(|known| *known == class));
                known[row] = known[row].or(class);
            }
        }
    }
    let flat = |point: &[f64]| [point[0], point.get(1).copied().unwrap_or(0.0)];
    let all = || scenes.iter().flat_map(|scene| scene.map.rows().map(flat));
    let bounds = |axis: usize| {
        let values = all().map(|point| point[axis]);
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
    };
    let [(left, right), (bottom, top)] = [bounds(0), bounds(1)];
    let extent = (right / 2.0 - left / 2.0).max(top / 2.0 - bottom / 2.0);
    let part = |value: f64, low: f64, high: f64| {
        let middle = low / 2.0 + high / 2.0;
        if extent > 0.0 { ((value - middle) / extent / 2.0 * 1e5).round() / 1e5 } else { 0.0 }
    };
    let places = scenes.iter().map(|scene| {
        let mut places: Vec<Option<[f64; 2]>> = vec![None; rows.len()];
        for (name, point) in scene.rows.iter().zip(scene.map.rows()) {
            let [x, y] = flat(point);
            places[numbers[name.as_str()]] = Some([part(x, left, right), part(y, bottom, top)]);
        }
        places
    });
    let colors = (0..classes.len()).map(color::class);
    let unknown = if classes.is_empty() { color::class(0) } else { color::SOFT };
    json!({
        "sets": scenes.iter().map(|scene| scene.title).collect::<Vec<_>>(),
        "rows": rows,
        "names": classes,
        "classes": known,
        // The last color is of rows without a class.
        "colors": colors.chain([unknown]).map(color::Color::hex).collect::<Vec<_>>(),
        "places": places.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use sha2::{Digest, Sha256};

    use super::*;

    fn names(rows: &[&str]) -> Vec<String> {
        rows.iter().map(|row| (*row).to_owned()).collect()
    }

    /// Row b is in both maps, in another order.
    fn film() -> String {
        let (first, second) = (names(&["a", "b"]), names(&["c</script>", "b"]));
        let (x, y) = ([0.0, 0.0, 2.0, 1.0], [4.0, 3.0, 1.0, 1.0]);
        let scenes = [
            Scene { title: "one", rows: &first, labels: None, map: Points::new(&x, 2).expect("a map") },
            Scene { title: "two", rows: &second, labels: None, map: Points::new(&y, 2).expect("a map") },
        ];
        page("Maps", &scenes).expect("a page")
    }

    #[test]
    fn rows_are_matched_by_their_names_and_all_maps_have_one_scale() {
        let page = film();
        let (_, rest) = page.split_once("id=\"maps\">").expect("the maps");
        let (text, _) = rest.split_once('<').expect("its end");
        let maps: serde_json::Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(maps["rows"], json!(["a", "b", "c</script>"]));
        // The extent is 4, the middle (2, 1.5).
        assert_eq!(maps["places"][0], json!([[-0.5, -0.375], [0.0, -0.125], null]));
        assert_eq!(maps["places"][1], json!([null, [-0.25, -0.125], [0.5, 0.375]]));
    }

    #[test]
    fn the_policy_admits_the_own_script_and_styles_alone() {
        let page = film();
        for (tag, hash) in [("script", SCRIPT_HASH), ("style", STYLE_HASH)] {
            let (_, rest) = page.split_once(&format!("<{tag}>")).expect("one element");
            let (text, _) = rest.split_once(&format!("</{tag}>")).expect("closed");
            assert_eq!(hash, STANDARD.encode(Sha256::digest(text.as_bytes())), "{tag}");
        }
        assert!(page.contains("default-src 'none'") && !page.contains(" onclick="));
    }
}
