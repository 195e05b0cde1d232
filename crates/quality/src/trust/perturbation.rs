//! The perturbation score.

use embedding::implement::number::{count, counted};
use embedding::{Embedding, Error, Input, PointSet, Points, Rows, TrainingRows, Transform};
use neighbor_graph::{NeighborSearch, Neighbors};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::RowSample;
use crate::map_rows::map_rows;
use crate::trust::directions::{Directions, Length, distance, principal};

/// Numbers of moved rows that are held at a time, 256 MB.
const BLOCK: usize = 1 << 25;

/// The perturbation score of a map: how far points jump when their data change a little.
///
/// *Idea.* A map is torn where two rows that are close to each other lie far apart. Each row is moved a
/// little in the data and placed in the map without itself; a row at a tear, or between clusters that
/// the map separates, jumps.
///
/// *Definition.* x′ = x_i + ℓ e for several directions e, and y′ the place of x′ by a model without row i
/// ([`TrainingRows::LeftOut`]). The score of i is max |y_i − y′| / u over the directions, with u the
/// median distance of the places to their k-th neighbor in the map. By default ℓ is the Euclidean
/// distance of the row to its own k-th neighbor, and the directions lead to its neighbors of rank ⌈k/2⌉
/// to k. [`Perturbation::published`] is the definition of the paper, in units of the data and of the map.
///
/// *Values.* Swiss roll, 1,000 rows, k = 10: Isomap has the median 1.2 and the largest score 3.7, LTSA 2.0
/// and 4.2, LLE 1.6 and 5.7. UMAP tears this roll, and its largest score is 25.
///
/// *What it does not say.* It finds discontinuities. It says nothing about distances between clusters,
/// and a linear map has none: there it is large for points far from their neighbors.
///
/// *Cost.* One placement for each scored row and direction, and a search of neighbors in data and map. The
/// search has the observer and the memory limit of the input.
///
/// *Reference.* Liu, Ma and Zhong, Assessing and improving reliability of neighbor embedding methods: a
/// map-continuity perspective, Nature Communications 16:5037 (2025), doi:10.1038/s41467-025-60434-9.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Perturbation {
    /// Number of neighbors k in data and map, 1 to n − 1; default 10.
    pub k: usize,
    /// In which directions rows are moved; default to the neighbors.
    pub directions: Directions,
    /// How far; default one distance to the own k-th neighbor.
    pub length: Length,
    /// Whether scores are divided by the distance of neighbors in the map; default true.
    pub in_neighbor_distances: bool,
    /// The rows that are scored, of those in the map; default all.
    pub rows: RowSample,
}

impl Default for Perturbation {
    fn default() -> Self {
        Self {
            k: 10,
            directions: Directions::Neighbors,
            length: Length::NeighborDistances(1.0),
            in_neighbor_distances: true,
            rows: RowSample::All,
        }
    }
}

impl Perturbation {
    /// Scores above it, in distances of neighbors in the map, mark points that jump.
    pub const JUMP: f64 = 8.0;

    /// The definition of the paper: the first three principal directions of the data forth and back, a
    /// length in units of the data (1 in its implementation), scores in units of the map.
    pub fn published(length: f64) -> Self {
        Self {
            directions: Directions::Global { count: 3 },
            length: Length::Absolute(length),
            in_neighbor_distances: false,
            ..Self::default()
        }
    }

