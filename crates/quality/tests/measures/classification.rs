//! Class measures.

use crate::common::{assert_close, labels, mapped, noise, view};
use embedding::{Error, PointSet, Points};
use quality::classes::{Validation, knn_accuracy, knn_accuracy_of_new};

/// scikit-learn 1.9.1, numpy 2.4.6, 2026-11-21:
/// `cross_val_score(KNeighborsClassifier(k, algorithm="brute"), Y, labels, cv=…).mean()`
/// with `StratifiedKFold(5)` and `LeaveOneOut()`, Y = view(60).
#[test]
fn accuracies_agree_with_scikit_learn() {
    let (y, labels) = (view(60), labels(60));
    for (k, folds, one_out) in [
        (1, 0.8666666666666668, 0.8666666666666667),
        (4, 0.95, 0.9166666666666666),
        (7, 0.9833333333333332, 0.9833333333333333),
    ] {
        let score = |validation| knn_accuracy(y.view(), &labels, k, validation).unwrap();
        assert_close(score(Validation::Folds { count: 5 }), folds, 1e-14);
        assert_close(score(Validation::LeaveOneOut), one_out, 1e-14);
    }
}

#[test]
fn leaving_one_out_is_a_search_with_the_votes_of_all_distances() {
    for (n, dim) in [(300, 2), (200, 30)] {
        let points = noise(n, dim);
        let labels: Vec<u32> = (0..n as u32).map(|i| i * i % 5).collect();
        for k in [1, 2, 7] {
            let vote = |i: usize| {
                let squared = |j: usize| {
                    embedding::implement::squared_distance(points.view().row(i), points.view().row(j))
                };
                let mut near: Vec<usize> = (0..n).filter(|&j| j != i).collect();
                near.sort_by(|&a, &b| squared(a).total_cmp(&squared(b)).then(a.cmp(&b)));
                let mut votes = [0; 5];
                near[..k].iter().for_each(|&j| votes[labels[j] as usize] += 1);
                let most = votes.iter().max().unwrap();
                votes.iter().position(|votes| votes == most).unwrap() as u32
            };
            let right = (0..n).filter(|&i| vote(i) == labels[i]).count() as f64 / n as f64;
            assert_close(
                knn_accuracy(points.view(), &labels, k, Validation::LeaveOneOut).unwrap(),
                right,
                1e-15,
            );
        }
    }
}

#[test]
fn noise_is_right_as_often_as_chance() {
    let points = noise(1000, 2);
    let labels: Vec<u32> = (0..1000).map(|i| i % 4).collect();
    let accuracy = knn_accuracy(points.view(), &labels, 1, Validation::LeaveOneOut).unwrap();
    assert_close(accuracy, 0.25, 0.05);
}

/// With a point at 1e200 the others keep their order, among each other and around new ones.
#[test]
fn a_far_point_leaves_the_neighbors_of_the_others() {
    let line = PointSet::new(vec![0.0, 0.1, 1.0, 1.05, 2.0, 2.01, 1e200], 1).unwrap();
    let labels = [0, 0, 1, 1, 2, 2, 3];
    let accuracy = knn_accuracy(line.view(), &labels, 1, Validation::LeaveOneOut).unwrap();
    assert_close(accuracy, 6.0 / 7.0, 1e-15);
    let folds = knn_accuracy(line.view(), &[0, 0, 0, 1, 1, 1, 1], 1, Validation::Folds { count: 3 });
    assert!(folds.is_ok());
    let new = PointSet::new(vec![0.04, 1.02, 2.1], 1).unwrap();
    assert_close(knn_accuracy_of_new(line.view(), &labels, new.view(), &[0, 1, 2], 1).unwrap(), 1.0, 0.0);
}

