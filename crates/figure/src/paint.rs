//! The colors of the points of a data set, the same in every panel.

use std::cmp::Reverse;

use datasets::{Dataset, Geometry, Labels, Quantity};
use embedding::Silent;
use spectral::{Principal, Tolerance};

use crate::color::{Color, PLAIN, UNKNOWN, class, core, ramp};
use crate::number::ends;
use crate::shading::MOST_DISCS;

/// Values have long tails when their central 98 % are spread this many times as wide as
/// their central half; 2 for uniform values, 3.4 for normal ones, 31 for Cauchy's.
const LONG_TAILS: f64 = 4.5;

/// Most classes that a legend lists.
pub const LISTED: usize = 120;

/// A color per input row, with their legend.
#[derive(Clone, Debug)]
pub struct Paint {
    /// The quantity shown by color.
    pub title: String,
    /// The legend.
    pub legend: Legend,
    colors: Vec<Color>,
    /// Positions of the rows in the legend, from 0 to 1; values beyond its ends lie outside this range.
    heights: Vec<f64>,
    classes: Classes,
}

/// The classes of rows; empty for other colorings.
#[derive(Clone, Debug, Default)]
struct Classes {
    of_rows: Vec<u32>,
    /// The known ones that the legend lists, with their names.
    named: Vec<(u32, String)>,
    unknown: Option<u32>,
}

/// How the points of a class are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The color.
    pub color: Color,
    /// The color of the inner part, where another class has the same color.
    pub core: Option<Color>,
}

/// The meaning of colors.
#[derive(Clone, Debug, PartialEq)]
pub enum Legend {
    /// Numbers, on a scale from dark to light.
    Ramp {
        /// The value of the darkest color, also used for smaller values.
        low: f64,
        /// The value of the lightest color, also used for larger values.
        high: f64,
        /// Whether there are smaller values, and larger ones.
        beyond: [bool; 2],
    },
    /// Classes with their colors: all of them, or the most frequent.
    Classes {
        /// Those that are listed, in their own order.
        listed: Vec<(String, Mark)>,
        /// The number of others.
        more: usize,
    },
    /// A single color.
    Plain,
}

impl Legend {
    /// The ends of a ramp in words, with as many digits as distinguish them; empty for other legends.
    pub fn ends(&self) -> [String; 2] {
        let Self::Ramp { low, high, beyond } = *self else { return Default::default() };
        let [least, most] = ends(low, high);
        let marked = |is_beyond: bool, sign: &str, text: String| {
            if is_beyond { format!("{sign} {text}") } else { text }
        };
        [marked(beyond[0], "≤", least), marked(beyond[1], "≥", most)]
    }
}

impl Paint {
    /// Returns all colorings of a data set, best first: by each quantity, by the first true
    /// coordinate, then by each label set. Label sets precede true coordinates that are only
    /// parameters. If none is known, the color is the first principal component.
    pub fn all(data: &Dataset) -> Vec<Self> {
        let mut paints = Vec::new();
        if let Some(truth) = &data.truth {
            let first: Vec<f64> = truth.view().rows().map(|row| row[0]).collect();
            let unnamed = if truth.dim() == 1 { "true coordinate" } else { "first true coordinate" };
            let title = data.truth_names.first().map_or(unnamed, String::as_str);
            paints.push(Self::numbers(title, &first));
        }
        paints.extend(data.labels.iter().map(Self::labels));
        if data.truth.is_some() && data.geometry == Geometry::Parameters {
            paints.rotate_left(1);
        }
        paints.splice(0..0, data.quantities.iter().map(Self::quantity));
        if paints.is_empty() {
            paints.push(Self::principal(data));
        }
        paints
    }

    /// Returns the first of [`Paint::all`].
    pub fn of(data: &Dataset) -> Self {
        Self::all(data).swap_remove(0)
    }

    /// Colors numbers. One percent of the values at each end share the extreme color, so
    /// that outliers do not compress the scale. Values that have long tails nevertheless
    /// are colored by rank, with equally many points per shade, and the title states this.
    pub fn numbers(title: impl Into<String>, values: &[f64]) -> Self {
        Self::of_numbers(title.into(), values)
    }

