//! The memory of a fit is known for more points than the data have.

use swissroll::datasets;
use swissroll::embedding::{DynMethod, MemoryLimit};
use swissroll::prelude::{Error, Input, PointSet};

/// Columns that layouts replace by principal components.
const COLUMNS: usize = 120;

/// A limit that every layout exceeds.
const NONE: MemoryLimit = MemoryLimit::new(1);

/// Rows of forty points of a Swiss roll each.
fn points(n: usize) -> PointSet {
    let roll = datasets::generate("swiss-roll", n * COLUMNS / 3, 3).expect("a data set");
    PointSet::new(roll.points.into_values(), COLUMNS).expect("finite points")
}

/// The bytes that a refusal says are needed.
fn needed<T>(refused: Result<T, Error>) -> u64 {
    match refused.map(drop) {
        Err(Error::Memory { needed, .. }) => needed,
        other => panic!("no refusal: {other:?}"),
    }
}

/// A fit of 900 points refuses a limit with the same number as the estimate from 300 points.
#[test]
fn a_part_of_the_points_shows_the_memory_of_a_layout_of_all() {
    let (part, all) = (points(300), points(900));
    let (part, all) = (Input::from(&part).with_memory_limit(NONE), Input::from(&all).with_memory_limit(NONE));
    for name in ["tsne", "umap", "densmap", "pacmap", "localmap", "trimap"] {
        let method: Box<dyn DynMethod> = swissroll::method(name).expect("a method").settled_dyn(900);
        let of_all = needed(method.fit_dyn(&all));
        assert_eq!(needed(method.check_memory_dyn(&part, 900)), of_all, "{name}");
        assert!(needed(method.check_memory_dyn(&part, 300)) < of_all, "{name}");
    }
}
