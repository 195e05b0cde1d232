//! New points are placed according to the definition; damaged models are refused; models report facts.

use embedding::implement::Value;
use embedding::{Error, Fitted, Method, Model, PointSet, Silent, Transform};
use neighbor_graph::{Deduplicated, Duplicates};
use testkit::cases::cloud;
use testkit::{json, refuses_damage};
use tsne::{Affinities, Divergence, FittedTsne, Gradient, Schedule, Start, TransformSettings, Tsne};

type Done = Result<(), Error>;

/// As few points as a new one has neighbors at its perplexity of 5.
fn fitted(points: &PointSet, placing: TransformSettings) -> Result<Deduplicated<FittedTsne>, Error> {
    let schedule = Schedule { early_iterations: 50, iterations: 100, ..Schedule::default() };
    Tsne { perplexity: 4.0, gradient: Gradient::Exact, schedule, placing, ..Tsne::default() }.fit(points)
}

/// Probabilities of the points at some squared distances, of perplexity 5, by bisection.
fn probabilities(squares: &[f64]) -> Vec<f64> {
    let of = |beta: f64| -> Vec<f64> {
        let least = squares.iter().copied().fold(f64::INFINITY, f64::min);
        let weights: Vec<f64> = squares.iter().map(|square| (-beta * (square - least)).exp()).collect();
        let total: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / total).collect()
    };
    let entropy = |p: &[f64]| -> f64 { p.iter().filter(|p| **p > 0.0).map(|p| -p * p.ln()).sum() };
    let (mut low, mut high) = (0.0, 1e6);
    for _ in 0..200 {
        let beta = 0.5 * (low + high);
        if entropy(&of(beta)) > 5.0_f64.ln() { low = beta } else { high = beta }
    }
    of(low)
}

fn square(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum()
}

/// A new point starts at the mean of the others by its probabilities, and steps against half the
/// derivative of exaggerated attraction and repulsion, at most as long as the clipped gradient.
#[test]
fn a_new_point_goes_down_the_divergence_from_the_mean_of_its_neighbors() -> Done {
    let all = cloud(17, 3, 1);
    let points = all.view().select(&(0..15).collect::<Vec<_>>());
    let new = all.view().select(&[15, 16]);
    for (exaggeration, longest_gradient) in [(1.5, 1e9), (4.0, 1e9), (1.5, 1e-3)] {
        let place = |iterations: usize| -> Result<PointSet, Error> {
            let placing = TransformSettings {
                iterations,
                exaggeration,
                longest_gradient,
                ..TransformSettings::default()
            };
            PointSet::from_mat(fitted(&points, placing)?.transform(new.view())?.coordinates())
        };
        let map = fitted(&points, TransformSettings::default())?.embedding().clone();
        let (start, after) = (place(0)?, place(1)?);
        for row in 0..2 {
            let squares: Vec<f64> = points.view().rows().map(|x| square(x, new.view().row(row))).collect();
            let p = probabilities(&squares);
            let (from, to) = (start.view().row(row), after.view().row(row));
            let size = map.coordinates().norm_max();
            for c in 0..2 {
                let mean: f64 = p.iter().zip(map.rows()).map(|(p, y)| p * y[c]).sum();
                assert!((from[c] - mean).abs() < 1e-4 * size, "{row}: {from:?}, {mean}");
            }
            let divergence = |y: &[f64]| -> f64 {
                let pulls = p.iter().zip(map.rows()).map(|(p, there)| p * (1.0 + square(y, there)).ln());
                let weights = map.rows().map(|there| 1.0 / (1.0 + square(y, there)));
                exaggeration * pulls.sum::<f64>() + weights.sum::<f64>().ln()
            };
            let slope = |c: usize| {
                let at = |by: f64| [0, 1].map(|other| from[other] + if other == c { by } else { 0.0 });
                0.5 * (divergence(&at(1e-5)) - divergence(&at(-1e-5))) / 2e-5
            };
            let gradient = [slope(0), slope(1)];
            let norm = gradient[0].hypot(gradient[1]);
            let length = 0.1 * (longest_gradient / norm).min(1.0);
            for c in 0..2 {
                let step = to[c] - from[c];
                assert!(
                    (step + length * gradient[c]).abs() < 1e-3 * length * norm,
                    "{row}: {step} {gradient:?}"
                );
            }
        }
    }
    Ok(())
}

