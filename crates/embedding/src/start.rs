//! The scale of coordinates that are given as a start.

use crate::{Error, PointSet, Points};

/// How far the scale of a start may be from the method's own, relative to it, without a change: more than
/// the rounding to single precision and the noise that methods add to their starts.
const TOLERANCE: f64 = 1e-3;

/// The scale that a method gives to coordinates that are its start ([`Input::with_start`](crate::Input::with_start)).
///
/// Methods that fit distances read the start in the unit of their map. The steps of other methods
/// suit one scale: they center a start and multiply it, unless its scale is theirs to 0.1 %.
///
/// ```
/// use embedding::PointSet;
/// use embedding::implement::StartScale;
/// let start = PointSet::new(vec![0.0, 7.0, 10.0, 9.0], 2)?;
/// let scale = StartScale::Magnitude(5.0);
/// assert_eq!(scale.factor(start.view()), Some(1.0));
/// assert!((scale.apply(start.view())?.view().values()[1] + 1.0).abs() < 1e-12);
/// assert_eq!(StartScale::Unchanged.apply(start.view())?, start);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StartScale {
    /// The start is used unchanged.
    Unchanged,
    /// The largest standard deviation of a column.
    Deviation(f64),
    /// The largest magnitude of a coordinate.
    Magnitude(f64),
}

impl StartScale {
    /// The start at this scale. Its memory is shared where nothing changes. O(n d).
    ///
    /// Fails with [`Error::Degenerate`] where all rows are equal, from which no method can separate them.
    pub fn apply(self, start: Points<'_>) -> Result<PointSet, Error> {
        require_distinct_rows(start)?;
        let Some((centered, factor)) = self.change(start) else { return Ok(start.to_owned()) };
        let values = centered.values.iter().map(|v| factor * v).collect();
        PointSet::new(values, start.dim()).map_err(|_| equal_rows(start.len()))
    }

    /// The factor by which a start is multiplied after it was centered; `None` where it is used unchanged.
    pub fn factor(self, start: Points<'_>) -> Option<f64> {
        self.change(start).map(|(centered, factor)| factor / centered.unit)
    }

    /// A sentence that says how a start was used.
    pub fn note(self, start: Points<'_>) -> String {
        let target = match self {
            Self::Unchanged => None,
            Self::Deviation(target) => {
                Some(format!("the largest standard deviation of a column is {target}"))
            }
            Self::Magnitude(target) => Some(format!("the largest magnitude of a coordinate is {target}")),
        };
        match (target, self.factor(start)) {
            (Some(target), Some(factor)) => {
                format!("the given start was centered and multiplied by {factor:.3e}, so that {target}")
            }
            (Some(target), None) => format!("the given start was used unchanged, as {target} to 0.1 %"),
            (None, _) => "the given start was used unchanged".to_owned(),
        }
    }

    /// The centered start with its factor; `None` where the start is used unchanged.
    fn change(self, start: Points<'_>) -> Option<(Centered, f64)> {
        let (target, dim) = (self.target()?, start.dim());
        if (self.measure(start.values(), dim) / target - 1.0).abs() <= TOLERANCE {
            return None;
        }
        let centered = Centered::of(start);
        let factor = target / self.measure(&centered.values, dim);
        Some((centered, factor))
    }

    fn target(self) -> Option<f64> {
        match self {
            Self::Unchanged => None,
            Self::Deviation(target) | Self::Magnitude(target) => Some(target),
        }
    }

    /// The scale of values, with their mean as it is.
    fn measure(self, values: &[f64], dim: usize) -> f64 {
        match self {
            Self::Unchanged | Self::Magnitude(_) => values.iter().fold(0.0, |most, v| most.max(v.abs())),
            Self::Deviation(_) => {
                let n = (values.len() / dim) as f64;
                let square = |c: usize| values.iter().skip(c).step_by(dim).map(|v| v * v).sum::<f64>();
                (0..dim).map(|c| (square(c) / n).sqrt()).fold(0.0, f64::max)
            }
        }
    }
}