    /// The scores of the rows of a map, which `model` made of the points of `input`.
    ///
    /// Fails as the placement of new rows does, and
    ///
    /// - with [`Error::Parameter`] where k is not between 1 and the number of points of the map less one, the
    ///   length is not positive, or no row is sampled;
    /// - with [`Error::Shape`] unless the points have a row for every row of the map;
    /// - with [`Error::Degenerate`] where more than half of the places coincide with k others.
    pub fn scores(
        &self,
        model: &dyn Transform,
        map: &Embedding,
        input: &Input<'_>,
    ) -> Result<PerturbationScores, Error> {
        self.length.check()?;
        self.rows.check()?;
        if input.metric().is_mixed() {
            return Err(Error::degenerate(
                format!(
                    "perturbation scores move rows, but rows compared by {} have no coordinates",
                    input.metric()
                ),
                "fit a model of numbers by another metric",
            ));
        }
        let (placed, data) = map_rows(map, input)?;
        let most = placed.len().saturating_sub(1);
        if !(1..=most).contains(&self.k) {
            let requirement = format!("1 to {most}, below the number of points of the map");
            return Err(Error::parameter("k", requirement, self.k));
        }
        let unit = self.unit(map)?;
        let searched = Input::from(&data).with_metric(input.metric()).with_observer(input.observer());
        let searched = searched.with_memory_limit(input.memory_limit());
        let neighbors = NeighborSearch::nearest(self.k).find(searched)?;
        let all = match self.directions {
            Directions::Global { count } => principal(data.view(), count)?,
            Directions::Neighbors | Directions::Local { .. } => Vec::new(),
        };
        let rows = self.rows.choose(placed.len());
        let moved = Moved { recipe: self, data: data.view(), neighbors: &neighbors, all: &all };
        let per_row = data.dim() * 2 * self.k.max(3);
        let (mut values, mut places) = (Vec::with_capacity(rows.len()), Vec::new());
        for block in rows.chunks((BLOCK / per_row).max(1)) {
            for (value, place) in moved.farthest(block, &placed, model, map)? {
                values.push(value);
                places.extend(place);
            }
        }
        if self.in_neighbor_distances {
            values.iter_mut().for_each(|value| *value /= unit);
        }
        let rows = rows.iter().map(|row| placed[*row as usize]).collect();
        Ok(PerturbationScores { rows, values, places, dim: map.dim(), unit, of: placed.len() })
    }

    /// The median distance of the places to their k-th neighbor in the map.
    fn unit(&self, map: &Embedding) -> Result<f64, Error> {
        let map = PointSet::new(map.values().to_vec(), map.dim())?;
        let neighbors = NeighborSearch::nearest(self.k).find(&map)?;
        let last = |i: usize| neighbors.distances_of(i).last().copied().unwrap_or(0.0);
        let mut lengths: Vec<f64> = (0..map.len()).map(last).collect();
        lengths.sort_unstable_by(f64::total_cmp);
        match lengths[lengths.len() / 2] {
            unit if unit > 0.0 => Ok(unit),
            _ => Err(Error::degenerate(
                format!(
                    "half of the points of the map coincide with their {} nearest, so that the map has no \
                     distance of neighbors",
                    self.k
                ),
                "use a larger k, or fit without copies of rows",
            )),
        }
    }
}

/// Rows of data that are moved.
struct Moved<'a> {
    recipe: &'a Perturbation,
    data: Points<'a>,
    neighbors: &'a Neighbors,
    /// Unit vectors for all rows, where the directions are the same.
    all: &'a [f64],
}

