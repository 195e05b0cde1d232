//! Scatter plots of one-, two-, three- or higher-dimensional coordinates.

use embedding::Embedding;
use faer::{Mat, MatRef};
use quality::diagnosis::inner_points;

use crate::color::{Color, PANEL};
use crate::paint::{Legend, Paint};
use crate::scene::{Area, Disc, Item, Scene};
use crate::shading::{MOST_DISCS, Shade, Tint, shading};
use crate::view::{Camera, Fit};

/// Radius of discs in units of the distance between points that fill the area evenly: small enough
/// that the points of a cluster can be distinguished.
const USUAL: f64 = 0.09;

/// The same where [`USUAL`] gives less than [`READABLE`].
const LARGE: f64 = 0.27;

/// A radius that is easily seen; larger ones are not needed.
const READABLE: f64 = 2.0;

/// Values beyond the ends of a legend are drawn up to this fraction of its range beyond them.
const BEYOND: f64 = 0.25;

/// The radius of the inner part of a disc, in units of its radius.
pub(super) const CORE: f64 = 0.55;

/// Page positions with their input rows.
#[derive(Clone)]
pub(crate) struct Cloud {
    /// One position per drawn point.
    pub positions: Vec<[f64; 2]>,
    /// The input row of each.
    pub rows: Vec<usize>,
    /// Depth from 0 (far) to 1 (near), for three dimensions.
    depth: Option<Vec<f64>>,
    area: Area,
}

impl Cloud {
    /// Fits the inner part of coordinates, all of them unless more than half are concentrated
    /// in a point, to an area.
    pub(crate) fn inner(coordinates: MatRef<'_, f64>, rows: Vec<usize>, paint: &Paint, area: Area) -> Self {
        let kept = inner_points(&plane(coordinates));
        if kept.len() == rows.len() {
            return Self::new(coordinates, rows, paint, area);
        }
        let part = Mat::from_fn(kept.len(), coordinates.ncols(), |i, j| coordinates[(kept[i], j)]);
        Self::new(part.as_ref(), kept.into_iter().map(|i| rows[i]).collect(), paint, area)
    }

    /// Fits coordinates to an area with the same scale for both axes: one dimension is
    /// drawn against the legend value, two directly, three by a fixed projection, more by
    /// the first two.
    pub(crate) fn new(coordinates: MatRef<'_, f64>, rows: Vec<usize>, paint: &Paint, area: Area) -> Self {
        let n = coordinates.nrows();
        let mut depth = None;
        let flat: Vec<[f64; 2]> = match coordinates.ncols() {
            0 => Vec::new(),
            1 => against_legend(coordinates, &rows, paint),
            3 => {
                let points: Vec<[f64; 3]> = (0..n).map(|i| [0, 1, 2].map(|j| coordinates[(i, j)])).collect();
                let camera = Camera::of(&points);
                let seen: Vec<[f64; 3]> = points.into_iter().map(|point| camera.see(point)).collect();
                depth = Some(fractions(seen.iter().map(|p| p[2])));
                seen.iter().map(|p| [p[0], p[1]]).collect()
            }
            _ => (0..n).map(|i| [coordinates[(i, 0)], coordinates[(i, 1)]]).collect(),
        };
        let fit = Fit::new(&flat, area);
        Self { positions: flat.into_iter().map(|point| fit.place(point)).collect(), rows, depth, area }
    }

