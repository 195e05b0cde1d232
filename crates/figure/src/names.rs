//! The names of points next to them, where there is space.

use crate::cloud::Cloud;
use crate::color::{INK, PANEL};
use crate::paint::Paint;
use crate::scene::{Anchor, Area, Scene, Type};
use crate::text::{shorten, width};

/// Most points whose names are drawn: among more there is no space.
const MOST: usize = 2000;

const STYLE: Type = Type::regular(10.0, INK);

/// Widest name; longer ones are cut.
const WIDEST: f64 = 120.0;

/// What a line of text takes above and below its baseline.
const ASCENT: f64 = 9.0;
const DESCENT: f64 = 3.0;

/// Draws the name of each point to its right, its left, above or below it, where that covers no point
/// and no other name, and lies within the area; earlier rows first. Returns how many points have a
/// name and how many names were drawn.
pub(super) fn draw(scene: &mut Scene, cloud: &Cloud, names: &[String], area: Area) -> (usize, usize) {
    let named = || cloud.positions.iter().zip(&cloud.rows).filter(|(_, row)| !names[**row].trim().is_empty());
    let count = named().count();
    if cloud.positions.len() > MOST {
        return (count, 0);
    }
    let gap = cloud.radius() + 2.5;
    let mut drawn: Vec<Area> = Vec::new();
    for (&at, &row) in named() {
        // A line break in a cell becomes a space.
        let name = names[row].split_whitespace().collect::<Vec<_>>().join(" ");
        let name = shorten(&name, STYLE, WIDEST);
        let wide = width(&name, STYLE);
        let free = |place: &Area| {
            let inside = place.x >= area.x
                && place.right() <= area.right()
                && place.y >= area.y
                && place.bottom() <= area.bottom();
            inside
                && !drawn.iter().any(|other| overlap(place, other))
                && !cloud.positions.iter().any(|point| covers(place, *point, cloud.radius()))
        };
        if let Some(place) = beside(at, wide, gap).into_iter().find(free) {
            scene.text([place.x, place.y + ASCENT], name, STYLE, Anchor::Start);
            drawn.push(place);
        }
    }
    (count, drawn.len())
}

/// The type of the names of classes.
const CLASS: Type = Type::bold(11.0, INK);

/// The narrowest map with names of classes.
const NARROWEST: f64 = 300.0;

/// Draws the name of each class at the median of its points, or next to that, where it covers no other name and
/// lies within the area; larger classes first. Names that find no place are in the legend alone. Of one class,
/// and in small maps, no name is drawn.
pub(super) fn draw_classes(scene: &mut Scene, cloud: &Cloud, paint: &Paint, area: Area) {
    if paint.named().len() < 2 || area.width < NARROWEST {
        return;
    }
    let place = |(class, name): &(u32, String)| {
        let is_of = |row: &usize| paint.class(*row) == Some(*class);
        let members = || cloud.positions.iter().zip(&cloud.rows).filter(|(_, row)| is_of(row));
        let middle = |axis: usize| {
            let mut values: Vec<f64> = members().map(|(at, _)| at[axis]).collect();
            let half = values.len() / 2;
            (!values.is_empty()).then(|| *values.select_nth_unstable_by(half, f64::total_cmp).1)
        };
        Some((
            members().count(),
            [middle(0)?, middle(1)?],
            name.split_whitespace().collect::<Vec<_>>().join(" "),
        ))
    };
    let mut places: Vec<_> = paint.named().iter().filter_map(place).collect();
    places.sort_by_key(|(count, ..)| std::cmp::Reverse(*count));
    let mut drawn: Vec<Area> = Vec::new();
    for (_, [x, y], name) in places.into_iter().filter(|(.., name)| !name.is_empty()) {
        let name = shorten(&name, CLASS, WIDEST);
        let (wide, height) = (width(&name, CLASS), ASCENT + DESCENT);
        let at = |down: f64| Area {
            x: (x - 0.5 * wide).clamp(area.x, (area.right() - wide).max(area.x)),
            y: y + (down - 0.5) * height,
            width: wide,
            height,
        };
        let free = |place: &Area| {
            place.y >= area.y
                && place.bottom() <= area.bottom()
                && !drawn.iter().any(|other| overlap(place, other))
        };
        let Some(place) = [0.0, -1.0, 1.0].into_iter().map(at).find(free) else { continue };
        // A light outline, so that the name is read on points of any color.
        for [right, down] in [[-1.0, 0.0], [1.0, 0.0], [0.0, -1.0], [0.0, 1.0]] {
            let outline = Type::bold(CLASS.size, PANEL);
            scene.text([place.x + right, place.y + ASCENT + down], name.clone(), outline, Anchor::Start);
        }
        scene.text([place.x, place.y + ASCENT], name, CLASS, Anchor::Start);
        drawn.push(place);
    }
}

/// The places of a name next to a point, best first.
fn beside([x, y]: [f64; 2], width: f64, gap: f64) -> [Area; 4] {
    let height = ASCENT + DESCENT;
    let middle = y - 0.5 * height;
    let place = |x, y| Area { x, y, width, height };
    [
        place(x + gap, middle),
        place(x - gap - width, middle),
        place(x - 0.5 * width, y - gap - height),
        place(x - 0.5 * width, y + gap),
    ]
}

fn overlap(a: &Area, b: &Area) -> bool {
    a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom()
}

