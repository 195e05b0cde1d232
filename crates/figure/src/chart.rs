//! Line charts with axes.

use crate::curves::{Chart, Curve, Look, Scale};

use crate::color::{Color, HAIRLINE, INK, PANEL, SOFT, class};
use crate::number::tick;
use crate::scene::{Anchor, Area, Disc, Item, Scene, Type};
use crate::text::{shorten, width};

/// The chart alone on a page.
pub fn chart_scene(chart: &Chart, width: f64, height: f64) -> Scene {
    let mut scene = Scene::new(width, height);
    draw_chart(&mut scene, chart, Area { x: 0.0, y: 0.0, width, height }.inset(6.0));
    scene
}

/// Draws title, axes, curves and key.
pub(crate) fn draw_chart(scene: &mut Scene, chart: &Chart, area: Area) {
    let title = Type::bold(13.0, INK);
    scene.text([area.x, area.y + 13.0], shorten(&chart.title, title, area.width), title, Anchor::Start);
    let key = draw_key(scene, chart, Area { y: area.y + 22.0, ..area });
    let top = area.y + 26.0 + key;
    let frame =
        Area { x: area.x + 58.0, y: top, width: area.width - 66.0, height: area.bottom() - top - 40.0 };
    scene.push(Item::Rect { area: frame, fill: PANEL });
    let x = Range::of(chart.x.scale, chart.curves.iter().flat_map(|curve| curve.points.iter().map(|p| p[0])));
    let y = Range::of(chart.y.scale, chart.curves.iter().flat_map(|curve| curve.points.iter().map(|p| p[1])));
    draw_axes(scene, chart, frame, &x, &y);
    for curve in &chart.curves {
        let place = |p: &[f64; 2]| {
            let (across, up) = (x.fraction(p[0])?, y.fraction(p[1])?);
            Some([frame.x + across * frame.width, frame.bottom() - up * frame.height])
        };
        draw_curve(scene, curve, &curve.points.iter().map(place).collect::<Vec<_>>());
    }
}

fn color(curve: &Curve) -> Color {
    // The second color of the palette is too light for a thin line.
    [class(0), class(2), class(3), class(6), class(8), class(5)][curve.group % 6]
}

/// Draws the key and returns its height.
fn draw_key(scene: &mut Scene, chart: &Chart, area: Area) -> f64 {
    if chart.curves.len() < 2 {
        return 0.0;
    }
    let style = Type::regular(11.0, SOFT);
    let (mut x, mut y) = (area.x, area.y + 10.0);
    for curve in &chart.curves {
        let name = shorten(&curve.name, style, area.width - 30.0);
        let wide = 26.0 + width(&name, style);
        if x > area.x && x + wide > area.right() {
            (x, y) = (area.x, y + 16.0);
        }
        draw_curve(scene, curve, &[Some([x, y - 4.0]), Some([x + 19.0, y - 4.0])]);
        scene.text([x + 25.0, y], name, style, Anchor::Start);
        x += wide + 16.0;
    }
    y - area.y + 6.0
}

fn draw_axes(scene: &mut Scene, chart: &Chart, frame: Area, x: &Range, y: &Range) {
    let style = Type::regular(10.5, SOFT);
    for (fraction, label) in y.ticks((frame.height / 32.0) as usize) {
        let at = frame.bottom() - fraction * frame.height;
        scene.push(Item::Line {
            path: vec![[frame.x, at], [frame.right(), at]],
            width: 1.0,
            color: HAIRLINE,
        });
        scene.text([frame.x - 6.0, at + 4.0], label, style, Anchor::End);
    }
    for (fraction, label) in x.ticks((frame.width / 64.0) as usize) {
        let at = frame.x + fraction * frame.width;
        let path = vec![[at, frame.bottom()], [at, frame.bottom() + 4.0]];
        scene.push(Item::Line { path, width: 1.0, color: SOFT });
        scene.text([at, frame.bottom() + 16.0], label, style, Anchor::Middle);
    }
    scene.push(Item::Frame { area: frame, color: HAIRLINE });
    let base = [[frame.x, frame.bottom()], [frame.right(), frame.bottom()]].to_vec();
    scene.push(Item::Line { path: base, width: 1.0, color: SOFT });
    let label = Type::regular(11.5, INK);
    scene.text([frame.right(), frame.bottom() + 33.0], chart.x.label.clone(), label, Anchor::End);
    let available = frame.width - 12.0;
    // Most curves decrease and leave the upper right corner free.
    let corner = [frame.right() - 6.0, frame.y + 14.0];
    scene.text(corner, shorten(&chart.y.label, label, available), label, Anchor::End);
}

