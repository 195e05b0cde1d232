//! Rows that are exact copies of others.

use embedding::implement::{Fact, OwnedData, require_moving};
use embedding::{Data, Error, Input, Labels, Neighborhood, Neighbors, PointSet, Rows};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::NeighborSearch;

/// The policy for rows that are exact copies of others.
///
/// All neighbors of a point with more copies than neighbors are its copies: a patch
/// without extent, whose local models are undetermined, and whose null vectors belong to
/// no map. Merging makes every point one point, whatever the number of its copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Duplicates {
    /// Embed one of them, with neighbors among the distinct points, and give all of them
    /// its coordinates. Their number is reported.
    #[default]
    Merge,
    /// Embed all of them, as neighbors of each other at distance 0.
    Keep,
}

embedding::words!(Duplicates { Merge = "merge", Keep = "keep" });

/// The fact `copies` of a model in which some rows share a place.
pub(crate) fn fact<M: 'static>(count: impl Fn(&M) -> usize + Send + Sync + 'static) -> Fact<M> {
    let meaning = "rows that are copies of an earlier row, whose place they share";
    Fact::optional("copies", meaning, move |fitted| Some(count(fitted)).filter(|count| *count > 0))
}

/// The sentence about such rows; `None` where there are none.
pub(crate) fn note(count: usize) -> Option<String> {
    match count {
        0 => None,
        1 => Some("1 row is a copy of another and shares its place".to_owned()),
        count => Some(format!("{count} rows are copies of others and share their places")),
    }
}

/// The distinct points of an input in which some points occur more than once.
pub struct Copies {
    /// The distinct point of each row.
    pub(crate) of: Vec<u32>,
    /// The first row of each distinct point; increasing.
    pub(crate) rows: Vec<u32>,
}

/// The distinct points by themselves.
pub(crate) struct Distinct {
    data: OwnedData,
    neighbors: Option<Neighbors>,
    labels: Option<Vec<Option<u32>>>,
    targets: Option<Vec<f64>>,
    start: Option<PointSet>,
    fixed: Option<(Vec<bool>, f64)>,
}

impl Copies {
    /// Finds the copies in the points of an input, or in its distances (points at distance
    /// 0 with the same distances to all others); `None` where all differ. Neighbor lists
    /// alone do not show copies.
    ///
    /// O(n D) time, or O(n²) of distances.
    pub(crate) fn of(input: &Input<'_>) -> Option<Self> {
        match input.data() {
            Data::Rows(Rows::Dense(points)) => {
                let hash = |i: usize| hash(points.row(i).iter().copied());
                Self::new(points.len(), hash, |i, j| points.row(i) == points.row(j))
            }
            Data::Distances(given) => {
                let n = given.len();
                let hash = |i: usize| hash((0..n).map(|j| given.get(i, j)));
                Self::new(n, hash, |i, j| (0..n).all(|l| given.get(i, l) == given.get(j, l)))
            }
            Data::Rows(Rows::Sparse(points)) => {
                let hash = |i: usize| {
                    let (columns, values) = points.row(i);
                    hash(columns.iter().map(|c| f64::from(*c)).chain(values.iter().copied()))
                };
                Self::new(points.len(), hash, |i, j| points.row(i) == points.row(j))
            }
            Data::Neighbors(_) => None,
        }
    }

