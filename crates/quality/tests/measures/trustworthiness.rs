//! Trustworthiness and continuity.

use crate::common::{assert_close, cube, mapped, noise, plane, view};
use embedding::{Error, PointSet, Points};
use quality::RowSample;
use quality::ranks::{SharedRanks, continuity, continuity_over, trustworthiness, trustworthiness_over};

/// scikit-learn 1.9.1, numpy 2.4.6, 2026-11-21:
/// `sklearn.manifold.trustworthiness(X, Y, n_neighbors=k)`, and with X and Y
/// exchanged, X = cube(60), Y = view(60).
#[test]
fn trustworthiness_agrees_with_scikit_learn() {
    let (x, y) = (cube(60), view(60));
    for (k, t, c) in [
        (1, 0.7304597701149425, 0.9425287356321839),
        (5, 0.8098717948717948, 0.948974358974359),
        (12, 0.8328647925033468, 0.8990963855421686),
        (29, 0.83125, 0.8298132183908046),
    ] {
        assert_close(trustworthiness(x.view(), y.view(), k).unwrap(), t, 1e-14);
        assert_close(continuity(x.view(), y.view(), k).unwrap(), c, 1e-14);
    }
}

/// The definition, word by word: sort everything, add up the penalties.
fn by_definition(data: Points<'_>, embedding: Points<'_>, k: usize) -> f64 {
    let n = data.len();
    let order = |points: Points<'_>, i: usize| -> Vec<usize> {
        let squared =
            |j: usize| -> f64 { points.row(i).iter().zip(points.row(j)).map(|(a, b)| (a - b).powi(2)).sum() };
        let mut others: Vec<usize> = (0..n).filter(|&j| j != i).collect();
        others.sort_by(|&a, &b| squared(a).total_cmp(&squared(b)).then(a.cmp(&b)));
        others
    };
    let mut penalty = 0;
    for i in 0..n {
        let data_order = order(data, i);
        for j in &order(embedding, i)[..k] {
            let rank = 1 + data_order.iter().position(|x| x == j).unwrap();
            penalty += rank.saturating_sub(k);
        }
    }
    1.0 - 2.0 * penalty as f64 / (n * k * (2 * n - 3 * k - 1)) as f64
}

#[test]
fn ties_and_duplicates_are_ranked_by_index() {
    // An integer grid has many ties, and every point comes twice.
    let grid: Vec<f64> = (0..72).flat_map(|i| [f64::from(i / 2 % 6), f64::from(i / 12)]).collect();
    let folded: Vec<f64> = (0..72).map(|i| f64::from((i * 5) % 7)).collect();
    let (grid, folded) = (Points::new(&grid, 2).unwrap(), Points::new(&folded, 1).unwrap());
    for k in [1, 2, 7, 20, 35] {
        assert_close(trustworthiness(grid, folded, k).unwrap(), by_definition(grid, folded, k), 1e-13);
        assert_close(continuity(grid, folded, k).unwrap(), by_definition(folded, grid, k), 1e-13);
    }
}

#[test]
fn a_similar_copy_scores_one_and_noise_one_half() {
    let data = cube(300);
    let turned = mapped(&data, |x| vec![3.0 - 7.0 * x[1], 7.0 * x[2], 7.0 * x[0]]);
    assert_eq!(trustworthiness(data.view(), turned.view(), 10).unwrap(), 1.0);
    assert_eq!(continuity(data.view(), turned.view(), 10).unwrap(), 1.0);
    let nothing = noise(300, 2);
    for score in [trustworthiness, continuity] {
        assert_close(score(data.view(), nothing.view(), 10).unwrap(), 0.5, 0.05);
    }
}

#[test]
fn k_from_half_of_n_on_is_refused() {
    let (x, y) = (cube(20), view(20));
    assert!(trustworthiness(x.view(), y.view(), 9).is_ok());
    for k in [0, 10, 11, 19, 20, usize::MAX / 4] {
        let error = trustworthiness(x.view(), y.view(), k).unwrap_err();
        assert!(matches!(error, Error::Parameter { name: "k", .. }), "{error}");
        assert!(error.to_string().contains("between 1 and 9"), "{error}");
    }
    let one = PointSet::new(vec![1.0], 1).unwrap();
    assert!(continuity(one.view(), one.view(), 1).is_err());
    assert!(matches!(trustworthiness(x.view(), view(21).view(), 3), Err(Error::Shape { .. })));
}

