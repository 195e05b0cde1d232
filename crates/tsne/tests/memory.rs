//! Estimated peak memory of a fit against the memory a process takes. The only test of
//! this executable, so that no other test is measured.
#![expect(clippy::print_stdout, reason = "the measuring process reports to the test")]

use std::process::Command;

use embedding::{Error, Input, MemoryLimit, Method, PointSet};
use testkit::cloud;
use tsne::{Gradient, Schedule, Tsne};

/// Points, columns, perplexity and gradient of the fits.
const CASES: [(usize, usize, f64, Gradient); 5] = [
    (3_000, 20, 30.0, Gradient::Auto),
    (6_000, 3, 30.0, Gradient::Auto),
    (9_000, 6, 40.0, Gradient::Interpolation),
    (5_000, 700, 20.0, Gradient::Auto),
    (15_000, 12, 60.0, Gradient::Auto),
];

/// Set in the process that measures one case.
const CASE: &str = "TSNE_MEMORY_CASE";

/// Reads a line of the process status, in bytes, on systems that provide it.
fn account(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(name))?;
    Some(1024 * line.split_whitespace().nth(1)?.parse::<u64>().ok()?)
}

fn recipe(perplexity: f64, gradient: Gradient) -> Tsne {
    let schedule = Schedule { early_iterations: 2, iterations: 2, ..Schedule::default() };
    Tsne { perplexity, gradient, schedule, ..Tsne::default() }
}

fn limited(recipe: &Tsne, points: &PointSet, bytes: u64) -> Result<(), Error> {
    recipe.fit(Input::from(points).memory_limit(MemoryLimit::new(bytes))).map(|_| ())
}

/// The estimate for a case and what a fit with this limit takes; none on systems that
/// record no peak.
fn measured((n, columns, perplexity, gradient): (usize, usize, f64, Gradient)) -> Option<(u64, u64)> {
    let points = cloud(n, columns, 1).view().to_owned();
    let two = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
    // The code and the threads are not counted.
    let small = points.view().select(&(0..200).collect::<Vec<_>>());
    two.install(|| limited(&recipe(30.0, gradient), &small, u64::MAX)).expect("a fit without limit");
    let recipe = recipe(perplexity, gradient);
    let Err(Error::Memory { stage: "t-SNE", needed, allowed: 1, .. }) = limited(&recipe, &points, 1) else {
        panic!("a fit of {n} points in one byte")
    };
    assert!(matches!(limited(&recipe, &points, needed - 1), Err(Error::Memory { .. })));
    // Resets the recorded peak.
    std::fs::write("/proc/self/clear_refs", "5").ok()?;
    let before = account("VmRSS")?;
    two.install(|| limited(&recipe, &points, needed)).expect("a fit with the estimate as its limit");
    Some((needed, account("VmHWM")?.saturating_sub(before)))
}

#[test]
fn a_fit_takes_the_memory_estimated_and_is_refused_below() {
    if let Ok(case) = std::env::var(CASE) {
        if let Some((needed, taken)) = measured(CASES[case.parse::<usize>().expect("a number")]) {
            println!("\nestimated {needed} taken {taken}");
        }
        return;
    }
    // A process for each, as freed memory is not returned to the system.
    let numbers = |case: usize| -> Option<[f64; 2]> {
        let mut command = Command::new(std::env::current_exe().expect("the path of this test"));
        let output = command.arg("--nocapture").env(CASE, case.to_string()).output().expect("a process");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        let line = text.lines().find(|line| line.starts_with("estimated"))?;
        let mut found = line.split_whitespace().filter_map(|word| word.parse().ok());
        Some([found.next()?, found.next()?])
    };
    let ratios: Vec<(usize, f64)> = (0..CASES.len())
        .filter_map(|case| numbers(case).map(|[needed, taken]| (CASES[case].0, taken / needed)))
        .collect();
    assert!(ratios.iter().all(|(_, ratio)| (ratio - 1.0).abs() < 0.25), "taken / estimated: {ratios:?}");
}
