//! Properties of PaCMAP and LocalMAP maps, and their limits.

use std::f64::consts::TAU;

use embedding::implement::{maximum, minimum, squared_distance};
use embedding::{Error, Input, Method, Model, PointSet, Recipe, Status, Transform, persist};
use neighbor_graph::{Deduplicated, Duplicates, NeighborSearch};
use pacmap::{FittedPacmap, Localmap, Pacmap, Phase, Phases, Start};
use testkit::cases::{cloud, copied, sheet};
use testkit::groups::{
    agreement, group_labels, groups, keeps_the_order_of_groups, places_points_in_their_group,
};
use testkit::json;
use testkit::layouts::{changes_give_other_maps, changes_give_other_new_points, same_map_at_any_scale};
use testkit::observers::StopEarly;
use testkit::structure::smallest_distance;

fn phases(iterations: usize) -> Phases {
    let Phases { first, second, third } = Phases::default();
    let of = |phase| Phase { iterations, ..phase };
    Phases { first: of(first), second: of(second), third: of(third) }
}

fn short() -> Pacmap {
    Pacmap { phases: phases(50), ..Pacmap::default() }
}

#[test]
fn groups_stay_apart_from_every_start_in_any_dimension() -> Result<(), Error> {
    let points = groups(4, 50.0);
    for dim in [2, 3, 5] {
        for start in [Start::Pca, Start::Random] {
            let recipe = Pacmap { dim, start, ..short() };
            let maps =
                [recipe.fit(&points)?, Localmap { pacmap: recipe, ..Localmap::default() }.fit(&points)?];
            for fitted in maps {
                assert_eq!(fitted.embedding().dim(), dim);
                let found = agreement(fitted.embedding(), &group_labels(120, 4));
                assert!(found > 0.98, "{dim} dimensions: {found}");
            }
        }
    }
    Ok(())
}

/// The layout keeps the order of groups along a line, as the mid-near pairs intend.
#[test]
fn groups_on_a_line_keep_their_order() {
    keeps_the_order_of_groups(|points| {
        Pacmap::default().fit(points).expect("180 points").embedding().clone()
    });
}

#[test]
fn every_parameter_changes_the_map() -> Result<(), Error> {
    // Wide, so that principal components can replace columns.
    let points = cloud(120, 8, 1);
    let base = Localmap { pacmap: Pacmap { k: Some(8), ..short() }, ..Localmap::default() };
    let changes = [
        ("k", "12"),
        ("dim", "3"),
        ("mid-near-ratio", "1"),
        ("further-ratio", "1"),
        ("extra-neighbors", "2"),
        ("mid-near-draws", "3"),
        ("columns", "4"),
        ("first-iterations", "40"),
        ("first-near", "1"),
        ("first-mid-near", "10"),
        ("first-further", "2"),
        ("second-iterations", "40"),
        ("second-near", "1"),
        ("second-mid-near", "10"),
        ("second-further", "2"),
        ("third-iterations", "40"),
        ("third-near", "2"),
        ("third-mid-near", "1"),
        ("third-further", "2"),
        ("near-saturation", "5"),
        ("mid-near-saturation", "100"),
        ("further-saturation", "2"),
        ("learning-rate", "0.5"),
        ("gradient-decay", "0.5"),
        ("square-decay", "0.9"),
        ("start", "random"),
        ("seed", "1"),
        ("distance", "3"),
        ("every", "20"),
        ("tries", "1"),
    ];
    changes_give_other_maps(&base, points.view(), &changes)?;
    changes_give_other_new_points(&base, points.view(), cloud(20, 8, 2).view(), &[("placing-steps", "1")])?;
    let names = Localmap::parameters().len();
    let elsewhere = ["placing-steps", "recall", "duplicates"].len();
    assert_eq!(names, changes.len() + elsewhere, "each other parameter is changed above");
    Ok(())
}

/// With one neighbor missing in five the map is another; below 4,096 points every search is
/// exact.
#[test]
fn a_search_for_less_than_all_neighbors_reports_its_recall() -> Result<(), Error> {
    let points = cloud(4200, 12, 1);
    let recipe = Pacmap { recall: 0.3, phases: phases(1), ..Pacmap::default() };
    let fitted = recipe.fit(points.view())?;
    assert!((0.3..1.0).contains(&fitted.recall()), "{}", fitted.recall());
    let exact = Pacmap { recall: 1.0, ..recipe }.fit(points.view())?;
    assert_eq!(exact.recall(), 1.0);
    assert!(exact.embedding() != fitted.embedding());
    Ok(())
}

