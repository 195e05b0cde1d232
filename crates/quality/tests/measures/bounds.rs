//! Definitions at their bounds: the fewest and the most that are counted, allowed or refused.

use crate::common::{cube, mapped, noise};
use embedding::{Embedding, Error, PointSet, Points};
use faer::Mat;
use neighbor_graph::{Neighborhood, Neighbors};
use quality::classes::{Validation, knn_accuracy, knn_accuracy_of_new};
use quality::diagnosis::{Shape, by_truth, collapse, count_concentrated, inner_points, tight_clusters};
use quality::dimension::{Averaging, CorrelationDimension, correlation_dimension, elbow, maximum_likelihood};
use quality::shape::{Reflection, affine_residual, align_to, procrustes};

type Done = Result<(), Error>;

fn line(values: &[f64]) -> PointSet {
    PointSet::new(values.to_vec(), 1).unwrap()
}

#[test]
fn votes_of_as_many_as_are_left_are_allowed_and_of_more_refused() {
    let (points, labels) = (line(&[0.0, 1.0, 2.5, 10.0, 11.0, 12.5]), [0, 0, 0, 1, 1, 1]);
    let by = |k, validation| knn_accuracy(points.view(), &labels, k, validation);
    let folds = |count| Validation::Folds { count };
    for (validation, most) in [(Validation::LeaveOneOut, 5), (folds(2), 3), (folds(3), 4)] {
        for (k, allowed) in [(0, false), (1, true), (most, true), (most + 1, false)] {
            let found = by(k, validation);
            let refused = matches!(found, Err(Error::Parameter { name: "k", .. }));
            assert!(found.is_ok() == allowed && refused != allowed, "{validation:?}, {k}: {found:?}");
        }
    }
    for (count, allowed) in [(1, false), (2, true), (3, true), (4, false)] {
        assert_eq!(by(1, folds(count)).is_ok(), allowed, "{count} folds");
    }
    let of_new = |k| knn_accuracy_of_new(points.view(), &labels, points.view(), &labels, k);
    for (k, allowed) in [(0, false), (1, true), (6, true), (7, false)] {
        assert_eq!(of_new(k).is_ok(), allowed, "{k} of six known points");
    }
}

#[test]
fn new_points_have_the_class_of_most_of_their_nearest() {
    let (known, new) = (noise(300, 2), mapped(&noise(90, 2), |r| vec![r[1], r[0]]));
    let class = |i: usize| (i * i % 7 % 3) as u32;
    let (labels, truth): (Vec<u32>, Vec<u32>) = ((0..300).map(class).collect(), (0..90).map(class).collect());
    for k in [1, 5, 20] {
        let right = |row: usize| {
            let square = |j: usize| -> f64 {
                new.view().row(row).iter().zip(known.view().row(j)).map(|(a, b)| (a - b).powi(2)).sum()
            };
            let mut near: Vec<usize> = (0..300).collect();
            near.sort_by(|&a, &b| square(a).total_cmp(&square(b)));
            let votes = |label: u32| near[..k].iter().filter(|j| labels[**j] == label).count();
            // Of equally many votes the smallest label.
            (0..3).max_by_key(|label| (votes(*label), 3 - label)) == Some(truth[row])
        };
        let expected = (0..90).filter(|row| right(*row)).count() as f64 / 90.0;
        assert_eq!(
            knn_accuracy_of_new(known.view(), &labels, new.view(), &truth, k).unwrap(),
            expected,
            "{k}"
        );
    }
}

/// Orthogonal maps of n dimensions as products of rotations of two axes: of determinant 1, or with an
/// axis mirrored −1.
#[test]
fn only_mirror_images_differ_where_reflections_are_forbidden() {
    for n in [2, 3, 4, 5] {
        let points = noise(40, n);
        for trial in 0..12 {
            let moved = |mirror: f64| {
                mapped(&points, |row| {
                    let mut x = row.to_vec();
                    x[trial % n] *= mirror;
                    for (at, (a, b)) in (0..n).flat_map(|a| (0..a).map(move |b| (a, b))).enumerate() {
                        let (sin, cos) = ((trial * 7 + at * 3) as f64).sin_cos();
                        (x[a], x[b]) = (cos * x[a] - sin * x[b], sin * x[a] + cos * x[b]);
                    }
                    x
                })
            };
            let residual = |mirror: f64| {
                procrustes(points.view(), moved(mirror).view(), Reflection::Forbidden).unwrap().residual
            };
            assert!(residual(1.0) < 1e-20, "{n} dimensions, {trial}: {}", residual(1.0));
            assert!(residual(-1.0) > 0.05, "{n} dimensions, {trial}: {}", residual(-1.0));
        }
        let aligned = align_to(points.view(), points.view(), Reflection::Allowed).unwrap();
        assert!((aligned - points.view().as_mat()).norm_max() < 1e-12, "{n}: the same dimension");
    }
}

fn map(n: usize, dim: usize, value: impl Fn(usize, usize) -> f64) -> Embedding {
    Embedding::new(Mat::from_fn(n, dim, value))
}

