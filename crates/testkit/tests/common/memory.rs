//! Estimated peak memory of a fit against the memory that a process takes; a module of the
//! tests of several crates, as a library does not start processes or read files.
#![allow(dead_code, reason = "each test file uses some of it")]

use std::process::Command;

use embedding::{Error, MemoryLimit, PointSet};

/// Checks that the fit of every case is refused, by `stage`, with one byte less than its estimate,
/// succeeds with the estimate, and that a process takes the estimated memory
/// to within a quarter; the last on systems that record the peak of a process.
///
/// Each case is measured in processes of their own, as freed memory is not returned to the
/// system: the calling test is run again with the case in `variable`. It must be the only
/// test of its executable, so that no other is measured. The median of five processes counts:
/// how much freed memory a fit finds and uses again depends on how its threads take turns
/// (a fit of 5 MB took .71 to 1.06 of its estimate).
pub(crate) fn estimates_memory<C>(
    variable: &str,
    stage: &str,
    cases: &[C],
    points: impl Fn(&C) -> PointSet,
    fit: impl Fn(&C, &PointSet, MemoryLimit) -> Result<(), Error> + Sync,
) where
    C: Sync,
{
    if let Ok(case) = std::env::var(variable) {
        let case = &cases[case.parse::<usize>().expect("a number")];
        report(measured(stage, &points(case), &|points, limit| fit(case, points, limit)));
        return;
    }
    let numbers = |case: usize| -> Option<[f64; 2]> {
        let mut command = Command::new(std::env::current_exe().expect("the path of this test"));
        let output = command.arg("--nocapture").env(variable, case.to_string()).output().expect("a process");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        let line = text.lines().find(|line| line.starts_with("estimated"))?;
        let mut found = line.split_whitespace().filter_map(|word| word.parse().ok());
        Some([found.next()?, found.next()?])
    };
    let median = |case: usize| -> Option<(usize, f64)> {
        let mut ratios = (0..5)
            .map(|_| numbers(case).map(|[needed, taken]| taken / needed))
            .collect::<Option<Vec<f64>>>()?;
        ratios.sort_by(f64::total_cmp);
        Some((case, ratios[2]))
    };
    let ratios: Vec<(usize, f64)> = (0..cases.len()).filter_map(median).collect();
    assert!(
        ratios.iter().all(|(_, ratio)| (ratio - 1.0).abs() < 0.25),
        "case, taken / estimated: {ratios:?}"
    );
}

#[expect(clippy::print_stdout, reason = "the measuring process reports to the test")]
fn report(numbers: Option<(u64, u64)>) {
    if let Some((needed, taken)) = numbers {
        println!("\nestimated {needed} taken {taken}");
    }
}

/// A fit of points within a limit.
type Fit<'a> = &'a (dyn Fn(&PointSet, MemoryLimit) -> Result<(), Error> + Sync);

/// The estimate for a fit and what it takes with this limit; none on systems that record
/// no peak.
fn measured(expected: &str, points: &PointSet, fit: Fit<'_>) -> Option<(u64, u64)> {
    let two = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
    // The code and the threads are not counted.
    let small = points.view().select(&(0..200).collect::<Vec<_>>());
    two.install(|| fit(&small, MemoryLimit::new(u64::MAX))).expect("a fit without limit");
    let Err(Error::Memory { stage, needed, allowed: 1, .. }) = fit(points, MemoryLimit::new(1)) else {
        panic!("a fit of {} points in one byte", points.len())
    };
    assert_eq!(stage, expected);
    assert!(matches!(fit(points, MemoryLimit::new(needed - 1)), Err(Error::Memory { .. })));
    // Resets the recorded peak.
    std::fs::write("/proc/self/clear_refs", "5").ok()?;
    let before = process_memory("VmRSS")?;
    two.install(|| fit(points, MemoryLimit::new(needed))).expect("a fit with the estimate as its limit");
    Some((needed, process_memory("VmHWM")?.saturating_sub(before)))
}

/// A line of the process status (`VmRSS`, or `VmHWM` for the peak), in bytes, on systems that
/// provide it.
pub(crate) fn process_memory(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(name))?;
    Some(1024 * line.split_whitespace().nth(1)?.parse::<u64>().ok()?)
}