/// Averages over all iterations, by rates of 1e-6 and 1e-10.
#[test]
fn decays_near_one_are_no_one() -> Result<(), Error> {
    let points = sheet(60, 1);
    let map = |decay: f64| -> Result<Vec<f64>, Error> {
        let recipe = Pacmap { gradient_decay: 1.0 - decay, phases: phases(2), ..Pacmap::default() };
        Ok(recipe.fit(points.view())?.embedding().values().to_vec())
    };
    let (near, nearer) = (map(1e-6)?, map(1e-10)?);
    let largest = near.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    let gap = near.iter().zip(&nearer).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(gap < 1e-3 * largest, "{gap:e} of {largest:e}");
    Ok(())
}

#[test]
fn near_pairs_are_those_requested() {
    assert_eq!([0, 1, 2, 11, 10_000, 100_000].map(|n| Pacmap::default().near_pairs(n)), [1, 1, 1, 3, 10, 25]);
    assert_eq!(Pacmap { k: Some(7), ..Pacmap::default() }.near_pairs(5), 7);
}

#[test]
fn a_damaged_model_is_refused() -> Result<(), Error> {
    let points = sheet(60, 1);
    let damages = [
        ("/recall", json!(1.5)),
        ("/placing/shared/selected", json!(0)),
        ("/placing/shared/steps", json!(0)),
        ("/placing/shared/scales", json!([1.0])),
        ("/placing/shared/scales/3", json!(-1.0)),
        ("/placing/shared/training/projection/origin", json!([0.0])),
        ("/placing/shared/training/index/training/Points/points/dim", json!(1)),
    ];
    let reduced = Pacmap { columns: 2, ..short() };
    testkit::refuses_damage(reduced.fit(points.view())?.model(), &damages);
    testkit::refuses_damage(reduced.fit(points.view())?.model(), &[("/placing/term/Pull/c", json!(1e-7))]);
    let rows: Vec<u32> = (0..60).chain([7, 7]).collect();
    let merging = Pacmap { duplicates: Duplicates::Merge, ..short() };
    let merged = merging.fit(points.select(&rows).view())?;
    let of_copies = [
        ("/rows/of/60", json!(60)),
        ("/rows/of/61", json!(8)),
        ("/rows/first/5", json!(6)),
        ("/rows/embedding/values/0", json!(0.125)),
        ("/model/recall", json!(1.5)),
    ];
    testkit::refuses_damage(&merged, &of_copies);
    let local = Localmap { pacmap: reduced, ..Localmap::default() }.fit(points.view())?;
    let (c, h) = ("/placing/term/LocalPull/c", "/placing/term/LocalPull/h");
    testkit::refuses_damage(local.model(), &[(c, json!(1e13)), (h, json!(0.4e-6)), (h, json!(0.6e12))]);
    Ok(())
}

#[test]
fn given_lists_are_the_candidates() -> Result<(), Error> {
    let points = sheet(150, 1);
    let lists = |k| NeighborSearch::nearest(k).find(points.view());
    let searched = short().fit(points.view())?;
    let given = short().fit(Input::from(points.view()).with_neighbors(&lists(60)?))?;
    assert_eq!(searched.embedding(), given.embedding());
    let fewer = short().fit(Input::from(points.view()).with_neighbors(&lists(12)?))?;
    assert!(fewer.embedding() != given.embedding());
    let short_lists = short().fit(Input::from(points.view()).with_neighbors(&lists(9)?));
    assert!(matches!(short_lists, Err(Error::Parameter { .. })), "10 near pairs among 9 neighbors");
    let alone = short().fit(Input::from(&lists(12)?));
    assert!(alone.is_err(), "mid-near pairs need distances");
    Ok(())
}

#[test]
fn distances_of_any_scale_give_the_same_map() -> Result<(), Error> {
    same_map_at_any_scale(|distances| Ok(short().fit(distances)?.embedding().clone()))
}

