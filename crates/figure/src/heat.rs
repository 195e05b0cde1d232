//! Heat maps: a matrix of colored cells with numbers, and the draws behind its means.

use crate::color::{HAIRLINE, INK, PANEL, PAPER, PLAIN, SOFT, ramp};
use crate::number::score;
use crate::scene::{Anchor, Area, Disc, Item, Scene, Type};
use crate::text::{shorten, width, wrap};

/// A matrix of values, to be drawn as colors.
#[derive(Clone, PartialEq)]
pub struct HeatMap {
    /// The heading.
    pub title: String,
    /// The text below the heading: the meaning of the colors.
    pub text: String,
    /// The heads of the columns, a line for each varied quantity.
    pub columns: Vec<Vec<String>>,
    /// The name of each row and its cells, one for each column.
    pub rows: Vec<(String, Vec<HeatCell>)>,
    /// Rows of plain text below.
    pub notes: Vec<(String, Vec<String>)>,
}

/// One cell.
#[derive(Clone, PartialEq)]
pub struct HeatCell {
    /// From 0, the worst of the matrix, to 1, the best; `None` for a cell without color.
    pub fraction: Option<f64>,
    /// The text in the cell.
    pub text: String,
    /// A smaller text below it.
    pub small: String,
    /// The values of the draws.
    pub draws: Vec<f64>,
}

const MARGIN: f64 = 20.0;
const GAP: f64 = 34.0;
const CELL: f64 = 70.0;
const LINE: f64 = 16.0;
/// The largest width of a page with several in a row.
const WIDEST: f64 = 1700.0;

const TITLE: Type = Type::bold(13.0, INK);
const NAME: Type = Type::regular(12.0, INK);
const HEAD: Type = Type::regular(11.0, SOFT);

/// Several heat maps on a page, side by side where they fit, below a title and a text
/// (either may be empty).
pub fn heat_scene(title: &str, text: &str, maps: &[HeatMap]) -> Scene {
    let sizes: Vec<[f64; 2]> = maps.iter().map(size).collect();
    let beside: f64 = sizes.iter().map(|size| size[0] + GAP).sum::<f64>() - GAP;
    let row = beside + 2.0 * MARGIN <= WIDEST;
    let widest = embedding::implement::maximum(sizes.iter().map(|size| size[0]).chain([240.0]));
    let inner = if row { beside.max(240.0) } else { widest };
    let mut scene = Scene::new(2.0 * MARGIN + inner, 0.0);
    let (mut x, mut y) = (MARGIN, MARGIN);
    if !title.is_empty() {
        let heading = Type::bold(18.0, INK);
        scene.text([x, y + 16.0], shorten(title, heading, inner), heading, Anchor::Start);
        y += 26.0;
        for line in wrap(text, NAME, inner, 4) {
            y += LINE;
            scene.text([x, y - 3.0], line, NAME, Anchor::Start);
        }
        y += 14.0;
    }
    let highest = embedding::implement::maximum(sizes.iter().map(|size| size[1]).chain([0.0]));
    scene.height =
        y + MARGIN + if row { highest } else { sizes.iter().map(|size| size[1] + GAP).sum::<f64>() - GAP };
    for (map, size) in maps.iter().zip(&sizes) {
        draw(&mut scene, map, Area { x, y, width: size[0], height: size[1] });
        if row { x += size[0] + GAP } else { y += size[1] + GAP }
    }
    scene
}

/// The width of the names of the rows.
fn names(map: &HeatMap) -> f64 {
    let rows = map.rows.iter().map(|(name, _)| name).chain(map.notes.iter().map(|(name, _)| name));
    embedding::implement::maximum(rows.map(|name| width(name, NAME)).chain([0.0])) + 10.0
}

/// The height of a cell: of two lines where any has a smaller one.
fn pitch(map: &HeatMap) -> f64 {
    let two = map.rows.iter().flat_map(|(_, cells)| cells).any(|cell| !cell.small.is_empty());
    if two { 36.0 } else { 24.0 }
}

fn size(map: &HeatMap) -> [f64; 2] {
    let wide = (names(map) + CELL * map.columns.len() as f64).max(width(&map.title, TITLE)).max(240.0);
    let heads = map.columns.iter().map(Vec::len).max().unwrap_or(0) as f64;
    let text = wrap(&map.text, HEAD, wide, 4).len() as f64;
    let rows = pitch(map) * map.rows.len() as f64;
    [wide, 24.0 + LINE * (text + heads) + 10.0 + rows + LINE * map.notes.len() as f64 + 8.0]
}

