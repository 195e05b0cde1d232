//! Conformal refinement of bases with known solutions.

use crate::common;

use std::ops::ControlFlow;
use std::sync::Mutex;

use common::{close, nearest, normal, procrustes, sheet, uv};
use conformal_eigenmaps::settings::{BasisSize, PatchPairs, PatchWeight, Pipeline, Units};
use conformal_eigenmaps::steps::whiten;
use conformal_eigenmaps::{ConformalEigenmaps, Outcome, Refinement, refine};
use embedding::{Error, Input, Iteration, MemoryLimit, Method, Model, Observer, PointSet, Points, Silent};
use faer::{Mat, MatRef};
use neighbor_graph::Manifold;
use quality::RowSample;

/// The coordinates of the data themselves keep every angle: the solution is the
/// covariance of the data, and the map its principal axes.
#[test]
fn a_basis_that_is_the_data_gives_the_data_back() -> Result<(), Error> {
    let rows = (1..=200).flat_map(|i| {
        let (u, v) = uv(i);
        [(4.0 * u).sin(), 0.7 * v + 0.2 * u, u * u]
    });
    let points = PointSet::new(rows.collect(), 3)?;
    let neighbors = nearest(points.view(), 8)?;
    let x = points.view().as_mat();
    let map = refine(Manifold::new(points.view(), &neighbors), x, 3, &Refinement::default())?;
    let report = &map.report;
    let convex = report.convex.as_ref().expect("the default pipeline solves the convex problem");
    assert_eq!(convex.outcome, Outcome::ExactZero);
    let covariance =
        spectral::principal::scatter(points.view(), &spectral::principal::column_means(points.view()));
    let values = spectral::dense::symmetric_eigen(covariance.as_ref())?.0;
    let total: f64 = values.iter().sum();
    for (got, want) in report.spectrum.iter().zip(values.iter().rev()) {
        assert!((got - want / total).abs() < 1e-9, "{got} is not {}", want / total);
    }
    assert!(report.local_scale.iter().flatten().all(|s| (s - 1.0).abs() < 1e-8));
    let z = &map.embedding().coordinates();
    for (i, j) in [(0, 1), (3, 90), (17, 199), (55, 56)] {
        let apart = (z.row(i) - z.row(j)).norm_l2();
        let truth = (x.row(i) - x.row(j)).norm_l2();
        assert!(close(apart, truth, 1e-8), "{apart} is not {truth}");
    }
    Ok(())
}

/// A plane sheet in five dimensions, and a basis that holds its coordinates
/// among four distractions: one null vector, the sheet itself.
#[test]
fn a_plane_sheet_is_found_among_distractions() -> Result<(), Error> {
    let scaled = |i: usize| (2.0 * uv(i).0, uv(i).1);
    let frame = spectral::dense::thin_q(normal(5, 2, 1).as_ref());
    let rows = (1..=200).flat_map(|i| {
        let (a, b) = scaled(i);
        (0..5).map(|c| a * frame[(c, 0)] + b * frame[(c, 1)]).collect::<Vec<_>>()
    });
    let points = PointSet::new(rows.collect(), 5)?;
    let truth = PointSet::new((1..=200).flat_map(|i| [scaled(i).0, scaled(i).1]).collect(), 2)?;
    let neighbors = nearest(truth.view(), 8)?;
    let basis = Mat::from_fn(200, 6, |i, j| {
        let (u, v) = uv(i + 1);
        [u, v, u * u, u * v, v * v, (3.0 * u).cos()][j]
    });
    let q = common::loss(points.view(), &neighbors, basis.as_ref())?;
    let values = spectral::dense::symmetric_eigen(q.matrix())?.0;
    assert!(values[0].abs() < 1e-12 * values[20] && values[1] > 1e-6 * values[20], "{:?}", &values[..2]);
    let map = refine(Manifold::new(points.view(), &neighbors), basis.as_ref(), 2, &Refinement::default())?;
    let report = &map.report;
    let convex = report.convex.as_ref().expect("the default pipeline solves the convex problem");
    assert_eq!(convex.outcome, Outcome::ExactZero);
    // The variances of the sheet, as the covariance of (2 u, v) has them.
    for (got, want) in report.spectrum.iter().zip([0.799553450621, 0.200446549379, 0.0]) {
        assert!((got - want).abs() < 1e-6, "{got} is not {want}");
    }
    assert!(procrustes(map.embedding().coordinates(), truth.view())? < 1e-8);
    assert!(report.angle_error_after < 1e-3 && report.angle_error_before > 10.0);
    Ok(())
}

