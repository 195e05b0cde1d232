//! Coordinates given as the start of a fit.

use swissroll::embedding::DistanceMatrix;
use swissroll::embedding::implement::StartScale;
use swissroll::neighbor_graph::NeighborSearch;
use swissroll::pacmap::{self, Pacmap};
use swissroll::prelude::{Duplicates, DynMethod, Embedding, Error, Input, Method, Model, PointSet};
use swissroll::trimap::{self, Trimap};
use swissroll::tsne::{self, Tsne};
use swissroll::umap::{self, Umap};
use testkit::cases::{cloud, second_of_two, two_sheets};

const ITERATIVE: [&str; 10] =
    ["smacof", "nonmetric-mds", "sammon", "tsne", "umap", "densmap", "pacmap", "localmap", "trimap", "phate"];

pub(crate) fn with(name: &str, settings: &[(&str, &str)]) -> Result<Box<dyn DynMethod>, Error> {
    let mut method = swissroll::method(name).expect("a method of this name");
    if name == "tsne" {
        method.set_dyn("perplexity", "8")?;
    }
    settings.iter().try_for_each(|(parameter, value)| method.set_dyn(parameter, value))?;
    Ok(method)
}

/// A method with few iterations.
pub(crate) fn short(name: &str) -> Result<Box<dyn DynMethod>, Error> {
    let settings: &[(&str, &str)] = match name {
        "tsne" => &[("early-iterations", "30"), ("iterations", "30")],
        "umap" | "densmap" => &[("epochs", "30")],
        "pacmap" | "localmap" => {
            &[("first-iterations", "10"), ("second-iterations", "10"), ("third-iterations", "10")]
        }
        "trimap" => &[("iterations", "30")],
        _ => &[],
    };
    with(name, settings)
}

/// A method whose map is its start.
fn still(name: &str) -> Result<Box<dyn DynMethod>, Error> {
    let settings: &[(&str, &str)] = match name {
        "tsne" => &[("early-iterations", "0"), ("iterations", "0")],
        // No step changes a coordinate in single precision. The epochs determine the edges.
        "umap" | "densmap" => &[("epochs", "30"), ("learning-rate", "1e-30")],
        "pacmap" | "localmap" => {
            &[("first-iterations", "0"), ("second-iterations", "0"), ("third-iterations", "0")]
        }
        _ => &[("iterations", "0")],
    };
    with(name, settings)
}

pub(crate) fn points_of(map: &Embedding) -> Result<PointSet, Error> {
    PointSet::new(map.values().to_vec(), map.dim())
}

fn mapped(points: &PointSet, by: impl Fn(f64) -> f64) -> Result<PointSet, Error> {
    PointSet::new(points.view().values().iter().map(|v| by(*v)).collect(), points.dim())
}

/// All methods with a start accept coordinates, and all others refuse them with a sentence.
#[test]
fn methods_without_a_start_refuse_coordinates() -> Result<(), Error> {
    let (case, start) = (cloud(40, 4, 1), cloud(40, 2, 2).points);
    for method in swissroll::methods() {
        let name = method.about().name;
        assert_eq!(method.start_scale().is_some(), ITERATIVE.contains(&name), "{name}");
        if method.start_scale().is_none() {
            let input = Input::from(&case.points).with_labels(&case.labels).with_start(start.view());
            let refused = method.fit_dyn(&input).map(|_| ()).expect_err(name).to_string();
            assert!(refused.contains("has no start"), "{name}: {refused}");
        }
    }
    Ok(())
}

