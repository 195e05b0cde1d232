//! A grid of maps: a row for each method, a column for each setting.

use datasets::Dataset;

use crate::color::{INK, SOFT};
use crate::legend::legend;
use crate::paint::Paint;
use crate::panel::{Content, Thumbnails, draw_panel};
use crate::scene::{Anchor, Area, Scene, Type};
use crate::text::{shorten, width, wrap};

/// Maps of one data set by several methods and settings.
pub struct MapGrid<'a> {
    /// The heading.
    pub title: String,
    /// The text below the heading.
    pub text: String,
    /// The heads of the columns, a line for each varied quantity.
    pub heads: Vec<Vec<String>>,
    /// The data of each column.
    pub data: Vec<&'a Dataset>,
    /// The name of each row and its panels, one for each column.
    pub rows: Vec<(String, Vec<MapCell<'a>>)>,
}

/// One panel of a grid.
pub struct MapCell<'a> {
    /// The map, or why there is none.
    pub content: Content<'a>,
    /// The text below the map.
    pub text: String,
}

const MARGIN: f64 = 24.0;
const GAP: f64 = 12.0;
const PANEL: [f64; 2] = [184.0, 138.0];
const LINE: f64 = 16.0;
/// The text below a panel.
const CAPTION: f64 = 22.0;

const NAME: Type = Type::bold(13.0, INK);
const SMALL: Type = Type::regular(11.5, SOFT);

/// Draws a grid of maps with the key to the colors of the first column.
pub fn grid_scene(grid: &MapGrid<'_>) -> Scene {
    let names =
        embedding::implement::maximum(grid.rows.iter().map(|(name, _)| width(name, NAME)).chain([60.0]))
            + GAP;
    let columns = grid.heads.len() as f64;
    let inner = names + columns * (PANEL[0] + GAP) - GAP;
    let mut scene = Scene::new(2.0 * MARGIN + inner, 0.0);
    let mut y = MARGIN;
    if !grid.title.is_empty() {
        let heading = Type::bold(20.0, INK);
        scene.text([MARGIN, y + 18.0], shorten(&grid.title, heading, inner), heading, Anchor::Start);
        y += 28.0;
    }
    for line in wrap(&grid.text, SMALL, inner, 4) {
        y += LINE;
        scene.text([MARGIN, y - 3.0], line, SMALL, Anchor::Start);
    }
    y += 8.0;
    let left = |column: usize| MARGIN + names + column as f64 * (PANEL[0] + GAP);
    for line in 0..grid.heads.iter().map(Vec::len).max().unwrap_or(0) {
        y += LINE;
        for (column, head) in grid.heads.iter().enumerate() {
            let text = head.get(line).map_or("", String::as_str);
            let at = [left(column) + 0.5 * PANEL[0], y - 3.0];
            scene.text(at, shorten(text, NAME, PANEL[0]), NAME, Anchor::Middle);
        }
    }
    y += 6.0;
    let paints: Vec<Paint> = grid.data.iter().map(|data| Paint::of(data)).collect();
    for (name, cells) in &grid.rows {
        scene.text([MARGIN, y + 0.5 * PANEL[1] + 4.0], name.as_str(), NAME, Anchor::Start);
        for (column, cell) in cells.iter().enumerate() {
            let area = Area { x: left(column), y, width: PANEL[0], height: PANEL[1] };
            draw_panel(&mut scene, grid.data[column], cell.content, &paints[column], Thumbnails::None, area);
            let at = [area.x + 0.5 * PANEL[0], area.bottom() + 14.0];
            scene.text(at, shorten(&cell.text, SMALL, PANEL[0]), SMALL, Anchor::Middle);
        }
        y += PANEL[1] + CAPTION;
    }
    if let Some(paint) = paints.first() {
        y += 10.0;
        let wide = inner.min(520.0);
        y += legend(&mut scene, paint, Area { x: MARGIN, y, width: wide, height: 0.0 });
    }
    scene.height = y + MARGIN;
    scene
}
