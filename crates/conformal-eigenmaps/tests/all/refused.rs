//! Settings, data and maps that are refused.

use crate::common;

use common::{close, form, nearest, normal, sheet, uv};
use conformal_eigenmaps::settings::{Alternation, Coupling, PatchPairs, Pipeline, Scheme};
use conformal_eigenmaps::steps::{alternate, basis_start, certificate, estimate, random_start, truncated};
use conformal_eigenmaps::{Outcome, Refinement, refine};
use embedding::{Error, MemoryLimit, PointSet, Silent};
use faer::Mat;
use neighbor_graph::{Manifold, Neighborhood, Neighbors};
use quality::RowSample;

#[test]
fn what_cannot_be_refined_is_refused() -> Result<(), Error> {
    let good = sheet(60, 4, 5)?;
    let run_in = |dim: usize, basis: &Mat<f64>, settings: Refinement| {
        refine(Manifold::new(good.points.view(), &good.neighbors), basis.as_ref(), dim, &settings)
    };
    let run = |basis: &Mat<f64>, settings: Refinement| run_in(2, basis, settings);
    let plain = Refinement::default();
    for dim in [0, 5, usize::MAX] {
        assert!(matches!(run_in(dim, &good.basis, plain), Err(Error::Parameter { .. })), "dim = {dim}");
    }
    let constant = Mat::from_fn(60, 4, |i, j| if j == 2 { 3.0 } else { good.basis[(i, j)] });
    assert!(matches!(run(&constant, plain), Err(Error::Degenerate { .. })));
    let repeated = Mat::from_fn(60, 4, |i, j| good.basis[(i, j % 3)]);
    assert!(matches!(run(&repeated, plain), Err(Error::Degenerate { .. })));
    let broken = Mat::from_fn(60, 4, |i, j| if (i, j) == (7, 1) { f64::NAN } else { good.basis[(i, j)] });
    assert!(matches!(run(&broken, plain), Err(Error::NotFinite { row: 7, column: 1, .. })));
    assert!(matches!(run(&normal(60, 60, 1), plain), Err(Error::Parameter { .. })), "m = n");
    assert!(matches!(run(&normal(59, 4, 1), plain), Err(Error::Shape { .. })), "a row is missing");
    let single = nearest(good.points.view(), 1)?;
    let refused = refine(Manifold::new(good.points.view(), &single), good.basis.as_ref(), 2, &plain);
    assert!(matches!(refused, Err(Error::Disconnected { .. } | Error::Parameter { .. })));
    // Every list holds every other point.
    let everyone = nearest(good.points.view(), 59)?;
    let refused = refine(Manifold::new(good.points.view(), &everyone), good.basis.as_ref(), 2, &plain);
    assert!(matches!(refused, Err(Error::Parameter { name: "k", .. })));
    // Two sheets far apart: the indicator of one of them keeps every angle and
    // says nothing.
    let apart = (0..60).flat_map(|i| {
        let row = good.points.view().row(i);
        [row[0] + if i < 30 { 0.0 } else { 1e3 }, row[1], row[2]]
    });
    let apart = PointSet::new(apart.collect(), 3)?;
    let refused =
        refine(Manifold::new(apart.view(), &nearest(apart.view(), 6)?), good.basis.as_ref(), 2, &plain);
    assert!(matches!(refused, Err(Error::Disconnected { components: 2, .. })));
    let same = PointSet::new(vec![1.0; 180], 3)?;
    let refused = refine(Manifold::new(same.view(), &good.neighbors), good.basis.as_ref(), 2, &plain);
    assert!(matches!(refused, Err(Error::Degenerate { .. })), "{refused:?}");
    Ok(())
}

/// No NaN leaves: neither from a map that holds one nor from squares that overflow.
#[test]
fn maps_that_cannot_be_measured_are_refused() -> Result<(), Error> {
    let good = sheet(60, 4, 5)?;
    let measure = |map: &Mat<f64>| {
        let (points, neighbors) = (good.points.view(), &good.neighbors);
        let angle = PointSet::from_mat(map.as_ref())
            .and_then(|map| quality::shape::angle_error(points, map.view(), neighbors, RowSample::All))
            .map(|estimate| estimate.value);
        let scale =
            conformal_eigenmaps::steps::local_scale(points, neighbors, PatchPairs::Clique, map.as_ref())
                .map(|_| 0.0);
        [angle, scale]
    };
    let broken = Mat::from_fn(60, 2, |i, j| if (i, j) == (7, 1) { f64::NAN } else { good.basis[(i, j)] });
    for refused in measure(&broken) {
        assert!(matches!(refused, Err(Error::NotFinite { row: 7, column: 1, .. })), "{refused:?}");
    }
    // Angles do not depend on the scale of the map; its own scale does.
    let [near, _] = measure(&Mat::from_fn(60, 2, |i, j| good.basis[(i, j)]));
    let [far, refused] = measure(&Mat::from_fn(60, 2, |i, j| 1e200 * good.basis[(i, j)]));
    assert!(close(far?, near?, 1e-9), "a larger map has other angles");
    assert!(matches!(refused, Err(Error::Degenerate { .. })), "{refused:?}");
    for refused in measure(&Mat::zeros(59, 2)) {
        assert!(matches!(refused, Err(Error::Shape { .. })), "{refused:?}");
    }
    // A map to one point has no angles: they count as zero.
    let [angle, _] = measure(&Mat::zeros(60, 2));
    assert!(close(angle?, 60.0, 1e-6), "the angles of a triangle have a mean of 60 degrees");
    Ok(())
}

