//! Points, their distances and their neighbor lists are one input to the methods that
//! accept all three.

use swissroll::datasets;
use swissroll::embedding::{
    DataKind, DistanceMatrix, DynMethod, DynModel, Embedding, Error, Input, PointSet, Points,
};
use swissroll::isomap::{ConformalIsomap, Isomap, LandmarkIsomap, Landmarks};
use swissroll::laplacian::{DiffusionMaps, Eigenproblem, LaplacianEigenmaps};
use swissroll::linear::Pca;
use swissroll::mds::{ClassicalMds, Dissimilarities, NonmetricMds, Precision, Sammon, Smacof};
use swissroll::neighbor_graph::{Components, NeighborIndex, NeighborSearch, Neighborhood};
use swissroll::tsne::{Schedule, Start, Tsne};

type Done = Result<(), Error>;

const NEAREST: Neighborhood = Neighborhood::Nearest { k: 8 };

pub(crate) fn graph_methods(neighborhood: Neighborhood, components: Components) -> Vec<Box<dyn DynMethod>> {
    // Max-min landmarks start at the mean, which neighbor lists alone do not have.
    let landmarks = Landmarks::Random { count: 30, seed: 1 };
    vec![
        Box::new(Isomap { neighborhood, components, ..Default::default() }),
        Box::new(ConformalIsomap { neighborhood, components, ..Default::default() }),
        Box::new(LandmarkIsomap { neighborhood, components, landmarks, ..Default::default() }),
        Box::new(LaplacianEigenmaps { neighborhood, components, ..Default::default() }),
        Box::new(LaplacianEigenmaps {
            neighborhood,
            components,
            form: Eigenproblem::Normalized,
            ..Default::default()
        }),
        Box::new(DiffusionMaps { neighborhood, components, ..Default::default() }),
    ]
}

/// Without principal components, which only points have.
pub(crate) fn tsne() -> Box<dyn DynMethod> {
    let schedule = Schedule { early_iterations: 60, iterations: 60, ..Schedule::default() };
    Box::new(Tsne { perplexity: 15.0, start: Start::Spectral, schedule, ..Tsne::default() })
}

pub(crate) fn roll(n: usize, seed: u64) -> Result<PointSet, Error> {
    Ok(datasets::generate("swiss-roll", n, seed)?.points)
}

/// Two rolls of 110 and 60 points, far apart, rows mixed.
pub(crate) fn two_rolls() -> Result<PointSet, Error> {
    let shifted = |i: usize| if i % 17 < 11 { 0.0 } else { 300.0 };
    let one = roll(170, 0)?;
    let rows = one.view().rows().enumerate();
    PointSet::new(rows.flat_map(|(i, r)| [r[0] + shifted(i), r[1], r[2]]).collect(), 3)
}

/// The distances of every row of `new` to every training point.
fn distances(new: Points<'_>, training: Points<'_>) -> Result<PointSet, Error> {
    let n = training.len();
    let mut values = vec![0.0; new.len() * n];
    let lists = NeighborIndex::new(training, NEAREST).nearest(new, n)?;
    for (row, list) in values.chunks_mut(n).zip(&lists) {
        list.iter().for_each(|&(j, d)| row[j as usize] = d);
    }
    PointSet::new(values, n)
}

fn of_distances(method: &dyn DynMethod, matrix: &PointSet) -> Result<Box<dyn DynModel>, Error> {
    method.fit_dyn(&DistanceMatrix::new(matrix.view().values(), matrix.len())?.into())
}

/// Fits points and their distances; every coordinate and fact must be equal, new points too.
fn distances_equal_points(method: &dyn DynMethod, points: &PointSet, new: &PointSet) -> Done {
    let name = method.about().name;
    let (by_points, by_distances) =
        (method.fit_dyn(&points.into())?, of_distances(method, &distances(points.view(), points.view())?)?);
    assert_eq!(by_distances.embedding(), by_points.embedding(), "{name}");
    let (facts, expected) = (by_distances.report().facts, by_points.report().facts);
    assert_eq!(facts, expected, "{name}");
    let placed = by_distances.transform(distances(new.view(), points.view())?.view())?;
    assert_eq!(placed, by_points.transform(new.view())?, "{name}: new points");
    let wide = by_distances.transform(new.view());
    assert!(matches!(wide, Err(Error::Shape { .. })), "{name}: {wide:?}");
    Ok(())
}

#[test]
fn distances_of_points_are_fitted_as_the_points() -> Done {
    let (points, new) = (roll(170, 0)?, roll(20, 1)?);
    for neighborhood in [NEAREST, Neighborhood::Within { radius: 9.0 }] {
        for method in graph_methods(neighborhood, Components::Reject) {
            distances_equal_points(&*method, &points, &new)?;
        }
    }
    distances_equal_points(&*tsne(), &points, &new)
}