fn draw_curve(scene: &mut Scene, curve: &Curve, places: &[Option<[f64; 2]>]) {
    let color = color(curve);
    for path in places.split(Option::is_none) {
        let path: Vec<[f64; 2]> = path.iter().flatten().copied().collect();
        if curve.look == Look::Dashed {
            dashes(&path).into_iter().for_each(|path| scene.push(Item::Line { path, width: 1.6, color }));
        } else if path.len() > 1 {
            scene.push(Item::Line { path: path.clone(), width: 2.0, color });
        }
        if curve.look == Look::Marked || path.len() == 1 {
            let discs = path.iter().map(|&at| Disc { at, radius: 3.4, color }).collect();
            scene.push(Item::Discs { discs });
        }
    }
}

/// Returns the dashes of a path.
fn dashes(path: &[[f64; 2]]) -> Vec<Vec<[f64; 2]>> {
    const ON: f64 = 6.0;
    const OFF: f64 = 4.0;
    let (mut parts, mut current, mut left, mut down) = (Vec::new(), Vec::new(), ON, true);
    for pair in path.windows(2) {
        let (mut at, to) = (pair[0], pair[1]);
        if down && current.is_empty() {
            current.push(at);
        }
        loop {
            let length = (to[0] - at[0]).hypot(to[1] - at[1]);
            if length < left {
                left -= length;
                break;
            }
            let fraction = if length > 0.0 { left / length } else { 0.0 };
            at = [0, 1].map(|axis| at[axis] + fraction * (to[axis] - at[axis]));
            if down {
                current.push(at);
                parts.push(std::mem::take(&mut current));
            } else {
                current = vec![at];
            }
            down = !down;
            left = if down { ON } else { OFF };
        }
        if down {
            current.push(to);
        }
    }
    if current.len() > 1 {
        parts.push(current);
    }
    parts
}

/// The range of an axis, in scaled values.
struct Range {
    scale: Scale,
    /// Whether all values are integers, so that ticks are integers.
    whole: bool,
    low: f64,
    high: f64,
}

impl Range {
    fn of(scale: Scale, values: impl Iterator<Item = f64>) -> Self {
        let (mut low, mut high, mut whole) = (f64::INFINITY, f64::NEG_INFINITY, true);
        for value in values.filter_map(|value| placed(scale, value)) {
            (low, high, whole) = (low.min(value), high.max(value), whole && value.fract() == 0.0);
        }
        if low > high {
            return Self { scale, whole, low: 0.0, high: 1.0 };
        }
        if scale == Scale::Linear && low > 0.0 && low < 0.35 * high {
            low = 0.0;
        }
        let margin = if high > low { 0.06 * (high - low) } else { 0.5 * high.abs().max(1.0) };
        let below = if low == 0.0 { 0.0 } else { margin };
        Self { scale, whole, low: low - below, high: high + margin }
    }

    fn fraction(&self, value: f64) -> Option<f64> {
        Some((placed(self.scale, value)? - self.low) / (self.high - self.low))
    }

    /// Returns about `most` round values at most, with their positions from 0 to 1.
    fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        let step = round_step((self.high - self.low) / most.max(2) as f64);
        let step = match self.scale {
            Scale::Logarithmic => step.max(1.0).ceil(),
            Scale::Linear if self.whole => step.max(1.0),
            Scale::Linear => step,
        };
        let (first, last) = ((self.low / step).ceil() as i64, (self.high / step).floor() as i64);
        let fraction = |placed: f64| (placed - self.low) / (self.high - self.low);
        let label = |placed: f64| match self.scale {
            Scale::Linear => tick(placed),
            Scale::Logarithmic if (-3.0..5.0).contains(&placed) => tick(10.0_f64.powf(placed)),
            Scale::Logarithmic => format!("1e{placed}").replace('-', "−"),
        };
        let ticks = (first..=last).map(|i| i as f64 * step);
        ticks.map(|placed| (fraction(placed), label((placed / step).round() * step))).collect()
    }
}

