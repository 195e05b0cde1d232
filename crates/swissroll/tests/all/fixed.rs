//! Rows that keep their given places while others move.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use swissroll::embedding::{Iteration, Observer};
use swissroll::mds::Smacof;
use swissroll::prelude::{Duplicates, Error, Input, Method, Model, PointSet, Points, Transform};
use swissroll::umap::{self, Umap};
use testkit::cases::{Case, cloud};
use testkit::on_threads;

use crate::starts::{points_of, short, with};

const FIXING: [&str; 9] =
    ["smacof", "nonmetric-mds", "sammon", "tsne", "umap", "densmap", "pacmap", "localmap", "trimap"];

/// Every third of 60 rows.
fn third() -> Vec<bool> {
    (0..60).map(|row| row % 3 == 0).collect()
}

/// Places that single precision rounds, not centered; one is −0.
fn places() -> PointSet {
    let mut values: Vec<f64> = cloud(60, 2, 2).points.view().values().iter().map(|v| 3.0 * v + 0.7).collect();
    values[6] = -0.0;
    PointSet::new(values, 2).expect("finite")
}

/// Rows are fixed to the bit by every method that keeps them, at any number of threads, also where the data are
/// so large that they are divided; the others move.
#[test]
fn fixed_rows_end_at_their_places_to_the_bit() -> Result<(), Error> {
    let (case, start, fixed) = (cloud(60, 4, 1), places(), third());
    for name in FIXING {
        let method = short(name)?;
        let is_distances = ["smacof", "nonmetric-mds", "sammon"].contains(&name);
        for unit in [1.0, 2_f64.powi(700)] {
            let points: Vec<f64> = case.points.view().values().iter().map(|v| unit * v).collect();
            let points = PointSet::new(points, 4)?;
            let unit = if is_distances { unit } else { 1.0 };
            let start = PointSet::new(start.view().values().iter().map(|v| unit * v).collect(), 2)?;
            let input = Input::from(&points).with_start(start.view()).with_fixed(&fixed);
            let fitted = on_threads(4, || method.fit_dyn(&input))?;
            for (row, is_fixed) in fixed.iter().enumerate() {
                let (place, end) = (start.view().row(row), fitted.embedding().row(row));
                let same = place.iter().zip(end).all(|(a, b)| a.to_bits() == b.to_bits());
                assert_eq!(same, *is_fixed, "{name}, row {row}: {place:?}, {end:?}");
            }
            let alone = on_threads(1, || method.fit_dyn(&input))?;
            assert_eq!(alone.embedding(), fitted.embedding(), "{name}");
            assert_eq!(alone.save()?, fitted.save()?, "{name}");
        }
    }
    Ok(())
}

/// The places of fixed rows at every iteration.
struct Watch<'a> {
    start: Points<'a>,
    fixed: &'a [bool],
    iterations: AtomicUsize,
}

impl Observer for Watch<'_> {
    fn iteration(&self, iteration: &Iteration<'_>) -> ControlFlow<()> {
        for row in (0..self.fixed.len()).filter(|row| self.fixed[*row]) {
            for (c, place) in self.start.row(row).iter().enumerate() {
                let gap = (iteration.coordinates[(row, c)] - place).abs();
                assert!(gap <= 1e-6 * place.abs(), "row {row} moved by {gap:e} in {}", iteration.number);
            }
        }
        self.iterations.fetch_add(1, Ordering::Relaxed);
        ControlFlow::Continue(())
    }
}

/// Fixed rows stay in all iterations, so that the others are optimized with them where they are.
#[test]
fn fixed_rows_stay_in_all_iterations() -> Result<(), Error> {
    let (case, start, fixed) = (cloud(60, 4, 1), places(), third());
    for name in FIXING {
        let watch = Watch { start: start.view(), fixed: &fixed, iterations: AtomicUsize::new(0) };
        let input = Input::from(&case.points).with_start(start.view()).with_fixed(&fixed);
        short(name)?.fit_dyn(&input.with_observer(&watch))?;
        assert!(watch.iterations.load(Ordering::Relaxed) > 2, "{name}");
    }
    Ok(())
}

/// A mask without a fixed row changes nothing, with or without a start.
#[test]
fn without_a_fixed_row_a_fit_is_the_plain_one() -> Result<(), Error> {
    let (case, start, none) = (cloud(60, 4, 1), places(), vec![false; 60]);
    for method in swissroll::methods() {
        let name = method.about().name;
        let method = if method.fixes_rows() { short(name)? } else { method };
        let input = Input::from(&case.points).with_labels(&case.labels);
        let plain = method.fit_dyn(&input)?;
        assert_eq!(method.fit_dyn(&input.with_fixed(&none))?.embedding(), plain.embedding(), "{name}");
        if method.fixes_rows() {
            let input = input.with_start(start.view());
            let expected = method.fit_dyn(&input)?;
            assert_eq!(method.fit_dyn(&input.with_fixed(&none))?.embedding(), expected.embedding(), "{name}");
        }
    }
    Ok(())
}

