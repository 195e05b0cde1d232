//! The rule that selects neighbors.

use serde::{Deserialize, Serialize};

use crate::{Access, Error, Form, N_LESS_1, Parameter, Range, Scale, Sizes, Validate, Value, require};

/// The rule by which a point's neighbors are selected.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Neighborhood {
    /// The k nearest other points.
    Nearest {
        /// 1 ≤ k ≤ n − 1.
        k: usize,
    },
    /// Every other point at a distance of at most `radius`, in input units.
    Within {
        /// Finite and positive.
        radius: f64,
    },
}

/// Legal values of k.
const K: Range = Range::from_one_to(N_LESS_1);

/// Legal values of the radius.
const RADIUS: Range = Range::positive();

impl Neighborhood {
    /// Fails when the rule cannot hold for n points, or n does not fit the
    /// 32-bit indices of neighbor lists.
    pub fn check(self, n: usize) -> Result<(), Error> {
        if u32::try_from(n).is_err() {
            return Err(Error::parameter("the number of points", "below 2³²", n));
        }
        match self {
            Self::Nearest { k } => K.check("k", k as f64, &Sizes { points: Some(n), ..Sizes::default() }, &k),
            Self::Within { radius } => RADIUS.check("radius", radius, &Sizes::default(), &radius),
        }
    }

    /// The number of neighbors where the rule fixes it.
    pub fn k(self) -> Option<usize> {
        match self {
            Self::Nearest { k } => Some(k),
            Self::Within { .. } => None,
        }
    }

    /// The rule for points divided by a power of two.
    pub fn divided(self, scale: Scale) -> Self {
        match self {
            Self::Nearest { .. } => self,
            Self::Within { radius } => Self::Within { radius: scale.quotient(radius).min(f64::MAX) },
        }
    }

    /// The parameter `k` of a recipe with this field; setting it replaces a radius.
    pub fn k_parameter<R: 'static>(Access { get, get_mut }: Access<R, Self>) -> Parameter<R> {
        let show = move |recipe: &R| get(recipe).k().map_or_else(|| "none".to_owned(), |k| k.show());
        let read = move |recipe: &mut R, text: &str| {
            usize::read(text).map(|k| *get_mut(recipe) = Self::Nearest { k })
        };
        let number = move |recipe: &R| get(recipe).k().map(|k| k as f64);
        Parameter::custom("k", "number of nearest neighbors", Form::Integer, show, read, number).within(K)
    }

    /// The parameter `radius` of a recipe with this field; setting it replaces k.
    pub fn radius_parameter<R: 'static>(Access { get, get_mut }: Access<R, Self>) -> Parameter<R> {
        let radius = move |recipe: &R| match *get(recipe) {
            Self::Nearest { .. } => None,
            Self::Within { radius } => Some(radius),
        };
        let show = move |recipe: &R| radius(recipe).map_or_else(|| "none".to_owned(), |r| r.show());
        let read = move |recipe: &mut R, text: &str| {
            f64::read(text).map(|radius| *get_mut(recipe) = Self::Within { radius })
        };
        let meaning = "neighbors are all points within this distance, in input units; replaces k";
        Parameter::custom("radius", meaning, Form::Real, show, read, radius).within(RADIUS)
    }
}

impl Validate for Neighborhood {
    /// Whatever the number of points: a model of one component may have fewer than k.
    fn validate(&self) -> Result<(), Error> {
        match *self {
            Self::Nearest { k } => require(k >= 1, "its number of neighbors is 0"),
            Self::Within { radius } => {
                require(radius.is_finite() && radius > 0.0, "its radius is not positive")
            }
        }
    }
}

impl Default for Neighborhood {
    fn default() -> Self {
        Self::Nearest { k: 10 }
    }
}
