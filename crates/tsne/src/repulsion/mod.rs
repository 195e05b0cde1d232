//! How all points push each other apart.

mod barnes_hut;
mod exact;
mod grid;
mod interpolation;
mod transform;

pub(crate) use barnes_hut::Tree;
pub(crate) use exact::{Exact, exact_normalization};

use embedding::Error;
use serde::{Deserialize, Serialize};

use crate::kernel::Kernel;
use barnes_hut::BarnesHut;
use interpolation::Interpolation;

/// How the forces between all pairs are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Gradient {
    /// Exact up to 500 points. Beyond, Barnes–Hut with θ = 0.5: up to 8,000 points,
    /// in three dimensions at any number. Above, in the plane, Barnes–Hut with
    /// θ = 0.3 up to 30,000 points; else interpolation.
    #[default]
    Auto,
    /// All pairs: O(n² d). Any target dimension.
    Exact,
    /// Far groups of points act as one: O(n log n). Up to three dimensions.
    BarnesHut {
        /// A cell acts as one point when its width is below θ times its
        /// distance. 0 is exact; 0 ≤ θ < 1/√d, beyond which a cell could act on
        /// a point inside itself.
        theta: f64,
    },
    /// Forces interpolated from a grid, where they are a convolution: O(n) plus
    /// a fast Fourier transform of the grid. One and two dimensions.
    Interpolation,
}

/// Sums over all other points.
pub(crate) trait Repulsion: Send {
    /// Writes Σ_j w/(1 + d²/α) (y_i − y_j) into `force` for every i and returns
    /// Z = Σ_{i≠j} w. `y` and `force` are n × d, row by row.
    fn compute(&mut self, y: &[f64], force: &mut [f64]) -> f64;
}

/// Up to here `Auto` takes all pairs: on pictures of digits, with two threads,
/// the tree took as long at n = 500 and 0.8 of the time at 700.
const EXACT_UP_TO: usize = 500;

/// Up to here `Auto` takes a coarse tree. Of 8,000 digits its divergence is 0.1 %
/// above that of interpolation, of 20,000 0.5 %.
const COARSE_UP_TO: usize = 8000;

/// Up to here `Auto` takes a fine tree. Its divergence is the lower one, by 0.05 %
/// at n = 10,000 and 0.03 % at 40,000. Whole fits by default, one of each, took 0.4
/// of the time with interpolation at 10,000, 0.8 at 20,000, as long at 30,000 and
/// 1.05 at 40,000.
const TREE_UP_TO: usize = 30_000;

impl Gradient {
    /// What `Auto` chooses for n points in d dimensions; other choices stay.
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
