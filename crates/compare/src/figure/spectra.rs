//! Figure of several methods' spectra, as fractions of their sums.

use crate::results::DatasetResults;

use super::color::{INK, PAPER, SOFT, ramp};
use super::measure::words;
use super::number::tick;
use super::paint::Paint;
use super::panel::{Thumbnails, draw_method};
use super::scene::{Anchor, Area, Item, Scene, Type};
use super::text::{shorten, width, wrap};

/// Methods whose eigenvalues are variances along the coordinates, so that their fractions
/// are comparable.
const COMPARABLE: [&str; 8] = [
    "pca",
    "kernel-pca",
    "classical-mds",
    "isomap",
    "landmark-isomap",
    "c-isomap",
    "mvu",
    "conformal-eigenmaps",
];

/// Largest number of segments drawn separately; the others are combined.
const PARTS: usize = 12;

/// Returns the eigenvalues of the methods with comparable spectra, if at least three are
/// known, or two and the sum of all: negative ones omitted, the others as fractions of
/// the sum.
pub fn comparable(results: &DatasetResults) -> Vec<(String, Vec<f64>)> {
    let fractions = |name: &&str| {
        let method = results.methods.iter().find(|method| method.method == **name)?;
        method.embedding.as_ref()?;
        // For conformal eigenmaps, `eigenvalues` are those of its basis.
        let facts = ["conformal_spectrum", "explained_variance", "eigenvalues"];
        let values = facts.iter().find_map(|fact| method.facts.get(*fact)?.as_array())?;
        let values: Vec<f64> = values.iter().filter_map(|v| v.as_f64()).filter(|v| *v > 0.0).collect();
        let number = |fact: &str| method.facts.get(fact)?.as_f64();
        // The sum of the positive eigenvalues is the trace plus the magnitudes of the
        // negative ones, or at least that if not all are known.
        let negative = || number("negative_mass").or_else(|| number("negative_mass_at_least"));
        let positive = || Some(number("trace")? + negative()?);
        let known = number("total_variance").or_else(positive).filter(|total| *total > 0.0);
        let total = known.unwrap_or_else(|| values.iter().sum());
        let enough = values.len() >= if known.is_some() { 2 } else { 3 };
        enough.then(|| ((*name).to_owned(), values.iter().map(|v| v / total).collect()))
    };
    COMPARABLE.iter().filter_map(fractions).collect()
}

/// Draws bars of equal length, divided into the fractions of the eigenvalues, largest
/// first, and beside them the map of the last of these methods. The number of segments
/// that fill most of a bar is the dimension the method sees.
pub fn spectra_scene(results: &DatasetResults, spectra: &[(String, Vec<f64>)], paint: &Paint) -> Scene {
    const MARGIN: f64 = 20.0;
    let mut scene = Scene::new(1180.0, 560.0);
    let bars = Area { x: MARGIN, y: MARGIN, width: 560.0, height: 0.0 };
    scene.text(
        [bars.x, bars.y + 16.0],
        "Eigenvalues as fractions of their sum",
        Type::bold(15.0, INK),
        Anchor::Start,
    );
    let mut y = bars.y + 36.0;
    for (name, fractions) in spectra {
        draw_fractions(&mut scene, name, fractions, Area { y, height: 46.0, ..bars });
        y += 74.0;
    }
    let note = "Each bar is one method, each segment one eigenvalue, largest first. \
                The number of segments that fill most of the bar is the dimension the method sees.";
    let style = Type::regular(12.0, SOFT);
    for line in wrap(note, style, bars.width, 3) {
        scene.text([bars.x, y + 10.0], line, style, Anchor::Start);
        y += 18.0;
    }
    let method =
        spectra.last().and_then(|(name, _)| results.methods.iter().find(|method| method.method == *name));
    if let Some(method) = method {
        let x = bars.right() + 30.0;
        let area = Area { x, y: MARGIN + 30.0, width: scene.width - x - MARGIN, height: 490.0 };
        let title = format!("{} on {}", method.method, words(&results.name));
        scene.text([x, MARGIN + 16.0], title, Type::bold(15.0, INK), Anchor::Start);
        draw_method(&mut scene, results, method, paint, Thumbnails::Side { side: 26.0, pitch: 1.1 }, area);
    }
    scene.height = scene.height.max(y + MARGIN);
    scene
}

