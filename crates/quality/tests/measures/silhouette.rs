//! Silhouettes.

use crate::common::{assert_close, labels, noise, view};
use embedding::{Error, PointSet};
use quality::RowSample;
use quality::classes::{silhouette, silhouette_over};

/// scikit-learn 1.9.1, numpy 2.4.6, 2026-11-21:
/// `sklearn.metrics.silhouette_score(view(60), labels(60))`.
#[test]
fn silhouettes_agree_with_scikit_learn() {
    assert_close(silhouette(view(60).view(), &labels(60)).unwrap(), 0.30036717491791637, 1e-14);
}

#[test]
fn far_groups_score_one_and_random_labels_none() {
    let line = PointSet::new(vec![0.0, 0.1, 0.2, 100.0, 100.1, 100.2], 1).unwrap();
    assert!(silhouette(line.view(), &[7, 7, 7, 3, 3, 3]).unwrap() > 0.998);
    assert!(silhouette(line.view(), &[0, 1, 0, 1, 0, 1]).unwrap() < 0.0);
    let random: Vec<u32> = (0..400).map(|i| i % 2).collect();
    assert!(silhouette(noise(400, 2).view(), &random).unwrap().abs() < 0.05);
}

#[test]
fn single_points_count_zero_and_a_single_class_is_refused() {
    let line = PointSet::new(vec![0.0, 1.0], 1).unwrap();
    assert_close(silhouette(line.view(), &[0, 1]).unwrap(), 0.0, 0.0);
    assert!(matches!(silhouette(line.view(), &[4, 4]), Err(Error::Parameter { .. })));
    assert!(matches!(silhouette(line.view(), &[4]), Err(Error::Shape { .. })));
}

/// The silhouettes are 1, 1, -1 and 0, up to 1e-200.
#[test]
fn squares_beyond_the_range_of_numbers_neither_count_nor_vanish() {
    let line = PointSet::new(vec![0.0, 0.1, 1.0, 1e200], 1).unwrap();
    assert_close(silhouette(line.view(), &[0, 0, 1, 1]).unwrap(), 0.25, 1e-15);
}

#[test]
fn a_sample_of_rows_estimates_the_mean() {
    let (y, labels) = (view(400), labels(400));
    let all = silhouette(y.view(), &labels).unwrap();
    assert_close(silhouette_over(y.view(), &labels, RowSample::All).unwrap().value, all, 0.0);
    let some = silhouette_over(y.view(), &labels, RowSample::Sample { count: 150, seed: 3 }).unwrap();
    assert!(some.value != all && some.standard_error > 0.0);
    assert!((some.value - all).abs() < 4.0 * some.standard_error, "{some:?} of {all}");
}
