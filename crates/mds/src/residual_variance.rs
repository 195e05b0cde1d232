//! Residual variance of the distances by number of dimensions.

use embedding::implement::inner_product;
use faer::MatRef;
use pulp::{Arch, NullaryFnOnce};

use crate::distances::Distances;
use crate::vector_sums::sum;

/// Returns 1 − r² for the first 1, 2, …, d columns, where r is the correlation between the given distances
/// and the distances of the coordinates over all pairs i < j.
///
/// The elbow of the curve over d suggests the intrinsic dimension. The residual variance
/// is 0 if the coordinates reproduce the distances up to scale, and 1 by convention if
/// either side is constant. O(n² d) time, O(d) memory per strip of rows.
///
/// Reference: Tenenbaum, de Silva and Langford (2000),
/// doi:10.1126/science.290.5500.2319.
pub fn residual_variances(distances: &Distances, coordinates: MatRef<'_, f64>) -> Vec<f64> {
    let n = distances.len();
    assert_eq!(n, coordinates.nrows(), "coordinates of the same points");
    let columns: Vec<Vec<f64>> =
        (0..coordinates.ncols()).map(|j| coordinates.col(j).iter().copied().collect()).collect();
    let arch = Arch::new();
    let parts = distances.by_strip(
        || Sums::new(columns.len()),
        |sums, i, squares| arch.dispatch(Row { i, squares, columns: &columns, sums }),
    );
    let mut total = Sums::new(columns.len());
    parts.iter().for_each(|part| total.merge(part));
    let pairs = n as f64 * (n as f64 - 1.0) / 2.0;
    total.maps.iter().map(|map| unexplained(pairs, &total.given, map)).collect()
}

/// Sums of distances and their squares.
#[derive(Clone, Copy, Default)]
struct Moments {
    sum: f64,
    squares: f64,
}

impl Moments {
    fn merge(&mut self, other: Self) {
        self.sum += other.sum;
        self.squares += other.squares;
    }
}

/// Sums over the distances of a map, and over their products with the given distances.
#[derive(Clone, Copy, Default)]
struct Map {
    moments: Moments,
    products: f64,
}

/// Sums over the given distances and over the maps in 1, 2, … dimensions.
struct Sums {
    given: Moments,
    maps: Vec<Map>,
}

impl Sums {
    fn new(maps: usize) -> Self {
        Self { given: Moments::default(), maps: vec![Map::default(); maps] }
    }

    fn merge(&mut self, other: &Self) {
        self.given.merge(other.given);
        for (sums, more) in self.maps.iter_mut().zip(&other.maps) {
            sums.moments.merge(more.moments);
            sums.products += more.products;
        }
    }
}

/// The pairs of point `i` with the points before it.
struct Row<'a> {
    i: usize,
    squares: &'a [f64],
    columns: &'a [Vec<f64>],
    sums: &'a mut Sums,
}

impl NullaryFnOnce for Row<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { i, squares, columns, sums } = self;
        let (mut given, mut mapped, mut mapped_squares) = (vec![0.0; i], vec![0.0; i], vec![0.0; i]);
        given.iter_mut().zip(squares).for_each(|(d, s)| *d = s.sqrt());
        sums.given.merge(Moments { sum: sum(&given), squares: sum(squares) });
        for (column, map) in columns.iter().zip(&mut sums.maps) {
            let own = column[i];
            for ((d, s), y) in mapped.iter_mut().zip(&mut mapped_squares).zip(column) {
                *s += (y - own) * (y - own);
                *d = s.sqrt();
            }
            map.moments.merge(Moments { sum: sum(&mapped), squares: sum(&mapped_squares) });
            map.products += inner_product(&given, &mapped);
        }
    }
}

/// 1 − r² from the sums over all pairs.
fn unexplained(pairs: f64, given: &Moments, map: &Map) -> f64 {
    let variance = |m: &Moments| pairs * m.squares - m.sum * m.sum;
    let covariance = pairs * map.products - given.sum * map.moments.sum;
    let r = covariance / (variance(given).sqrt() * variance(&map.moments).sqrt());
    if r.is_finite() { (1.0 - r * r).clamp(0.0, 1.0) } else { 1.0 }
}
