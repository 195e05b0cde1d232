//! Figure of a data set: the data, and one panel per method.

use datasets::Dataset;

use crate::color::{INK, SOFT};
use crate::legend::legend;
use crate::paint::Paint;
use crate::panel::{Content, Thumbnails, data_caption, draw_data, draw_panel};
use crate::scene::{Anchor, Area, Scene, Type};
use crate::spectrum::{Spectrum, bars};
use crate::text::{shorten, width, wrap};

const MARGIN: f64 = 28.0;
const GAP: f64 = 20.0;
const CAPTION: f64 = 76.0;

/// What the figure of a data set shows.
#[derive(Clone)]
pub struct Page<'a> {
    /// The heading.
    pub title: String,
    /// The text next to the heading.
    pub facts: String,
    /// The text below the heading.
    pub text: &'a str,
    /// The data.
    pub data: &'a Dataset,
    /// Their number of columns.
    pub columns: usize,
    /// Below the data.
    pub note: String,
    /// To the right of the data.
    pub panels: Vec<Panel<'a>>,
}

/// A panel with its caption.
#[derive(Clone)]
pub struct Panel<'a> {
    /// Below the panel, to the left.
    pub name: String,
    /// Below the panel, to the right.
    pub effort: String,
    /// The panel itself.
    pub content: Content<'a>,
    /// The lines below the name.
    pub lines: Vec<Line>,
    /// The eigenvalues, drawn as bars next to the lines.
    pub eigenvalues: Option<Spectrum>,
}

/// A line of a caption.
#[derive(Clone)]
pub struct Line {
    /// The words.
    pub text: String,
    /// Whether it is set in bold.
    pub bold: bool,
}

/// The figure of a data set: its data to the left with the key to the colors,
/// to the right the panels. A point has the same color everywhere; both axes of
/// a panel have one scale.
pub fn dataset_scene(page: &Page<'_>, paint: &Paint) -> Scene {
    let grid = Grid::new(page.panels.len());
    let left_width = grid.left_width();
    let width = 2.0 * MARGIN + left_width + GAP + grid.width();
    let mut scene = Scene::new(width, 0.0);
    let top = draw_heading(&mut scene, page, width - 2.0 * MARGIN) + GAP;
    let left = draw_left(&mut scene, page, paint, top, left_width);
    for (i, panel) in page.panels.iter().enumerate() {
        let area = grid.area(i, MARGIN + left_width + GAP, top);
        // In a small panel pictures would hide the points.
        draw_panel(&mut scene, page.data, panel.content, paint, Thumbnails::None, area);
        draw_caption(&mut scene, panel, area);
    }
    scene.height = left.max(top + grid.height()) + MARGIN;
    scene
}

/// A grid of panels.
struct Grid {
    columns: usize,
    rows: usize,
    panel: [f64; 2],
}

impl Grid {
    /// Chooses the number of columns for a moderate aspect ratio and few empty cells.
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
        // Up to three panels form one row.
        let columns = match count {
            0..=3 => count.max(1),
            _ => (1..=6).min_by(|&a, &b| cost(a).total_cmp(&cost(b))).unwrap_or(1),
        };
        Self { columns, rows: count.div_ceil(columns), panel }
    }

    fn width(&self) -> f64 {
        self.columns as f64 * (self.panel[0] + GAP) - GAP
    }

    /// Returns the width of the column with the data: larger if there are many rows of
    /// panels.
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

/// Title, facts and text; returns where they end.
fn draw_heading(scene: &mut Scene, page: &Page<'_>, space: f64) -> f64 {
    let name = Type::bold(24.0, INK);
    scene.text([MARGIN, MARGIN + 20.0], page.title.as_str(), name, Anchor::Start);
    let after = MARGIN + width(&page.title, name) + 16.0;
    scene.text([after, MARGIN + 20.0], page.facts.as_str(), Type::regular(14.0, SOFT), Anchor::Start);
    let style = Type::regular(13.0, SOFT);
    let lines = wrap(page.text, style, space.min(1100.0), 3);
    let mut y = MARGIN + 24.0;
    for line in lines {
        y += 19.0;
        scene.text([MARGIN, y], line, style, Anchor::Start);
    }
    y
}

/// The data, their caption, the legend and the note; returns where they end.
fn draw_left(scene: &mut Scene, page: &Page<'_>, paint: &Paint, top: f64, width: f64) -> f64 {
    let area = Area { x: MARGIN, y: top, width, height: 0.92 * width };
    draw_data(scene, page.data, paint, area);
    let style = Type::regular(11.5, SOFT);
    let mut y = area.bottom() + 18.0;
    for line in wrap(&data_caption(page.data, page.columns), style, width, 2) {
        scene.text([MARGIN, y], line, style, Anchor::Start);
        y += 16.0;
    }
    y += 8.0;
    y += legend(scene, paint, Area { y, height: 0.0, ..area }) + 14.0;
    for line in wrap(&page.note, style, width, 8) {
        scene.text([MARGIN, y + 8.0], line, style, Anchor::Start);
        y += 16.0;
    }
    y
}

/// Under a panel: name and effort, lines to the left, eigenvalues to the right.
fn draw_caption(scene: &mut Scene, panel: &Panel<'_>, area: Area) {
    let shown = matches!(panel.content, Content::Map(_));
    let name = Type::bold(13.0, if shown { INK } else { SOFT });
    let small = Type::regular(11.0, SOFT);
    let y = area.bottom() + 18.0;
    let space = area.width - width(&panel.effort, small) - 8.0;
    scene.text([area.x, y], shorten(&panel.name, name, space), name, Anchor::Start);
    scene.text([area.right(), y], panel.effort.as_str(), small, Anchor::End);
    let space = area.width - if panel.eigenvalues.is_some() { 70.0 } else { 0.0 };
    for (i, line) in panel.lines.iter().enumerate() {
        let style = if line.bold { Type::bold(11.0, INK) } else { small };
        let at = [area.x, y + 16.0 * (i as f64 + 1.0)];
        scene.text(at, shorten(&line.text, style, space), style, Anchor::Start);
    }
    if let Some(spectrum) = &panel.eigenvalues {
        bars(scene, spectrum, Area { x: area.right() - 62.0, y: y + 8.0, width: 62.0, height: 32.0 });
        let tiny = Type::regular(9.0, SOFT);
        scene.text([area.right(), y + 51.0], "eigenvalues", tiny, Anchor::End);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_holds_every_panel_and_wastes_no_row() {
        for count in 1..=24 {
            let grid = Grid::new(count);
            assert!(grid.columns * grid.rows >= count && grid.columns * (grid.rows - 1) < count);
            let shape = grid.width() / grid.height();
            assert!(count < 3 || (0.5..3.5).contains(&shape), "{count}: {shape}");
        }
    }
}
