//! Copies and components of methods: the results for all rows from models of distinct points and of
//! parts.

use std::sync::Mutex;

use embedding::implement::{Fact, Scale, Validate};
use embedding::{
    About, DataKind, DistanceMatrix, Embedding, Error, Explanation, Fitted, Input, LinearMap, MemoryLimit,
    Method, Metric, Model, Observer, PerPoint, PointSet, Points, Recipe, Rows, SparsePointSet, TrainingRows,
    Transform,
};
use faer::Mat;
use neighbor_graph::{
    ComponentFits, Components, Deduplicated, Duplicates, Manifold, NeighborSearch, Neighborhood,
    graph_method,
    implement::{GraphMethod, fit_deduplicated, search_bytes, search_threads_bytes},
    unrelated_rows,
};
use serde::{Deserialize, Serialize};
use testkit::{json, refuses_damage};

type Done = Result<(), Error>;

/// The map x ↦ 2 x of all columns. For distances it maps the distances to the first point.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Doubled {
    embedding: Embedding,
    columns: usize,
}

impl Doubled {
    fn of(points: Option<Points<'_>>, distances: Option<DistanceMatrix<'_>>) -> Self {
        match (points, distances) {
            (Some(points), _) => Self { embedding: twice(points), columns: points.dim() },
            (None, Some(given)) => {
                let values = (0..given.len()).map(|i| 2.0 * given.get(i, 0)).collect();
                Self { embedding: Embedding::from_rows(values, 1), columns: given.len() }
            }
            (None, None) => unreachable!("points or distances were given"),
        }
    }
}

fn twice(points: Points<'_>) -> Embedding {
    Embedding::from_rows(points.values().iter().map(|v| 2.0 * v).collect(), points.dim())
}

impl Validate for Doubled {
    fn validate(&self) -> Result<(), Error> {
        self.embedding.validate()
    }
}

impl Model for Doubled {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

impl Transform for Doubled {
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        rows.place_dense(known, |new, _| {
            new.check_columns(self.columns)?;
            let all = twice(new);
            let values = all.rows().flat_map(|row| row[..self.embedding.dim()].to_vec()).collect();
            Ok(Embedding::from_rows(values, self.embedding.dim()))
        })
    }

    fn invert(&self, places: Points<'_>) -> Result<Option<Embedding>, Error> {
        let values = places.values().iter().map(|v| 0.5 * v).collect();
        Ok(Some(Embedding::from_rows(values, places.dim())))
    }

    fn linear_map(&self) -> Option<LinearMap> {
        let directions = Mat::from_fn(self.columns, self.columns, |i, j| if i == j { 2.0 } else { 0.0 });
        Some(LinearMap { origin: vec![0.0; self.columns], directions, loadings: None })
    }
}

impl Fitted for Doubled {
    fn facts() -> Vec<Fact<Self>> {
        Vec::new()
    }

    fn multiplied(self, scale: Scale) -> Result<Self, Error> {
        Ok(Self { embedding: self.embedding.multiplied(scale)?, ..self })
    }

    fn per_point(&self) -> Vec<PerPoint> {
        let values = self.embedding.rows().map(|row| row[0]).collect();
        vec![PerPoint { title: "the first coordinate".to_owned(), values }]
    }
}

const ABOUT: About = About {
    name: "doubling",
    title: "Doubling",
    summary: "Doubles.",
    preserves: "everything",
    cost: "time n D",
    new_points: "the same map",
    accepts: &[DataKind::Points, DataKind::Distances, DataKind::Neighbors],
    needs_labels: false,
    least_points: 1,
    explanation: Explanation::new(
        "**Idea.** Double.\n\n**Definition.** Twice.\n\n**Steps.**\n\n1. Double.\n\n**When it fails.** \
         Never.\n\n**Reference.** None.",
    ),
};

/// All points at once.
#[derive(Clone, Debug, Serialize, Deserialize, Recipe)]
struct Doubling;

impl Method for Doubling {
    type Fitted = Deduplicated<Doubled>;

    const ABOUT: About = ABOUT;

    fn fit_input(&self, input: &Input<'_>) -> Result<Deduplicated<Doubled>, Error> {
        fit_deduplicated(self, Duplicates::Merge, input, |input, _| {
            let dense = input.sparse_points().map(|points| points.dense(input.memory_limit())).transpose()?;
            let points = dense.as_ref().map(PointSet::view).or(input.points());
            let observer = input.observer();
            observer.stage("doubling");
            let further = observer.further_eigenvalues();
            observer.spectrum(&vec![1.0; further]);
            Ok(Doubled::of(points, input.distances()))
        })
    }
}

