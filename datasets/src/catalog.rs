//! Every data set by name.

use std::path::PathBuf;
use std::sync::LazyLock;

use embedding::{Error, MemoryLimit, PointSet};
use serde::Serialize;

use crate::{Dataset, Geometry, bundled, pictures, suggestion, synthetic};

/// What is known about a data set before it is made.
#[derive(Clone, Debug, Serialize)]
pub struct Info {
    /// The name under which [`load`] finds it.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub summary: &'static str,
    /// What it shows about a method.
    pub shows: &'static str,
    /// The number of points when the request names none.
    pub default_n: usize,
    /// The largest number of points there is; none for a generator without end.
    pub largest_n: Option<usize>,
    /// D, the numbers per point (at full size).
    pub ambient: usize,
    /// d, the dimension of the manifold, where it is known.
    pub dimension: Option<usize>,
    /// What the true coordinates promise.
    pub geometry: Geometry,
    /// The scale of the pictures when [`Request::scale`] names none; none where
    /// nothing can be scaled.
    pub default_scale: Option<f64>,
    /// Where it comes from.
    pub source: &'static str,
    /// Under which license.
    pub license: &'static str,
    /// How it is made, once the request is known to be legal.
    #[serde(skip)]
    pub(crate) make: fn(&Info, &Request) -> Result<Dataset, Error>,
}

/// What of a data set is wanted.
///
/// ```
/// use datasets::{Request, load};
/// let roll = load("swiss-roll", &Request { n: Some(500), noise: 0.05, ..Request::default() })?;
/// assert_eq!((roll.points.len(), roll.points.dim()), (500, 3));
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Request {
    /// The number of points; the set's own default when none.
    pub n: Option<usize>,
    /// The seed of every random choice: positions, subsample, noise.
    pub seed: u64,
    /// Standard deviation of Gaussian noise added to every value; default 0.
    pub noise: f64,
    /// The size of the pictures relative to their full size, for the sets that
    /// are drawn by arithmetic; their own default when none.
    pub scale: Option<f64>,
    /// The folder that holds files which do not travel inside the crate
    /// (MNIST); looked into first.
    pub directory: Option<PathBuf>,
    /// How much memory the points may take.
    pub memory: MemoryLimit,
}

/// Every data set there is, generators first.
pub fn list() -> &'static [Info] {
    static LIST: LazyLock<Vec<Info>> = LazyLock::new(|| {
        synthetic::LIST.into_iter().chain(pictures::LIST).chain(bundled::LIST).cloned().collect()
    });
    &LIST
}

/// The entry of a name; an unknown name is an error that suggests a near one.
pub fn find(name: &str) -> Result<&'static Info, Error> {
    list().iter().find(|info| info.name == name).ok_or_else(|| {
        let known: Vec<&str> = list().iter().map(|info| info.name).collect();
        Error::parameter("the data set", suggestion::one_of(name, &known), format!("`{name}`"))
    })
}

/// Makes or reads a data set by name.
///
/// Fails on an unknown name, on n = 0 or more points than there are, on
/// negative noise, on a scale where nothing can be scaled, and when the points
/// would exceed the allowed memory; always before any work is done.
pub fn load(name: &str, request: &Request) -> Result<Dataset, Error> {
    find(name)?.load(request)
}

/// `n` points of a data set, without noise: [`load`] in short.
pub fn generate(name: &str, n: usize, seed: u64) -> Result<Dataset, Error> {
    load(name, &Request { n: Some(n), seed, ..Request::default() })
}

impl Info {
    /// Makes or reads this data set; see [`load`].
    pub fn load(&self, request: &Request) -> Result<Dataset, Error> {
        let n = self.points(request.n)?;
        let scale = self.scale(request.scale)?;
        let bytes = n as f64 * self.ambient as f64 * scale * scale * 8.0;
        request.memory.allow(
            "holding the data set",
            bytes as u64,
            "ask for fewer points or a smaller scale",
        )?;
        (self.make)(self, request)?.with_noise(request.noise, request.seed)
    }

    /// The scale of a request.
    fn scale(&self, scale: Option<f64>) -> Result<f64, Error> {
        match (self.default_scale, scale) {
            (default, None) => Ok(default.unwrap_or(1.0)),
            (Some(_), Some(scale)) if (0.05..=4.0).contains(&scale) => Ok(scale),
            (Some(_), Some(scale)) => Err(Error::parameter("scale", "from 0.05 to 4", scale)),
            (None, Some(scale)) => {
                let requirement = format!("left out for {}: it cannot be drawn at another size", self.name);
                Err(Error::parameter("scale", requirement, scale))
            }
        }
    }

    /// The number of points of a request.
    pub(crate) fn points(&self, n: Option<usize>) -> Result<usize, Error> {
        let n = n.unwrap_or(self.default_n);
        let largest = self.largest_n.unwrap_or(u32::MAX as usize);
        if (1..=largest).contains(&n) {
            return Ok(n);
        }
        Err(Error::parameter("n", format!("from 1 to {largest} for {}", self.name), n))
    }

    /// A data set of this name without truth and labels.
    pub(crate) fn dataset(&self, points: PointSet) -> Dataset {
        Dataset {
            name: self.name.to_owned(),
            points,
            truth: None,
            truth_names: Vec::new(),
            geometry: self.geometry,
            labels: Vec::new(),
            images: None,
            pixels: None,
            notes: format!(
                "{} {} Source: {}. License: {}.",
                self.summary, self.shows, self.source, self.license
            ),
        }
    }
}
