//! Points, dense or sparse.

use crate::{Embedding, Error, MemoryLimit, Points, SparsePoints, TrainingRows};

/// Numbers that are made dense at a time, 256 MB; models prepare their training points for every
/// block.
const BLOCK: usize = 1 << 25;

/// Fewest rows of a block.
const FEWEST: usize = 256;

/// Points, one per row, dense or sparse: the points to embed, or the new points of a model.
///
/// ```
/// use embedding::{Points, Rows, SparsePointSet};
/// let dense = Points::new(&[0.0, 2.0, 0.0, 1.0], 2)?;
/// let sparse = SparsePointSet::of(dense)?;
/// assert_eq!(Rows::from(dense).len(), Rows::from(sparse.view()).len());
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Rows<'a> {
    /// Rows of all values.
    Dense(Points<'a>),
    /// Rows without their zeros.
    Sparse(SparsePoints<'a>),
}

impl<'a> Rows<'a> {
    /// The number of points.
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

    /// The number of columns, D.
    pub fn dim(&self) -> usize {
        match self {
            Self::Dense(points) => points.dim(),
            Self::Sparse(points) => points.dim(),
        }
    }

    /// The dense points; `None` for sparse ones.
    pub fn dense(self) -> Option<Points<'a>> {
        match self {
            Self::Dense(points) => Some(points),
            Self::Sparse(_) => None,
        }
    }

    /// The sparse points; `None` for dense ones.
    pub fn sparse(self) -> Option<SparsePoints<'a>> {
        match self {
            Self::Dense(_) => None,
            Self::Sparse(points) => Some(points),
        }
    }

    /// What `then` returns for some of the rows, in the given order.
    ///
    /// # Panics
    /// If an element of `rows` is no row.
    pub fn selected<T>(self, rows: &[u32], then: impl FnOnce(Rows<'_>) -> T) -> T {
        match self {
            Self::Dense(points) => then(points.select(rows).view().into()),
            Self::Sparse(points) => then(points.select(rows).view().into()),
        }
    }

    /// Calls `each` with the rows in order, as dense points: once with all dense rows, and with
    /// blocks of sparse rows whose values take 256 MB, at least 256 rows.
    pub fn dense_blocks(self, mut each: impl FnMut(Points<'_>) -> Result<(), Error>) -> Result<(), Error> {
        let points = match self {
            Self::Dense(points) => return each(points),
            Self::Sparse(points) => points,
        };
        let rows: Vec<u32> = (0..points.len() as u32).collect();
        for block in rows.chunks((BLOCK / points.dim()).max(FEWEST)) {
            let block = points.select(block);
            each(block.view().dense(MemoryLimit::default())?.view())?;
        }
        Ok(())
    }

    /// Places the rows by `place`, which takes dense points and the training rows that are left out for
    /// them: all dense rows at once, sparse rows in [`Rows::dense_blocks`].
    pub fn place_dense<'b>(
        self,
        known: TrainingRows<'b>,
        mut place: impl FnMut(Points<'_>, TrainingRows<'b>) -> Result<Embedding, Error>,
    ) -> Result<Embedding, Error> {
        known.check(self.len())?;
        if let Self::Dense(points) = self {
            return place(points, known);
        }
        let (mut values, mut dim, mut start) = (Vec::new(), 0, 0);
        self.dense_blocks(|block| {
            let placed = place(block, known.part(start..start + block.len()))?;
            start += block.len();
            dim = placed.dim();
            values.extend_from_slice(placed.values());
            Ok(())
        })?;
        Ok(Embedding::from_rows(values, dim))
    }
}

impl<'a> From<Points<'a>> for Rows<'a> {
    fn from(points: Points<'a>) -> Self {
        Self::Dense(points)
    }
}

impl<'a> From<SparsePoints<'a>> for Rows<'a> {
    fn from(points: SparsePoints<'a>) -> Self {
        Self::Sparse(points)
    }
}
