//! What the system says about memory.

use std::fs;

use embedding::MemoryLimit;

/// The share of the available memory that one stage may take.
const SHARE: f64 = 0.7;

/// The default of `--memory-limit`: a share of what is available now, or the
/// library's own default where the system does not say.
pub fn default_limit() -> MemoryLimit {
    match available() {
        Some(bytes) => MemoryLimit { bytes: (SHARE * bytes as f64) as u64 },
        None => MemoryLimit::default(),
    }
}

/// The machine's memory in bytes, or a container's, where the system says so.
pub fn total() -> Option<u64> {
    let machine = kilobytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")?;
    Some(container().map_or(machine, |(limit, _)| limit.min(machine)))
}

fn available() -> Option<u64> {
    let machine = kilobytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:")?;
    Some(container().map_or(machine, |(limit, used)| limit.saturating_sub(used).min(machine)))
}

/// A container's limit and what is used of it.
fn container() -> Option<(u64, u64)> {
    let read = |path: &str| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let limit = read("/sys/fs/cgroup/memory.max")?;
    Some((limit, read("/sys/fs/cgroup/memory.current").unwrap_or(0)))
}

/// Measures the largest resident size of this process from [`Peak::start`] on.
#[derive(Debug)]
pub struct Peak(());

impl Peak {
    /// Forgets what was before; none where the system cannot.
    pub fn start() -> Option<Self> {
        fs::write("/proc/self/clear_refs", "5").ok()?;
        Some(Self(()))
    }

    /// The largest size since then, in bytes.
    pub fn bytes(&self) -> Option<u64> {
        kilobytes(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
    }
}

/// The number behind `key` in a table of kilobytes, in bytes.
fn kilobytes(table: &str, key: &str) -> Option<u64> {
    let line = table.lines().find_map(|line| line.strip_prefix(key))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
