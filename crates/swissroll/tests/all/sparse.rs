//! Sparse points are an input to every method that accepts neighbor lists, to PCA, PHATE, and layouts by
//! pairs and triplets.

use swissroll::embedding::{
    DataKind, DynMethod, Error, Input, MemoryLimit, Metric, PointSet, SparsePointSet, TrainingRows,
};
use swissroll::isomap::Isomap;
use swissroll::neighbor_graph::NeighborSearch;

type Done = Result<(), Error>;

/// Entries of row `i`: three columns near a point of a circle of 30 columns, with weights that
/// shift from one to the next.
fn entries(i: usize) -> Vec<(u32, f64)> {
    let place = (i * 7 % 120) as f64 / 4.0;
    let (first, part) = (place.floor(), place.fract());
    [(0, 1.0 - part), (1, 1.0 + 0.3 * part), (2, part + 0.05)]
        .map(|(step, weight)| ((first as u32 + step) % 30, weight))
        .to_vec()
}

fn points(rows: impl Iterator<Item = usize>) -> Result<SparsePointSet, Error> {
    let rows: Vec<_> = rows.map(entries).collect();
    let offsets = (0..=rows.len()).map(|i| 3 * i).collect();
    let (columns, values) = rows.concat().into_iter().unzip();
    SparsePointSet::new(offsets, columns, values, 30)
}

fn methods() -> impl Iterator<Item = Box<dyn DynMethod>> {
    swissroll::methods().map(|mut method| {
        // Rows of few points, in few iterations.
        for (name, value) in
            [("k", "6"), ("perplexity", "8"), ("landmarks", "max-min:30"), ("iterations", "80")]
        {
            let _ = method.set_dyn(name, value);
        }
        // Lists alone have no principal components.
        if method.about().name == "tsne" {
            let _ = method.set_dyn("start", "random");
        }
        method
    })
}

/// The map equals the map of the neighbor lists of the points with their zeros; other methods report
/// what they read. New rows are placed with their zeros or without, alike and each by itself, by a
/// model that was saved too, and where they are placed by the model of dense points.
#[test]
fn methods_on_neighbor_lists_are_fitted_to_sparse_points() -> Done {
    let points = points(0..120)?;
    let dense = points.view().dense(MemoryLimit::default())?;
    // Rows near rows 3, 50 and 90, with one of their weights changed.
    let near = |i: usize| entries(i).into_iter().map(|(c, w)| (c, if c % 2 == 0 { 1.2 * w } else { w }));
    let (columns, values) = [3, 50, 90].into_iter().flat_map(near).unzip();
    let new = SparsePointSet::new(vec![0, 3, 6, 9], columns, values, 30)?;
    let (mut fitted, mut refused) = (0, 0);
    for method in methods() {
        let name = method.about().name;
        let labels: Vec<u32> = (0..120).map(|i| i % 2).collect();
        let input = Input::from(points.view()).with_metric(Metric::Cosine).with_labels(&labels);
        if BY_ENTRIES.contains(&name) {
            continue;
        }
        if method.accepts_sparse() && !method.about().accepts.contains(&DataKind::Neighbors) {
            assert_eq!(name, "pca");
            let error = method.fit_dyn(&input).err().ok_or_else(Error::no_points)?.to_string();
            assert!(error.contains("the metric must be euclidean for pca"), "{error}");
            continue;
        }
        if !method.accepts_sparse() {
            let error = method.fit_dyn(&input).err().ok_or_else(Error::no_points)?;
            assert!(error.to_string().contains("sparse"), "{name}: {error}");
            refused += 1;
            continue;
        }
        let model = method.fit_dyn(&input)?;
        let rule = method.neighborhood_dyn(120).unwrap_or_default();
        let of_dense = Input::from(&dense).with_metric(Metric::Cosine);
        let lists = NeighborSearch::from(rule).find(of_dense)?;
        let expected = method.fit_dyn(&Input::from(&lists).with_labels(&labels))?;
        assert_eq!(model.embedding().values(), expected.embedding().values(), "{name}");
        let placed = model.place(new.view().into(), TrainingRows::Stored)?;
        let with_zeros = new.view().dense(MemoryLimit::default())?;
        assert_eq!(model.transform(with_zeros.view())?.values(), placed.values(), "{name}");
        let second = new.view().select(&[1]);
        let alone = model.place(second.view().into(), TrainingRows::Extended)?;
        assert_eq!(alone.row(0), placed.row(1), "{name}");
        let loaded = method.load(&model.save()?)?;
        assert_eq!(loaded.place(new.view().into(), TrainingRows::Stored)?.values(), placed.values());
        let extent = model.embedding().values().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let again = model.place(points.view().into(), TrainingRows::Stored)?;
        for (y, own) in again.values().iter().zip(model.embedding().values()) {
            assert!((y - own).abs() <= 1e-6 * extent, "{name}: {y} for {own}");
        }
        let by_lists = of_dense.with_neighbors(&lists).with_labels(&labels);
        if name != "tsne" && name != "landmark-isomap" {
            let dense = method.fit_dyn(&by_lists)?;
            assert_eq!(
                dense.place(new.view().into(), TrainingRows::Stored)?.values(),
                placed.values(),
                "{name}"
            );
        }
        let narrow = SparsePointSet::new(vec![0, 1], vec![0], vec![1.0], 29)?;
        let refused = model.place(narrow.view().into(), TrainingRows::Stored).err();
        assert!(matches!(refused, Some(Error::Shape { .. })), "{name}: {refused:?}");
        let zero = SparsePointSet::new(vec![0, 1, 1], vec![0], vec![1.0], 30)?;
        let refused =
            model.place(zero.view().into(), TrainingRows::Stored).err().ok_or_else(Error::no_points)?;
        assert!(refused.to_string().contains("row 1"), "{name}: {refused}");
        fitted += 1;
    }
    assert!(fitted >= 7 && refused >= 7, "{fitted} {refused}");
    Ok(())
}

