//! Predicted memory of a factorization against the memory the process takes. The only
//! test of this executable, so that no other test is measured.

mod common;

use embedding::{MemoryLimit, Silent};
use spectral::{Smallest, Solver, Sparse, Tolerance};

use common::*;

/// Returns the Laplacian of a cube of side³ points.
fn cube(side: u32) -> Sparse {
    let at = |i, j, k| (i * side + j) * side + k;
    let mut edges = Vec::new();
    for i in 0..side {
        for j in 0..side {
            for k in 0..side {
                let here = (at(i, j, k), 1.0);
                edges.extend((i > 0).then(|| vec![(at(i - 1, j, k), -1.0), here]));
                edges.extend((j > 0).then(|| vec![(at(i, j - 1, k), -1.0), here]));
                edges.extend((k > 0).then(|| vec![(at(i, j, k - 1), -1.0), here]));
            }
        }
    }
    Sparse::from_rows(side.pow(3) as usize, edges).expect("points are below the last").gram()
}

/// Reads a line of the process status, in bytes, on systems that provide it.
fn account(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(name))?;
    Some(1024 * line.split_whitespace().nth(1)?.parse::<u64>().ok()?)
}

#[test]
fn a_factorization_takes_the_memory_predicted() -> Result<(), embedding::Error> {
    let matrix = cube(38);
    let n = matrix.nrows();
    let null = constant(n);
    let factor = spectral::memory::factor_bytes(&matrix)?;
    let Some(before) = account("VmRSS") else { return Ok(()) };
    let problem = Smallest {
        matrix: &matrix,
        factor: None,
        null: &null,
        count: 1,
        tolerance: Tolerance::default(),
        memory_limit: MemoryLimit::UNLIMITED,
    };
    // With more threads the allocator retains more freed memory.
    let two = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
    let pairs = two.install(|| spectral::smallest(problem, &Silent))?;
    assert_eq!(pairs.solver, Solver::ShiftInvert);
    let taken = account("VmHWM").expect("the status has both lines").saturating_sub(before) as f64;
    // In addition to the factor: the basis of the iteration, its image, and six blocks of
    // three vectors.
    let asked = factor as f64 + (8 * n * (2 * 16 + 6 * 3)) as f64;
    assert!((taken / asked - 1.0).abs() < 0.25, "predicted {asked:e} bytes, took {taken:e}");
    Ok(())
}
