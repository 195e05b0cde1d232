//! Memory information of the system.

use std::fs;

use embedding::MemoryLimit;

/// Fraction of the available memory that one stage may use by default.
const FRACTION: f64 = 0.7;

/// Returns the default of `--memory-limit`: a fraction of the memory currently available,
/// or the library's default if unknown. It refuses fits, but never changes their results.
pub fn default_limit() -> MemoryLimit {
    match available() {
        Some(bytes) => MemoryLimit::free((FRACTION * bytes as f64) as u64),
        None => MemoryLimit::default(),
    }
}

/// Returns the memory of the machine or container in bytes, if known.
pub fn total() -> Option<u64> {
    let machine = kilobytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")?;
    Some(container().map_or(machine, |(limit, _)| limit.min(machine)))
}

fn available() -> Option<u64> {
    let machine = kilobytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:")?;
    Some(container().map_or(machine, |(limit, used)| limit.saturating_sub(used).min(machine)))
}

/// Returns the container's memory limit and usage.
fn container() -> Option<(u64, u64)> {
    let read = |path: &str| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let limit = read("/sys/fs/cgroup/memory.max")?;
    Some((limit, read("/sys/fs/cgroup/memory.current").unwrap_or(0)))
}

/// Measures the peak resident memory of this process since [`Peak::start`].
#[derive(Debug)]
pub struct Peak(());

impl Peak {
    /// Resets the peak; `None` if the system does not support it.
    pub fn start() -> Option<Self> {
        fs::write("/proc/self/clear_refs", "5").ok()?;
        Some(Self(()))
    }

    /// Returns the peak memory since then, in bytes.
    pub fn bytes(&self) -> Option<u64> {
        kilobytes(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
    }
}

/// Returns the resident memory of this process, in bytes, if known.
pub(crate) fn resident() -> Option<u64> {
    kilobytes(&fs::read_to_string("/proc/self/status").ok()?, "VmRSS:")
}

/// Returns the number after `key` in a table of kilobytes, in bytes.
fn kilobytes(table: &str, key: &str) -> Option<u64> {
    let line = table.lines().find_map(|line| line.strip_prefix(key))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_limit_selects_as_the_default_of_the_library() {
        let (default, library) = (default_limit(), MemoryLimit::default());
        assert_eq!(default.selecting(), library.selecting());
    }
}
