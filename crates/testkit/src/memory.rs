//! Estimated peak memory of a fit against the memory that a process takes.

use std::process::Command;
use std::sync::OnceLock;

use embedding::{DynMethod, Error, Input, MemoryLimit, PointSet, SparsePointSet, SparsePoints};
use rayon::prelude::*;

use crate::Random;

/// The stage of an eigenproblem that a factorization solves.
pub const FACTOR: &str = "a sparse Cholesky factor";

/// The same in single precision.
pub const SINGLE: &str = "a sparse Cholesky factor in single precision";

/// The stage of the search of neighbors.
pub const SEARCH: &str = "the search of neighbors";

/// Points and columns, the method that is fitted to them, and the stage that is refused last.
pub type Fitting = (usize, usize, fn() -> Box<dyn DynMethod>, &'static str);

/// An explicit limit that selects an algorithm: the smallest accepted limit ([`LEAST`]), or a number of bytes
/// above the need of the algorithm and below the need of the next faster one.
pub type Explicit = (Fitting, u64);

/// No algorithm needs less memory.
pub const LEAST: u64 = 1;

/// The data to which methods are fitted: clouds, whose columns are independent; sheets, for which a search in
/// many columns reads only a few of them; or clouds with explicit limits, which select algorithms.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Setting {
    Cloud,
    Sheet,
    Explicit(u64),
}

/// [`estimates_memory`] of methods fitted to clouds, to sheets, and to clouds with explicit limits.
pub fn methods_estimate_memory(
    variable: &str,
    clouds: &[Fitting],
    sheets: &[Fitting],
    explicit: &[Explicit],
) {
    let clouds = clouds.iter().map(|f| (*f, Setting::Cloud));
    let sheets = sheets.iter().map(|f| (*f, Setting::Sheet));
    let explicit = explicit.iter().map(|(f, limit)| (*f, Setting::Explicit(*limit)));
    estimates_memory_selected(
        variable,
        |((.., stage), _)| stage,
        |(_, setting)| if let Setting::Explicit(limit) = setting { Some(*limit) } else { None },
        &clouds.chain(sheets).chain(explicit).collect::<Vec<_>>(),
        |((n, columns, ..), setting)| points(*n, *columns, *setting == Setting::Sheet),
        |((_, _, method, _), _), points, limit| {
            method().fit_dyn(&Input::from(points).with_memory_limit(limit)).map(|_| ())
        },
    );
}

/// Points of a cloud or of a curved sheet, copied: common allocators keep blocks as large as one
/// that was freed, as they do after points were read from a file.
pub fn points(n: usize, columns: usize, curved: bool) -> PointSet {
    let case =
        if curved { crate::cases::sheet_in(columns, n, 1) } else { crate::cases::cloud(n, columns, 1) };
    case.view().select(&(0..n as u32).collect::<Vec<_>>())
}

/// Rows, columns, and entries of a row of sparse points.
pub type SparseSize = (usize, usize, usize);

