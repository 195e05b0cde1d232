//! Copies of rows in locally linear methods.
#![expect(clippy::unwrap_used, reason = "tests")]

use embedding::{DynMethod, PointSet};
use faer::Mat;
use lle::{HessianLle, Lle, Ltsa, ModifiedLle};
use neighbor_graph::{Duplicates, Neighborhood};

use crate::common;
use common::{affine_residual, s_curve, unit_square};

/// Arc length and height of the S-curve of [`s_curve`].
fn sheet(n: usize) -> Mat<f64> {
    let of = |i: usize| unit_square(i + 1);
    Mat::from_fn(
        n,
        2,
        |i, j| if j == 0 { 3.0 * std::f64::consts::PI * (of(i).0 - 0.5) } else { 2.0 * of(i).1 },
    )
}

fn methods(duplicates: Duplicates) -> [Box<dyn DynMethod>; 4] {
    let neighborhood = Neighborhood::Nearest { k: 12 };
    [
        Box::new(Lle { neighborhood, duplicates, ..Lle::default() }),
        Box::new(ModifiedLle { neighborhood, duplicates, ..ModifiedLle::default() }),
        Box::new(HessianLle { neighborhood, duplicates, ..HessianLle::default() }),
        Box::new(Ltsa { neighborhood, duplicates, ..Ltsa::default() }),
    ]
}

/// 700 points and 10 copies of one of them: a patch of copies and two other points leaves local
/// coordinates undetermined.
#[test]
fn copies_of_a_row_do_not_bend_the_map() {
    let (points, n) = (s_curve(700), 700);
    let rows: Vec<u32> = (0..n).chain([41; 10]).collect();
    let all: PointSet = points.view().select(&rows);
    let truth = sheet(n as usize);
    let placed = Mat::from_fn(rows.len(), 2, |i, j| truth[(rows[i] as usize, j)]);
    for (merging, keeping) in methods(Duplicates::Merge).into_iter().zip(methods(Duplicates::Keep)) {
        let name = merging.about().name;
        let map = merging.fit_dyn(&(&all).into()).unwrap();
        let alone = merging.fit_dyn(&(&points).into()).unwrap();
        let error = |y: &embedding::Embedding| affine_residual(placed.as_ref(), y.coordinates());
        let own = affine_residual(truth.as_ref(), alone.embedding().coordinates());
        let (merged, kept) =
            (error(map.embedding()), keeping.fit_dyn(&(&all).into()).map(|m| error(m.embedding())));
        assert!(merged < 1.1 * own, "{name}: {merged:e} with copies, {own:e} without");
        if ["modified-lle", "ltsa"].contains(&name) {
            assert!(kept.unwrap() < 1.6 * own, "{name}: keeping the copies bends the map");
        }
    }
}

/// A point whose neighbors are copies of one point and another point is not an affine combination of them,
/// and regularization by a trace to which every copy adds is not small. Rows that differ by rounding are
/// copies.
#[test]
fn copies_that_are_kept_do_not_bend_modified_lle() {
    let (points, n) = (s_curve(700), 700);
    let truth = sheet(n as usize);
    let [_, modified, _, _] = methods(Duplicates::Keep);
    let alone = modified.fit_dyn(&(&points).into()).unwrap();
    let own = affine_residual(truth.as_ref(), alone.embedding().coordinates());
    for (copies, offset) in [(8, 0.0), (10, 0.0), (14, 0.0), (8, 1e-14), (10, 1e-14), (14, 1e-14)] {
        let rows: Vec<u32> = (0..n).chain(std::iter::repeat_n(41, copies)).collect();
        let copied = points.view().select(&rows);
        let moved = |(at, v): (usize, &f64)| if at < 2100 { *v } else { v + offset * (at % 11) as f64 };
        let values = copied.view().values().iter().enumerate().map(moved).collect();
        let all = PointSet::new(values, 3).unwrap();
        let placed = Mat::from_fn(rows.len(), 2, |i, j| truth[(rows[i] as usize, j)]);
        let fitted = modified.fit_dyn(&(&all).into()).unwrap();
        let error = affine_residual(placed.as_ref(), fitted.embedding().coordinates());
        assert!(error < 2.0 * own, "{copies} copies, {offset:e} apart: {error:e}, {own:e} without");
    }
}

/// No other point has it as a neighbor, and its own neighbors are copies of one point.
#[test]
fn modified_lle_places_a_point_beside_copies_alone() {
    let (points, n) = (s_curve(700), 700);
    // At an edge of the sheet.
    let row = |i: usize| points.view().row(i);
    let last = (0..n as usize).max_by(|a, b| row(*a)[1].total_cmp(&row(*b)[1])).unwrap();
    let rows: Vec<u32> = (0..n).chain([last as u32; 14]).collect();
    let mut values = points.view().select(&rows).into_values();
    values.extend([row(last)[0], row(last)[1] + 5.0, row(last)[2]]);
    let all = PointSet::new(values, 3).unwrap();
    let [_, modified, _, _] = methods(Duplicates::Keep);
    let fitted = modified.fit_dyn(&(&all).into()).unwrap();
    let y = fitted.embedding();
    let gap = y.row(last).iter().zip(y.row(y.len() - 1)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(gap < 1e-6, "{gap:e}: its only reconstruction is the copies");
}

/// The products of the columns of such a patch are dependent. Without a constraint its points were free and
/// dominated the map.
#[test]
fn a_patch_without_a_hessian_is_affine() {
    let (points, n) = (s_curve(700), 700);
    let rows: Vec<u32> = (0..n).chain([41; 10]).collect();
    let all: PointSet = points.view().select(&rows);
    let truth = sheet(n as usize);
    let placed = Mat::from_fn(rows.len(), 2, |i, j| truth[(rows[i] as usize, j)]);
    let [_, _, hessian, _] = methods(Duplicates::Keep);
    let fitted = hessian.fit_dyn(&(&all).into()).unwrap();
    let error = affine_residual(placed.as_ref(), fitted.embedding().coordinates());
    assert!(error < 1e-4, "{error:e}");
}