/// The sentence about a linear image, where there is one.
fn stretched(map: &Embedding, truth: Points<'_>) -> Option<String> {
    by_truth(map, truth, Shape::Free).into_iter().find(|sentence| sentence.contains("affine error"))
}

/// A box, and its image by one factor for each column.
#[test]
fn maps_of_two_and_more_dimensions_can_be_stretched() -> Done {
    let stretch = |dim: usize, factors: [f64; 3], offset: f64| {
        let truth = mapped(&cube(200), |row| row[..dim].to_vec());
        let image = map(200, dim, |i, j| factors[j] * truth.view().row(i)[j] + offset);
        stretched(&image, truth.view())
    };
    assert_eq!(stretch(1, [5.0, 1.0, 1.0], 0.0), None);
    for dim in [2, 3] {
        assert_eq!(stretch(dim, [5.0; 3], 0.0), None, "similar");
        assert!(stretch(dim, [5.0, 1.0, 1.0], 0.0).is_some(), "{dim} dimensions");
    }
    let other = mapped(&cube(200), |row| row[..2].to_vec());
    assert_eq!(
        stretched(&map(200, 3, |i, j| (i * (j + 1)) as f64), other.view()),
        None,
        "of other dimension"
    );
    // Sides of 8, 2 and 1, with columns of equal variance, wherever these are.
    let sides = [8.0, 2.0, 1.0];
    let grid = |i: usize| [i % 6, i / 6 % 6, i / 36].map(|at| at as f64);
    let truth = PointSet::new(
        (0..216).flat_map(|i| grid(i).into_iter().zip(sides).map(|(v, s)| v * s)).collect(),
        3,
    )?;
    for offset in [0.0, 70.0] {
        let said = stretched(&map(216, 3, |i, j| grid(i)[j] + offset * j as f64), truth.view());
        assert!(said.is_some_and(|said| said.contains("equal variance")), "{offset}");
    }
    Ok(())
}

#[test]
fn places_are_few_and_hold_nearly_all_of_enough_points() {
    let at = |n: usize, count: usize| {
        tight_clusters(&(0..n).map(|i| [(i % count) as f64, 5.0]).collect::<Vec<_>>())
    };
    assert_eq!(at(39, 3).len(), 0, "fewer than 40 points");
    assert_eq!(at(40, 3).iter().map(Vec::len).collect::<Vec<_>>(), [14, 13, 13]);
    assert_eq!((at(40, 4).len(), at(40, 5).len()), (4, 0), "one for ten points");
    // Nineteen of twenty hold 95 %; twenty of 23 do not.
    assert_eq!((at(400, 20).len(), at(400, 23).len()), (19, 0), "at most twenty");
    // Outliers of 5 % are none of them.
    let beside = |outliers: usize| {
        let far = |i: usize| if i < outliers { 10.0 * (i + 1) as f64 } else { 4.0 * (i % 2) as f64 };
        tight_clusters(&(0..100).map(|i| [far(i)]).collect::<Vec<_>>())
    };
    assert_eq!(beside(5).iter().map(Vec::len).collect::<Vec<_>>(), [48, 47]);
    assert_eq!(beside(6).len(), 3, "one of them is needed");
    assert!(at(40, 1).is_empty(), "no extent");
    // A disk of 6 % of the extent, which an outlier determines: the disk is one place.
    let angle = |i: usize| 2.4 * i as f64;
    let disk =
        |i: usize| [(i as f64 / 999.0).sqrt() * angle(i).cos(), (i as f64 / 999.0).sqrt() * angle(i).sin()];
    let cloud: Vec<[f64; 2]> = (0..1000).map(|i| if i == 7 { [33.0, 0.0] } else { disk(i) }).collect();
    let found = tight_clusters(&cloud);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0], (0..1000).filter(|&i| i != 7).collect::<Vec<_>>());
    // A line of 12 % of the extent is one; one of 18 %, of fewer than twenty places in a chain, is none.
    let line = |length: f64| {
        let at = |i: usize| if i == 999 { 100.0 } else { length * i as f64 / 998.0 };
        tight_clusters(&(0..1000).map(|i| [at(i)]).collect::<Vec<_>>()).len()
    };
    assert_eq!((line(12.0), line(18.0)), (1, 0));
}

#[test]
fn points_near_the_median_are_counted() {
    let even: Vec<[f64; 1]> = (0..=100).map(|i| [f64::from(i) - 30.0]).collect();
    assert_eq!(count_concentrated(&even), 3, "the median and one on each side");
    assert_eq!(inner_points(&even).len(), 101);
    // Within 1 % of an extent that a few far ones determine, which are not drawn.
    let far: Vec<[f64; 1]> = (0..100).map(|i| [if i < 2 { 1e4 } else { 500.0 + f64::from(i) }]).collect();
    assert_eq!(count_concentrated(&far), 98);
    assert_eq!(inner_points(&far), (2..100).collect::<Vec<_>>());
}

