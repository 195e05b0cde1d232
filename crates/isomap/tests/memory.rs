//! Estimated peak memory of a fit against the memory a process takes. The only test of
//! this executable, so that no other test is measured.
#![expect(clippy::print_stdout, reason = "the measuring process reports to the test")]

use std::process::Command;

use embedding::{DynMethod, Error, Input, MemoryLimit, PointSet};
use isomap::{ConformalIsomap, Isomap, Precision};
use testkit::cloud;

/// Points and columns of a fit, and the method.
type Case = (usize, usize, fn() -> Box<dyn DynMethod>);

const CASES: [Case; 5] = [
    (950, 3, || Box::new(Isomap::default())),
    (2_500, 3, || Box::new(Isomap::default())),
    (2_500, 600, || Box::new(Isomap { precision: Precision::Double, ..Isomap::default() })),
    (5_500, 3, || Box::new(Isomap::default())),
    (3_000, 5, || Box::new(ConformalIsomap::default())),
];

/// Set in the process that measures one case.
const CASE: &str = "ISOMAP_MEMORY_CASE";

/// Reads a line of the process status, in bytes, on systems that provide it.
fn account(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(name))?;
    Some(1024 * line.split_whitespace().nth(1)?.parse::<u64>().ok()?)
}

fn limited(method: &dyn DynMethod, points: &PointSet, bytes: u64) -> Result<(), Error> {
    method.fit_dyn(&Input::from(points).memory_limit(MemoryLimit::new(bytes))).map(|_| ())
}

/// The estimate for a case and what a fit with this limit takes; none on systems that
/// record no peak.
fn measured((n, columns, method): Case) -> Option<(u64, u64)> {
    let (points, method) = (cloud(n, columns, 1).view().to_owned(), method());
    let two = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
    // The code and the threads are not counted.
    let small = points.view().select(&(0..200).collect::<Vec<_>>());
    two.install(|| limited(&*method, &small, u64::MAX)).expect("a fit without limit");
    let Err(Error::Memory { needed, allowed: 1, .. }) = limited(&*method, &points, 1) else {
        panic!("a fit of {n} points in one byte")
    };
    assert!(matches!(limited(&*method, &points, needed - 1), Err(Error::Memory { .. })));
    // Resets the recorded peak.
    std::fs::write("/proc/self/clear_refs", "5").ok()?;
    let before = account("VmRSS")?;
    two.install(|| limited(&*method, &points, needed)).expect("a fit with the estimate as its limit");
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
