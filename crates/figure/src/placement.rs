//! Figure of new points in a map, one panel per placement method.

use datasets::Labels;
use faer::MatRef;

use crate::color::{HAIRLINE, INK, PANEL, SOFT};
use crate::legend::legend_of_discs;
use crate::number::count;
use crate::paint::Paint;
use crate::scene::{Anchor, Area, Disc, Item, Scene, Type};
use crate::text::wrap;
use crate::view::Fit;

/// Side of a panel.
pub const PANEL_SIZE: f64 = 400.0;
/// Space between panels.
pub const GAP: f64 = 20.0;
/// Space around all panels.
pub const MARGIN: f64 = 28.0;
const CAPTION: f64 = 62.0;
/// Margin around the map, for new points outside of it.
const OUTER: f64 = 24.0;

/// A map, and panels of it with new points.
#[derive(Clone)]
pub struct PlacementPage<'a> {
    /// The heading.
    pub title: String,
    /// Below the heading.
    pub text: String,
    /// The classes, of the points of the map first.
    pub labels: &'a Labels,
    /// The points of the map.
    pub map: MatRef<'a, f64>,
    /// From left to right.
    pub panels: Vec<PlacementPanel<'a>>,
}

/// The map, alone or with new points.
#[derive(Clone)]
pub struct PlacementPanel<'a> {
    /// Where the new points are.
    pub new: Option<MatRef<'a, f64>>,
    /// The lines below the panel.
    pub lines: [String; 3],
}

/// Panels side by side, all with the same frame. In panels with new points, the points
/// of the map are faint; new points beyond the panel are drawn at its border and
/// counted in the second line.
pub fn placement_scene(page: &PlacementPage<'_>) -> Scene {
    let width = 2.0 * MARGIN + page.panels.len() as f64 * (PANEL_SIZE + GAP) - GAP;
    let mut scene = Scene::new(width, 0.0);
    scene.text([MARGIN, MARGIN + 20.0], page.title.as_str(), Type::bold(24.0, INK), Anchor::Start);
    let soft = Type::regular(13.0, SOFT);
    let mut top = MARGIN + 24.0;
    for line in wrap(&page.text, soft, width - 2.0 * MARGIN, 4) {
        top += 19.0;
        scene.text([MARGIN, top], line, soft, Anchor::Start);
    }
    top += GAP;

    let paint = Paint::labels(page.labels);
    let area = |i: usize| Area {
        x: MARGIN + i as f64 * (PANEL_SIZE + GAP),
        y: top,
        width: PANEL_SIZE,
        height: PANEL_SIZE,
    };
    let frame = places(page.map);
    // A point beyond the panel is drawn at its border.
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
    let small = 0.27 * PANEL_SIZE / (page.map.nrows() as f64).sqrt();
    let known = Look { radius: small.clamp(0.6, 2.2), faded: 0.0 };
    let new = Look { radius: known.radius.clamp(1.4, 2.2) + 0.9, faded: 0.0 };

    for (i, PlacementPanel { new: placed, lines }) in page.panels.iter().enumerate() {
        let faded = if placed.is_some() { 0.72 } else { 0.0 };
        let (mut discs, _) = cloud(page.map, 0, area(i), Look { faded, ..known });
        let [first, mut second, third] = lines.clone();
        if let Some(placed) = placed {
            let (placed_discs, beyond) = cloud(*placed, page.map.nrows(), area(i), new);
            discs.extend(placed_discs);
            if beyond > 0 {
                second += &format!("; {} lie beyond the panel, drawn at its border", count(beyond));
            }
        }
        draw(&mut scene, discs, [&first, &second, &third], area(i));
    }
    let key = Area { x: MARGIN, y: top + PANEL_SIZE + CAPTION + 10.0, width: 420.0, height: 0.0 };
    scene.height = key.y + legend_of_discs(&mut scene, &paint, key) + MARGIN;
    scene
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