    fn new(
        n: usize,
        hash: impl Fn(usize) -> u64 + Sync,
        equal: impl Fn(usize, usize) -> bool,
    ) -> Option<Self> {
        let mut keys: Vec<(u64, u32)> = (0..n).into_par_iter().map(|i| (hash(i), i as u32)).collect();
        keys.sort_unstable();
        let mut first: Vec<u32> = (0..n as u32).collect();
        for group in keys.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
            let mut found: Vec<u32> = Vec::new();
            for &(_, i) in group {
                match found.iter().find(|&&f| equal(f as usize, i as usize)) {
                    Some(&f) => first[i as usize] = f,
                    None => found.push(i),
                }
            }
        }
        let rows: Vec<u32> = (0..n as u32).filter(|&i| first[i as usize] == i).collect();
        if rows.len() == n {
            return None;
        }
        let mut number = vec![0; n];
        rows.iter().enumerate().for_each(|(distinct, &row)| number[row as usize] = distinct as u32);
        Some(Self { of: first.iter().map(|&f| number[f as usize]).collect(), rows })
    }

    /// Selects the values of the distinct points from values given for all rows.
    ///
    /// Fails with [`Error::Shape`], which names `what`, unless one row is given for each row of the
    /// input.
    pub fn select(&self, what: &'static str, given: &PointSet) -> Result<PointSet, Error> {
        let (n, got) = (self.of.len(), given.len());
        if got != n {
            let expected = format!("{n} rows, one per point");
            return Err(Error::Shape { what, expected, got: format!("{got} rows") });
        }
        Ok(given.view().select(&self.rows))
    }

    /// The given start of a fit: the coordinates of the input where it has any, else `own` of a recipe, which has
    /// a row for each row of the data, for the distinct rows.
    ///
    /// Fails with [`Error::Shape`] where `own` has another number of rows and there are copies.
    pub fn given_start(
        copies: Option<&Self>,
        input: &Input<'_>,
        own: Option<&PointSet>,
    ) -> Result<Option<PointSet>, Error> {
        match (input.start(), own, copies) {
            (Some(start), _, _) => Ok(Some(start.to_owned())),
            (None, Some(own), Some(copies)) => copies.select("the given start", own).map(Some),
            (None, own, _) => Ok(own.cloned()),
        }
    }

    /// The distinct points of the input, with their neighbors where lists were given. `rule`
    /// selects neighbors where they were not; without one, the caller checks their number.
    ///
    /// Fails where too few points differ.
    pub(crate) fn distinct(&self, input: &Input<'_>, rule: Option<Neighborhood>) -> Result<Distinct, Error> {
        let (n, len) = (self.of.len(), self.rows.len());
        if len == 1 {
            return Err(Error::coincident(n));
        }
        let rule = input.neighbors().map(Neighbors::neighborhood).or(rule);
        if let Some(k) = rule.and_then(Neighborhood::k).filter(|k| *k >= len) {
            let most = format!("1 to {}, below the number of distinct points among the {n}", len - 1);
            return Err(Error::parameter("k", most, k));
        }
        let data = OwnedData::select(input.data(), &self.rows).ok_or_else(Error::no_points)?;
        let neighbors = match input.neighbors() {
            Some(given) if input.rows().is_some() && searched(given) => {
                let distinct = Input::from(data.view()?).with_metric(input.metric());
                let distinct =
                    distinct.with_observer(input.observer()).with_memory_limit(input.memory_limit());
                Some(NeighborSearch::from(given.neighborhood()).find(distinct)?)
            }
            Some(given) => Some(self.merged(given)?),
            None => None,
        };
        let labels = input.labels().map(|labels| self.labels(labels));
        let targets = input.targets().map(|targets| self.targets(targets));
        let fixed = input.fixed_rows().map(|_| self.fixed(input)).transpose()?;
        let places: Vec<u32> = match &fixed {
            Some(fixed) => self.rows.iter().zip(fixed).map(|(&row, fixed)| fixed.unwrap_or(row)).collect(),
            None => self.rows.clone(),
        };
        let start = input.start().map(|start| start.select(&places));
        let mask = |fixed: Vec<Option<u32>>| fixed.iter().map(Option::is_some).collect::<Vec<_>>();
        let fixed = input.fixed().zip(fixed).map(|((_, pull), fixed)| (mask(fixed), pull));
        if let (Some((mask, f64::INFINITY)), false) = (&fixed, input.all_fixed_allowed()) {
            require_moving(mask)?;
        }
        Ok(Distinct { data, neighbors, labels, targets, start, fixed })
    }

    /// The first fixed row of each distinct point that has one. Fails where fixed copies have different places.
    fn fixed(&self, input: &Input<'_>) -> Result<Vec<Option<u32>>, Error> {
        let mut found = vec![None; self.rows.len()];
        let (Some((fixed, _)), Some(places)) = (input.fixed(), input.start()) else { return Ok(found) };
        for (row, &own) in self.of.iter().enumerate().filter(|(row, _)| fixed[*row]) {
            let first = *found[own as usize].get_or_insert(row as u32);
            if places.row(first as usize) != places.row(row) {
                return Err(Error::degenerate(
                    format!(
                        "rows {first} and {row} are copies, which share a place, and are fixed at two places"
                    ),
                    "fix one of them, or keep copies as points of their own (duplicates=keep)",
                ));
            }
        }
        Ok(found)
    }

    /// The class of each distinct point: the known class of its copies; unknown where copies have
    /// different classes.
    fn labels(&self, given: Labels<'_>) -> Vec<Option<u32>> {
        let mut known: Vec<(u32, u32)> =
            self.of.iter().enumerate().filter_map(|(i, &own)| Some((own, given.of(i)?))).collect();
        known.sort_unstable();
        known.dedup();
        let mut labels = vec![None; self.rows.len()];
        for classes in known.chunk_by(|a, b| a.0 == b.0) {
            labels[classes[0].0 as usize] = (classes.len() == 1).then_some(classes[0].1);
        }
        labels
    }

    /// The mean of the known target values of the copies of each distinct point; NaN where none is known.
    fn targets(&self, given: &[f64]) -> Vec<f64> {
        let mut means = vec![(0.0, f64::NAN); self.rows.len()];
        for (&own, &value) in self.of.iter().zip(given).filter(|(_, value)| !value.is_nan()) {
            let (count, mean) = &mut means[own as usize];
            *count += 1.0;
            *mean = if *count > 1.0 { *mean + (value / *count - *mean / *count) } else { value };
        }
        means.into_iter().map(|(_, mean)| mean).collect()
    }

    /// Given lists of all rows as lists of the distinct points: the shortest of the edges
    /// between their copies.
    fn merged(&self, given: &Neighbors) -> Result<Neighbors, Error> {
        let mut lists: Vec<Vec<(u32, f64)>> = vec![Vec::new(); self.rows.len()];
        for (i, &own) in self.of.iter().enumerate() {
            let (js, ds) = given.of(i);
            let edges = js.iter().zip(ds).map(|(&j, &d)| (self.of[j as usize], d));
            lists[own as usize].extend(edges.filter(|edge| edge.0 != own));
        }
        let rule = given.neighborhood();
        for list in &mut lists {
            list.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
            list.dedup_by_key(|edge| edge.0);
            list.sort_unstable_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
            list.truncate(rule.k().unwrap_or(usize::MAX));
        }
        Neighbors::from_lists(lists, rule)
    }
}

