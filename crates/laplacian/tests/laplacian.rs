//! Theorems about walks on neighbor graphs.

use std::f64::consts::TAU;

use embedding::{Error, Method, Model, PointSet, Transform, persist};
use faer::{Mat, MatRef};
use laplacian::{DiffusionMaps, Eigenproblem, FittedLaplacianEigenmaps, LaplacianEigenmaps, Weights, Width};
use neighbor_graph::{ComponentFits, Components, Graph, NeighborSearch, Neighborhood, Neighbors, Symmetry};

fn circle(n: usize) -> PointSet {
    let angle = |i: usize| TAU * i as f64 / n as f64;
    PointSet::new((0..n).flat_map(|i| [angle(i).cos(), angle(i).sin()]).collect(), 2).expect("finite")
}

/// Points of a bent sheet from an additive recurrence.
fn sheet(n: usize) -> PointSet {
    let u = |i: usize| ((i + 1) as f64 * 0.754_877_666_246_692_7).fract();
    let v = |i: usize| ((i + 1) as f64 * 0.569_840_290_998_053_2).fract();
    PointSet::new((0..n).flat_map(|i| [2.0 * u(i), v(i), u(i) * u(i)]).collect(), 3).expect("finite")
}

fn nearest(k: usize) -> Neighborhood {
    Neighborhood::Nearest { k }
}

#[test]
fn a_cycle_has_the_eigenvalues_of_a_cycle() -> Result<(), Error> {
    let n = 24;
    for form in [Eigenproblem::Generalized, Eigenproblem::Normalized] {
        for weights in [Weights::Connectivity, Weights::Heat { width: Width::Auto }] {
            let recipe =
                LaplacianEigenmaps { neighborhood: nearest(2), dim: 4, weights, form, ..Default::default() };
            let fitted = recipe.fit(&circle(n))?.into_single()?;
            for (j, lambda) in fitted.eigenvalues().iter().enumerate() {
                let expected = 1.0 - (TAU * (j / 2 + 1) as f64 / n as f64).cos();
                assert!((lambda - expected).abs() < 1e-12, "{form:?} {weights:?} {j}: {lambda} {expected}");
            }
            let y = fitted.embedding().coordinates();
            let radius = |i: usize| y[(i, 0)].hypot(y[(i, 1)]);
            assert!((0..n).all(|i| (radius(i) - 2f64.sqrt()).abs() < 1e-9), "a circle stays one");
        }
    }
    Ok(())
}

/// max |D⁻¹ A ψ − λ ψ| for the affinities of a heat kernel, written out densely.
fn walk_residual(
    points: &PointSet,
    neighbors: &Neighbors,
    own: f64,
    alpha: f64,
    psi: MatRef<'_, f64>,
    lambda: &[f64],
) -> f64 {
    let n = points.len();
    let graph = Graph::new(neighbors, Symmetry::Union);
    let last = |i: usize| *neighbors.distances_of(i).last().expect("k > 0");
    let width = (0..n).map(last).sum::<f64>() / n as f64;
    let mut a = Mat::<f64>::zeros(n, n);
    for i in 0..n {
        a[(i, i)] = own;
        for (&j, &d) in graph.indices_of(i).iter().zip(graph.weights_of(i)) {
            a[(i, j as usize)] = (-(d / width).powi(2)).exp();
        }
    }
    let q: Vec<f64> = (0..n).map(|i| a.row(i).iter().sum::<f64>().powf(alpha)).collect();
    let a = Mat::from_fn(n, n, |i, j| a[(i, j)] / (q[i] * q[j]));
    let image = &a * psi;
    let mut worst = 0.0_f64;
    for i in 0..n {
        let degree: f64 = a.row(i).iter().sum();
        for (j, l) in lambda.iter().enumerate() {
            worst = worst.max((image[(i, j)] / degree - l * psi[(i, j)]).abs());
        }
    }
    worst
}

