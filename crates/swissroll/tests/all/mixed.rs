//! Every method on rows with categories and gaps: what it equals, and what it refuses.

use swissroll::embedding::mixed::MixedColumns;
use swissroll::embedding::{DataKind, Remedy};
use swissroll::prelude::{DistanceMatrix, Error, Input, Metric, PointSet};
use swissroll::saved::mixed;

use crate::metrics::{difference, distances, methods, reads_coordinates};

type Done = Result<(), Error>;

/// Numbers, a category and gaps; nan-euclidean distances need numbers alone.
fn table(n: usize, shift: usize, metric: Metric) -> (Vec<f64>, Vec<Vec<String>>) {
    let at = |i: usize, step: f64| ((i + shift) as f64 * step + 0.3).fract();
    let row = |i: usize| {
        let (u, v) = (at(i, 0.754_877_666), at(i, 0.569_840_291));
        let gap = |value: f64, every: usize| if (i + shift) % every == 3 { f64::NAN } else { value };
        [u, gap(v, 7), gap(3.0 * u * v, 11), gap((3.0 * v).floor(), 13), 2.0 + (3.0 * u).cos()]
    };
    let words = |c: usize| match (c, metric) {
        (3, Metric::Gower) => ["a", "b", "c"].map(str::to_owned).to_vec(),
        _ => Vec::new(),
    };
    ((0..n).flat_map(row).collect(), (0..5).map(words).collect())
}

fn rows(metric: Metric) -> Result<(MixedColumns, PointSet, PointSet), Error> {
    let (values, names) = table(130, 0, metric);
    let columns = MixedColumns::of(&values, &names)?;
    let (known, new) = (columns.encode(metric, &values)?, columns.encode(metric, &table(17, 500, metric).0)?);
    Ok((columns, known, new))
}

/// A method that accepts distances gives for rows what it gives for the distances between them, new rows and
/// saved models included.
#[test]
fn rows_with_gaps_are_fitted_as_their_distances() -> Done {
    for metric in [Metric::Gower, Metric::NanEuclidean] {
        let (columns, known, new) = rows(metric)?;
        let matrix = distances(metric, &known, &known)?;
        let mut fitted = 0;
        for method in methods().filter(|method| !method.reads_coordinates()) {
            let name = method.about().name;
            let input = Input::from(DistanceMatrix::new(matrix.view().values(), known.len())?);
            let by_distances = method.fit_dyn(&input)?;
            let by_rows = method.fit_dyn(&Input::from(&known).with_metric(metric))?;
            let apart = difference(&*by_distances, &*by_rows);
            assert!(apart < 1e-5, "{name}, {metric}: {apart:e}");
            let placed = by_rows.transform(new.view())?;
            let expected = by_distances.transform(distances(metric, &new, &known)?.view())?;
            let largest = expected.values().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
            for (a, b) in placed.values().iter().zip(expected.values()) {
                assert!((a - b).abs() < 1e-5 * largest, "{name}, {metric}: new rows at {a} and {b}");
            }
            let saved = mixed::save(by_rows.save()?, &columns)?;
            assert_eq!(mixed::columns(&saved)?.as_ref(), Some(&columns), "{name}");
            let (_, read) = swissroll::load(&saved)?;
            assert_eq!(read.transform(new.view())?, placed, "{name}, {metric}: the saved model");
            assert_eq!(read.report().facts["metric"], metric.to_string(), "{name}");
            fitted += 1;
        }
        assert_eq!(fitted, 18);
    }
    Ok(())
}

/// Starts from principal components read a column per category and no gaps: a copy of the rows with another
/// order of the categories starts at the same places.
#[test]
fn starts_do_not_depend_on_the_order_of_categories() -> Done {
    let (values, names) = table(90, 0, Metric::Gower);
    let other: Vec<f64> =
        values.iter().enumerate().map(|(at, v)| if at % 5 == 3 { 2.0 - v } else { *v }).collect();
    for name in ["tsne", "umap", "pacmap", "trimap"] {
        let mut method = swissroll::method(name).expect("in the registry").boxed();
        method.set_dyn("start", "pca")?;
        for (parameter, value) in
            [("iterations", "1"), ("early-iterations", "0"), ("epochs", "1"), ("perplexity", "8")]
        {
            // What a method has no such value of keeps its default.
            let _ = method.set_dyn(parameter, value);
        }
        let fit = |values: &[f64]| {
            let rows = MixedColumns::of(values, &names)?.encode(Metric::Gower, values)?;
            method.fit_dyn(&Input::from(&rows).with_metric(Metric::Gower))
        };
        let apart = difference(&*fit(&values)?, &*fit(&other)?);
        assert!(apart < 1e-3, "{name}: {apart:e}");
    }
    Ok(())
}

/// Methods that read coordinates refuse such rows before they search.
#[test]
fn methods_of_coordinates_say_so() -> Done {
    let (_, known, _) = rows(Metric::Gower)?;
    let mut refused = 0;
    for method in methods().filter(|method| method.reads_coordinates()) {
        let labels: Vec<u32> = (0..130).map(|i| i % 3).collect();
        let input = Input::from(&known).with_metric(Metric::Gower).with_labels(&labels);
        let error = method.fit_dyn(&input).map(drop).expect_err("rows without coordinates");
        assert!(error.to_string().contains("reads coordinates"), "{}: {error}", method.about().name);
        assert_eq!(error.remedy(), Some(Remedy::Coordinates));
        let of_lists = method.about().accepts.contains(&DataKind::Distances);
        assert!(!of_lists || reads_coordinates(&*method));
        refused += 1;
    }
    assert_eq!(refused, 32 - 18);
    Ok(())
}

/// New rows that share no column with a training row, and rows encoded by other columns, are refused.
#[test]
fn new_rows_without_a_distance_are_refused() -> Done {
    let (_, known, _) = rows(Metric::Gower)?;
    let names = vec![Vec::new(); 5];
    let isomap = swissroll::method("isomap").expect("in the registry");
    let mds = swissroll::method("classical-mds").expect("in the registry");
    let other = MixedColumns::of(&[1.0, 2.0, 3.0, 1.0, 5.0], &names)?.with_weights(&[2.0; 5])?;
    let other = other.encode(Metric::Gower, &[1.0, 2.0, 3.0, 1.0, 5.0])?;
    for method in [isomap, mds] {
        let model = method.fit_dyn(&Input::from(&known).with_metric(Metric::Gower))?;
        let error = model.transform(other.view()).map(drop).expect_err("other weights").to_string();
        assert!(error.contains("encoded by the same MixedColumns"), "{error}");
    }
    Ok(())
}
