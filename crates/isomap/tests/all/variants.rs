//! Theorems about landmark and conformal Isomap.

use embedding::{
    DynMethod, Error, Fitted, Input, MemoryLimit, Method, Metric, Model, PointSet, Silent, Transform,
};
use faer::{Mat, MatRef};
use isomap::{ConformalIsomap, Duplicates, Isomap, LandmarkIsomap, Landmarks, Precision};
use neighbor_graph::{Graph, NeighborSearch, Neighborhood, Symmetry};
use spectral::Tolerance;
use testkit::json;

/// u and v in (0, 1), evenly spread by the additive recurrence of the plastic
/// number; no generator involved.
fn square(n: usize) -> Vec<(f64, f64)> {
    (1..=n).map(|i| ((i as f64 * 0.754_877_666).fract(), (i as f64 * 0.569_840_291).fract())).collect()
}

fn roll(n: usize) -> PointSet {
    let t = |u: f64| 4.7 * (1.0 + 1.2 * u);
    let place = |(u, v): (f64, f64)| [t(u) * t(u).cos(), 21.0 * v, t(u) * t(u).sin()];
    PointSet::new(square(n).into_iter().flat_map(place).collect(), 3).expect("finite")
}

fn nearest(k: usize) -> Neighborhood {
    Neighborhood::Nearest { k }
}

fn gap(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> f64 {
    assert_eq!(a.shape(), b.shape());
    (a - b).norm_max()
}

/// Σ |best similarity of y − x|² / Σ |x − x̄|², for plane coordinates.
fn disparity(x: MatRef<'_, f64>, y: MatRef<'_, f64>) -> f64 {
    let n = x.nrows();
    let centered = |m: MatRef<'_, f64>| {
        let mean: Vec<f64> = (0..2).map(|j| m.col(j).iter().sum::<f64>() / n as f64).collect();
        Mat::from_fn(n, 2, |i, j| m[(i, j)] - mean[j])
    };
    let (x, y) = (centered(x), centered(y));
    let cross = x.transpose() * &y;
    let (_, s, _) = spectral::dense::thin_svd(cross.as_ref()).expect("two by two");
    1.0 - (s[0] + s[1]).powi(2) / (x.squared_norm_l2() * y.squared_norm_l2())
}

#[test]
fn with_all_points_as_landmarks_it_is_isomap() -> Result<(), Error> {
    let points = roll(300);
    let all = LandmarkIsomap {
        neighborhood: nearest(8),
        landmarks: Landmarks::MaxMin { count: 300 },
        precision: Precision::Double,
        ..LandmarkIsomap::default()
    };
    let full = Isomap { neighborhood: nearest(8), precision: Precision::Double, ..Isomap::default() };
    let (a, b) = (all.fit(&points)?.into_single()?, full.fit(&points)?);
    assert!(gap(a.embedding().coordinates(), b.embedding().coordinates()) < 1e-9);
    assert_eq!(a.landmarks().len(), 300);
    let new = roll(330).view().select(&(300..330).collect::<Vec<_>>());
    assert!(gap(a.transform(new.view())?.coordinates(), b.transform(new.view())?.coordinates()) < 1e-9);
    Ok(())
}

#[test]
fn few_landmarks_are_enough_and_reproduce_their_rows() -> Result<(), Error> {
    let points = roll(1000);
    let full = Isomap { neighborhood: nearest(8), ..Isomap::default() }.fit(points.view())?;
    let mut worse = Vec::new();
    for landmarks in [Landmarks::MaxMin { count: 40 }, Landmarks::Random { count: 40, seed: 7 }] {
        let recipe = LandmarkIsomap { neighborhood: nearest(8), landmarks, ..LandmarkIsomap::default() };
        let fitted = recipe.fit(&points)?.into_single()?;
        assert_eq!(fitted.landmarks().len(), 40);
        assert!(fitted.landmarks().is_sorted_by(|a, b| a < b));
        let y = fitted.embedding().coordinates();
        assert_eq!(fitted.transform(points.view())?.coordinates(), y, "training rows, to the bit");
        worse.push(disparity(full.embedding().coordinates(), y));
    }
    assert!(worse.iter().all(|d| *d < 0.01), "{worse:?}");
    assert!(worse[0] != worse[1], "the choice of landmarks matters");
    Ok(())
}