/// Whether a place lies over a point of this radius.
fn covers(place: &Area, [x, y]: [f64; 2], radius: f64) -> bool {
    let wider = place.inset(-radius);
    x > wider.x && x < wider.right() && y > wider.y && y < wider.bottom()
}

#[cfg(test)]
mod tests {
    use faer::Mat;

    use super::*;
    use crate::scene::Item;

    const AREA: Area = Area { x: 0.0, y: 0.0, width: 400.0, height: 300.0 };

    fn drawn(points: &[[f64; 2]], names: &[&str]) -> (usize, usize, Vec<(String, [f64; 2])>) {
        let values: Vec<f64> = (0..points.len()).map(|i| i as f64).collect();
        let mat = Mat::from_fn(points.len(), 2, |i, j| points[i][j]);
        let paint = Paint::numbers("x", &values);
        let cloud = Cloud::new(mat.as_ref(), (0..points.len()).collect(), &paint, AREA.inset(20.0));
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut scene = Scene::new(AREA.width, AREA.height);
        let (named, count) = draw(&mut scene, &cloud, &names, AREA);
        let texts = scene.items.into_iter().filter_map(|item| match item {
            Item::Text { at, text, .. } => Some((text, at)),
            _ => None,
        });
        (named, count, texts.collect())
    }

    /// The names of classes of points on a map of this width, with their places.
    fn classes(
        of_points: &[u32],
        names: &[&str],
        points: &[[f64; 2]],
        width: f64,
    ) -> Vec<(String, [f64; 2])> {
        let labels = datasets::Labels {
            name: "class".to_owned(),
            classes: names.iter().map(|name| (*name).to_owned()).collect(),
            values: of_points.to_vec(),
            unknown: None,
        };
        let paint = Paint::labels(&labels);
        let area = Area { width, ..AREA };
        let mat = Mat::from_fn(points.len(), 2, |i, j| points[i][j]);
        let cloud = Cloud::new(mat.as_ref(), (0..points.len()).collect(), &paint, area.inset(20.0));
        let mut scene = Scene::new(area.width, area.height);
        draw_classes(&mut scene, &cloud, &paint, area);
        let texts = scene.items.into_iter().filter_map(|item| match item {
            Item::Text { at, text, style, .. } if style.color == INK => Some((text, at)),
            _ => None,
        });
        texts.collect()
    }

    #[test]
    fn names_of_classes_are_at_their_medians_and_cover_no_other_name() {
        // Two groups of three and a single point far from them, and a class with the places of the first.
        let points = [
            [0.0, 0.0],
            [1.0, 1.0],
            [2.0, 0.0],
            [20.0, 10.0],
            [21.0, 9.0],
            [22.0, 10.0],
            [21.0, 10.0],
            [40.0, 0.0],
        ];
        let of_points = [0, 0, 0, 1, 1, 1, 1, 2];
        let found = classes(&of_points, &["left", "middle", "right"], &points, 400.0);
        let words: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(words, ["middle", "left", "right"], "larger classes first");
        assert!(found[1].1[0] < found[0].1[0] && found[0].1[0] < found[2].1[0]);
        // All at one place: one name at it, one above, one below; the fourth has none.
        let together = classes(&[0, 1, 2, 3], &["a", "b", "c", "d"], &[[0.0; 2]; 4], 400.0);
        assert_eq!(together.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
        let mut heights: Vec<f64> = together.iter().map(|(_, at)| at[1]).collect();
        heights.sort_by(f64::total_cmp);
        assert!(heights.windows(2).all(|pair| pair[1] - pair[0] >= ASCENT + DESCENT - 1e-9), "{heights:?}");
        assert!(classes(&of_points, &["left", "middle", "right"], &points, 200.0).is_empty(), "small maps");
    }

    #[test]
    fn names_are_beside_their_points_and_within_the_area() {
        let square = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
        let (named, count, texts) = drawn(&square, &["south west", "a\nb", " ", "north east"]);
        assert_eq!((named, count), (3, 3));
        let words: Vec<&str> = texts.iter().map(|(text, _)| &text[..]).collect();
        assert_eq!(words, ["south west", "a b", "north east"]);
        // To the right of the point on the left, to the left of the last, which is at the border.
        let [left, .., right] = &texts[..] else { panic!("three") };
        assert!(left.1[0] > 70.0 && right.1[0] + width("north east", STYLE) < 400.0);
        for (text, [x, y]) in &texts {
            assert!(*x >= 0.0 && x + width(text, STYLE) <= 400.0 && *y >= ASCENT && *y <= 300.0 - DESCENT);
        }
    }

    #[test]
    fn names_cover_no_point_and_no_name() {
        let points: Vec<[f64; 2]> =
            (0..150).map(|i| [f64::from(i * 37 % 101), f64::from(i * 53 % 97)]).collect();
        let names = ["a name"; 150];
        let (named, count, texts) = drawn(&points, &names);
        assert!(named == 150 && count > 20 && count < 150, "{count}");
        let wide = width("a name", STYLE);
        let place = |[x, y]: [f64; 2]| Area { x, y: y - ASCENT, width: wide, height: ASCENT + DESCENT };
        let places: Vec<Area> = texts.iter().map(|(_, at)| place(*at)).collect();
        for (i, a) in places.iter().enumerate() {
            assert!(places[..i].iter().all(|b| !overlap(a, b)));
        }
        // All points are in one place; the first names take the space.
        assert_eq!(drawn(&[[0.0, 0.0]; 9], &["x"; 9]).1, 4);
    }
}
