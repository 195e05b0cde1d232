//! Metadata of a data set, and requests for its points.

use std::path::PathBuf;

use embedding::{Error, MemoryLimit, PointSet};
use serde::Serialize;

use crate::{Dataset, Geometry};

/// Metadata of a data set.
#[derive(Clone, Debug, Serialize)]
pub struct Info {
    /// The name used by [`load`](crate::load).
    pub name: &'static str,
    /// Description in one sentence.
    pub summary: &'static str,
    /// What the set demonstrates.
    pub shows: &'static str,
    /// What methods are expected to get wrong on it, with the default number of points and
    /// 10 neighbors; `None` except for the group of [`failures`](crate::failures).
    pub failure: Option<&'static str>,
    /// Default number of points.
    pub default_n: usize,
    /// Largest number of points available; `None` for generators.
    pub largest_n: Option<usize>,
    /// Number of columns, D (at full size).
    pub ambient: usize,
    /// Intrinsic dimension d, if known.
    pub dimension: Option<usize>,
    /// Geometric meaning of the true coordinates.
    pub geometry: Geometry,
    /// Default scale of the images; `None` if the set has a fixed size.
    pub default_scale: Option<f64>,
    /// Source.
    pub source: &'static str,
    /// License.
    pub license: &'static str,
    /// Creates the data set from a valid request.
    #[serde(skip)]
    pub(crate) make: fn(&Info, &Request) -> Result<Dataset, Error>,
}

/// Size, seed and other options of a data set.
///
/// ```
/// use datasets::{Request, load};
/// let roll = load("swiss-roll", &Request { n: Some(500), noise: 0.05, ..Request::default() })?;
/// assert_eq!((roll.points.len(), roll.points.dim()), (500, 3));
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Request {
    /// Number of points; `None` for the set's default.
    pub n: Option<usize>,
    /// Seed of all random choices: positions, subsample, noise.
    pub seed: u64,
    /// Standard deviation of Gaussian noise added to every value; default 0.
    pub noise: f64,
    /// Scale of the images relative to their full size, for rendered sets; `None` for the
    /// set's default.
    pub scale: Option<f64>,
    /// Folder with files that are not part of the crate (MNIST); searched first. Without the
    /// feature `bundled` no data set has files.
    pub directory: Option<PathBuf>,
    /// Memory limit of the points.
    pub memory: MemoryLimit,
}

impl Info {
    /// Creates or reads this data set; see [`load`](crate::load).
    pub fn load(&self, request: &Request) -> Result<Dataset, Error> {
        let n = self.points(request.n)?;
        let scale = self.scale(request.scale)?;
        let bytes = n as f64 * self.ambient as f64 * scale * scale * 8.0;
        request.memory.allow("storing the data set", bytes as u64, "use fewer points or a smaller scale")?;
        (self.make)(self, request)?.with_noise(request.noise, request.seed)
    }

    /// Returns the scale of a request.
    fn scale(&self, scale: Option<f64>) -> Result<f64, Error> {
        match (self.default_scale, scale) {
            (default, None) => Ok(default.unwrap_or(1.0)),
            (Some(_), Some(scale)) if (0.05..=4.0).contains(&scale) => Ok(scale),
            (Some(_), Some(scale)) => Err(Error::parameter("scale", "from 0.05 to 4", scale)),
            (None, Some(scale)) => {
                let requirement = format!("omitted for {}, which has a fixed size", self.name);
                Err(Error::parameter("scale", requirement, scale))
            }
        }
    }

    /// Returns the number of points of a request.
    pub(crate) fn points(&self, n: Option<usize>) -> Result<usize, Error> {
        let n = n.unwrap_or(self.default_n);
        let largest = self.largest_n.unwrap_or(u32::MAX as usize);
        if (1..=largest).contains(&n) {
            return Ok(n);
        }
        Err(Error::parameter("n", format!("from 1 to {largest} for {}", self.name), n))
    }

    /// Returns a data set of this name without true coordinates and labels.
    pub(crate) fn dataset(&self, points: PointSet) -> Dataset {
        Dataset {
            geometry: self.geometry,
            notes: format!(
                "{} {} Source: {}. License: {}.",
                self.summary, self.shows, self.source, self.license
            ),
            ..Dataset::new(self.name, points)
        }
    }
}