/// The result does not depend on how the basis is rotated, mirrored or scaled, nor on
/// where the points are and how they are ordered.
#[test]
fn the_map_depends_on_the_span_alone() -> Result<(), Error> {
    let sheet = sheet(150, 6, 1)?;
    let settings = Refinement::default();
    let run = |points: Points<'_>, basis: &Mat<f64>| {
        refine(Manifold::new(points, &nearest(points, 6)?), basis.as_ref(), 2, &settings)
    };
    let reference = run(sheet.points.view(), &sheet.basis)?;
    let same =
        |what: &str, other: &conformal_eigenmaps::ConformalMap, size: f64, order: &dyn Fn(usize) -> usize| {
            let value = |m: &conformal_eigenmaps::ConformalMap| {
                m.report.convex.as_ref().map_or(f64::NAN, |c| c.certificate.value * m.report.raw_scale)
            };
            assert!(
                close(value(other), value(&reference), 1e-6),
                "{what}: {} {}",
                value(other),
                value(&reference)
            );
            let (a, b) = (&other.embedding().coordinates(), &reference.embedding().coordinates());
            let gap = (0..150)
                .map(|i| (a.row(i) - faer::Scale(size) * b.row(order(i))).norm_l2())
                .fold(0.0, f64::max);
            assert!(gap < 1e-4 * size, "{what}: rows move by {gap:e}");
        };
    let own = |i: usize| i;
    let turn = spectral::dense::thin_q(normal(6, 6, 3).as_ref());
    // Turning moves the start at the first d vectors, so the convex start must win.
    let white = whiten(sheet.basis.as_ref())?.basis;
    let turned = run(sheet.points.view(), &(&white * &turn))?;
    let value = |m: &conformal_eigenmaps::ConformalMap| {
        m.report.candidates[0].solution.certificate.value * m.report.raw_scale
    };
    assert!(close(value(&turned), value(&reference), 1e-6));
    let flipped =
        Mat::from_fn(150, 6, |i, j| sheet.basis[(i, j)] * if j % 2 == 0 { -1e3 } else { 1e-3 } + 5.0);
    same("scaled columns", &run(sheet.points.view(), &flipped)?, 1.0, &own);
    let rotation = spectral::dense::thin_q(normal(3, 3, 4).as_ref());
    let moved = faer::Scale(40.0) * (sheet.points.view().as_mat() * &rotation);
    let moved = PointSet::from_mat(Mat::from_fn(150, 3, |i, j| moved[(i, j)] - 7.0).as_ref())?;
    same("similar points", &run(moved.view(), &sheet.basis)?, 40.0, &own);
    let order: Vec<u32> = (0..150).map(|i| (i * 7 + 3) % 150).collect();
    let shuffled = Mat::from_fn(150, 6, |i, j| sheet.basis[(order[i] as usize, j)]);
    same("shuffled points", &run(sheet.points.view().select(&order).view(), &shuffled)?, 1.0, &|i| {
        order[i] as usize
    });
    Ok(())
}

#[test]
fn applying_the_map_to_the_basis_gives_the_coordinates_to_the_bit() -> Result<(), Error> {
    let sheet = sheet(100, 5, 2)?;
    for units in [Units::Input, Units::UnitTrace] {
        let settings = Refinement { units, ..Refinement::default() };
        let map =
            refine(Manifold::new(sheet.points.view(), &sheet.neighbors), sheet.basis.as_ref(), 2, &settings)?;
        assert!(map.apply(sheet.basis.as_ref())? == map.embedding().coordinates());
        let part = map.apply(sheet.basis.subrows(40, 3))?;
        assert!(part.as_ref() == map.embedding().coordinates().subrows(40, 3));
        assert!(matches!(map.apply(sheet.basis.subcols(0, 4)), Err(Error::Shape { .. })));
        let z = &map.embedding().coordinates();
        let covariance = faer::Scale(0.01) * (z.transpose() * z);
        assert!(covariance[(0, 1)].abs() < 1e-9 * covariance[(0, 0)], "axes are principal");
        assert!(covariance[(0, 0)] >= covariance[(1, 1)], "variances descend");
        if units == Units::UnitTrace {
            assert!(close(covariance[(0, 0)] + covariance[(1, 1)], 1.0, 1e-9));
        } else {
            let alive: Vec<f64> = map.report.local_scale.iter().copied().flatten().collect();
            assert!(close(alive.iter().sum::<f64>() / alive.len() as f64, 1.0, 1e-9));
        }
    }
    Ok(())
}

