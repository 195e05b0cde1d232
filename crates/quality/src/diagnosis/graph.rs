//! Faults of a neighbor graph.

use embedding::implement::number::{count, counted};
use embedding::{Error, Input};
use neighbor_graph::{Neighborhood, Neighbors, shortcuts::find_shortcuts};

/// Default stretch threshold of shortcuts; see [`find_shortcuts`].
const STRETCH: f64 = 5.0;

/// Largest n, and largest number of values, for which shortcuts are counted by default: on
/// 70,000 images the count takes longer than an embedding.
const FEW: usize = 10_000;
const FEW_VALUES: usize = 5_000_000;

/// Most neighbors per point on average; the count takes k³ operations per point, and longer
/// lists, such as the lists of t-SNE, reach from layer to layer anyway.
const FEW_NEIGHBORS: usize = 30;

/// The number of probable shortcut edges, where the input is small enough to count them by
/// default: up to 10,000 points, 5 million values and 30 neighbors per point.
pub fn count_shortcuts(input: &Input<'_>, lists: &Neighbors) -> Result<Option<usize>, Error> {
    let values = lists.len() * input.points().map_or(1, |points| points.dim());
    let few = lists.len() <= FEW && values <= FEW_VALUES && lists.edge_count() <= FEW_NEIGHBORS * lists.len();
    few.then(|| Ok(find_shortcuts(input, lists, STRETCH)?.len())).transpose()
}

/// Whether the shortcut edges that were found are still in the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found<'a> {
    /// They are in the graph; `remedy` says what to do about it where the sentence is read, as
    /// an option of the command line or the parameter of a page.
    Kept {
        /// A phrase such as `try a smaller k`.
        remedy: &'a str,
    },
    /// They were removed from it.
    Removed,
}

/// Edges between layers of the manifold: `found` by distances, and `known` by true
/// coordinates to be in the graph.
pub fn shortcuts(found: Option<usize>, known: Option<usize>, became: Found<'_>) -> Option<String> {
    let counted_by_distances = found.is_some();
    if let (Some(found @ 1..), Some(0), Found::Kept { .. }) = (found, known, became) {
        return Some(match found {
            1 => {
                "One edge looks like a shortcut by distances; by the true coordinates it is none.".to_owned()
            }
            many => format!(
                "{} edges look like shortcuts by distances; by the true coordinates none is.",
                count(many)
            ),
        });
    }
    let found = found.and_then(|found| probable(found, became));
    let known = known.filter(|known| *known > 0).map(|known| {
        let edges = counted(known, "edge", "edges");
        let verb = if known == 1 { "is a shortcut" } else { "are shortcuts" };
        let advice = match (&found, became) {
            (None, Found::Kept { .. }) if counted_by_distances => {
                ", which distances alone do not reveal; use fewer neighbors"
            }
            (None, Found::Kept { .. }) => "; use fewer neighbors",
            (_, Found::Removed) => " and still in the graph; use fewer neighbors",
            (Some(_), Found::Kept { .. }) => "",
        };
        format!("By the true coordinates, {edges} {verb}{advice}.")
    });
    let sentences: Vec<String> = found.into_iter().chain(known).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

fn probable(found: usize, became: Found<'_>) -> Option<String> {
    match (found, became) {
        (0, _) => None,
        (1, Found::Kept { remedy }) => Some(format!("One probable shortcut edge ({remedy}).")),
        (many, Found::Kept { remedy }) => Some(format!("{many} probable shortcut edges ({remedy}).")),
        (1, Found::Removed) => Some("One more edge, a probable shortcut, was removed.".to_owned()),
        (many, Found::Removed) => Some(format!("{many} more edges, probable shortcuts, were removed.")),
    }
}

/// A graph of more than one component, by their sizes.
pub fn components(rule: Neighborhood, sizes: &[usize]) -> Option<String> {
    let largest = sizes.iter().max().filter(|_| sizes.len() > 1)?;
    let rule = match rule {
        Neighborhood::Nearest { k } => format!("{k} nearest neighbors"),
        Neighborhood::Within { radius } => format!("neighbors within {radius}"),
    };
    Some(format!(
        "The graph of {rule} has {} components; the largest has {} of {} points.",
        count(sizes.len()),
        count(*largest),
        count(sizes.iter().sum())
    ))
}

#[cfg(test)]
mod tests {
    use neighbor_graph::NeighborSearch;

    use super::*;

    #[test]
    fn shortcuts_are_counted_by_distances_and_by_truth() {
        let kept = Found::Kept { remedy: "see --cut" };
        assert_eq!(shortcuts(Some(0), Some(0), kept), None);
        assert_eq!(shortcuts(None, None, kept), None);
        let one = shortcuts(Some(1), None, kept).expect("a sentence");
        assert_eq!(one, "One probable shortcut edge (see --cut).");
        let both = shortcuts(Some(11), Some(12), kept).expect("a sentence");
        assert!(both.contains("11 probable") && both.contains("12 edges are shortcuts."), "{both}");
        let missed = shortcuts(Some(0), Some(1), kept).expect("a sentence");
        assert!(missed.contains("1 edge is a shortcut, which distances alone do not reveal"), "{missed}");
        let not_looked_for = shortcuts(None, Some(9), kept).expect("a sentence");
        assert_eq!(not_looked_for, "By the true coordinates, 9 edges are shortcuts; use fewer neighbors.");
        let none = shortcuts(Some(13), Some(0), kept).expect("a sentence");
        assert_eq!(none, "13 edges look like shortcuts by distances; by the true coordinates none is.");
        let cut = shortcuts(Some(12), Some(0), Found::Removed).expect("a sentence");
        assert_eq!(cut, "12 more edges, probable shortcuts, were removed.");
        let rest = shortcuts(Some(12), Some(2), Found::Removed).expect("a sentence");
        assert!(rest.contains("2 edges are shortcuts and still in the graph"), "{rest}");
    }

    #[test]
    fn shortcuts_are_counted_of_few_points_with_few_neighbors() -> Result<(), Error> {
        let points = embedding::PointSet::new((0..300).map(|i| (f64::from(i) * 0.7).sin()).collect(), 2)?;
        let counted = |k: usize| -> Result<bool, Error> {
            let lists = NeighborSearch::nearest(k).find(points.view())?;
            Ok(count_shortcuts(&Input::from(&points), &lists)?.is_some())
        };
        assert!(counted(FEW_NEIGHBORS)? && !counted(FEW_NEIGHBORS + 1)?);
        Ok(())
    }

    #[test]
    fn components_are_counted_where_there_are_several() {
        let rule = Neighborhood::Nearest { k: 8 };
        assert_eq!(components(rule, &[90]), None);
        assert_eq!(components(rule, &[]), None);
        let said = components(rule, &[400, 1200]).expect("a sentence");
        assert_eq!(
            said,
            "The graph of 8 nearest neighbors has 2 components; the largest has 1,200 of 1,600 points."
        );
        let said = components(Neighborhood::Within { radius: 0.5 }, &[3, 2]).expect("a sentence");
        assert!(said.contains("neighbors within 0.5"), "{said}");
    }
}
