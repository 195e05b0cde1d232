//! Running on a given number of threads.

/// Runs `work` on a pool of exactly `threads` threads.
pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("a small pool of threads can be built")
        .install(work)
}