#[test]
fn every_setting_changes_something() -> Result<(), Error> {
    let sheet = sheet(100, 5, 3)?;
    let run = |settings: Refinement| {
        refine(Manifold::new(sheet.points.view(), &sheet.neighbors), sheet.basis.as_ref(), 2, &settings)
    };
    let plain = Refinement::default();
    let reference = run(plain)?;
    let z = |m: &conformal_eigenmaps::ConformalMap| m.embedding().coordinates().to_owned();
    for settings in [
        Refinement { pairs: PatchPairs::Neighbors, ..plain },
        Refinement { pairs: PatchPairs::Path, ..plain },
        Refinement { weight: PatchWeight::Patch, ..plain },
        Refinement { weight: PatchWeight::Sqrt, ..plain },
        Refinement { units: Units::UnitTrace, ..plain },
    ] {
        assert!((z(&run(settings)?) - z(&reference)).norm_max() > 1e-6, "{settings:?}");
    }
    assert_eq!(run(Refinement { profile: 2, ..plain })?.report.rank_profile.len(), 2);
    let wide = refine(Manifold::new(sheet.points.view(), &sheet.neighbors), sheet.basis.as_ref(), 3, &plain)?;
    assert_eq!(wide.embedding().dim(), 3);
    let started = run(Refinement { restarts: 3, seed: 7, ..plain })?;
    assert_eq!(started.report.candidates.len(), 5);
    let other = run(Refinement { restarts: 3, seed: 8, ..plain })?;
    let first = |m: &conformal_eigenmaps::ConformalMap| m.report.candidates[2].solution.trace[0].objective;
    assert_ne!(first(&started), first(&other));
    let convex = run(Refinement { pipeline: Pipeline::Convex, ..plain })?;
    assert!(convex.report.candidates.is_empty() && convex.report.convex.is_some());
    let quick = run(Refinement { pipeline: Pipeline::Rank, ..plain })?;
    assert!(quick.report.convex.is_none() && quick.report.candidates.len() == 1);
    let memory_limit = MemoryLimit::new(100);
    let tiny = Manifold { memory_limit, ..Manifold::new(sheet.points.view(), &sheet.neighbors) };
    assert!(matches!(refine(tiny, sheet.basis.as_ref(), 2, &plain), Err(Error::Memory { .. })));
    Ok(())
}

#[test]
fn the_report_says_what_happened() -> Result<(), Error> {
    let sheet = sheet(150, 6, 4)?;
    let map = refine(
        Manifold::new(sheet.points.view(), &sheet.neighbors),
        sheet.basis.as_ref(),
        2,
        &Refinement::default(),
    )?;
    let report = &map.report;
    let convex = report.convex.as_ref().expect("the default pipeline solves the convex problem");
    let chosen = &report.candidates[report.chosen.expect("d < m")];
    assert!(report.candidates.iter().all(|c| c.angle_error >= chosen.angle_error));
    assert!(close(chosen.angle_error, report.angle_error_after, 1e-9));
    assert!(close(chosen.solution.certificate.value, report.value, 1e-6));
    assert!(convex.certificate.value <= report.value * (1.0 + 1e-9), "rank d cannot beat the convex optimum");
    assert!(report.rank_profile.windows(2).all(|w| w[1] <= w[0]) && report.rank_profile.len() == 4);
    assert!(close(report.spectrum.iter().sum(), 1.0, 1e-12) && report.spectrum.is_sorted_by(|a, b| a >= b));
    assert!(report.warning().is_none() && report.scale_variation < 0.5);
    let angle_error = |map: MatRef<'_, f64>| -> Result<f64, Error> {
        let map = PointSet::from_mat(map)?;
        Ok(quality::shape::angle_error(sheet.points.view(), map.view(), &sheet.neighbors, RowSample::All)?
            .value)
    };
    // The report and the measure are one function.
    assert_eq!(angle_error(map.embedding().coordinates())?, report.angle_error_after);
    assert!(angle_error(sheet.points.view().as_mat())? < 1e-6);
    let random = angle_error(normal(150, 2, 1).as_ref())?;
    assert!(random > 35.0, "{random}");
    Ok(())
}

/// Why the graph must be connected: the loss does not depend on the position of components.
#[test]
fn an_indicator_of_components_has_no_loss() -> Result<(), Error> {
    let good = sheet(60, 3, 6)?;
    let neighbors = good.neighbors.filtered(|i, j| (i < 30) == (j < 30));
    let indicator =
        Mat::from_fn(60, 3, |i, j| if j == 2 { f64::from(u8::from(i < 30)) } else { good.basis[(i, j)] });
    let q = common::loss(good.points.view(), &neighbors, indicator.as_ref())?;
    let solution = conformal_eigenmaps::steps::solve_by_barrier(&q, 1e-9, &Silent)?;
    assert!(solution.certificate.value < 1e-12, "{:e}", solution.certificate.value);
    Ok(())
}

