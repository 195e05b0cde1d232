//! How much memory a stage may take.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::Error;

/// An upper bound on the memory that one stage may allocate, in bytes, and the bound by
/// which algorithms are selected.
///
/// Stages whose memory grows faster than their input estimate it before they allocate,
/// and fail with [`Error::Memory`] and both numbers if the estimate exceeds the bound.
/// Where several algorithms solve one problem, the faster ones with more memory, the
/// selection depends on an explicit limit ([`MemoryLimit::new`]). Memory that happens to
/// be free ([`MemoryLimit::free`]) does not influence the selection, so it can refuse a
/// fit but cannot change its result. The default is an explicit limit of 4 GB.
///
/// Estimates are within a quarter of the memory that a fit takes with two threads. Each further thread
/// takes some memory of its own, and so does the system's allocator for it: about 4 MB in fits of
/// conformal eigenmaps with estimates of 23 to 49 MB (measured with up to sixteen threads). Where the
/// memory per thread grows with the points (searches of neighbors, and fits that search), estimates
/// include it for every thread. A limit can then refuse a fit with more threads, but it does not
/// change the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MemoryLimit {
    /// The bound above which a stage is refused.
    pub bytes: u64,
    /// The bound by which algorithms are selected.
    selecting: u64,
    /// The bytes that stay allocated during a stage.
    #[serde(skip)]
    held: u64,
}

/// The default, in bytes.
const DEFAULT: u64 = 4_000_000_000;

impl MemoryLimit {
    /// No bound at all: the caller answers for the machine.
    pub const UNLIMITED: Self = Self::new(u64::MAX);

    /// An explicit limit: algorithms that need more are not selected, and stages that
    /// need more are refused.
    pub const fn new(bytes: u64) -> Self {
        Self { bytes, selecting: bytes, held: 0 }
    }

    /// Memory that is free at present: stages that need more are refused; algorithms
    /// are selected as by the default limit.
    ///
    /// ```
    /// use embedding::MemoryLimit;
    /// let free = MemoryLimit::free(1_000_000_000);
    /// assert!(free.selects(3_000_000_000) && free.allow("a factor", 3_000_000_000, "").is_err());
    /// assert!(!MemoryLimit::new(1_000_000_000).selects(3_000_000_000));
    /// ```
    pub const fn free(bytes: u64) -> Self {
        Self { bytes, selecting: DEFAULT, held: 0 }
    }

    /// Whether algorithms are selected by the bound itself, so that no other one is selected by
    /// setting it explicitly.
    ///
    /// ```
    /// use embedding::MemoryLimit;
    /// assert!(MemoryLimit::new(1000).is_explicit() && !MemoryLimit::free(1000).is_explicit());
    /// ```
    pub const fn is_explicit(self) -> bool {
        self.selecting == self.bytes
    }

    /// The limit of a stage during which `held` bytes stay allocated.
    ///
    /// ```
    /// use embedding::{Error, MemoryLimit};
    /// let limit = MemoryLimit::new(1000).beside(300).beside(100);
    /// assert!(limit.selects(600) && limit.allow("a factor", 600, "").is_ok());
    /// let refused = limit.allow("a factor", 601, "");
    /// assert!(!limit.selects(601) && matches!(refused, Err(Error::Memory { needed: 1001, allowed: 1000, .. })));
    /// ```
    pub const fn beside(self, held: u64) -> Self {
        Self { held: self.held.saturating_add(held), ..self }
    }

    /// Whether an algorithm that needs `needed` bytes may be selected; it may be refused
    /// by [`MemoryLimit::allow`] nevertheless.
    pub const fn selects(self, needed: u64) -> bool {
        needed.saturating_add(self.held) <= self.selecting
    }

    /// The bound by which algorithms of a stage are selected, in bytes.
    pub const fn selecting(self) -> u64 {
        self.selecting.saturating_sub(self.held)
    }

    /// Fails when `needed` bytes, together with the bytes that stay allocated, exceed the bound.
    pub fn allow(
        self,
        stage: impl Into<Cow<'static, str>>,
        needed: u64,
        advice: &'static str,
    ) -> Result<(), Error> {
        let needed = needed.saturating_add(self.held);
        if needed > self.bytes {
            return Err(Error::Memory { stage: stage.into(), needed, allowed: self.bytes, advice });
        }
        Ok(())
    }
}

impl Default for MemoryLimit {
    fn default() -> Self {
        Self::new(DEFAULT)
    }
}
