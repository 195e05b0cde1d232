//! Properties of UMAP maps, and their limits.

use embedding::implement::squared_distance;
use embedding::{
    Error, Input, MemoryLimit, Method, Model, PointSet, Silent, SparsePointSet, Status, Transform,
};
use neighbor_graph::{Duplicates, NeighborSearch, Neighborhood};
use testkit::cases::{cloud, copied, sheet};
use testkit::groups::{agreement, group_labels, groups, places_points_in_their_group};
use testkit::layouts::{changes_give_other_maps, changes_give_other_new_points};
use testkit::observers::StopEarly;
use testkit::structure::smallest_distance;
use umap::{CrossEntropy, FuzzyGraph, Start, Target, TransformSettings, Umap};

fn short() -> Umap {
    Umap { neighborhood: Neighborhood::Nearest { k: 8 }, epochs: Some(100), ..Umap::default() }
}

/// A limit that the fit exceeds is refused by the sizes alone, unless copies are merged first.
#[test]
fn memory_is_refused_before_neighbors_are_searched() -> Result<(), Error> {
    let points = cloud(500, 4, 1);
    let input = Input::from(&points.points);
    let Err(Error::Memory { needed, .. }) =
        short().check_memory_of(&input.with_memory_limit(MemoryLimit::new(1)), input.len())
    else {
        panic!("one byte is too little");
    };
    for (limit, is_refused) in [(needed - 1, true), (needed, false)] {
        let input = input.with_memory_limit(MemoryLimit::new(limit));
        assert_eq!(short().check_memory_of(&input, input.len()).is_err(), is_refused, "{limit}");
        let merged = Umap { duplicates: Duplicates::Merge, ..short() };
        assert_eq!(merged.check_memory_of(&input, input.len()), Ok(()), "{limit}");
    }
    let limited = input.with_memory_limit(MemoryLimit::new(needed - 1));
    assert_eq!(short().fit(limited).map(drop), short().check_memory_of(&limited, limited.len()));
    Ok(())
}

#[test]
fn disconnected_groups_stay_apart_from_every_start_in_any_dimension() -> Result<(), Error> {
    // Up to 2 d components are on the axes, more at their principal components.
    for count in [2, 3, 7] {
        let points = groups(count, 400.0);
        let labels = group_labels(30 * count, count);
        for dim in [1, 2, 3, 5] {
            let fitted = Umap { dim, ..short() }.fit(&points)?;
            assert_eq!(fitted.components(), count);
            assert_eq!(fitted.embedding().dim(), dim);
            let found = agreement(fitted.embedding(), &labels);
            // On a line, groups that start side by side may overlap.
            let least = if dim == 1 { 0.9 } else { 0.99 };
            assert!(found > least, "{count} groups in {dim} dimensions: {found}");
        }
    }
    let (points, labels) = (groups(4, 50.0), group_labels(120, 4));
    let given = PointSet::new((0..240).map(|i| f64::from(i * 7 % 13)).collect(), 2)?;
    for start in [Start::Pca, Start::Random, Start::Given(given)] {
        let fitted = Umap { start: start.clone(), epochs: Some(300), ..short() }.fit(&points)?;
        let found = agreement(fitted.embedding(), &labels);
        assert!(found > 0.99, "{start}: {found}");
    }
    Ok(())
}

#[test]
fn lists_without_points_have_components_side_by_side() -> Result<(), Error> {
    let points = groups(7, 400.0);
    let neighbors = NeighborSearch::nearest(8).find(points.view())?;
    let fitted = short().fit(Input::from(&neighbors))?;
    assert!(agreement(fitted.embedding(), &group_labels(210, 7)) > 0.99);
    assert!(matches!(fitted.transform(points.view()), Err(Error::Degenerate { .. })));
    Ok(())
}

#[test]
fn given_lists_are_those_of_the_search() -> Result<(), Error> {
    let points = sheet(150, 1);
    let neighbors = NeighborSearch::nearest(8).find(points.view())?;
    let searched = short().fit(points.view())?;
    let given = short().fit(Input::from(points.view()).with_neighbors(&neighbors))?;
    assert_eq!(searched.embedding(), given.embedding());
    let radius = Umap { neighborhood: Neighborhood::Within { radius: 0.5 }, ..short() };
    assert!(radius.fit(points.view())?.embedding() != searched.embedding());
    Ok(())
}