    /// Draws a disc at every position, far ones first and paler; more than [`MOST_DISCS`] are
    /// shaded.
    pub(crate) fn draw(&self, scene: &mut Scene, paint: &Paint) {
        if self.positions.len() <= MOST_DISCS {
            return self.draw_marked(scene, |row| (paint.color(row), paint.core(row)));
        }
        let is_mixed = paint.has_missing();
        let tint = |row: usize| match paint.legend {
            Legend::Ramp { .. } if !is_mixed => Tint::Number(paint.place(row)),
            Legend::Ramp { .. } | Legend::Classes { .. } | Legend::Plain => Tint::Color(paint.color(row)),
        };
        let shade = |(i, (&at, &row)): (usize, (&[f64; 2], &usize))| Shade {
            at,
            depth: self.depth.as_ref().map_or(0.0, |depth| depth[i]),
            tint: tint(row),
        };
        let points: Vec<Shade> = self.positions.iter().zip(&self.rows).enumerate().map(shade).collect();
        // Squares of points at the border extend beyond the area.
        scene.push(shading(&points, self.area.inset(-1.0), 2.0 * self.radius()));
    }

    /// Draws a disc at every position in the color of its input row.
    pub(crate) fn draw_with(&self, scene: &mut Scene, color: impl Fn(usize) -> Color) {
        self.draw_marked(scene, |row| (color(row), None));
    }

    /// The same with an inner part of another color, if there is one.
    fn draw_marked(&self, scene: &mut Scene, mark: impl Fn(usize) -> (Color, Option<Color>)) {
        let radius = self.radius();
        let order =
            self.depth.as_ref().map_or_else(|| (0..self.positions.len()).collect(), |depth| ascending(depth));
        let disc = |&i: &usize| {
            // Five levels of depth suffice and keep SVG files small.
            let far = self.depth.as_ref().map_or(0.0, |depth| ((1.0 - depth[i]) * 5.0).floor() / 5.0);
            let (color, core) = mark(self.rows[i]);
            let disc = |color: Color, radius| Disc {
                at: self.positions[i],
                radius,
                color: color.mix(PANEL, 0.55 * far),
            };
            [disc(color, radius)].into_iter().chain(core.map(|color| disc(color, CORE * radius)))
        };
        scene.push(Item::Discs { discs: order.iter().flat_map(disc).collect() });
    }

    /// Returns the radius of discs, smaller for more points: [`USUAL`] distances, or up to [`LARGE`] ones
    /// as far as they are less than [`READABLE`].
    pub(super) fn radius(&self) -> f64 {
        let side = (self.area.width * self.area.height).sqrt();
        let distance = side / (self.positions.len().max(1) as f64).sqrt();
        let radius = (LARGE * distance).min(READABLE).max(USUAL * distance);
        radius.clamp(0.45, (0.009 * side).max(1.6))
    }
}

/// Returns the first two coordinates of every point, 0 for a second that is missing.
pub(crate) fn plane(coordinates: MatRef<'_, f64>) -> Vec<[f64; 2]> {
    let value = |i: usize, j: usize| if j < coordinates.ncols() { coordinates[(i, j)] } else { 0.0 };
    (0..coordinates.nrows()).map(|i| [value(i, 0), value(i, 1)]).collect()
}

/// Returns the input rows of an embedding.
pub fn input_rows(embedding: &Embedding) -> Vec<usize> {
    embedding.input_rows().map(|row| row as usize).collect()
}

/// Returns (coordinate, value of the legend) for each point, with values beyond the ends of the legend.
fn against_legend(coordinates: MatRef<'_, f64>, rows: &[usize], paint: &Paint) -> Vec<[f64; 2]> {
    let column: Vec<f64> = (0..coordinates.nrows()).map(|i| coordinates[(i, 0)]).collect();
    let heights = fractions(rows.iter().map(|&row| paint.height(row).clamp(-BEYOND, 1.0 + BEYOND)));
    fractions(column.into_iter()).into_iter().zip(heights).map(|(x, y)| [x, 0.6 * y]).collect()
}

/// Values moved and scaled to fill 0 to 1.
fn fractions(values: impl Iterator<Item = f64> + Clone) -> Vec<f64> {
    let (low, high) =
        (embedding::implement::minimum(values.clone()), embedding::implement::maximum(values.clone()));
    values.map(|v| if high > low { (v - low) / (high - low) } else { 0.5 }).collect()
}