/// [`estimates_memory`] of fits to sparse points at random columns, without a gap in their spectrum. `fit` gets all of
/// them or some.
pub fn sparse_fits_estimate_memory<C: Sync>(
    variable: &str,
    stage: &'static str,
    cases: &[C],
    size: impl Fn(&C) -> SparseSize + Sync,
    fit: impl Fn(&C, SparsePoints<'_>, MemoryLimit) -> Result<(), Error> + Sync,
) {
    // Made before the fit is measured.
    let made: OnceLock<SparsePointSet> = OnceLock::new();
    estimates_memory(
        variable,
        |_| stage,
        cases,
        |case| {
            made.get_or_init(|| sparse_points(size(case)));
            PointSet::new(vec![0.0; size(case).0], 1).expect("legal")
        },
        |case, given, limit| {
            let all = made.get().expect("made before").view();
            // A fit to some of the rows, which is not counted.
            let rows = (0..given.len() as u32).collect::<Vec<_>>();
            let some = (given.len() < size(case).0).then(|| all.select(&rows));
            fit(case, some.as_ref().map_or(all, SparsePointSet::view), limit)
        },
    );
}

fn sparse_points((n, columns, entries): SparseSize) -> SparsePointSet {
    let mut random = Random::new(7);
    let columns_of = (0..n * entries).map(|_| random.below(columns) as u32).collect();
    let values = (0..n * entries).map(|at| 1.0 + (at % 13) as f64).collect();
    let offsets = (0..=n).map(|i| i * entries).collect();
    SparsePointSet::new(offsets, columns_of, values, columns).expect("legal")
}

/// Checks that the fit of every case is refused with one byte less than its estimate, at last by
/// its `stage`, succeeds with the estimate, and that processes take the estimated memory to
/// within a quarter; the last on systems that record the peak of a process.
///
/// Each case is estimated in one process and measured in others, as freed memory is not returned to
/// the system: the calling test is run again with the case in `variable`. It must be the only
/// test of its executable, so that no other is measured. Allocators keep freed memory for the
/// thread that freed it. With several threads the memory of a process thus depends on how they take
/// turns, and grows with the load of the machine (.71 to 1.06 of the estimate for a fit of 5 MB, 1.03
/// and 1.30 for one of 16 MB); with one thread it does not (two processes differed by 1.4 % at most).
/// So the estimate must cover every process with one thread, and be within a quarter of one of
/// ten processes with two: what threads allocate each for themselves is in all of them.
pub fn estimates_memory<C: Sync>(
    variable: &str,
    stage: impl Fn(&C) -> &str,
    cases: &[C],
    points: impl Fn(&C) -> PointSet,
    fit: impl Fn(&C, &PointSet, MemoryLimit) -> Result<(), Error> + Sync,
) {
    estimates_memory_selected(variable, stage, |_| None, cases, points, fit);
}

/// The same where `selecting` is an explicit limit: the limit selects the algorithm, and the algorithm's
/// estimate is the explicit limit of the processes that are measured.
fn estimates_memory_selected<C: Sync>(
    variable: &str,
    stage: impl Fn(&C) -> &str,
    selecting: impl Fn(&C) -> Option<u64>,
    cases: &[C],
    points: impl Fn(&C) -> PointSet,
    fit: impl Fn(&C, &PointSet, MemoryLimit) -> Result<(), Error> + Sync,
) {
    if let Ok(request) = std::env::var(variable) {
        let numbers: Vec<u64> = request.split(' ').map(|word| word.parse().expect("a number")).collect();
        let case = &cases[numbers[0] as usize];
        let fit = |points: &PointSet, limit| fit(case, points, limit);
        let points = points(case);
        let selecting = selecting(case);
        report(match numbers[1..] {
            [threads, bytes] => {
                let limit = selecting.map_or(MemoryLimit::free(bytes), |_| MemoryLimit::new(bytes));
                taken(&points, threads as usize, limit, &fit)
            }
            _ => Some(estimate(stage(case), selecting, &points, &fit)),
        });
        return;
    }
    let number = |request: String| -> Option<u64> {
        let mut command = Command::new(std::env::current_exe().expect("the path of this test"));
        let output = command.arg("--nocapture").env(variable, request).output().expect("a process");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        text.lines().find_map(|line| line.strip_prefix("bytes "))?.parse().ok()
    };
    let ratio = |case: usize, threads: u32, estimate: u64| {
        Some(number(format!("{case} {threads} {estimate}"))? as f64 / estimate as f64)
    };
    // Other processes do not change what one thread takes, so these run side by side.
    let first: Vec<Option<(u64, f64)>> = (0..cases.len())
        .into_par_iter()
        .map(|case| {
            let estimate = number(format!("{case}"))?;
            Some((estimate, ratio(case, 1, estimate)?))
        })
        .collect();
    let wrong = |(case, first): (usize, &Option<(u64, f64)>)| -> Option<String> {
        let (estimate, one) = (*first)?;
        if one >= 1.25 {
            return Some(format!(
                "case {case}: {estimate} bytes estimated, one thread takes {one} times that"
            ));
        }
        let mut taken = Vec::new();
        for _ in 0..10 {
            let two = ratio(case, 2, estimate)?;
            if (two - 1.0).abs() < 0.25 {
                return None;
            }
            taken.push(two);
        }
        Some(format!("case {case}: {estimate} bytes estimated, two threads take {taken:?} times that"))
    };
    let wrong: Vec<String> = first.iter().enumerate().filter_map(wrong).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[expect(clippy::print_stdout, reason = "the measuring process reports to the test")]
fn report(bytes: Option<u64>) {
    if let Some(bytes) = bytes {
        println!("\nbytes {bytes}");
    }
}

/// A fit of points within a limit.
type Fit<'a> = &'a (dyn Fn(&PointSet, MemoryLimit) -> Result<(), Error> + Sync);

/// The smallest memory with which a fit is not refused. Where a stage can estimate its memory only after
/// others, the last stage gives it.
fn estimate(expected: &str, selecting: Option<u64>, points: &PointSet, fit: Fit<'_>) -> u64 {
    let limit = |bytes| match selecting {
        None => MemoryLimit::free(bytes),
        Some(selecting) => {
            let mut limit = MemoryLimit::new(selecting.max(bytes));
            limit.bytes = bytes;
            limit
        }
    };
    let (mut stages, mut least) = (Vec::new(), 1);
    loop {
        match fit(points, limit(least)) {
            Err(Error::Memory { stage, needed, allowed, .. }) => {
                assert!(allowed == least && needed > least, "{stage} needs {needed} bytes of {least}");
                stages.push(stage);
                least = needed;
            }
            other => break other.expect("a fit with the estimate as its limit"),
        }
    }
    assert_eq!(stages.last().map(AsRef::as_ref), Some(expected));
    assert!(matches!(fit(points, limit(least - 1)), Err(Error::Memory { .. })));
    least
}

/// The memory that a fit takes within a limit; `None` on systems that record no peak.
fn taken(points: &PointSet, threads: usize, limit: MemoryLimit, fit: Fit<'_>) -> Option<u64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    // The code and the threads are not counted.
    let small = points.view().select(&(0..200).collect::<Vec<_>>());
    pool.install(|| fit(&small, MemoryLimit::UNLIMITED)).expect("a fit without limit");
    // Resets the recorded peak.
    std::fs::write("/proc/self/clear_refs", "5").ok()?;
    let before = process_memory("VmRSS")?;
    pool.install(|| fit(points, limit)).expect("a fit with the estimate as its limit");
    Some(process_memory("VmHWM")?.saturating_sub(before))
}

/// A line of the process status (`VmRSS`, or `VmHWM` for the peak), in bytes, on systems that
/// provide it.
pub fn process_memory(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(name))?;
    Some(1024 * line.split_whitespace().nth(1)?.parse::<u64>().ok()?)
}