#[test]
fn errors_name_too_few_landmarks_and_too_little_memory() {
    let points = roll(200);
    let two = LandmarkIsomap { landmarks: Landmarks::MaxMin { count: 2 }, ..LandmarkIsomap::default() };
    assert!(matches!(two.fit(points.view()), Err(Error::Parameter { name: "landmarks", .. })));
    let fifty = LandmarkIsomap { landmarks: Landmarks::MaxMin { count: 50 }, ..LandmarkIsomap::default() };
    let starved = Input::from(&points).with_memory_limit(MemoryLimit::new(272_399));
    assert!(matches!(fifty.fit(starved), Err(Error::Memory { needed: 272_400, .. })));
}

#[test]
fn landmark_isomap_in_single_precision_does_not_depend_on_units() -> Result<(), Error> {
    let points = roll(300);
    let recipe = LandmarkIsomap {
        neighborhood: nearest(8),
        landmarks: Landmarks::MaxMin { count: 40 },
        ..LandmarkIsomap::default()
    };
    let y = recipe.fit(&points)?.embedding().coordinates().to_owned();
    // Powers of two near 1e38 and 1e-46, which change no digit.
    for factor in [2f64.powi(126), 2f64.powi(-153)] {
        let values = points.view().values().iter().map(|v| v * factor).collect();
        let scaled = PointSet::new(values, 3)?;
        let fitted = recipe.fit(&scaled)?;
        assert_eq!(fitted.embedding().coordinates(), &y * faer::Scale(factor), "times {factor}");
        assert_eq!(fitted.transform(scaled.view())?.values(), fitted.embedding().values());
    }
    Ok(())
}

#[test]
fn rounding_of_geodesics_is_no_dimension() {
    let line = (0..60).flat_map(|i| [1.0, 0.3, -0.7].map(|a| a * (f64::from(i) + 0.1 * f64::from(i % 7))));
    let points = PointSet::new(line.collect(), 3).expect("finite");
    for dim in [2, 3] {
        for precision in [Precision::Single, Precision::Double] {
            let recipe = LandmarkIsomap {
                neighborhood: nearest(4),
                landmarks: Landmarks::MaxMin { count: 30 },
                dim,
                precision,
                ..LandmarkIsomap::default()
            };
            let refused = recipe.fit(points.view());
            let said =
                matches!(&refused, Err(Error::Degenerate { problem, .. }) if problem.contains("only 1 "));
            assert!(said, "{dim} dimensions, {precision:?}: {refused:?}");
        }
    }
}

/// A disc, and its image under z ↦ z + 0.3 z², whose stretch |1 + 0.6 z| runs
/// from 0.4 to 1.6: conformal, and not an isometry.
fn stretched(n: usize) -> (PointSet, Mat<f64>) {
    let disc: Vec<(f64, f64)> = square(n)
        .into_iter()
        .map(|(u, v)| {
            (u.sqrt() * (std::f64::consts::TAU * v).cos(), u.sqrt() * (std::f64::consts::TAU * v).sin())
        })
        .collect();
    let image = disc.iter().flat_map(|&(x, y)| [x + 0.3 * (x * x - y * y), y + 0.6 * x * y]).collect();
    (
        PointSet::new(image, 2).expect("finite"),
        Mat::from_fn(n, 2, |i, j| if j == 0 { disc[i].0 } else { disc[i].1 }),
    )
}

#[test]
fn a_conformal_stretch_is_undone() -> Result<(), Error> {
    let (points, disc) = stretched(800);
    let conformal = ConformalIsomap { neighborhood: nearest(15), ..ConformalIsomap::default() };
    let plain = Isomap { neighborhood: nearest(15), ..Isomap::default() };
    let score = |y: MatRef<'_, f64>| disparity(disc.as_ref(), y);
    let (c, p) = (conformal.fit(points.view())?, plain.fit(points.view())?);
    let (conformal, plain) = (score(c.embedding().coordinates()), score(p.embedding().coordinates()));
    assert!(conformal < 0.3 * plain && conformal < 0.01, "{conformal} {plain}");
    Ok(())
}

#[test]
fn conformal_rows_reproduce_and_units_do_not_matter() -> Result<(), Error> {
    let (points, _) = stretched(400);
    let recipe = ConformalIsomap::default();
    let fitted = recipe.fit(&points)?.into_single()?;
    let y = fitted.embedding().coordinates();
    assert!(gap(fitted.transform(points.view())?.coordinates(), y) < 1e-10 * y.norm_max());
    // A power of two changes no digit.
    let scaled = PointSet::new(points.view().values().iter().map(|v| 1024.0 * v).collect(), 2)?;
    assert_eq!(recipe.fit(&scaled)?.embedding().coordinates(), y);
    let ratio = fitted.spacing().iter().fold(0.0_f64, |m, s| m.max(*s))
        / fitted.spacing().iter().fold(f64::INFINITY, |m, s| m.min(*s));
    assert!(ratio > 2.0, "the spacing varies as the stretch does: {ratio}");
    Ok(())
}

