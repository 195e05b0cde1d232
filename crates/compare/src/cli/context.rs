//! What all commands share.

use embedding::MemoryLimit;

use super::options::global::GlobalOptions;
use crate::progress::Progress;
use crate::{Failure, memory};

/// The memory limit and the progress display of a command.
pub(super) struct Context {
    pub(super) memory: MemoryLimit,
    pub(super) progress: Progress,
}

impl Context {
    /// Starts the threads and the display. Fails where the threads cannot be started.
    pub(super) fn new(options: &GlobalOptions) -> Result<Self, Failure> {
        if let Some(threads) = options.threads {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads.get())
                .build_global()
                .map_err(|error| Failure::usage(format!("{threads} threads cannot be started: {error}")))?;
        }
        let memory = options.memory_limit.unwrap_or_else(memory::default_limit);
        Ok(Self { memory, progress: Progress::new() })
    }
}