#[test]
fn a_point_never_learns_from_itself() {
    // Two points, two labels: each can only learn the other's.
    let points = Points::new(&[0.0, 1.0], 1).unwrap();
    assert_eq!(knn_accuracy(points, &[3, 8], 1, Validation::LeaveOneOut).unwrap(), 0.0);
    // Duplicates do not replace the point itself: the first of the other equal points wins.
    let copies = Points::new(&[0.0; 5], 1).unwrap();
    assert_close(knn_accuracy(copies, &[1, 1, 0, 0, 0], 1, Validation::LeaveOneOut).unwrap(), 0.4, 1e-15);
}

#[test]
fn similarity_transformations_change_no_accuracy() {
    let (y, labels) = (view(100), labels(100));
    let turned = mapped(&y, |p| vec![1e6 * p[1], 4.0 - 1e6 * p[0]]);
    for validation in [Validation::LeaveOneOut, Validation::Folds { count: 4 }] {
        assert_eq!(
            knn_accuracy(y.view(), &labels, 5, validation).unwrap(),
            knn_accuracy(turned.view(), &labels, 5, validation).unwrap()
        );
    }
}

#[test]
fn illegal_numbers_of_neighbors_and_folds_are_errors() {
    let (y, labels) = (view(12), labels(12));
    let one_out = Validation::LeaveOneOut;
    assert!(knn_accuracy(y.view(), &labels, 11, one_out).is_ok());
    for k in [0, 12, 1 << 40] {
        assert!(matches!(
            knn_accuracy(y.view(), &labels, k, one_out),
            Err(Error::Parameter { name: "k", .. })
        ));
    }
    // Of 12 points in four folds of three, nine are known.
    let folds = Validation::Folds { count: 4 };
    assert!(knn_accuracy(y.view(), &labels, 9, folds).is_ok());
    for k in [0, 10] {
        let refused = knn_accuracy(y.view(), &labels, k, folds).unwrap_err().to_string();
        assert!(refused.contains("between 1 and 9"), "{refused}");
    }
    for count in [0, 1, 12, 1 << 40] {
        let refused = knn_accuracy(y.view(), &labels, 1, Validation::Folds { count });
        assert!(matches!(refused, Err(Error::Parameter { name: "folds", .. })));
    }
    assert!(matches!(knn_accuracy(y.view(), &labels[1..], 1, one_out), Err(Error::Shape { .. })));
    let one = Points::new(&[1.0], 1).unwrap();
    assert!(knn_accuracy(one, &[0], 1, one_out).is_err());
}

/// Each point alone against all others is what leaving it out means.
#[test]
fn one_new_point_at_a_time_is_leaving_one_out() {
    let x = PointSet::new((0..60).map(|i| f64::from(i * i % 37)).collect(), 2).unwrap();
    let labels: Vec<u32> = (0..30).map(|i| i % 3).collect();
    let one = |i: u32| {
        let rest: Vec<u32> = (0..30).filter(|&j| j != i).collect();
        let known: Vec<u32> = rest.iter().map(|&j| labels[j as usize]).collect();
        let (x, y) = (x.view().select(&rest), x.view().select(&[i]));
        knn_accuracy_of_new(x.view(), &known, y.view(), &labels[i as usize..][..1], 4).unwrap()
    };
    let mean = (0..30).map(one).sum::<f64>() / 30.0;
    assert_close(mean, knn_accuracy(x.view(), &labels, 4, Validation::LeaveOneOut).unwrap(), 1e-12);
}

#[test]
fn new_points_must_fit_the_known_ones() {
    let x = PointSet::new(vec![0.0, 1.0, 2.0], 1).unwrap();
    let wide = PointSet::new(vec![0.0, 1.0], 2).unwrap();
    let score =
        |new: &PointSet, labels: &[u32], k| knn_accuracy_of_new(x.view(), &[0, 0, 1], new.view(), labels, k);
    assert_eq!(score(&x, &[0, 0, 1], 1), Ok(1.0));
    assert!(score(&x, &[0, 0, 1], 4).is_err() && score(&x, &[0, 0, 1], 0).is_err());
    assert!(score(&x, &[0, 0], 1).is_err() && score(&wide, &[0], 1).is_err());
}
