//! Properties of TriMap's maps, and their limits.

use embedding::{
    DistanceMatrix, Error, Input, Method, Metric, Model, PointSet, Recipe, Status, Transform, persist,
};
use neighbor_graph::{Deduplicated, NeighborSearch};
use testkit::cases::{cloud, copied, sheet};
use testkit::groups::{
    agreement, group_labels, groups, keeps_the_order_of_groups, places_points_in_their_group,
};
use testkit::json;
use testkit::layouts::{changes_give_other_maps, changes_give_other_new_points, same_map_at_any_scale};
use testkit::observers::StopEarly;
use trimap::{Descent, FittedTrimap, Start, Trimap};

fn short() -> Trimap {
    Trimap { descent: Descent { iterations: 150, switch: 100, ..Descent::default() }, ..Trimap::default() }
}

#[test]
fn groups_stay_apart_from_every_start_in_any_dimension() -> Result<(), Error> {
    let points = groups(4, 50.0);
    for dim in [2, 3, 5] {
        for start in [Start::Pca, Start::Random] {
            let fitted = Trimap { dim, start, ..short() }.fit(&points)?;
            assert_eq!(fitted.embedding().dim(), dim);
            let found = agreement(fitted.embedding(), &group_labels(120, 4));
            assert!(found > 0.98, "{dim} dimensions: {found}");
        }
    }
    Ok(())
}

/// Groups along a line stay in their order, as the weights of far outliers intend.
#[test]
fn groups_on_a_line_keep_their_order() {
    keeps_the_order_of_groups(|points| {
        Trimap::default().fit(points).expect("180 points").embedding().clone()
    });
}

#[test]
fn every_parameter_changes_the_map() -> Result<(), Error> {
    // Wide, so that principal components can replace columns; a copied point has no scale.
    let points = cloud(120, 8, 1);
    let rows: Vec<&[f64]> = points.view().rows().chain([points.view().row(0); 7]).collect();
    let points = PointSet::new(rows.concat(), 8)?;
    let changes = [
        ("k", "8"),
        ("dim", "3"),
        ("outliers", "3"),
        ("random", "2"),
        ("random-weight", "0.5"),
        ("temperature", "1"),
        ("extra-neighbors", "2"),
        ("least-scale", "0.5"),
        ("columns", "4"),
        ("iterations", "140"),
        ("learning-rate", "0.05"),
        ("first-momentum", "0.4"),
        ("last-momentum", "0.7"),
        ("switch", "50"),
        ("gain-increase", "0.1"),
        ("gain-decay", "0.7"),
        ("least-gain", "0.5"),
        ("start", "random"),
        ("seed", "1"),
    ];
    changes_give_other_maps(&short(), points.view(), &changes)?;
    let placing = [("placing-outliers", "10"), ("placing-steps", "1")];
    changes_give_other_new_points(&short(), points.view(), cloud(20, 8, 2).view(), &placing)?;
    let names = Trimap::parameters().len();
    assert_eq!(names, changes.len() + 4, "each parameter but recall and duplicates is changed above");
    Ok(())
}

/// With one neighbor missing in five the map is another; below 4,096 points every search is
/// exact.
#[test]
fn a_search_for_less_than_all_neighbors_reports_its_recall() -> Result<(), Error> {
    let points = cloud(4200, 12, 1);
    let descent = Descent { iterations: 3, ..Descent::default() };
    let recipe = Trimap { recall: 0.3, descent, ..Trimap::default() };
    let fitted = recipe.fit(points.view())?;
    assert!((0.3..1.0).contains(&fitted.recall()), "{}", fitted.recall());
    let exact = Trimap { recall: 1.0, ..recipe }.fit(points.view())?;
    assert_eq!(exact.recall(), 1.0);
    assert!(exact.embedding() != fitted.embedding());
    Ok(())
}

#[test]
fn a_damaged_model_is_refused() -> Result<(), Error> {
    let points = sheet(60, 1);
    let damages = [
        ("/violated", json!(1.5)),
        ("/recall", json!(-0.5)),
        ("/placing/shared/selected", json!(0)),
        ("/placing/shared/steps", json!(0)),
        ("/placing/outliers/0", json!(60)),
        ("/placing/shared/scales", json!([1.0])),
        ("/placing/weighting/floor", json!(0.0)),
        ("/placing/weighting/temperature", json!(11.0)),
        ("/placing/shared/training/projection/origin", json!([0.0])),
        ("/placing/shared/training/index/training/Points/points/dim", json!(1)),
    ];
    testkit::refuses_damage(Trimap { columns: 2, ..short() }.fit(points.view())?.model(), &damages);
    Ok(())
}

#[test]
fn given_lists_are_the_candidates() -> Result<(), Error> {
    let points = sheet(150, 1);
    let lists = |k| NeighborSearch::nearest(k).find(points.view());
    let searched = short().fit(points.view())?;
    let given = short().fit(Input::from(points.view()).with_neighbors(&lists(62)?))?;
    assert_eq!(searched.embedding(), given.embedding());
    let fewer = short().fit(Input::from(points.view()).with_neighbors(&lists(14)?))?;
    assert!(fewer.embedding() != given.embedding());
    let short_lists = short().fit(Input::from(points.view()).with_neighbors(&lists(11)?));
    assert!(matches!(short_lists, Err(Error::Parameter { .. })), "12 inliers among 11 neighbors");
    let alone = short().fit(Input::from(&lists(14)?));
    assert!(alone.is_err(), "outliers need distances");
    Ok(())
}