fn draw(scene: &mut Scene, map: &HeatMap, area: Area) {
    scene.text([area.x, area.y + 13.0], map.title.as_str(), TITLE, Anchor::Start);
    let mut y = area.y + 18.0;
    for line in wrap(&map.text, HEAD, area.width, 4) {
        y += LINE;
        scene.text([area.x, y - 3.0], line, HEAD, Anchor::Start);
    }
    y += 6.0;
    let left = area.x + names(map);
    let middle = |column: usize| left + CELL * (column as f64 + 0.5);
    for line in 0..map.columns.iter().map(Vec::len).max().unwrap_or(0) {
        y += LINE;
        let same = |a: &Vec<String>, b: &Vec<String>| a.get(..=line) == b.get(..=line);
        let mut first = 0;
        // A value that goes on is written once, over the middle of its columns.
        for group in map.columns.chunk_by(same) {
            let wide = CELL * group.len() as f64;
            let text = group[0].get(line).map(String::as_str).unwrap_or_default();
            let at = [left + CELL * first as f64 + 0.5 * wide, y - 4.0];
            scene.text(at, shorten(text, HEAD, wide - 4.0), HEAD, Anchor::Middle);
            first += group.len();
        }
    }
    let high = pitch(map);
    for (name, cells) in &map.rows {
        scene.text([left - 8.0, y + 0.5 * high + 4.0], name.as_str(), NAME, Anchor::End);
        for (i, cell) in cells.iter().enumerate() {
            let place = Area { x: left + CELL * i as f64, y, width: CELL, height: high }.inset(1.0);
            draw_cell(scene, cell, place);
        }
        y += high;
    }
    for (name, values) in &map.notes {
        y += LINE;
        scene.text([left - 8.0, y], name.as_str(), HEAD, Anchor::End);
        for (i, value) in values.iter().enumerate() {
            scene.text([middle(i), y], value.as_str(), HEAD, Anchor::Middle);
        }
    }
}

fn draw_cell(scene: &mut Scene, cell: &HeatCell, place: Area) {
    let fill = cell.fraction.map_or(PANEL, ramp);
    scene.push(Item::Rect { area: place, fill });
    // White on the dark half of the ramp, ink on the light one.
    let ink = match cell.fraction {
        Some(fraction) if fraction < 0.5 => PAPER,
        Some(_) => INK,
        None => SOFT,
    };
    let x = place.center()[0];
    let below = if cell.small.is_empty() { 0.0 } else { 7.0 };
    let y = place.center()[1] + 4.0;
    scene.text([x, y - below], cell.text.as_str(), Type::regular(11.5, ink), Anchor::Middle);
    if below > 0.0 {
        scene.text([x, y + below], cell.small.as_str(), Type::regular(9.5, ink), Anchor::Middle);
    }
}

/// Every draw of each cell as a point on a line, with a bar at the mean: one block per
/// column, four in a row, all on one scale.
pub fn draws_scene(map: &HeatMap) -> Scene {
    const BLOCK: f64 = 210.0;
    const ROW: f64 = 22.0;
    const BESIDE: usize = 4;
    let values = || map.rows.iter().flat_map(|(_, cells)| cells).flat_map(|cell| cell.draws.iter().copied());
    let (low, high) = (embedding::implement::minimum(values()), embedding::implement::maximum(values()));
    let left = MARGIN + names(map);
    let heads = LINE * map.columns.iter().map(Vec::len).max().unwrap_or(0) as f64;
    let tall = ROW * map.rows.len() as f64;
    let blocks = map.columns.len().div_ceil(BESIDE) as f64;
    let wide = left + (BLOCK + 14.0) * map.columns.len().min(BESIDE) as f64 + MARGIN;
    let wide = wide.max(width(&map.title, TITLE) + 2.0 * MARGIN).max(420.0);
    let mut scene = Scene::new(wide, MARGIN + 24.0 + (heads + tall + 34.0) * blocks);
    scene.text([MARGIN, MARGIN + 13.0], map.title.as_str(), TITLE, Anchor::Start);
    let span = Span { low, high };
    for (column, head) in map.columns.iter().enumerate() {
        let x = left + (BLOCK + 14.0) * (column % BESIDE) as f64;
        let top = MARGIN + 24.0 + (heads + tall + 34.0) * (column / BESIDE) as f64;
        for (line, text) in head.iter().enumerate() {
            let at = [x + 0.5 * BLOCK, top + LINE * line as f64 + 11.0];
            scene.text(at, text.as_str(), HEAD, Anchor::Middle);
        }
        let area = Area { x, y: top + heads, width: BLOCK, height: tall };
        scene.push(Item::Rect { area, fill: PANEL });
        scene.push(Item::Frame { area, color: HAIRLINE });
        for (i, (name, cells)) in map.rows.iter().enumerate() {
            let y = area.y + ROW * (i as f64 + 0.5);
            if column % BESIDE == 0 {
                scene.text([left - 8.0, y + 4.0], name.as_str(), NAME, Anchor::End);
            }
            draw_draws(&mut scene, &cells[column].draws, &span, area, y);
        }
        if low <= high {
            scene.text([area.x, area.bottom() + 15.0], score(low), HEAD, Anchor::Start);
            scene.text([area.right(), area.bottom() + 15.0], score(high), HEAD, Anchor::End);
        }
    }
    scene
}

