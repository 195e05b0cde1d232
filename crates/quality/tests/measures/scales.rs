//! Measures depend on the shape of data and map alone, whatever their units.

use embedding::implement::scale::times_power_of_two;
use embedding::{Error, PointSet};
use neighbor_graph::NeighborSearch;
use quality::classes::{Validation, silhouette};
use quality::classes::{knn_accuracy, knn_accuracy_of_new};
use quality::ranks::{continuity, coranking, trustworthiness};
use quality::shape::local_scale_of_rows;
use quality::{Context, RowSample, measures, point_measures};
use testkit::cases::cloud;

const K: usize = 8;

fn times(points: &PointSet, power: i32) -> PointSet {
    let values = points.view().values().iter().map(|v| times_power_of_two(*v, power)).collect();
    PointSet::new(values, points.dim()).unwrap()
}

/// A curved sheet, a map of it that is not perfect, and classes.
fn data() -> (PointSet, PointSet, PointSet, Vec<u32>) {
    let truth = cloud(150, 2, 1);
    let sheet = truth.mapped(|p| vec![p[0], p[1], p[0] * p[0], (3.0 * p[1]).sin()]);
    let map = truth.mapped(|p| vec![p[0] + 0.3 * p[1] * p[1], p[1] + (5.0 * p[0]).sin() / 4.0]);
    let labels = truth.view().rows().map(|p| u32::from(p[0] > 0.5)).collect();
    (sheet.points, map.points, truth.points, labels)
}

/// Powers of the data and of the map; the truth has the power of the data.
const POWERS: [(i32, i32); 8] =
    [(600, 0), (-600, 0), (0, 700), (0, -1000), (-700, -700), (990, -990), (-1000, 600), (-532, 0)];

#[test]
fn units_change_no_measure() -> Result<(), Error> {
    let (sheet, map, truth, labels) = data();
    let all = |data: i32, of_map: i32| -> Result<Vec<(String, Vec<f64>)>, Error> {
        let (sheet, map, truth) = (times(&sheet, data), times(&map, of_map), times(&truth, data));
        let neighbors = NeighborSearch::nearest(K).find(sheet.view())?;
        let context = Context::new(sheet.view(), &neighbors, K, RowSample::All);
        let context = context.with_truth(truth.view()).with_labels(&labels);
        let of_map = (measures().iter())
            .map(|measure| Ok((measure.name.to_owned(), vec![measure.score(&context, map.view())?.unwrap()])))
            .collect::<Result<Vec<_>, Error>>()?;
        let per_point = (point_measures().iter())
            // The local scale has the unit of a quotient.
            .filter(|measure| measure.name != "local_scale")
            .map(|measure| {
                let values = measure.values(&context, map.view())?.unwrap();
                Ok((format!("{} of points", measure.name), values.into_iter().flatten().collect()))
            })
            .collect::<Result<Vec<_>, Error>>()?;
        Ok([of_map, per_point].concat())
    };
    let near = all(0, 0)?;
    assert_eq!(near.len(), measures().len() + point_measures().len() - 1);
    for (of_data, of_map) in POWERS {
        for ((name, far), (_, near)) in all(of_data, of_map)?.iter().zip(&near) {
            assert_eq!(far.len(), near.len(), "{name}, data times 2^{of_data}, map times 2^{of_map}");
            for (far, near) in far.iter().zip(near) {
                // Coordinates times 2^-1000 lose digits.
                let gap = (far - near).abs();
                assert!(gap < 1e-9, "{name}: {far} instead of {near}, 2^{of_data}, 2^{of_map}");
            }
        }
    }
    Ok(())
}

#[test]
fn units_change_no_function_of_points() -> Result<(), Error> {
    let (sheet, map, _, labels) = data();
    let neighbors = NeighborSearch::nearest(K).find(sheet.view())?;
    let all = |data: i32, of_map: i32| -> Result<Vec<f64>, Error> {
        let (x, y) = (times(&sheet, data), times(&map, of_map));
        let (x, y) = (x.view(), y.view());
        let rows: Vec<u32> = (0..50).collect();
        let (new, known) = (y.select(&rows), y.select(&(50..150).collect::<Vec<_>>()));
        let scale = local_scale_of_rows(x, y, &neighbors, RowSample::All)?[7].unwrap();
        Ok(vec![
            trustworthiness(x, y, K)?,
            continuity(x, y, K)?,
            coranking(x, y, RowSample::All)?.area(),
            silhouette(y, &labels)?,
            knn_accuracy(y, &labels, K, Validation::Folds { count: 5 })?,
            knn_accuracy_of_new(known.view(), &labels[50..], new.view(), &labels[..50], K)?,
            times_power_of_two(scale, data - of_map),
        ])
    };
    let near = all(0, 0)?;
    for (of_data, of_map) in POWERS.into_iter().filter(|(of_data, of_map)| (of_data - of_map).abs() < 1000) {
        for (at, (far, near)) in all(of_data, of_map)?.iter().zip(&near).enumerate() {
            assert!(
                (far - near).abs() < 1e-9 * near.abs(),
                "{at}: {far} instead of {near}, 2^{of_data}, 2^{of_map}"
            );
        }
    }
    Ok(())
}