/// A metric and the distances by it give the same map and the same coordinates of new points.
#[test]
fn maps_by_a_metric_are_those_of_its_distances() -> Result<(), Error> {
    let (points, new) = (cloud(90, 4, 1), cloud(7, 4, 2));
    for metric in [Metric::Manhattan, Metric::Chebyshev] {
        let known = metric.prepare(points.view())?;
        let all: Vec<f64> = (0..90 * 90).map(|at| known.distance(at / 90, at % 90)).collect();
        let given = DistanceMatrix::new(&all, 90)?;
        let recipe = Trimap { start: Start::Random, ..short() };
        let by_metric = recipe.fit(Input::from(points.view()).with_metric(metric))?;
        let by_distances = recipe.fit(given)?;
        assert_eq!(by_metric.embedding(), by_distances.embedding());
        let far: Vec<f64> = new
            .view()
            .rows()
            .flat_map(|a| points.view().rows().map(|b| known.between(a, b)).collect::<Vec<_>>())
            .collect();
        let placed = by_distances.transform(PointSet::new(far, 90)?.view())?;
        assert_eq!(by_metric.transform(new.view())?.values(), placed.values());
    }
    Ok(())
}

#[test]
fn distances_of_any_scale_give_the_same_map() -> Result<(), Error> {
    same_map_at_any_scale(|distances| Ok(short().fit(distances)?.embedding().clone()))
}

#[test]
fn copies_have_finite_weights_and_lie_apart_from_others() -> Result<(), Error> {
    // Eight copies of each point: the 4th to 6th neighbor of each is a copy.
    let points = copied(40, 8, 3);
    let fitted = short().fit(points.view())?;
    let y = fitted.embedding();
    assert!(y.values().iter().all(|v| v.is_finite()) && fitted.loss() > 0.0);
    let nearest = NeighborSearch::nearest(1).find(PointSet::from_mat(y.coordinates())?.view())?;
    let n = points.len();
    let copies =
        (0..n).filter(|&i| points.view().row(nearest.indices_of(i)[0] as usize) == points.view().row(i));
    assert!(copies.count() as f64 > 0.9 * n as f64);
    Ok(())
}

#[test]
fn illegal_parameters_are_refused() {
    let points = cloud(30, 3, 1);
    let fails = |recipe: Trimap| {
        let result = recipe.fit(points.view());
        assert!(
            matches!(result, Err(Error::Parameter { .. } | Error::Shape { .. })),
            "{recipe:?}: {result:?}"
        );
    };
    fails(Trimap { k: Some(29), ..short() });
    fails(Trimap { k: Some(0), ..short() });
    fails(Trimap { outliers: 0, ..short() });
    fails(Trimap { random_weight: -0.5, ..short() });
    fails(Trimap { temperature: f64::NAN, ..short() });
    fails(Trimap { least_scale: 0.0, ..short() });
    fails(Trimap { columns: 0, ..short() });
    fails(Trimap { recall: 0.0, ..short() });
    fails(Trimap { descent: Descent { learning_rate: 0.0, ..Descent::default() }, ..short() });
    fails(Trimap { descent: Descent { last_momentum: 1.0, ..Descent::default() }, ..short() });
    fails(Trimap { placing_outliers: 0, ..short() });
    fails(Trimap { placing_steps: 0, ..short() });
    fails(Trimap { start: Start::Given(PointSet::new(vec![0.0; 60], 3).expect("finite")), ..short() });
    let far = Descent { learning_rate: 1e38, ..Descent::default() };
    let far = Trimap { descent: far, ..short() }.fit(points.view());
    assert!(matches!(far, Err(Error::Degenerate { .. })), "{far:?}");
}

/// New points of a group are placed in it, also in data reduced to principal components, and by saved models.
#[test]
fn new_points_join_their_group() -> Result<(), Error> {
    let points = groups(3, 50.0);
    for columns in [100, 3] {
        let fitted = Trimap { columns, ..short() }.fit(&points)?;
        let (beside, placed) = places_points_in_their_group(&fitted, &points, 3);
        let loaded: Deduplicated<FittedTrimap> =
            persist::decode("trimap", &persist::encode("trimap", &fitted)?)?;
        assert_eq!(loaded.transform(beside.view())?.values(), placed.values());
    }
    Ok(())
}

#[test]
fn the_loss_decreases_and_is_reported() -> Result<(), Error> {
    let points = sheet(200, 1);
    let fitted = Trimap::default().fit(points.view())?;
    let losses = fitted.losses();
    assert_eq!(losses.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [50, 100, 150, 200, 250, 300, 350, 400]);
    assert!(losses.windows(2).all(|pair| pair[1].1 < pair[0].1), "{losses:?}");
    assert_eq!(losses[7].1, fitted.loss());
    assert!((0.0..0.2).contains(&fitted.violated()), "{}", fitted.violated());
    assert_eq!(fitted.status(), Status::ScheduleCompleted { iterations: 400 });
    Ok(())
}

#[test]
fn an_early_stop_is_reported() -> Result<(), Error> {
    let points = sheet(100, 1);
    let stop = StopEarly::default();
    let fitted = short().fit(Input::from(points.view()).with_observer(&stop))?;
    assert_eq!(fitted.status(), Status::Stopped { iterations: 1 });
    Ok(())
}

/// Three points have one triplet each, and as many random ones as requested.
#[test]
fn three_points_are_the_fewest() -> Result<(), Error> {
    let points = PointSet::from_rows(&[[0.0, 0.0], [1.0, 0.0], [5.0, 1.0]])?;
    let fitted = short().fit(&points)?;
    assert_eq!(fitted.triplets(), [3, 9]);
    assert!(fitted.embedding().values().iter().all(|v| v.is_finite()));
    let two = PointSet::from_rows(&[[0.0, 0.0], [1.0, 0.0]])?;
    assert!(short().fit(&two).is_err());
    Ok(())
}
