//! The stability of maps over draws of the data.

use embedding::{DynMethod, Error, Input, PointSet, Points};
use neighbor_graph::{NeighborSearch, Neighbors};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::RowSample;
use crate::trust::directions::distance;
use crate::trust::fit_rows::fit_rows;

/// The stability of the maps of a method: how little the map distances of neighbors in the data vary when
/// the method is fitted to other draws of the same data.
///
/// *Idea.* A gap, a fold or an island that belongs to the data appears in the map of every part of the
/// data. Structure that a draw of the rows creates or removes belongs to the draw.
///
/// *Definition.* Maps b = 1, …, B of draws of ⌊f n⌋ rows without replacement. A bootstrap with copies
/// would change the neighbor graph. d_ij is the map distance of point i to one of its k neighbors in the
/// data, divided by the median of these distances in the same map: rotation, reflection and scale of a map
/// do not count, and no alignment is needed. With mean and unbiased variance over the maps that contain
/// both points, and means over the neighbors j that share at least two maps with i,
///
/// variance_i = mean_j Var_b(d_ij) / (mean_j mean_b d_ij)², stability_i = 1 / (1 + variance_i).
///
/// The stability of the map is the mean over its points, which a few torn points lower by no more than
/// their fraction. The division by the distance keeps the rim of an intact sheet, where distances are long,
/// from looking unstable.
///
/// *What it does not say.* A map that tears the data at the same place every time is stable: the
/// [`Perturbation`](crate::trust::Perturbation) score finds such tears.
///
/// *Cost.* B fits of ⌊f n⌋ rows, one after the other, and O(B n k d). The result does not depend on the
/// number of threads.
///
/// *Reference.* Sun, Ma and Zou, Dynamic visualization of high-dimensional data, Nature Computational
/// Science 3 (2023), 86–100, doi:10.1038/s43588-022-00380-4, with two differences: draws without
/// replacement, and the division by the distance of each point instead of the mean of all.
///
/// ```
/// use neighbor_graph::NeighborSearch;
/// use quality::trust::{Draw, Stability};
/// let line = embedding::PointSet::new((0..12).map(f64::from).collect(), 1)?;
/// let doubled = embedding::PointSet::new((0..12).map(|i| -2.0 * f64::from(i)).collect(), 1)?;
/// let neighbors = NeighborSearch::nearest(3).find(&line)?;
/// let rows: Vec<u32> = (0..12).collect();
/// let draws = [Draw { rows: &rows, map: line.view() }, Draw { rows: &rows, map: doubled.view() }];
/// assert_eq!(Stability::of_maps(&draws, &neighbors)?.stability(), 1.0);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stability {
    /// Number of neighbors k of each point in the data, 1 to n − 1; default 20.
    pub k: usize,
    /// Number of maps B, at least 2; default 10.
    pub draws: usize,
    /// Fraction f of the rows in each draw, above 0 and at most 1; default 0.8. The draws of fraction 1 are
    /// all rows.
    pub fraction: f64,
    /// Seed of the draws; default 0.
    pub seed: u64,
}

impl Default for Stability {
    fn default() -> Self {
        Self { k: 20, draws: 10, fraction: 0.8, seed: 0 }
    }
}

/// The map of some rows of the data.
#[derive(Clone, Copy, Debug)]
pub struct Draw<'a> {
    /// The row of the data of each place, each row at most once.
    pub rows: &'a [u32],
    /// The places.
    pub map: Points<'a>,
}