#[test]
fn eigenmaps_are_eigenfunctions_of_the_walk() -> Result<(), Error> {
    let points = sheet(200);
    let neighbors = NeighborSearch::from(nearest(8)).find(points.view())?;
    let fitted = LaplacianEigenmaps { neighborhood: nearest(8), dim: 3, ..Default::default() };
    let fitted = fitted.fit(&points)?.into_single()?;
    let lambda: Vec<f64> = fitted.eigenvalues().iter().map(|l| 1.0 - l).collect();
    let residual = walk_residual(&points, &neighbors, 0.0, 0.0, fitted.embedding().coordinates(), &lambda);
    assert!(residual < 1e-10, "{residual}");
    Ok(())
}

#[test]
fn diffusion_at_time_zero_is_laplacian_eigenmaps_of_the_lazy_walk() -> Result<(), Error> {
    let points = sheet(200);
    let neighbors = NeighborSearch::from(nearest(8)).find(points.view())?;
    for alpha in [0.0, 0.5, 1.0] {
        let recipe =
            DiffusionMaps { neighborhood: nearest(8), dim: 3, alpha, time: 0.0, ..Default::default() };
        let fitted = recipe.fit(&points)?.into_single()?;
        let psi = fitted.embedding().coordinates();
        let residual = walk_residual(&points, &neighbors, 1.0, alpha, psi, fitted.eigenvalues());
        assert!(residual < 1e-10, "alpha {alpha}: {residual}");
        let control = walk_residual(&points, &neighbors, 0.0, alpha, psi, fitted.eigenvalues());
        assert!(control > 1e-3, "without a_ii it is another walk");
    }
    Ok(())
}

#[test]
fn time_shrinks_each_coordinate_by_its_eigenvalue() -> Result<(), Error> {
    let points = sheet(150);
    let at = |time| DiffusionMaps { time, ..Default::default() }.fit(&points)?.into_single();
    let (start, later) = (at(0.0)?, at(3.0)?);
    for j in 0..2 {
        let decay = start.eigenvalues()[j].powi(3);
        for i in 0..150 {
            let expected = decay * start.embedding().coordinates()[(i, j)];
            assert!((later.embedding().coordinates()[(i, j)] - expected).abs() < 1e-12);
        }
    }
    Ok(())
}

#[test]
fn alpha_one_forgets_the_density() -> Result<(), Error> {
    // A circle sampled densely on one side: with the density divided out the
    // angle of the map follows the angle of the circle.
    let n = 400;
    let angle = |i: usize| {
        let t = TAU * i as f64 / n as f64;
        t + 0.6 * t.sin()
    };
    let points = PointSet::new((0..n).flat_map(|i| [angle(i).cos(), angle(i).sin()]).collect(), 2)?;
    let spread = |alpha: f64| -> Result<f64, Error> {
        let neighborhood = Neighborhood::Within { radius: 0.3 };
        let width = Width::Fixed(0.1);
        let recipe = DiffusionMaps { neighborhood, width, alpha, ..Default::default() };
        let y = recipe.fit(points.view())?.embedding().coordinates().to_owned();
        let radii: Vec<f64> = (0..n).map(|i| y[(i, 0)].hypot(y[(i, 1)])).collect();
        let (low, high) =
            (radii.iter().copied().fold(f64::INFINITY, f64::min), radii.iter().copied().fold(0.0, f64::max));
        Ok(high / low)
    };
    let (with, without) = (spread(1.0)?, spread(0.0)?);
    assert!(with < 1.1 && without > 1.3, "{with} {without}");
    Ok(())
}