    fn of_numbers(title: String, values: &[f64]) -> Self {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len().saturating_sub(1);
        let at =
            |fraction: f64| sorted.get((fraction * last as f64).round() as usize).copied().unwrap_or(0.0);
        let (low, high) = (at(0.01), at(0.99));
        let long_tails = high - low > LONG_TAILS * (at(0.75) - at(0.25)) && at(0.75) > at(0.25);
        let rank = |value: f64| {
            let (below, up_to) =
                (sorted.partition_point(|v| *v < value), sorted.partition_point(|v| *v <= value));
            0.5 * (below + up_to) as f64 / sorted.len() as f64
        };
        let height = |value: f64| match (long_tails, high > low) {
            (true, _) => rank(value),
            (false, true) => (value - low) / (high - low),
            (false, false) => 0.5,
        };
        let (Some(&least), Some(&most)) = (sorted.first(), sorted.last()) else {
            return Self {
                title,
                legend: Legend::Plain,
                colors: vec![UNKNOWN; values.len()],
                heights: vec![0.5; values.len()],
                classes: Classes::default(),
            };
        };
        let title = format!("{}{}", title, if long_tails { ", by rank" } else { "" });
        let heights: Vec<f64> = values.iter().map(|&v| if v.is_finite() { height(v) } else { 0.0 }).collect();
        let color = |(&height, value): (&f64, &f64)| if value.is_nan() { UNKNOWN } else { ramp(height) };
        let colors = heights.iter().zip(values).map(color).collect();
        Self {
            title,
            legend: Legend::Ramp { low, high, beyond: [least < low, most > high] },
            colors,
            heights,
            classes: Classes::default(),
        }
    }

    /// Colors a quantity; rows whose number is missing are gray.
    fn quantity(quantity: &Quantity) -> Self {
        let values: Vec<f64> = quantity.values.iter().map(|value| value.unwrap_or(f64::NAN)).collect();
        let missing = values.iter().filter(|value| value.is_nan()).count();
        let said = if missing == 0 { String::new() } else { format!(" ({missing} missing, gray)") };
        Self::numbers(format!("{}{said}", quantity.name), &values)
    }

    /// Colors numbers of some input rows: `values[i]` belongs to row `rows[i]` of `n`.
    pub fn placed(title: impl Into<String>, values: &[f64], rows: &[usize], n: usize) -> Self {
        let paint = Self::numbers(title, values);
        let (mut colors, mut heights) = (vec![PLAIN; n], vec![0.5; n]);
        for (i, &row) in rows.iter().enumerate().take(values.len()) {
            (colors[row], heights[row]) = (paint.colors[i], paint.heights[i]);
        }
        Self { colors, heights, ..paint }
    }

    /// Colors classes; the unknown one is gray.
    pub fn labels(labels: &Labels) -> Self {
        let last = labels.classes.len().saturating_sub(1).max(1) as f64;
        let is_unknown = |i: usize| labels.unknown.is_some_and(|unknown| unknown as usize == i);
        let class = |i: usize| if is_unknown(i) { UNKNOWN } else { class(i) };
        let named = |i: usize, name: &str| {
            if is_unknown(i) { format!("{name} (unknown)") } else { name.to_owned() }
        };
        let shown = most_frequent(labels);
        let mark = |i: usize| Mark { color: class(i), core: core(i).filter(|_| !is_unknown(i)) };
        let listed = shown.iter().map(|&i| (named(i, &labels.classes[i]), mark(i))).collect();
        let known = shown.iter().filter(|&&i| !is_unknown(i));
        let classes = Classes {
            of_rows: labels.values.clone(),
            named: known.map(|&i| (i as u32, labels.classes[i].clone())).collect(),
            unknown: labels.unknown,
        };
        let unnamed = labels.name.trim().is_empty();
        Self {
            title: if unnamed { "class".to_owned() } else { labels.name.clone() },
            legend: Legend::Classes { listed, more: labels.classes.len() - shown.len() },
            colors: labels.values.iter().map(|&value| class(value as usize)).collect(),
            heights: labels.values.iter().map(|&value| f64::from(value) / last).collect(),
            classes,
        }
    }

