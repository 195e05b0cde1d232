//! A fitted map.

use embedding::implement::{Fact, Validate, require, require_finite};
use embedding::{Embedding, Error, Fitted, Model, PointSet, Rows, TrainingRows, Transform};
use mds::Configuration;
use neighbor_graph::NeighborIndex;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::kernel::{Kernel, bandwidth};

/// A fitted map of one connected graph.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FittedPhate {
    /// The configuration of the points, or of the landmarks.
    pub(crate) configuration: Configuration,
    pub(crate) landmarks: Option<LandmarkModel>,
    pub(crate) training: NeighborIndex,
    pub(crate) kernel: Kernel,
    pub(crate) time: usize,
    pub(crate) entropies: Vec<f64>,
    pub(crate) affinities: usize,
}

/// Landmarks with the points nearest to each of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LandmarkModel {
    /// The rows of the landmarks, increasing.
    pub(crate) rows: Vec<u32>,
    /// The landmark of each point, by its position in `rows`.
    pub(crate) of: Vec<u32>,
    /// Coordinates of all points.
    pub(crate) embedding: Embedding,
}

impl FittedPhate {
    /// The number of steps of the diffusion, t.
    pub fn time(&self) -> usize {
        self.time
    }

    /// The von Neumann entropy after 1, 2, … 100 steps, in nats; empty where the time was
    /// given.
    pub fn entropies(&self) -> &[f64] {
        &self.entropies
    }

    /// The scaling of the potential distances, with stress and status: of the landmarks, or of the points if
    /// there are no landmarks.
    pub fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// The rows of the landmarks, increasing; `None` where every point was scaled.
    pub fn landmarks(&self) -> Option<&[u32]> {
        self.landmarks.as_ref().map(|cells| &cells.rows[..])
    }

    /// The coordinates with which training point `j` contributes to the positions of others.
    fn anchor(&self, j: u32) -> &[f64] {
        let at = self.landmarks.as_ref().map_or(j, |cells| cells.of[j as usize]);
        self.configuration.embedding().row(at as usize)
    }

    /// The bandwidth of a new point with these training points, nearest first.
    fn bandwidth(&self, list: &[(u32, f64)]) -> f64 {
        bandwidth(&list.iter().map(|entry| entry.1).collect::<Vec<_>>(), self.training.neighborhood().k())
    }

    /// The distance within which training points contribute to a new point; 0 where it takes the coordinates
    /// of an equal point.
    fn reach(&self, list: &[(u32, f64)], known: TrainingRows<'_>) -> f64 {
        let stored = list[0].1 == 0.0 && known == TrainingRows::Stored;
        if stored { 0.0 } else { self.kernel.reach(self.bandwidth(list)) }
    }

    /// The mean of the anchors within reach, weighted by the kernel.
    fn interpolate(&self, list: &[(u32, f64)]) -> Vec<f64> {
        let bandwidth = self.bandwidth(list);
        let mut position = vec![0.0; self.embedding().dim()];
        let mut total = 0.0;
        for &(j, d) in list {
            let weight = self.kernel.of(d, bandwidth);
            total += weight;
            position.iter_mut().zip(self.anchor(j)).for_each(|(y, anchor)| *y += weight * anchor);
        }
        position.iter_mut().for_each(|y| *y /= total);
        position
    }
}

impl Model for FittedPhate {
    fn embedding(&self) -> &Embedding {
        self.landmarks.as_ref().map_or(self.configuration.embedding(), |cells| &cells.embedding)
    }
}

impl Transform for FittedPhate {
    /// The mean of the positions of training points (or of their landmarks), weighted by the
    /// kernel, whose bandwidth is the distance to the k-th nearest of them. A row that
    /// equals a training row takes its coordinates.
    fn place(&self, new: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        known.check(new.len())?;
        let lists = match self.training.neighborhood().k() {
            Some(_) => {
                let nearest = self.training.lists_of(new, known)?;
                let reaches: Vec<f64> = nearest.iter().map(|list| self.reach(list, known)).collect();
                self.training.within_of(new, &reaches, known)?
            }
            None => self.training.lists_of(new, known)?,
        };
        let rows: Vec<Vec<f64>> = lists
            .par_iter()
            .map(|list| match list[0] {
                (nearest, 0.0) if known == TrainingRows::Stored => {
                    self.embedding().row(nearest as usize).to_vec()
                }
                _ => self.interpolate(list),
            })
            .collect();
        // Caused by positions of a damaged model, or by a quotient of infinite distances.
        if let Some(row) = rows.iter().position(|row| row.iter().any(|y| !y.is_finite())) {
            return Err(Error::degenerate(
                format!("the place of new point {row} exceeds the range of numbers"),
                "check the scale of the new points, and where the model comes from",
            ));
        }
        Ok(Embedding::from_rows(rows.concat(), self.embedding().dim()))
    }
}

impl Fitted for FittedPhate {
    fn training_points(&self) -> Result<Option<PointSet>, Error> {
        Ok(self.training.points().map(|points| points.to_owned()))
    }

    fn facts() -> Vec<Fact<Self>> {
        let mut facts = vec![
            Fact::new("time", "number of steps of the diffusion, t", |m: &Self| m.time),
            Fact::optional(
                "entropies",
                "von Neumann entropy after 1, 2, ... steps, in nats; the time is at its knee",
                |m: &Self| (!m.entropies.is_empty()).then(|| m.entropies.clone()),
            ),
            Fact::new("affinities", "number of nonzero affinities of the kernel", |m: &Self| m.affinities),
            Fact::optional("landmarks", "the rows of the landmarks, where there are some", |m: &Self| {
                m.landmarks().map(<[u32]>::to_vec)
            }),
        ];
        facts.extend(Configuration::facts_of(|m: &Self| Some(&m.configuration)));
        facts
    }

    fn notes(&self) -> Vec<String> {
        let Some(cells) = &self.landmarks else { return Vec::new() };
        let (n, m) = (cells.of.len(), cells.rows.len());
        vec![format!("{m} landmarks of {n} points were scaled; the others are interpolated")]
    }
}

impl Validate for FittedPhate {
    fn validate(&self) -> Result<(), Error> {
        self.configuration.validate()?;
        self.training.validate()?;
        self.kernel.validate()?;
        require_finite(&self.entropies, "an entropy")?;
        let (n, own) = (self.embedding().len(), self.configuration.embedding());
        require(self.training.len() == n, "it does not have a training point for every row")?;
        let Some(LandmarkModel { rows, of, embedding }) = &self.landmarks else { return Ok(()) };
        let ascending = rows.is_sorted_by(|a, b| a < b) && rows.last().is_some_and(|&row| (row as usize) < n);
        require(ascending && rows.len() == own.len(), "its landmarks are not rows of its points")?;
        let partition = of.len() == n && of.iter().all(|&cell| (cell as usize) < rows.len());
        require(partition && embedding.dim() == own.dim(), "its points do not belong to its landmarks")
    }
}
