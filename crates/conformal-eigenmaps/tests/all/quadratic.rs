//! The loss of angles: what Q promises.

use crate::common;

use common::{Sheet, close, normal, sheet, squared};
use conformal_eigenmaps::settings::{PatchPairs, PatchWeight};
use conformal_eigenmaps::steps::{Quadratic, svec, whiten};
use embedding::{Error, MemoryLimit, PointSet, Silent};
use faer::{Mat, MatRef};
use neighbor_graph::Neighbors;

const PAIRS: [PatchPairs; 3] = [PatchPairs::Clique, PatchPairs::Neighbors, PatchPairs::Path];
const WEIGHTS: [PatchWeight; 3] = [PatchWeight::Paper, PatchWeight::Patch, PatchWeight::Sqrt];

fn form(
    sheet: &Sheet,
    basis: MatRef<'_, f64>,
    pairs: PatchPairs,
    weight: PatchWeight,
) -> Result<Quadratic, Error> {
    let limit = MemoryLimit::default();
    Quadratic::build(sheet.points.view(), &sheet.neighbors, basis, pairs, weight, limit, &Silent)
}

/// Σ_h w_h min_s Σ_e ((y_i − y_j)ᵀ A (y_i − y_j) − s g_e)², pair by pair.
fn by_hand(sheet: &Sheet, y: &Mat<f64>, a: &Mat<f64>, pairs: PatchPairs, weight: PatchWeight) -> f64 {
    let near = |h: usize| sheet.neighbors.indices_of(h).iter().map(|&j| j as usize);
    (0..sheet.points.len())
        .map(|h| {
            let mut edges = Vec::new();
            match pairs {
                PatchPairs::Path => near(h).for_each(|i| edges.extend(near(i).map(|j| (i, j)))),
                PatchPairs::Clique | PatchPairs::Neighbors => {
                    let own = (pairs == PatchPairs::Clique).then_some(h);
                    let members: Vec<usize> = own.into_iter().chain(near(h)).collect();
                    for (at, &i) in members.iter().enumerate() {
                        edges.extend(members[at + 1..].iter().map(|&j| (i, j)));
                    }
                }
            }
            let (mut zz, mut zg, mut gg) = (0.0, 0.0, 0.0);
            for (i, j) in edges {
                let apart = y.row(i) - y.row(j);
                let z = &apart * a * apart.transpose();
                let g = squared(sheet.points.view().row(i), sheet.points.view().row(j));
                (zz, zg, gg) = (zz + z * z, zg + z * g, gg + g * g);
            }
            let w = match weight {
                PatchWeight::Paper => 1.0,
                PatchWeight::Patch => 1.0 / gg,
                PatchWeight::Sqrt => 1.0 / gg.sqrt(),
            };
            w * (zz - zg * zg / gg)
        })
        .sum()
}

#[test]
fn the_loss_is_the_sum_over_patches_with_the_best_scale() -> Result<(), Error> {
    let sheet = sheet(60, 4, 1)?;
    let y = whiten(sheet.basis.as_ref())?.basis;
    for pairs in PAIRS {
        for weight in WEIGHTS {
            let q = form(&sheet, y.as_ref(), pairs, weight)?;
            for seed in 0..4 {
                // Not symmetric: the loss of BᵀC is the loss of its symmetric part.
                let a = normal(4, 4, seed);
                let (fast, slow) =
                    (q.value(&svec(a.as_ref())) * q.raw_scale(), by_hand(&sheet, &y, &a, pairs, weight));
                assert!(close(fast, slow, 1e-11), "{pairs:?} {weight:?}: {fast} is not {slow}");
            }
        }
    }
    Ok(())
}

#[test]
fn the_basis_as_it_comes_scores_one() -> Result<(), Error> {
    let sheet = sheet(60, 5, 2)?;
    let y = whiten(sheet.basis.as_ref())?.basis;
    let unit = faer::Scale(0.2) * Mat::<f64>::identity(5, 5);
    for pairs in PAIRS {
        for weight in WEIGHTS {
            let value = form(&sheet, y.as_ref(), pairs, weight)?.value(&svec(unit.as_ref()));
            assert!(close(value, 1.0, 1e-13), "{pairs:?} {weight:?}: {value}");
        }
    }
    Ok(())
}