/// The place of a value on an axis; none where the axis cannot show it.
fn placed(scale: Scale, value: f64) -> Option<f64> {
    let place = match scale {
        Scale::Linear => value,
        Scale::Logarithmic if value > 0.0 => value.log10(),
        Scale::Logarithmic => return None,
    };
    place.is_finite().then_some(place)
}

/// 1, 2 or 5 times a power of ten, at least `least`.
fn round_step(least: f64) -> f64 {
    let power = 10.0_f64.powf(least.log10().floor());
    let digit = [1.0, 2.0, 5.0, 10.0].into_iter().find(|digit| digit * power >= least * (1.0 - 1e-9));
    digit.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curves::{Axis, Trace};

    #[test]
    fn ticks_are_round_and_inside() {
        let range = Range::of(Scale::Linear, [0.03, 0.97].into_iter());
        let labels: Vec<String> = range.ticks(6).into_iter().map(|tick| tick.1).collect();
        assert_eq!(labels, ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        let range = Range::of(Scale::Linear, [1.0, 2.0, 3.0].into_iter());
        let labels: Vec<String> = range.ticks(8).into_iter().map(|tick| tick.1).collect();
        assert_eq!(labels, ["0", "1", "2", "3"], "nothing between counts");
        let range = Range::of(Scale::Logarithmic, [1e-6, 1.0, -4.0, 0.0].into_iter());
        let ticks = range.ticks(10);
        assert!(ticks.iter().all(|(fraction, _)| (0.0..=1.0).contains(fraction)));
        let labels: Vec<String> = ticks.into_iter().map(|tick| tick.1).collect();
        assert_eq!(labels, ["1e−6", "1e−5", "1e−4", "0.001", "0.01", "0.1", "1"]);
    }

    #[test]
    fn dashes_cover_three_fifths_of_a_line() {
        let path = [[0.0, 0.0], [60.0, 80.0], [60.0, 178.0]];
        let length = |part: &Vec<[f64; 2]>| -> f64 {
            part.windows(2).map(|p| (p[1][0] - p[0][0]).hypot(p[1][1] - p[0][1])).sum()
        };
        let parts = dashes(&path);
        assert_eq!(parts.len(), 20);
        assert!((parts.iter().map(length).sum::<f64>() - 120.0).abs() < 1e-9);
    }

    #[test]
    fn degenerate_curves_draw_without_a_word_of_nan() {
        for points in
            [vec![], vec![[1.0, 0.0]], vec![[1.0, -1.0], [1.0, -1.0]], vec![[0.0, f64::NAN], [2.0, 3.0]]]
        {
            for scale in [Scale::Linear, Scale::Logarithmic] {
                let curve =
                    Curve { name: "c".to_owned(), points: points.clone(), look: Look::Dashed, group: 7 };
                let axis = Axis { label: "v".to_owned(), scale };
                let curves = vec![curve.clone(), curve];
                let chart = Chart { title: "t".to_owned(), x: axis.clone(), y: axis, curves };
                let svg = crate::svg(&chart_scene(&chart, 300.0, 200.0));
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{points:?}");
            }
        }
    }

    #[test]
    fn a_bound_below_its_objective_is_drawn_below_it() {
        let trace = Trace {
            name: "midpoint".to_owned(),
            work: vec![1.0, 2.0, 3.0],
            objective: vec![1.0, 0.1, 0.01],
            lower_bound: vec![-1.0, 1e-4, 0.009],
        };
        let chart = Chart::convergence("t", "estimates", &[trace]);
        let scene = chart_scene(&chart, 400.0, 300.0);
        let lowest = |wide: f64| {
            let lines = scene.items.iter().filter_map(|item| match item {
                Item::Line { path, width, .. } if *width == wide => Some(path),
                _ => None,
            });
            lines.flatten().map(|p| p[1]).fold(0.0, f64::max)
        };
        // y points downward; line widths distinguish solid and dashed.
        assert!(lowest(1.6) > lowest(2.0));
    }
}