#[test]
fn training_rows_are_placed_where_they_are() -> Done {
    let points = cloud(15, 3, 1);
    let model = fitted(&points.points, TransformSettings::default())?;
    assert_eq!(model.transform(points.view())?, *model.embedding());
    Ok(())
}

#[test]
fn a_model_reports_how_its_map_was_found() -> Done {
    let points = cloud(15, 3, 1);
    let model = fitted(&points.points, TransformSettings::default())?;
    let facts = Fitted::report(&model).facts;
    assert_eq!(model.gradient(), Gradient::Exact);
    let Divergence::Exact(divergence) = model.divergence() else { panic!("{:?}", model.divergence()) };
    for (name, value) in [
        ("kl_divergence", json!(divergence)),
        ("kl_divergence_exact", json!(true)),
        ("kl_divergences", json!(model.divergences())),
        ("status", json!(model.status())),
        ("gradient", json!(Gradient::Exact.show())),
    ] {
        assert_eq!(facts[name], value, "{name}");
    }
    Ok(())
}

#[test]
fn damaged_models_are_refused() -> Done {
    let model = fitted(&cloud(15, 3, 1).points, TransformSettings::default())?;
    let nothing = json!(null);
    refuses_damage(
        model.model(),
        &[
            ("/alpha", json!(0.0)),
            ("/alpha", nothing.clone()),
            ("/divergence/Exact", nothing.clone()),
            ("/divergences/0/1", nothing.clone()),
            ("/placing/perplexity", json!(0.9)),
            ("/placing/perplexity", nothing.clone()),
            ("/placing/learning_rate", json!(0.0)),
            ("/placing/learning_rate", nothing.clone()),
            ("/placing/exaggeration", json!(-1.0)),
            ("/placing/longest_gradient", json!(0.0)),
            ("/placing/iterations", json!(1_000_001)),
        ],
    );
    Ok(())
}

#[test]
fn given_probabilities_belong_to_their_points() -> Done {
    let points = cloud(15, 3, 1);
    let affinities = Affinities::of_points(points.view(), 4.0, &Silent)?;
    assert_eq!((affinities.len(), affinities.is_empty()), (15, false));
    let schedule = Schedule { early_iterations: 2, iterations: 2, ..Schedule::default() };
    let recipe = Tsne { perplexity: 4.0, schedule, ..Tsne::default() };
    recipe.fit_affinities(Some(points.view()), &affinities, &Silent)?;
    let few = points.view().select(&[0, 1, 2]);
    let refused = recipe.fit_affinities(Some(few.view()), &affinities, &Silent).map(drop);
    assert!(matches!(refused, Err(Error::Shape { .. })), "{refused:?}");
    let wide = Tsne { perplexity: 15.0, ..recipe };
    let refused = wide.fit_affinities(None, &affinities, &Silent).map(drop);
    assert!(matches!(refused, Err(Error::Parameter { name: "perplexity", .. })), "{refused:?}");
    for perplexity in [0.5, 15.0] {
        let refused = Affinities::of_points(points.view(), perplexity, &Silent).map(drop);
        assert!(matches!(refused, Err(Error::Parameter { name: "perplexity", .. })), "{refused:?}");
    }
    Ok(())
}

/// A start for all rows is also one where some are copies of others.
#[test]
fn starts_are_read_as_they_are_shown_and_given_ones_follow_copies() -> Done {
    for (text, start) in [("pca", Start::Pca), ("spectral", Start::Spectral), ("random", Start::Random)] {
        assert_eq!((start.show().as_str(), <Start as Value>::read(text)), (text, Some(start)));
    }
    assert_eq!(<Start as Value>::read("given"), None);
    let points = cloud(15, 3, 1);
    let rows: Vec<u32> = (0..15).chain([3]).collect();
    let copied = points.view().select(&rows);
    let start = PointSet::new((0..32).map(f64::from).collect(), 2)?;
    let still = Schedule { early_iterations: 0, iterations: 0, ..Schedule::default() };
    let start = Start::Given(start);
    assert_eq!(start.show(), "given");
    let duplicates = Duplicates::Merge;
    let map = Tsne { perplexity: 4.0, start, schedule: still, duplicates, ..Tsne::default() }.fit(&copied)?;
    assert_eq!(map.copies(), 1);
    for (i, row) in rows.iter().enumerate() {
        assert_eq!(map.embedding().row(i), [2.0 * f64::from(*row), 2.0 * f64::from(*row) + 1.0], "{i}");
    }
    Ok(())
}
