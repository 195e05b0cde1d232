//! Ties and duplicates: more neighbors at one distance than the perplexity.

use datasets::generate;
use embedding::{Error, Method, Model, PointSet, Points, Silent, Transform};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use testkit::cases::cloud;
use tsne::{Affinities, Schedule, Start, Tsne};

fn short() -> Schedule {
    Schedule { early_iterations: 60, iterations: 60, ..Schedule::default() }
}

/// The map is finite under every start.
fn fits(points: &PointSet, perplexity: f64, what: &str) -> Result<(), Error> {
    for start in [Start::Pca, Start::Spectral, Start::Random] {
        let recipe = Tsne { perplexity, start, schedule: short(), ..Tsne::default() };
        let fitted = recipe.fit(points).map_err(|e| Error::degenerate(format!("{what}: {e}"), ""))?;
        assert!(fitted.embedding().values().iter().all(|y| y.is_finite()), "{what}");
        assert!(fitted.divergence().value().is_finite(), "{what}");
    }
    Ok(())
}

/// `points` with the last `copies` rows replaced by the first.
fn with_copies(view: Points<'_>, copies: usize) -> Result<PointSet, Error> {
    let first = |i: usize| if i < view.len() - copies { i } else { 0 };
    PointSet::from_rows(&(0..view.len()).map(|i| view.row(first(i))).collect::<Vec<_>>())
}

#[test]
fn one_row_among_five_hundred_many_times() -> Result<(), Error> {
    let points = cloud(500, 4, 1);
    for times in [31, 32, 45, 60, 93, 94] {
        fits(&with_copies(points.view(), times - 1)?, 30.0, &format!("one row {times} times"))?;
    }
    Ok(())
}

#[test]
fn copies_of_a_row_share_its_probability_equally() -> Result<(), Error> {
    let points = with_copies(cloud(500, 4, 1).view(), 40)?;
    let p = Affinities::of_points(points.view(), 30.0, &Silent)?;
    let (columns, values) = p.of(0);
    for j in 460..500 {
        let at = columns.binary_search(&j).expect("a copy is a neighbor");
        // 1/40 in both directions, of 2n.
        assert!((values[at] * 500.0 * 40.0 - 1.0).abs() < 1e-12, "{j}: {}", values[at]);
    }
    Ok(())
}

#[test]
fn measurements_in_tenths_and_forty_copies_of_one() -> Result<(), Error> {
    let rounded = cloud(150, 4, 7).mapped(|row| row.iter().map(|x| (10.0 * x).round() / 10.0).collect());
    let view = rounded.view();
    let mut values = view.values().to_vec();
    (0..40).for_each(|_| values.extend_from_slice(view.row(7)));
    fits(&PointSet::new(values, 4)?, 30.0, "measurements")
}

#[test]
fn rows_of_binary_columns() -> Result<(), Error> {
    for columns in [4, 5, 8] {
        let bit = |i: usize, c: usize| ((i.wrapping_mul(2_654_435_761) >> (7 + c)) & 1) as f64;
        let values = (0..1000 * columns).map(|e| bit(e / columns, e % columns)).collect();
        fits(&PointSet::new(values, columns)?, 30.0, &format!("{columns} binary columns"))?;
    }
    Ok(())
}

/// Early exaggeration shrinks these maps to a point, which is no minimum.
#[test]
fn a_map_of_binary_columns_does_not_end_as_a_point() -> Result<(), Error> {
    for columns in [8, 12] {
        let mut bits = ChaCha8Rng::seed_from_u64(1);
        let values = (0..1000 * columns).map(|_| f64::from(bits.next_u32() & 1)).collect();
        let fitted = Tsne::default().fit(&PointSet::new(values, columns)?)?;
        let extent = fitted.embedding().values().iter().fold(0.0_f64, |largest, y| largest.max(y.abs()));
        assert!(extent > 10.0, "{columns} columns: the map ends at ±{extent}");
    }
    Ok(())
}

#[test]
fn a_grid_with_four_nearest_neighbors_at_perplexity_two() -> Result<(), Error> {
    let values = (0..225).flat_map(|i| [f64::from(i / 15), f64::from(i % 15)]).collect();
    let grid = PointSet::new(values, 2)?;
    fits(&grid, 2.0, "grid")?;
    let p = Affinities::of_points(grid.view(), 2.0, &Silent)?;
    // Point 112 is in the middle: a quarter for each of its four neighbors, which return it.
    let (columns, values) = p.of(112);
    let near = [97, 111, 113, 127].map(|j| values[columns.binary_search(&j).expect("a neighbor")]);
    assert!(near.iter().all(|p| (p * 225.0 * 4.0 - 1.0).abs() < 1e-12), "{near:?}");
    Ok(())
}

#[test]
fn digits_with_blank_rows() -> Result<(), Error> {
    let digits = generate("digits", 600, 0)?.points;
    let mut values = digits.view().values().to_vec();
    values.resize(values.len() + 45 * digits.dim(), 0.0);
    fits(&PointSet::new(values, digits.dim())?, 30.0, "digits")
}

#[test]
fn a_point_beside_identical_training_rows_has_a_place() -> Result<(), Error> {
    let points = with_copies(cloud(200, 4, 2).view(), 9)?;
    let fitted = Tsne { perplexity: 15.0, schedule: short(), ..Tsne::default() }.fit(&points)?;
    let near = points.view().select(&[0]);
    for shift in [0.0, 1e-12, 1e-3] {
        let new = PointSet::new(near.view().values().iter().map(|x| x + shift).collect(), 4)?;
        let placed = fitted.transform(new.view())?;
        let (there, here) = (placed.row(0), fitted.embedding().row(0));
        let gap = there.iter().zip(here).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        let extent = fitted.embedding().values().iter().fold(0.0_f64, |m, y| m.max(y.abs()));
        assert!(gap < 0.5 * extent, "{there:?} is far from {here:?} in a map of ±{extent}");
    }
    Ok(())
}

#[test]
fn a_place_out_of_range_is_an_error() -> Result<(), Error> {
    let points = cloud(60, 3, 3);
    let mut recipe = Tsne { perplexity: 10.0, schedule: short(), ..Tsne::default() };
    recipe.placing.learning_rate = f64::MAX;
    recipe.placing.longest_gradient = f64::MAX;
    let refused = recipe
        .fit(points.view())?
        .transform_ignoring_matches(points.view())
        .map(|_| ())
        .expect_err("overflow");
    assert!(refused.to_string().contains("new point 0 left the range"), "{refused}");
    Ok(())
}

/// Two points of a narrow kernel: the exaggerated attraction moves them farther and farther apart.
#[test]
fn a_divergence_out_of_range_is_an_error() -> Result<(), Error> {
    let points = PointSet::from_rows(&[[0.0, 1.0], [2.0, 0.5]])?;
    let recipe = Tsne { perplexity: 1.0, degrees_of_freedom: 3.0, ..Tsne::default() };
    let refused = recipe.fit(points.view()).map(drop).expect_err("no divergence").to_string();
    assert!(refused.contains("left the range of numbers; use a smaller learning rate"), "{refused}");
    Ok(())
}