#[test]
fn scaling_is_by_degree_or_by_count() -> Result<(), Error> {
    let points = sheet(180);
    let fit = |form| LaplacianEigenmaps { form, ..Default::default() }.fit(points.view());
    let u = fit(Eigenproblem::Normalized)?.embedding().coordinates().to_owned();
    let gram = u.transpose() * &u;
    assert!((gram - Mat::<f64>::identity(2, 2) * faer::Scale(180.0)).norm_max() < 1e-8);
    let neighbors = NeighborSearch::from(nearest(10)).find(points.view())?;
    let recipe = LaplacianEigenmaps { weights: Weights::Connectivity, ..Default::default() };
    let y = recipe.fit(points.view())?.embedding().coordinates().to_owned();
    let graph = Graph::new(&neighbors, Symmetry::Union);
    let degree = |i: usize| graph.indices_of(i).len() as f64;
    let total: f64 = (0..180).map(degree).sum();
    for j in 0..2 {
        assert!(
            ((0..180).map(|i| degree(i) * y[(i, j)] * y[(i, j)]).sum::<f64>() - total).abs() < 1e-8 * total
        );
        assert!((0..180).map(|i| degree(i) * y[(i, j)]).sum::<f64>().abs() < 1e-8 * total);
    }
    Ok(())
}