/// Without further pairs nothing would separate the points.
#[test]
fn few_points_have_an_extent_in_every_direction() -> Result<(), Error> {
    for n in 3..32 {
        let points = cloud(n, 5, n as u64);
        let recipe = Pacmap { phases: phases(100), ..Pacmap::default() };
        for fitted in [recipe.fit(&points.points)?, Localmap::default().fit(&points.points)?] {
            let y = fitted.embedding().coordinates();
            for c in 0..2 {
                let (low, high) = (y.col(c).iter(), y.col(c).iter());
                let extent = maximum(high.copied()) - minimum(low.copied());
                // Three points with two pairs each lie on a line.
                let least = if n == 3 { 0.01 } else { 0.1 };
                assert!(extent > least, "{n} points: column {c} has the extent {extent:e}");
            }
        }
    }
    let refused = Pacmap::default().fit(&cloud(2, 5, 1).points).expect_err("no further pair").to_string();
    assert!(refused.contains("at least 3 points"), "{refused}");
    Ok(())
}

#[test]
fn near_pairs_that_leave_no_further_ones_are_refused() -> Result<(), Error> {
    let points = cloud(10, 3, 1);
    let with = |k, further_ratio| Pacmap { k: Some(k), further_ratio, ..short() };
    let refused = with(9, 2.0).fit(&points.points).expect_err("all are near pairs").to_string();
    assert!(refused.contains("at most n - 2 (here 8)") && refused.contains("but is 9"), "{refused}");
    assert_eq!(with(8, 2.0).fit(&points.points)?.pairs()[2], 10);
    assert_eq!(with(9, 0.0).fit(&points.points)?.pairs()[2], 0);
    Ok(())
}

#[test]
fn duplicates_are_separated() -> Result<(), Error> {
    let points = copied(60, 2, 7);
    let fitted = short().fit(points.view())?;
    assert!(smallest_distance(fitted.embedding()) > 0.0);
    Ok(())
}

#[test]
fn illegal_parameters_are_refused() {
    let points = cloud(30, 3, 1);
    let fails = |recipe: Pacmap| {
        let result = recipe.fit(points.view());
        assert!(
            matches!(result, Err(Error::Parameter { .. } | Error::Shape { .. })),
            "{recipe:?}: {result:?}"
        );
    };
    fails(Pacmap { k: Some(30), ..short() });
    fails(Pacmap { k: Some(0), ..short() });
    fails(Pacmap { mid_near_ratio: -0.5, ..short() });
    fails(Pacmap { further_ratio: f64::NAN, ..short() });
    fails(Pacmap { mid_near_draws: 1, ..short() });
    fails(Pacmap { columns: 0, ..short() });
    fails(Pacmap { recall: 0.0, ..short() });
    fails(Pacmap { learning_rate: 0.0, ..short() });
    fails(Pacmap { square_decay: 1.0, ..short() });
    fails(Pacmap { placing_steps: 0, ..short() });
    fails(Pacmap { start: Start::Given(PointSet::new(vec![0.0; 60], 3).expect("finite")), ..short() });
    let far = Pacmap { learning_rate: 1e38, ..short() }.fit(points.view());
    assert!(matches!(far, Err(Error::Degenerate { .. })), "{far:?}");
    for (name, value) in [("distance", "0"), ("every", "0")] {
        assert!(Localmap::default().set(name, value).is_err(), "{name} = {value}");
    }
}

/// New points of a group are placed in it, also in data reduced to principal components, and by saved models.
#[test]
fn new_points_join_their_group() -> Result<(), Error> {
    let points = groups(3, 50.0);
    for columns in [100, 3] {
        let fitted = Pacmap { columns, ..short() }.fit(&points)?;
        let (beside, placed) = places_points_in_their_group(&fitted, &points, 3);
        let loaded: Deduplicated<FittedPacmap> =
            persist::decode("pacmap", &persist::encode("pacmap", &fitted)?)?;
        assert_eq!(loaded.transform(beside.view())?.values(), placed.values());
    }
    Ok(())
}

