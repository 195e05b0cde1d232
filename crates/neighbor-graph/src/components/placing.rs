//! New points in one of several pieces.

use embedding::{Embedding, Error, ExactMatches, NewPoints, PointSet, Points, Transform};

use crate::components::pieces::{Piece, Pieces};

impl<M: Transform> Transform for Pieces<M> {
    /// A new point belongs to the piece of its nearest training point.
    fn transform(&self, new: Points<'_>) -> Result<Embedding, Error> {
        self.place(new.into(), ExactMatches::Stored)
    }

    fn extend(&self, new: Points<'_>) -> Result<Embedding, Error> {
        self.place(new.into(), ExactMatches::Extended)
    }

    fn place(&self, new: NewPoints<'_>, exact: ExactMatches) -> Result<Embedding, Error> {
        if let (true, NewPoints::Sparse(_)) = (self.by_distances, new) {
            let (mut all, mut dim) = (Vec::new(), 1);
            new.dense_blocks(|new| {
                let placed = self.place(new.into(), exact)?;
                dim = placed.dim();
                all.extend_from_slice(placed.values());
                Ok(())
            })?;
            return Ok(Embedding::from_rows(all, dim));
        }
        if let [piece] = &self.pieces[..] {
            let own = self.columns(new, piece)?;
            return piece.model.place(own.as_ref().map_or(new, |own| own.view().into()), exact);
        }
        let mut best = vec![(f64::INFINITY, 0); new.len()];
        for (p, (piece, index)) in self.pieces.iter().zip(&self.training).enumerate() {
            let own = self.columns(new, piece)?;
            let nearest = index.nearest(own.as_ref().map_or(new, |own| own.view().into()), 1)?;
            for (best, list) in best.iter_mut().zip(nearest) {
                if list[0].1 < best.0 {
                    *best = (list[0].1, p);
                }
            }
        }
        let dim = self.embedding.dim();
        let mut out = vec![0.0; new.len() * dim];
        for (p, piece) in self.pieces.iter().enumerate() {
            let rows: Vec<u32> = (0..new.len() as u32).filter(|&i| best[i as usize].1 == p).collect();
            if rows.is_empty() {
                continue;
            }
            let placed = match new {
                NewPoints::Dense(new) => {
                    let part = new.select(&rows);
                    let own = self.columns(part.view().into(), piece)?;
                    piece.model.place(own.as_ref().unwrap_or(&part).view().into(), exact)?
                }
                NewPoints::Sparse(new) => piece.model.place(new.select(&rows).view().into(), exact)?,
            };
            if placed.dim() != dim {
                return Err(Error::damaged("a piece has another number of coordinates than the whole"));
            }
            for (at, &row) in placed.rows().zip(&rows) {
                let out = &mut out[row as usize * dim..][..dim];
                out.iter_mut().zip(at.iter().zip(&piece.shift)).for_each(|(o, (y, s))| *o = y + s);
            }
        }
        Ok(Embedding::from_rows(out, dim))
    }

    /// `None` of several pieces: each has a map of its own.
    fn invert(&self, places: Points<'_>) -> Result<Option<Embedding>, Error> {
        match &self.pieces[..] {
            [piece] => piece.model.invert(places),
            _ => Ok(None),
        }
    }
}

impl<M> Pieces<M> {
    /// The distances of new points to the piece's own training points, in a model of
    /// distances that has others as well.
    fn columns(&self, new: NewPoints<'_>, piece: &Piece<M>) -> Result<Option<PointSet>, Error> {
        match new {
            NewPoints::Dense(new) if self.by_distances && piece.rows.len() < self.total => {
                columns_of(new, &piece.rows, self.total).map(Some)
            }
            _ => Ok(None),
        }
    }
}

/// Of the distances of new points to all `total` training points those to the given ones.
pub(crate) fn columns_of(new: Points<'_>, training: &[u32], total: usize) -> Result<PointSet, Error> {
    new.check_columns(total)?;
    let values = new.rows().flat_map(|row| training.iter().map(|&j| row[j as usize])).collect();
    PointSet::new(values, training.len())
}