/// Coordinates with their means subtracted, divided by a unit near which they are.
struct Centered {
    values: Vec<f64>,
    unit: f64,
}

impl Centered {
    fn of(start: Points<'_>) -> Self {
        let (n, dim) = (start.len() as f64, start.dim());
        // Relative to the largest magnitude, so that squares neither overflow nor vanish.
        let unit = start.values().iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        let unit = if unit > 0.0 { unit } else { 1.0 };
        let mut values: Vec<f64> = start.values().iter().map(|v| v / unit).collect();
        for c in 0..dim {
            let mean = values.iter().skip(c).step_by(dim).sum::<f64>() / n;
            values.iter_mut().skip(c).step_by(dim).for_each(|v| *v -= mean);
        }
        Self { values, unit }
    }
}

/// Fails with [`Error::Degenerate`] where several rows of a start are all equal.
pub fn require_distinct_rows(start: Points<'_>) -> Result<(), Error> {
    if start.len() > 1 && start.rows().all(|row| row == start.row(0)) {
        return Err(equal_rows(start.len()));
    }
    Ok(())
}

fn equal_rows(n: usize) -> Error {
    Error::degenerate(
        format!("all {n} rows of the given start are equal, exactly or up to rounding"),
        "give coordinates that differ, such as a map of the same rows, or leave the start out",
    )
}

/// Fails with [`Error::Shape`] unless a start has a row per point and a column per dimension of the map.
pub fn require_shape(start: Points<'_>, n: usize, dim: usize) -> Result<(), Error> {
    if (start.len(), start.dim()) == (n, dim) {
        return Ok(());
    }
    Err(Error::Shape {
        what: "the given start",
        expected: format!("{n} × {dim}, a row per point and a column per dimension of the map (`dim`)"),
        got: format!("{} × {}", start.len(), start.dim()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(values: &[f64]) -> PointSet {
        PointSet::new(values.to_vec(), 2).expect("finite rows")
    }

    /// The scale holds at any scale and offset of the start, and a start that has it stays to the bit.
    #[test]
    fn a_start_gets_the_stated_scale_once() -> Result<(), Error> {
        let shape = [0.0, 1.0, 3.0, -2.0, 4.0, 8.0, -6.0, 0.5];
        for scale in [StartScale::Deviation(1e-4), StartScale::Magnitude(5.0)] {
            for (unit, offset) in [(1.0, 0.0), (1e-150, 0.0), (1e300, 0.0), (1.0, 1e6)] {
                let given = start(&shape.map(|v| unit * v + offset));
                let applied = scale.apply(given.view())?;
                let measured = scale.measure(applied.view().values(), 2);
                let target = scale.target().expect("a target");
                assert!((measured / target - 1.0).abs() < 1e-9, "{scale:?} {unit} {offset}: {measured}");
                assert_eq!(scale.apply(applied.view())?, applied);
                assert_eq!(scale.factor(applied.view()), None);
            }
        }
        Ok(())
    }

    #[test]
    fn a_factor_is_that_of_the_rows() -> Result<(), Error> {
        let given = start(&[0.0, 2.0, 20.0, 2.0]);
        assert_eq!(StartScale::Magnitude(5.0).factor(given.view()), Some(0.5));
        assert!(StartScale::Magnitude(5.0).note(given.view()).contains("multiplied by 5.000e-1"));
        assert_eq!(StartScale::Unchanged.note(given.view()), "the given start was used unchanged");
        Ok(())
    }

    #[test]
    fn equal_rows_are_refused() {
        let given = start(&[3.0, 2.0, 3.0, 2.0]);
        for scale in [StartScale::Unchanged, StartScale::Deviation(1.0), StartScale::Magnitude(1.0)] {
            assert!(matches!(scale.apply(given.view()), Err(Error::Degenerate { .. })));
        }
        let near = start(&[3.0, 5e-324, 3.0, 0.0]);
        assert!(matches!(StartScale::Deviation(1.0).apply(near.view()), Err(Error::Degenerate { .. })));
    }
}
