//! The steps of a fit compared with recorded values of a dense reference.
//!
//! Recorded with numpy 2 in double precision from the formulas of the paper alone: all
//! pairwise distances, the kernel, `numpy.linalg.eigvals` of P (not symmetrized),
//! `matrix_power`, and distances by differences.

use embedding::{Input, PointSet, Silent};
use neighbor_graph::{NeighborSearch, Neighborhood};

use crate::diffusion::Diffusion;
use crate::entropy::{eigenvalues, entropies, knee};
use crate::kernel::Kernel;
use crate::power::power;
use crate::{kernel_support, potential};

/// Thirty points on three bent arms.
fn arms() -> PointSet {
    let row = |i: i32| {
        let (r, angle) = (0.4 + f64::from(i / 3), [0.1_f64, 2.2, 4.1][i as usize % 3]);
        [r * angle.cos(), r * angle.sin() + 0.02 * r * r, 0.3 * (1.7 * f64::from(i)).sin()]
    };
    PointSet::from_rows(&(0..30).map(row).collect::<Vec<_>>()).expect("finite")
}

struct Recorded {
    k: usize,
    kernel: Kernel,
    gamma: f64,
    /// Nonzero affinities, and the time at the knee.
    counts: (usize, usize),
    /// After 1, 10 and 100 steps.
    entropies: [f64; 3],
    /// (Pᵗ)_ij at (3, 0), (3, 7) and (29, 28).
    power: [f64; 3],
    /// Between rows (0, 1), (0, 5) and (28, 29).
    distances: [f64; 3],
    /// The sum of all distances.
    sum: f64,
}

const RECORDED: [Recorded; 3] = [
    Recorded {
        k: 5,
        kernel: Kernel { decay: 40.0, threshold: 1e-4 },
        gamma: 1.0,
        counts: (216, 11),
        entropies: [2.7245158552887934, 1.3531150913049876, 0.40433789692592054],
        power: [0.06103597737210849, 0.03332328297557036, 0.00031026843163098236],
        distances: [1.0734093611703959, 2.772590102294472, 18.669483951901952],
        sum: 9528.322746687427,
    },
    Recorded {
        k: 4,
        kernel: Kernel { decay: 2.0, threshold: 1e-30 },
        gamma: 0.0,
        counts: (900, 10),
        entropies: [2.616709758750243, 1.3821750311452137, 0.29536497807485407],
        power: [0.06745273224164522, 0.04157557120418249, 0.0009984694005814262],
        distances: [0.10542381481510434, 0.34738500450771115, 2.212262672787443],
        sum: 1153.02144898391,
    },
    Recorded {
        k: 5,
        kernel: Kernel { decay: 10.0, threshold: 1e-4 },
        gamma: 1.0,
        counts: (248, 11),
        entropies: [2.6757523902647047, 1.343920630621487, 0.3890724234693182],
        power: [0.05955491012559658, 0.0333957671089107, 0.00035766768979596746],
        distances: [0.9886997324784703, 2.7931819809196345, 18.138090773803455],
        sum: 9257.483860740229,
    },
];

fn close(got: &[f64], expected: &[f64], what: &str) {
    for (got, expected) in got.iter().zip(expected) {
        assert!((got - expected).abs() <= 1e-10 * expected.abs(), "{what}: {got} and {expected}");
    }
}

#[test]
fn every_step_equals_the_dense_reference() {
    let points = arms();
    for recorded in RECORDED {
        let input = Input::from(&points);
        let rule = Neighborhood::Nearest { k: recorded.k };
        let nearest = NeighborSearch::from(rule).find(points.view()).expect("k is below 30");
        let lists =
            kernel_support::widened(&input, &nearest, recorded.kernel).expect("points").expect("whole lists");
        let affinities = recorded.kernel.matrix(&lists).expect("neighbors are points");
        let Diffusion { symmetric, roots } = Diffusion::of_points(&affinities).expect("a square kernel");
        let eigenvalues = eigenvalues(&symmetric).expect("a finite matrix");
        let entropies = entropies(&eigenvalues);
        let time = knee(&entropies);
        assert_eq!((affinities.stored(), time), recorded.counts);
        close(&[entropies[0], entropies[9], entropies[99]], &recorded.entropies, "an entropy");

        let diffused = power(&symmetric, time, &Silent).expect("not cancelled");
        let probability = |i: usize, j: usize| diffused[30 * i + j] * roots[j] / roots[i];
        let some = [probability(3, 0), probability(3, 7), probability(29, 28)];
        close(&some, &recorded.power, "a probability");

        let between =
            potential::distances(diffused, &roots, recorded.gamma, &mut || Ok(())).expect("30 points");
        let some = [between.get(0, 1), between.get(0, 5), between.get(28, 29)];
        close(&some, &recorded.distances, "a potential distance");
        let sum = (0..900).map(|e| between.get(e / 30, e % 30)).sum();
        close(&[sum], &[recorded.sum], "the sum of potential distances");
    }
}
