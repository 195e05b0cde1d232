//! Values per point: their means are the measures.

use embedding::Points;
use neighbor_graph::NeighborSearch;
use quality::distances::residual_variance;
use quality::shape::{Reflection, Similarity, local_scale_of_rows, procrustes};
use quality::{Context, RowSample, measure, measures, point_measures};

/// A Swiss roll with a copy of one point, and its projection to two columns.
fn roll_and_shadow() -> (embedding::PointSet, embedding::PointSet) {
    let roll = datasets::generate("swiss-roll", 150, 3).unwrap();
    let points = roll.points.view();
    let shadow =
        embedding::PointSet::from_rows(&points.rows().map(|row| [row[0], row[1]]).collect::<Vec<_>>())
            .unwrap();
    (roll.points, shadow)
}

#[test]
fn the_mean_of_the_values_is_the_measure() {
    let (points, map) = roll_and_shadow();
    let neighbors = NeighborSearch::nearest(8).find(points.view()).unwrap();
    let context = Context::new(points.view(), &neighbors, 8, RowSample::All);
    let mut compared = 0;
    for per_point in point_measures() {
        let values = per_point.values(&context, map.view()).unwrap().expect("applies");
        assert_eq!(values.len(), 150, "{}", per_point.name);
        let defined: Vec<f64> = values.into_iter().flatten().collect();
        assert_eq!(defined.len(), 150, "{}: every neighborhood has triangles", per_point.name);
        for value in &defined {
            assert!(*value >= per_point.low && per_point.high.is_none_or(|high| *value <= high));
        }
        assert!(defined.iter().any(|value| *value != defined[0]), "{} differs", per_point.name);
        let Some(name) = per_point.mean else { continue };
        // Every neighborhood has the same number of triangles, so that weights are equal.
        let whole = measure(name).expect("listed").score(&context, map.view()).unwrap().expect("applies");
        let mean = defined.iter().sum::<f64>() / 150.0;
        assert!((mean - whole).abs() <= 1e-12 * whole.abs(), "{name}: {mean} and {whole}");
        compared += 1;
    }
    assert_eq!(compared, 4);
}

/// Against the functions that compute each row without the shared distances.
#[test]
fn false_neighbors_and_tears_are_not_exchanged() {
    let (points, map) = roll_and_shadow();
    let neighbors = NeighborSearch::nearest(8).find(points.view()).unwrap();
    let context = Context::new(points.view(), &neighbors, 8, RowSample::All);
    let mean = |name: &str| {
        let per_point = point_measures().iter().find(|measure| measure.name == name).expect("listed");
        let values = per_point.values(&context, map.view()).unwrap().expect("applies");
        values.into_iter().flatten().sum::<f64>() / 150.0
    };
    let (trust, continuity) = (mean("trustworthiness"), mean("continuity"));
    assert!((trust - quality::ranks::trustworthiness(points.view(), map.view(), 8).unwrap()).abs() < 1e-12);
    assert!((continuity - quality::ranks::continuity(points.view(), map.view(), 8).unwrap()).abs() < 1e-12);
    assert!(trust < continuity - 0.01, "a projection has false neighbors, and no tears");
}

/// Point 1 is replaced by a copy of point 0: their lists have triangles without angles.
#[test]
fn values_of_unequal_neighborhoods_are_weighted_by_their_triangles() {
    let (points, map) = roll_and_shadow();
    let mut rows: Vec<Vec<f64>> = points.view().rows().map(<[f64]>::to_vec).collect();
    rows[1] = rows[0].clone();
    let values: Vec<f64> = rows.concat();
    let points = Points::new(&values, 3).unwrap();
    let neighbors = NeighborSearch::nearest(4).find(points).unwrap();
    let per_row =
        quality::shape::angle_error_of_rows(points, map.view(), &neighbors, RowSample::All).unwrap();
    let whole = quality::shape::angle_error(points, map.view(), &neighbors, RowSample::All).unwrap().value;
    // Of the 6 triangles around a point, 3 have the point and its copy as corners, and 2
    // to 3 contain both copies.
    let legal = |i: usize| {
        let near = neighbors.indices_of(i);
        let place = |row: u32| points.row(row as usize);
        let mut count = 0;
        for a in 0..near.len() {
            for b in a + 1..near.len() {
                let corners = [place(i as u32), place(near[a]), place(near[b])];
                let apart = corners[0] != corners[1] && corners[0] != corners[2] && corners[1] != corners[2];
                count += usize::from(apart);
            }
        }
        count as f64
    };
    let weights: Vec<f64> = (0..150).map(legal).collect();
    assert!(weights[0] < 6.0 && weights[2] == 6.0);
    let total: f64 = per_row.iter().zip(&weights).map(|(value, w)| value.expect("has triangles") * w).sum();
    let mean = total / weights.iter().sum::<f64>();
    assert!((mean - whole).abs() < 1e-12 * whole, "{mean} and {whole}");
}

