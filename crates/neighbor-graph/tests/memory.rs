//! Memory of a search in single precision. The only test of this executable, so that no
//! other test is measured.

use embedding::{Error, Points};
use neighbor_graph::NeighborSearch;
use testkit::memory;

#[test]
fn points_in_single_precision_are_never_widened_as_a_whole() -> Result<(), Error> {
    // Eight curves in 784 dimensions: the leading directions contain all of their variance.
    let (n, dim) = (12_000, 784);
    let wave = |i: usize, c: usize| ((i % 8 * 31 + c * 7) as f32).sin() * (i as f32 / n as f32);
    let values: Vec<f32> = (0..n * dim).map(|at| wave(at / dim, at % dim)).collect();
    let points = Points::new(&values, dim)?;
    let two = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
    let Some(before) = memory::process_memory("VmRSS") else { return Ok(()) };
    let found = two.install(|| NeighborSearch::nearest(10).find(points))?;
    let taken = memory::process_memory("VmHWM").expect("the status has both lines").saturating_sub(before);
    assert_eq!(found.len(), n);
    let whole = 8 * (n * dim) as u64;
    assert!(taken < whole, "the search took {taken} bytes, a widened copy takes {whole}");
    Ok(())
}
