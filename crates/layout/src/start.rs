//! Initialization of the map.

use embedding::implement::{StartScale, require_shape, standard_normal};
use embedding::{Error, Input, PointSet, Points};
use neighbor_graph::implement::Copies;
use rand_chacha::rand_core::Rng;
use serde::{Deserialize, Serialize};

use crate::{ReducedPoints, stream};

/// Standard deviation of the first initial coordinate.
const SPREAD: f64 = 0.01;

/// Purpose of the random numbers, distinct from the purposes of the methods.
const PURPOSE: u64 = 255;

/// Initialization of the map. All but `Given` are scaled to a standard deviation of 0.01 in
/// the first coordinate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Start {
    /// The leading principal components of the data; for distances, by classical scaling. Coordinates beyond their
    /// number are random. The default.
    #[default]
    Pca,
    /// Independent, normally distributed coordinates.
    Random,
    /// The caller's coordinates, n × d, rounded to single precision.
    Given(PointSet),
}

embedding::words!(Start { Pca = "pca", Random = "random" } Given(_) = "given");

impl Start {
    /// The scale of coordinates that are given with an input ([`Input::with_start`]); coordinates in
    /// [`Start::Given`] stay unchanged.
    pub const SCALE: StartScale = StartScale::Deviation(SPREAD);

    /// The start of a fit to an input: its own coordinates where it has any, else a given start of the
    /// recipe for its distinct rows.
    pub fn of_input(&self, input: &Input<'_>, copies: Option<&Copies>) -> Result<Self, Error> {
        let own = if let Self::Given(given) = self { Some(given) } else { None };
        Ok(Copies::given_start(copies, input, own)?.map_or_else(|| self.clone(), Self::Given))
    }