/// Three points have one patch each, and lists of one neighbor no triangle.
#[test]
fn too_few_points_and_neighbors_are_refused_in_their_own_words() -> Result<(), Error> {
    let run = |n: usize, lists: Vec<Vec<(u32, f64)>>, k: usize| {
        let points = PointSet::new((1..=n).map(uv).flat_map(|(u, v)| [u, v]).collect(), 2)?;
        let neighbors = Neighbors::from_lists(lists, Neighborhood::Nearest { k })?;
        let basis = points.view().as_mat();
        refine(Manifold::new(points.view(), &neighbors), basis, 1, &Refinement::default()).map(drop)
    };
    let others = |n: u32| (0..n).map(|i| (0..n).filter(|j| *j != i).map(|j| (j, 1.0)).collect()).collect();
    assert!(matches!(run(3, others(3), 2), Err(Error::TooFewPoints { needed: 4, got: 3, .. })));
    let enough = |n: usize, lists, k| {
        !matches!(run(n, lists, k), Err(Error::TooFewPoints { .. } | Error::Parameter { .. }))
    };
    let ring = |n: u32| (0..n).map(|i| vec![((i + 1) % n, 1.0), ((i + n - 1) % n, 1.0)]).collect();
    assert!(enough(4, ring(4), 2) && enough(6, ring(6), 2), "{:?}", run(4, ring(4), 2));
    // A star: every list has its center, or one other.
    let star = (0..6).map(|i| vec![(u32::from(i == 0), 1.0)]).collect();
    let refused = run(6, star, 1);
    assert!(matches!(refused, Err(Error::Parameter { name: "k", .. })), "{refused:?}");
    Ok(())
}

/// Data beyond the range of fourth powers is copied.
#[test]
fn a_copy_of_the_data_is_counted() -> Result<(), Error> {
    let sheet = sheet(60, 4, 5)?;
    let far = PointSet::new(sheet.points.view().values().iter().map(|v| v * 2f64.powi(300)).collect(), 3)?;
    let memory_limit = MemoryLimit::new(8 * 60 * 3 - 1);
    let manifold = Manifold { memory_limit, ..Manifold::new(far.view(), &sheet.neighbors) };
    let refused = refine(manifold, sheet.basis.as_ref(), 2, &Refinement::default()).map(drop);
    assert!(matches!(refused, Err(Error::Memory { needed: 1440, .. })), "{refused:?}");
    Ok(())
}

/// A map that keeps every point of a patch in one place: of pairs of neighbors without the point itself,
/// in a graph of two classes that are neighbors of each other only.
#[test]
fn a_map_that_collapses_every_patch_is_refused() -> Result<(), Error> {
    let n = 24;
    let points = PointSet::new((1..=n).map(uv).flat_map(|(u, v)| [u, v]).collect(), 2)?;
    let list = |i: usize| (0..n).filter(|j| (i + j) % 2 == 1).take(6).map(|j| (j as u32, 1.0)).collect();
    let all = |i: usize| {
        if i < 2 { (0..n).filter(|j| (i + j) % 2 == 1).map(|j| (j as u32, 1.0)).collect() } else { list(i) }
    };
    let neighbors = Neighbors::from_lists((0..n).map(all).collect(), Neighborhood::Nearest { k: 12 })?;
    let basis = Mat::from_fn(n, 2, |i, j| if j == 0 { (i % 2) as f64 } else { (i * i % 7) as f64 });
    let settings =
        Refinement { pairs: PatchPairs::Neighbors, pipeline: Pipeline::Rank, ..Refinement::default() };
    let refused = refine(Manifold::new(points.view(), &neighbors), basis.as_ref(), 1, &settings).map(drop);
    let text = refused.expect_err("all patches collapse").to_string();
    assert!(text.contains("collapses every patch"), "{text}");
    Ok(())
}

#[test]
fn settings_out_of_range_are_refused_with_their_numbers() -> Result<(), Error> {
    let q = form(40, 3, 11)?;
    let start = basis_start(3, 3);
    let good = Alternation::default();
    let bad = [
        Alternation { trace_penalty: 0.0, ..good },
        Alternation { trace_penalty: f64::NAN, ..good },
        Alternation { tolerance: 1.0, ..good },
        Alternation { tolerance: -1e-9, ..good },
        Alternation { max_iterations: 0, ..good },
        Alternation { scheme: Scheme::Plain { coupling: Coupling::Fixed { weight: -1.0 } }, ..good },
    ];
    for settings in bad {
        let refused = alternate(&q, start.as_ref(), &settings, &Silent);
        assert!(matches!(refused, Err(Error::Parameter { .. })), "{settings:?}");
    }
    assert!(matches!(alternate(&q, basis_start(2, 4).as_ref(), &good, &Silent), Err(Error::Shape { .. })));
    assert!(matches!(alternate(&q, Mat::zeros(2, 3).as_ref(), &good, &Silent), Err(Error::Parameter { .. })));
    let wide = estimate(&q, start.as_ref(), 1.0, Mat::<f64>::identity(2, 2).as_ref());
    assert!(matches!(wide, Err(Error::Shape { .. })));
    assert!(matches!(certificate(&q, &[1.0; 5]), Err(Error::Shape { .. })));
    for norm in [0.0, f64::NAN, f64::INFINITY, -1.0] {
        assert!(matches!(certificate(&q, &[norm; 6]), Err(Error::Parameter { .. })), "{norm}");
    }
    assert!(truncated(start.as_ref(), 4).is_err() && truncated(start.as_ref(), 0).is_err());
    let limited = Alternation { max_iterations: 1, tolerance: 0.0, ..good };
    let run = alternate(&q, random_start(3, 3, 1).as_ref(), &limited, &Silent)?;
    assert_eq!((run.outcome, run.iterations), (Outcome::IterationLimit, 1));
    Ok(())
}
