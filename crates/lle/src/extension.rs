//! New points by the weights that rebuild them.

use embedding::{Error, Points};
use faer::{Mat, MatRef};
use neighbor_graph::{NeighborIndex, Neighborhood};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::barycenter::Barycenter;
use crate::weights::singular;

/// Where the training points are, and how a new one is rebuilt from them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Extension {
    index: NeighborIndex,
    neighborhood: Neighborhood,
    regularization: f64,
}

impl Extension {
    pub(crate) fn new(points: Points<'_>, neighborhood: Neighborhood, regularization: f64) -> Self {
        Self { index: NeighborIndex::new(points), neighborhood, regularization }
    }

    /// y = Σⱼ wⱼ yⱼ with the barycentric weights of each new point among its
    /// nearest training points. A point equal to a training row takes the
    /// coordinates of that row (the first of several equal ones).
    pub(crate) fn place(&self, new: Points<'_>, coordinates: MatRef<'_, f64>) -> Result<Mat<f64>, Error> {
        let near = self.near(new)?;
        let placed: Vec<Vec<f64>> = near
            .par_iter()
            .with_min_len(16)
            .enumerate()
            .map_init(Barycenter::default, |barycenter, (i, list)| {
                self.place_one(barycenter, i, new.row(i), list, coordinates)
            })
            .collect::<Vec<Result<_, Error>>>()
            .into_iter()
            .collect::<Result<_, Error>>()?;
        Ok(Mat::from_fn(new.len(), coordinates.ncols(), |i, j| placed[i][j]))
    }

    fn place_one(
        &self,
        barycenter: &mut Barycenter,
        row: usize,
        x: &[f64],
        near: &[(u32, f64)],
        y: MatRef<'_, f64>,
    ) -> Result<Vec<f64>, Error> {
        let train = self.index.points();
        let twin = near.iter().take_while(|e| e.1 == 0.0).find(|e| train.row(e.0 as usize) == x);
        if let Some(&(j, _)) = twin {
            return Ok(y.row(j as usize).iter().copied().collect());
        }
        let mut w = vec![0.0; near.len()];
        barycenter
            .solve(train, near.iter().map(|e| e.0), x, self.regularization, &mut w)
            .ok_or_else(|| singular(format!("new point {row}"), self.regularization))?;
        Ok((0..y.ncols()).map(|c| w.iter().zip(near).map(|(w, e)| w * y[(e.0 as usize, c)]).sum()).collect())
    }

    fn near(&self, new: Points<'_>) -> Result<Vec<Vec<(u32, f64)>>, Error> {
        match self.neighborhood {
            Neighborhood::Nearest { k } => self.index.nearest(new, k.min(self.index.points().len())),
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