#[test]
fn samples_estimate_the_mean_with_an_honest_error() {
    let (x, y) = (cube(800), plane(800));
    let y = mapped(&y, |p| vec![p[0], p[1] * p[1]]);
    let exact = trustworthiness(x.view(), y.view(), 8).unwrap();
    let mut inside = 0;
    for seed in 0..40 {
        let estimate =
            trustworthiness_over(x.view(), y.view(), 8, RowSample::Sample { count: 100, seed }).unwrap();
        assert!(estimate.standard_error > 0.0 && estimate.standard_error < 0.02);
        inside += usize::from((estimate.value - exact).abs() < 2.0 * estimate.standard_error);
    }
    // Two standard errors hold 95 % of the estimates: 38 of 40.
    assert!((34..=40).contains(&inside), "{inside} of 40 intervals hold the exact value");
    let all = trustworthiness_over(x.view(), y.view(), 8, RowSample::Sample { count: 800, seed: 1 }).unwrap();
    assert_eq!((all.value, all.standard_error), (exact, 0.0));
    // s √(1/m − 1/n), with nearly the same deviation s of half of the rows and of all but one.
    let error = |count: usize| {
        let rows = RowSample::Sample { count, seed: 1 };
        trustworthiness_over(x.view(), y.view(), 8, rows).unwrap().standard_error
    };
    let ratio = (1.0_f64 / 400.0 - 1.0 / 800.0).sqrt() / (1.0_f64 / 799.0 - 1.0 / 800.0).sqrt();
    assert!((error(400) / error(799) / ratio - 1.0).abs() < 0.2);
}

/// Sharing the data's side of the work changes no bit.
#[test]
fn shared_ranks_give_the_same_numbers() {
    let (x, y) = (cube(60), view(60));
    for rows in [RowSample::All, RowSample::Sample { count: 17, seed: 3 }] {
        let shared = SharedRanks::new(x.view(), rows).score(y.view(), 7).unwrap();
        assert_eq!(shared.trustworthiness, trustworthiness_over(x.view(), y.view(), 7, rows).unwrap());
        assert_eq!(shared.continuity, continuity_over(x.view(), y.view(), 7, rows).unwrap());
    }
    let shared = SharedRanks::new(x.view(), RowSample::All);
    assert!(shared.score(view(59).view(), 7).is_err());
    assert!(shared.score(y.view(), 30).is_err());
}

/// A row at a new place has the term of the map in which it alone has moved there.
#[test]
fn new_rows_have_the_terms_of_a_map_with_their_places() {
    let (x, y, k) = (cube(60), view(60), 7);
    let shared = SharedRanks::new(x.view(), RowSample::Sample { count: 9, seed: 3 });
    let own: Vec<f64> = shared.rows().iter().flat_map(|row| y.view().row(*row as usize).to_vec()).collect();
    let (dim, places) = (y.view().dim(), PointSet::new(own, y.view().dim()).unwrap());
    assert_eq!(
        shared.trustworthiness_of_new(y.view(), places.view(), k).unwrap(),
        shared.trustworthiness(y.view(), k).unwrap()
    );
    let moved: Vec<f64> = places.view().values().iter().map(|v| 0.4 - v).collect();
    let moved = PointSet::new(moved, dim).unwrap();
    let term = |(at, row): (usize, &u32)| {
        let mut values = y.view().values().to_vec();
        values[*row as usize * dim..][..dim].copy_from_slice(moved.view().row(at));
        let map = PointSet::new(values, dim).unwrap();
        shared.trustworthiness_of_rows(map.view(), k).unwrap()[at]
    };
    let terms: f64 = shared.rows().iter().enumerate().map(term).sum();
    let found = shared.trustworthiness_of_new(y.view(), moved.view(), k).unwrap();
    assert_close(found.value, terms / 9.0, 1e-14);
    assert!(found.value < 0.9, "the rows have moved: {}", found.value);
    assert!(shared.trustworthiness_of_new(y.view(), y.view(), k).is_err(), "60 places of 9 rows");
}
