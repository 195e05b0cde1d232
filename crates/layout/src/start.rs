//! Initialization of the map.

use embedding::{Error, Form, Observer, PointSet, Points, Value, standard_normal};
use rand_chacha::rand_core::Rng;
use serde::{Deserialize, Serialize};
use spectral::{AffineMap, Principal, Tolerance};

use crate::stream;

/// Standard deviation of the first initial coordinate.
const SPREAD: f64 = 0.01;

/// Purpose of the random numbers, beside those of the methods.
const PURPOSE: u64 = 255;

/// Initialization of the map. All but `Given` are scaled to a standard deviation of 0.01 in
/// the first coordinate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Start {
    /// The leading principal components of the data. Coordinates beyond their number, and
    /// all where the input has no points, are random. The default.
    #[default]
    Pca,
    /// Independent, normally distributed coordinates.
    Random,
    /// The caller's coordinates, n × d, rounded to single precision.
    Given(PointSet),
}

impl Value for Start {
    const FORM: Form = Form::Words(&["pca", "random"]);

    fn show(&self) -> String {
        match self {
            Self::Pca => "pca",
            Self::Random => "random",
            Self::Given(_) => "given",
        }
        .to_owned()
    }

    fn read(text: &str) -> Option<Self> {
        match text {
            "pca" => Some(Self::Pca),
            "random" => Some(Self::Random),
            _ => None,
        }
    }
}

embedding::text!(Start);

impl Start {
    /// n × `dim` coordinates, stored by rows. Fails where given ones have another shape, or
    /// exceed the range of single precision.
    pub fn coordinates(
        &self,
        points: Option<Points<'_>>,
        n: usize,
        dim: usize,
        seed: u64,
        observer: &dyn Observer,
    ) -> Result<Vec<f32>, Error> {
        let (known, columns) = match (self, points) {
            (Self::Given(given), _) => {
                if (given.len(), given.dim()) != (n, dim) {
                    return Err(Error::Shape {
                        what: "the given start",
                        expected: format!("{n} × {dim}"),
                        got: format!("{} × {}", given.len(), given.dim()),
                    });
                }
                return given.view().values().iter().map(|&v| single(v)).collect();
            }
            (Self::Pca, Some(points)) => {
                let count = dim.min(points.dim()).min(n);
                let principal = Principal::new(points, count, Tolerance::default(), observer)?;
                let projection = AffineMap::new(principal.mean, principal.directions);
                (projection.apply(points)?.values().to_vec(), count)
            }
            (Self::Pca, None) | (Self::Random, _) => (Vec::new(), 0),
        };
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
    use embedding::Silent;

    use super::*;

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
            let pca = Start::Pca.coordinates(Some(points.view()), 200, 2, 0, &Silent)?;
            assert!((spread(&pca, 2, 0) - SPREAD).abs() < 1e-6, "{}", spread(&pca, 2, 0));
            assert!((spread(&pca, 2, 1) / SPREAD - 1.0).abs() < 0.2);
        }
        let random = Start::Random.coordinates(None, 200, 3, 0, &Silent)?;
        assert!((0..3).all(|c| (spread(&random, 3, c) / SPREAD - 1.0).abs() < 0.2));
        assert_ne!(random, Start::Random.coordinates(None, 200, 3, 1, &Silent)?);
        Ok(())
    }

    #[test]
    fn a_given_start_must_have_the_shape_of_the_map() -> Result<(), Error> {
        let given = Start::Given(PointSet::new(vec![1.0, 2.0, 3.0, 4.0], 2)?);
        assert_eq!(given.coordinates(None, 2, 2, 0, &Silent)?, [1.0, 2.0, 3.0, 4.0]);
        let refused = given.coordinates(None, 4, 1, 0, &Silent);
        assert!(matches!(refused, Err(Error::Shape { .. })));
        Ok(())
    }

    #[test]
    fn a_given_start_beyond_single_precision_is_refused() -> Result<(), Error> {
        for value in [1e39, -1e300] {
            let given = Start::Given(PointSet::new(vec![1.0, value], 1)?);
            let refused = given.coordinates(None, 2, 1, 0, &Silent);
            assert!(matches!(refused, Err(Error::Parameter { .. })), "{value}: {refused:?}");
        }
        Ok(())
    }
}
