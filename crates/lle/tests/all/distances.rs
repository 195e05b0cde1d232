//! Distances instead of points: the local geometry of each neighborhood by classical scaling.
#![expect(clippy::unwrap_used, reason = "tests")]

use embedding::{
    DistanceMatrix, DynMethod, DynModel, Embedding, Error, Input, MemoryLimit, PointSet, Silent,
};
use lle::steps::weights;
use lle::{HessianLle, Lle, Ltsa, ModifiedLle};
use neighbor_graph::{Components, Neighborhood};
use testkit::cases::distances;

use crate::common;
use common::{nearest, s_curve, swiss_roll};

fn family(neighborhood: Neighborhood) -> [Box<dyn DynMethod>; 4] {
    [
        Box::new(Lle { neighborhood, ..Lle::default() }),
        Box::new(ModifiedLle { neighborhood, ..ModifiedLle::default() }),
        Box::new(HessianLle { neighborhood, ..HessianLle::default() }),
        Box::new(Ltsa { neighborhood, ..Ltsa::default() }),
    ]
}

fn fit(method: &dyn DynMethod, values: &[f64]) -> Result<Box<dyn DynModel>, Error> {
    method.fit_dyn(&DistanceMatrix::new(values, values.len().isqrt())?.into())
}

/// The largest difference of coordinates, in units of the largest, where columns may have
/// either sign.
fn gap(a: &Embedding, b: &Embedding, c: &Embedding, d: &Embedding) -> f64 {
    let mut worst = 0.0_f64;
    for j in 0..a.dim() {
        let inner: f64 = (0..a.len()).map(|i| a[(i, j)] * b[(i, j)]).sum();
        let of = |x: &Embedding, y: &Embedding| {
            (0..x.len()).map(|i| (x[(i, j)] - inner.signum() * y[(i, j)]).abs()).fold(0.0, f64::max)
        };
        worst = worst.max(of(a, b)).max(of(c, d));
    }
    worst / a.values().iter().fold(0.0_f64, |m, v| m.max(v.abs()))
}

#[test]
fn distances_give_the_coordinates_of_the_points_and_place_new_ones_alike() {
    let (points, new) = (s_curve(300), {
        let all = s_curve(320);
        all.view().select(&(300..320).collect::<Vec<_>>())
    });
    let (given, to_new) = (distances(points.view(), points.view()), distances(new.view(), points.view()));
    let to_new = PointSet::new(to_new, 300).unwrap();
    for neighborhood in [Neighborhood::Nearest { k: 10 }, Neighborhood::Within { radius: 0.9 }] {
        for method in family(neighborhood) {
            let name = method.about().name;
            let (by_points, by_distances) =
                (method.fit_dyn(&(&points).into()).unwrap(), fit(&*method, &given).unwrap());
            let (placed, placed_by_distances) =
                (by_points.transform(new.view()).unwrap(), by_distances.transform(to_new.view()).unwrap());
            let gap = gap(by_points.embedding(), by_distances.embedding(), &placed, &placed_by_distances);
            assert!(gap < 1e-8, "{name}, {neighborhood:?}: {gap:e}");
            // A row of the given matrix is a training point.
            let training = PointSet::new(given[..600].to_vec(), 300).unwrap();
            let again = by_distances.transform(training.view()).unwrap();
            assert_eq!(again.values(), &by_distances.embedding().values()[..4], "{name}");
        }
    }
}

#[test]
fn weights_are_those_of_the_points() {
    let points = swiss_roll(200);
    let lists = nearest(points.view(), 9);
    let values = distances(points.view(), points.view());
    let of_points = weights(points.view(), &lists, 1e-3, &Silent).unwrap();
    let given = DistanceMatrix::new(&values, 200).unwrap();
    let of_distances = weights(given, &lists, 1e-3, &Silent).unwrap();
    for i in 0..200 {
        for (a, b) in of_points.row(i).1.iter().zip(of_distances.row(i).1) {
            assert!((a - b).abs() < 1e-9, "point {i}: {a} and {b}");
        }
    }
}

