//! Placement of new points by a fit of several components.

use embedding::{Embedding, Error, ExactMatches, LinearMap, PointSet, Points, Rows, Transform};

use crate::NeighborIndex;
use crate::components::component_fits::ComponentFits;

impl<M: Transform> Transform for ComponentFits<M> {
    /// A new point belongs to the component of its nearest training point.
    fn place(&self, new: Rows<'_>, exact: ExactMatches) -> Result<Embedding, Error> {
        let parts =
            self.fits.iter().map(|fit| Part { rows: &fit.rows, shift: &fit.shift, model: &fit.model });
        let parts = Parts {
            parts: parts.collect(),
            training: &self.training,
            dim: self.embedding.dim(),
            total: self.total,
            by_distances: self.by_distances,
        };
        parts.place(new, exact)
    }

    /// `None` for several components, because each has a map of its own.
    fn invert(&self, places: Points<'_>) -> Result<Option<Embedding>, Error> {
        match &self.fits[..] {
            [fit] => fit.model.invert(places),
            _ => Ok(None),
        }
    }

    /// `None` for several components, as [`Transform::invert`].
    fn linear_map(&self) -> Option<LinearMap> {
        match &self.fits[..] {
            [fit] => fit.model.linear_map(),
            _ => None,
        }
    }
}

/// A component, whatever its model: the code is generated once for all methods.
struct Part<'a> {
    rows: &'a [u32],
    shift: &'a [f64],
    model: &'a dyn Transform,
}

/// All components; the fields as in [`ComponentFits`].
struct Parts<'a> {
    parts: Vec<Part<'a>>,
    training: &'a [NeighborIndex],
    dim: usize,
    total: usize,
    by_distances: bool,
}

impl Parts<'_> {
    fn place(&self, new: Rows<'_>, exact: ExactMatches) -> Result<Embedding, Error> {
        if let (true, Rows::Sparse(_)) = (self.by_distances, new) {
            return new.place_dense(|new| self.place(new.into(), exact));
        }
        if let [part] = &self.parts[..] {
            let own = self.columns(new, part)?;
            return part.model.place(own.as_ref().map_or(new, |own| own.view().into()), exact);
        }
        let mut best = vec![(f64::INFINITY, 0); new.len()];
        for (p, (part, index)) in self.parts.iter().zip(self.training).enumerate() {
            let own = self.columns(new, part)?;
            let nearest = index.nearest(own.as_ref().map_or(new, |own| own.view().into()), 1)?;
            for (best, list) in best.iter_mut().zip(nearest) {
                if list[0].1 < best.0 {
                    *best = (list[0].1, p);
                }
            }
        }
        let dim = self.dim;
        let mut out = vec![0.0; new.len() * dim];
        for (p, part) in self.parts.iter().enumerate() {
            let rows: Vec<u32> = (0..new.len() as u32).filter(|&i| best[i as usize].1 == p).collect();
            if rows.is_empty() {
                continue;
            }
            let placed = match new {
                Rows::Dense(new) => {
                    let new = new.select(&rows);
                    let own = self.columns(new.view().into(), part)?;
                    part.model.place(own.as_ref().unwrap_or(&new).view().into(), exact)?
                }
                Rows::Sparse(new) => part.model.place(new.select(&rows).view().into(), exact)?,
            };
            if placed.dim() != dim {
                return Err(Error::damaged("a piece has another number of coordinates than the whole"));
            }
            for (at, &row) in placed.rows().zip(&rows) {
                let out = &mut out[row as usize * dim..][..dim];
                out.iter_mut().zip(at.iter().zip(part.shift)).for_each(|(o, (y, s))| *o = y + s);
            }
        }
        Ok(Embedding::from_rows(out, dim))
    }

    /// The distances of new points to the part's own training points, in a model of
    /// distances that also has other training points.
    fn columns(&self, new: Rows<'_>, part: &Part<'_>) -> Result<Option<PointSet>, Error> {
        match new {
            Rows::Dense(new) if self.by_distances && part.rows.len() < self.total => {
                columns_of(new, part.rows, self.total).map(Some)
            }
            _ => Ok(None),
        }
    }
}

/// Selects the distances to the given training points from the distances of new points to all `total`
/// training points.
pub(crate) fn columns_of(new: Points<'_>, training: &[u32], total: usize) -> Result<PointSet, Error> {
    new.check_columns(total)?;
    let values = new.rows().flat_map(|row| training.iter().map(|&j| row[j as usize])).collect();
    PointSet::new(values, training.len())
}
