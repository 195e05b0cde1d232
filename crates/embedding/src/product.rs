//! Products of matrices, on the calling thread.
//!
//! The kernels of faer leave the upper halves of vector registers in use. Some processors then
//! execute code that was compiled without these registers more slowly, above all where it calls
//! functions that were compiled with them: after a product of 64 × 64 matrices, `exp` took 119
//! ns instead of 4 ns (Xeon with AVX-512). So every product here ends with
//! [`release_registers`], and the other crates call faer's products nowhere else.

use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::traits::RealField;
use faer::{Accum, MatMut, MatRef, Par};

/// Computes `out` ← β `out` + α A B, with β given by `accumulate`. O(m k n).
pub fn multiply<T: RealField>(
    out: MatMut<'_, T>,
    accumulate: Accum,
    a: MatRef<'_, T>,
    b: MatRef<'_, T>,
    alpha: T,
) {
    matmul(out, accumulate, a, b, alpha, Par::Seq);
    release_registers();
}

/// The same for the lower triangle of a square `out`; the rest of it keeps its values.
pub fn multiply_lower<T: RealField>(
    out: MatMut<'_, T>,
    accumulate: Accum,
    a: MatRef<'_, T>,
    b: MatRef<'_, T>,
    alpha: T,
) {
    use BlockStructure::{Rectangular, TriangularLower};
    triangular::matmul(out, TriangularLower, accumulate, a, Rectangular, b, Rectangular, alpha, Par::Seq);
    release_registers();
}

/// Tells the processor that the upper halves of this thread's vector registers are no longer in
/// use; to be called after decompositions and solves of faer.
pub fn release_registers() {
    #[cfg(target_arch = "x86_64")]
    {
        use std::sync::LazyLock;

        use faer::traits::pulp::x86::V3;

        static WIDE: LazyLock<Option<V3>> = LazyLock::new(V3::try_new);
        if let Some(wide) = *WIDE {
            wide.avx._mm256_zeroupper();
        }
    }
}