/// What cannot be fixed is refused with a sentence: all rows, rows without a start, another number of rows, and
/// rows of a method that keeps none.
#[test]
fn masks_are_checked() -> Result<(), Error> {
    let (case, start) = (cloud(60, 4, 1), places());
    let (all, some, few) = (vec![true; 60], third(), vec![true; 59]);
    for method in swissroll::methods() {
        let name = method.about().name;
        let input = Input::from(&case.points).with_labels(&case.labels);
        let refused = |input: Input<'_>, words: &str| {
            let message = method.fit_dyn(&input).map(|_| ()).expect_err(name).to_string();
            assert!(message.contains(words), "{name}: {message}");
        };
        assert_eq!(method.fixes_rows(), FIXING.contains(&name), "{name}");
        refused(input.with_fixed(&few), "the number of values that say which rows are fixed must be 60");
        if method.fixes_rows() {
            let input = input.with_start(start.view());
            refused(input.with_fixed(&all), "all 60 rows are fixed, and no row moves");
            refused(Input::from(&case.points).with_fixed(&some), "20 rows are fixed, and no start is given");
        } else {
            refused(input.with_fixed(&some), "keeps no rows at given places, and 20 are fixed");
        }
    }
    Ok(())
}

/// Where that is permitted, all rows are fixed, also where others are their copies: the model places rows of its
/// data at their places, and another row elsewhere.
#[test]
fn all_rows_may_be_fixed_where_that_is_permitted() -> Result<(), Error> {
    let (case, start, all) = (cloud(60, 4, 1), places(), vec![true; 60]);
    let twice: Vec<u32> = (0..60).chain([4]).collect();
    let (copied, copied_start) = (case.select(&twice), start.view().select(&twice));
    for name in FIXING {
        let method = short(name)?;
        let input = Input::from(&case.points).with_start(start.view()).with_all_fixed_allowed();
        let fitted = method.fit_dyn(&input.with_fixed(&all))?;
        let bits = |points: &[f64]| points.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(fitted.embedding().values()), bits(start.view().values()), "{name}");
        let placed = fitted.transform(cloud(5, 4, 3).view())?;
        assert!(placed.values().iter().all(|v| v.is_finite()), "{name}");
        let input = Input::from(&copied.points).with_start(copied_start.view()).with_all_fixed_allowed();
        let fixed: Vec<bool> = (0..61).map(|row| row < 60).collect();
        let fitted = method.fit_dyn(&input.with_fixed(&fixed))?;
        let merges =
            method.parameters().iter().any(|info| info.name == "duplicates" && info.value == "merge");
        let (copy, place) = (fitted.embedding().row(60), start.view().row(4));
        assert!(!merges || copy == place, "{name}: {copy:?} and {place:?}");
    }
    Ok(())
}

/// Sets of two far groups: a row of the first group that starts in the second one, whose other rows are fixed,
/// ends nearer to its own group.
#[test]
fn a_moving_row_is_drawn_to_its_fixed_neighbors() -> Result<(), Error> {
    let apart = |row: &[f64], at: usize| -> Vec<f64> {
        row.iter().map(|v| v + if at.is_multiple_of(2) { 0.0 } else { 12.0 }).collect()
    };
    let spread = cloud(60, 4, 1);
    let rows: Vec<Vec<f64>> = spread.view().rows().enumerate().map(|(at, row)| apart(row, at)).collect();
    let points = PointSet::from_rows(&rows)?;
    let plane: Vec<Vec<f64>> =
        cloud(60, 2, 5).view().rows().enumerate().map(|(at, row)| apart(row, at)).collect();
    let mut start = plane.clone();
    start[30] = plane[31].iter().map(|v| v + 0.1).collect();
    let start = PointSet::from_rows(&start)?;
    let fixed: Vec<bool> = (0..60).map(|row| row != 30).collect();
    let center = |parity: usize| -> [f64; 2] {
        let rows = (0..60).filter(|row| row % 2 == parity && *row != 30);
        let sum = rows.fold([0.0; 2], |sum, row| [sum[0] + plane[row][0], sum[1] + plane[row][1]]);
        sum.map(|v| v / (29 + parity) as f64)
    };
    for name in FIXING {
        let method = with(name, &[])?;
        let fitted = method.fit_dyn(&Input::from(&points).with_start(start.view()).with_fixed(&fixed))?;
        let end = fitted.embedding().row(30);
        let distance = |to: [f64; 2]| (end[0] - to[0]).hypot(end[1] - to[1]);
        assert!(distance(center(0)) < distance(center(1)), "{name}: {end:?}");
    }
    Ok(())
}