impl Stability {
    /// The stability of given maps, with the neighbor lists of all rows of the data.
    ///
    /// Fails
    ///
    /// - with [`Error::Parameter`] for fewer than two maps;
    /// - with [`Error::Shape`] where a map does not have a place per row of its draw, or a row is not one of
    ///   the data or is drawn twice;
    /// - with [`Error::Degenerate`] where half of the neighbors coincide in a map, or no two maps share a
    ///   pair of neighbors.
    pub fn of_maps(draws: &[Draw<'_>], neighbors: &Neighbors) -> Result<StabilityScores, Error> {
        check_draws(draws.len())?;
        let n = neighbors.len();
        let maps: Vec<Placed<'_>> =
            draws.iter().map(|draw| Placed::of(draw, neighbors)).collect::<Result<_, Error>>()?;
        let variance = |i: usize| variance(i, neighbors.indices_of(i), &maps);
        let variances: Vec<Option<f64>> = (0..n).into_par_iter().map(variance).collect();
        if variances.iter().all(Option::is_none) {
            return Err(Error::degenerate(
                "no two of the maps have the same pair of neighbors",
                "draw a larger fraction of the rows, or more often",
            ));
        }
        Ok(StabilityScores { variances })
    }

    /// The stability over draws of the rows: the method is fitted to each draw with the same parameters.
    /// The input has points, dense or sparse, and may have a metric, labels, an observer and a memory limit.
    ///
    /// Fails as the fits, as [`Stability::of_maps`], with [`Error::Degenerate`] for an input without
    /// points, and with [`Error::Parameter`] where a setting is outside of its range.
    pub fn over_draws(&self, method: &dyn DynMethod, input: &Input<'_>) -> Result<StabilityScores, Error> {
        self.check(input)?;
        let neighbors = self.neighbors(input)?;
        let n = input.len();
        let count = ((self.fraction * n as f64).floor() as usize).max(1);
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let mut maps = Vec::with_capacity(self.draws);
        for _ in 0..self.draws {
            let rows = RowSample::Sample { count, seed: random.next_u64() }.choose(n);
            maps.push(refit(method, input, rows)?);
        }
        Self::of_fits(&maps, &neighbors)
    }

    /// The stability over seeds alone: the method is fitted to all rows with [`Stability::draws`] seeds.
    /// `None` for a method without a parameter `seed`, which has the same map every time.
    ///
    /// Fails as [`Stability::over_draws`].
    pub fn over_seeds(
        &self,
        method: &dyn DynMethod,
        input: &Input<'_>,
    ) -> Result<Option<StabilityScores>, Error> {
        self.check(input)?;
        if method.parameters().iter().all(|parameter| parameter.name != SEED) {
            return Ok(None);
        }
        let neighbors = self.neighbors(input)?;
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let mut maps = Vec::with_capacity(self.draws);
        for _ in 0..self.draws {
            let mut method = method.boxed();
            method.set_dyn(SEED, &random.random_range(0..u32::MAX).to_string())?;
            let fitted = method.fit_dyn(input)?;
            let map = fitted.embedding();
            maps.push((map.input_rows().collect(), PointSet::from_mat(map.coordinates())?));
        }
        Self::of_fits(&maps, &neighbors).map(Some)
    }

    fn of_fits(maps: &[(Vec<u32>, PointSet)], neighbors: &Neighbors) -> Result<StabilityScores, Error> {
        let draws: Vec<Draw<'_>> = maps.iter().map(|(rows, map)| Draw { rows, map: map.view() }).collect();
        Self::of_maps(&draws, neighbors)
    }

    fn neighbors(&self, input: &Input<'_>) -> Result<Neighbors, Error> {
        NeighborSearch::nearest(self.k).find(*input)
    }

    fn check(&self, input: &Input<'_>) -> Result<(), Error> {
        check_draws(self.draws)?;
        if !(self.fraction > 0.0 && self.fraction <= 1.0) {
            return Err(Error::parameter("fraction", "above 0 and at most 1", self.fraction));
        }
        if input.rows().is_none() {
            return Err(Error::no_points());
        }
        let most = input.len().saturating_sub(1);
        if !(1..=most).contains(&self.k) {
            let requirement = format!("1 to {most}, below the number of points");
            return Err(Error::parameter("k", requirement, self.k));
        }
        Ok(())
    }
}

/// The parameter that [`Stability::over_seeds`] sets.
const SEED: &str = "seed";

fn check_draws(count: usize) -> Result<(), Error> {
    if count < 2 {
        return Err(Error::parameter("the number of maps", "at least 2", count));
    }
    Ok(())
}

/// The map of some rows of an input, with the rows that it places.
fn refit(method: &dyn DynMethod, input: &Input<'_>, rows: Vec<u32>) -> Result<(Vec<u32>, PointSet), Error> {
    let points = input.rows().ok_or_else(Error::no_points)?;
    let labels: Option<Vec<Option<u32>>> = input.labels().map(|labels| labels.select(&rows));
    let targets: Option<Vec<f64>> =
        input.targets().map(|targets| rows.iter().map(|&row| targets[row as usize]).collect());
    let supervision = (labels.as_deref(), targets.as_deref());
    let fitted = points.selected(&rows, |drawn| fit_rows(method, input, drawn, supervision))?;
    let map = fitted.embedding();
    let placed = map.input_rows().map(|row| rows[row as usize]).collect();
    Ok((placed, PointSet::from_mat(map.coordinates())?))
}

/// A map, with the place of each row of the data.
struct Placed<'a> {
    map: Points<'a>,
    /// The place of each row; [`ABSENT`] where the map does not have the row.
    places: Vec<u32>,
    /// The median distance between neighbors in the data.
    unit: f64,
}

