//! The spectral start by its definition, and gradients as text.

use embedding::implement::Value;
use embedding::{DistanceMatrix, Error, Method, Model, PointSet, Silent, SparsePointSet, Transform};
use faer::Mat;
use neighbor_graph::{NeighborSearch, Neighborhood};
use spectral::dense::symmetric_eigen;
use testkit::cases::cloud;
use tsne::{Affinities, Gradient, Schedule, Start, Tsne};

/// The slowest modes of the random walk with the probabilities P: P y = λ D y, D their sums.
#[test]
fn the_spectral_start_is_the_slowest_modes_of_the_walk() -> Result<(), Error> {
    let n = 70;
    let points = cloud(n, 3, 1);
    let still = Schedule { early_iterations: 0, iterations: 0, ..Schedule::default() };
    let recipe = Tsne { perplexity: 6.0, start: Start::Spectral, schedule: still, ..Tsne::default() };
    let map = recipe.fit(points.view())?;
    let affinities = Affinities::of_points(points.view(), 6.0, &Silent)?;
    let mut dense = Mat::zeros(n, n);
    for i in 0..n {
        let (columns, p) = affinities.of(i);
        columns.iter().zip(p).for_each(|(&j, &p)| dense[(i, j as usize)] = p);
    }
    let roots: Vec<f64> = (0..n).map(|i| dense.row(i).iter().sum::<f64>().sqrt()).collect();
    let walk = Mat::from_fn(n, n, |i, j| dense[(i, j)] / (roots[i] * roots[j]));
    let (values, vectors) = symmetric_eigen(walk.as_ref())?;
    assert!((values[n - 1] - 1.0).abs() < 1e-12, "the stationary mode");
    let y = map.embedding().coordinates();
    for c in 0..2 {
        let mode: Vec<f64> = (0..n).map(|i| vectors[(i, n - 2 - c)] / roots[i]).collect();
        let length = mode.iter().map(|v| v * v).sum::<f64>().sqrt();
        let along: f64 = mode.iter().zip(y.col(c).iter()).map(|(a, b)| a * b).sum();
        let cosine = along.abs() / (length * y.col(c).norm_l2());
        assert!(cosine > 1.0 - 1e-6, "{c}: {cosine}");
    }
    Ok(())
}

#[test]
fn gradients_are_read_as_they_are_shown() {
    for gradient in [
        Gradient::Auto,
        Gradient::Exact,
        Gradient::Interpolation,
        Gradient::BarnesHut { theta: 0.5 },
        Gradient::BarnesHut { theta: 0.25 },
    ] {
        assert_eq!(<Gradient as Value>::read(&gradient.show()), Some(gradient), "{}", gradient.show());
    }
    assert_eq!(<Gradient as Value>::read("barnes-hut"), Some(Gradient::BarnesHut { theta: 0.5 }));
    for text in ["", "fast", "barnes-hut:x", "exact:1"] {
        assert_eq!(<Gradient as Value>::read(text), None, "{text}");
    }
}

fn still(start: Start, dim: usize, perplexity: f64) -> Tsne {
    let schedule = Schedule { early_iterations: 0, iterations: 0, ..Schedule::default() };
    Tsne { perplexity, start, dim, schedule, gradient: Gradient::Exact, ..Tsne::default() }
}

fn deviation(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt()
}

/// Columns keep their proportions, the first has deviation 10⁻⁴; a direction without extent has random
/// numbers of that deviation.
#[test]
fn a_start_by_components_keeps_proportions_and_has_random_numbers_without_extent() -> Result<(), Error> {
    for (height, least, most) in [(0.03, 0.025e-4, 0.035e-4), (0.0, 0.7e-4, 1.3e-4)] {
        let row = |i: usize| [i as f64 / 7.0, height * (if i.is_multiple_of(2) { 1.0 } else { -1.0 }) * 5.0];
        let points = PointSet::new((0..120).flat_map(row).collect(), 2)?;
        let map = still(Start::Pca, 2, 9.0).fit(&points)?;
        let column = |c: usize| map.embedding().rows().map(|y| y[c]).collect::<Vec<f64>>();
        assert!((deviation(&column(0)) / 1e-4 - 1.0).abs() < 1e-6);
        let second = deviation(&column(1));
        assert!((least..most).contains(&second), "{height}: {second:e}");
    }
    Ok(())
}