/// Isolated points are components of one point.
#[test]
fn isolated_points_have_a_place() -> Result<(), Error> {
    let mut rows: Vec<[f64; 2]> = (0..40).map(|i| [f64::from(i % 8), f64::from(i / 8)]).collect();
    rows.extend([[100.0, 0.0], [0.0, 100.0], [-100.0, 0.0], [0.0, -100.0]]);
    let recipe = Umap { neighborhood: Neighborhood::Within { radius: 1.5 }, ..short() };
    let fitted = recipe.fit(&PointSet::from_rows(&rows)?)?;
    assert_eq!(fitted.components(), 5);
    assert!(fitted.embedding().values().iter().all(|v| v.is_finite()));
    let refused = recipe.fit(&PointSet::from_rows(&rows[40..])?);
    assert!(matches!(refused, Err(Error::Degenerate { .. })), "{refused:?}");
    Ok(())
}

#[test]
fn duplicates_are_separated_by_the_start() -> Result<(), Error> {
    let points = copied(60, 2, 7);
    let fitted = short().fit(points.view())?;
    assert!(smallest_distance(fitted.embedding()) > 0.0);
    Ok(())
}

#[test]
fn labels_separate_classes_where_requested() -> Result<(), Error> {
    let points = cloud(150, 4, 5);
    let labels = group_labels(150, 3);
    let input = Input::from(points.view()).with_labels(&labels);
    let (plain, ignored) = (short().fit(points.view())?, short().fit(input)?);
    assert_eq!(plain.embedding(), ignored.embedding(), "labels are not used by default");
    let supervised = |weight| Umap { target: Target::Used { weight }, ..short() };
    let half = agreement(supervised(0.5).fit(input)?.embedding(), &labels);
    let whole = supervised(1.0).fit(input)?;
    assert!(agreement(plain.embedding(), &labels) < 0.6, "classes are random");
    assert!(half > 0.8, "{half}");
    let found = agreement(whole.embedding(), &labels);
    assert!(found > 0.9 && whole.components() >= 3, "{found}");
    let refused = supervised(0.5).fit(points.view());
    assert!(matches!(refused, Err(Error::Degenerate { .. })), "{refused:?}");
    Ok(())
}

#[test]
fn every_parameter_changes_the_map() -> Result<(), Error> {
    let points = sheet(120, 1);
    let changes = [
        ("k", "12"),
        ("radius", "0.6"),
        ("dim", "3"),
        ("min-dist", "0.5"),
        ("spread", "2"),
        ("epochs", "90"),
        ("surface", "hyperboloid"),
        ("start", "pca"),
        ("start", "random"),
        ("learning-rate", "0.5"),
        ("negatives", "2"),
        ("repulsion", "2"),
        ("local-connectivity", "2"),
        ("mix", "0.5"),
        ("seed", "1"),
    ];
    changes_give_other_maps(&short(), points.view(), &changes)?;
    let placing = [("placing-epochs", "30"), ("placing-learning-rate", "0.5")];
    changes_give_other_new_points(&short(), points.view(), sheet(20, 2).view(), &placing)
}

#[test]
fn illegal_parameters_are_refused() {
    let points = cloud(30, 3, 1);
    let fails = |recipe: Umap| {
        let result = recipe.fit(points.view());
        assert!(
            matches!(result, Err(Error::Parameter { .. } | Error::Shape { .. })),
            "{recipe:?}: {result:?}"
        );
    };
    fails(Umap { neighborhood: Neighborhood::Nearest { k: 30 }, ..short() });
    fails(Umap { min_dist: 1.5, ..short() });
    fails(Umap { spread: 0.0, ..short() });
    fails(Umap { epochs: Some(0), ..short() });
    fails(Umap { mix: 1.5, ..short() });
    fails(Umap { learning_rate: f64::INFINITY, ..short() });
    fails(Umap { target: Target::Used { weight: -0.5 }, ..short() });
    fails(Umap { placing: TransformSettings { epochs: 0, ..TransformSettings::default() }, ..short() });
    fails(Umap { start: Start::Given(PointSet::new(vec![0.0; 60], 3).expect("finite")), ..short() });
    let far = Umap { learning_rate: 1e38, ..short() }.fit(points.view());
    assert!(matches!(far, Err(Error::Degenerate { .. })), "{far:?}");
}