/// Methods that read distances of sparse points beyond those to their neighbors.
const BY_ENTRIES: [&str; 4] = ["pacmap", "localmap", "trimap", "phate"];

/// The method with as many iterations, in each phase of several.
fn short(name: &str, iterations: &str) -> Result<Box<dyn DynMethod>, Error> {
    let mut method = swissroll::method(name).ok_or_else(Error::no_points)?;
    for parameter in ["iterations", "first-iterations", "second-iterations", "third-iterations"] {
        let _ = method.set_dyn(parameter, iterations);
    }
    Ok(method)
}

/// By a metric other than Euclidean they read the distances of the same points with their zeros: the maps are
/// equal, and new rows are placed alike, with their zeros or without, by a model that was saved too.
#[test]
fn layouts_of_sparse_points_equal_layouts_with_the_zeros() -> Done {
    let points = points(0..120)?;
    let dense = points.view().dense(MemoryLimit::default())?;
    let new = points.view().select(&[3, 50, 90]);
    for metric in [Metric::Cosine, Metric::Manhattan] {
        for name in BY_ENTRIES {
            let mut method = short(name, "12")?;
            // Principal components of sparse points are equal within the tolerance of the eigensolver alone.
            let _ = method.set_dyn("start", "random");
            let model = method.fit_dyn(&Input::from(points.view()).with_metric(metric))?;
            let expected = method.fit_dyn(&Input::from(&dense).with_metric(metric))?;
            assert_eq!(model.embedding().values(), expected.embedding().values(), "{name} {metric}");
            let placed = model.place(new.view().into(), TrainingRows::Extended)?;
            let with_zeros = new.view().dense(MemoryLimit::default())?;
            for other in [&model, &expected, &method.load(&model.save()?)?] {
                let of_dense = other.place(with_zeros.view().into(), TrainingRows::Extended)?;
                assert_eq!(of_dense.values(), placed.values(), "{name} {metric}");
            }
            let stored = model.place(points.view().into(), TrainingRows::Stored)?;
            assert_eq!(stored.values(), model.embedding().values(), "{name} {metric}");
        }
    }
    Ok(())
}

