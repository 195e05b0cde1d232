//! The training points near new ones.

use embedding::{Error, Points};
use faer::{Mat, MatRef};
use neighbor_graph::{NeighborIndex, Neighborhood};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The training points, and which of them count as near.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Near {
    index: NeighborIndex,
    neighborhood: Neighborhood,
}

impl Near {
    pub(crate) fn new(points: Points<'_>, neighborhood: Neighborhood) -> Self {
        Self { index: NeighborIndex::new(points), neighborhood }
    }

    /// Places each row of `new` by itself, in parallel: a row equal to a training
    /// row gets the coordinates of that one (the first of several), for every
    /// other `work(scratch, row, x, near, out)` writes its coordinates to `out`.
    pub(crate) fn place<S>(
        &self,
        new: Points<'_>,
        y: MatRef<'_, f64>,
        scratch: impl Fn() -> S + Sync + Send,
        work: impl Fn(&mut S, usize, &[f64], &[u32], &mut [f64]) -> Result<(), Error> + Sync,
    ) -> Result<Mat<f64>, Error> {
        let lists = self.lists(new)?;
        let mut placed = vec![0.0; new.len() * y.ncols()];
        let failures: Vec<Error> = placed
            .par_chunks_exact_mut(y.ncols())
            .zip(&lists)
            .with_min_len(16)
            .enumerate()
            .map_init(
                || (scratch(), Vec::new()),
                |(memory, near), (row, (out, list))| {
                    let x = new.row(row);
                    let twin = |e: &&(u32, f64)| self.points().row(e.0 as usize) == x;
                    if let Some(&(j, _)) = list.iter().take_while(|e| e.1 == 0.0).find(twin) {
                        out.iter_mut().zip(y.row(j as usize).iter()).for_each(|(o, v)| *o = *v);
                        return None;
                    }
                    near.clear();
                    near.extend(list.iter().map(|e| e.0));
                    let placed = work(memory, row, x, near, out);
                    placed.and_then(|()| require_finite(row, out)).err()
                },
            )
            .collect::<Vec<Option<Error>>>()
            .into_iter()
            .flatten()
            .collect();
        match failures.into_iter().next() {
            Some(error) => Err(error),
            None => Ok(MatRef::from_row_major_slice(&placed, new.len(), y.ncols()).to_owned()),
        }
    }

    pub(crate) fn points(&self) -> Points<'_> {
        self.index.points()
    }

    fn lists(&self, new: Points<'_>) -> Result<Vec<Vec<(u32, f64)>>, Error> {
        match self.neighborhood {
            Neighborhood::Nearest { k } => self.index.nearest(new, k.min(self.points().len())),
            Neighborhood::Within { radius } => {
                let near = self.index.within(new, radius)?;
                match near.iter().position(Vec::is_empty) {
                    None => Ok(near),
                    Some(row) => Err(Error::degenerate(
                        format!("no training point lies within {radius} of new point {row}"),
                        "fit with nearest neighbors, or with a larger radius",
                    )),
                }
            }
        }
    }
}

fn require_finite(row: usize, y: &[f64]) -> Result<(), Error> {
    if y.iter().all(|v| v.is_finite()) {
        return Ok(());
    }
    Err(Error::degenerate(
        format!("new point {row} lies too far from the training points for floating point"),
        "check the scale of the new points",
    ))
}
