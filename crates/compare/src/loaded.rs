//! A data set as it was loaded: with the zeros of its points, or without where they are too many.

use datasets::Dataset;
use embedding::{Error, MemoryLimit, NewPoints, Observer, PointSet, SparsePointSet, SparsePoints};
use spectral::{Principal, Tolerance};

use crate::figure::number::counted;

/// Most values of sparse points that are read with their zeros, 800 MB.
const MOST_FILLED: u64 = 100_000_000;

/// Principal components that pictures and the lab have of points without their zeros.
const COMPONENTS: usize = 50;

/// Their residual, relative to the largest variance.
const RESIDUAL: f64 = 1e-6;

/// The file of these components, beside the maps of a run.
pub(crate) const FILE: &str = "principal-components.npy";

/// What methods and measures read of a data set, and what pictures show of it.
#[derive(Clone)]
pub(crate) struct Loaded {
    /// The data set; of points without their zeros with the leading principal components.
    pub(crate) data: Dataset,
    /// The points without their zeros.
    sparse: Option<SparsePointSet>,
}

impl From<Dataset> for Loaded {
    fn from(data: Dataset) -> Self {
        Self { data, sparse: None }
    }
}

/// Whether sparse points are read without their zeros.
pub(crate) fn too_many_zeros(points: SparsePoints<'_>) -> bool {
    (points.len() as u64).saturating_mul(points.dim() as u64) > MOST_FILLED
}

impl Loaded {
    /// Points without their zeros, with their principal components in a data set of this name.
    ///
    /// Fails with [`Error::Memory`] where these would take more than may be allocated.
    pub(crate) fn without_zeros(
        name: String,
        points: SparsePointSet,
        memory: MemoryLimit,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let view = points.view();
        let components = COMPONENTS.min(view.len()).min(view.dim());
        memory.allow(
            "the principal components of pictures",
            Principal::sparse_bytes(view, components),
            "read fewer rows or allow more memory",
        )?;
        let (_, coordinates, scale) =
            Principal::of_sparse(view, components, Tolerance::new(RESIDUAL)?, observer)?;
        let shown = PointSet::from_mat(coordinates.as_ref())?;
        let values = shown.into_values().into_iter().map(|value| scale.times(value)).collect();
        let data = Dataset::new(name, PointSet::new(values, components)?);
        Ok(Self { data, sparse: Some(points) })
    }

    /// The points that methods and measures read.
    pub(crate) fn points(&self) -> NewPoints<'_> {
        match &self.sparse {
            Some(points) => points.view().into(),
            None => self.data.points.view().into(),
        }
    }

    /// The number of their columns.
    pub(crate) fn columns(&self) -> usize {
        match self.points() {
            NewPoints::Dense(points) => points.dim(),
            NewPoints::Sparse(points) => points.dim(),
        }
    }

    /// The number of values that are not 0, of points without their zeros.
    pub(crate) fn entries(&self) -> Option<usize> {
        self.sparse.as_ref().map(|points| points.view().entries())
    }

    /// `n` rows, as [`Dataset::sample`] draws them.
    pub(crate) fn sample(&self, n: usize, seed: u64) -> Result<Self, Error> {
        let rows = self.data.sample_rows(n, seed)?;
        let sparse = self.sparse.as_ref().map(|points| points.view().select(&rows));
        Ok(Self { data: self.data.select(&rows)?, sparse })
    }

    /// The same with their zeros, where these are needed or few enough; otherwise its notes say what
    /// pictures show.
    pub(crate) fn settled(self, zeros: bool, memory: MemoryLimit) -> Result<Self, Error> {
        let Self { mut data, sparse: Some(points) } = self else { return Ok(self) };
        if zeros || !too_many_zeros(points.view()) {
            data.points = points.view().dense(memory)?;
            data.notes.push_str(&format!(
                " The {} are read with their zeros.",
                counted(data.points.len(), "row of the sample", "rows of the sample")
            ));
            return Ok(data.into());
        }
        data.notes.push_str(&format!(
            " The picture of the data, and methods that are run live, have its first {}, in {FILE} beside the maps.",
            counted(data.points.dim(), "principal component", "principal components")
        ));
        Ok(Self { data, sparse: Some(points) })
    }

    /// Adds noise to every value, which points without their zeros refuse.
    pub(crate) fn with_noise(self, noise: f64, seed: u64) -> Result<Self, Error> {
        if noise > 0.0 && self.sparse.is_some() {
            return Err(Error::parameter("noise", "0 for points without their zeros", noise));
        }
        Ok(Self { data: self.data.with_noise(noise, seed)?, ..self })
    }
}
