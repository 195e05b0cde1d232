//! Figure of new points in a map, one panel per placement method.

use faer::MatRef;

use crate::study::Placement;

use super::color::{HAIRLINE, INK, PANEL, SOFT};
use super::legend::legend;
use super::measure::words;
use super::number::{count, duration, score};
use super::paint::Paint;
use super::scene::{Anchor, Area, Disc, Item, Scene, Type};
use super::text::wrap;
use super::view::Fit;

const PANEL_SIZE: f64 = 400.0;
const GAP: f64 = 20.0;
const MARGIN: f64 = 28.0;
const CAPTION: f64 = 62.0;
/// Margin around the map, for new points outside of it.
const OUTER: f64 = 24.0;

/// Draws the map alone, then with the new points placed by each method: known points
/// pale, new points opaque, all panels with the same axes.
pub fn placement_scene(placement: &Placement) -> Scene {
    let panels = 1 + placement.placed.len();
    let width = 2.0 * MARGIN + panels as f64 * (PANEL_SIZE + GAP) - GAP;
    let mut scene = Scene::new(width, 0.0);
    let heading = format!("{}: new points in a map", words(&placement.dataset));
    scene.text([MARGIN, MARGIN + 20.0], heading, Type::bold(24.0, INK), Anchor::Start);
    let soft = Type::regular(13.0, SOFT);
    let mut top = MARGIN + 24.0;
    for line in wrap(&placement_caption(placement), soft, width - 2.0 * MARGIN, 4) {
        top += 19.0;
        scene.text([MARGIN, top], line, soft, Anchor::Start);
    }
    top += GAP;

    let paint = Paint::labels(&placement.labels);
    let area = |i: usize| Area {
        x: MARGIN + i as f64 * (PANEL_SIZE + GAP),
        y: top,
        width: PANEL_SIZE,
        height: PANEL_SIZE,
    };
    let frame = places(placement.coordinates.as_ref());
    // A point outside the panel is drawn on its border.
    let cloud = |coordinates: MatRef<'_, f64>, first: usize, area: Area, look: Look| -> (Vec<Disc>, usize) {
        let (fit, inner) = (Fit::new(&frame, area.inset(OUTER)), area.inset(4.0));
        let mut beyond = 0;
        let disc = |(i, place): (usize, [f64; 2])| {
            let at = fit.place(place);
            let inside = [at[0].clamp(inner.x, inner.right()), at[1].clamp(inner.y, inner.bottom())];
            beyond += usize::from(inside != at);
            let color = paint.color(first + i).mix(PANEL, look.faded);
            Disc { at: inside, radius: look.radius, color }
        };
        (places(coordinates).into_iter().enumerate().map(disc).collect(), beyond)
    };
    let small = 0.27 * PANEL_SIZE / (placement.known as f64).sqrt();
    let known = Look { radius: small.clamp(0.6, 2.2), faded: 0.0 };
    let new = Look { radius: known.radius.clamp(1.4, 2.2) + 0.9, faded: 0.0 };

    let map = placement.coordinates.as_ref();
    let (discs, _) = cloud(map, 0, area(0), known);
    let accuracy = format!("{}-NN accuracy {}", placement.k, percent(placement.map_accuracy));
    let made = format!("made in {}", duration(placement.map.seconds));
    let title = format!("{}: {} known points", placement.map.method, count(placement.known));
    draw(&mut scene, discs, [&title, &accuracy, &made], area(0));
    for (i, placed) in placement.placed.iter().enumerate() {
        let (mut discs, _) = cloud(map, 0, area(i + 1), Look { faded: 0.72, ..known });
        let (placed_discs, beyond) = cloud(placed.coordinates.as_ref(), placement.known, area(i + 1), new);
        discs.extend(placed_discs);
        let title = format!("{} new points by {}", count(placement.new), placed.by);
        let mut accuracy = format!("accuracy {}", percent(placed.accuracy));
        if beyond > 0 {
            accuracy += &format!("; {} outside the panel, drawn on its border", count(beyond));
        }
        let time = match placed.training_seconds {
            None => format!("placed in {}", duration(placed.seconds)),
            Some(training) => format!(
                "trained in {}, placed in {}; validation error {}",
                duration(training),
                duration(placed.seconds),
                score(placement.validation.root_mean_square)
            ),
        };
        draw(&mut scene, discs, [&title, &accuracy, &time], area(i + 1));
    }
    let key = Area { x: MARGIN, y: top + PANEL_SIZE + CAPTION + 10.0, width: 420.0, height: 0.0 };
    scene.height = key.y + legend(&mut scene, &paint, key) + MARGIN;
    scene
}

