//! Which algorithm is used, by operations and memory.

use crate::common;

use common::*;
use embedding::{Error, MemoryLimit, Silent};
use faer::Mat;
use spectral::{Smallest, Solver, Sparse, Tolerance};

type Done = Result<(), Error>;

/// Multiples of the identity: every vector is an eigenvector, and one more step is one of inverse
/// iteration.
#[test]
fn the_last_step_of_inverse_iteration_counts() -> Done {
    let rows = (0..1500).map(|i| vec![(i, 3.0)]).collect();
    let pairs = smallest(&Sparse::from_rows(1500, rows)?, &Mat::zeros(1500, 0), 2)?;
    assert_eq!((pairs.solver, pairs.applications), (Solver::ShiftInvert, 2));
    Ok(())
}

/// A residual of the inverse of at most the tolerance is enough, also above 10⁻³; and a tolerance
/// above it is no excuse for pairs that are not told apart.
#[test]
fn a_loose_tolerance_bounds_the_residual_of_the_inverse() -> Done {
    let (matrix, null) = (path(3000), constant(3000));
    let solve = |tolerance: Tolerance| {
        spectral::smallest(Smallest { tolerance, ..problem(&matrix, &null, 3) }, &Silent)
    };
    let loose = Tolerance::new(0.3)?;
    assert_eq!(solve(loose)?.solver, Solver::ShiftInvert);
    let refused = solve(Tolerance::new(0.01)?.with_applications(1));
    assert!(
        matches!(refused, Err(Error::NoConvergence { residual, iterations: 1, .. }) if residual > 0.01),
        "{refused:?}"
    );
    Ok(())
}

/// A quarter of the time of a dense factorization of n/8 columns must allow a round of products.
#[test]
fn products_are_tried_first_where_all_points_are_near_the_first() -> Done {
    for (n, solver) in [(20_001, Solver::Filtered), (8001, Solver::ShiftInvert)] {
        let matrix = incidence(n, (1..n).map(|i| (0, i))).gram();
        let pairs = smallest(&matrix, &constant(n), 2)?;
        assert_eq!(pairs.solver, solver, "{n}");
        assert!(pairs.values.iter().all(|value| (value - 1.0).abs() < 1e-6), "{:?}", pairs.values);
    }
    Ok(())
}

/// A star: its images by B, with many rows of zeros, take more memory than the factor.
#[test]
fn products_that_exceed_the_memory_limit_refuse_no_factorization() -> Done {
    let n = 20_001;
    let edges = (1..n as u32).map(|i| vec![(0, -1.0), (i, 1.0)]);
    let b = Sparse::from_rows(n, edges.chain(std::iter::repeat_n(Vec::new(), 100_000)).collect())?;
    let (matrix, null) = (b.gram(), constant(n));
    let problem = Smallest { factor: Some(&b), ..problem(&matrix, &null, 2) };
    let memory_limit = MemoryLimit::new(spectral::memory::solving_bytes(&problem)?);
    let pairs = spectral::smallest(Smallest { memory_limit, ..problem }, &Silent)?;
    assert_eq!(pairs.solver, Solver::ShiftInvert);
    Ok(())
}

#[test]
fn incomplete_factors_are_used_where_an_exact_one_costs_more() -> Done {
    let once = scrambled(5000);
    let (twice, null) = (once.gram(), constant(5000));
    let quick = spectral::smallest(Smallest { factor: Some(&once), ..problem(&twice, &null, 3) }, &Silent)?;
    let exact = smallest(&twice, &null, 3)?;
    assert_eq!((quick.solver, exact.solver), (Solver::Incomplete, Solver::ShiftInvert));
    for j in 0..3 {
        assert!((quick.values[j] / exact.values[j] - 1.0).abs() < 1e-7);
    }
    assert!(defect(&quick.vectors, &null) < ROUNDING);
    Ok(())
}

/// A limit that allows three hundred entries in a row of incomplete factors, and no exact one.
#[test]
fn incomplete_factors_fit_the_memory_limit_or_another_algorithm_is_used() -> Done {
    let once = scrambled(1600);
    let (twice, null) = (once.gram(), constant(1600));
    let squared = Smallest { factor: Some(&once), ..problem(&twice, &null, 3) };
    let images = 2 * 8 * 1600 * (3 + 5);
    let products =
        spectral::memory::solving_bytes(&squared)? - spectral::memory::factor_bytes(&twice)? + images;
    let memory_limit = MemoryLimit::new(products + 300 * 8 * 1600);
    let found = spectral::smallest(Smallest { memory_limit, ..squared }, &Silent)?;
    assert_eq!(found.solver, Solver::Incomplete);
    // An iteration short of convergence.
    let memory_limit = MemoryLimit::new(spectral::memory::solving_bytes(&squared)? - 1);
    let tolerance = Tolerance::default().with_applications(found.applications - 1);
    let other = spectral::smallest(Smallest { memory_limit, tolerance, ..squared }, &Silent)?;
    assert_ne!(other.solver, Solver::Incomplete);
    for j in 0..3 {
        assert!((found.values[j] / other.values[j] - 1.0).abs() < 1e-7, "{:?}", other.values);
    }
    Ok(())
}