/// The start is used: another start gives another map. Equal rows, and starts of another shape, are errors
/// that say what must hold and what came.
#[test]
fn starts_are_used_and_checked() -> Result<(), Error> {
    let (case, start, other) = (cloud(60, 4, 1), cloud(60, 2, 2).points, cloud(60, 2, 3).points);
    for name in ITERATIVE {
        let method = short(name)?;
        let fit = |start: &PointSet| {
            method.fit_dyn(&Input::from(&case.points).with_start(start.view())).map(|fitted| {
                assert!(fitted.embedding().values().iter().all(|v| v.is_finite()), "{name}");
                fitted.embedding().clone()
            })
        };
        assert_ne!(fit(&start)?, fit(&other)?, "{name}");
        for (wrong, words) in [
            (cloud(59, 2, 2).points, "the number of rows of the given start must be 60, one per point"),
            (cloud(60, 3, 2).points, "60 × 2, a row per point and a column per dimension"),
            (mapped(&start, |_| 1.0)?, "all 60 rows of the given start are equal"),
        ] {
            let refused = fit(&wrong).expect_err(name).to_string();
            assert!(refused.contains(words), "{name}: {refused}");
        }
    }
    Ok(())
}

/// The start that a layout computes gives the default map to the bit where it is given.
#[test]
fn the_own_start_of_a_method_gives_its_default_map() -> Result<(), Error> {
    let case = cloud(70, 5, 4);
    for name in ["tsne", "umap", "densmap", "pacmap", "localmap", "trimap"] {
        let own = points_of(still(name)?.fit_dyn(&Input::from(&case.points))?.embedding())?;
        let method = short(name)?;
        let scale = method.start_scale().expect(name);
        assert_eq!(scale.factor(own.view()), None, "{name}: {}", scale.note(own.view()));
        let by_default = method.fit_dyn(&Input::from(&case.points))?;
        let given = method.fit_dyn(&Input::from(&case.points).with_start(own.view()))?;
        assert_eq!(given.embedding(), by_default.embedding(), "{name}");
    }
    Ok(())
}

