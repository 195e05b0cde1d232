//! A new model of the rows of an earlier one and of new rows; rows of the earlier one may leave.

use datasets::files::Scaling;
use embedding::{
    DynMethod, DynModel, Embedding, Error, Input, MemoryLimit, Metric, Model, Observer, PointSet, Points,
    TrainingRows,
};
use neighbor_graph::NeighborSearch;
use quality::shape::{Reflection, Similarity};
use swissroll::saved::rotated::{Rotated, Rotation};

/// Neighbors in the old map whose distance is the unit of movements.
const NEIGHBORS: usize = 10;

/// The model and the rows of an update.
#[derive(Clone, Copy)]
pub struct Update<'a> {
    /// The method of the model, with the parameters of its fit.
    pub method: &'a dyn DynMethod,
    /// The earlier model.
    pub model: &'a dyn DynModel,
    /// The rows that it was fitted to.
    pub old: Points<'a>,
    /// The new rows, where there are any.
    pub new: Option<Points<'a>>,
    /// Whether each old row leaves, so that it is in neither the new map nor the new model. `None`: all remain.
    pub leaving: Option<&'a [bool]>,
    /// How the model standardizes rows, where it does.
    pub scaling: Option<&'a Scaling>,
    /// The distance between rows.
    pub metric: Metric,
    /// How strongly old rows are drawn to their old places, for methods with a start that keep rows fixed; see
    /// [`Input::with_pull`]. `None` for infinity: they stay there.
    pub pull: Option<f64>,
}

/// The model of the old rows that remain and of the new ones, old ones first.
pub struct Updated {
    /// The model.
    pub model: Box<dyn DynModel>,
    /// How far old rows moved.
    pub moved: Movement,
    /// How the map was kept near the old one.
    pub note: String,
}

/// How far the rows of an old map are from their places in a new one, in units of the median distance of the old
/// map from a row to its 10th neighbor, or to the farthest of fewer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Movement {
    /// The median.
    pub median: f64,
    /// The largest.
    pub largest: f64,
}