/// By the Euclidean metric they read principal components. A power of two in front of the data changes nothing,
/// and training rows keep their places.
#[test]
fn layouts_of_sparse_points_do_not_depend_on_the_unit() -> Done {
    let points = points(0..120)?;
    for name in BY_ENTRIES {
        let method = short(name, "20")?;
        let maps = [0, -700, 600].map(|exponent| {
            let scaled = points.view().times_power_of_two(exponent)?;
            let model = method.fit_dyn(&Input::from(scaled.view()))?;
            let stored = model.place(scaled.view().into(), TrainingRows::Stored)?;
            assert_eq!(stored.values(), model.embedding().values(), "{name} 2^{exponent}");
            Ok::<_, Error>(stored.into_values())
        });
        let [ordinary, small, large] = maps;
        let ordinary = ordinary?;
        assert_eq!(small?, ordinary, "{name}");
        assert_eq!(large?, ordinary, "{name}");
    }
    let same = SparsePointSet::new((0..=9).collect(), vec![2; 9], vec![1.0; 9], 30)?;
    for name in BY_ENTRIES {
        let mut method = swissroll::method(name).ok_or_else(Error::no_points)?;
        let _ = method.set_dyn("duplicates", "keep");
        let refused = method.fit_dyn(&Input::from(same.view())).err().ok_or_else(Error::no_points)?;
        assert!(refused.to_string().contains("coincide"), "{name}: {refused}");
    }
    Ok(())
}

/// Copies are merged as copies of dense rows are: a point with more copies than neighbors keeps its
/// place.
#[test]
fn copies_of_sparse_rows_share_a_place() -> Done {
    let once = points(0..120)?;
    let often = points((0..120).chain([5; 9]))?;
    let isomap = Isomap::default();
    let one = isomap.fit_dyn(&Input::from(once.view()))?;
    let all = isomap.fit_dyn(&Input::from(often.view()))?;
    assert_eq!(all.embedding().len(), 129);
    for (row, original) in (0..120).map(|i| (i, i)).chain((120..129).map(|i| (i, 5))) {
        assert_eq!(all.embedding().row(row), one.embedding().row(original), "row {row}");
    }
    // The same with lists of a search, which see the copies.
    let lists = NeighborSearch::nearest(10).with_metric(Metric::Euclidean).find(often.view())?;
    let given = isomap.fit_dyn(&Input::from(often.view()).with_neighbors(&lists))?;
    assert_eq!(given.embedding().values(), all.embedding().values());
    Ok(())
}

/// Components are joined by the shortest edges, as components of dense rows are.
#[test]
fn components_of_sparse_points_are_bridged() -> Done {
    // Two parts without a common column.
    let rows: Vec<Vec<(u32, f64)>> = (0..80)
        .map(|i| {
            entries(i).into_iter().map(|(c, v)| (c + 30 * (i as u32 % 2), v + 0.001 * i as f64)).collect()
        })
        .collect();
    let offsets = (0..=80).map(|i| 3 * i).collect();
    let (columns, values) = rows.concat().into_iter().unzip();
    let points = SparsePointSet::new(offsets, columns, values, 60)?;
    let dense: PointSet = points.view().dense(MemoryLimit::default())?;
    let mut method = swissroll::method("laplacian-eigenmaps").ok_or_else(Error::no_points)?;
    method.set_dyn("k", "3")?;
    let input = Input::from(points.view()).with_metric(Metric::Cosine);
    assert!(matches!(method.fit_dyn(&input), Err(Error::Disconnected { .. })));
    method.set_dyn("components", "bridge")?;
    let sparse = method.fit_dyn(&input)?;
    let expected = method.fit_dyn(&Input::from(&dense).with_metric(Metric::Cosine))?;
    assert_eq!(sparse.embedding().values(), expected.embedding().values());
    assert_eq!(sparse.report().facts["bridges"], expected.report().facts["bridges"]);
    Ok(())
}

/// Models keep the entries: the zeros of many columns take no memory of the limit.
#[test]
fn columns_of_zeros_are_not_counted_against_the_memory_limit() -> Done {
    let wide = points(0..120)?;
    let (mut offsets, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    for i in 0..120 {
        let (of, with) = wide.view().row(i);
        columns.extend_from_slice(of);
        values.extend_from_slice(with);
        offsets.push(columns.len());
    }
    let wide = SparsePointSet::new(offsets, columns, values, 10_000_000)?;
    let limit = MemoryLimit::new(1_000_000_000);
    for name in ["isomap", "landmark-isomap", "c-isomap", "laplacian-eigenmaps", "phate"] {
        let mut method = swissroll::method(name).ok_or_else(Error::no_points)?;
        method.set_dyn("k", "6")?;
        if name == "landmark-isomap" {
            method.set_dyn("landmarks", "30")?;
        }
        method.fit_dyn(&Input::from(wide.view()).with_memory_limit(limit))?;
    }
    Ok(())
}
