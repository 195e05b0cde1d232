//! Estimated peak memory of a fit with a spectral start against the memory a process takes. The
//! only test of this executable, so that no other test is measured.

use testkit::memory::{self, Explicit, FACTOR, Fitting, LEAST, SINGLE};
use umap::{Densmap, Umap};

const CASES: [Fitting; 4] = [
    (60_000, 2, || Box::new(quick()), FACTOR),
    (8_000, 3, || Box::new(quick()), FACTOR),
    (30_000, 2, || Box::new(Densmap { umap: quick(), ..Densmap::default() }), FACTOR),
    (15_000, 40, || Box::new(quick()), "the layout"),
];

const SHEETS: [Fitting; 2] =
    [(8_000, 100, || Box::new(quick()), "the layout"), (4_000, 800, || Box::new(quick()), "the layout")];

const BASIS: &str = "the basis of a filtered eigenproblem";

const EXPLICIT: [Explicit; 3] = [
    ((10_000, 2, || Box::new(quick()), BASIS), LEAST),
    ((8_000, 3, || Box::new(quick()), SINGLE), 22_000_000),
    ((10_000, 2, || Box::new(Densmap { umap: quick(), ..Densmap::default() }), BASIS), LEAST),
];

fn quick() -> Umap {
    Umap { epochs: Some(5), ..Umap::default() }
}

#[test]
fn a_fit_takes_the_memory_estimated_and_is_refused_below() {
    memory::methods_estimate_memory("UMAP_START_MEMORY_CASE", &CASES, &SHEETS, &EXPLICIT);
}
