//! Points with all values or sparse: new points for a model, or those of a fit.

use crate::{Error, MemoryLimit, Points, SparsePoints};

/// Numbers that are made dense at a time, 256 MB; models prepare their training points for every
/// block.
const BLOCK: usize = 1 << 25;

/// Fewest rows of a block.
const FEWEST: usize = 256;

/// New points for a model, or the points of a fit, with all values or sparse.
#[derive(Clone, Copy, Debug)]
pub enum NewPoints<'a> {
    /// Rows of all values.
    Dense(Points<'a>),
    /// Rows without their zeros.
    Sparse(SparsePoints<'a>),
}

impl NewPoints<'_> {
    /// The number of points, m.
    pub fn len(&self) -> usize {
        match self {
            Self::Dense(points) => points.len(),
            Self::Sparse(points) => points.len(),
        }
    }

    /// Always false: there is no empty data set.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Calls `each` with the rows in order, as points with all values: once with all of them
    /// where they are dense, else with as many at a time as take 256 MB, at least 256.
    pub fn dense_blocks(&self, mut each: impl FnMut(Points<'_>) -> Result<(), Error>) -> Result<(), Error> {
        let points = match self {
            Self::Dense(points) => return each(*points),
            Self::Sparse(points) => points,
        };
        let rows: Vec<u32> = (0..points.len() as u32).collect();
        for block in rows.chunks((BLOCK / points.dim()).max(FEWEST)) {
            let block = points.select(block);
            each(block.view().dense(MemoryLimit::default())?.view())?;
        }
        Ok(())
    }
}

impl<'a> From<Points<'a>> for NewPoints<'a> {
    fn from(points: Points<'a>) -> Self {
        Self::Dense(points)
    }
}

impl<'a> From<SparsePoints<'a>> for NewPoints<'a> {
    fn from(points: SparsePoints<'a>) -> Self {
        Self::Sparse(points)
    }
}