    /// Along the first principal component; one color where all points coincide.
    fn principal(data: &Dataset) -> Self {
        let points = data.points.view();
        let axis = Principal::new(points, 1, Tolerance::default(), &Silent).ok();
        let values = axis.map(|axis| -> Vec<f64> {
            let along = |row: &[f64]| {
                let centered = row.iter().zip(&axis.mean).map(|(v, m)| v - m);
                centered.enumerate().map(|(j, v)| v * axis.directions[(j, 0)]).sum()
            };
            points.rows().map(along).collect()
        });
        match values {
            Some(values) if values.iter().any(|value| *value != values[0]) => {
                Self::numbers("first principal component", &values)
            }
            _ => Self {
                title: String::new(),
                legend: Legend::Plain,
                colors: vec![PLAIN; points.len()],
                heights: vec![0.5; points.len()],
                classes: Classes::default(),
            },
        }
    }

    /// Returns the color of an input row.
    pub fn color(&self, row: usize) -> Color {
        self.colors[row]
    }

    /// Returns the color of the inner part of the point of an input row, if it differs.
    pub(super) fn core(&self, row: usize) -> Option<Color> {
        let class = self.classes.of_rows.get(row).filter(|class| self.classes.unknown != Some(**class))?;
        core(*class as usize)
    }

    /// The class of an input row, where rows have classes.
    pub(super) fn class(&self, row: usize) -> Option<u32> {
        self.classes.of_rows.get(row).copied()
    }

    /// The known classes that the legend lists, with their names.
    pub(super) fn named(&self) -> &[(u32, String)] {
        &self.classes.named
    }

    /// The same colors, without names of classes in maps.
    pub fn without_names(mut self) -> Self {
        self.classes.named.clear();
        self
    }

    /// Whether the numbers of some rows are missing, whose color is not of the ramp.
    pub fn has_missing(&self) -> bool {
        matches!(self.legend, Legend::Ramp { .. }) && self.colors.contains(&UNKNOWN)
    }

    /// Returns the position of an input row in the legend, between 0 and 1.
    pub fn place(&self, row: usize) -> f64 {
        self.heights[row].clamp(0.0, 1.0)
    }

    /// The same, of values beyond the ends of the legend outside of 0 to 1.
    pub(super) fn height(&self, row: usize) -> f64 {
        self.heights[row]
    }

    /// How maps of one dimension are drawn, in words.
    pub fn against(&self) -> String {
        let to_right = "drawn to the right";
        if self.title.is_empty() {
            to_right.to_owned()
        } else {
            format!("{to_right}, against {} upward", self.title)
        }
    }

    /// The text below the legend, where the points are shaded.
    pub fn shaded(&self) -> Option<&'static str> {
        (self.colors.len() > MOST_DISCS).then_some("shaded by number of points")
    }

    /// Returns whether the colors denote classes.
    pub fn is_classes(&self) -> bool {
        matches!(self.legend, Legend::Classes { .. })
    }
}

