//! The choice of the algorithm for the forces between all pairs.

use embedding::Error;
use embedding::implement::{Value, ValueSyntax};
use serde::{Deserialize, Serialize};

use crate::kernel::Kernel;
use crate::repulsion::{BarnesHut, Exact, Interpolation, Repulsion};

/// The algorithm for the forces between all pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Gradient {
    /// Exact up to 500 points. Above, Barnes–Hut with θ = 0.5 up to 8,000 points, and for
    /// three dimensions at any size. Above, in two dimensions, Barnes–Hut with θ = 0.3 up
    /// to 30,000 points; otherwise interpolation.
    #[default]
    Auto,
    /// All pairs: O(n² d). Any output dimension.
    Exact,
    /// Distant groups of points are approximated by their center of mass: O(n log n). Up
    /// to three dimensions.
    BarnesHut {
        /// A cell is treated as one point if its width is less than θ times its distance.
        /// 0 is exact; 0 ≤ θ < 1/√d, above which a cell containing the point could be
        /// accepted.
        theta: f64,
    },
    /// Forces interpolated from a grid, where they are a convolution: O(n) plus a fast
    /// Fourier transform of the grid. One and two dimensions.
    Interpolation,
}

impl Value for Gradient {
    const SYNTAX: ValueSyntax = ValueSyntax::Text("auto, exact, barnes-hut:THETA or interpolation");

    fn show(&self) -> String {
        match self {
            Self::Auto => "auto".to_owned(),
            Self::Exact => "exact".to_owned(),
            Self::BarnesHut { theta } => format!("barnes-hut:{}", theta.show()),
            Self::Interpolation => "interpolation".to_owned(),
        }
    }

    fn read(text: &str) -> Option<Self> {
        match text.split_once(':') {
            None if text == "auto" => Some(Self::Auto),
            None if text == "exact" => Some(Self::Exact),
            None if text == "interpolation" => Some(Self::Interpolation),
            None if text == "barnes-hut" => Some(Self::BarnesHut { theta: 0.5 }),
            Some(("barnes-hut", theta)) => Some(Self::BarnesHut { theta: Value::read(theta)? }),
            _ => None,
        }
    }
}

embedding::text!(Gradient);

/// Largest n for which `Auto` is exact: on images of digits, with two threads, the tree
/// took the same time at n = 500 and 0.8 of it at 700.
const EXACT_UP_TO: usize = 500;

/// Largest n for which `Auto` uses θ = 0.5. The final divergence exceeds the divergence after interpolation
/// by 0.1 % for 8,000 digits and by 0.5 % for 20,000.
const COARSE_UP_TO: usize = 8000;

/// Largest n for which `Auto` uses θ = 0.3. Its final divergence is lower than after interpolation, by 0.05 %
/// at n = 10,000 and 0.03 % at 40,000. Whole default fits, one of each, took with interpolation 0.4 of the
/// tree's time at 10,000, 0.8 at 20,000, the same at 30,000 and 1.05 at 40,000.
const TREE_UP_TO: usize = 30_000;

impl Gradient {
    /// Returns the algorithm `Auto` selects for n points in d dimensions; other values
    /// are returned unchanged.
    pub fn settled(self, n: usize, dim: usize) -> Self {
        match self {
            Self::Auto if n <= EXACT_UP_TO || dim > 3 => Self::Exact,
            Self::Auto if n <= COARSE_UP_TO || dim == 3 => Self::BarnesHut { theta: 0.5 },
            Self::Auto if n <= TREE_UP_TO && dim == 2 => Self::BarnesHut { theta: 0.3 },
            Self::Auto => Self::Interpolation,
            settled => settled,
        }
    }

    pub(crate) fn prepare(self, n: usize, dim: usize, kernel: Kernel) -> Result<Box<dyn Repulsion>, Error> {
        let limit = |method: &'static str, most: usize| {
            let requirement =
                format!("at most {most} with the {method} gradient; the exact gradient has no limit");
            Err(Error::parameter("the target dimension", requirement, dim))
        };
        match self.settled(n, dim) {
            Self::BarnesHut { .. } if dim > 3 => limit("Barnes–Hut", 3),
            Self::BarnesHut { theta } if !(theta >= 0.0 && theta * (dim as f64).sqrt() < 1.0) => {
                let requirement =
                    format!("at least 0 and below {:.3} in {dim} dimensions", (dim as f64).sqrt().recip());
                Err(Error::parameter("theta", requirement, theta))
            }
            Self::Interpolation if dim > 2 => limit("interpolated", 2),
            Self::BarnesHut { theta } => Ok(match dim {
                1 => Box::new(BarnesHut::<1> { theta, kernel }),
                2 => Box::new(BarnesHut::<2> { theta, kernel }),
                _ => Box::new(BarnesHut::<3> { theta, kernel }),
            }),
            Self::Interpolation => Ok(Box::new(Interpolation::new(kernel, dim))),
            Self::Exact | Self::Auto => Ok(Box::new(Exact { kernel, dim })),
        }
    }
}