/// One part of a graph at a time.
#[derive(Clone, Debug, Serialize, Deserialize, Recipe)]
struct ByParts {
    /// The rule that selects neighbors.
    #[param(flatten, default = Neighborhood::Nearest { k: 2 })]
    neighborhood: Neighborhood,
    /// What to do with a disconnected neighbor graph.
    components: Components,
    /// What to do with rows that are exact copies of others.
    duplicates: Duplicates,
}

impl GraphMethod for ByParts {
    type Model = Doubled;

    const ABOUT: About = ABOUT;

    fn fit_manifold(&self, manifold: Manifold<'_>) -> Result<Doubled, Error> {
        let dense =
            manifold.data.sparse_points().map(|points| points.dense(manifold.memory_limit)).transpose()?;
        let points = dense.as_ref().map(PointSet::view).or(manifold.data.points());
        assert_eq!(points.map(|points| points.len()), Some(manifold.len()));
        Ok(Doubled::of(points, None))
    }
}

graph_method!(ByParts);

fn by_parts(components: Components) -> ByParts {
    ByParts { components, ..ByParts::default() }
}

/// Five points; the second and the fourth occur twice.
fn copied() -> Result<PointSet, Error> {
    PointSet::from_rows(&[
        [1.0, 0.0],
        [3.0, 1.0],
        [3.0, 1.0],
        [7.0, 2.0],
        [-4.0, 5.0],
        [-4.0, 5.0],
        [0.0, 9.0],
    ])
}

#[test]
fn a_model_of_distinct_points_inverts_and_has_its_map_and_values_of_all_rows() -> Done {
    let points = copied()?;
    let fitted = Doubling.fit(&points)?;
    assert_eq!((fitted.copies(), fitted.model().embedding().len()), (2, 5));
    let all = twice(points.view());
    assert_eq!(fitted.embedding().values(), all.values());
    let places = PointSet::new(all.values().to_vec(), 2)?;
    let back = fitted.invert(places.view())?.expect("the model is a linear map");
    assert_eq!(back.values(), points.view().values());
    let map = fitted.linear_map().expect("the model is a linear map");
    assert_eq!((map.origin, map.directions[(0, 0)], map.directions[(1, 0)]), (vec![0.0; 2], 2.0, 0.0));
    let values = fitted.per_point();
    assert_eq!((values.len(), values[0].title.as_str()), (1, "the first coordinate"));
    assert_eq!(values[0].values, [2.0, 6.0, 6.0, 14.0, -8.0, -8.0, 0.0]);
    Ok(())
}

