//! The spectral start by its definition, and gradients as text.

use embedding::{Error, Method, Model, Silent, Value};
use faer::Mat;
use spectral::dense::symmetric_eigen;
use testkit::cloud;
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