#[test]
fn the_growth_of_pairs_needs_two_different_radii() {
    let by = |points: &PointSet, low: f64, high: f64| {
        correlation_dimension(
            &points.view(),
            &CorrelationDimension { low, high, ..CorrelationDimension::default() },
        )
    };
    let twice = mapped(&noise(20, 2), |row| row.to_vec());
    let twice = PointSet::new([twice.view().values(), twice.view().values()].concat(), 2).unwrap();
    // A pair of 39 coincides.
    assert!(matches!(by(&twice, 0.01, 0.3), Err(Error::Degenerate { .. })));
    assert!(by(&twice, 0.1, 0.3).is_ok());
    let corners = PointSet::new((0..64).map(|e| f64::from(u8::from(e / 8 == e % 8))).collect(), 8).unwrap();
    assert!(matches!(by(&corners, 0.1, 0.3), Err(Error::Degenerate { .. })), "all distances are equal");
    for (low, high) in [(0.0, 0.3), (0.3, 0.3), (0.3, 1.0), (f64::NAN, 0.3)] {
        assert!(matches!(by(&noise(20, 2), low, high), Err(Error::Parameter { .. })), "{low}, {high}");
    }
}

#[test]
fn an_elbow_is_within_the_slack_of_the_least() -> Done {
    assert_eq!(elbow(&[0.5, 0.3, 0.21, 0.2], 0.05)?, 3);
    assert_eq!(elbow(&[0.5, 0.3, 0.25, 0.2], 0.05)?, 4);
    Ok(())
}

/// Of 1 / mean of ln(T_k / T_j), only points that have two nearer neighbors at different distances count.
#[test]
fn points_whose_neighbors_are_equally_far_have_no_likelihood() -> Done {
    let list = |i: u32, ds: [f64; 3]| (1..=3).map(|at| ((i + at) % 6, ds[at as usize - 1])).collect();
    let of = |all: [[f64; 3]; 6]| {
        let lists = (0..6).map(|i| list(i, all[i as usize])).collect();
        let neighbors = Neighbors::from_lists(lists, Neighborhood::Nearest { k: 3 })?;
        maximum_likelihood(&neighbors, Averaging::LevinaBickel)
    };
    let usual = [1.0, 2.0, 4.0];
    // ln 4 + ln 2, of two nearer ones.
    let expected = 1.0 / 8.0_f64.ln();
    for odd in [[3.0; 3], [0.0, 1.0, 2.0], [0.0, 0.0, 0.0]] {
        let found = of([usual, odd, usual, usual, odd, usual])?;
        assert!((found - expected).abs() < 1e-12, "{odd:?}: {found}");
        assert!(matches!(of([odd; 6]), Err(Error::Degenerate { .. })), "{odd:?}");
    }
    Ok(())
}

/// A sheet that is bent a little and stretched by a large factor: the affine error is above 0.01, and the
/// similarity error is above ten times that.
#[test]
fn a_map_that_is_bent_is_not_called_a_linear_image() {
    let sheet = |i: usize| [(i % 20) as f64 * 0.05, (i / 20) as f64 * 0.05];
    let truth = PointSet::new((0..400).flat_map(sheet).collect(), 2).unwrap();
    let bent = |i: usize| [sheet(i)[0], 12.0 * sheet(i)[1] + 9.0 * sheet(i)[0].powi(2)];
    let map = Embedding::new(Mat::from_fn(400, 2, |i, j| bent(i)[j]));
    let coordinates = PointSet::new(map.values().to_vec(), 2).unwrap();
    let affine = affine_residual(truth.view(), coordinates.view()).unwrap();
    let similar = procrustes(truth.view(), coordinates.view(), Reflection::Allowed).unwrap().residual;
    assert!(affine > 0.01 && similar > 10.0 * affine, "{affine}, {similar}");
    let said = by_truth(&map, truth.view(), Shape::Known);
    assert!(!said.iter().any(|sentence| sentence.contains("stretched or skewed")), "{said:?}");
}

#[test]
fn a_map_of_which_half_the_points_are_concentrated_is_no_collapse() {
    let said = |close: usize| {
        let beside = |i: usize| if i.is_multiple_of(2) { i as f64 } else { -(i as f64) };
        collapse(&map(20, 1, |i, _| if i < close { 0.0 } else { beside(i) }))
    };
    assert_eq!(said(10), None);
    assert!(said(11).is_some());
}

/// In small units and in large ones.
#[test]
fn variances_are_equal_to_a_hundredth_in_any_unit() {
    let grid = |i: usize| [(i % 10) as f64, (i / 10) as f64];
    let truth = PointSet::new((0..100).flat_map(|i| [8.0 * grid(i)[0], grid(i)[1]]).collect(), 2).unwrap();
    for unit in [1e-4, 1.0, 1e4] {
        // Variances that differ by 0.4 % and by 4 %.
        for (factor, equal) in [(1.002, true), (1.02, false)] {
            let image = map(100, 2, |i, j| unit * grid(i)[j] * if j == 0 { factor } else { 1.0 });
            let said = stretched(&image, truth.view()).unwrap();
            assert_eq!(said.contains("equal variance"), equal, "{unit} {factor}: {said}");
        }
    }
}
