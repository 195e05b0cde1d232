//! Data sets with true coordinates, labels and image shapes.

use embedding::{Error, PointSet, Points};
use serde::{Deserialize, Serialize};

use crate::labels::{Labels, Quantity, RowNames};
use crate::random::Random;
use crate::sample::drawn;

/// Points with optional true coordinates, labels and image shape.
///
/// Row i of `points`, of `truth`, of every label set, every quantity and the names refer to the
/// same object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dataset {
    /// The name used by [`load`](crate::load).
    pub name: String,
    /// The data, n × D.
    pub points: PointSet,
    /// Names of the columns of `points`, where a file has a header; empty if they have none.
    #[serde(default)]
    pub column_names: Vec<String>,
    /// The coordinates on the manifold, n × d, if known. A closed manifold (circle,
    /// sphere, torus) has no global chart: its coordinates are given in the smallest Euclidean space that
    /// contains it, with more than d columns.
    pub truth: Option<PointSet>,
    /// Names of the columns of `truth`, such as `arc length`; empty if they have none.
    pub truth_names: Vec<String>,
    /// Geometric meaning of `truth`.
    pub geometry: Geometry,
    /// Label sets, possibly none.
    pub labels: Vec<Labels>,
    /// Numbers per row that are no coordinates, such as an age, by which maps are colored;
    /// possibly none.
    #[serde(default)]
    pub quantities: Vec<Quantity>,
    /// The names of the rows, if they have any.
    #[serde(default)]
    pub row_names: Option<RowNames>,
    /// The shape of rows as images, for image data.
    pub images: Option<ImageShape>,
    /// The pixels that `images` describes, one row per point, if these are not `points`
    /// themselves.
    pub pixels: Option<PointSet>,
    /// Description and source.
    pub notes: String,
}

/// The shape of rows as images: pixels by rows from the top left, channels innermost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImageShape {
    /// Pixel rows.
    pub height: usize,
    /// Pixel columns.
    pub width: usize,
    /// 1 for gray, 3 for red, green and blue.
    pub channels: usize,
    /// The value of a white pixel; 0 is black.
    pub white: f64,
}

impl ImageShape {
    /// Returns the number of values per image: height · width · channels, at most
    /// `usize::MAX`.
    pub fn len(&self) -> usize {
        self.height.saturating_mul(self.width).saturating_mul(self.channels)
    }

    /// Returns whether an image has no pixels.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Geometric meaning of true coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Geometry {
    /// Curves have the same length in `truth` as on the manifold, within each connected
    /// component: a perfect isometric embedding equals `truth` up to a rigid motion.
    Isometric,
    /// Angles are equal, lengths up to a local factor.
    Conformal,
    /// Smooth parameters of the data, neither isometric nor conformal.
    Parameters,
    /// No true coordinates are known.
    Unknown,
}

impl Dataset {
    /// Points without labels, true coordinates or other attributes.
    pub fn new(name: impl Into<String>, points: PointSet) -> Self {
        Self {
            name: name.into(),
            points,
            column_names: Vec::new(),
            truth: None,
            truth_names: Vec::new(),
            geometry: Geometry::Unknown,
            labels: Vec::new(),
            quantities: Vec::new(),
            row_names: None,
            images: None,
            pixels: None,
            notes: String::new(),
        }
    }

    /// Adds Gaussian noise of standard deviation `noise` to every value of `points`;
    /// `truth` and labels are unchanged.
    ///
    /// The noise of row i depends only on `seed` and the preceding rows. Fails unless
    /// `noise` is finite and at least 0.
    pub fn with_noise(mut self, noise: f64, seed: u64) -> Result<Self, Error> {
        if !(noise.is_finite() && noise >= 0.0) {
            return Err(Error::parameter("noise", "a finite number of at least 0", noise));
        }
        if noise > 0.0 {
            let mut random = Random::noise(seed);
            let dim = self.points.dim();
            let mut values = self.points.into_values();
            values.iter_mut().for_each(|value| *value += noise * random.normal());
            self.points = PointSet::new(values, dim)?;
        }
        Ok(self)
    }

    /// Returns the rows with the given indices, in that order, with all their attributes.
    ///
    /// Fails if `rows` is empty or contains a nonexistent row.
    pub fn select(&self, rows: &[u32]) -> Result<Self, Error> {
        let n = self.points.len();
        if let Some(row) = rows.iter().find(|&&row| row as usize >= n) {
            return Err(Error::parameter("rows", format!("below {n}, the number of rows"), row));
        }
        if rows.is_empty() {
            return Err(Error::TooFewPoints { what: "a data set", needed: 1, got: 0 });
        }
        Ok(Self {
            name: self.name.clone(),
            points: self.points.view().select(rows),
            column_names: self.column_names.clone(),
            truth: self.truth.as_ref().map(|truth| truth.view().select(rows)),
            truth_names: self.truth_names.clone(),
            geometry: self.geometry,
            labels: self.labels.iter().map(|labels| labels.select(rows)).collect(),
            quantities: self.quantities.iter().map(|quantity| quantity.select(rows)).collect(),
            row_names: self.row_names.as_ref().map(|names| names.select(rows)),
            images: self.images,
            pixels: self.pixels.as_ref().map(|pixels| pixels.view().select(rows)),
            notes: self.notes.clone(),
        })
    }

    /// Samples `n` rows by seed, in random order, each class of the first labels in its proportion; a smaller
    /// sample is a prefix of a larger one. If all rows are requested, they keep their order.
    ///
    /// Fails when n is 0 or exceeds the number of rows.
    pub fn sample(&self, n: usize, seed: u64) -> Result<Self, Error> {
        self.select(&self.sample_rows(n, seed)?)
    }

    /// The rows of [`Dataset::sample`], and its failures.
    pub fn sample_rows(&self, n: usize, seed: u64) -> Result<Vec<u32>, Error> {
        drawn(self.points.len(), self.labels.first(), n, seed, &self.name)
    }

    /// The true coordinates, where an embedding can be measured against them: parameters
    /// that start anew in every class are not global coordinates.
    pub fn global_truth(&self) -> Option<Points<'_>> {
        let global = match self.geometry {
            Geometry::Unknown => false,
            Geometry::Parameters => self.labels.is_empty(),
            Geometry::Isometric | Geometry::Conformal => true,
        };
        self.truth.as_ref().filter(|_| global).map(PointSet::view)
    }

    /// Whether a correct map has the shape of the true coordinates: they keep lengths or angles, and the data
    /// are one piece, without classes.
    pub fn truth_has_shape(&self) -> bool {
        matches!(self.geometry, Geometry::Isometric | Geometry::Conformal) && self.labels.is_empty()
    }

    /// The pixels of the rows, where they have pictures: see
    /// [`Dataset::images`].
    pub fn pictures(&self) -> Points<'_> {
        self.pixels.as_ref().unwrap_or(&self.points).view()
    }

    /// Adds the true coordinates, each column with its name.
    pub(crate) fn with_truth(mut self, truth: PointSet, names: &[&str]) -> Self {
        debug_assert_eq!(truth.dim(), names.len());
        self.truth = Some(truth);
        self.truth_names = names.iter().map(|name| (*name).to_owned()).collect();
        self
    }

    pub(crate) fn with_labels(mut self, labels: Labels) -> Self {
        self.labels.push(labels);
        self
    }

    pub(crate) fn with_images(mut self, images: ImageShape) -> Self {
        self.images = Some(images);
        self
    }
}
