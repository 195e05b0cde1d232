//! Copies of rows in the methods whose policy keeps them by default: merged, the distinct points
//! are embedded, with whatever else is given for all rows.

use std::ops::ControlFlow;
use std::sync::Mutex;

use swissroll::embedding::{Iteration, Observer, SparsePointSet};
use swissroll::pacmap::{self, Pacmap};
use swissroll::prelude::{Duplicates, DynMethod, Embedding, Error, Input, Method, Model, PointSet};
use swissroll::trimap::{self, Trimap};
use swissroll::tsne::{self, Tsne};
use swissroll::umap::{self, Target, Umap};
use testkit::cases::cloud;

const LAYOUTS: [&str; 6] = ["tsne", "umap", "densmap", "pacmap", "localmap", "trimap"];

/// The rows of 60 points in order; three points have copies.
fn rows() -> Vec<u32> {
    (0..40).chain([3, 3, 5]).chain(40..60).chain([50]).collect()
}

fn merging(name: &str) -> Result<Box<dyn DynMethod>, Error> {
    let mut method = swissroll::method(name).expect("a method of this name");
    method.set_dyn("duplicates", "merge")?;
    if name == "tsne" {
        method.set_dyn("perplexity", "8")?;
    }
    for parameter in ["iterations", "epochs", "third-iterations"] {
        if method.parameters().iter().any(|known| known.name == parameter) {
            method.set_dyn(parameter, "50")?;
        }
    }
    Ok(method)
}

/// The map of distinct points for all rows.
fn spread(of: &Embedding) -> Vec<f64> {
    rows().iter().flat_map(|&row| of.row(row as usize)).copied().collect()
}

/// Numbers of rows of the coordinates that an iteration shows.
#[derive(Default)]
struct Frames(Mutex<Vec<usize>>);

impl Observer for Frames {
    fn iteration(&self, iteration: &Iteration<'_>) -> ControlFlow<()> {
        self.0.lock().expect("no panic").push(iteration.coordinates.nrows());
        ControlFlow::Continue(())
    }
}

#[test]
fn iterations_of_merged_copies_show_all_rows() -> Result<(), Error> {
    let points = cloud(60, 4, 1).select(&rows());
    for name in LAYOUTS {
        let frames = Frames::default();
        let fitted = merging(name)?.fit_dyn(&Input::from(points.view()).with_observer(&frames))?;
        let shown = frames.0.into_inner().expect("no panic");
        assert!(shown.len() > 40 && shown.iter().all(|n| *n == 64), "{name}: {shown:?}");
        assert_eq!((fitted.embedding().len(), &fitted.report().facts["copies"]), (64, &4.into()), "{name}");
    }
    Ok(())
}

/// By default they are points of their own.
#[test]
fn layouts_keep_copies_by_default() -> Result<(), Error> {
    for name in LAYOUTS {
        let parameters = swissroll::method(name).expect("a method of this name").parameters();
        let policy = parameters.iter().find(|parameter| parameter.name == "duplicates").expect(name);
        assert_eq!(policy.value, "keep", "{name}");
    }
    Ok(())
}

#[test]
fn sparse_copies_are_merged() -> Result<(), Error> {
    let alone = cloud(60, 4, 1);
    // No value is zero.
    let sparse = |case: &testkit::cases::Case| {
        let n = case.len();
        let columns = (0..n).flat_map(|_| 0..4).collect();
        SparsePointSet::new((0..=n).map(|i| 4 * i).collect(), columns, case.view().values().to_vec(), 4)
    };
    let (one, all) = (sparse(&alone)?, sparse(&alone.select(&rows()))?);
    for name in ["tsne", "umap", "densmap"] {
        let method = merging(name)?;
        let [one, all] = [&one, &all].map(|points| method.fit_dyn(&points.view().into()));
        let (one, all) = (one?, all?);
        assert_eq!(all.embedding().values(), spread(one.embedding()), "{name}");
    }
    Ok(())
}

/// The class of a point is the class of its copies, and unknown where copies have different classes.
#[test]
fn copies_of_different_classes_have_an_unknown_one() -> Result<(), Error> {
    let alone = cloud(60, 4, 1);
    let points = alone.select(&rows());
    let method = Umap {
        duplicates: Duplicates::Merge,
        target: Target::Used { weight: 0.5 },
        epochs: Some(50),
        ..Umap::default()
    };
    let mut classes: Vec<Option<u32>> = (0..60).map(|i| Some(i % 3)).collect();
    let mut given: Vec<Option<u32>> = rows().iter().map(|&row| classes[row as usize]).collect();
    // A copy of point 3 of another class, and one of point 5 whose class is unknown.
    given[41] = Some(1);
    given[42] = None;
    classes[3] = None;
    let fitted = method.fit(Input::from(points.view()).with_partial_labels(&given))?;
    let expected = method.fit(Input::from(alone.view()).with_partial_labels(&classes))?;
    assert_eq!(fitted.embedding().values(), spread(expected.embedding()));
    classes[3] = Some(0);
    let other = method.fit(Input::from(alone.view()).with_partial_labels(&classes))?;
    assert!(fitted.embedding().values() != spread(other.embedding()), "the class counts");
    Ok(())
}

/// Checks that a start for all rows acts as the start of the distinct points, and that a start with
/// another number of rows is refused; `fit` fits the points from a start.
fn reads_a_start<M: Model>(
    name: &str,
    fit: impl Fn(&PointSet, PointSet) -> Result<M, Error>,
) -> Result<(), Error> {
    let owned = |case: &testkit::cases::Case| case.view().to_owned();
    let (alone, start) = (cloud(60, 4, 1), cloud(60, 2, 2));
    let (points, whole) = (alone.select(&rows()), start.select(&rows()));
    let expected = fit(&owned(&alone), owned(&start))?;
    let fitted = fit(&owned(&points), owned(&whole))?;
    assert_eq!(fitted.embedding().values(), spread(expected.embedding()), "{name}");
    let refused = fit(&owned(&points), owned(&start)).map(|_| ()).expect_err(name);
    assert!(refused.to_string().contains("64 rows, one per point"), "{name}: {refused}");
    Ok(())
}

#[test]
fn a_given_start_has_a_row_per_point() -> Result<(), Error> {
    let duplicates = Duplicates::Merge;
    reads_a_start("tsne", |points, start| {
        let start = tsne::Start::Given(start);
        Tsne { perplexity: 8.0, duplicates, start, ..Tsne::default() }.fit(points)
    })?;
    reads_a_start("umap", |points, start| {
        let start = umap::Start::Given(start);
        Umap { epochs: Some(50), duplicates, start, ..Umap::default() }.fit(points)
    })?;
    reads_a_start("pacmap", |points, start| {
        let start = pacmap::Start::Given(start);
        Pacmap { duplicates, start, ..Pacmap::default() }.fit(points)
    })?;
    reads_a_start("trimap", |points, start| {
        let start = trimap::Start::Given(start);
        Trimap { duplicates, start, ..Trimap::default() }.fit(points)
    })
}