/// Number, objective and shape of the coordinates of an iteration.
type Seen = (usize, Option<f64>, (usize, usize));

/// Keeps every iteration, and ends the run after `most`.
#[derive(Default)]
struct Recorder {
    most: Option<usize>,
    seen: Mutex<Vec<Seen>>,
}

impl Observer for Recorder {
    fn iteration(&self, iteration: &Iteration<'_>) -> ControlFlow<()> {
        let mut seen = self.seen.lock().expect("no test panics while it holds the lock");
        seen.push((iteration.number, iteration.objective, iteration.coordinates.shape()));
        if self.most.is_some_and(|most| seen.len() >= most) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Every iteration of the convex solution and of the runs at rank d is shown, with
/// coordinates and loss; an observer that has seen enough gets the map so far.
#[test]
fn iterations_are_shown_and_can_be_ended() -> Result<(), Error> {
    let set = datasets::generate("swiss-roll", 300, 0)?;
    let recorder = Recorder::default();
    let fit = |observer: &Recorder| {
        ConformalEigenmaps::default().fit(Input::from(&set.points).with_observer(observer))?.into_single()
    };
    let fitted = fit(&recorder)?;
    let report = fitted.report();
    let convex = report.convex.as_ref().expect("the default pipeline solves the convex problem");
    let runs: usize = report.candidates.iter().map(|candidate| candidate.solution.iterations).sum();
    let seen = recorder.seen.into_inner().expect("no test panics while it holds the lock");
    assert_eq!(seen.len(), convex.iterations + runs);
    assert!(seen.iter().enumerate().all(|(i, s)| s.0 == i + 1 && s.2 == (300, 2)));
    let objectives: Vec<f64> = seen.iter().map(|s| s.1.expect("the loss is known")).collect();
    assert_eq!(objectives[convex.iterations - 1], convex.certificate.value);
    assert!(objectives[0] > convex.certificate.value);

    let short = fit(&Recorder { most: Some(3), ..Recorder::default() })?;
    let stopped = short.report().convex.as_ref().expect("the default pipeline solves the convex problem");
    assert_eq!((stopped.outcome, stopped.iterations), (Outcome::Stopped, 3));
    assert!(short.embedding().coordinates().is_all_finite());
    Ok(())
}

/// The sizes of a map in units of the data follow these, and its other numbers where patches have weights.
#[test]
fn what_depends_on_the_unit_of_large_data_is_noted() -> Result<(), Error> {
    let near = sheet(60, 4, 5)?;
    let far = PointSet::new(near.points.view().values().iter().map(|v| v * 2f64.powi(300)).collect(), 3)?;
    for (units, weight, noted) in [
        (Units::Input, PatchWeight::Paper, false),
        (Units::Input, PatchWeight::Patch, true),
        (Units::UnitTrace, PatchWeight::Paper, true),
        (Units::UnitTrace, PatchWeight::Sqrt, true),
    ] {
        let refinement = Refinement { units, weight, ..Refinement::default() };
        let basis = BasisSize::Vectors { count: 4 };
        let method = ConformalEigenmaps { refinement, basis, ..ConformalEigenmaps::default() };
        let fitted = method.fit(&far)?.into_single()?;
        let notes = embedding::Fitted::notes(&fitted);
        let found = notes.iter().any(|note| note.contains("the size of the loss"));
        assert_eq!(found, noted, "{units:?}, {weight:?}: {notes:?}");
    }
    Ok(())
}

/// As many dimensions as vectors: the convex solution has no rank to be reduced.
#[test]
fn with_all_dimensions_the_convex_solution_is_the_map() -> Result<(), Error> {
    let sheet = sheet(60, 3, 5)?;
    let settings = Refinement { pipeline: Pipeline::ConvexThenRank, ..Refinement::default() };
    let run = |dim: usize| {
        refine(Manifold::new(sheet.points.view(), &sheet.neighbors), sheet.basis.as_ref(), dim, &settings)
    };
    let (whole, part) = (run(3)?, run(2)?);
    assert_eq!((whole.report.candidates.len(), whole.report.chosen), (0, None));
    assert!(!part.report.candidates.is_empty() && part.report.chosen.is_some());
    Ok(())
}
