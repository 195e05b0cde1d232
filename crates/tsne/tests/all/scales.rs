//! Data of any scale have the same probabilities and start, up to rounding.

use embedding::{Error, Method, Model, PointSet, Silent};
use testkit::cases::cloud;
use tsne::{Affinities, Schedule, Tsne};

const FACTORS: [f64; 4] = [1e-150, 1e-6, 1e6, 1e150];
const N: usize = 120;

/// Every value times a factor; no factor is a power of two, so that products round.
fn times(points: &PointSet, factor: f64) -> Result<PointSet, Error> {
    PointSet::new(points.view().values().iter().map(|v| v * factor).collect(), points.dim())
}

fn recipe(early_iterations: usize, iterations: usize) -> Tsne {
    let schedule = Schedule { early_iterations, iterations, ..Schedule::default() };
    Tsne { perplexity: 10.0, schedule, ..Tsne::default() }
}

#[test]
fn factors_change_probabilities_by_rounding_alone() -> Result<(), Error> {
    let points = cloud(N, 5, 1).points;
    let near = Affinities::of_points(points.view(), 10.0, &Silent)?;
    for factor in FACTORS {
        let far = Affinities::of_points(times(&points, factor)?.view(), 10.0, &Silent)?;
        for i in 0..N {
            let ((columns, p), (expected, q)) = (far.of(i), near.of(i));
            assert_eq!(columns, expected, "{factor:e}, row {i}");
            let same = p.iter().zip(q).all(|(p, q)| (p - q).abs() <= 1e-9 * q);
            assert!(same, "{factor:e}, row {i}: {p:?}, not {q:?}");
        }
    }
    Ok(())
}

/// The descent amplifies rounding errors; after a few iterations they are still small.
#[test]
fn factors_change_the_first_iterations_by_rounding_alone() -> Result<(), Error> {
    let points = cloud(N, 5, 1).points;
    for (iterations, tolerance) in [(0, 1e-9), (20, 1e-6)] {
        let recipe = recipe(iterations, 0);
        let near = recipe.fit(&points)?;
        let near = near.embedding().values();
        let extent = near.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        for factor in FACTORS {
            let far = recipe.fit(&times(&points, factor)?)?;
            let far = far.embedding().values();
            let worst = far.iter().zip(near).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(worst <= tolerance * extent, "{factor:e}, {iterations} iterations: {worst:e}");
        }
    }
    Ok(())
}

/// Divergences of scaled data differ as much as divergences of data whose last digits are changed.
#[test]
fn factors_change_the_divergence_as_rounding_does() -> Result<(), Error> {
    let points = cloud(N, 5, 1).points;
    let divergence = |points: &PointSet| recipe(250, 500).fit(points).map(|fit| fit.divergence().value());
    let mut rounded = Vec::new();
    for seed in 0..6_usize {
        let last = |i: usize| [-4.0, -1.0, 2.0, 3.0][(i * 7 + seed * (i % 13)) % 4] * f64::EPSILON;
        let values = points.view().values().iter().enumerate().map(|(i, v)| v * (1.0 + last(i)));
        rounded.push(divergence(&PointSet::new(values.collect(), points.dim())?)?);
    }
    let least = rounded.iter().copied().fold(f64::INFINITY, f64::min);
    let most = rounded.iter().copied().fold(0.0, f64::max);
    let width = most - least;
    assert!(width > 0.0, "the descent amplifies rounding errors: {rounded:?}");
    for factor in FACTORS {
        let far = divergence(&times(&points, factor)?)?;
        assert!(far >= least - width && far <= most + width, "{factor:e}: {far}, not {least} to {most}");
    }
    Ok(())
}