impl Distinct {
    /// The input of a fit of the distinct points.
    pub(crate) fn input<'a>(&'a self, whole: &Input<'a>) -> Result<Input<'a>, Error> {
        let input = Input::from(self.data.view()?);
        let own = input.points().map_or(0, |points| points.bytes());
        let input = input.with_observer(whole.observer()).with_memory_limit(whole.memory_limit().beside(own));
        let input = input.with_metric(whole.metric());
        let input = match &self.neighbors {
            Some(neighbors) => input.with_neighbors(neighbors),
            None => input,
        };
        let input = match &self.labels {
            Some(labels) => input.with_partial_labels(labels),
            None => input,
        };
        let input = match &self.targets {
            Some(targets) => input.with_targets(targets),
            None => input,
        };
        let input = match &self.start {
            Some(start) => input.with_start(start.view()),
            None => input,
        };
        Ok(match &self.fixed {
            Some((rows, pull)) if whole.all_fixed_allowed() => {
                input.with_pull(rows, *pull).with_all_fixed_allowed()
            }
            Some((rows, pull)) => input.with_pull(rows, *pull),
            None => input,
        })
    }
}

/// Whether lists are the complete result of a search: a search among other points finds
/// other lists. Lists from which edges were removed stay as they are.
fn searched(given: &Neighbors) -> bool {
    given.found_by().is_some() && given.neighborhood().k().is_some_and(|k| given.degrees() == (k, k))
}

/// A hash of the values in order; zeros of both signs are equal. (The multiplier is that
/// of the 64-bit hash of Fowler, Noll and Vo.)
fn hash(values: impl Iterator<Item = f64>) -> u64 {
    values.fold(0xcbf2_9ce4_8422_2325, |hash, value| {
        let mixed = (hash ^ (value + 0.0).to_bits()).wrapping_mul(0x0000_0100_0000_01b3);
        mixed ^ mixed >> 29
    })
}

#[cfg(test)]
mod tests {
    use embedding::{DistanceMatrix, Points, SparsePointSet};

    use super::*;
    use crate::NeighborSearch;

    /// Neighbors and the distances to them.
    type List = (Vec<u32>, Vec<f64>);

    /// Rows 0, 2, 5 are equal, and rows 1, 4; zeros of both signs are.
    const VALUES: [f64; 14] = [0.0, 1.0, 3.0, 0.0, 0.0, 1.0, 9.0, 2.0, 3.0, -0.0, -0.0, 1.0, 4.0, 4.0];