/// The stress of one moving row among fixed ones is what `transform` minimizes: the row stays where its model
/// places it, with equal weights and with others.
#[test]
fn one_moving_row_ends_where_the_model_places_it() -> Result<(), Error> {
    let case = cloud(41, 4, 8);
    let (first, last) = (case.first(40), case.select(&[40]));
    for name in ["smacof", "sammon"] {
        let method = with(name, &[("tolerance", "0"), ("iterations", "500")])?;
        let fitted = method.fit_dyn(&Input::from(&first.points))?;
        let placed = fitted.transform(last.view())?;
        let shifted: Vec<f64> = placed.values().iter().map(|v| v + 0.05).collect();
        let start = PointSet::new([fitted.embedding().values(), &shifted].concat(), 2)?;
        let fixed: Vec<bool> = (0..41).map(|row| row < 40).collect();
        let whole = method.fit_dyn(&Input::from(&case.points).with_start(start.view()).with_fixed(&fixed))?;
        for (end, place) in whole.embedding().row(40).iter().zip(placed.row(0)) {
            assert!((end - place).abs() < 1e-4, "{name}: {end} and {place}");
        }
    }
    Ok(())
}

/// Stress never rises while rows are fixed, with equal weights and with others, and is below the start's.
#[test]
fn stress_falls_while_rows_are_fixed() -> Result<(), Error> {
    let (case, start, fixed) = (cloud(60, 4, 1), places(), third());
    for name in ["smacof", "sammon", "nonmetric-mds"] {
        let input = Input::from(&case.points).with_start(start.view()).with_fixed(&fixed);
        let facts = with(name, &[])?.fit_dyn(&input)?.report().facts;
        let history: Vec<f64> =
            facts["stress_history"].as_array().expect("numbers").iter().filter_map(|v| v.as_f64()).collect();
        assert!(history.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-12)), "{name}: {history:?}");
        assert!(history[history.len() - 1] < 0.9 * history[0], "{name}: {history:?}");
    }
    Ok(())
}

/// Merged copies are fixed where one of them is; two places for one point are refused.
#[test]
fn copies_are_fixed_together() -> Result<(), Error> {
    let rows: Vec<u32> = (0..40).chain([3]).collect();
    let case: Case = cloud(40, 4, 1).select(&rows);
    let start = cloud(41, 2, 2).points;
    let umap = Umap { epochs: Some(20), duplicates: Duplicates::Merge, ..Umap::default() };
    let fit = |fixed: &[u32]| {
        let fixed: Vec<bool> = (0..41).map(|row| fixed.contains(&row)).collect();
        umap.fit(Input::from(&case.points).with_start(start.view()).with_fixed(&fixed))
    };
    let fitted = fit(&[7, 40])?;
    for row in [3, 40] {
        assert_eq!(fitted.embedding().row(row), start.view().row(40));
    }
    assert_eq!(fitted.embedding().row(7), start.view().row(7));
    let refused = fit(&[3, 40]).map(|_| ()).expect_err("two places").to_string();
    assert!(refused.contains("rows 3 and 40 are copies"), "{refused}");
    let all: Vec<u32> = (0..40).collect();
    let refused = fit(&all).map(|_| ()).expect_err("all points").to_string();
    assert!(refused.contains("all 40 rows are fixed"), "{refused}");
    Ok(())
}

/// Coordinates beyond single precision are refused by methods that optimize in it, as a fixed start and in a
/// recipe.
#[test]
fn places_beyond_single_precision_are_refused() -> Result<(), Error> {
    let case = cloud(60, 4, 1);
    let far = PointSet::new(places().view().values().iter().map(|v| 1e40 * v).collect(), 2)?;
    let fixed = third();
    for name in ["umap", "densmap", "pacmap", "localmap", "trimap"] {
        let input = Input::from(&case.points).with_start(far.view()).with_fixed(&fixed);
        let refused = short(name)?.fit_dyn(&input).map(|_| ()).expect_err(name).to_string();
        assert!(refused.contains("the range of single precision"), "{name}: {refused}");
    }
    let recipe = Umap { start: umap::Start::Given(far), ..Umap::default() };
    let refused = recipe.fit(&case.points).map(|_| ()).expect_err("umap").to_string();
    assert!(refused.contains("the range of single precision"), "{refused}");
    Ok(())
}