#[test]
fn new_points_land_among_their_neighbors_and_training_rows_on_themselves() -> Result<(), Error> {
    let points = sheet(400);
    let beside = |i: usize| {
        let row = points.view().row(8 * i);
        [row[0] + 1e-4, row[1], row[2]]
    };
    let new = PointSet::new((0..50).flat_map(beside).collect(), 3)?;
    let eigenmaps = LaplacianEigenmaps::default().fit(points.view())?;
    let normalized = LaplacianEigenmaps { form: Eigenproblem::Normalized, ..Default::default() };
    let normalized = normalized.fit(points.view())?;
    let diffusion = DiffusionMaps::default().fit(points.view())?;
    let models: [(&dyn Transform, MatRef<'_, f64>); 3] = [
        (&eigenmaps, eigenmaps.embedding().coordinates()),
        (&normalized, normalized.embedding().coordinates()),
        (&diffusion, diffusion.embedding().coordinates()),
    ];
    for (m, (model, y)) in models.into_iter().enumerate() {
        assert_eq!(model.transform(points.view())?.coordinates(), y, "training rows, model {m}");
        let placed = model.transform(new.view())?;
        let size = y.norm_max();
        for i in 0..50 {
            for j in 0..2 {
                let off = (placed[(i, j)] - y[(8 * i, j)]).abs() / size;
                // Degrees differ by the sampling, so the normalized form moves most.
                assert!(off < 0.35, "model {m}, point {i}, axis {j}: {off}");
            }
        }
        let rows = [7, 3, 49];
        let some = model.transform(new.view().select(&rows).view())?;
        assert_eq!(
            some.coordinates(),
            embedding::implement::matrix::select_rows(placed.coordinates(), &rows),
            "alone as in company"
        );
    }
    Ok(())
}

#[test]
fn halfway_between_two_points_of_a_cycle_the_formula_is_known() -> Result<(), Error> {
    // The eigenfunctions are √2 cos(θ + φ); the mean of two neighbors shrinks
    // them by cos(π/n), the division by the eigenvalue stretches by 1/cos(2π/n).
    let n = 24;
    let recipe =
        LaplacianEigenmaps { neighborhood: nearest(2), weights: Weights::Connectivity, ..Default::default() };
    let fitted = recipe.fit(circle(n).view())?;
    let half = 0.5 * TAU / n as f64;
    let placed = fitted.transform(PointSet::new(vec![half.cos(), half.sin()], 2)?.view())?;
    let expected = 2f64.sqrt() * half.cos() / (2.0 * half).cos();
    assert!((placed[(0, 0)].hypot(placed[(0, 1)]) - expected).abs() < 1e-9);
    Ok(())
}

/// Points of the circle, denser on one side, and the affinities of the kernel exp(−d²/w²).
#[test]
fn new_points_by_diffusion_maps_follow_the_formula() -> Result<(), Error> {
    let (n, width, radius) = (60, 0.4, 0.6);
    let angle = |i: f64| {
        let t = TAU * i / n as f64;
        t + 0.5 * t.sin()
    };
    let place = |i: f64| [angle(i).cos(), angle(i).sin()];
    let points = PointSet::new((0..n).flat_map(|i| place(i as f64)).collect(), 2)?;
    let new = PointSet::new((0..7).flat_map(|i| place(8.3 * i as f64)).collect(), 2)?;
    let neighborhood = Neighborhood::Within { radius };
    let between = |a: &[f64], b: &[f64]| {
        let squared = embedding::implement::squared_distance(a, b);
        if squared <= radius * radius { (-squared / (width * width)).exp() } else { 0.0 }
    };
    for (alpha, time) in [(1.0, 0.0), (0.5, 1.0), (0.0, 2.0)] {
        let recipe =
            DiffusionMaps { neighborhood, width: Width::Fixed(width), alpha, time, ..Default::default() };
        let fitted = recipe.fit(points.view())?;
        let y = fitted.embedding().coordinates();
        let density = |row: &[f64]| points.view().rows().map(|x| between(row, x)).sum::<f64>().powf(alpha);
        let densities: Vec<f64> = points.view().rows().map(density).collect();
        let placed = fitted.transform(new.view())?;
        for (i, row) in new.view().rows().enumerate().filter(|(i, _)| *i > 0) {
            let a: Vec<f64> =
                points.view().rows().zip(&densities).map(|(x, q)| between(row, x) / q).collect();
            let degree: f64 = a.iter().sum();
            for (c, lambda) in fitted.embedding().spectrum().iter().enumerate() {
                let sum: f64 = a.iter().enumerate().map(|(j, a)| a * y[(j, c)]).sum();
                let (expected, found) = (sum / (degree * lambda), placed[(i, c)]);
                assert!((found - expected).abs() < 1e-9, "alpha {alpha}, {i}: {found} {expected}");
            }
        }
    }
    Ok(())
}

#[test]
fn two_circles_never_collapse_silently() -> Result<(), Error> {
    let one = circle(30);
    let two: Vec<f64> = one
        .view()
        .rows()
        .flat_map(|r| [r[0], r[1]])
        .chain(one.view().rows().flat_map(|r| [r[0] + 9.0, r[1]]))
        .collect();
    let two = PointSet::new(two, 2)?;
    let recipe =
        |components| LaplacianEigenmaps { neighborhood: nearest(2), components, ..Default::default() };
    let refused = recipe(Components::Reject).fit(two.view());
    assert!(matches!(refused, Err(Error::Disconnected { components: 2, .. })), "{refused:?}");
    let largest = recipe(Components::Largest).fit(&two)?;
    assert_eq!(largest.embedding().placed_rows().map(<[u32]>::len), Some(30));
    let bridged = recipe(Components::Bridge).fit(&two)?;
    assert_eq!((bridged.bridges().len(), bridged.embedding().len()), (1, 60));
    let apart = recipe(Components::PerComponent).fit(&two)?;
    let y = apart.embedding().coordinates();
    let edge = (0..30).map(|i| y[(i, 0)]).fold(f64::NEG_INFINITY, f64::max);
    assert!((30..60).all(|i| y[(i, 0)] > edge), "side by side without overlap");
    Ok(())
}

#[test]
fn illegal_parameters_are_refused() {
    let points = sheet(20);
    let eigenmaps = |recipe: LaplacianEigenmaps| recipe.fit(points.view()).expect_err("refused").to_string();
    assert!(
        eigenmaps(LaplacianEigenmaps { dim: 0, ..Default::default() }).contains("1 to n - 1 (here 1 to 19)")
    );
    assert!(eigenmaps(LaplacianEigenmaps { dim: 20, ..Default::default() }).contains("is 20"));
    let weights = Weights::Heat { width: Width::Fixed(0.0) };
    assert_eq!(
        eigenmaps(LaplacianEigenmaps { weights, ..Default::default() }),
        "weights must be above 0, but is heat:0"
    );
    let diffusion = |recipe: DiffusionMaps| recipe.fit(points.view()).expect_err("refused").to_string();
    assert!(diffusion(DiffusionMaps { alpha: 1.5, ..Default::default() }).contains("alpha"));
    assert!(diffusion(DiffusionMaps { time: -1.0, ..Default::default() }).contains("time"));
}

#[test]
fn an_isolated_point_is_named_by_its_row_among_copies() {
    let mut values = sheet(40).view().values().to_vec();
    // Row 40 is a copy of row 0, row 41 has no neighbor.
    values.extend_from_within(..3);
    values.extend([50.0; 3]);
    let points = PointSet::new(values, 3).expect("finite");
    for radius in [1.0, 5.0] {
        let recipe = LaplacianEigenmaps {
            neighborhood: Neighborhood::Within { radius },
            components: Components::PerComponent,
            ..Default::default()
        };
        let refused = recipe.fit(&points).map(|fitted| fitted.embedding().len());
        assert!(
            matches!(refused, Err(Error::Component { component: 2, components: 2, size: 1, row: 41, .. })),
            "{refused:?}"
        );
    }
}

/// The walk on a path of three points leaves the middle point at every other step: its second eigenvalue is
/// 0.
#[test]
fn a_model_with_an_eigenvalue_0_is_saved_and_refuses_new_points() -> Result<(), Error> {
    let path = PointSet::new(vec![0.0, 1.0, 2.0], 1)?;
    let nearest = Neighborhood::Nearest { k: 1 };
    let recipe = LaplacianEigenmaps { neighborhood: nearest, dim: 1, ..LaplacianEigenmaps::default() };
    let fitted = recipe.fit(&path)?;
    assert_eq!(fitted.embedding().spectrum(), [1.0]);
    let read: ComponentFits<FittedLaplacianEigenmaps> =
        persist::decode("laplacian-eigenmaps", &persist::encode("laplacian-eigenmaps", &fitted)?)?;
    assert_eq!(read.transform(path.view())?.values(), fitted.embedding().values());
    let beside = PointSet::new(vec![0.25], 1)?;
    let sentence = read.transform(beside.view()).expect_err("no place").to_string();
    assert!(sentence.contains("eigenvalue 0"), "{sentence}");
    Ok(())
}

/// The sum of the distances that determine the automatic width is above the largest number.
#[test]
fn points_near_the_largest_number_have_the_map_of_ordinary_ones() -> Result<(), Error> {
    let near = sheet(60);
    let far = PointSet::new(near.view().values().iter().map(|v| v * 2f64.powi(1022)).collect(), 3)?;
    let weights = Weights::Heat { width: Width::Auto };
    let eigenmaps = LaplacianEigenmaps { weights, ..LaplacianEigenmaps::default() };
    let fitted = eigenmaps.fit(&far)?;
    assert_eq!(fitted.embedding().values(), eigenmaps.fit(&near)?.embedding().values());
    let read: ComponentFits<FittedLaplacianEigenmaps> =
        persist::decode("laplacian-eigenmaps", &persist::encode("laplacian-eigenmaps", &fitted)?)?;
    assert_eq!(read.transform(far.view())?.values(), fitted.embedding().values());
    let maps = DiffusionMaps::default();
    assert_eq!(maps.fit(&far)?.embedding().values(), maps.fit(&near)?.embedding().values());
    Ok(())
}

#[test]
fn a_time_after_which_no_coordinate_is_a_normal_number_is_an_error() -> Result<(), Error> {
    let at = |time| DiffusionMaps { time, ..DiffusionMaps::default() }.fit(&sheet(60));
    for time in [1e5, 1e300] {
        let refused = at(time).expect_err("all coordinates are 0").to_string();
        assert!(refused.contains("the same probabilities") && refused.contains("smaller time"), "{refused}");
    }
    assert!(at(100.0)?.embedding().coordinates().norm_max() > 0.0);
    Ok(())
}
