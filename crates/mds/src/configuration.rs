//! Coordinates that an iteration has found.

use embedding::{Embedding, Error, Model, Observer, PointSet, Points, Status, Transform};
use faer::{Mat, MatRef};
use serde::{Deserialize, Serialize};
use spectral::{canonical_signs, dense};

use crate::classical::{check_dim, check_width};
use crate::euclidean::euclidean_row;
use crate::majorization::{Majorization, Run, Stop, Targets};
use crate::placement::Placement;
use crate::{Dissimilarities, Start, Stress};

/// The result of iterative scaling of dissimilarities.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Configuration {
    pub(crate) embedding: Embedding,
    pub(crate) stress: Stress,
    pub(crate) history: Vec<f64>,
    pub(crate) status: Status,
    pub(crate) placement: Placement,
}

impl Configuration {
    /// The misfit that was minimized: to the dissimilarities, or to the
    /// disparities where only their order counts; with the method's weights.
    pub fn stress(&self) -> Stress {
        self.stress
    }

    /// The raw stress before each step and at the end; it never rises.
    pub fn history(&self) -> &[f64] {
        &self.history
    }

    /// Why the iteration stopped.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Places new points, given their dissimilarities to the n training points
    /// (m × n), where they fit best while the training points stay; rows in
    /// parallel, each by itself.
    ///
    /// Majorization of the single point's stress, started at the most similar
    /// training point. It ends in a local minimum; a training row comes back
    /// near its place, not exactly to it.
    pub fn place(&self, dissimilarities: MatRef<'_, f64>) -> Result<Mat<f64>, Error> {
        let n = self.embedding.len();
        if dissimilarities.ncols() != n {
            return Err(Error::Shape {
                what: "the number of dissimilarities of each new point",
                expected: format!("{n}, one per training point"),
                got: dissimilarities.ncols().to_string(),
            });
        }
        self.placement.rows(self.embedding.coordinates.as_ref(), dissimilarities.nrows(), |i, row| {
            row.iter_mut().enumerate().for_each(|(j, d)| *d = dissimilarities[(i, j)]);
        })
    }
}

impl Model for Configuration {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

/// Iterative scaling fitted to points: a [`Configuration`] that knows the
/// points and can place new ones.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FittedConfiguration {
    pub(crate) points: PointSet,
    pub(crate) configuration: Configuration,
}

impl FittedConfiguration {
    /// Stress, its history and why the iteration stopped.
    pub fn configuration(&self) -> &Configuration {
        &self.configuration
    }
}

impl Model for FittedConfiguration {
    fn embedding(&self) -> &Embedding {
        &self.configuration.embedding
    }
}

impl Transform for FittedConfiguration {
    /// By Euclidean distances to the training points; see [`Configuration::place`].
    fn transform(&self, new: Points<'_>) -> Result<Mat<f64>, Error> {
        let train = self.points.view();
        check_width(new, train.dim())?;
        let coordinates = self.configuration.embedding.coordinates.as_ref();
        self.configuration.placement.rows(coordinates, new.len(), |i, row| {
            euclidean_row(new.row(i), train.rows(), row);
        })
    }
}

/// What the iterative recipes share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Iterative {
    pub(crate) dim: usize,
    pub(crate) start: Start,
    pub(crate) stop: Stop,
}

impl Iterative {
    pub(crate) fn check(self, n: usize) -> Result<(), Error> {
        check_dim(self.dim, n)?;
        self.start.check()?;
        self.stop.check()
    }

    /// The best of all starts, on its principal axes; stages `"start"`,
    /// `"majorization"`.
    pub(crate) fn best(
        self,
        first: &Dissimilarities,
        weighted: &Dissimilarities,
        targets: &mut dyn Targets,
        observer: &dyn Observer,
    ) -> Result<Run, Error> {
        self.check(first.len())?;
        observer.stage("start");
        embedding::proceed(observer, 0, 1)?;
        let majorization = Majorization::new(weighted)?;
        let starts: Result<Vec<_>, Error> = (0..self.start.runs())
            .map(|run| self.start.coordinates(first, self.dim, run, observer))
            .collect();
        let starts = starts?;
        embedding::proceed(observer, 1, 1)?;
        observer.stage("majorization");
        let total = starts.len() * self.stop.max_iterations;
        let mut best: Option<Run> = None;
        for (number, start) in starts.into_iter().enumerate() {
            let steps = (number * self.stop.max_iterations, total);
            let run = majorization.run(start, targets, self.stop, steps, observer)?;
            let stopped = matches!(run.status, Status::Stopped { .. });
            if best.as_ref().is_none_or(|best| run.history.last() < best.history.last()) {
                best = Some(run);
            }
            if stopped {
                break;
            }
        }
        embedding::proceed(observer, total, total)?;
        let mut run = best.expect("there is at least one start");
        principal_axes(&mut run.x)?;
        Ok(run)
    }
}

/// Moves the mean to the origin and the directions of largest variance to the
/// axes, and makes signs canonical. Distances stay.
fn principal_axes(x: &mut [Vec<f64>]) -> Result<(), Error> {
    let (n, dim) = (x[0].len(), x.len());
    for column in &mut *x {
        let mean = column.iter().sum::<f64>() / n as f64;
        column.iter_mut().for_each(|v| *v -= mean);
    }
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(p, q)| p * q).sum::<f64>();
    let scatter = Mat::from_fn(dim, dim, |a, b| dot(&x[a], &x[b]));
    let (_, axes) = dense::symmetric_eigen(scatter.as_ref())?;
    let mut turned =
        Mat::from_fn(n, dim, |i, j| (0..dim).map(|c| x[c][i] * axes[(c, dim - 1 - j)]).sum::<f64>());
    canonical_signs(turned.as_mut());
    for (j, column) in x.iter_mut().enumerate() {
        column.iter_mut().zip(turned.col(j).iter()).for_each(|(v, t)| *v = *t);
    }
    Ok(())
}

/// Columns as a matrix.
pub(crate) fn matrix_of(x: &[Vec<f64>]) -> Mat<f64> {
    Mat::from_fn(x[0].len(), x.len(), |i, j| x[j][i])
}