#[test]
fn where_incomplete_factors_fill_in_the_exact_one_is_used() -> Done {
    let n = 4200;
    let chords = (0..n).flat_map(|i| (1..40).map(move |j| (i, (i * (2 * j + 5) + i * i * j + j) % n)));
    let once = incidence(n, (1..n).map(|i| (i - 1, i)).chain(chords.filter(|(a, b)| a != b))).gram();
    let (twice, null) = (once.gram(), constant(n));
    let pairs = spectral::smallest(Smallest { factor: Some(&once), ..problem(&twice, &null, 2) }, &Silent)?;
    assert_eq!(pairs.solver, Solver::ShiftInvert);
    assert!(residual(&twice, &pairs) < 1e-10 * twice.norm_bound());
    Ok(())
}

#[test]
fn the_fallbacks_give_the_same_bytes_on_any_number_of_threads() -> Done {
    let (matrix, null) = (scrambled(1600), constant(1600));
    let (twice, all) = (matrix.gram(), spectral::memory::solving_bytes(&problem(&matrix, &null, 3))?);
    let single = all - spectral::memory::factor_bytes(&matrix)? / 2;
    let squared = Smallest { factor: Some(&matrix), ..problem(&twice, &null, 3) };
    let beyond = spectral::memory::solving_bytes(&squared)? - 1;
    for (matrix, factor, bytes) in
        [(&matrix, None, all - 1), (&matrix, None, single - 1), (&twice, Some(&matrix), beyond)]
    {
        on_all_thread_counts(|| {
            let memory_limit = MemoryLimit::new(bytes);
            let problem = Smallest { factor, memory_limit, ..problem(matrix, &null, 3) };
            all_of(&spectral::smallest(problem, &Silent).expect("a graph has eigenvalues"))
        });
    }
    Ok(())
}

#[test]
fn an_unconverged_fallback_is_an_error() -> Done {
    // The square of a long path's Laplacian: eigenvalues far below single precision, and
    // far too close together for a few products.
    let once = path(3000);
    let (matrix, null) = (once.gram(), constant(3000));
    let bytes = spectral::memory::solving_bytes(&problem(&matrix, &null, 3))? - 1;
    let tolerance = Tolerance::new(1e-10).expect("a legal tolerance").with_applications(10);
    let little = Smallest { tolerance, memory_limit: MemoryLimit::new(bytes), ..problem(&matrix, &null, 3) };
    // The factor that would have been computed is named, with its memory.
    for memory_limit in [MemoryLimit::new(bytes), MemoryLimit::new(least(&matrix, &null, 3)?)] {
        match spectral::smallest(Smallest { memory_limit, ..little }, &Silent) {
            Err(error @ Error::NoConvergence { residual, tolerance, factor, .. }) => {
                assert!(residual > tolerance && factor == Some(bytes + 1), "{error:?}");
                assert!(error.to_string().contains("iterations; allow "), "{error}");
            }
            other => panic!("{other:?}"),
        }
    }
    // Where all the required memory fits, the error reports the residual.
    let enough = Smallest { memory_limit: MemoryLimit::new(bytes + 1), ..little };
    match spectral::smallest(Smallest { tolerance: tolerance.with_applications(0), ..enough }, &Silent) {
        Err(error @ Error::NoConvergence { residual, tolerance, factor: None, .. }) => {
            assert!(residual > tolerance);
            assert!(error.to_string().contains("iterations; use more neighbors or fewer dimensions"));
        }
        other => panic!("{other:?}"),
    }
    Ok(())
}

/// The least memory of any algorithm, as a refusal names it.
fn least(matrix: &Sparse, null: &Mat<f64>, count: usize) -> Result<u64, Error> {
    let nothing = Smallest { memory_limit: MemoryLimit::new(1000), ..problem(matrix, null, count) };
    match spectral::smallest(nothing, &Silent) {
        Err(Error::Memory { needed, .. }) => Ok(needed),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_error_names_both_sizes_if_no_algorithm_fits() {
    let (matrix, null) = (grid(50, 51), constant(2550));
    let little = Smallest { memory_limit: MemoryLimit::new(1000), ..problem(&matrix, &null, 3) };
    match spectral::smallest(little, &Silent) {
        Err(Error::Memory { needed, allowed, .. }) => assert!(needed > allowed && allowed == 1000),
        other => panic!("{other:?}"),
    }
}