/// The position of a new point is a minimum of the weighted sum over its near pairs: no step improves it.
#[test]
fn placed_points_are_at_a_minimum() -> Result<(), Error> {
    let points = groups(3, 2.0);
    // Without further candidates the near pairs are the nearest neighbors.
    let fitted = Pacmap { extra_neighbors: 0, placing_steps: 10_000, ..short() }.fit(&points)?;
    let new = cloud(30, 5, 9);
    let placed = fitted.transform(new.view())?;
    let map = fitted.embedding();
    let sorted = |row: &[f64]| -> Vec<(f64, usize)> {
        let mut all: Vec<(f64, usize)> =
            (0..90).map(|j| (squared_distance(row, points.view().row(j)), j)).collect();
        all.sort_by(|a, b| a.partial_cmp(b).expect("finite"));
        all
    };
    // The point itself is the first.
    let scale = |all: &[(f64, usize)]| all[4..7].iter().map(|(squared, _)| squared.sqrt() / 3.0).sum::<f64>();
    let sigma: Vec<f64> = points.view().rows().map(|row| scale(&sorted(row))).collect();
    for i in 0..30 {
        let mut by_distance = sorted(new.view().row(i));
        let scaled = |&(squared, j): &(f64, usize)| squared / sigma[j];
        by_distance[..10].sort_by(|a, b| scaled(a).total_cmp(&scaled(b)));
        let loss = |y: &[f64]| -> f64 {
            let d = |j: usize| 1.0 + squared_distance(y, map.row(j));
            by_distance[..10].iter().map(|pair| d(pair.1) / (10.0 + d(pair.1)) / scaled(pair)).sum()
        };
        let here = loss(placed.row(i));
        for step in 0..8 {
            let angle = TAU * f64::from(step) / 8.0;
            let aside = [placed.row(i)[0] + 1e-3 * angle.cos(), placed.row(i)[1] + 1e-3 * angle.sin()];
            assert!(loss(&aside) > here, "point {i}: {} < {here}", loss(&aside));
        }
    }
    Ok(())
}

/// A row next to a training row is placed next to it, however far its other neighbors are in the map.
#[test]
fn the_extension_interpolates() -> Result<(), Error> {
    let set = datasets::load("digits", &datasets::Request { n: Some(300), ..Default::default() })?;
    let points = &set.points;
    let beside = PointSet::new(points.view().values().iter().map(|v| v + 1e-3).collect(), points.dim())?;
    for fitted in [Pacmap::default().fit(points)?, Localmap::default().fit(points)?] {
        let (map, placed) = (fitted.embedding(), fitted.transform(beside.view())?);
        let extent = map.rows().map(|row| squared_distance(row, map.row(0))).fold(0.0, f64::max).sqrt();
        let gap = |i: usize| squared_distance(map.row(i), placed.row(i)).sqrt() / extent;
        let largest = (0..300).map(gap).fold(0.0, f64::max);
        assert!(largest < 1e-5, "{largest:e} of the map");
        let extended = fitted.transform_ignoring_matches(points.view())?;
        assert_eq!(extended.values(), map.values());
    }
    Ok(())
}

#[test]
fn the_loss_decreases_in_the_third_phase() -> Result<(), Error> {
    let points = sheet(200, 1);
    for nearby in [false, true] {
        let loss = |iterations| -> Result<f64, Error> {
            let Phases { first, second, third } = Phases::default();
            let phases = Phases { first, second, third: Phase { iterations, ..third } };
            let recipe = Pacmap { phases, ..Pacmap::default() };
            // Without draws the pairs of all lengths are the same.
            let fitted = if nearby {
                Localmap { pacmap: recipe, tries: 0, ..Localmap::default() }.fit(points.view())?
            } else {
                recipe.fit(points.view())?
            };
            Ok(fitted.loss())
        };
        let (before, after) = (loss(0)?, loss(250)?);
        assert!(after < 0.99 * before, "{before}, {after}");
    }
    Ok(())
}

#[test]
fn an_early_stop_is_reported() -> Result<(), Error> {
    let points = sheet(100, 1);
    let stop = StopEarly::default();
    let fitted = short().fit(Input::from(points.view()).with_observer(&stop))?;
    assert_eq!(fitted.status(), Status::Stopped { iterations: 1 });
    let whole = short().fit(points.view())?;
    assert_eq!(whole.status(), Status::ScheduleCompleted { iterations: 150 });
    assert_eq!(whole.losses().iter().map(|(at, _)| *at).collect::<Vec<_>>(), [50, 100, 150]);
    assert_eq!(whole.losses()[2].1, whole.loss());
    Ok(())
}