#[test]
fn every_component_policy_holds_for_distances() -> Done {
    let (points, new) = (two_rolls()?, two_rolls()?.view().select(&[3, 12, 100, 15]));
    let new = PointSet::new(new.into_values().iter().map(|v| v + 0.01).collect(), 3)?;
    for components in [Components::Bridge, Components::Largest, Components::PerComponent] {
        for method in graph_methods(NEAREST, components) {
            distances_equal_points(&*method, &points, &new)?;
            let name = method.about().name;
            let matrix = distances(points.view(), points.view())?;
            let report = of_distances(&*method, &matrix)?.report();
            let (rows, pieces, bridges) =
                (report.facts.get("rows"), report.facts.get("pieces"), report.facts.get("bridges"));
            match components {
                Components::Bridge => {
                    assert_eq!(bridges.and_then(|b| b.as_array()).map(Vec::len), Some(1), "{name}");
                    assert!(rows.is_none() && pieces.is_none(), "{name}");
                }
                Components::Largest => {
                    let kept = (0..170_u64).filter(|i| i % 17 < 11).collect::<Vec<_>>();
                    assert_eq!(rows, Some(&kept.into()), "{name}");
                }
                _ => assert_eq!(pieces, Some(&vec![110, 60].into()), "{name}"),
            }
        }
    }
    for method in graph_methods(NEAREST, Components::Reject) {
        let refused = of_distances(&*method, &distances(points.view(), points.view())?).map(drop);
        assert_eq!(refused, Err(Error::Disconnected { components: 2, sizes: vec![110, 60] }));
    }
    Ok(())
}

#[test]
fn neighbor_lists_alone_are_fitted_as_with_the_points() -> Done {
    let (points, new) = (roll(170, 0)?, roll(20, 1)?);
    // Other lists than the recipe would find.
    let lists = NeighborSearch::nearest(11).find(points.view())?;
    let matrix = distances(points.view(), points.view())?;
    for method in graph_methods(NEAREST, Components::Reject) {
        let name = method.about().name;
        let alone = method.fit_dyn(&Input::from(&lists))?;
        let with_points = method.fit_dyn(&Input::from(&points).with_neighbors(&lists))?;
        assert_eq!(alone.embedding(), with_points.embedding(), "{name}");
        assert!(*alone.embedding() != *method.fit_dyn(&(&points).into())?.embedding(), "{name}: lists count");
        let given = Input::from(DistanceMatrix::new(matrix.view().values(), 170)?).with_neighbors(&lists);
        assert_eq!(method.fit_dyn(&given)?.embedding(), alone.embedding(), "{name}");
        places_nothing(name, &*alone, &new);
    }
    let lists = NeighborSearch::nearest(30).find(points.view())?;
    let alone = tsne().fit_dyn(&Input::from(&lists))?;
    let with_points = tsne().fit_dyn(&Input::from(&points).with_neighbors(&lists))?;
    assert_eq!(alone.embedding(), with_points.embedding());
    places_nothing("tsne", &*alone, &new);
    Ok(())
}

fn places_nothing(name: &str, model: &dyn DynModel, new: &PointSet) {
    let refused = model.transform(new.view());
    assert!(
        matches!(&refused, Err(Error::Degenerate { problem, .. }) if problem.contains("neighbor lists alone")),
        "{name}: {refused:?}"
    );
}

#[test]
fn components_of_neighbor_lists_alone_are_kept_but_not_bridged() -> Done {
    let points = two_rolls()?;
    let lists = NeighborSearch::from(NEAREST).find(points.view())?;
    for components in [Components::Largest, Components::PerComponent] {
        for method in graph_methods(NEAREST, components) {
            let name = method.about().name;
            let alone = method.fit_dyn(&Input::from(&lists))?;
            assert_eq!(alone.embedding(), method.fit_dyn(&(&points).into())?.embedding(), "{name}");
            places_nothing(name, &*alone, &points);
        }
    }
    for method in graph_methods(NEAREST, Components::Bridge) {
        let refused = method.fit_dyn(&Input::from(&lists)).map(drop).expect_err("refused");
        assert!(refused.to_string().contains("cannot be bridged"), "{refused}");
    }
    Ok(())
}

/// The distances of the first n of all points, row by row, and the distances of the others to them.
fn split(all: &PointSet, n: usize) -> Result<(PointSet, PointSet), Error> {
    let d = Dissimilarities::euclidean(all.view(), Default::default())?;
    let rows = |range: std::ops::Range<usize>| {
        PointSet::new(range.flat_map(|i| (0..n).map(move |j| (i, j))).map(|(i, j)| d.get(i, j)).collect(), n)
    };
    Ok((rows(0..n)?, rows(n..all.len())?))
}

