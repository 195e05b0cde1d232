//! The rule that selects neighbors.

use serde::{Deserialize, Serialize};

use crate::implement::{N_LESS_1, Parameter, Range, Scale, Sizes, Validate, Value, ValueSyntax, require};
use crate::{Error, Recipe};

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

    /// The radius where the rule fixes it.
    fn radius(self) -> Option<f64> {
        match self {
            Self::Nearest { .. } => None,
            Self::Within { radius } => Some(radius),
        }
    }
}

/// `k` and `radius`; setting one replaces the other.
impl Recipe for Neighborhood {
    fn parameters() -> Vec<Parameter<Self>> {
        fn shown<V: Value>(value: Option<V>) -> String {
            value.map_or_else(|| "none".to_owned(), |value| value.show())
        }
        let k = Parameter::custom(
            "k",
            "number of nearest neighbors",
            ValueSyntax::Integer,
            |rule: &Self| shown(rule.k()),
            |rule, text| usize::read(text).map(|k| *rule = Self::Nearest { k }),
            |rule| rule.k().map(|k| k as f64),
        );
        let radius = Parameter::custom(
            "radius",
            "neighbors are all points within this distance, in input units; replaces k",
            ValueSyntax::Real,
            |rule: &Self| shown(rule.radius()),
            |rule, text| f64::read(text).map(|radius| *rule = Self::Within { radius }),
            |rule| rule.radius(),
        );
        vec![k.within(K), radius.within(RADIUS)]
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
