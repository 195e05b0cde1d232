//! Residual variance of the distances by number of dimensions.

use faer::MatRef;

use crate::Distances;

/// Returns 1 − r² for the first 1, 2, …, d columns, where r is the correlation between
/// the given distances and those of the coordinates over all pairs i < j.
///
/// The elbow of the curve over d suggests the intrinsic dimension. The residual variance
/// is 0 if the coordinates reproduce the distances up to scale, and 1 by convention if
/// either side is constant. O(n² d) time, O(d) memory per strip of rows.
///
/// Reference: Tenenbaum, de Silva and Langford (2000),
/// doi:10.1126/science.290.5500.2319.
pub fn residual_variances(distances: &Distances, coordinates: MatRef<'_, f64>) -> Vec<f64> {
    assert_eq!(distances.len(), coordinates.nrows(), "coordinates of the same points");
    let dim = coordinates.ncols();
    let columns: Vec<Vec<f64>> = (0..dim).map(|j| coordinates.col(j).iter().copied().collect()).collect();
    let parts = distances.by_strip(
        || vec![Moments::default(); dim],
        |sums, i, squares| {
            let mut squared = vec![0.0; i];
            for (column, sum) in columns.iter().zip(sums) {
                for ((s, y), given) in squared.iter_mut().zip(column).zip(squares) {
                    *s += (y - column[i]) * (y - column[i]);
                    sum.add(given.sqrt(), s.sqrt());
                }
            }
        },
    );
    let mut total = vec![Moments::default(); dim];
    for part in &parts {
        total.iter_mut().zip(part).for_each(|(t, p)| t.merge(p));
    }
    total.iter().map(Moments::unexplained).collect()
}

/// Sums over pairs (x, y).
#[derive(Clone, Copy, Default)]
struct Moments {
    count: f64,
    x: f64,
    y: f64,
    xx: f64,
    xy: f64,
    yy: f64,
}

impl Moments {
    fn add(&mut self, x: f64, y: f64) {
        self.count += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.xy += x * y;
        self.yy += y * y;
    }

    fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.x += other.x;
        self.y += other.y;
        self.xx += other.xx;
        self.xy += other.xy;
        self.yy += other.yy;
    }

    fn unexplained(&self) -> f64 {
        let covariance = self.count * self.xy - self.x * self.y;
        let (vx, vy) = (self.count * self.xx - self.x * self.x, self.count * self.yy - self.y * self.y);
        let r = covariance / (vx.sqrt() * vy.sqrt());
        if r.is_finite() { (1.0 - r * r).clamp(0.0, 1.0) } else { 1.0 }
    }
}