#[test]
fn no_matrix_has_a_negative_loss() -> Result<(), Error> {
    let sheet = sheet(60, 5, 3)?;
    let y = whiten(sheet.basis.as_ref())?.basis;
    let q = form(&sheet, y.as_ref(), PatchPairs::Clique, PatchWeight::Paper)?;
    let least = spectral::dense::symmetric_eigen(q.matrix())?.0[0];
    assert!(least > -1e-13, "{least:e}");
    Ok(())
}

/// Rotating, scaling and shifting the points multiplies raw losses by a power of the
/// scale that depends on the weight, and does not change normalized losses.
#[test]
fn similar_points_have_the_same_form() -> Result<(), Error> {
    let sheet = sheet(60, 4, 4)?;
    let y = whiten(sheet.basis.as_ref())?.basis;
    let turn = spectral::dense::thin_q(normal(3, 3, 9).as_ref());
    for size in [1e-6, 3.0, 1e6] {
        let moved = faer::Scale(size) * (sheet.points.view().as_mat() * &turn);
        let moved = Mat::from_fn(60, 3, |i, j| moved[(i, j)] + size * j as f64);
        let other = Sheet {
            points: PointSet::from_mat(moved.as_ref())?,
            neighbors: sheet.neighbors.clone(),
            basis: sheet.basis.clone(),
        };
        for (weight, power) in [(PatchWeight::Paper, 0), (PatchWeight::Patch, -4), (PatchWeight::Sqrt, -2)] {
            let before = form(&sheet, y.as_ref(), PatchPairs::Clique, weight)?;
            let after = form(&other, y.as_ref(), PatchPairs::Clique, weight)?;
            assert!((before.matrix() - after.matrix()).norm_max() < 1e-11 * before.matrix().norm_max());
            assert!(
                close(after.raw_scale(), before.raw_scale() * f64::powi(size, power), 1e-10),
                "{weight:?}"
            );
        }
    }
    Ok(())
}

#[test]
fn turning_the_basis_turns_the_form() -> Result<(), Error> {
    let sheet = sheet(60, 4, 5)?;
    let y = whiten(sheet.basis.as_ref())?.basis;
    let turn = spectral::dense::thin_q(normal(4, 4, 3).as_ref());
    let before = form(&sheet, y.as_ref(), PatchPairs::Clique, PatchWeight::Paper)?;
    let after = form(&sheet, (&y * &turn).as_ref(), PatchPairs::Clique, PatchWeight::Paper)?;
    let a = normal(4, 4, 6);
    let turned = turn.transpose() * &a * &turn;
    assert!(close(after.value(&svec(turned.as_ref())), before.value(&svec(a.as_ref())), 1e-12));
    Ok(())
}

