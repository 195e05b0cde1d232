//! The sentence on classes that overlap in a map.

use std::collections::BTreeMap;

use embedding::{Embedding, Error, PointSet};
use neighbor_graph::NeighborSearch;

/// Neighbors of a point in the map, and fewest points of a class that is looked at.
const NEIGHBORS: usize = 10;

/// Pairs of classes that are named.
const NAMED: usize = 3;

/// Fraction of neighbors of another class from which on two classes overlap.
const OVERLAP: f64 = 0.1;

/// Returns the sentence on classes that overlap in a map: of the 10 nearest points to the points of one class, at
/// least 10 % are of the other. `labels` has the class of each row of the data, as an index into `names`; points
/// without one, and classes of fewer than 10 points, do not count. Classes that overlap in the data overlap in every
/// map that keeps neighbors.
///
/// Fails as the search for neighbors in the map does.
///
/// # Panics
/// If a row of the map has no label.
pub fn classes(map: &Embedding, labels: &[Option<u32>], names: &[String]) -> Result<Option<String>, Error> {
    if map.len() <= NEIGHBORS || map.dim() == 0 {
        return Ok(None);
    }
    let labels: Vec<Option<u32>> = match map.placed_rows() {
        Some(rows) => rows.iter().map(|row| labels[*row as usize]).collect(),
        None => labels.to_vec(),
    };
    let places = PointSet::new(map.values().to_vec(), map.dim())?;
    let lists = NeighborSearch::nearest(NEIGHBORS).find(&places)?;
    let mut sizes = vec![0_usize; names.len()];
    labels.iter().flatten().for_each(|class| sizes[*class as usize] += 1);
    let counted = |class: &u32| sizes[*class as usize] >= NEIGHBORS;
    let mut shared: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for (point, class) in labels.iter().enumerate() {
        let Some(class) = class.filter(counted) else { continue };
        let others = lists.indices_of(point).iter().filter_map(|row| labels[*row as usize].filter(counted));
        others
            .filter(|other| *other != class)
            .for_each(|other| *shared.entry((class, other)).or_default() += 1);
    }
    let share =
        |(class, _): (u32, u32), count: usize| count as f64 / (NEIGHBORS * sizes[class as usize]) as f64;
    let mut pairs: Vec<((u32, u32), f64)> =
        shared.iter().map(|(pair, count)| (*pair, share(*pair, *count))).collect();
    // Of both directions the larger one.
    let turned = |(a, b): (u32, u32)| shared.get(&(b, a)).map_or(0.0, |count| share((b, a), *count));
    pairs.retain(|&((a, b), share)| share >= OVERLAP && (share, b) > (turned((a, b)), a));
    pairs.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let sentence = |((class, other), share): &((u32, u32), f64)| {
        let [class, other] = [class, other].map(|class| &names[*class as usize]);
        format!("{:.0} % of the neighbors of `{class}` are `{other}`", 100.0 * share)
    };
    let named: Vec<String> = pairs.iter().take(NAMED).map(sentence).collect();
    let more = match pairs.len().saturating_sub(NAMED) {
        0 => String::new(),
        1 => ", and one more pair".to_owned(),
        more => format!(", and {more} more pairs"),
    };
    Ok((!named.is_empty()).then(|| format!("Classes overlap in the map: {}{more}.", named.join(", "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points on a line; the class of each by its place.
    fn line(class: impl Fn(usize) -> Option<u32>) -> Result<Option<String>, Error> {
        let map = Embedding::from_rows((0..120).map(f64::from).collect(), 1);
        let labels: Vec<Option<u32>> = (0..120).map(class).collect();
        classes(&map, &labels, &["a", "b", "c"].map(str::to_owned))
    }

    #[test]
    fn classes_that_share_a_place_are_named() {
        assert_eq!(line(|i| Some(u32::from(i >= 60))), Ok(None));
        assert_eq!(line(|_| None), Ok(None));
        // One of four points among the first 80 is of `b`; `c` lies apart.
        let said = line(|i| Some(if i >= 80 { 2 } else { u32::from(i % 4 == 0) }))
            .expect("finite")
            .expect("overlap");
        assert!(said.contains("% of the neighbors of `b` are `a`") && !said.contains('c'), "{said}");
        let percent: f64 = said.split(' ').nth(5).and_then(|number| number.parse().ok()).expect("a number");
        assert!((75.0..=85.0).contains(&percent), "{said}");
        // Fewer points than neighbors are no class.
        assert_eq!(line(|i| Some(u32::from(i % 15 == 0))), Ok(None));
    }
}
