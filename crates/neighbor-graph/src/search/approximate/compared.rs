//! What trees and descent need of points.

use faer::traits::pulp::Simd;

/// Points whose pairs are compared: neighbors have small separations.
pub(super) trait Compared: Sync {
    /// The memory of a thread.
    type Scratch: Send;

    /// An empty memory of a thread.
    fn scratch(&self) -> Self::Scratch;

    /// The number of points.
    fn len(&self) -> usize;

    /// Calls `each` with every other point and its separation from `a`, an increasing function of
    /// their distance.
    fn separations<S: Simd>(
        &self,
        simd: S,
        scratch: &mut Self::Scratch,
        a: u32,
        others: impl Iterator<Item = u32>,
        each: impl FnMut(u32, f32),
    );

    /// The coordinates of the members in a random direction that divides them.
    fn along(&self, members: &[u32], key: u64) -> Vec<f32>;
}