/// The map of a fit with fixed rows is the map of the model: new rows are placed among the fixed ones.
#[test]
fn models_of_fixed_rows_place_new_rows() -> Result<(), Error> {
    let (case, start, fixed) = (cloud(60, 4, 1), places(), third());
    let fitted =
        Smacof::default().fit(Input::from(&case.points).with_start(start.view()).with_fixed(&fixed))?;
    let again = fitted.transform(case.select(&[0, 3]).view())?;
    assert_eq!(points_of(&again)?, start.view().select(&[0, 3]));
    Ok(())
}

/// Stress and pull are in balance: with as large a sum of weights, a row is as far from its place as the other
/// rows draw it. A pull of 0 has no effect, and a pull of the wrong sign is refused.
#[test]
fn a_pull_is_a_term_of_the_stress() -> Result<(), Error> {
    let (case, start) = (cloud(60, 4, 1), places());
    let drawn = third();
    for name in ["smacof", "sammon"] {
        let method = with(name, &[("tolerance", "0"), ("iterations", "3000")])?;
        let input = Input::from(&case.points).with_start(start.view());
        let fitted = method.fit_dyn(&input.with_pull(&drawn, 0.5))?;
        let map = points_of(fitted.embedding())?;
        let distances = testkit::cases::distances(map.view(), map.view());
        let given = case.distances();
        let map = map.view();
        for row in 0..60 {
            let weight = |j: usize| if name == "smacof" { 1.0 } else { 1.0 / given[row * 60 + j] };
            let others = || (0..60).filter(|&j| j != row);
            let total: f64 = others().map(weight).sum();
            for c in 0..2 {
                let pair = |j: usize| {
                    let ratio = given[row * 60 + j] / distances[row * 60 + j] - 1.0;
                    weight(j) * ratio * (map.row(row)[c] - map.row(j)[c])
                };
                let place = start.view().row(row)[c] - map.row(row)[c];
                let pull = if drawn[row] { 0.5 * total * place } else { 0.0 };
                let force = others().map(pair).sum::<f64>() + pull;
                assert!(force.abs() < 1e-4 * total, "{name}, row {row}: {force}");
            }
        }
        let plain = method.fit_dyn(&input)?;
        assert_eq!(method.fit_dyn(&input.with_pull(&drawn, 0.0))?.embedding(), plain.embedding());
        for wrong in [-1.0, f64::NAN] {
            let refused = method.fit_dyn(&input.with_pull(&drawn, wrong)).map(|_| ()).expect_err(name);
            assert!(refused.to_string().contains("must be at least 0"), "{refused}");
        }
    }
    Ok(())
}

/// With drawn rows PaCMAP and LocalMAP run their third phase alone; with fixed rows they run all phases.
#[test]
fn drawn_rows_leave_out_phases_that_draw_the_map_together() -> Result<(), Error> {
    let (case, start) = (cloud(60, 4, 1), places());
    let rows = third();
    for name in ["pacmap", "localmap"] {
        let method = short(name)?;
        let input = Input::from(&case.points).with_start(start.view());
        let is_third_alone = |input: Input<'_>| -> Result<bool, Error> {
            let (whole, third) = (method.fit_dyn(&input)?, method.resumed_dyn().fit_dyn(&input)?);
            Ok(whole.embedding() == third.embedding())
        };
        assert!(is_third_alone(input.with_pull(&rows, 1.0))?, "{name}");
        assert!(!is_third_alone(input.with_fixed(&rows))?, "{name}");
    }
    Ok(())
}

/// The larger the pull, the nearer rows are to their places; all rows may be drawn.
#[test]
fn rows_are_nearer_by_a_larger_pull() -> Result<(), Error> {
    let (case, start) = (cloud(60, 4, 1), places());
    for name in FIXING {
        let method = short(name)?;
        let moved = |rows: &[bool], pull: f64| -> Result<f64, Error> {
            let input = Input::from(&case.points).with_start(start.view()).with_pull(rows, pull);
            let fitted = method.fit_dyn(&input)?;
            let gap = |row: usize| {
                let pair = fitted.embedding().row(row).iter().zip(start.view().row(row));
                pair.map(|(a, b)| (a - b).powi(2)).sum::<f64>()
            };
            Ok((0..60).filter(|row| rows[*row]).map(gap).sum::<f64>().sqrt())
        };
        for rows in [third(), vec![true; 60]] {
            let [weak, middle, strong] = [1e-3, 1.0, 1e6].map(|pull| moved(&rows, pull));
            let (weak, middle, strong) = (weak?, middle?, strong?);
            assert!(weak > middle && middle > strong, "{name}: {weak} {middle} {strong}");
            assert!(strong < 1e-2 * weak, "{name}: {weak} {strong}");
        }
    }
    Ok(())
}
