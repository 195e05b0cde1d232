//! Optimizations on the threads of the pool.

/// Runs an optimization on a thread of the pool. Started from another thread, each of its many short parallel
/// loops would wait for a thread of the pool to wake.
pub fn on_pool<T: Send>(optimize: impl FnOnce() -> T + Send) -> T {
    rayon::scope(|_| optimize())
}