    fn points() -> Points<'static> {
        Points::new(&VALUES, 2).expect("finite")
    }

    fn is_found(input: &Input<'_>) -> Copies {
        let copies = Copies::of(input).expect("some are equal");
        assert_eq!(
            (copies.of.as_slice(), copies.rows.as_slice()),
            (&[0, 1, 0, 2, 1, 0, 3][..], &[0, 1, 3, 6][..])
        );
        copies
    }

    #[test]
    fn rows_that_are_equal_are_found_in_points_and_distances() -> Result<(), Error> {
        is_found(&points().into());
        is_found(&SparsePointSet::of(points())?.view().into());
        let distances = testkit::cases::distances(points(), points());
        is_found(&DistanceMatrix::new(&distances, 7)?.into());
        let distinct = points().select(&[0, 1, 3, 6]);
        assert!(Copies::of(&Input::from(&distinct)).is_none());
        // At distance 0 of each other, but not at the same distance of a third.
        let near = [0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 1.0, 2.0, 0.0];
        assert!(Copies::of(&DistanceMatrix::new(&near, 3)?.into()).is_none());
        Ok(())
    }

    #[test]
    fn values_of_all_rows_are_selected_and_others_refused() -> Result<(), Error> {
        let copies = is_found(&points().into());
        let given = PointSet::new((0..7).map(f64::from).collect(), 1)?;
        assert_eq!(copies.select("the start", &given)?.view().values(), [0.0, 1.0, 3.0, 6.0]);
        let few = PointSet::new(vec![0.0; 4], 1)?;
        assert!(matches!(copies.select("the start", &few), Err(Error::Shape { what: "the start", .. })));
        Ok(())
    }

    /// A class that is known for one copy holds for all copies; copies with different classes have no
    /// class.
    #[test]
    fn copies_have_the_class_that_is_known() -> Result<(), Error> {
        let copies = is_found(&points().into());
        let labels = [None, Some(1), Some(5), None, Some(2), Some(5), Some(0)];
        let input = Input::from(points()).with_partial_labels(&labels);
        let distinct = copies.distinct(&input, None)?;
        assert_eq!(distinct.labels, Some(vec![Some(5), None, None, Some(0)]));
        Ok(())
    }

    #[test]
    fn copies_have_the_mean_of_their_known_target_values() -> Result<(), Error> {
        let copies = is_found(&points().into());
        let targets = [f64::NAN, 1.0, 5.0, f64::NAN, 2.0, 6.0, -1.0];
        let distinct = copies.distinct(&Input::from(points()).with_targets(&targets), None)?;
        let found = distinct.targets.expect("a target");
        assert!(found[2].is_nan());
        assert_eq!([found[0], found[1], found[3]], [5.5, 1.5, -1.0]);
        Ok(())
    }

    #[test]
    fn fewer_distinct_points_than_neighbors_are_refused() -> Result<(), Error> {
        let copies = is_found(&points().into());
        let by = |k: usize| copies.distinct(&points().into(), Some(Neighborhood::Nearest { k })).map(drop);
        assert_eq!(by(3), Ok(()));
        assert!(matches!(by(4), Err(Error::Parameter { name: "k", .. })));
        let same = [2.0; 6];
        let one = Input::from(Points::new(&same, 2)?);
        let refused = Copies::of(&one).expect("all are equal").distinct(&one, None).map(drop);
        assert!(matches!(refused, Err(Error::Degenerate { .. })), "{refused:?}");
        Ok(())
    }

    /// Lists of a search become the lists of a search among the distinct points. In other lists
    /// each distinct point keeps the shortest edge to every other one, and none to itself.
    #[test]
    fn lists_of_copies_are_searched_again_or_merged() -> Result<(), Error> {
        let copies = is_found(&points().into());
        let rule = Neighborhood::Nearest { k: 2 };
        let distinct = |given: &Neighbors| -> Result<Vec<List>, Error> {
            let input = Input::from(points()).with_neighbors(given);
            let found = copies.distinct(&input, None)?.neighbors.expect("lists");
            Ok((0..found.len())
                .map(|i| (found.indices_of(i).to_vec(), found.distances_of(i).to_vec()))
                .collect())
        };
        let searched = distinct(&NeighborSearch::from(rule).find(points())?)?;
        let alone = points().select(&[0, 1, 3, 6]);
        let expected = NeighborSearch::from(rule).find(alone.view())?;
        for (i, list) in searched.iter().enumerate() {
            assert_eq!((list.0.as_slice(), list.1.as_slice()), expected.of(i), "{i}");
        }
        let lists = vec![
            vec![(2, 0.0), (1, 4.0)],
            vec![(3, 5.0), (0, 6.0)],
            vec![(3, 2.0), (4, 3.0)],
            vec![(6, 1.0), (0, 7.0)],
            vec![(1, 0.0), (5, 8.0)],
            vec![(6, 9.0), (2, 0.0)],
            vec![(4, 2.0), (1, 2.5)],
        ];
        let lists: Vec<Vec<(u32, f64)>> = lists
            .into_iter()
            .map(|mut list: Vec<(u32, f64)>| {
                list.sort_by(|a, b| a.1.total_cmp(&b.1));
                list
            })
            .collect();
        let merged = distinct(&Neighbors::from_lists(lists, rule)?)?;
        let list = |js: &[u32], ds: &[f64]| (js.to_vec(), ds.to_vec());
        assert_eq!(
            merged,
            [
                list(&[2, 1], &[2.0, 3.0]),
                list(&[2, 0], &[5.0, 6.0]),
                list(&[3, 0], &[1.0, 7.0]),
                list(&[1], &[2.0])
            ]
        );
        Ok(())
    }

    #[test]
    fn copies_are_counted_in_words() {
        assert_eq!(note(0), None);
        assert!(note(1).is_some_and(|note| note.starts_with("1 row is a copy")));
        assert!(note(12).is_some_and(|note| note.starts_with("12 rows are copies")));
    }
}