/// A layout centers a start and multiplies it, so that units and offsets of the start do not count.
#[test]
fn units_of_a_start_do_not_count_in_layouts() -> Result<(), Error> {
    let (case, start) = (cloud(60, 4, 1), cloud(60, 2, 2).points);
    for name in ["tsne", "umap", "densmap", "pacmap", "localmap", "trimap"] {
        let method = short(name)?;
        let fit = |start: &PointSet| method.fit_dyn(&Input::from(&case.points).with_start(start.view()));
        let expected = fit(&start)?;
        for unit in [2_f64.powi(-900), 2_f64.powi(20), 2_f64.powi(1000)] {
            let fitted = fit(&mapped(&start, |v| unit * v)?)?;
            assert_eq!(fitted.embedding(), expected.embedding(), "{name}, times {unit:e}");
        }
        let scale = method.start_scale().expect(name);
        let shifted = scale.apply(mapped(&start, |v| v + 1000.0)?.view())?;
        let plain = scale.apply(start.view())?;
        let (shifted, plain) = (shifted.view(), plain.view());
        let gap = shifted.values().iter().zip(plain.values()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let own = still(name)?.fit_dyn(&Input::from(&case.points).with_start(start.view()))?;
        let largest = own.embedding().values().iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        assert!(gap < 1e-9 * largest, "{name}: {gap:e} of {largest:e}");
        // The map without a step is the start at the scale of the method.
        let same = own.embedding().values().iter().zip(plain.values());
        assert!(same.into_iter().all(|(a, b)| (a - b).abs() <= 1e-6 * largest), "{name}");
    }
    Ok(())
}

/// Methods on distances use coordinates unchanged, in the unit of the data: at any scale of the data, the map
/// from a start times a power of two is the map times it. From their own map they stay there.
#[test]
fn starts_of_methods_on_distances_have_the_unit_of_the_data() -> Result<(), Error> {
    let (case, start) = (cloud(50, 5, 6), cloud(50, 2, 7).points);
    for name in ["smacof", "nonmetric-mds", "sammon"] {
        let method = short(name)?;
        assert_eq!(method.start_scale(), Some(StartScale::Unchanged));
        let fit = |points: &PointSet, start: &PointSet| {
            method.fit_dyn(&Input::from(points).with_start(start.view()))
        };
        let near = fit(&case.points, &start)?;
        let unit = 2_f64.powi(700);
        let far = fit(&mapped(&case.points, |v| unit * v)?, &mapped(&start, |v| unit * v)?)?;
        for (far, near) in far.embedding().values().iter().zip(near.embedding().values()) {
            assert!((far / unit - near).abs() < 1e-9, "{name}: {far} and {near}");
        }
        // Converged twice: two steps that lower the stress by little.
        let again = fit(&case.points, &points_of(near.embedding())?)?;
        let facts = again.report().facts;
        assert_eq!(facts["stress_history"].as_array().map(Vec::len), Some(3), "{name}");
        let refused = fit(&case.points, &mapped(&start, |v| 1e250 * v)?).map(|_| ()).expect_err(name);
        assert!(refused.to_string().contains("unit of the distances"), "{name}: {refused}");
    }
    Ok(())
}

/// The rows of 60 points in order; three points have copies.
fn rows() -> Vec<u32> {
    (0..40).chain([3, 3, 5]).chain(40..60).chain([50]).collect()
}

/// A start of the input acts as the same coordinates, at the scale of the method, in the recipe; also where
/// copies are merged.
fn acts_as_in_the_recipe<M: Method>(recipe: impl Fn(Duplicates, Option<PointSet>) -> M) -> Result<(), Error> {
    let name = M::ABOUT.name;
    let (points, start) = (cloud(60, 4, 1).select(&rows()).points, cloud(60, 2, 2).select(&rows()).points);
    let scaled = M::START.expect(name).apply(start.view())?;
    for duplicates in [Duplicates::Keep, Duplicates::Merge] {
        let by_input = recipe(duplicates, None).fit(Input::from(&points).with_start(start.view()))?;
        let by_recipe = recipe(duplicates, Some(scaled.clone())).fit(&points)?;
        assert_eq!(by_input.embedding(), by_recipe.embedding(), "{name}");
    }
    Ok(())
}

#[test]
fn a_start_of_an_input_acts_as_the_start_of_a_recipe() -> Result<(), Error> {
    acts_as_in_the_recipe(|duplicates, start| {
        let schedule = tsne::Schedule { early_iterations: 20, iterations: 20, ..tsne::Schedule::default() };
        let start = start.map(tsne::Start::Given).unwrap_or_default();
        Tsne { perplexity: 8.0, duplicates, schedule, start, ..Tsne::default() }
    })?;
    acts_as_in_the_recipe(|duplicates, start| {
        let start = start.map(umap::Start::Given).unwrap_or_default();
        Umap { epochs: Some(20), duplicates, start, ..Umap::default() }
    })?;
    acts_as_in_the_recipe(|duplicates, start| {
        let start = start.map(pacmap::Start::Given).unwrap_or_default();
        Pacmap { duplicates, start, ..Pacmap::default() }
    })?;
    acts_as_in_the_recipe(|duplicates, start| {
        let start = start.map(trimap::Start::Given).unwrap_or_default();
        Trimap { duplicates, start, ..Trimap::default() }
    })
}

/// The scaling of PHATE starts at the rows of its distinct points, its landmarks and its components.
#[test]
fn phate_starts_at_the_rows_that_it_scales() -> Result<(), Error> {
    let (alone, start) = (cloud(60, 4, 1), cloud(60, 2, 2).points);
    for landmarks in ["random:2000:0", "20"] {
        let method = with("phate", &[("landmarks", landmarks)])?;
        let fit = |points: &PointSet, start: PointSet| {
            method.fit_dyn(&Input::from(points).with_start(start.view())).map(|fit| fit.embedding().clone())
        };
        let expected = fit(&alone.points, start.clone())?;
        let fitted = fit(&alone.select(&rows()).points, start.view().select(&rows()))?;
        let spread: Vec<f64> = rows().iter().flat_map(|&row| expected.row(row as usize)).copied().collect();
        assert_eq!(fitted.values(), spread, "{landmarks}");
    }
    let method = with("phate", &[("components", "per-component")])?;
    let two = two_sheets(1);
    let start = cloud(two.len(), 2, 3).points;
    let fitted = method.fit_dyn(&Input::from(&two.points).with_start(start.view()))?;
    let first: Vec<u32> = (0..two.len() as u32).filter(|&i| !second_of_two(i as usize)).collect();
    let part = start.view().select(&first);
    let own = method.fit_dyn(&Input::from(&two.select(&first).points).with_start(part.view()))?;
    let shift = fitted.embedding()[(first[0] as usize, 0)] - own.embedding()[(0, 0)];
    for (at, &row) in first.iter().enumerate() {
        let gap = fitted.embedding()[(row as usize, 0)] - own.embedding()[(at, 0)] - shift;
        assert!(gap.abs() < 1e-9, "{row}: {gap:e}");
    }
    Ok(())
}

/// PaCMAP, LocalMAP and TriMap start alike from points and from their Euclidean distances, up to signs, also where
/// some points are copies.
#[test]
fn distances_start_layouts_as_their_points() -> Result<(), Error> {
    for case in [cloud(80, 5, 9), cloud(60, 4, 1).select(&rows())] {
        let (n, values) = (case.len(), case.distances());
        let distances = Input::from(DistanceMatrix::new(&values, n)?);
        for name in ["pacmap", "localmap", "trimap"] {
            let method = still(name)?;
            let (by_points, by_distances) =
                (method.fit_dyn(&Input::from(&case.points))?, method.fit_dyn(&distances)?);
            let mut random = still(name)?;
            random.set_dyn("start", "random")?;
            assert_ne!(random.fit_dyn(&distances)?.embedding(), by_distances.embedding(), "{name}");
            for c in 0..2 {
                let column = |map: &Embedding| map.rows().map(|y| y[c]).collect::<Vec<f64>>();
                let (found, expected) = (column(by_distances.embedding()), column(by_points.embedding()));
                let sign = found.iter().zip(&expected).map(|(a, b)| a * b).sum::<f64>().signum();
                let gap = found.iter().zip(&expected).map(|(a, b)| (sign * a - b).abs()).fold(0.0, f64::max);
                assert!(gap < 1e-8, "{name}, {n} points, column {c}: {gap:e}");
            }
        }
    }
    Ok(())
}

/// UMAP by principal components: distances start at the components of their points, up to signs and the noise
/// that separates duplicates; lists at the spectrum of the graph.
#[test]
fn principal_components_of_distances_start_umap() -> Result<(), Error> {
    let case = cloud(80, 5, 9);
    let mut method = still("umap")?;
    let spectral = method.fit_dyn(&Input::from(&NeighborSearch::nearest(14).find(&case.points)?))?;
    method.set_dyn("start", "pca")?;
    let by_points = method.fit_dyn(&Input::from(&case.points))?;
    let values = case.distances();
    let by_distances = method.fit_dyn(&Input::from(DistanceMatrix::new(&values, 80)?))?;
    for c in 0..2 {
        let column = |map: &Embedding| map.rows().map(|y| y[c]).collect::<Vec<f64>>();
        let (found, expected) = (column(by_distances.embedding()), column(by_points.embedding()));
        let sign = found.iter().zip(&expected).map(|(a, b)| a * b).sum::<f64>().signum();
        let gap = found.iter().zip(&expected).map(|(a, b)| (sign * a - b).abs()).fold(0.0, f64::max);
        assert!(gap < 2e-3, "column {c}: {gap}");
    }
    let lists = NeighborSearch::nearest(14).find(&case.points)?;
    assert_eq!(method.fit_dyn(&Input::from(&lists))?.embedding(), spectral.embedding());
    Ok(())
}