/// Returns a caption with the sizes and the meaning of the colors.
pub fn placement_caption(placement: &Placement) -> String {
    format!(
        "A map of {} points, with {} new points placed in it. Known points are pale in the panels with new points; \
         all panels have the same axes. For comparison, {}-NN in the original space classifies {} of the new \
         points correctly.",
        count(placement.known),
        count(placement.new),
        placement.k,
        percent(placement.data_accuracy)
    )
}

/// Formats a fraction as a percentage.
pub fn percent(fraction: f64) -> String {
    format!("{:.1} %", 100.0 * fraction)
}

#[derive(Clone, Copy)]
struct Look {
    radius: f64,
    /// Fraction of the background color that is blended in.
    faded: f64,
}

/// Returns the first two columns; one-dimensional maps are drawn as a horizontal line.
fn places(coordinates: MatRef<'_, f64>) -> Vec<[f64; 2]> {
    let at = |i: usize, j: usize| if j < coordinates.ncols() { coordinates[(i, j)] } else { 0.0 };
    (0..coordinates.nrows()).map(|i| [at(i, 0), at(i, 1)]).collect()
}

fn draw(scene: &mut Scene, discs: Vec<Disc>, lines: [&str; 3], area: Area) {
    scene.push(Item::Rect { area, fill: PANEL });
    scene.push(Item::Frame { area, color: HAIRLINE });
    scene.push(Item::Discs { discs });
    let styles = [Type::bold(13.0, INK), Type::regular(11.5, INK), Type::regular(11.5, SOFT)];
    for (i, (line, style)) in lines.into_iter().zip(styles).enumerate() {
        let y = area.bottom() + 18.0 + 17.0 * i as f64;
        scene.text([area.x, y], line, style, Anchor::Start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{sample, svg};

    /// One cloud per panel: known points alone, then with the new ones; an outlier stays
    /// in its panel and is counted.
    #[test]
    fn all_panels_have_one_frame_that_no_stray_point_changes() {
        let near = sample::placement(40, 8);
        let mut far = near.clone();
        far.placed[1].coordinates[(3, 0)] = 1e9;
        let clouds = |placement: &Placement| -> Vec<Vec<Disc>> {
            let discs = |item: &Item| match item {
                Item::Discs { discs } => Some(discs.clone()),
                _ => None,
            };
            placement_scene(placement).items.iter().filter_map(discs).take(3).collect()
        };
        let (before, after) = (clouds(&near), clouds(&far));
        assert_eq!(before.iter().map(Vec::len).collect::<Vec<_>>(), [40, 48, 48]);
        let apart = |a: &Disc, b: &Disc| [a.at[0] - b.at[0], a.at[1] - b.at[1]];
        for i in 0..40 {
            let shift = apart(&before[1][i], &before[0][i]);
            assert!((shift[0] - (PANEL_SIZE + GAP)).abs() < 1e-9 && shift[1].abs() < 1e-9);
            assert_eq!(after[2][i].at, before[2][i].at);
        }
        let right = MARGIN + 3.0 * PANEL_SIZE + 2.0 * GAP;
        assert!(after[2][43].at[0] <= right && after[2][43].at[0] > right - 5.0);
        assert!(svg(&placement_scene(&far)).contains("1 outside the panel"));
        assert!(!svg(&placement_scene(&near)).contains("outside the panel"));
    }

    #[test]
    fn every_word_fits_the_page() {
        let scene = placement_scene(&sample::placement(1400, 300));
        for item in &scene.items {
            if let Item::Text { at, text, style, anchor: Anchor::Start } = item {
                assert!(at[0] + crate::figure::text::width(text, *style) <= scene.width, "{text}");
            }
        }
    }
}