/// Distances without a Euclidean map: sums of coordinate differences, and squares.
#[test]
fn distances_that_are_not_euclidean_are_embedded() {
    let points = s_curve(200);
    let rows = || points.view().rows();
    let along = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| (x - y).abs()).sum::<f64>();
    let taxi: Vec<f64> = rows().flat_map(|a| rows().map(move |b| along(a, b))).collect();
    let squares: Vec<f64> = distances(points.view(), points.view()).iter().map(|d| d * d).collect();
    for values in [taxi, squares] {
        for method in family(Neighborhood::Nearest { k: 10 }) {
            let fitted = fit(&*method, &values).unwrap();
            let row = PointSet::new(values[200..400].iter().map(|d| d + 0.01).collect(), 200).unwrap();
            let placed = fitted.transform(row.view()).unwrap();
            assert!(placed.values().iter().all(|v| v.is_finite()), "{}", method.about().name);
        }
    }
}

/// A model of distances keeps n (n − 1)/2 distances, counts them against the limit, and saves them in its
/// file.
#[test]
fn a_model_keeps_the_distances_that_new_points_need() {
    let points = s_curve(150);
    let values = distances(points.view(), points.view());
    let given = DistanceMatrix::new(&values, 150).unwrap();
    for method in family(Neighborhood::Nearest { k: 10 }) {
        let name = method.about().name;
        let fitted = method.fit_dyn(&given.into()).unwrap();
        let bytes = fitted.save().unwrap();
        let kept = 8 * 150 * 149 / 2;
        assert!(bytes.len() > kept && bytes.len() < 2 * kept, "{name}: {} bytes", bytes.len());
        let row = PointSet::new(values[..150].iter().map(|d| d + 0.01).collect(), 150).unwrap();
        let again = method.load(&bytes).unwrap();
        assert_eq!(again.transform(row.view()).unwrap(), fitted.transform(row.view()).unwrap(), "{name}");
        let tight = Input::from(given).with_memory_limit(MemoryLimit::new(kept as u64 - 1));
        let refused = method.fit_dyn(&tight).err().unwrap();
        assert!(
            matches!(refused, Error::Memory { needed, .. } if needed == kept as u64),
            "{name}: {refused}"
        );
    }
}

#[test]
fn distances_of_zero_and_copies_are_no_obstacle() {
    let zeros = [0.0; 900];
    let copies = testkit::cases::copied(40, 3, 1);
    let values = distances(copies.view(), copies.view());
    for method in family(Neighborhood::Nearest { k: 12 }) {
        let name = method.about().name;
        let refused = fit(&*method, &zeros).err().unwrap();
        assert!(matches!(refused, Error::Degenerate { .. }), "{name}: {refused}");
        let (by_points, by_distances) =
            (method.fit_dyn(&(&copies.points).into()).err(), fit(&*method, &values).err());
        assert_eq!(by_points, by_distances, "{name}");
    }
}

/// Two sheets: each piece keeps its own distances, and new rows name all points.
#[test]
fn component_policies_hold_for_distances() {
    let (case, near) = (testkit::cases::two_sheets(1), {
        let rows: Vec<u32> = vec![3, 12, 50, 100];
        testkit::cases::two_sheets(1).select(&rows).mapped(|r| r.iter().map(|v| v + 0.01).collect())
    });
    let values = distances(case.view(), case.view());
    let to_new = PointSet::new(distances(near.view(), case.view()), 105).unwrap();
    let neighborhood = Neighborhood::Nearest { k: 10 };
    for components in [Components::Largest, Components::PerComponent] {
        let methods: [Box<dyn DynMethod>; 2] = [
            Box::new(Lle { neighborhood, components, ..Lle::default() }),
            Box::new(Ltsa { neighborhood, components, ..Ltsa::default() }),
        ];
        for method in methods {
            let name = method.about().name;
            let (by_points, by_distances) =
                (method.fit_dyn(&(&case.points).into()).unwrap(), fit(&*method, &values).unwrap());
            let gap = testkit::structure::distance_gap(by_points.embedding(), by_distances.embedding(), 1.0);
            assert!(gap < 1e-7, "{name}, {components:?}: {gap:e}");
            let (a, b) = (by_points.transform(near.view()), by_distances.transform(to_new.view()));
            let gap = testkit::structure::distance_gap(&a.unwrap(), &b.unwrap(), 1.0);
            assert!(gap < 1e-7, "{name}, {components:?}, new points: {gap:e}");
        }
    }
}
