//! Catalog of all data sets.

use std::sync::LazyLock;

use embedding::Error;

#[cfg(feature = "bundled")]
use crate::bundled;
use crate::{Dataset, Info, Request, pictures, suggestion, synthetic};

/// Returns all data sets, generators first.
pub fn list() -> &'static [Info] {
    static LIST: LazyLock<Vec<Info>> = LazyLock::new(|| {
        let all = synthetic::LIST.into_iter().chain(pictures::LIST);
        #[cfg(feature = "bundled")]
        let all = all.chain(bundled::LIST);
        all.cloned().collect()
    });
    &LIST
}

/// Returns the data sets that demonstrate a failure; each states the expected failure in
/// [`failure`](Info::failure).
pub fn failures() -> impl Iterator<Item = &'static Info> {
    list().iter().filter(|info| info.failure.is_some())
}

/// Returns the entry of a name; an unknown name is an error with a suggestion.
pub fn find(name: &str) -> Result<&'static Info, Error> {
    list().iter().find(|info| info.name == name).ok_or_else(|| {
        let known: Vec<&str> = list().iter().map(|info| info.name).collect();
        Error::parameter("the data set", suggestion::one_of(name, &known), format!("`{name}`"))
    })
}

/// Creates or reads a data set by name.
///
/// Fails, always before any computation, if the name is unknown, if n is 0 or exceeds the points available,
/// if the noise is negative, if a set of fixed size is given a scale, or if the points would exceed the
/// memory limit.
pub fn load(name: &str, request: &Request) -> Result<Dataset, Error> {
    find(name)?.load(request)
}

/// Creates or reads `n` points of a data set without noise; short for [`load`].
pub fn generate(name: &str, n: usize, seed: u64) -> Result<Dataset, Error> {
    load(name, &Request { n: Some(n), seed, ..Request::default() })
}
