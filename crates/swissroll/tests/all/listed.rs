//! New points by their neighbor lists, in models of neighbor lists.

use swissroll::embedding::{
    DynMethod, DynModel, Embedding, Error, Input, NewNeighbors, Points, TrainingRows,
};
use swissroll::neighbor_graph::{Components, NeighborIndex, NeighborSearch, Neighborhood};
use swissroll::prelude::PointSet;

use crate::inputs::{graph_methods, roll, tsne, two_rolls};
use crate::starts::with;

type Done = Result<(), Error>;

const NEAREST: Neighborhood = Neighborhood::Nearest { k: 8 };

/// Most neighbors of a new point that any of the methods reads.
const ENOUGH: usize = 60;

/// The `k` nearest training points of each new point.
fn lists(new: Points<'_>, training: &PointSet, k: usize) -> Result<NewNeighbors, Error> {
    NewNeighbors::new(NeighborIndex::new(training.view(), NEAREST).nearest(new, k)?, training.len())
}

fn layouts() -> Result<[Box<dyn DynMethod>; 3], Error> {
    Ok([tsne(), with("umap", &[("epochs", "60")])?, with("densmap", &[("epochs", "60")])?])
}

/// New points, two of them training points.
fn new_points(training: &PointSet, new: PointSet) -> Result<PointSet, Error> {
    let known = training.view().select(&[5, 12]);
    PointSet::new([new.into_values(), known.into_values()].concat(), training.dim())
}

fn close(by_lists: &Embedding, by_points: &Embedding, name: &str) {
    let extent = by_points.values().iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    let gaps = by_lists.values().iter().zip(by_points.values()).map(|(a, b)| (a - b).abs());
    let gap = gaps.fold(0.0, f64::max);
    assert!(by_lists.len() == by_points.len() && gap <= 1e-12 * extent, "{name}: {gap:e} of {extent}");
}

/// Fits lists with and without the points; both models place equal rows alike, also after they are stored.
fn lists_equal_points(method: &dyn DynMethod, points: &PointSet, new: &PointSet, k: usize) -> Done {
    let name = method.about().name;
    let rule = method.neighborhood_dyn(points.len()).expect("a method of lists");
    let found = NeighborSearch::from(rule).find(points.view())?;
    let by_lists = method.fit_dyn(&Input::from(&found))?;
    let by_points = method.fit_dyn(&Input::from(points).with_neighbors(&found))?;
    assert_eq!(by_lists.embedding(), by_points.embedding(), "{name}");
    assert_eq!((by_lists.lists_among(), by_points.lists_among()), (Some(points.len()), None), "{name}");
    let near = lists(new.view(), points, k)?;
    for known in [TrainingRows::Stored, TrainingRows::Extended] {
        let placed = by_lists.place_listed(&near, known)?;
        close(&placed, &by_points.place(new.view().into(), known)?, name);
        let (_, loaded) = swissroll::load(&by_lists.save()?)?;
        assert_eq!(loaded.place_listed(&near, known)?, placed, "{name}");
    }
    Ok(())
}

#[test]
fn new_points_are_placed_by_lists_as_by_coordinates() -> Done {
    let points = roll(170, 0)?;
    let new = new_points(&points, roll(20, 1)?)?;
    for method in graph_methods(NEAREST, Components::Reject).into_iter().chain(layouts()?) {
        lists_equal_points(&*method, &points, &new, ENOUGH)?;
    }
    // Lists within a radius hold all points, so that they hold the points within it.
    for method in graph_methods(Neighborhood::Within { radius: 9.0 }, Components::Reject) {
        lists_equal_points(&*method, &points, &new, points.len())?;
    }
    Ok(())
}

/// A point belongs to the component of its nearest neighbor that has a place; its neighbors elsewhere do not
/// count.
#[test]
fn new_points_of_lists_belong_to_a_component() -> Done {
    let points = two_rolls()?;
    let shifted: Vec<f64> =
        points.view().select(&[3, 12, 100, 15]).into_values().iter().map(|v| v + 0.01).collect();
    let new = new_points(&points, PointSet::new(shifted, 3)?)?;
    for components in [Components::Largest, Components::PerComponent] {
        for method in graph_methods(NEAREST, components) {
            lists_equal_points(&*method, &points, &new, points.len())?;
        }
    }
    // Six neighbors are all in the component that was left out.
    let method = &graph_methods(NEAREST, Components::Largest)[0];
    let found = NeighborSearch::from(NEAREST).find(points.view())?;
    let model = method.fit_dyn(&Input::from(&found))?;
    let refused = model.place_listed(&lists(new.view(), &points, 6)?, TrainingRows::Stored);
    let refused = refused.map(|_| ()).expect_err("no place").to_string();
    assert!(refused.contains("no neighbor of new point 1 is a training point that has a place"), "{refused}");
    Ok(())
}

/// What cannot be placed by lists is refused with a sentence; lists may be shorter than in the fit.
#[test]
fn lists_that_cannot_be_placed_are_refused() -> Done {
    let (points, new) = (roll(170, 0)?, roll(4, 1)?);
    let near = lists(new.view(), &points, ENOUGH)?;
    let refused = |model: &dyn DynModel, near: &NewNeighbors, known: TrainingRows<'_>, words: &str| {
        let message = model.place_listed(near, known).map(|_| ()).expect_err(words).to_string();
        assert!(message.contains(words), "{message}");
    };
    for method in swissroll::methods() {
        let labels: Vec<u32> = (0..170).map(|row| row % 3).collect();
        let method =
            if method.start_scale().is_some() { crate::starts::short(method.about().name)? } else { method };
        let model = method.fit_dyn(&Input::from(&points).with_labels(&labels))?;
        assert_eq!(model.lists_among(), None, "{}", method.about().name);
        refused(&*model, &near, TrainingRows::Stored, "neighbor lists");
    }
    let found = NeighborSearch::nearest(45).find(points.view())?;
    let model = tsne().fit_dyn(&Input::from(&found))?;
    let few = lists(new.view(), &points, 4)?;
    refused(&*model, &few, TrainingRows::Stored, "new point 0 has 4 neighbors, fewer than the perplexity 5");
    let out = TrainingRows::LeftOut(&[None; 4]);
    refused(&*model, &near, out, "without a training row");
    let other = NewNeighbors::new(near.lists().to_vec(), 171)?;
    refused(&*model, &other, TrainingRows::Stored, "must be 170, as in the fit, but is 171");
    let model = with("umap", &[("epochs", "20")])?.fit_dyn(&Input::from(&found))?;
    let fewer = model.place_listed(&few, TrainingRows::Stored)?;
    assert!(fewer != model.place_listed(&near, TrainingRows::Stored)?);
    Ok(())
}
