//! Theorems about landmark scaling.

use embedding::{
    DistanceMatrix, Error, Input, MemoryLimit, Method, Metric, Model, PointSet, Silent, Transform,
};
use faer::{Mat, MatRef};
use mds::{ClassicalMds, LandmarkMds, Landmarks};

fn cloud(n: usize, dim: usize) -> PointSet {
    let step = |j: usize| [2.0_f64, 3.0, 5.0, 7.0, 11.0][j].sqrt();
    let value = |i: usize, j: usize| ((i + 1) as f64 * step(j)).fract() * (dim - j) as f64;
    PointSet::new((0..n * dim).map(|e| value(e / dim, e % dim)).collect(), dim).expect("finite")
}

fn gap(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> f64 {
    assert_eq!(a.shape(), b.shape());
    (a - b).norm_max()
}

fn recipe(landmarks: Landmarks, dim: usize) -> LandmarkMds {
    LandmarkMds { landmarks, dim, ..LandmarkMds::default() }
}

#[test]
fn with_all_points_as_landmarks_it_is_classical_scaling() -> Result<(), Error> {
    let points = cloud(150, 4);
    let classical = ClassicalMds { dim: 3, ..ClassicalMds::default() }.fit(points.view())?;
    for landmarks in [Landmarks::MaxMin { count: 1000 }, Landmarks::Random { count: 150, seed: 3 }] {
        let fitted = recipe(landmarks, 3).fit(points.view())?;
        assert!(gap(fitted.embedding().coordinates(), classical.embedding().coordinates()) < 1e-10);
    }
    Ok(())
}

#[test]
fn any_landmarks_that_span_the_space_place_all_points_exactly() -> Result<(), Error> {
    let points = cloud(400, 3);
    for landmarks in [Landmarks::MaxMin { count: 4 }, Landmarks::Random { count: 6, seed: 1 }] {
        let fitted = recipe(landmarks, 3).fit(points.view())?;
        let y = fitted.embedding().coordinates();
        for (i, j) in (0..400).map(|i| (i, (7 * i + 3) % 400)) {
            let given = points
                .view()
                .row(i)
                .iter()
                .zip(points.view().row(j))
                .map(|(a, b)| (a - b).powi(2))
                .sum::<f64>();
            assert!(((y.row(i) - y.row(j)).norm_l2() - given.sqrt()).abs() < 1e-9, "{landmarks:?}");
        }
        assert_eq!(fitted.transform(points.view())?.coordinates(), y, "training rows, to the bit");
    }
    Ok(())
}

#[test]
fn max_min_landmarks_cover_the_points_and_random_ones_follow_their_seed() -> Result<(), Error> {
    let points = cloud(300, 2);
    let choose = |landmarks: Landmarks| landmarks.choose(points.view(), &Silent);
    let spread = choose(Landmarks::MaxMin { count: 20 })?;
    let drawn = choose(Landmarks::Random { count: 20, seed: 1 })?;
    assert_ne!(drawn, choose(Landmarks::Random { count: 20, seed: 2 })?, "the seed matters");
    assert_eq!(drawn, choose(Landmarks::Random { count: 20, seed: 1 })?);
    let between = |i: u32, j: u32| {
        let (a, b) = (points.view().row(i as usize), points.view().row(j as usize));
        a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
    };
    // The promise of farthest-point selection: no point is farther from its landmark than any two landmarks
    // are from each other.
    let covers = |rows: &[u32]| {
        (0..300)
            .map(|i| rows.iter().map(|&r| between(i, r)).fold(f64::INFINITY, f64::min))
            .fold(0.0, f64::max)
    };
    let apart =
        spread.iter().flat_map(|&i| spread.iter().filter(move |j| **j != i).map(move |&j| between(i, j)));
    assert!(covers(&spread) <= apart.fold(f64::INFINITY, f64::min));
    assert!(covers(&spread) < covers(&drawn), "and random ones cover less");
    for rows in [&spread, &drawn] {
        assert!(rows.len() == 20 && rows.is_sorted_by(|a, b| a < b));
    }
    // Two places, each taken many times, are two landmarks.
    let two = PointSet::new((0..50).map(|i| f64::from(i % 2)).collect(), 1)?;
    assert_eq!(Landmarks::MaxMin { count: 10 }.choose(two.view(), &Silent)?.len(), 2);
    Ok(())
}

#[test]
fn an_error_names_too_few_landmarks() {
    let points = cloud(50, 3);
    for count in [0, 1, 2] {
        let result = recipe(Landmarks::MaxMin { count }, 2).fit(points.view());
        assert!(matches!(result, Err(Error::Parameter { name: "landmarks", .. })));
    }
    let flat = PointSet::new((0..60).map(|i| f64::from(i / 2)).collect(), 2).expect("finite");
    let result = recipe(Landmarks::MaxMin { count: 10 }, 2).fit(flat.view());
    assert!(matches!(result, Err(Error::Degenerate { .. })), "a line has one dimension");
}

/// The same landmarks are chosen, also by max-min, and the rows of new points name all
/// training points.
#[test]
fn distances_give_the_map_of_the_points() -> Result<(), Error> {
    let all = cloud(330, 4);
    let (points, new) = (
        all.view().select(&(0..300).collect::<Vec<_>>()),
        all.view().select(&(300..330).collect::<Vec<_>>()),
    );
    let between = |from: &PointSet| testkit::cases::distances(from.view(), points.view());
    let (values, to_new) = (between(&points), PointSet::new(between(&new), 300)?);
    let given = DistanceMatrix::new(&values, 300)?;
    for landmarks in [Landmarks::MaxMin { count: 12 }, Landmarks::Random { count: 20, seed: 4 }] {
        let by_points = recipe(landmarks, 3).fit(&points)?;
        let by_distances = recipe(landmarks, 3).fit(given)?;
        assert_eq!(by_points.landmarks(), by_distances.landmarks(), "{landmarks:?}");
        let (a, b) = (by_points.embedding().coordinates(), by_distances.embedding().coordinates());
        assert!(gap(a, b) < 1e-8, "{landmarks:?}");
        let (a, b) = (by_points.transform(new.view())?, by_distances.transform(to_new.view())?);
        assert!(gap(a.coordinates(), b.coordinates()) < 1e-8, "{landmarks:?}");
        let again = by_distances.transform(PointSet::from_mat(given.as_mat())?.view())?;
        assert!(gap(again.coordinates(), by_distances.embedding().coordinates()) < 1e-12, "training rows");
        assert!(matches!(by_distances.transform(new.view()), Err(Error::Shape { .. })));
    }
    let tight = Input::from(given).with_memory_limit(MemoryLimit::new(100));
    let refused = recipe(Landmarks::MaxMin { count: 12 }, 3).fit(tight);
    assert!(matches!(refused, Err(Error::Memory { .. })));
    // Squares of these distances overflow.
    let huge: Vec<f64> = values.iter().map(|d| 1e200 * d).collect();
    let chosen = Landmarks::MaxMin { count: 12 }.choose(DistanceMatrix::new(&huge, 300)?, &Silent)?;
    assert_eq!(chosen, Landmarks::MaxMin { count: 12 }.choose(points.view(), &Silent)?);
    Ok(())
}

#[test]
fn a_memory_error_does_not_advise_the_method_itself() {
    let points = cloud(400, 3);
    let input = Input::from(&points).with_memory_limit(MemoryLimit::new(10_000));
    let refused = recipe(Landmarks::Random { count: 300, seed: 1 }, 2).fit(input).map(|_| ());
    let Err(Error::Memory { advice, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!(advice, "use fewer landmarks, or allow more memory");
}

#[test]
fn among_landmarks_equally_far_the_lower_row_is_first() -> Result<(), Error> {
    // A square around the origin: row 0, then the opposite corner, then either of two.
    let square = PointSet::from_rows(&[[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])?;
    let chosen = Landmarks::MaxMin { count: 3 }.choose(square.view(), &Silent)?;
    assert_eq!(chosen, [0, 1, 2]);
    Ok(())
}

/// The reference: every distance is computed for every landmark.
fn farthest_first(points: &PointSet, count: usize) -> Vec<u32> {
    let rows: Vec<&[f64]> = points.view().rows().collect();
    let mean = spectral::principal::column_means(points.view());
    let to = |from: &[f64]| -> Vec<f64> {
        rows.iter().map(|row| embedding::implement::squared_distance(row, from).sqrt()).collect()
    };
    let first_largest =
        |values: &[f64]| (0..values.len()).rev().max_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut chosen = Vec::new();
    let (mut next, mut gaps) = (first_largest(&to(&mean)).unwrap_or(0), vec![f64::INFINITY; rows.len()]);
    while chosen.len() < count {
        chosen.push(next as u32);
        gaps.iter_mut().zip(to(rows[next])).for_each(|(gap, d)| *gap = gap.min(d));
        next = first_largest(&gaps).unwrap_or(0);
    }
    chosen.sort_unstable();
    chosen
}

#[test]
fn max_min_landmarks_are_those_of_the_definition() -> Result<(), Error> {
    // Ties: a grid, more points than one chunk.
    let grid = PointSet::new(
        (0..2 * 3600).map(|e| f64::from([e / 2 / 60, e / 2 % 60][e as usize % 2])).collect(),
        2,
    )?;
    for points in [cloud(2500, 2), cloud(3000, 5), grid] {
        for count in [1, 2, 7, 60, 150] {
            let found = Landmarks::MaxMin { count }.choose(points.view(), &Silent)?;
            assert_eq!(found, farthest_first(&points, count), "{count} of {}", points.len());
        }
    }
    Ok(())
}

/// With a metric other than Euclidean, too, a row is placed by its distances to the landmarks.
#[test]
fn rows_are_placed_by_the_metric_of_the_fit() -> Result<(), Error> {
    let all = cloud(140, 4);
    let (points, new) = (all.view().select(&(0..120).collect::<Vec<_>>()), all.view().select(&[121, 139]));
    let input = Input::from(&points).with_metric(Metric::Manhattan);
    let fitted = recipe(Landmarks::MaxMin { count: 15 }, 2).fit(input)?;
    let landmarks = points.view().select(fitted.landmarks());
    let manhattan = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| (x - y).abs()).sum::<f64>();
    for (rows, found) in [(&points, fitted.embedding()), (&new, &fitted.transform(new.view())?)] {
        let distance = |i: usize, j: usize| manhattan(rows.view().row(i), landmarks.view().row(j));
        let placed = fitted.scaling().place(Mat::from_fn(rows.len(), landmarks.len(), distance).as_ref())?;
        assert!(gap(found.coordinates(), placed.coordinates()) < 1e-9);
    }
    Ok(())
}
