//! Placement of new points by a fit of several components.

use embedding::{Embedding, Error, LinearMap, NewNeighbors, PointSet, Points, Rows, TrainingRows, Transform};

use crate::NeighborIndex;
use crate::components::component_fits::ComponentFits;

impl<M: Transform> Transform for ComponentFits<M> {
    /// A new point belongs to the component of its nearest training point.
    fn place(&self, new: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        known.check(new.len())?;
        let parts = self.parts();
        let left_out = match known {
            TrainingRows::LeftOut(rows) => Some(parts.of_components(rows, &self.copies)),
            TrainingRows::Stored | TrainingRows::Extended => None,
        };
        parts.place(new, left_out.as_deref().map_or(Known::All(known), Known::LeftOut))
    }

    /// A new point belongs to the component of the nearest point of its list.
    fn place_listed(&self, new: &NewNeighbors, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        known.check(new.len())?;
        new.check_training(self.total)?;
        let parts = self.parts();
        let left_out = match known {
            TrainingRows::LeftOut(rows) => Some(parts.of_components(rows, &self.copies)),
            TrainingRows::Stored | TrainingRows::Extended => None,
        };
        parts.place_listed(new, left_out.as_deref().map_or(Known::All(known), Known::LeftOut))
    }

    fn lists_among(&self) -> Option<usize> {
        self.fits.iter().all(|fit| fit.model.lists_among().is_some()).then_some(self.total)
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

impl<M: Transform> ComponentFits<M> {
    fn parts(&self) -> Parts<'_> {
        let parts =
            self.fits.iter().map(|fit| Part { rows: &fit.rows, shift: &fit.shift, model: &fit.model });
        Parts {
            parts: parts.collect(),
            training: &self.training,
            dim: self.embedding.dim(),
            total: self.total,
            by_distances: self.by_distances,
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

/// The treatment of training rows by all components.
#[derive(Clone, Copy)]
enum Known<'a> {
    /// The same for every component.
    All(TrainingRows<'a>),
    /// For each new row the component and the number there of the training row that is left out.
    LeftOut(&'a [Option<(usize, u32)>]),
}

impl Known<'_> {
    /// What `then` returns for the new rows `rows` in component `part`.
    fn of_part<T>(self, part: usize, rows: &[u32], then: impl FnOnce(TrainingRows<'_>) -> T) -> T {
        match self {
            Self::All(known) => then(known),
            Self::LeftOut(of) => {
                let own = |row: &u32| of[*row as usize].filter(|at| at.0 == part).map(|at| at.1);
                then(TrainingRows::LeftOut(&rows.iter().map(own).collect::<Vec<_>>()))
            }
        }
    }
}

impl Parts<'_> {
    /// The component of each input row that is left out, and its number there; `None` for a row that
    /// no component contains or that has merged copies, which stay.
    fn of_components(&self, left_out: &[Option<u32>], copies: &[u32]) -> Vec<Option<(usize, u32)>> {
        let mut contained: Vec<(u32, usize, u32)> = Vec::new();
        for (p, part) in self.parts.iter().enumerate() {
            contained.extend(part.rows.iter().zip(0..).map(|(row, own)| (*row, p, own)));
        }
        contained.sort_unstable();
        let mut count = vec![0_usize; contained.len()];
        copies.iter().for_each(|&at| count[at as usize] += 1);
        let find = |row: &Option<u32>| {
            let at = contained.binary_search_by_key(&(*row)?, |entry| entry.0).ok()?;
            (count[at] <= 1).then_some((contained[at].1, contained[at].2))
        };
        left_out.iter().map(find).collect()
    }

    fn place(&self, new: Rows<'_>, known: Known<'_>) -> Result<Embedding, Error> {
        if let (true, Rows::Sparse(_)) = (self.by_distances, new) {
            let mut start = 0;
            return new.place_dense(TrainingRows::Extended, |new, _| {
                let known = match known {
                    Known::All(_) => known,
                    Known::LeftOut(of) => Known::LeftOut(&of[start..start + new.len()]),
                };
                start += new.len();
                self.place(new.into(), known)
            });
        }
        let all: Vec<u32> = (0..new.len() as u32).collect();
        if let [part] = &self.parts[..] {
            let own = self.columns(new, part)?;
            let new = own.as_ref().map_or(new, |own| own.view().into());
            return known.of_part(0, &all, |known| part.model.place(new, known));
        }
        let mut best = vec![(f64::INFINITY, 0); new.len()];
        for (p, (part, index)) in self.parts.iter().zip(self.training).enumerate() {
            let own = self.columns(new, part)?;
            let own = own.as_ref().map_or(new, |own| own.view().into());
            let nearest = known.of_part(p, &all, |known| index.nearest_of(own, 1, known))?;
            for (best, list) in best.iter_mut().zip(nearest) {
                if let Some(&(_, distance)) = list.first().filter(|entry| entry.1 < best.0) {
                    *best = (distance, p);
                }
            }
        }
        let mut out = vec![0.0; new.len() * self.dim];
        for (p, part) in self.parts.iter().enumerate() {
            let rows: Vec<u32> = (0..new.len() as u32).filter(|&i| best[i as usize].1 == p).collect();
            if rows.is_empty() {
                continue;
            }
            let placed = known.of_part(p, &rows, |known| match new {
                Rows::Dense(new) => {
                    let new = new.select(&rows);
                    let own = self.columns(new.view().into(), part)?;
                    part.model.place(own.as_ref().unwrap_or(&new).view().into(), known)
                }
                Rows::Sparse(new) => part.model.place(new.select(&rows).view().into(), known),
            })?;
            self.put(&mut out, &rows, (part, &placed))?;
        }
        Ok(Embedding::from_rows(out, self.dim))
    }

    /// The same by neighbor lists.
    fn place_listed(&self, new: &NewNeighbors, known: Known<'_>) -> Result<Embedding, Error> {
        // The component of each training point, and its number there.
        let mut component = vec![None; self.total];
        for (p, part) in self.parts.iter().enumerate() {
            part.rows.iter().zip(0..).for_each(|(&row, own)| component[row as usize] = Some((p, own)));
        }
        let nearest = |(i, list): (usize, &Vec<(u32, f64)>)| {
            let left_out = if let Known::LeftOut(of) = known { of[i] } else { None };
            let mut places = list.iter().filter_map(|entry| component[entry.0 as usize]);
            places.find(|place| Some(*place) != left_out).map_or(0, |place| place.0)
        };
        let own: Vec<usize> = new.lists().iter().enumerate().map(nearest).collect();
        let mut out = vec![0.0; new.len() * self.dim];
        for (p, part) in self.parts.iter().enumerate() {
            let rows: Vec<u32> = (0..new.len() as u32).filter(|&i| own[i as usize] == p).collect();
            if rows.is_empty() {
                continue;
            }
            let lists = new.restricted(&rows, part.rows)?;
            let placed = known.of_part(p, &rows, |known| part.model.place_listed(&lists, known))?;
            self.put(&mut out, &rows, (part, &placed))?;
        }
        Ok(Embedding::from_rows(out, self.dim))
    }

    /// Writes the places of some new rows in a component into the places of all.
    fn put(
        &self,
        out: &mut [f64],
        rows: &[u32],
        (part, placed): (&Part<'_>, &Embedding),
    ) -> Result<(), Error> {
        if placed.dim() != self.dim {
            return Err(Error::damaged("a piece has another number of coordinates than the whole"));
        }
        for (at, &row) in placed.rows().zip(rows) {
            let out = &mut out[row as usize * self.dim..][..self.dim];
            out.iter_mut().zip(at.iter().zip(part.shift)).for_each(|(o, (y, s))| *o = y + s);
        }
        Ok(())
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
