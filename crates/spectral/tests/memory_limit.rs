//! Selection and refusal of algorithms by memory limits.

mod common;

use common::*;

use embedding::{Error, MemoryLimit, Silent};
use spectral::{Smallest, Solver, Sparse};

type Done = Result<(), Error>;

/// The default of a program follows the free memory; results must not.
#[test]
fn a_limit_of_free_memory_may_refuse_and_changes_no_result() -> Done {
    let (matrix, null) = (grid(40, 41), constant(1640));
    let factor = spectral::memory::solving_bytes(&problem(&matrix, &null, 4))?;
    let solve =
        |memory_limit| spectral::smallest(Smallest { memory_limit, ..problem(&matrix, &null, 4) }, &Silent);
    let all = solve(MemoryLimit::default())?;
    for bytes in [factor, 2 * factor, u64::MAX] {
        let free = solve(MemoryLimit::free(bytes))?;
        assert_eq!((free.solver, all_of(&free)), (all.solver, all_of(&all)), "{bytes}");
    }
    let refused = solve(MemoryLimit::free(factor - 1));
    assert!(
        matches!(refused, Err(Error::Memory { needed, advice, .. })
            if needed == factor && advice.contains("explicit memory limit")),
        "{refused:?}"
    );
    assert_ne!(solve(MemoryLimit::new(factor - 1))?.solver, all.solver);
    Ok(())
}

#[test]
fn an_explicit_limit_is_not_advised_to_be_explicit() {
    let (matrix, null) = (grid(40, 41), constant(1640));
    let square = matrix.gram();
    for factor in [None, Some(&matrix)] {
        let matrix = factor.map_or(&matrix, |_| &square);
        for bytes in [1, 1_000, 100_000, 500_000] {
            let memory_limit = MemoryLimit::new(bytes);
            let problem = Smallest { factor, memory_limit, ..problem(matrix, &null, 4) };
            match spectral::smallest(problem, &Silent).err() {
                Some(Error::Memory { advice, .. }) => assert!(!advice.contains("explicit"), "{advice}"),
                other => panic!("{bytes} bytes: {other:?}"),
            }
        }
    }
}

/// A pair takes a basis of 16 vectors with its image, and six blocks of three.
#[test]
fn solving_takes_the_factor_the_matrices_and_the_basis() -> Done {
    let (n, differences) = (1600, path_differences(1600));
    let (matrix, null) = (path(n), constant(n));
    let memory =
        spectral::memory::factor_bytes(&matrix)? + 2 * matrix.bytes() + (8 * n * (2 * 16 + 6 * 3)) as u64;
    assert_eq!(spectral::memory::solving_bytes(&problem(&matrix, &null, 1))?, memory);
    let with = Smallest { factor: Some(&differences), ..problem(&matrix, &null, 1) };
    assert_eq!(spectral::memory::solving_bytes(&with)?, memory + 2 * differences.bytes());
    Ok(())
}

/// Products with M = BᵀB may take more memory than a small factor of M does, also where a square B
/// may have incomplete factors.
#[test]
fn a_refusal_names_an_exact_factor_where_images_take_more_memory() -> Done {
    let null = constant(1600);
    for rows in [1600, 4800] {
        let edge = |row: u32| vec![(row % 1599, -1.0), (row % 1599 + 1, 1.0)];
        let b = Sparse::from_rows(1600, (0..rows).map(edge).collect())?;
        let matrix = b.gram();
        let problem = Smallest { factor: Some(&b), ..problem(&matrix, &null, 12) };
        let exact = spectral::memory::solving_bytes(&problem)?;
        let solve = |limit| {
            let memory_limit = MemoryLimit::new(limit);
            spectral::smallest(Smallest { memory_limit, ..problem }, &Silent)
        };
        assert_eq!(solve(exact)?.solver, Solver::ShiftInvert);
        for limit in [1, exact - 1] {
            let refused = solve(limit);
            assert!(
                matches!(&refused, Err(Error::Memory { stage, needed, .. })
                    if stage == "a sparse Cholesky factor" && *needed == exact),
                "{rows} rows, {limit} bytes: {refused:?}"
            );
        }
    }
    Ok(())
}

#[test]
fn the_memory_limit_chooses_the_algorithm_and_all_agree() -> Done {
    // A random graph, whose factor is nearly dense, and its square, whose smallest
    // eigenvalues are as close together as the eigenvalues of an alignment matrix.
    let (n, count) = (1600, 3);
    let once = scrambled(n);
    let (twice, null) = (once.gram(), constant(n));
    let all = spectral::memory::solving_bytes(&problem(&once, &null, count))?;
    let single = all - spectral::memory::factor_bytes(&once)? / 2;
    let without = vec![(all - 1, Solver::Preconditioned), (single - 1, Solver::Filtered)];
    let squared = Smallest { factor: Some(&once), ..problem(&twice, &null, count) };
    let cases = [
        (&once, None, without),
        (&twice, Some(&once), vec![(spectral::memory::solving_bytes(&squared)? - 1, Solver::Incomplete)]),
    ];
    for (matrix, factor, routes) in cases {
        let all = spectral::memory::solving_bytes(&Smallest { factor, ..problem(matrix, &null, count) })?;
        let solve = |bytes| {
            let memory_limit = MemoryLimit::new(bytes);
            spectral::smallest(Smallest { factor, memory_limit, ..problem(matrix, &null, count) }, &Silent)
        };
        let exact = solve(all)?;
        assert_eq!(exact.solver, Solver::ShiftInvert);
        for (bytes, solver) in routes {
            let pairs = solve(bytes)?;
            assert_eq!(pairs.solver, solver);
            for j in 0..count {
                let error = (pairs.values[j] / exact.values[j] - 1.0).abs();
                assert!(error < 1e-7, "{solver:?}: {:?} is not {:?}", pairs.values, exact.values);
                assert!(pairs.residuals[j] * matrix.norm_bound() < 1e-3 * pairs.values[j]);
                let cosine: f64 = (0..n).map(|i| pairs.vectors[(i, j)] * exact.vectors[(i, j)]).sum();
                assert!((cosine - 1.0).abs() < 1e-6, "{solver:?}, vector {j}: cosine {cosine}");
            }
            assert!(defect(&pairs.vectors, &null) < ROUNDING);
        }
    }
    Ok(())
}