#[test]
fn a_scaled_copy_has_one_local_scale_and_no_error() {
    let (points, _) = roll_and_shadow();
    let tripled: Vec<f64> = points.view().values().iter().map(|v| 3.0 * v).collect();
    let tripled = Points::new(&tripled, 3).unwrap();
    let neighbors = NeighborSearch::nearest(6).find(points.view()).unwrap();
    let context = Context::new(points.view(), &neighbors, 6, RowSample::All);
    let expected = [1.0, 1.0, 0.0, 0.0, 3.0];
    for (per_point, expected) in point_measures().iter().zip(expected) {
        let values = per_point.values(&context, tripled).unwrap().expect("applies");
        for value in values.into_iter().flatten() {
            assert!((value - expected).abs() < 1e-5, "{}: {value}", per_point.name);
        }
    }
}

#[test]
fn values_need_all_rows_and_equal_sizes() {
    let (points, map) = roll_and_shadow();
    let neighbors = NeighborSearch::nearest(6).find(points.view()).unwrap();
    let sampled = Context::new(points.view(), &neighbors, 6, RowSample::Spaced { count: 20 });
    let all = Context::new(points.view(), &neighbors, 6, RowSample::All);
    let short = Points::new(&map.view().values()[..40], 2).unwrap();
    for per_point in point_measures() {
        assert_eq!(per_point.values(&sampled, map.view()).unwrap(), None, "{}", per_point.name);
        assert!(per_point.values(&all, short).is_err(), "{}", per_point.name);
    }
}

#[test]
fn names_are_unique_and_means_are_measures() {
    for (i, one) in point_measures().iter().enumerate() {
        assert!(point_measures()[..i].iter().all(|other| other.name != one.name));
        if let Some(mean) = one.mean {
            let whole = measures().iter().find(|other| other.name == mean).expect("listed");
            assert_eq!((one.low, one.high), (whole.range.low, Some(whole.range.high)), "{mean}");
            assert_eq!(one.better, Some(whole.better), "{mean}");
        }
    }
}

#[test]
fn a_similarity_moves_its_own_points_as_procrustes_does_and_others_with_them() {
    let (points, map) = roll_and_shadow();
    let truth = datasets::generate("swiss-roll", 150, 3).unwrap().truth.unwrap();
    for reflection in [Reflection::Allowed, Reflection::Forbidden] {
        let whole = procrustes(truth.view(), map.view(), reflection).unwrap();
        let mut found = Similarity::between(truth.view(), map.view(), reflection).unwrap();
        let moved = found.apply(map.view()).unwrap();
        assert!((&moved - &whole.coordinates).norm_max() < 1e-12 * moved.norm_max());
        assert_eq!((found.scale, found.residual), (whole.scale, whole.residual));
        found.scale = 1.0;
        let kept = found.apply(map.view()).unwrap();
        let before = residual_variance(
            &map.view(),
            Points::new(&embedding::implement::matrix::to_rows(kept.as_ref()), 2).unwrap(),
        );
        assert!(before.unwrap() < 1e-12, "distances are kept");
    }
    let wide = Similarity::between(truth.view(), map.view(), Reflection::Allowed).unwrap();
    assert!(wide.apply(points.view()).is_err(), "three columns do not fit two");
}

#[test]
fn a_point_whose_neighbors_are_its_copies_has_no_scale() {
    let (points, map) = roll_and_shadow();
    let mut values = points.view().values().to_vec();
    let first: Vec<f64> = values[..3].to_vec();
    for copy in values.chunks_exact_mut(3).take(7) {
        copy.copy_from_slice(&first);
    }
    let points = Points::new(&values, 3).unwrap();
    let neighbors = NeighborSearch::nearest(6).find(points).unwrap();
    let scales = local_scale_of_rows(points, map.view(), &neighbors, RowSample::All).unwrap();
    assert!(scales[..7].iter().all(Option::is_none) && scales[7..].iter().all(Option::is_some));
}