/// Returns a copy of the first two columns, or of the only one.
pub(super) fn leading(coordinates: MatRef<'_, f64>) -> Mat<f64> {
    coordinates.subcols(0, coordinates.ncols().min(2)).to_owned()
}

/// The indices of values from the smallest to the largest; of equal ones the earlier first.
pub fn ascending(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: Area = Area { x: 10.0, y: 20.0, width: 200.0, height: 150.0 };

    fn inside(cloud: &Cloud) -> bool {
        let near = |v: f64, low: f64, high: f64| v >= low - 1e-9 && v <= high + 1e-9;
        cloud.positions.iter().all(|p| near(p[0], AREA.x, AREA.right()) && near(p[1], AREA.y, AREA.bottom()))
    }

    #[test]
    fn every_dimension_stays_inside_its_area() {
        let n = 60;
        let values: Vec<f64> = (0..n).map(|i| (i * i % 17) as f64).collect();
        let paint = Paint::numbers("x", &values);
        for dim in 1..=5 {
            let mat = Mat::from_fn(n, dim, |i, j| ((i * (j + 3)) % 29) as f64 * 1e6_f64.powi(j as i32 - 1));
            let cloud = Cloud::new(mat.as_ref(), (0..n).collect(), &paint, AREA);
            assert_eq!(cloud.positions.len(), n);
            assert!(inside(&cloud), "{dim}");
        }
    }

    #[test]
    fn one_dimension_is_drawn_against_values_up_to_the_last() {
        let values: Vec<f64> = (0..200).map(|i| f64::from(i * i)).collect();
        let paint = Paint::numbers("x", &values);
        let mat = Mat::from_fn(200, 1, |i, _| values[i]);
        let at = Cloud::new(mat.as_ref(), (0..200).collect(), &paint, AREA).positions;
        // A value against itself is a line, also beyond the ends of the legend.
        for [x, y] in &at {
            assert!(((at[0][1] - y) - 0.6 * (x - at[0][0])).abs() < 1e-9, "{x} {y}");
        }
        assert_eq!([paint.place(199), paint.place(0)], [1.0, 0.0]);
    }

    #[test]
    fn discs_of_more_points_are_smaller() {
        let paint = Paint::numbers("x", &[]);
        let radius = |area: Area, n: usize| {
            let cloud = Cloud::new(Mat::zeros(n, 2).as_ref(), (0..n).collect(), &paint, area);
            cloud.radius()
        };
        let slide = Area { x: 0.0, y: 0.0, width: 800.0, height: 600.0 };
        let radii = [20, 100, 300, 1000, 20_000].map(|n| radius(slide, n));
        assert!(radii.is_sorted_by(|a, b| a >= b), "{radii:?}");
        assert!(radii[0] > 6.0 && radii[1] > 6.0, "few points are large: {radii:?}");
        // Less than a tenth of the area is covered, so that the points of clusters have gaps between them.
        for n in [300, 1000, 3000] {
            let covered = std::f64::consts::PI * radius(slide, n).powi(2) * n as f64 / (800.0 * 600.0);
            assert!(covered < 0.1, "{n}: {covered}");
        }
        // In small panels points are as large as possible while they can be distinguished, if readable.
        assert!((radius(AREA, 1000) - LARGE * (AREA.width * AREA.height / 1000.0).sqrt()).abs() < 1e-12);
        assert_eq!(radius(AREA, 1_000_000), 0.45);
    }

    #[test]
    fn a_square_stays_square() {
        let mat = Mat::from_fn(4, 2, |i, j| f64::from(u8::from((i >> j) & 1 == 1)));
        let paint = Paint::numbers("x", &[0.0; 4]);
        let at = Cloud::new(mat.as_ref(), (0..4).collect(), &paint, AREA).positions;
        assert!(((at[1][0] - at[0][0]) - (at[0][1] - at[2][1])).abs() < 1e-9);
        assert!((at[1][0] - at[0][0] - 150.0).abs() < 1e-9);
    }
}
