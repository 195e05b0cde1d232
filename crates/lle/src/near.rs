//! The training points near new ones.

use embedding::{Embedding, Error, Points};
use neighbor_graph::{NeighborIndex, Neighborhood};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The training points of a model, and the extension of its coordinates to new points.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "RawNear")]
pub(crate) struct Near {
    index: NeighborIndex,
}

/// A deserialized [`Near`] before validation.
#[derive(Deserialize)]
struct RawNear {
    index: NeighborIndex,
}

impl TryFrom<RawNear> for Near {
    type Error = Error;

    fn try_from(RawNear { index }: RawNear) -> Result<Self, Error> {
        match index.points() {
            Some(_) => Ok(Self { index }),
            None => Err(Error::damaged("a model of local coordinates lacks its training points")),
        }
    }
}

impl Near {
    pub(crate) fn new(points: Points<'_>, neighborhood: Neighborhood) -> Self {
        Self { index: NeighborIndex::new(points, neighborhood) }
    }

    pub(crate) fn points(&self) -> Points<'_> {
        self.index.points().expect("made and read with its points")
    }

    /// Places each row of `new` by itself, in parallel: a row equal to a training
    /// row gets the coordinates of that one (the first of several), for every
    /// other `work(scratch, row, x, near, out)` writes its coordinates to `out`.
    pub(crate) fn place<S>(
        &self,
        new: Points<'_>,
        y: &Embedding,
        scratch: impl Fn() -> S + Sync + Send,
        work: impl Fn(&mut S, usize, &[f64], &[u32], &mut [f64]) -> Result<(), Error> + Sync,
    ) -> Result<Embedding, Error> {
        let lists = self.index.lists(new)?;
        let mut placed = vec![0.0; new.len() * y.dim()];
        let failures: Vec<Error> = placed
            .par_chunks_exact_mut(y.dim())
            .zip(&lists)
            .with_min_len(16)
            .enumerate()
            .map_init(
                || (scratch(), Vec::new()),
                |(memory, near), (row, (out, list))| {
                    let x = new.row(row);
                    let twin = |e: &&(u32, f64)| self.points().row(e.0 as usize) == x;
                    if let Some(&(j, _)) = list.iter().take_while(|e| e.1 == 0.0).find(twin) {
                        out.copy_from_slice(y.row(j as usize));
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
            None => Ok(Embedding::from_rows(placed, y.dim())),
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