    /// n × `dim` coordinates, stored by rows. Fails where given ones have another shape, or
    /// exceed the range of single precision.
    pub fn coordinates(&self, reduced: &ReducedPoints<'_>, dim: usize, seed: u64) -> Result<Vec<f32>, Error> {
        let n = reduced.len();
        let leading = match self {
            Self::Given(given) => {
                require_shape(given.view(), n, dim)?;
                return given_coordinates(given.view());
            }
            Self::Pca => reduced.leading(dim)?,
            Self::Random => None,
        };
        let (known, columns) = leading.unwrap_or_default();
        let column = |c: usize| known.iter().skip(c).step_by(columns.max(1));
        let largest = known.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        // Relative to the largest, whose square may leave the range of numbers.
        let first = if largest > 0.0 {
            largest * (column(0).map(|v| (v / largest).powi(2)).sum::<f64>() / n as f64).sqrt()
        } else {
            0.0
        };
        let mut random = stream(seed, PURPOSE, 0, 0);
        let mut uniform = || ((random.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
        let mut y = vec![0.0; n * dim];
        for c in 0..dim {
            let varies = c < columns && first > 0.0 && column(c).any(|v| v.abs() > 1e-6 * first);
            for i in 0..n {
                let value = if varies {
                    known[i * columns + c] / first
                } else {
                    standard_normal(uniform(), uniform())
                };
                y[i * dim + c] = (SPREAD * value) as f32;
            }
        }
        Ok(y)
    }
}

/// Given coordinates in single precision. Fails with [`Error::Parameter`] where one exceeds its range.
pub fn given_coordinates(given: Points<'_>) -> Result<Vec<f32>, Error> {
    given.values().iter().map(|&v| single(v)).collect()
}

/// A given coordinate in single precision.
fn single(value: f64) -> Result<f32, Error> {
    let rounded = value as f32;
    if rounded.is_finite() {
        return Ok(rounded);
    }
    let requirement = format!("at most {:e} in magnitude, the range of single precision", f32::MAX);
    Err(Error::parameter("a coordinate of the given start", requirement, value))
}

#[cfg(test)]
mod tests {
    use embedding::DistanceMatrix;
    use embedding::implement::squared_distance;

    use crate::Preparation;

    use super::*;

    fn coordinates(start: &Start, points: Points<'_>, dim: usize, seed: u64) -> Result<Vec<f32>, Error> {
        let preparation = Preparation { columns: 100, selected: 1, candidates: 1, recall: 1.0, seed: 0 };
        start.coordinates(&preparation.apply(&Input::from(points))?, dim, seed)
    }

    fn spread(y: &[f32], dim: usize, c: usize) -> f64 {
        let column: Vec<f64> = y.iter().skip(c).step_by(dim).map(|&v| f64::from(v)).collect();
        let mean = column.iter().sum::<f64>() / column.len() as f64;
        (column.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / column.len() as f64).sqrt()
    }

    /// The line has one principal component; the second coordinate is random.
    #[test]
    fn starts_have_the_stated_spread_at_any_scale() -> Result<(), Error> {
        for scale in [1e-100, 1.0, 1e100] {
            let values: Vec<f64> = (0..400).map(|i| scale * f64::from(i / 2)).collect();
            let points = PointSet::new(values, 2)?;
            let pca = coordinates(&Start::Pca, points.view(), 2, 0)?;
            assert!((spread(&pca, 2, 0) - SPREAD).abs() < 1e-6, "{}", spread(&pca, 2, 0));
            assert!((spread(&pca, 2, 1) / SPREAD - 1.0).abs() < 0.2);
        }
        let points = PointSet::new((0..200).map(f64::from).collect(), 1)?;
        let random = coordinates(&Start::Random, points.view(), 3, 0)?;
        assert!((0..3).all(|c| (spread(&random, 3, c) / SPREAD - 1.0).abs() < 0.2));
        assert_ne!(random, coordinates(&Start::Random, points.view(), 3, 1)?);
        Ok(())
    }

    /// The components of reduced points are their first columns.
    #[test]
    fn a_reduction_gives_the_start_of_all_columns() -> Result<(), Error> {
        let wave = |i: u32, c: u32| f64::from(i + 1).powf(0.1 * f64::from(c)) * f64::from(i * (c + 3) % 17);
        let values = (0..90).flat_map(|i| (0..6).map(move |c| wave(i, c)));
        let points = PointSet::new(values.collect(), 6)?;
        let whole = coordinates(&Start::Pca, points.view(), 2, 0)?;
        let preparation = Preparation { columns: 4, selected: 1, candidates: 1, recall: 1.0, seed: 0 };
        let input = Input::from(&points);
        let reduced = Start::Pca.coordinates(&preparation.apply(&input)?, 2, 0)?;
        let gap = whole.iter().zip(&reduced).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(gap < 1e-6, "{gap}");
        Ok(())
    }

    /// Euclidean distances start as their points, up to signs; so do other distances, which random numbers complete
    /// where they have fewer positive eigenvalues.
    #[test]
    fn distances_start_as_their_points() -> Result<(), Error> {
        let wave = |i: usize, c: usize| ((i * (3 * c + 5) % 97) as f64).sin() * 4.0 / (c + 1) as f64;
        for (n, unit) in [(60, 1.0), (60, 1e-100), (60, 1e100), (700, 1.0)] {
            let values = (0..n * 5).map(|at| unit * wave(at / 5, at % 5));
            let points = PointSet::new(values.collect(), 5)?;
            let row = |i: usize| points.view().row(i);
            let distance = |i, j| squared_distance(row(i), row(j)).sqrt();
            let values: Vec<f64> = (0..n * n).map(|at| distance(at / n, at % n)).collect();
            let expected = coordinates(&Start::Pca, points.view(), 2, 0)?;
            let found = start_of(&DistanceMatrix::new(&values, n)?.into(), 2)?;
            for c in 0..2 {
                let column =
                    |y: &[f32]| -> Vec<f64> { y.iter().skip(c).step_by(2).map(|v| f64::from(*v)).collect() };
                let (a, b) = (column(&found), column(&expected));
                let sign = a.iter().zip(&b).map(|(a, b)| a * b).sum::<f64>().signum();
                let gap = a.iter().zip(&b).map(|(a, b)| (sign * a - b).abs()).fold(0.0, f64::max);
                assert!(gap < 1e-8, "{n} points in {unit:e}, column {c}: {gap:e}");
            }
        }
        let line = [0.0, 1.0, 3.0, 1.0, 0.0, 1.0, 3.0, 1.0, 0.0];
        let line = start_of(&DistanceMatrix::new(&line, 3)?.into(), 2)?;
        assert!((spread(&line, 2, 0) - SPREAD).abs() < 1e-6 && spread(&line, 2, 1) > 0.0, "{line:?}");
        Ok(())
    }

    fn start_of(input: &Input<'_>, dim: usize) -> Result<Vec<f32>, Error> {
        let preparation = Preparation { columns: 100, selected: 1, candidates: 1, recall: 1.0, seed: 0 };
        Start::Pca.coordinates(&preparation.apply(input)?, dim, 0)
    }

    #[test]
    fn a_given_start_must_have_the_shape_of_the_map() -> Result<(), Error> {
        let given = Start::Given(PointSet::new(vec![1.0, 2.0, 3.0, 4.0], 2)?);
        let points = PointSet::new(vec![0.0, 1.0], 1)?;
        assert_eq!(coordinates(&given, points.view(), 2, 0)?, [1.0, 2.0, 3.0, 4.0]);
        let refused = coordinates(&given, points.view(), 1, 0);
        assert!(matches!(refused, Err(Error::Shape { .. })));
        Ok(())
    }

    #[test]
    fn a_given_start_beyond_single_precision_is_refused() -> Result<(), Error> {
        for value in [1e39, -1e300] {
            let given = Start::Given(PointSet::new(vec![1.0, value], 1)?);
            let refused = coordinates(&given, PointSet::new(vec![0.0, 1.0], 1)?.view(), 1, 0);
            assert!(matches!(refused, Err(Error::Parameter { .. })), "{value}: {refused:?}");
        }
        Ok(())
    }
}