impl Update<'_> {
    /// Fits the method to all rows that do not leave.
    ///
    /// Methods with a start, except PHATE, start at the old map, with new rows where the model places them. With
    /// an infinite pull old rows stay there to the bit, and without new rows none moves; with 0 the fit is the fit
    /// from that start, at the scale of the method. All others are fitted anew, and their map is rotated onto the old one, without a change of size.
    ///
    /// Fails where the rows do not fit to the model, where no row is new and none leaves, where all old rows leave,
    /// where a pull is given to a method that has none, and as the fit does, such as for too few rows.
    pub fn run(&self, memory: MemoryLimit, observer: &dyn Observer) -> Result<Updated, Error> {
        let Self { method, model, new, scaling, metric, pull, .. } = *self;
        let remaining = self.remaining()?;
        let all = self.rows()?;
        let all = match scaling {
            Some(scaling) => scaling.apply(all.view())?,
            None => all,
        };
        let input = Input::from(&all).with_metric(metric).with_memory_limit(memory).with_observer(observer);
        if !method.fixes_rows() {
            if pull.is_some() {
                return Err(Error::degenerate(
                    format!("{} has no pull: its new map is rotated onto the old one", method.about().title),
                    "leave the pull out",
                ));
            }
            return self.rotated(&input, &remaining);
        }
        let map = places(model.embedding(), &remaining)?;
        let mut start = map.view().values().to_vec();
        if let Some(new) = new {
            start.extend_from_slice(model.place(new.into(), TrainingRows::Stored)?.values());
        }
        let start = PointSet::new(start, map.view().dim())?;
        let input = input.with_start(start.view()).with_all_fixed_allowed();
        let fixed: Vec<bool> = (0..all.len()).map(|row| row < remaining.len()).collect();
        let pull = pull.unwrap_or(f64::INFINITY);
        let input = input.with_pull(&fixed, pull);
        let fitted = method.fit_dyn(&input)?;
        let started = match new {
            Some(_) => "the start is the map of the model, with new rows where it places them",
            None => "the start is the map of the model",
        };
        let note = [Some(started.to_owned()), method.start_note(&input), self.note_of_leaving()];
        let note = note.into_iter().flatten().collect::<Vec<_>>().join("; ");
        let moved = Movement::between(self.model.embedding(), &remaining, fitted.embedding())?;
        Ok(Updated { model: fitted, moved, note })
    }

    /// The rows of the new model: old ones that do not leave, then new ones. Fails as [`Update::run`] where rows do
    /// not fit to each other.
    pub fn rows(&self) -> Result<PointSet, Error> {
        let remaining = self.old.select(&self.remaining()?);
        let remaining = remaining.view();
        match self.new {
            Some(new) => PointSet::new([remaining.values(), new.values()].concat(), remaining.dim()),
            None => Ok(remaining.to_owned()),
        }
    }

    /// The old rows that do not leave. Fails where the rows do not fit to each other, and as [`Update::run`] says.
    pub(crate) fn remaining(&self) -> Result<Vec<u32>, Error> {
        let Self { old, new, leaving, .. } = *self;
        let map = self.model.embedding();
        if map.len() != old.len() || map.placed_rows().is_some() {
            return Err(Error::Shape {
                what: "the number of rows that the model was fitted to",
                expected: format!("{}, one per row of its map", map.len()),
                got: old.len().to_string(),
            });
        }
        if let Some(new) = new.filter(|new| new.dim() != old.dim()) {
            return Err(Error::Shape {
                what: "the number of columns of the new rows",
                expected: format!("{}, the columns of the model", old.dim()),
                got: new.dim().to_string(),
            });
        }
        if let Some(leaving) = leaving.filter(|leaving| leaving.len() != old.len()) {
            return Err(Error::Shape {
                what: "the number of values that say which rows leave",
                expected: format!("{}, one per row of the model", old.len()),
                got: leaving.len().to_string(),
            });
        }
        let leaves = |row: u32| leaving.is_some_and(|leaving| leaving[row as usize]);
        let remaining: Vec<u32> = (0..old.len() as u32).filter(|row| !leaves(*row)).collect();
        if remaining.is_empty() {
            return Err(Error::degenerate(
                format!(
                    "all {} rows of the model leave, and no row keeps the new map near the old one",
                    old.len()
                ),
                "let fewer rows leave, or fit the new rows by themselves",
            ));
        }
        if new.is_none() && remaining.len() == old.len() {
            return Err(Error::degenerate(
                "no row is new and no row of the model leaves, so that there is nothing to update",
                "give new rows, rows that leave, or both",
            ));
        }
        Ok(remaining)
    }

    /// How many rows leave, where some do.
    fn note_of_leaving(&self) -> Option<String> {
        let leaving = self.leaving?;
        let count = leaving.iter().filter(|leaves| **leaves).count();
        (count > 0).then(|| format!("{count} of {} rows of the model left", leaving.len()))
    }

    /// A new fit, rotated onto the old map.
    fn rotated(&self, input: &Input<'_>, remaining: &[u32]) -> Result<Updated, Error> {
        let fitted = self.method.fit_dyn(input)?;
        let own = fitted.embedding();
        if own.len() != input.len() {
            return Err(Error::Shape {
                what: "the number of placed rows",
                expected: format!(
                    "{}, all old and new rows, to rotate their map onto the old one",
                    input.len()
                ),
                got: own.len().to_string(),
            });
        }
        let reference = places(self.model.embedding(), remaining)?;
        let own = PointSet::new(own.values()[..reference.view().values().len()].to_vec(), own.dim())?;
        let rotation = rotation(reference.view(), own.view())?;
        let model = Rotated::new(fitted, rotation)?;
        let moved = Movement::between(self.model.embedding(), remaining, model.embedding())?;
        let note = [Some("the new map is rotated onto the old one".to_owned()), self.note_of_leaving()];
        let note = note.into_iter().flatten().collect::<Vec<_>>().join("; ");
        Ok(Updated { model: Box::new(model), moved, note })
    }
}

/// The places of some rows of a map.
fn places(map: &Embedding, rows: &[u32]) -> Result<PointSet, Error> {
    let values = rows.iter().flat_map(|&row| map.row(row as usize)).copied().collect();
    PointSet::new(values, map.dim())
}

/// The rotation or reflection of a map that is nearest to a reference, by Procrustes analysis.
pub(crate) fn rotation(reference: Points<'_>, map: Points<'_>) -> Result<Rotation, Error> {
    let dim = map.dim();
    let mut found = Similarity::between(reference, map, Reflection::Allowed)?;
    found.scale = 1.0;
    let mean =
        |points: Points<'_>, c: usize| points.rows().map(|row| row[c]).sum::<f64>() / points.len() as f64;
    let from: Vec<f64> = (0..dim).map(|c| mean(map, c)).collect();
    // The images of the mean and of unit vectors from it.
    let mut values = from.clone();
    for k in 0..dim {
        values.extend(from.iter().enumerate().map(|(c, v)| v + f64::from(u8::from(c == k))));
    }
    let images = found.apply(Points::new(&values, dim)?)?;
    let to: Vec<f64> = (0..dim).map(|c| images[(0, c)]).collect();
    let matrix = (0..dim).flat_map(|k| (0..dim).map(move |c| (k, c)));
    let matrix = matrix.map(|(k, c)| images[(k + 1, c)] - to[c]).collect();
    Ok(Rotation { matrix, from, to })
}