fn draw_fractions(scene: &mut Scene, name: &str, fractions: &[f64], area: Area) {
    scene.text([area.x, area.y + 12.0], name, Type::bold(12.5, INK), Anchor::Start);
    let top = area.y + 18.0;
    let height = area.bottom() - top + 8.0;
    let mut x = area.x;
    for (i, fraction) in fractions.iter().take(PARTS).enumerate() {
        let wide = (fraction * area.width).min(area.right() - x);
        let fill = ramp(0.15 + 0.8 * i as f64 / PARTS as f64);
        scene.push(Item::Rect { area: Area { x, y: top, width: (wide - 1.0).max(0.3), height }, fill });
        let style = Type::bold(11.0, if i < 7 { PAPER } else { INK });
        let label = tick((fraction * 1000.0).round() / 1000.0);
        if width(&label, style) + 8.0 < wide {
            scene.text(
                [x + 5.0, top + 0.5 * height + 4.0],
                shorten(&label, style, wide),
                style,
                Anchor::Start,
            );
        }
        x += wide;
    }
    let rest = Area { x, y: top, width: area.right() - x, height };
    if rest.width > 1.5 {
        scene.push(Item::Frame { area: rest, color: SOFT.mix(PAPER, 0.6) });
        let style = Type::regular(10.5, SOFT);
        let label = "others";
        if width(label, style) + 8.0 < rest.width {
            scene.text([rest.x + 5.0, top + 0.5 * height + 4.0], label, style, Anchor::Start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::sample;
    use serde_json::json;

    #[test]
    fn two_eigenvalues_are_shares_of_a_known_trace() {
        let mut results = sample::results("swiss-roll", 50, 3);
        results.methods[0].method = "isomap".to_owned();
        let facts =
            [("eigenvalues", json!([5.0, 2.0])), ("trace", json!(8.0)), ("negative_mass", json!(2.0))];
        results.methods[0].facts.extend(facts.map(|(name, value)| (name.to_owned(), value)));
        assert_eq!(comparable(&results), vec![("isomap".to_owned(), vec![0.5, 0.2])]);
        let mass = results.methods[0].facts.remove("negative_mass").expect("the fact exists");
        results.methods[0].facts.insert("negative_mass_at_least".to_owned(), mass);
        assert_eq!(comparable(&results), vec![("isomap".to_owned(), vec![0.5, 0.2])]);
        results.methods[0].facts.remove("trace");
        assert_eq!(comparable(&results), Vec::new());
    }

    #[test]
    fn shares_fill_the_bar_and_negatives_do_not_count() {
        let mut results = sample::results("swiss-roll", 50, 3);
        results.methods[0].method = "isomap".to_owned();
        results.methods[0].facts.insert("eigenvalues".to_owned(), json!([6.0, 3.0, 1.0, -2.0]));
        results.methods[1].method = "pca".to_owned();
        results.methods[1].facts.insert("explained_variance".to_owned(), json!([2.0, 1.0, 0.5]));
        results.methods[1].facts.insert("total_variance".to_owned(), json!(5.0));
        let spectra = comparable(&results);
        let expected =
            vec![("pca".to_owned(), vec![0.4, 0.2, 0.1]), ("isomap".to_owned(), vec![0.6, 0.3, 0.1])];
        assert_eq!(spectra, expected);
        let scene = spectra_scene(&results, &spectra, &Paint::of(&results.data));
        assert!(scene.items.iter().any(|item| matches!(item, Item::Text { text, .. } if text == "0.6")));
    }
}