const ABSENT: u32 = u32::MAX;

impl<'a> Placed<'a> {
    fn of(draw: &Draw<'a>, neighbors: &Neighbors) -> Result<Self, Error> {
        let (n, map) = (neighbors.len(), draw.map);
        let shape =
            |expected: String, got: String| Error::Shape { what: "the rows of a draw", expected, got };
        if draw.rows.len() != map.len() {
            let expected = format!("{} rows, one per place of the map", map.len());
            return Err(shape(expected, draw.rows.len().to_string()));
        }
        let mut places = vec![ABSENT; n];
        for (at, &row) in draw.rows.iter().enumerate() {
            match places.get_mut(row as usize) {
                Some(place) if *place == ABSENT => *place = at as u32,
                _ => return Err(shape(format!("rows below {n}, each at most once"), format!("row {row}"))),
            }
        }
        let placed = Self { map, places, unit: 1.0 };
        let pairs = (0..n).flat_map(|i| neighbors.indices_of(i).iter().map(move |j| (i, *j as usize)));
        let mut distances: Vec<f64> = pairs.filter_map(|(i, j)| placed.distance(i, j)).collect();
        distances.sort_unstable_by(f64::total_cmp);
        match distances.get(distances.len() / 2).copied() {
            Some(unit) if unit > 0.0 => Ok(Self { unit, ..placed }),
            Some(_) => Err(Error::degenerate(
                "half of the neighbors in the data coincide in a map, so that the map has no distance of neighbors",
                "use another setting of the method, or leave out copies of rows",
            )),
            None => Err(Error::degenerate(
                "a draw has no two neighbors",
                "draw a larger fraction of the rows, or use a larger k",
            )),
        }
    }

    /// The distance of the places of two rows in units of the map, where the map has both.
    fn distance(&self, i: usize, j: usize) -> Option<f64> {
        let (a, b) = (self.places[i], self.places[j]);
        (a != ABSENT && b != ABSENT)
            .then(|| distance(self.map.row(a as usize), self.map.row(b as usize)) / self.unit)
    }
}

/// The variance of the map distances of a point to its neighbors, relative to the square of their mean.
fn variance(i: usize, neighbors: &[u32], maps: &[Placed<'_>]) -> Option<f64> {
    let (mut pairs, mut variances, mut means) = (0, 0.0, 0.0);
    for &j in neighbors {
        let distances: Vec<f64> = maps.iter().filter_map(|map| map.distance(i, j as usize)).collect();
        if distances.len() < 2 {
            continue;
        }
        let count = distances.len() as f64;
        let mean = distances.iter().sum::<f64>() / count;
        variances += distances.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / (count - 1.0);
        means += mean;
        pairs += 1;
    }
    // Neighbors that coincide in every map do not vary.
    let relative = if variances > 0.0 { variances * f64::from(pairs) / means.powi(2) } else { 0.0 };
    (pairs > 0).then_some(relative)
}

/// The stability of maps and of their points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StabilityScores {
    variances: Vec<Option<f64>>,
}

impl StabilityScores {
    /// The variance of each row of the data, at least 0; `None` where no neighbor shares two maps with it.
    pub fn variances(&self) -> &[Option<f64>] {
        &self.variances
    }

    /// The stability of each row, 1 / (1 + variance), above 0 and at most 1.
    pub fn stabilities(&self) -> Vec<Option<f64>> {
        self.variances.iter().map(|variance| variance.map(stability)).collect()
    }

    /// The stability of the map: the mean over its points.
    pub fn stability(&self) -> f64 {
        let known = self.variances.iter().flatten();
        known.clone().map(|variance| stability(*variance)).sum::<f64>() / known.count() as f64
    }
}

fn stability(variance: f64) -> f64 {
    1.0 / (1.0 + variance)
}
