//! One figure per data set: the data, and a panel for every method.

use crate::results::{DatasetResults, MethodResults, Outcome};

use super::color::{ALERT, INK, SOFT};
use super::legend::legend;
use super::measure::{best, chief, words};
use super::number::{count, counted, duration, score};
use super::paint::Paint;
use super::panel::{Thumbnails, data_caption, draw_data, draw_method, effort};
use super::scene::{Anchor, Area, Scene, Type};
use super::spectrum::{bars, eigenvalues};
use super::text::{shorten, width, wrap};

const MARGIN: f64 = 28.0;
const GAP: f64 = 20.0;
const CAPTION: f64 = 76.0;

/// The figure of a data set: its data to the left with the key to the colors,
/// to the right a panel per method with time, chief scores and spectrum. A
/// point has the same color everywhere; both axes of a panel have one scale.
pub fn dataset_scene(results: &DatasetResults) -> Scene {
    painted_scene(results, &Paint::of(&results.data))
}

/// [`dataset_scene`] in other colors.
pub fn painted_scene(results: &DatasetResults, paint: &Paint) -> Scene {
    let grid = Grid::new(results.methods.len());
    let left_width = grid.left_width();
    let width = 2.0 * MARGIN + left_width + GAP + grid.width();
    let mut scene = Scene::new(width, 0.0);
    let top = draw_heading(&mut scene, results, width - 2.0 * MARGIN) + GAP;
    let left = draw_left(&mut scene, results, paint, top, left_width);
    for (i, method) in results.methods.iter().enumerate() {
        let area = grid.area(i, MARGIN + left_width + GAP, top);
        let thumbnails = Thumbnails::Side { side: 0.088 * area.width, pitch: 1.5 };
        draw_method(&mut scene, results, method, paint, thumbnails, area);
        draw_caption(&mut scene, results, method, area);
    }
    scene.height = left.max(top + grid.height()) + MARGIN;
    scene
}

/// Panels in rows and columns.
struct Grid {
    columns: usize,
    rows: usize,
    panel: [f64; 2],
}

impl Grid {
    /// Chooses the number of columns so that the whole is neither a tower nor a
    /// ribbon, and few cells stay empty.
    fn new(count: usize) -> Self {
        let magnified = match count {
            0..=3 => 1.7,
            4..=6 => 1.25,
            _ => 1.0,
        };
        let panel = [240.0 * magnified, 184.0 * magnified];
        let cost = |columns: usize| {
            let rows = count.div_ceil(columns);
            let (width, height) = (columns as f64 * (panel[0] + GAP), rows as f64 * (panel[1] + CAPTION));
            let empty = (columns * rows).abs_diff(count) as f64;
            (width / height / 1.5).ln().abs() + 0.25 * empty
        };
        // Up to three stand side by side.
        let columns = match count {
            0..=3 => count.max(1),
            _ => (1..=6).min_by(|&a, &b| cost(a).total_cmp(&cost(b))).unwrap_or(1),
        };
        Self { columns, rows: count.div_ceil(columns), panel }
    }

    fn width(&self) -> f64 {
        self.columns as f64 * (self.panel[0] + GAP) - GAP
    }

    /// The width of the column that shows the data: beside many rows there is
    /// room for a large view.
    fn left_width(&self) -> f64 {
        if self.rows > 2 { 430.0 } else { 330.0 }
    }

    fn height(&self) -> f64 {
        self.rows as f64 * (self.panel[1] + CAPTION)
    }

    fn area(&self, i: usize, left: f64, top: f64) -> Area {
        let [width, height] = self.panel;
        let (row, column) = (i / self.columns, i % self.columns);
        let x = left + column as f64 * (width + GAP);
        Area { x, y: top + row as f64 * (height + CAPTION), width, height }
    }
}

/// Name, size and what the data set shows; returns where it ends.
fn draw_heading(scene: &mut Scene, results: &DatasetResults, room: f64) -> f64 {
    let name = Type::bold(24.0, INK);
    scene.text([MARGIN, MARGIN + 20.0], words(&results.name), name, Anchor::Start);
    let facts = format!(
        "{} in {}",
        counted(results.n, "point", "points"),
        counted(results.columns, "dimension", "dimensions")
    );
    let after = MARGIN + width(&words(&results.name), name) + 16.0;
    scene.text([after, MARGIN + 20.0], facts, Type::regular(14.0, SOFT), Anchor::Start);
    let style = Type::regular(13.0, SOFT);
    let lines = wrap(&results.shows, style, room.min(1100.0), 3);
    let mut y = MARGIN + 24.0;
    for line in lines {
        y += 19.0;
        scene.text([MARGIN, y], line, style, Anchor::Start);
    }
    y
}

/// The data, its caption, the legend and the graph; returns where it ends.
fn draw_left(scene: &mut Scene, results: &DatasetResults, paint: &Paint, top: f64, width: f64) -> f64 {
    let area = Area { x: MARGIN, y: top, width, height: 0.92 * width };
    draw_data(scene, results, paint, area);
    let style = Type::regular(11.5, SOFT);
    let mut y = area.bottom() + 18.0;
    for line in wrap(&data_caption(results), style, width, 2) {
        scene.text([MARGIN, y], line, style, Anchor::Start);
        y += 16.0;
    }
    y += 8.0;
    y += legend(scene, paint, Area { y, height: 0.0, ..area }) + 14.0;
    for line in wrap(&graph_sentence(results), style, width, 4) {
        scene.text([MARGIN, y + 8.0], line, style, Anchor::Start);
        y += 16.0;
    }
    y
}

