//! Graphs in borrowed arrays, the properties of a graph, and algorithms by the sizes of data.

use embedding::{Error, Search};
use neighbor_graph::{
    Graph, GraphView,
    implement::{chosen_search, search_bytes, search_of_new_bytes},
};

type Done = Result<(), Error>;

/// A path of three vertices, and one without edges.
const OFFSETS: [usize; 5] = [0, 1, 3, 4, 4];
const INDICES: [u32; 4] = [1, 0, 2, 1];
const WEIGHTS: [f64; 4] = [2.0, 2.0, 0.5, 0.5];

#[test]
fn a_view_is_the_graph_of_its_arrays() -> Done {
    let view = GraphView::new(&OFFSETS, &INDICES, &WEIGHTS)?;
    let graph = Graph::from_edges(4, &[(0, 1, 2.0), (2, 1, 0.5)])?;
    for view in [view, graph.view()] {
        assert_eq!((view.len(), view.is_empty()), (4, false));
        assert_eq!(
            (view.offsets(), view.indices(), view.weights()),
            (&OFFSETS[..], &INDICES[..], &WEIGHTS[..])
        );
        assert_eq!(view.of(1), (&[0, 2][..], &[2.0, 0.5][..]));
        for source in 0..4 {
            assert_eq!(view.geodesics_from(source), graph.geodesics_from(source));
        }
        assert_eq!(view.geodesics_from(2), [2.5, 0.5, 0.0, f64::INFINITY]);
    }
    let nothing = GraphView::new(&[0], &[], &[])?;
    assert_eq!((nothing.len(), nothing.is_empty()), (0, true));
    Ok(())
}

#[test]
fn arrays_that_are_no_graph_are_refused() {
    let refused = |offsets: &[usize], indices: &[u32], weights: &[f64]| {
        matches!(GraphView::new(offsets, indices, weights), Err(Error::Model { .. }))
    };
    assert!(refused(&[], &[], &[]));
    assert!(refused(&[1, 1, 3, 4, 4], &INDICES, &WEIGHTS), "a first entry of no vertex");
    assert!(refused(&[0, 1, 3, 3, 3], &INDICES, &WEIGHTS), "a last entry of no vertex");
    assert!(refused(&[0, 3, 1, 4, 4], &INDICES, &WEIGHTS), "offsets that descend");
    assert!(refused(&OFFSETS, &INDICES, &WEIGHTS[..3]), "an edge without a weight");
    assert!(refused(&OFFSETS, &[1, 0, 4, 1], &WEIGHTS), "an edge to no vertex");
    for bad in [-0.5, f64::NAN, f64::INFINITY] {
        assert!(refused(&OFFSETS, &INDICES, &[2.0, 2.0, bad, 0.5]), "a weight of {bad}");
    }
    assert!(!refused(&OFFSETS, &INDICES, &[0.0; 4]), "a weight of 0");
}

#[test]
fn a_graph_says_how_long_its_longest_edge_is_and_whether_it_is_connected() -> Done {
    let parts = Graph::from_edges(6, &[(0, 1, 2.0), (2, 1, 0.5), (3, 4, 7.0)])?;
    assert_eq!((parts.len(), parts.edge_count(), parts.is_empty()), (6, 3, false));
    assert_eq!(parts.longest_edge(), 7.0);
    // An offset more than vertices, and an index with a weight for each end of an edge.
    assert_eq!(parts.bytes(), 7 * 8 + 2 * 3 * (4 + 8));
    assert_eq!(parts.require_connected(), Err(Error::Disconnected { components: 3, sizes: vec![3, 2, 1] }));
    let path = Graph::from_edges(3, &[(0, 1, 2.0), (2, 1, 0.5)])?;
    assert_eq!((path.longest_edge(), path.require_connected()), (2.0, Ok(())));
    assert_eq!(Graph::from_edges(2, &[])?.longest_edge(), 0.0);
    Ok(())
}

#[test]
fn automatic_search_is_chosen_by_dimensions_and_points() {
    for (n, dim, search) in [
        (1_000_000, 8, Search::KdTree),
        (100, 9, Search::BruteForce),
        (1_000_000, 39, Search::BruteForce),
        (4_999, 40, Search::BruteForce),
        (5_000, 40, Search::Projected),
    ] {
        assert_eq!(chosen_search(Search::Auto, n, dim), search, "{n} points in {dim} dimensions");
        for chosen in [Search::KdTree, Search::BruteForce, Search::Projected] {
            assert_eq!(chosen_search(chosen, n, dim), chosen);
        }
    }
}

/// A tree has nodes, and the values of the points in order; comparing all pairs takes the values in
/// single precision with three numbers for each point.
#[test]
fn the_memory_of_a_search_grows_by_what_a_further_point_takes() {
    let further = |n: usize, dim: usize| search_bytes(n + 1, dim) - search_bytes(n, dim);
    assert_eq!(further(5000, 3), 24 * 3 + 40);
    assert_eq!(further(5000, 30), 2 * 4 * (30 + 3), "twice while the points are ordered");
    assert_eq!(further(4000, 50), 4 * (50 + 3));
    let new = |n: usize, new: usize, dim: usize| search_of_new_bytes(n, new, dim);
    assert_eq!(new(5000, 8, 3), search_bytes(5000, 3));
    assert_eq!(new(5000, 8, 30) - new(5000, 7, 30), 4 * (30 + 3));
    // Sketches of known points are reordered, sketches of new points are not.
    let of_new = new(9000, 1501, 100) - new(9000, 1500, 100);
    assert_eq!(further(9000, 100), 2 * of_new);
    // For few new points nothing is projected.
    assert_eq!(new(9001, 1499, 100) - new(9000, 1499, 100), 4 * (100 + 3));
    // The memory of threads does not depend on the new points.
    assert!(new(9000, 1500, 100) - 1500 * of_new > search_bytes(9000, 100));
}

/// Of a projected point half of its coordinates, 62 at most, with the length of the rest and a norm; the
/// others, 255 in all at most, with both lengths in registers of 16; and its norm. Twice while points are
/// reordered.
#[test]
fn the_memory_of_projected_points_is_that_of_their_two_bounds() {
    for (dim, first, others) in [(40, 20, 20), (100, 50, 50), (128, 62, 66), (255, 62, 193), (700, 62, 193)] {
        let numbers = first + 2 + (others + 2_u64).next_multiple_of(16) + 1;
        assert_eq!(search_bytes(9001, dim) - search_bytes(9000, dim), 2 * 4 * numbers, "{dim} columns");
    }
}

/// The memory is proportional to the threads, and to the points up to a block of 1024; some megabytes.
#[test]
fn every_thread_of_a_search_has_its_memory() {
    let on = |threads: usize, n: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| search_of_new_bytes(n, 0, 20) - search_bytes(n, 20))
    };
    let whole = on(1, 5000);
    assert!((1_000_000..10_000_000).contains(&whole), "{whole}");
    assert_eq!([on(1, 1024), on(3, 5000), on(3, 1024)], [whole, 3 * whole, 3 * whole]);
    assert_eq!([on(1, 512), on(2, 256)], [whole / 2, whole / 2]);
    assert_eq!(search_of_new_bytes(5000, 0, 3), search_bytes(5000, 3), "a tree takes none");
}