#[test]
fn a_point_whose_neighbors_coincide_is_refused() {
    let mut values = vec![0.5; 2 * 6];
    values.extend(square(60).into_iter().flat_map(|(u, v)| [u, v]));
    let points = PointSet::new(values, 2).expect("finite");
    let recipe = ConformalIsomap {
        neighborhood: nearest(4),
        components: neighbor_graph::Components::Bridge,
        duplicates: Duplicates::Keep,
        ..ConformalIsomap::default()
    };
    let result = recipe.fit(points.view());
    // The bridge gives one copy a spacing; the others have none.
    assert!(
        matches!(&result, Err(Error::Degenerate { problem, .. }) if problem.contains("coincide")),
        "{result:?}"
    );
}

#[test]
fn damaged_models_are_refused() -> Result<(), Error> {
    let points = roll(60);
    let landmarks = Landmarks::MaxMin { count: 10 };
    let recipe = LandmarkIsomap { neighborhood: nearest(8), landmarks, ..LandmarkIsomap::default() };
    let fitted = recipe.fit(&points)?.into_single()?;
    testkit::refuses_damage(
        &fitted,
        &[
            // Not ascending, twice the same, and no row.
            ("/rows/0", json!(59)),
            ("/rows/1", json!(fitted.landmarks()[0])),
            ("/rows/9", json!(60)),
            ("/rows", json!([1, 2])),
            ("/geodesics/squares/Single/0/3", json!(-1.0)),
            ("/geodesics/squares/Single/9", json!([0.0])),
            ("/geodesics/squares/Single", json!([[0.0]])),
        ],
    );
    let conformal = ConformalIsomap { neighborhood: nearest(8), ..ConformalIsomap::default() };
    testkit::refuses_damage(
        &conformal.fit(&points)?.into_single()?,
        &[("/spacing/0", json!(-1.0)), ("/spacing", json!([1.0]))],
    );
    Ok(())
}

#[test]
fn models_report_their_scaling() -> Result<(), Error> {
    let points = roll(150);
    let nearest = nearest(8);
    let isomap = Isomap { neighborhood: nearest, ..Isomap::default() };
    let conformal = ConformalIsomap { neighborhood: nearest, ..ConformalIsomap::default() };
    let landmarks = Landmarks::MaxMin { count: 20 };
    let some = LandmarkIsomap { neighborhood: nearest, landmarks, ..LandmarkIsomap::default() };
    let (plain, spaced) = (isomap.fit(&points)?.into_single()?, conformal.fit(&points)?.into_single()?);
    for (facts, scaling, variances) in [
        (plain.report().facts, plain.scaling(), plain.residual_variances()),
        (spaced.report().facts, spaced.scaling(), spaced.residual_variances()),
    ] {
        assert_eq!(facts["eigenvalues"], json!(scaling.eigenvalues()));
        assert_eq!(facts["residual_variances"], json!(variances));
        // A roll has two dimensions.
        assert!(variances[0] > 0.1 && variances[1] < 0.6 * variances[0], "{variances:?}");
    }
    let by_landmarks = some.fit(&points)?.into_single()?;
    let facts = by_landmarks.report().facts;
    assert_eq!(facts["landmarks"], json!(by_landmarks.landmarks()));
    assert_eq!(facts["eigenvalues"], json!(by_landmarks.scaling().eigenvalues()));
    // They are far from each other in space, not along the sheet.
    assert_eq!(by_landmarks.landmarks(), landmarks.choose(points.view(), &Silent)?);
    // Squares that leave the range of numbers are in other units, which a note states.
    let large: Vec<f64> = points.view().values().iter().map(|value| value * 2.0_f64.powi(700)).collect();
    let large = PointSet::new(large, 3)?;
    for (usual, notes) in [
        (plain.report().notes, isomap.fit(&large)?.into_single()?.report().notes),
        (by_landmarks.report().notes, some.fit(&large)?.into_single()?.report().notes),
    ] {
        assert!(usual.is_empty(), "{usual:?}");
        assert!(notes.len() == 1 && notes[0].contains("eigenvalues"), "{notes:?}");
    }
    Ok(())
}

