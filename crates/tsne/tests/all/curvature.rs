//! Curvatures of the loss agree with published values, whose sign error is known.

use std::fs;
use std::path::Path;

use embedding::{Error, Method, Points, Silent};
use neighbor_graph::{NeighborSearch, Neighborhood};
use tsne::{Affinities, Schedule, Start, Tsne, smallest_curvatures};

/// Eight Gaussians with maps of perplexity 5 and 50, and the smallest eigenvalues that the authors
/// stored: data of Liu, Ma and Zhong, Nature Communications 16:5037 (2025),
/// doi:10.1038/s41467-025-60434-9, from their repository
/// `zhexuandli/MapContinuity-NE-Reliability` at df820b3 under the MIT license, rounded to seven digits.
fn reference() -> Vec<Vec<f64>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/eight_gaussians.csv");
    let text = fs::read_to_string(path).expect("part of the repository");
    text.lines()
        .skip(1)
        .map(|line| line.split(',').map(|cell| cell.parse().expect("a number")).collect())
        .collect()
}

fn columns(rows: &[Vec<f64>], from: usize) -> Vec<f64> {
    rows.iter().flat_map(|row| row[from..from + 2].to_vec()).collect()
}

/// Their probabilities are of all pairs, and their last term has the other sign: it is small for nearly all
/// points, and changes no count of scores above 2,000.
#[test]
fn curvatures_are_the_published_ones_but_for_the_sign_of_a_term() -> Result<(), Error> {
    let rows = reference();
    let data = columns(&rows, 0);
    let points = Points::new(&data, 2)?;
    for (perplexity, from, singular) in [(5.0, 2, 564), (50.0, 5, 247)] {
        let neighbors = NeighborSearch::from(Neighborhood::Nearest { k: 799 }).find(points)?;
        let affinities = Affinities::of_neighbors(&neighbors, perplexity, &Silent)?;
        let map = columns(&rows, from);
        let found = smallest_curvatures(&affinities, Points::new(&map, 2)?, 1.0)?;
        let stored = rows.iter().map(|row| row[from + 2]);
        let mut gaps: Vec<f64> = found.iter().zip(stored).map(|(a, b)| (a / b - 1.0).abs()).collect();
        gaps.sort_by(f64::total_cmp);
        assert!(gaps[400] < 2e-4, "median {}", gaps[400]);
        assert!(gaps[799] < 7e-3, "largest {}", gaps[799]);
        assert_eq!(found.iter().filter(|value| 1.0 / **value > 2000.0).count(), singular);
    }
    Ok(())
}

/// A model computes its probabilities again: the same curvatures as from the probabilities of the fit.
#[test]
fn a_model_has_the_curvatures_of_its_own_fit() -> Result<(), Error> {
    let rows = reference();
    let data = columns(&rows, 0);
    let points = Points::new(&data, 2)?;
    let schedule = Schedule { early_iterations: 50, iterations: 100, ..Schedule::default() };
    let recipe = Tsne { perplexity: 20.0, schedule, start: Start::Pca, ..Tsne::default() };
    let fitted = recipe.fit(points)?;
    let affinities = Affinities::of_points(points, 20.0, &Silent)?;
    let map = embedding::Model::embedding(&*fitted).values().to_vec();
    let expected = smallest_curvatures(&affinities, Points::new(&map, 2)?, 1.0)?;
    assert_eq!(fitted.smallest_curvatures()?, expected);
    Ok(())
}

/// From 3 · perplexity = n − 1 on, the neighbors are all other points: a third of their number is the perplexity
/// of the fit only if both are equal.
#[test]
fn a_perplexity_that_the_neighbors_do_not_show_is_refused() -> Result<(), Error> {
    let rows = reference();
    let data = columns(&rows[..100], 0);
    let points = Points::new(&data, 2)?;
    let schedule = Schedule { early_iterations: 20, iterations: 50, ..Schedule::default() };
    let fit = |perplexity: f64| Tsne { perplexity, schedule, ..Tsne::default() }.fit(points);
    assert_eq!(fit(33.0)?.smallest_curvatures()?.len(), 100);
    let refused = fit(40.0)?.smallest_curvatures();
    let Err(Error::Degenerate { problem, .. }) = refused else { panic!("{refused:?}") };
    assert!(problem.contains("3 · perplexity exceeds n − 1 = 99"), "{problem}");
    Ok(())
}

#[test]
fn maps_of_other_points_are_refused() -> Result<(), Error> {
    let data = [0.0, 1.0, 2.5, 4.0, 9.0, 10.0];
    let affinities = Affinities::of_points(Points::new(&data, 1)?, 2.0, &Silent)?;
    let refused = smallest_curvatures(&affinities, Points::new(&data[..4], 1)?, 1.0);
    assert!(matches!(refused, Err(Error::Shape { .. })), "{refused:?}");
    for alpha in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused = smallest_curvatures(&affinities, Points::new(&data, 1)?, alpha);
        assert!(matches!(refused, Err(Error::Parameter { .. })), "{refused:?}");
    }
    Ok(())
}