/// The values of an axis.
struct Span {
    low: f64,
    high: f64,
}

impl Span {
    /// The place of a value across an area, with a small margin.
    fn place(&self, value: f64, area: Area) -> f64 {
        let fraction = if self.high > self.low { (value - self.low) / (self.high - self.low) } else { 0.5 };
        area.x + area.width * (0.04 + 0.92 * fraction)
    }
}

/// One line of draws, at height `y`.
fn draw_draws(scene: &mut Scene, draws: &[f64], span: &Span, area: Area, y: f64) {
    if draws.is_empty() {
        return;
    }
    let ends = [
        embedding::implement::minimum(draws.iter().copied()),
        embedding::implement::maximum(draws.iter().copied()),
    ];
    let path = ends.map(|value| [span.place(value, area), y]).to_vec();
    scene.push(Item::Line { path, width: 1.0, color: SOFT });
    let mean = span.place(draws.iter().sum::<f64>() / draws.len() as f64, area);
    scene.push(Item::Line { path: vec![[mean, y - 7.0], [mean, y + 7.0]], width: 2.0, color: INK });
    let disc = |value: &f64| Disc { at: [span.place(*value, area), y], radius: 3.0, color: PLAIN };
    scene.push(Item::Discs { discs: draws.iter().map(disc).collect() });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg;

    fn map(columns: usize, fraction: Option<f64>) -> HeatMap {
        let cell = HeatCell {
            fraction,
            text: "0.123".to_owned(),
            small: "±0.004".to_owned(),
            draws: vec![0.1, 0.2],
        };
        HeatMap {
            title: "procrustes".to_owned(),
            text: "yellow is best".to_owned(),
            columns: (0..columns).map(|i| vec![format!("n = {}", i / 2), format!("k = {i}")]).collect(),
            rows: vec![("conformal-eigenmaps".to_owned(), vec![cell; columns])],
            notes: vec![("shortcut edges".to_owned(), vec!["3".to_owned(); columns])],
        }
    }

    #[test]
    fn every_word_and_cell_is_on_the_page() {
        for columns in [0, 1, 4, 30] {
            let maps = [map(columns, Some(0.5)), map(columns, None)];
            for scene in [
                heat_scene("a sweep", "k = 6, 8", &maps),
                heat_scene("", "", &maps[..1]),
                draws_scene(&maps[0]),
            ] {
                for item in &scene.items {
                    let (left, right, low) = match item {
                        Item::Rect { area, .. } => (area.x, area.right(), area.bottom()),
                        Item::Text { at, text, style, anchor } => {
                            let wide = width(text, *style);
                            let left = match anchor {
                                Anchor::Start => at[0],
                                Anchor::Middle => at[0] - 0.5 * wide,
                                Anchor::End => at[0] - wide,
                            };
                            (left, left + wide, at[1])
                        }
                        _ => continue,
                    };
                    assert!(
                        left >= 0.0 && right <= scene.width && low <= scene.height,
                        "{columns}: {item:?}"
                    );
                }
                assert!(!svg(&scene).contains("NaN"));
            }
        }
    }

    #[test]
    fn a_title_wider_than_the_cells_is_whole() {
        let title = "trustworthiness, higher is better, as long as a title is";
        let map = HeatMap { title: title.to_owned(), ..map(1, Some(0.5)) };
        for scene in [heat_scene("", "", &[map.clone(), map.clone()]), draws_scene(&map)] {
            let whole = |item: &&Item| matches!(item, Item::Text { text, .. } if text == title);
            let titles: Vec<&Item> = scene.items.iter().filter(whole).collect();
            assert!(!titles.is_empty());
            for title in titles {
                let Item::Text { at, text, style, .. } = title else { continue };
                assert!(at[0] + width(text, *style) <= scene.width, "{title:?}");
            }
        }
    }

    #[test]
    fn the_best_is_the_lightest_and_a_missing_value_has_no_color() {
        let fill = |fraction| {
            let items = heat_scene("", "", &[map(1, fraction)]).items;
            items.into_iter().find_map(|item| match item {
                Item::Rect { fill, .. } => Some(fill),
                _ => None,
            })
        };
        assert_eq!(fill(Some(1.0)), Some(ramp(1.0)));
        assert_eq!(fill(None), Some(PANEL));
    }
}