/// Three points have two modes that move: a third column is random.
#[test]
fn a_spectral_start_has_as_many_modes_as_points_but_one() -> Result<(), Error> {
    let points = PointSet::new(vec![0.0, 1.0, 5.0, 2.0, 3.0, -4.0], 2)?;
    let map = still(Start::Spectral, 3, 1.5).fit(&points)?;
    let third: Vec<f64> = map.embedding().rows().map(|y| y[2]).collect();
    assert!(deviation(&third) > 1e-6, "{third:?}");
    Ok(())
}

/// Classical scaling of Euclidean distances gives the principal components, up to the signs of the columns.
/// Lists start at the slowest modes of the walk.
#[test]
fn distances_start_at_the_components_of_their_points_and_lists_at_modes() -> Result<(), Error> {
    for n in [50, 400] {
        let case = cloud(n, 6, 3);
        let recipe = still(Start::Pca, 2, 9.0);
        let expected = recipe.fit(&case.points)?;
        let values = case.distances();
        let fitted = recipe.fit(DistanceMatrix::new(&values, n)?)?;
        for c in 0..2 {
            let column = |map: &embedding::Embedding| map.rows().map(|y| y[c]).collect::<Vec<f64>>();
            let (found, expected) = (column(fitted.embedding()), column(expected.embedding()));
            let sign = found.iter().zip(&expected).map(|(a, b)| a * b).sum::<f64>().signum();
            let gap = found.iter().zip(&expected).map(|(a, b)| (sign * a - b).abs()).fold(0.0, f64::max);
            assert!(gap < 1e-8 * 1e-4, "{n} points, column {c}: {gap:e}");
        }
        let lists = NeighborSearch::nearest(27).find(&case.points)?;
        let modes = still(Start::Spectral, 2, 9.0).fit(&lists)?;
        assert_eq!(recipe.fit(&lists)?.embedding(), modes.embedding());
        let random = still(Start::Random, 2, 9.0).fit(&lists)?;
        assert_ne!(random.embedding(), modes.embedding());
    }
    Ok(())
}

#[test]
fn neighbors_are_three_times_the_perplexity_and_perplexities_below_the_number_of_points() {
    let recipe = Tsne { perplexity: 7.0, ..Tsne::default() };
    for (n, k) in [(100, Some(21)), (15, Some(14)), (8, Some(7)), (7, None)] {
        assert_eq!(recipe.neighborhood(n), k.map(|k| Neighborhood::Nearest { k }), "{n} points");
    }
    let points = cloud(12, 3, 1);
    assert!(Affinities::of_points(points.view(), 11.0, &Silent).is_ok());
    let refused = Affinities::of_points(points.view(), 11.5, &Silent).map(drop);
    assert!(matches!(refused, Err(Error::Parameter { name: "perplexity", .. })), "{refused:?}");
}

#[test]
fn new_points_are_read_in_units_of_the_data() -> Result<(), Error> {
    let near = cloud(40, 3, 1);
    let factor = 2f64.powi(900);
    let times =
        |points: &PointSet| PointSet::new(points.view().values().iter().map(|v| v * factor).collect(), 3);
    let (far, new) = (times(&near.points)?, cloud(6, 3, 2));
    let recipe = still(Start::Pca, 2, 5.0);
    let (by_near, by_far) = (recipe.fit(near.view())?, recipe.fit(&far)?);
    assert_eq!(by_near.embedding(), by_far.embedding());
    let placed = by_far.transform(times(&new.points)?.view())?;
    assert_eq!(placed.values(), by_near.transform(new.view())?.values());
    Ok(())
}

/// The principal components of sparse points, whose zeros are not read.
#[test]
fn sparse_points_start_at_their_principal_components() -> Result<(), Error> {
    let value =
        |i: usize, c: usize| if (i + 2 * c).is_multiple_of(5) { 1.0 + (i * c % 7) as f64 } else { 0.0 };
    let points = PointSet::new((0..80 * 30).map(|at| value(at / 30, at % 30)).collect(), 30)?;
    let sparse = SparsePointSet::of(points.view())?;
    let recipe = still(Start::Pca, 2, 8.0);
    let (of_sparse, of_dense) = (recipe.fit(sparse.view())?, recipe.fit(&points)?);
    let largest = of_dense.embedding().coordinates().norm_max();
    let gap = (of_sparse.embedding().coordinates() - of_dense.embedding().coordinates()).norm_max();
    assert!(gap < 1e-6 * largest, "{gap} of {largest}");
    Ok(())
}
