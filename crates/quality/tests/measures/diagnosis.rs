//! Diagnoses of a neighbor graph.

use embedding::{Error, Input, Neighbors, PointSet};
use neighbor_graph::Neighborhood;
use quality::diagnosis::count_shortcuts;

/// A path through `n` points with `dim` columns.
fn is_counted(n: usize, dim: usize) -> Result<bool, Error> {
    let mut values = vec![0.0; n * dim];
    values.chunks_exact_mut(dim).zip(0..).for_each(|(row, i)| row[0] = f64::from(i));
    let points = PointSet::new(values, dim)?;
    let lists = (0..n).map(|i| vec![(if i == 0 { 1 } else { i as u32 - 1 }, 1.0)]).collect();
    let lists = Neighbors::from_lists(lists, Neighborhood::Nearest { k: 1 })?;
    Ok(count_shortcuts(&Input::from(&points), &lists)?.is_some())
}

#[test]
fn shortcuts_are_counted_of_up_to_five_million_values() -> Result<(), Error> {
    assert!(is_counted(1000, 5000)? && !is_counted(1000, 5001)?);
    Ok(())
}