impl Moved<'_> {
    /// The largest distance of each row of a block from its places after a move, and the place at this distance.
    fn farthest(
        &self,
        block: &[u32],
        placed: &[u32],
        model: &dyn Transform,
        map: &Embedding,
    ) -> Result<Vec<(f64, Vec<f64>)>, Error> {
        let moved: Vec<Vec<f64>> =
            block.par_iter().map(|row| self.of(*row as usize)).collect::<Result<_, Error>>()?;
        let dim = self.data.dim();
        let counts: Vec<usize> = moved.iter().map(|rows| rows.len() / dim).collect();
        let left_out: Vec<Option<u32>> = block
            .iter()
            .zip(&counts)
            .flat_map(|(row, count)| std::iter::repeat_n(Some(placed[*row as usize]), *count))
            .collect();
        let moved = PointSet::new(moved.concat(), dim).map_err(|_| {
            Error::degenerate("moved rows leave the range of numbers", "divide the data by a power of two")
        })?;
        let places = model.place(Rows::from(moved.view()), TrainingRows::LeftOut(&left_out))?;
        let mut places = places.rows();
        let farthest = |(row, count): (&u32, &usize)| {
            let own = map.row(*row as usize);
            let places = places.by_ref().take(*count).map(|place| (distance(own, place), place));
            let (far, place) =
                places.fold((0.0, own), |best, next| if next.0 > best.0 { next } else { best });
            (far, place.to_vec())
        };
        Ok(block.iter().zip(&counts).map(farthest).collect())
    }

    /// The places in the data to which a row is moved; the row itself where it has no direction.
    fn of(&self, row: usize) -> Result<Vec<f64>, Error> {
        let x = self.data.row(row);
        let near = self.neighbors.indices_of(row);
        let last = near.last().map_or(0.0, |j| distance(x, self.data.row(*j as usize)));
        let length = self.recipe.length.of(last);
        let along = |units: &[f64]| -> Vec<f64> {
            units.iter().enumerate().map(|(at, unit)| x[at % x.len()] + length * unit).collect()
        };
        let moved = match self.recipe.directions {
            Directions::Global { .. } => along(self.all),
            Directions::Local { count } => {
                let rows: Vec<u32> = near.iter().copied().chain([row as u32]).collect();
                along(&principal(self.data.select(&rows).view(), count)?)
            }
            Directions::Neighbors => {
                let from = self.recipe.k.div_ceil(2) - 1;
                let mut moved = Vec::new();
                for &j in near.iter().skip(from) {
                    let other = self.data.row(j as usize);
                    let part = length / distance(x, other);
                    if part.is_finite() {
                        moved.extend(x.iter().zip(other).map(|(x, o)| x + part * (o - x)));
                    }
                }
                moved
            }
        };
        Ok(if moved.is_empty() { x.to_vec() } else { moved })
    }
}

/// The perturbation scores of the rows of a map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PerturbationScores {
    rows: Vec<u32>,
    values: Vec<f64>,
    places: Vec<f64>,
    dim: usize,
    unit: f64,
    of: usize,
}

impl PerturbationScores {
    /// The scored rows of the input, ascending.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The score of each of these rows, at least 0.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Where a scored row jumps: of its places after the moves, the place farthest from its own, d numbers.
    ///
    /// # Panics
    /// If there is no such score.
    pub fn place(&self, score: usize) -> &[f64] {
        &self.places[score * self.dim..][..self.dim]
    }

    /// What scores in distances of neighbors say of the map, in a sentence.
    pub fn caution(&self) -> String {
        let jump = Perturbation::JUMP;
        let [one, many] =
            if self.values.len() < self.of { ["scored point", "scored points"] } else { ["point", "points"] };
        let (verb, these) = match self.jumps().len() {
            0 => {
                return format!(
                    "No {one} jumps by more than {jump} distances of neighbors when its data change a little: no \
                     tear was found."
                );
            }
            1 => ("jumps", "its place and the gap next to it"),
            _ => ("jump", "their places and the gaps next to them"),
        };
        format!(
            "Be careful with {} of {}, which {verb} by more than {jump} distances of neighbors when the data change \
             a little: {these} may come from the method.",
            count(self.jumps().len()),
            counted(self.values.len(), one, many),
        )
    }

    /// The median distance of the places to their k-th neighbor in the map.
    pub fn unit(&self) -> f64 {
        self.unit
    }

    /// The number of points of the map: larger than the number of scores where these are a sample.
    pub fn population(&self) -> usize {
        self.of
    }

    /// The score below which a fraction of the scores lies, 0 to 1; NaN fractions count as 0.
    pub fn quantile(&self, fraction: f64) -> f64 {
        let mut sorted = self.values.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let at = (fraction.clamp(0.0, 1.0) * (sorted.len() - 1) as f64).round() as usize;
        sorted[at]
    }

    /// The rows with a score above [`Perturbation::JUMP`], the largest score first.
    pub fn jumps(&self) -> Vec<u32> {
        let mut jumps: Vec<(f64, u32)> = self
            .values
            .iter()
            .copied()
            .zip(self.rows.iter().copied())
            .filter(|(v, _)| *v > Perturbation::JUMP)
            .collect();
        jumps.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        jumps.into_iter().map(|(_, row)| row).collect()
    }
}