impl Movement {
    /// Of some rows of `old`, which are the first ones of `new`. The unit is of all rows of `old`.
    ///
    /// Infinite where most rows of the old map coincide with their tenth neighbors and some rows move.
    pub fn between(old: &Embedding, rows: &[u32], new: &Embedding) -> Result<Self, Error> {
        let gaps = rows.iter().zip(new.rows()).map(|(&row, new)| distance(old.row(row as usize), new));
        Ok(Self::of(gaps.collect(), neighbor_distance(old)?))
    }

    /// Of distances, at least one, in a unit.
    pub(crate) fn of(gaps: Vec<f64>, unit: f64) -> Self {
        let in_units = |gap: f64| if gap == 0.0 { 0.0 } else { gap / unit };
        let largest = gaps.iter().copied().fold(0.0, f64::max);
        Self { median: in_units(median(gaps)), largest: in_units(largest) }
    }
}

/// The median distance of a map from a row to its 10th neighbor, or to the farthest of fewer.
pub(crate) fn neighbor_distance(map: &Embedding) -> Result<f64, Error> {
    let places = PointSet::new(map.values().to_vec(), map.dim())?;
    let k = NEIGHBORS.min(map.len() - 1);
    let lists = NeighborSearch::nearest(k).find(&places)?;
    let reach = |row: usize| lists.distances_of(row).last().copied().unwrap_or(0.0);
    Ok(median((0..map.len()).map(reach).collect()))
}

/// The distance between two places.
pub(crate) fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// The upper median of values, at least one.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places of 12 rows in the plane.
    fn places() -> Vec<[f64; 2]> {
        (0..12).map(f64::from).map(|i| [i.sin() * 3.0 + 1.0, (1.7 * i).cos() - 2.0]).collect()
    }

    fn embedding(rows: &[[f64; 2]]) -> Embedding {
        Embedding::from_rows(rows.concat(), 2)
    }

    /// A map that was rotated, reflected and shifted is brought back, and keeps its size.
    #[test]
    fn a_rotated_map_is_brought_back() -> Result<(), Error> {
        let reference = PointSet::from_rows(&places())?;
        let (sine, cosine) = 2.3_f64.sin_cos();
        for mirror in [1.0, -1.0] {
            for size in [1.0, 1.5] {
                let turned = |[x, y]: [f64; 2]| {
                    let [u, v] = [cosine * x - sine * y, mirror * (sine * x + cosine * y)];
                    [size * u + 7.0, size * v - 3.0]
                };
                let rows: Vec<[f64; 2]> = places().into_iter().map(turned).collect();
                let map = PointSet::from_rows(&rows)?;
                let back = rotation(reference.view(), map.view())?.apply(&embedding(&rows));
                let mean = |c: usize| places().iter().map(|row| row[c]).sum::<f64>() / 12.0;
                for (row, place) in back.rows().zip(places()) {
                    for c in 0..2 {
                        let expected = mean(c) + size * (place[c] - mean(c));
                        assert!((row[c] - expected).abs() < 1e-12, "{row:?} and {place:?}");
                    }
                }
            }
        }
        Ok(())
    }

    /// The unit is the distance to the tenth neighbor; new rows do not count.
    #[test]
    fn movements_are_in_distances_to_neighbors() -> Result<(), Error> {
        let old: Vec<[f64; 2]> = (0..21).map(|i| [f64::from(i), 0.0]).collect();
        let mut new = old.clone();
        new[3][1] = 5.0;
        new.push([99.0, 99.0]);
        let all: Vec<u32> = (0..21).collect();
        let moved = Movement::between(&embedding(&old), &all, &embedding(&new))?;
        let reach = |i: i32| {
            let mut all: Vec<i32> = (0..21).map(|j| (i - j).abs()).collect();
            all.sort_unstable();
            all[10]
        };
        let mut units: Vec<i32> = (0..21).map(reach).collect();
        units.sort_unstable();
        assert_eq!(moved, Movement { median: 0.0, largest: 5.0 / f64::from(units[10]) });
        new.iter_mut().for_each(|row| row[1] += 1.0);
        let moved = Movement::between(&embedding(&old), &all, &embedding(&new))?;
        assert_eq!(moved.median, 1.0 / f64::from(units[10]));
        // Without the first rows, the rows after them come first; the unit remains.
        new.drain(..4);
        let moved = Movement::between(&embedding(&old), &all[4..], &embedding(&new))?;
        assert_eq!(moved.largest, 1.0 / f64::from(units[10]));
        Ok(())
    }
}
