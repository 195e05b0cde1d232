//! Graphs whose factor is large although their eigenvalues are far apart.

use crate::common;

use common::*;

use embedding::{Error, MemoryLimit, Silent};
use spectral::{Smallest, Solver, Sparse, Tolerance};

/// Random edges inside groups of `size` vertices, and a few between them.
fn edges(count: usize, size: usize, between: usize) -> Vec<(usize, usize)> {
    let n = count * size;
    let mut state = 1_u64;
    let mut draw = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let mut edges: Vec<(usize, usize)> = Vec::new();
    for v in 0..n {
        let first = v / size * size;
        edges.push((v, first + (v - first + 1) % size));
        edges.extend((0..8).map(|_| (v, first + draw(size))));
    }
    edges.extend((0..between).map(|_| (draw(n), draw(n))));
    edges.retain(|(a, b)| a != b);
    edges
}

/// The Laplacian of these edges: its smallest eigenvalues, one for each group, lie below all
/// others.
fn groups(count: usize, size: usize, between: usize) -> Sparse {
    incidence(count * size, edges(count, size, between).into_iter()).gram()
}

#[test]
fn products_are_chosen_where_a_factorization_takes_longer() -> Result<(), Error> {
    let matrix = groups(3, 3000, 100);
    let null = constant(9000);
    let pairs = spectral::smallest(problem(&matrix, &null, 2), &Silent)?;
    assert_eq!(pairs.solver, Solver::Filtered);
    assert!(pairs.residuals.iter().all(|r| *r <= Tolerance::default().residual()), "{:?}", pairs.residuals);
    // What follows is far above the two values: none was passed over.
    let more = spectral::smallest(problem(&matrix, &null, 3), &Silent)?;
    assert!(more.values[2] > 5.0 * pairs.values[1], "{:?}", more.values);
    for (few, many) in pairs.values.iter().zip(&more.values) {
        assert!((few / many - 1.0).abs() < 1e-7, "{:?} {:?}", pairs.values, more.values);
    }
    Ok(())
}

/// An attempt ends as soon as it will not suffice: the smallest values belong to a long
/// path that is attached to the graph.
#[test]
fn shift_invert_is_used_after_filtered_products_do_not_converge() -> Result<(), Error> {
    let (core, length) = (5000, 2000);
    let edges = edges(1, core, 0).into_iter().chain((0..length).map(|i| (core - 1 + i, core + i)));
    let matrix = incidence(core + length, edges).gram();
    let null = constant(core + length);
    let pairs = spectral::smallest(problem(&matrix, &null, 1), &Silent)?;
    assert_eq!(pairs.solver, Solver::ShiftInvert);
    // The core moves as one vertex of its mass: λ = (x / length)² with tan x = −x core / length.
    let x = pairs.values[0].sqrt() * length as f64;
    assert!((x.tan() / x + core as f64 / length as f64).abs() < 0.02, "{}", pairs.values[0]);
    Ok(())
}

/// On one thread M is analyzed before the iteration begins, on more meanwhile.
#[test]
fn an_iteration_during_the_analysis_changes_no_byte() {
    for (matrix, count, solver) in [
        (groups(3, 3000, 100), 2, Solver::Filtered),
        // Its eigenvalues are close to each other, from the smallest one on.
        (groups(1, 3000, 0), 8, Solver::ShiftInvert),
    ] {
        let null = constant(matrix.nrows());
        on_all_thread_counts(|| {
            let pairs = spectral::smallest(problem(&matrix, &null, count), &Silent).expect("eigenpairs");
            assert_eq!(pairs.solver, solver);
            all_of(&pairs)
        });
    }
}

/// Groups that few edges join have eigenvalues near 0 and near each other, which take long to
/// distinguish. A start for another computation does not need to distinguish them.
#[test]
fn directions_alone_take_fewer_products() -> Result<(), Error> {
    let matrix = groups(8, 400, 24);
    let null = constant(3200);
    let factor = spectral::memory::factor_bytes(&matrix)?;
    let memory_limit =
        MemoryLimit::new(spectral::memory::solving_bytes(&problem(&matrix, &null, 2))? - factor / 2 - 1);
    let solve = |tolerance| {
        let problem = Smallest { tolerance, memory_limit, ..problem(&matrix, &null, 2) };
        spectral::smallest(problem, &Silent)
    };
    let rough = Tolerance::new(1e-4)?.with_applications(20);
    // Twenty applications are two thousand products.
    assert!(matches!(solve(rough), Err(Error::NoConvergence { iterations: 2000.., .. })));
    let found = solve(rough.or_after(600))?;
    assert_eq!(found.solver, Solver::Filtered);
    assert!(found.applications <= 600, "{}", found.applications);
    assert!(found.residuals.iter().all(|residual| *residual <= 1e-4), "{:?}", found.residuals);
    // They are nearly constant within groups.
    for column in 0..2 {
        let of = |v: usize| found.vectors[(v, column)];
        let mean = |group: usize| (0..400).map(|v| of(400 * group + v)).sum::<f64>() / 400.0;
        let within: f64 = (0..3200).map(|v| (of(v) - mean(v / 400)).powi(2)).sum();
        assert!(within < 0.05, "{within}");
    }
    Ok(())
}