/// All classes, or the most frequent of many and the unknown one, in their own order.
fn most_frequent(labels: &Labels) -> Vec<usize> {
    let mut counts = vec![0_usize; labels.classes.len()];
    labels.values.iter().for_each(|&value| counts[value as usize] += 1);
    let mut classes: Vec<usize> = (0..counts.len()).collect();
    let is_known = |class: usize| labels.unknown.is_none_or(|unknown| unknown as usize != class);
    classes.sort_by_key(|&class| (is_known(class), Reverse(counts[class])));
    classes.truncate(LISTED);
    classes.sort_unstable();
    classes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legend_lists_the_most_frequent_of_many_classes() {
        let mut digits = datasets::generate("digits", 100, 0).expect("digits");
        let labels = &mut digits.labels[0];
        labels.classes = (0..130).map(|class| format!("c{class}")).collect();
        // The last 20 classes twice, the others once.
        labels.values = (0..130).chain(110..130).collect();
        labels.name = " ".to_owned();
        let paint = Paint::labels(labels);
        let Legend::Classes { listed, more } = &paint.legend else { panic!("classes") };
        assert_eq!((listed.len(), *more, &paint.title[..]), (LISTED, 10, "class"));
        let mark = |i| Mark { color: class(i), core: core(i) };
        assert_eq!([&listed[0], &listed[100]], [&("c0".into(), mark(0)), &("c110".into(), mark(110))]);
        assert_eq!((paint.color(35), paint.core(35)), (class(35), None));
        // Classes of one color have other cores.
        assert_eq!((paint.color(95), paint.core(95).is_some()), (class(35), true));
        labels.unknown = Some(105);
        let paint = Paint::labels(labels);
        assert_eq!((paint.color(105), paint.core(105), paint.named().len()), (UNKNOWN, None, LISTED - 1));
        let Legend::Classes { listed, .. } = paint.legend else { panic!("classes") };
        assert!(listed.contains(&("c105 (unknown)".into(), Mark { color: UNKNOWN, core: None })));
    }

    #[test]
    fn a_point_keeps_its_color_whatever_the_others_do() {
        let roll = datasets::generate("swiss-roll", 200, 0).expect("a roll");
        let (a, b) = (Paint::of(&roll), Paint::of(&roll));
        assert!((0..200).all(|i| a.color(i) == b.color(i)));
        let truth = roll.truth.as_ref().expect("truth").view();
        let order = |i: usize, j: usize| (truth.row(i)[0] < truth.row(j)[0], a.place(i) <= a.place(j));
        assert!((1..200).all(|i| !matches!(order(i - 1, i), (true, false))));
    }

    #[test]
    fn colors_are_named_after_what_they_show() {
        for (name, title) in [("swiss-roll", "arc length"), ("sphere", "x"), ("clusters", "cluster")] {
            let data = datasets::generate(name, 30, 0).expect("a generator");
            assert_eq!(Paint::of(&data).title, title, "{name}");
        }
        for info in datasets::list().iter().filter(|info| info.largest_n.is_none()) {
            let data =
                info.load(&datasets::Request { n: Some(20), ..Default::default() }).expect("a generator");
            let columns = data.truth.as_ref().map_or(0, |truth| truth.dim());
            assert!(info.name == "hypercube" || data.truth_names.len() == columns, "{}", info.name);
        }
    }

    #[test]
    fn long_tails_are_colored_by_rank() {
        let sphere = datasets::generate("punctured-sphere", 500, 0).expect("a generator");
        let paint = Paint::of(&sphere);
        assert_eq!(paint.title, "stereographic x, by rank");
        let middle = (0..500).filter(|&row| (0.4..0.6).contains(&paint.place(row))).count();
        assert!((95..105).contains(&middle), "{middle}");
        let normal: Vec<f64> = (1..400).map(|i| (f64::from(i) / 400.0 - 0.5) * 3.0).collect();
        assert_eq!(Paint::numbers("x", &normal).title, "x");
    }

    #[test]
    fn extremes_do_not_take_all_the_colors() {
        let mut values: Vec<f64> = (0..1000).map(f64::from).collect();
        values[0] = 1e12;
        let paint = Paint::numbers("scale", &values);
        assert!((paint.place(500) - 0.5).abs() < 0.02);
        assert_eq!(paint.color(0), ramp(1.0));
        let constant = Paint::numbers("scale", &[3.0; 5]);
        assert_eq!(constant.place(2), 0.5);
    }

    #[test]
    fn quantities_come_first_and_missing_numbers_are_gray() {
        let mut data = datasets::generate("digits", 4, 0).expect("digits");
        let values = vec![Some(1.0), None, Some(3.0), Some(2.0)];
        data.quantities = vec![Quantity { name: "age".to_owned(), values }];
        let paints = Paint::all(&data);
        assert_eq!(
            paints.iter().map(|paint| &paint.title[..]).collect::<Vec<_>>(),
            ["age (1 missing, gray)", "digit"]
        );
        let colors: Vec<Color> = (0..4).map(|row| paints[0].color(row)).collect();
        assert_eq!(colors, [ramp(0.0), UNKNOWN, ramp(1.0), ramp(0.5)]);
        assert!(paints[0].has_missing() && !paints[1].has_missing());
        data.quantities[0].values[1] = Some(1.0);
        assert_eq!(Paint::of(&data).title, "age");
        assert!(!Paint::of(&data).has_missing());
        data.quantities[0].values = vec![None; 4];
        let none = Paint::of(&data);
        assert_eq!((&none.title[..], &none.legend), ("age (4 missing, gray)", &Legend::Plain));
        assert_eq!(none.color(2), UNKNOWN);
    }

    #[test]
    fn ends_of_a_ramp_are_marked_where_values_lie_beyond() {
        let values: Vec<f64> = (0..=200).map(f64::from).collect();
        assert_eq!(Paint::numbers("x", &values).legend.ends(), ["≤ 2", "≥ 198"]);
        assert_eq!(Paint::numbers("x", &[1.0, 2.0, 2.5]).legend.ends(), ["1", "2.5"]);
    }
}
