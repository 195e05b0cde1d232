//! Co-ranking curves.

use crate::common::{assert_close, cube, mapped, noise, plane, view};
use embedding::{Error, Points};
use quality::RowSample;
use quality::ranks::coranking;

/// |N_data(i) ∩ N_embedding(i)| / k, averaged, by its definition.
fn overlap(data: Points<'_>, embedding: Points<'_>, k: usize) -> f64 {
    let n = data.len();
    let near = |points: Points<'_>, i: usize| -> Vec<usize> {
        let squared =
            |j: usize| -> f64 { points.row(i).iter().zip(points.row(j)).map(|(a, b)| (a - b).powi(2)).sum() };
        let mut others: Vec<usize> = (0..n).filter(|&j| j != i).collect();
        others.sort_by(|&a, &b| squared(a).total_cmp(&squared(b)).then(a.cmp(&b)));
        others.truncate(k);
        others
    };
    let shared = |i| near(data, i).iter().filter(|j| near(embedding, i).contains(j)).count();
    (0..n).map(shared).sum::<usize>() as f64 / (n * k) as f64
}

#[test]
fn every_share_is_the_overlap_of_neighborhoods() {
    let (x, y) = (cube(40), view(40));
    let ranks = coranking(x.view(), y.view(), RowSample::All).unwrap();
    assert_eq!(ranks.q_nx().len(), 38);
    for k in [1, 2, 7, 20, 38] {
        assert_close(ranks.q_nx()[k - 1], overlap(x.view(), y.view(), k), 1e-14);
        let (q, k, n) = (ranks.q_nx()[k - 1], k as f64, 40.0);
        assert_close(ranks.lcmc()[k as usize - 1], q - k / (n - 1.0), 1e-14);
        assert_close(ranks.r_nx()[k as usize - 1], ((n - 1.0) * q - k) / (n - 1.0 - k), 1e-13);
    }
}

#[test]
fn the_area_is_that_over_the_logarithm_of_k() {
    let ranks = coranking(cube(40).view(), view(40).view(), RowSample::All).unwrap();
    let mut sums = [0.0; 2];
    for (r, k) in ranks.r_nx().into_iter().zip(1..) {
        sums = [sums[0] + r / f64::from(k), sums[1] + 1.0 / f64::from(k)];
    }
    assert!(sums[0] < 0.95 * sums[1]);
    assert_close(ranks.area(), sums[0] / sums[1], 1e-14);
}

#[test]
fn similarity_is_perfect_and_noise_is_chance() {
    let x = plane(200);
    let similar = mapped(&x, |r| vec![3.0 - 2.0 * r[1], 2.0 * r[0]]);
    assert_close(coranking(x.view(), similar.view(), RowSample::All).unwrap().area(), 1.0, 1e-12);
    let random = coranking(x.view(), noise(200, 2).view(), RowSample::All).unwrap();
    assert!(random.area().abs() < 0.05, "{}", random.area());
    assert!((1..=198).contains(&random.split()));
}

#[test]
fn a_sample_estimates_the_whole() {
    let (x, y) = (cube(400), view(400));
    let all = coranking(x.view(), y.view(), RowSample::All).unwrap();
    let some = coranking(x.view(), y.view(), RowSample::Sample { count: 150, seed: 3 }).unwrap();
    assert!((all.area() - some.area()).abs() < 0.05);
    assert!(all != some);
}

#[test]
fn two_points_have_no_ranks_to_compare() {
    let x = plane(2);
    let refused = coranking(x.view(), x.view(), RowSample::All);
    assert!(matches!(refused, Err(Error::TooFewPoints { needed: 3, got: 2, .. })));
    assert!(matches!(coranking(plane(5).view(), plane(6).view(), RowSample::All), Err(Error::Shape { .. })));
}

#[test]
fn rows_are_chosen_evenly_or_at_random_and_all_where_as_many_are_asked_for() {
    assert_eq!(RowSample::Spaced { count: 4 }.choose(10), [0, 2, 5, 7]);
    let sample = RowSample::Sample { count: 4, seed: 1 }.choose(10);
    assert!(sample.len() == 4 && sample.is_sorted_by(|a, b| a < b) && sample[3] < 10, "{sample:?}");
    for rows in [
        RowSample::All,
        RowSample::Spaced { count: 10 },
        RowSample::Spaced { count: 11 },
        RowSample::Sample { count: 11, seed: 1 },
    ] {
        assert_eq!(rows.choose(10), (0..10).collect::<Vec<u32>>());
    }
}

/// Pairs of points that are exchanged: the nearest neighbors are lost, the next ones are not.
#[test]
fn the_split_is_where_local_and_global_structure_part() {
    let x = noise(30, 2);
    let y = mapped(&x, |row| row.iter().map(|value| value + 0.05 * (40.0 * value).sin()).collect());
    let found = coranking(x.view(), y.view(), RowSample::All).unwrap();
    let lcmc = found.lcmc();
    let best = (1..lcmc.len()).fold(0, |best, k| if lcmc[k] > lcmc[best] { k } else { best });
    assert!(best > 0 && best + 1 < lcmc.len(), "{lcmc:?}");
    assert_eq!(found.split(), best + 1);
}

#[test]
fn three_points_have_ranks_to_compare() {
    let x = plane(3);
    assert_eq!(coranking(x.view(), x.view(), RowSample::All).unwrap().q_nx()[0], 1.0);
}
