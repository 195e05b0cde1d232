//! Supervision by a continuous target.

use embedding::implement::squared_distance;
use embedding::{Embedding, Error, Input, MemoryLimit, Method, Model, Points};
use neighbor_graph::{Duplicates, Neighborhood};
use testkit::cases::{Case, cloud, copied};
use umap::{Densmap, Target, Umap};

const N: usize = 300;

fn recipe(target: Target) -> Umap {
    Umap { neighborhood: Neighborhood::Nearest { k: 10 }, epochs: Some(200), target, ..Umap::default() }
}

fn supervised(weight: f64) -> Umap {
    recipe(Target::Used { weight })
}

/// Eight columns, and a target that is a smooth function of the two of least variance; the others are noise.
fn data() -> (Case, Vec<f64>) {
    let points = cloud(N, 8, 5);
    let values = points.view().rows().map(|row| (3.0 * row[6]).sin() + row[7]).collect();
    (points, values)
}

/// The fraction of the variance of the target that the means of ten neighbors in the map explain, among the `counted`
/// rows.
fn explained(map: &Embedding, values: &[f64], counted: impl Fn(usize) -> bool) -> f64 {
    let rows: Vec<usize> = (0..values.len()).filter(|&i| counted(i)).collect();
    let mean = rows.iter().map(|&i| values[i]).sum::<f64>() / rows.len() as f64;
    let (mut left, mut whole) = (0.0, 0.0);
    for &i in &rows {
        let others = rows.iter().filter(|&&j| j != i);
        let mut near: Vec<(f64, usize)> =
            others.map(|&j| (squared_distance(map.row(i), map.row(j)), j)).collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0));
        let predicted = near[..10].iter().map(|&(_, j)| values[j]).sum::<f64>() / 10.0;
        left += (values[i] - predicted).powi(2);
        whole += (values[i] - mean).powi(2);
    }
    1.0 - left / whole
}

/// Neighbors in the map agree with the target, also where a third of it is unknown: 0.22 of its variance is
/// explained without a target.
#[test]
fn neighbors_agree_with_the_target() -> Result<(), Error> {
    let (points, values) = data();
    let input = Input::from(points.view());
    let free = recipe(Target::Ignored).fit(input)?;
    let ignored = recipe(Target::Ignored).fit(input.with_targets(&values))?;
    assert_eq!(free.embedding(), ignored.embedding(), "a target is not used by default");
    let free = explained(free.embedding(), &values, |_| true);
    let half = explained(supervised(0.5).fit(input.with_targets(&values))?.embedding(), &values, |_| true);
    assert!(free < 0.5 && half > 0.8, "{free}, supervised {half}");
    let gaps: Vec<f64> = (0..N).map(|i| if i % 3 == 0 { f64::NAN } else { values[i] }).collect();
    let partly = supervised(0.5).fit(input.with_targets(&gaps))?;
    let known = explained(partly.embedding(), &values, |i| i % 3 != 0);
    assert!(known > 0.8, "{known}, without target {free}");
    Ok(())
}

/// A weight of 0 gives the map without a target, to the bit; labels are not read where there is a target.
#[test]
fn weight_zero_is_the_map_without_a_target() -> Result<(), Error> {
    let (points, values) = data();
    let input = Input::from(points.view());
    let labels: Vec<u32> = (0..N as u32).map(|i| i % 2).collect();
    let free = recipe(Target::Ignored).fit(input)?;
    let zero = supervised(0.0).fit(input.with_targets(&values).with_labels(&labels))?;
    assert_eq!(free.embedding(), zero.embedding());
    let some = supervised(0.3).fit(input.with_targets(&values))?;
    let labeled = supervised(0.3).fit(input.with_targets(&values).with_labels(&labels))?;
    assert!(some.embedding() != free.embedding());
    assert_eq!(some.embedding(), labeled.embedding());
    Ok(())
}

#[test]
fn the_number_of_target_neighbors_changes_the_map() -> Result<(), Error> {
    let (points, values) = data();
    let input = Input::from(points.view()).with_targets(&values);
    let by = |target_neighbors| Umap { target_neighbors, ..supervised(0.5) };
    let auto = by(None).fit(input)?;
    assert_eq!(auto.embedding(), by(Some(10)).fit(input)?.embedding(), "as many as in the data");
    assert!(auto.embedding() != by(Some(4)).fit(input)?.embedding());
    let refused = by(Some(N)).fit(input);
    assert!(matches!(refused, Err(Error::Parameter { name: "target-neighbors", .. })), "{refused:?}");
    Ok(())
}

/// Distances, a radius, copies that are merged, few known values, and densMAP.
#[test]
fn a_target_supervises_every_input() -> Result<(), Error> {
    let (points, values) = data();
    let distances = points.distances();
    let given = Input::from(embedding::DistanceMatrix::new(&distances, N)?).with_targets(&values);
    let found = explained(supervised(0.5).fit(given)?.embedding(), &values, |_| true);
    assert!(found > 0.8, "{found}");
    let near = Umap { neighborhood: Neighborhood::Within { radius: 2.5 }, ..supervised(0.5) };
    assert!(near.fit(Input::from(points.view()).with_targets(&values)).is_ok());
    let copies = copied(60, 2, 7);
    let of_copies: Vec<f64> = copies.view().rows().map(|row| row[0]).collect();
    let merged = Umap { duplicates: Duplicates::Merge, ..supervised(0.5) };
    let fitted = merged.fit(Input::from(copies.view()).with_targets(&of_copies))?;
    assert_eq!(fitted.embedding().len(), copies.len());
    let two: Vec<f64> = (0..N).map(|i| if i < 2 { values[i] } else { f64::NAN }).collect();
    assert!(supervised(0.5).fit(Input::from(points.view()).with_targets(&two)).is_ok());
    let densmap = Densmap { umap: supervised(0.5), ..Densmap::default() };
    let found = densmap.fit(Input::from(points.view()).with_targets(&values))?;
    assert!(explained(found.embedding(), &values, |_| true) > 0.7);
    Ok(())
}

#[test]
fn unfit_targets_are_refused() {
    let (points, mut values) = data();
    let fit = |values: &[f64]| supervised(0.5).fit(Input::from(points.view()).with_targets(values)).map(drop);
    assert!(matches!(fit(&values[1..]), Err(Error::Shape { .. })));
    assert!(matches!(fit(&[f64::NAN; N]), Err(Error::Degenerate { .. })));
    assert!(matches!(fit(&[1.5; N]), Err(Error::Degenerate { .. })));
    values[7] = f64::NEG_INFINITY;
    let Err(Error::Parameter { got, .. }) = fit(&values) else { panic!("an infinite value is refused") };
    assert!(got.contains("row 7"), "{got}");
}

/// The union of both graphs takes memory of its own.
#[test]
fn memory_counts_the_graph_of_the_target() {
    let (points, values) = data();
    let needed = |input: Input<'_>| {
        let refused =
            supervised(0.5).check_memory_of(&input.with_memory_limit(MemoryLimit::new(1)), input.len());
        let Err(Error::Memory { needed, .. }) = refused else { panic!("one byte is too little") };
        needed
    };
    let input = Input::from(Points::new(points.view().values(), 8).expect("finite"));
    assert!(needed(input.with_targets(&values)) > needed(input) + 24 * 10 * N as u64);
}
