//! The rule that selects the neighbors of a query.

use std::ops::Range;

use embedding::Neighborhood;

/// A [`Neighborhood`], or a radius for each query.
#[derive(Clone, Copy, Debug)]
pub(crate) enum QueryRule<'a> {
    /// The k nearest.
    Nearest { k: usize },
    /// All within a radius.
    Within { radii: Radii<'a> },
}

/// Radii of queries.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Radii<'a> {
    Same(f64),
    /// The radii of new points, in their order.
    Each(&'a [f64]),
}

impl Radii<'_> {
    /// The radius of query `q`.
    #[inline(always)]
    pub(crate) fn of(self, q: usize) -> f64 {
        match self {
            Self::Same(radius) => radius,
            Self::Each(radii) => radii[q],
        }
    }
}

impl<'a> QueryRule<'a> {
    /// The rule with other radii; `stored` is memory for them.
    pub(crate) fn with_radii(self, change: impl Fn(f64) -> f64, stored: &'a mut Vec<f64>) -> Self {
        match self {
            Self::Nearest { .. } => self,
            Self::Within { radii: Radii::Same(radius) } => {
                Self::Within { radii: Radii::Same(change(radius)) }
            }
            Self::Within { radii: Radii::Each(radii) } => {
                stored.extend(radii.iter().map(|&radius| change(radius)));
                Self::Within { radii: Radii::Each(stored) }
            }
        }
    }

    /// The rule for some of the queries.
    pub(crate) fn part(self, queries: Range<usize>) -> Self {
        match self {
            Self::Within { radii: Radii::Each(radii) } => {
                Self::Within { radii: Radii::Each(&radii[queries]) }
            }
            _ => self,
        }
    }
}

impl From<Neighborhood> for QueryRule<'_> {
    fn from(neighborhood: Neighborhood) -> Self {
        match neighborhood {
            Neighborhood::Nearest { k } => Self::Nearest { k },
            Neighborhood::Within { radius } => Self::Within { radii: Radii::Same(radius) },
        }
    }
}