/// The shared graph in a sentence.
pub fn graph_sentence(results: &DatasetResults) -> String {
    use neighbor_graph::Neighborhood;
    let graph = &results.graph;
    let who = match graph.neighborhood {
        Neighborhood::Nearest { k } => format!("{k} nearest neighbors"),
        Neighborhood::Within { radius } => format!("neighbors within {radius}"),
    };
    let pieces = match graph.components.len() {
        0 | 1 => "connected".to_owned(),
        pieces => format!("{pieces} components"),
    };
    let jumps = match (graph.shortcuts, graph.cut) {
        (None | Some(0), _) => String::new(),
        (Some(1), None) => " One edge seems to jump between layers (see --cut-shortcuts).".to_owned(),
        (Some(many), None) => format!(" {many} edges seem to jump between layers (see --cut-shortcuts)."),
        (Some(1), Some(_)) => " One more, which seemed to jump between layers, was cut.".to_owned(),
        (Some(many), Some(_)) => format!(" {many} more, which seemed to jump between layers, were cut."),
    };
    format!(
        "One graph for all: {who}, {} edges, {pieces}, found in {}.{jumps}",
        count(graph.edges),
        duration(graph.seconds)
    )
}

/// Under a panel: name and time, scores to the left, spectrum to the right.
fn draw_caption(scene: &mut Scene, results: &DatasetResults, method: &MethodResults, area: Area) {
    let done = method.outcome == Outcome::Done;
    let name = Type::bold(13.0, if done { INK } else { SOFT });
    let small = Type::regular(11.0, SOFT);
    let y = area.bottom() + 18.0;
    let time = effort(results, method);
    let room = area.width - width(&time, small) - 8.0;
    scene.text([area.x, y], shorten(&method.method, name, room), name, Anchor::Start);
    scene.text([area.right(), y], time, small, Anchor::End);
    let spectrum = eigenvalues(method).filter(|_| done);
    let room = area.width - if spectrum.is_some() { 70.0 } else { 0.0 };
    for (i, chosen) in chief(method).into_iter().enumerate() {
        let is_best = best(&results.methods, &chosen.measure) == Some(chosen.value);
        let style = if is_best { Type::bold(11.0, INK) } else { small };
        let line = format!("{} {}", score(chosen.value), words(&chosen.measure));
        scene.text([area.x, y + 16.0 * (i as f64 + 1.0)], shorten(&line, style, room), style, Anchor::Start);
    }
    if let Some(values) = spectrum {
        bars(scene, &values, Area { x: area.right() - 62.0, y: y + 8.0, width: 62.0, height: 32.0 });
        let tiny = Type::regular(9.0, SOFT);
        scene.text([area.right(), y + 51.0], "eigenvalues", tiny, Anchor::End);
    }
    if !done && method.embedding.is_some() {
        scene.text([area.x, y + 16.0], "failed", Type::bold(11.0, ALERT), Anchor::Start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::sample::results;
    use crate::figure::scene::Item;
    use crate::figure::svg;

    #[test]
    fn a_grid_holds_every_panel_and_wastes_no_row() {
        for count in 1..=24 {
            let grid = Grid::new(count);
            assert!(grid.columns * grid.rows >= count && grid.columns * (grid.rows - 1) < count);
            let shape = grid.width() / grid.height();
            assert!(count < 3 || (0.5..3.5).contains(&shape), "{count}: {shape}");
        }
    }

    /// The left and right end of every text.
    fn texts(scene: &Scene) -> Vec<(String, f64, f64)> {
        let ends = |item: &Item| match item {
            Item::Text { at, text, style, anchor } => {
                let wide = width(text, *style);
                let left = match anchor {
                    Anchor::Start => at[0],
                    Anchor::Middle => at[0] - 0.5 * wide,
                    Anchor::End => at[0] - wide,
                };
                Some((text.clone(), left, left + wide))
            }
            _ => None,
        };
        scene.items.iter().filter_map(ends).collect()
    }

    #[test]
    fn one_to_thirty_panels_and_every_word_fit_the_page() {
        for (name, count) in [
            ("swiss-roll", 1),
            ("digits", 2),
            ("hypercube", 3),
            ("helix", 7),
            ("swiss-roll", 21),
            ("swiss-roll", 30),
        ] {
            let results = results(name, 60, count);
            let scene = dataset_scene(&results);
            assert!(scene.width < 2400.0 && scene.height < 1600.0, "{name} {} {}", scene.width, scene.height);
            for (text, left, right) in texts(&scene) {
                assert!(left >= 0.0 && right <= scene.width, "{text:?} of {name}: {left} to {right}");
            }
            let panels = scene.items.iter().filter(|item| matches!(item, Item::Discs { .. })).count();
            assert!(panels >= count - count / 5, "{name}");
            assert_eq!(svg(&scene), svg(&dataset_scene(&results)));
        }
    }

    #[test]
    fn a_failure_says_why() {
        let scene = dataset_scene(&results("swiss-roll", 60, 5));
        let words: Vec<String> = texts(&scene).into_iter().map(|(text, ..)| text).collect();
        assert!(words.iter().any(|text| text == "failed"));
        assert!(words.join(" ").contains("use more neighbors"), "{words:?}");
    }
}