/// New points of a group are placed in it, and repeated training rows at their coordinates.
#[test]
fn new_points_join_their_group() -> Result<(), Error> {
    let points = groups(3, 50.0);
    let fitted = short().fit(&points)?;
    places_points_in_their_group(&fitted, &points, 3);
    Ok(())
}

#[test]
fn the_loss_is_the_sum_over_all_pairs() -> Result<(), Error> {
    let points = sheet(150, 1);
    let fitted = short().fit(points.view())?;
    let neighbors = NeighborSearch::nearest(8).find(points.view())?;
    let fuzzy = FuzzyGraph::of_neighbors(&neighbors, 1.0, 1.0, &Silent)?;
    let y = fitted.embedding();
    let mut expected = 0.0;
    for i in 0..150 {
        for j in 0..i {
            let w = fitted.curve().similarity(squared_distance(y.row(i), y.row(j)));
            let (js, vs) = fuzzy.graph().of(i);
            let v = js.binary_search(&(j as u32)).map_or(0.0, |at| vs[at]);
            expected -= v * w.max(1e-4).ln() + (1.0 - v) * (1.0 - w).max(1e-4).ln();
        }
    }
    let CrossEntropy::Exact(loss) = fitted.cross_entropy() else { panic!("150 points are few") };
    assert!((loss / expected - 1.0).abs() < 1e-4, "{loss}, expected {expected}");
    let &[(50, _), (100, last)] = fitted.cross_entropies() else { panic!("two estimates") };
    assert!((last / expected - 1.0).abs() < 0.1, "{last}, expected {expected}");
    Ok(())
}

#[test]
fn the_loss_decreases_below_that_of_the_start() -> Result<(), Error> {
    let points = sheet(150, 1);
    let loss = |epochs| -> Result<f64, Error> {
        Ok(Umap { epochs: Some(epochs), start: Start::Random, ..short() }
            .fit(points.view())?
            .cross_entropy()
            .value())
    };
    let (one, many) = (loss(1)?, loss(200)?);
    assert!(many < 0.7 * one, "{one}, {many}");
    Ok(())
}

#[test]
fn an_early_stop_is_reported() -> Result<(), Error> {
    let points = sheet(100, 1);
    let stop = StopEarly::default();
    let fitted = short().fit(Input::from(points.view()).with_observer(&stop))?;
    assert_eq!(fitted.status(), Status::Stopped { iterations: 1 });
    assert_eq!(short().fit(points.view())?.status(), Status::ScheduleCompleted { iterations: 100 });
    Ok(())
}

/// The start reads the means of the points for a graph of many components, and their principal components for
/// other graphs; sparse points are read without zeros.
#[test]
fn sparse_points_start_where_the_same_rows_with_zeros_do() -> Result<(), Error> {
    // Groups that have no column in common.
    let value =
        |i: usize, c: usize| if c / 3 == i / 10 { 5.0 + ((i * (c + 2)) % 7) as f64 / 5.0 } else { 0.0 };
    let points = PointSet::new((0..80 * 24).map(|at| value(at / 24, at % 24)).collect(), 24)?;
    let sparse = SparsePointSet::of(points.view())?;
    for start in [Start::Spectral, Start::Pca] {
        let still = Umap {
            start: start.clone(),
            epochs: Some(1),
            learning_rate: 1e-9,
            neighborhood: Neighborhood::Nearest { k: 5 },
            ..Umap::default()
        };
        let (of_sparse, of_dense) = (still.fit(sparse.view())?, still.fit(&points)?);
        assert!(of_sparse.components() > 4 && of_sparse.components() == of_dense.components());
        let largest = of_dense.embedding().coordinates().norm_max();
        let gap = (of_sparse.embedding().coordinates() - of_dense.embedding().coordinates()).norm_max();
        assert!(gap < 1e-5 * largest, "{start}: {gap} of {largest}");
    }
    Ok(())
}