#[test]
fn iterative_scaling_of_distances_is_that_of_the_points() -> Done {
    let all = roll(100, 0)?;
    let (matrix, between) = split(&all, 80)?;
    let (points, new) =
        (all.view().select(&(0..80).collect::<Vec<_>>()), all.view().select(&(80..100).collect::<Vec<_>>()));
    let methods: [Box<dyn DynMethod>; 3] =
        [Box::new(Smacof::default()), Box::new(NonmetricMds::default()), Box::new(Sammon::default())];
    for method in methods {
        let name = method.about().name;
        let (by_points, by_distances) =
            (method.fit_dyn(&(&points).into())?, of_distances(&*method, &matrix)?);
        assert_eq!(by_distances.embedding(), by_points.embedding(), "{name}");
        assert_eq!(by_distances.report().facts, by_points.report().facts, "{name}");
        let placed = by_distances.transform(between.view())?;
        assert_eq!(placed, by_points.transform(new.view())?, "{name}: new points");
        assert!(matches!(by_distances.transform(new.view()), Err(Error::Shape { .. })), "{name}");
    }
    Ok(())
}

#[test]
fn classical_scaling_of_distances_is_that_of_the_points_to_rounding() -> Done {
    let all = roll(150, 0)?;
    let (matrix, between) = split(&all, 120)?;
    let (points, new) = (
        all.view().select(&(0..120).collect::<Vec<_>>()),
        all.view().select(&(120..150).collect::<Vec<_>>()),
    );
    let gap = |a: &Embedding, b: &Embedding| (a.coordinates() - b.coordinates()).norm_max();
    for (precision, tolerance) in [(Precision::Double, 1e-10), (Precision::Single, 1e-5)] {
        let method = ClassicalMds { dim: 3, precision, ..ClassicalMds::default() };
        let (by_points, by_distances) =
            (DynMethod::fit_dyn(&method, &(&points).into())?, of_distances(&method, &matrix)?);
        assert!(gap(by_points.embedding(), by_distances.embedding()) < tolerance, "{precision:?}");
        let (a, b) = (by_points.transform(new.view())?, by_distances.transform(between.view())?);
        assert!(gap(&a, &b) < tolerance, "{precision:?}: new points");
    }
    let refused = of_distances(&Pca::default(), &matrix).map(drop).expect_err("refused");
    assert_eq!(refused.to_string(), "the input must be points for pca, but is distances");
    Ok(())
}

/// What a method cannot find in neighbor lists alone, and what to give instead, is in the
/// message; every method but the projections reads distances.
#[test]
fn every_method_says_what_it_is_fitted_to() -> Done {
    let points = roll(60, 0)?;
    let lists = NeighborSearch::from(NEAREST).find(points.view())?;
    let mut only_points = Vec::new();
    for method in swissroll::methods() {
        let about = method.about();
        if !about.accepts.contains(&DataKind::Distances) {
            only_points.push(about.name);
        }
        if !about.accepts.contains(&DataKind::Neighbors) {
            let refused = method.fit_dyn(&Input::from(&lists)).map(drop).expect_err("refused").to_string();
            let expected = if about.accepts.contains(&DataKind::Distances) {
                format!("{} reads distances that neighbor lists alone do not hold", about.title)
            } else {
                format!("the input must be points for {}, but is neighbors", about.name)
            };
            assert!(refused.contains(&expected), "{refused}");
        }
    }
    assert_eq!(
        only_points,
        ["pca", "factor-analysis", "fast-ica", "lda", "random-projection", "lpp", "npe", "lltsa"]
    );
    Ok(())
}

#[test]
fn copies_are_found_in_distances_as_in_points() -> Done {
    let mut rows: Vec<Vec<f64>> =
        datasets::generate("swiss-roll", 200, 0)?.points.view().rows().map(<[f64]>::to_vec).collect();
    rows[150] = rows[20].clone();
    rows[3] = rows[77].clone();
    rows[199] = rows[20].clone();
    let points = PointSet::from_rows(&rows)?;
    let values = testkit::cases::distances(points.view(), points.view());
    let given = DistanceMatrix::new(&values, 200)?;
    let isomap = Isomap { neighborhood: NEAREST, components: Components::Bridge, ..Default::default() };
    let of = |input: &Input<'_>| isomap.fit_dyn(input).map(|model| model.report().facts["copies"].clone());
    assert_eq!(of(&Input::from(&points))?, 3);
    assert_eq!(of(&Input::from(given))?, 3);
    Ok(())
}

#[test]
fn texts_that_are_no_numbers_are_told_so() {
    let mut isomap = swissroll::method("isomap").expect("a method");
    for text in ["5.5", "", " 5", "abc"] {
        let error = isomap.set_dyn("k", text).expect_err("no whole number").to_string();
        assert!(error.contains("a whole number") && error.contains(&format!("`{text}`")), "{error}");
    }
    let mut tsne = swissroll::method("tsne").expect("a method");
    let error = tsne.set_dyn("perplexity", "many").expect_err("no number").to_string();
    assert!(error.contains("must be a number, "), "{error}");
}
