//! `--threads` and `--memory-limit`, which every command has.

use std::num::NonZeroUsize;

use clap::Args;
use embedding::MemoryLimit;
use embedding::implement::Value;

use super::values::whole;

/// Options before or after the name of a command.
#[derive(Args)]
#[group(skip)]
pub(in crate::cli) struct GlobalOptions {
    /// Number of threads [default: one per processor]
    #[arg(long, global = true, value_name = "N", value_parser = whole::<NonZeroUsize>)]
    pub(in crate::cli) threads: Option<NonZeroUsize>,
    /// Memory limit of a stage, such as 2GB; also selects among algorithms [default: a
    /// fraction of the available memory, which only refuses]
    #[arg(long, global = true, value_name = "SIZE", value_parser = memory_limit)]
    pub(in crate::cli) memory_limit: Option<MemoryLimit>,
}

fn memory_limit(text: &str) -> Result<MemoryLimit, String> {
    MemoryLimit::read(text)
        .ok_or_else(|| "must be bytes, or a number with kB, MB, GB or TB, or unlimited".to_owned())
}