#[test]
fn eigenvectors_are_as_precise_as_asked_for() -> Result<(), Error> {
    let points = roll(600);
    let residual = |tolerance: f64| -> Result<[f64; 2], Error> {
        let (neighborhood, tolerance) = (nearest(8), Tolerance::new(tolerance)?);
        let landmarks = Landmarks::MaxMin { count: 400 };
        let plain = Isomap { neighborhood, tolerance, ..Isomap::default() };
        let plain = plain.fit(&points)?.into_single()?;
        let some = LandmarkIsomap { neighborhood, landmarks, tolerance, ..LandmarkIsomap::default() };
        let some = some.fit(&points)?.into_single()?;
        let largest = |residuals: &[f64]| residuals.iter().copied().fold(0.0, f64::max);
        Ok([largest(plain.scaling().residuals()), largest(some.scaling().residuals())])
    };
    let (rough, fine) = (residual(1e-3)?, residual(1e-12)?);
    for (rough, fine) in rough.into_iter().zip(fine) {
        assert!(rough <= 1e-3 && fine <= 1e-12 && fine < rough, "{rough} {fine}");
    }
    Ok(())
}

/// Applies before a search of neighbors, but not where copies would be merged.
#[test]
fn sizes_alone_refuse_what_exceeds_the_limit() -> Result<(), Error> {
    let points = roll(200);
    let copied = points.view().select(&(0..200).chain(0..200).collect::<Vec<_>>());
    let check = |method: Isomap, points: &PointSet, bytes| {
        method.check_memory_of(&Input::from(points).with_memory_limit(MemoryLimit::new(bytes)), points.len())
    };
    let (merging, keeping) =
        (Isomap::default(), Isomap { duplicates: Duplicates::Keep, ..Isomap::default() });
    for method in [merging, keeping] {
        assert!(check(method, &points, 10_000_000).is_ok());
        assert!(matches!(check(method, &points, 50_000), Err(Error::Memory { .. })));
    }
    assert!(check(merging, &copied, 50_000).is_ok());
    assert!(matches!(check(keeping, &copied, 50_000), Err(Error::Memory { .. })));
    // The fit itself then counts the distinct points.
    let limited = Input::from(&copied).with_memory_limit(MemoryLimit::new(50_000));
    assert!(matches!(merging.fit(limited), Err(Error::Memory { .. })));
    Ok(())
}

#[test]
fn landmarks_span_a_dimension_less_than_their_number() -> Result<(), Error> {
    let points = roll(60);
    for count in [4, 10, 90] {
        let recipe = LandmarkIsomap { landmarks: Landmarks::MaxMin { count }, ..LandmarkIsomap::default() };
        let at = recipe.parameters().iter().position(|p| p.name == "dim").expect("a parameter");
        let most = recipe.limits(&Input::from(&points))[at].expect("a range").high;
        assert_eq!(most, Some((count.min(60) - 1) as f64));
    }
    Ok(())
}

/// By coordinates they would be far apart in space, which another metric does not measure.
#[test]
fn landmarks_by_another_metric_are_spread_along_the_graph() -> Result<(), Error> {
    let points = roll(90);
    let (landmarks, rule) = (Landmarks::MaxMin { count: 12 }, nearest(8));
    let input = Input::from(&points).with_metric(Metric::Manhattan);
    let recipe = LandmarkIsomap { neighborhood: rule, landmarks, ..LandmarkIsomap::default() };
    let fitted = recipe.fit(input)?.into_single()?;
    let graph = Graph::new(&NeighborSearch::from(rule).find(input)?, Symmetry::Union);
    let along = landmarks.choose_by(90, |i| graph.geodesics_from(i), &Silent)?;
    assert_eq!(fitted.landmarks(), along);
    assert_ne!(along, landmarks.choose(points.view(), &Silent)?);
    Ok(())
}

/// A scaling of other landmarks with the same number of dimensions.
#[test]
fn a_scaling_of_fewer_landmarks_is_refused() -> Result<(), Error> {
    let points = roll(60);
    let fit = |count: usize| {
        let landmarks = Landmarks::MaxMin { count };
        let recipe = LandmarkIsomap { neighborhood: nearest(8), landmarks, ..LandmarkIsomap::default() };
        recipe.fit(&points)?.into_single()
    };
    let other = json!(fit(9)?);
    testkit::refuses_damage(&fit(10)?, &[("/scaling", other["scaling"].clone())]);
    Ok(())
}

/// The refusal comes before neighbors are searched.
#[test]
fn a_conformal_fit_is_refused_by_its_sizes() {
    let points = roll(100);
    let input = Input::from(&points);
    let recipe = ConformalIsomap::default();
    let refused = recipe.check_memory_of(&input.with_memory_limit(MemoryLimit::new(1000)), input.len());
    assert!(matches!(refused, Err(Error::Memory { .. })), "{refused:?}");
    assert_eq!(recipe.check_memory_of(&input, input.len()), Ok(()));
}