/// Requests further eigenvalues, and records the stages and the eigenvalues.
#[derive(Default)]
struct Listener(Mutex<(Vec<&'static str>, Vec<f64>)>);

impl Observer for Listener {
    fn stage(&self, name: &'static str) {
        self.0.lock().expect("no panic").0.push(name);
    }

    fn further_eigenvalues(&self) -> usize {
        3
    }

    fn spectrum(&self, values: &[f64]) {
        self.0.lock().expect("no panic").1.extend_from_slice(values);
    }
}

#[test]
fn the_observer_of_a_fit_with_copies_hears_its_stages_and_eigenvalues() -> Done {
    let (points, listener) = (copied()?, Listener::default());
    Doubling.fit(Input::from(&points).with_observer(&listener))?;
    assert_eq!(listener.0.into_inner().expect("no panic"), (vec!["doubling"], vec![1.0; 3]));
    Ok(())
}

#[test]
fn copies_have_their_places_at_every_scale() -> Done {
    let factor = 2f64.powi(900);
    let far = PointSet::new(copied()?.view().values().iter().map(|v| v * factor).collect(), 2)?;
    let fitted = Doubling.fit(&far)?;
    assert_eq!(fitted.copies(), 2);
    assert_eq!(fitted.embedding().values(), twice(far.view()).values());
    fitted.validate()
}

/// New points have a column for each of the data, unless distances were given alone.
#[test]
fn new_points_of_a_model_with_copies_have_the_columns_of_the_data() -> Done {
    let points = copied()?;
    let sparse = SparsePointSet::of(points.view())?;
    let new = PointSet::from_rows(&[[0.5, 0.25], [3.0, 1.0]])?;
    let of_sparse = Doubling.fit(sparse.view())?;
    assert_eq!(of_sparse.copies(), 2);
    assert_eq!(of_sparse.transform(new.view())?.values(), [1.0, 0.5, 6.0, 2.0]);
    let rows = SparsePointSet::of(new.view())?;
    let placed = of_sparse.place(Rows::Sparse(rows.view()), TrainingRows::Stored)?;
    assert_eq!(placed.values(), [1.0, 0.5, 6.0, 2.0]);
    let values = testkit::cases::distances(points.view(), points.view());
    let given = DistanceMatrix::new(&values, 7)?;
    let of_distances = Doubling.fit(given)?;
    let rows = PointSet::new((0..14).map(f64::from).collect(), 7)?;
    assert_eq!(of_distances.transform(rows.view())?.values(), [0.0, 14.0]);
    assert!(matches!(of_distances.transform(new.view()), Err(Error::Shape { .. })));
    Ok(())
}

/// A part of five points, one of them twice, and a part of three points.
fn two_parts() -> Result<PointSet, Error> {
    let line = [0.0, 100.0, 1.0, 2.0, 101.0, 1.0, 3.0, 102.0, 4.0];
    PointSet::new(line.to_vec(), 1)
}

#[test]
fn the_largest_part_has_the_rows_of_its_copies() -> Done {
    let points = two_parts()?;
    let fitted = by_parts(Components::Largest).fit(&points)?;
    assert_eq!(fitted.embedding().placed_rows(), Some(&[0, 2, 3, 5, 6, 8][..]));
    assert_eq!(fitted.embedding().values(), [0.0, 2.0, 4.0, 2.0, 6.0, 8.0]);
    assert_eq!((fitted.copies(), &fitted.components()[0].rows[..]), (1, &[0, 2, 3, 6, 8][..]));
    assert_eq!(fitted.per_point()[0].values, [0.0, 2.0, 4.0, 2.0, 6.0, 8.0]);
    let notes = fitted.notes();
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(
        notes[0].contains("6 of 9 points were placed") && notes[1].contains("1 row is a copy"),
        "{notes:?}"
    );
    // All rows of all parts: none is left out.
    let all = by_parts(Components::PerComponent).fit(&points)?;
    assert_eq!((all.embedding().placed_rows(), all.embedding().len(), all.components().len()), (None, 9, 2));
    assert!(all.per_point().is_empty(), "each part has values of its own");
    let notes = all.notes();
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(notes[0].contains("1 row is a copy") && notes[1].contains("2 components"), "{notes:?}");
    let whole = by_parts(Components::Reject).fit(copied()?.view())?;
    assert_eq!(whole.notes().len(), 1, "of the copies alone: {:?}", whole.notes());
    assert_eq!(whole.per_point()[0].values, [2.0, 6.0, 6.0, 14.0, -8.0, -8.0, 0.0]);
    Ok(())
}

#[test]
fn parts_of_sparse_points_are_sparse() -> Done {
    let rows: Vec<f64> = two_parts()?.view().values().iter().flat_map(|v| [v + 1.0, 0.0, 1.0]).collect();
    let points = PointSet::new(rows, 3)?;
    let sparse = SparsePointSet::of(points.view())?;
    for components in [Components::Largest, Components::PerComponent] {
        let dense = by_parts(components).fit(&points)?;
        let fitted = by_parts(components).fit(sparse.view())?;
        assert_eq!(fitted.embedding(), dense.embedding());
    }
    Ok(())
}

/// Rows and copies of a saved model that do not agree with its pieces.
#[test]
fn damaged_rows_and_copies_of_pieces_are_refused() -> Done {
    let points = two_parts()?;
    let fitted: ComponentFits<Doubled> = by_parts(Components::Largest).fit(&points)?;
    let damages = [
        ("/copies", json!([0, 1, 2, 1, 3])),
        ("/copies", json!([0, 1, 2, 1, 3, 5])),
        ("/copies/3", json!(5)),
        ("/copies/3", json!(2)),
        ("/pieces/0/rows/1", json!(1)),
        ("/pieces/0/rows/4", json!(9)),
        ("/total", json!(8)),
        ("/pieces/0/shift/0", json!(1.0)),
    ];
    refuses_damage(&fitted, &damages);
    let all: ComponentFits<Doubled> = by_parts(Components::PerComponent).fit(&points)?;
    let damages = [
        ("/pieces/0/rows/1", json!(1)),
        ("/pieces/1/rows/2", json!(9)),
        ("/total", json!(10)),
        ("/training", json!([])),
    ];
    refuses_damage(&all, &damages);
    Ok(())
}

/// The memory is the workspace of the search and its lists, which are concatenated from parts, or the
/// lists and the points that models copy, whichever is more, and the memory of its threads. Models copy
/// the points of a slice and share the points of a set. An index and a distance are 12 bytes.
#[test]
fn the_memory_of_a_search_before_a_fit_is_that_of_its_lists_and_points() -> Done {
    for (n, dim) in [(50, 3), (60, 20), (1200, 40)] {
        let values: Vec<f64> = (0..n * dim).map(|at| ((at * at) as f64 * 0.37).sin()).collect();
        let set = PointSet::new(values.clone(), dim)?;
        let (search, lists) = (search_bytes(n, dim), 12 * 2 * n as u64);
        let threads = search_threads_bytes(n, dim);
        for (points, copied) in [(Points::new(&values, dim)?, 8 * (n * dim) as u64), (set.view(), 0)] {
            let input = Input::from(points).with_memory_limit(MemoryLimit::new(1));
            let Err(Error::Memory { needed, .. }) = by_parts(Components::Bridge).fit(input) else {
                panic!("a byte is enough for {n} points");
            };
            let expected = (search + 2 * lists).max(copied + lists) + threads;
            assert_eq!(needed, expected, "{n} points of {dim} columns, {copied} bytes copied");
        }
    }
    Ok(())
}

/// Counts of words in six documents: the third has no word, and no other has the word of the fifth. The last
/// is a copy of the first.
fn documents() -> Result<PointSet, Error> {
    PointSet::from_rows(&[
        [1.0, 2.0, 0.0, 0.0],
        [2.0, 1.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, 0.0],
        [1.0, 1.0, 3.0, 0.0],
        [0.0, 0.0, 0.0, 2.0],
        [1.0, 2.0, 0.0, 0.0],
    ])
}

#[test]
fn documents_that_are_related_to_no_other_are_left_out_by_policy() -> Done {
    let points = documents()?;
    let sparse = SparsePointSet::of(points.view())?;
    let related = [0, 1, 3, 5];
    let expected = twice(points.view().select(&related).view());
    for metric in [Metric::Cosine, Metric::Hellinger] {
        let refused = by_parts(Components::Reject).fit(Input::from(&points).with_metric(metric)).map(drop);
        assert!(refused.is_err_and(|error| error.to_string().contains("row 2")), "{metric}");
        for policy in [Components::Largest, Components::PerComponent] {
            for input in [Input::from(&points), Input::from(sparse.view())] {
                let fitted = by_parts(policy).fit(input.with_metric(metric))?;
                assert_eq!(fitted.embedding().placed_rows(), Some(&related[..]), "{metric} {policy:?}");
                assert_eq!(fitted.embedding().values(), expected.values());
                assert_eq!((fitted.copies(), &fitted.components()[0].rows[..]), (1, &[0, 1, 3][..]));
                assert!(fitted.notes()[0].contains("4 of 6 points were placed"), "{:?}", fitted.notes());
                fitted.validate()?;
            }
        }
    }
    Ok(())
}

/// Without the empty document, whose distance to every other is 1 by Jaccard, too.
#[test]
fn a_document_without_a_common_word_is_placed_or_left_out_by_policy() -> Done {
    let points = documents()?.view().select(&[0, 1, 3, 4]);
    let input = Input::from(&points).with_metric(Metric::Jaccard);
    let neighbors = NeighborSearch::nearest(2).find(input)?;
    assert_eq!(unrelated_rows(&neighbors, Metric::Jaccard, 4), [3]);
    assert!(unrelated_rows(&neighbors, Metric::Manhattan, 4).is_empty());
    for policy in [Components::Reject, Components::Bridge] {
        assert_eq!(by_parts(policy).fit(input)?.embedding().placed_rows(), None, "{policy:?}");
    }
    for policy in [Components::Largest, Components::PerComponent] {
        for input in [input, input.with_neighbors(&neighbors)] {
            let fitted = by_parts(policy).fit(input)?;
            assert_eq!(fitted.embedding().placed_rows(), Some(&[0, 1, 2][..]), "{policy:?}");
        }
    }
    // Nothing is left out where every row is related to another, and nothing can be kept where none is.
    let three = points.view().select(&[0, 1, 2]);
    let whole = by_parts(Components::Largest).fit(Input::from(&three).with_metric(Metric::Jaccard))?;
    assert_eq!(whole.embedding().placed_rows(), None);
    let apart = PointSet::from_rows(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])?;
    let refused = by_parts(Components::PerComponent).fit(Input::from(&apart).with_metric(Metric::Jaccard));
    assert!(matches!(refused.map(drop), Err(Error::Disconnected { components: 3, .. })));
    Ok(())
}