#[test]
fn the_order_of_points_does_not_matter() -> Result<(), Error> {
    let sheet = sheet(60, 4, 6)?;
    let y = whiten(sheet.basis.as_ref())?.basis;
    let order: Vec<u32> = (0..60).map(|i| (i * 17 + 5) % 60).collect();
    let points = sheet.points.view().select(&order);
    let neighbors: Neighbors = common::nearest(points.view(), 6)?;
    let shuffled = Mat::from_fn(60, 4, |i, j| y[(order[i] as usize, j)]);
    let other = Sheet { points, neighbors, basis: shuffled.clone() };
    let before = form(&sheet, y.as_ref(), PatchPairs::Clique, PatchWeight::Paper)?;
    let after = form(&other, shuffled.as_ref(), PatchPairs::Clique, PatchWeight::Paper)?;
    assert!((before.matrix() - after.matrix()).norm_max() < 1e-12 * before.matrix().norm_max());
    Ok(())
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() -> Result<(), Error> {
    let sheet = sheet(700, 4, 7)?;
    let y = whiten(sheet.basis.as_ref())?.basis;
    let run = || form(&sheet, y.as_ref(), PatchPairs::Clique, PatchWeight::Paper);
    let (one, three) = (testkit::on_threads(1, run)?, testkit::on_threads(3, run)?);
    assert!(one.matrix() == three.matrix() && one.raw_scale() == three.raw_scale());
    Ok(())
}

/// Whitened points of a basis that is the data: every patch keeps its shape.
#[test]
fn what_is_conformal_already_has_no_loss() -> Result<(), Error> {
    let square: Vec<f64> = (0..100).flat_map(|i| [f64::from(i % 10), f64::from(i / 10)]).collect();
    let points = PointSet::new(square, 2)?;
    let neighbors = common::nearest(points.view(), 6)?;
    let basis = points.view().as_mat().to_owned();
    let own = Sheet { points, neighbors, basis };
    let y = whiten(own.basis.as_ref())?.basis;
    let q = form(&own, y.as_ref(), PatchPairs::Clique, PatchWeight::Paper)?;
    let unit = faer::Scale(0.5) * Mat::<f64>::identity(2, 2);
    assert!(q.value(&svec(unit.as_ref())).abs() < 1e-13, "{:e}", q.value(&svec(unit.as_ref())));
    assert!(q.value(&svec(faer::mat![[1.0, 0.0], [0.0, 0.0]].as_ref())) > 1e-2);
    Ok(())
}

#[test]
fn whitening_is_a_linear_map_to_unit_covariance() -> Result<(), Error> {
    let basis = Mat::from_fn(50, 5, |i, j| 1e3_f64.powi(j as i32) * (normal(50, 5, 2)[(i, j)] + 7.0));
    let white = whiten(basis.as_ref())?;
    let covariance = white.basis.transpose() * &white.basis;
    assert!((covariance - faer::Scale(50.0) * Mat::<f64>::identity(5, 5)).norm_max() < 1e-12);
    let centered = Mat::from_fn(50, 5, |i, j| basis[(i, j)] - white.mean[j]);
    assert!((centered * &white.transform - &white.basis).norm_max() < 1e-11);
    Ok(())
}

/// A basis that keeps every angle has no loss: the unit is Σ (g/2)², in two dimensions, of the
/// squared lengths of all pairs.
#[test]
fn without_a_loss_the_unit_is_that_of_the_lengths() -> Result<(), Error> {
    let points = PointSet::new((1..=60).map(common::uv).flat_map(|(u, v)| [2.0 * u, v]).collect(), 2)?;
    let neighbors = common::nearest(points.view(), 6)?;
    let (pairs, weight) = (PatchPairs::Clique, PatchWeight::Paper);
    let basis = points.view().as_mat();
    let limit = MemoryLimit::default();
    let found = Quadratic::build(points.view(), &neighbors, basis, pairs, weight, limit, &Silent)?;
    let mut expected = 0.0;
    for h in 0..60 {
        let members: Vec<u32> = [h].iter().chain(neighbors.indices_of(h as usize)).copied().collect();
        for (a, b) in (0..members.len()).flat_map(|a| (0..a).map(move |b| (a, b))) {
            let row = |at: usize| points.view().row(members[at] as usize);
            expected += (embedding::implement::squared_distance(row(a), row(b)) / 2.0).powi(2);
        }
    }
    assert!(close(found.raw_scale(), expected, 1e-9), "{} and {expected}", found.raw_scale());
    Ok(())
}

/// A sum for each of up to 16 groups of 64 patches, their total, and the columns of the form.
#[test]
fn the_memory_of_the_form_is_that_of_its_sums_and_columns() -> Result<(), Error> {
    for (n, m, groups) in [(40, 3, 1), (150, 5, 3), (1100, 2, 16)] {
        let data = sheet(n, m, 1)?;
        let (limit, q) = (MemoryLimit::new(1), (m * (m + 1) / 2) as u64);
        let (pairs, weight) = (PatchPairs::Clique, PatchWeight::Paper);
        let view = data.points.view();
        let refused =
            Quadratic::build(view, &data.neighbors, data.basis.as_ref(), pairs, weight, limit, &Silent);
        let expected = 8 * q * (q * (groups + 1) + (m * m) as u64);
        let found = refused.map(drop);
        assert!(
            matches!(found, Err(Error::Memory { needed, .. }) if needed == expected),
            "{found:?}, {expected}"
        );
    }
    Ok(())
}

/// A value that is not a number, next to the diagonal of the first.
#[test]
fn a_form_with_a_number_that_is_none_is_refused() {
    for bad in [f64::NAN, f64::INFINITY] {
        for (i, j) in [(1, 0), (1, 1), (2, 1)] {
            let raw = Mat::from_fn(3, 3, |a, b| match (a.max(b), a.min(b)) {
                at if at == (i, j) => bad,
                (a, b) => f64::from(u8::from(a == b)),
            });
            let found = Quadratic::from_matrix(raw.as_ref()).map(drop);
            assert!(matches!(found, Err(Error::Degenerate { .. })), "{bad} at {i}, {j}: {found:?}");
        }
    }
}
