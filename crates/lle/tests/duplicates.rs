//! Copies of rows in locally linear methods.
#![expect(clippy::unwrap_used, reason = "tests")]

use embedding::{DynMethod, PointSet};
use faer::Mat;
use lle::{HessianLle, Lle, Ltsa, ModifiedLle};
use neighbor_graph::{Duplicates, Neighborhood};

mod common;
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
        if name == "modified-lle" {
            assert!(kept.unwrap() > 100.0 * merged, "keeping the copies bends this map");
        }
    }
}

/// The products of the columns of such a patch are dependent: left without a constraint, its
/// points were free, and the map was theirs.
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
