//! Parallel execution of one small problem per point, with reused workspace.

use embedding::implement::proceed;
use embedding::{Error, Observer};
use rayon::prelude::*;

/// Points processed between checks for cancellation.
const BLOCK: usize = 2048;

/// Runs `work(scratch, i, item)` for every item. Workspace is allocated once per thread
/// and range of points, not per point; the error of the lowest index is returned, at any number of threads.
pub(crate) fn each_point<T: Send, S>(
    items: &mut [T],
    observer: &dyn Observer,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize, &mut T) -> Result<(), Error> + Sync,
) -> Result<(), Error> {
    let total = items.len();
    let mut done = 0;
    for block in items.chunks_mut(BLOCK) {
        let failure = block
            .par_iter_mut()
            .with_min_len(64)
            .enumerate()
            .map_init(&scratch, |memory, (at, item)| work(memory, done + at, item).err().map(|e| (at, e)))
            .flatten()
            .min_by_key(|failure| failure.0);
        if let Some((_, error)) = failure {
            return Err(error);
        }
        done += block.len();
        proceed(observer, done, total)?;
    }
    Ok(())
}

/// Splits an array into consecutive slices of the given lengths.
pub(crate) fn cut<T>(mut flat: &mut [T], lengths: impl Iterator<Item = usize>) -> Vec<&mut [T]> {
    lengths
        .map(|length| {
            let (head, tail) = std::mem::take(&mut flat).split_at_mut(length);
            flat = tail;
            head
        })
        .collect()
}
