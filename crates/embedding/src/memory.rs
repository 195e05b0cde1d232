//! How much memory a stage may take.

use serde::{Deserialize, Serialize};

use crate::Error;

/// An upper bound for what one stage may allocate, in bytes.
///
/// Stages whose memory grows faster than their input ask before they allocate,
/// and answer with [`Error::Memory`] and both numbers when refused.
/// The default is 4 GB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MemoryLimit {
    /// The bound.
    pub bytes: u64,
}

impl MemoryLimit {
    /// No bound at all: the caller answers for the machine.
    pub const UNLIMITED: Self = Self { bytes: u64::MAX };

    /// Fails when `needed` bytes exceed the bound.
    pub fn allow(self, stage: &'static str, needed: u64, advice: &'static str) -> Result<(), Error> {
        if needed > self.bytes {
            return Err(Error::Memory { stage, needed, allowed: self.bytes, advice });
        }
        Ok(())
    }
}

impl Default for MemoryLimit {
    fn default() -> Self {
        Self { bytes: 4_000_000_000 }
    }
}
