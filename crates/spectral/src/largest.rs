//! Leading eigenpairs of a symmetric operator.

use embedding::{Error, Observer};
use faer::Mat;

use crate::extra_eigenvalues::report_spectrum;
use crate::krylov::{self, Demand, Goal, Leading, relative, worst};
use crate::progress::Progress;
use crate::{Operator, Pairs, Solver, Tolerance, block, canonical_signs, dense};

/// Up to this order the full decomposition is used.
const DENSE: usize = 300;

/// Computes the `count` algebraically largest eigenpairs A v = λ v of a symmetric
/// operator, in descending order.
///
/// These need not be the pairs of largest magnitude: a doubly centered matrix of squared
/// geodesic distances can have negative eigenvalues of large magnitude, which embeddings
/// do not use.
///
/// 1. **Dense**, for small n or if `count` is a large fraction of n: the operator is
///    applied to the identity and the resulting matrix is decomposed. O(n³) time, O(n²)
///    memory.
/// 2. **Block Krylov** otherwise: Rayleigh–Ritz on a basis that is extended by the
///    residuals of the unconverged pairs, a few more at a time than requested, and
///    restarted with its leading Ritz vectors when full (Wu and Simon,
///    doi:10.1137/S0895479898334605). The operator is applied to blocks of b ≤ 32 vectors;
///    in addition, each block takes O(n (count + 5 b) (count + b)) time, and the basis
///    with its image 2 n (count + 5 b) numbers.
///
/// The operator is applied once more to the answer: each residual |A v − λ v|
/// is at most `tolerance.residual()` |A|. How many blocks that takes grows with
/// (spread of the spectrum / gap behind the last wanted pair)^½;
/// `tolerance.applications()` bounds it.
///
/// Fails if `count` is 0 or exceeds the order, if the operator returns non-finite values,
/// if a pair misses the tolerance, or if the observer cancels.
///
/// ```
/// use embedding::Silent;
/// use spectral::{DenseOperator, Tolerance, largest};
/// let a = faer::mat![[2.0, 1.0], [1.0, 2.0]];
/// let pairs = largest(&DenseOperator(a.as_ref()), 1, Tolerance::default(), &Silent)?;
/// assert!((pairs.values[0] - 3.0).abs() < 1e-12);
/// assert!((pairs.vectors[(0, 0)] - 0.5f64.sqrt()).abs() < 1e-12);
/// # Ok::<(), embedding::Error>(())
/// ```
pub fn largest(
    operator: &dyn Operator,
    count: usize,
    tolerance: Tolerance,
    observer: &dyn Observer,
) -> Result<Pairs, Error> {
    let n = operator.order();
    if count == 0 || count > n {
        return Err(Error::parameter("the number of eigenpairs", format!("between 1 and {n}"), count));
    }
    let mut progress = Progress::new(observer)?;
    let dense = n <= DENSE.max(3 * krylov::widths(count).1);
    let solver = if dense { Solver::Dense } else { Solver::BlockKrylov };
    let demand = |count| Demand {
        count,
        // Half, so that rounding in the recomputed residual cannot tip the balance.
        goal: Goal::Norm(0.5 * tolerance.residual()),
        applications: tolerance.applications(),
    };
    let Leading { mut values, vectors, norm, applications, .. } = if dense {
        full(operator, count)?
    } else {
        let mut report = |excess| progress.report(excess, tolerance.residual());
        krylov::leading(operator, None, Mat::zeros(n, 0).as_ref(), None, demand(count), &mut report)?
    };
    let behind = values.split_off(count);
    let mut vectors = vectors.get(.., ..count).to_owned();
    canonical_signs(vectors.as_mut());
    let mut image = Mat::zeros(n, count);
    operator.apply(vectors.as_ref(), image.as_mut());
    let mut residuals = block::residuals(image.as_ref(), vectors.as_ref(), &values);
    relative(&mut residuals, norm);
    let residual = worst(&residuals, |_| 1.0);
    if residual.is_nan() || residual > tolerance.residual() {
        return Err(Error::NoConvergence {
            factor: None,
            advice: "use fewer dimensions or a looser tolerance",
            what: "the leading eigenpairs",
            residual,
            tolerance: tolerance.residual(),
            iterations: applications,
        });
    }
    report_spectrum(observer, &values, n, |asked, observer| {
        if dense {
            return Ok(behind);
        }
        let mut pulse = |_| embedding::implement::proceed(observer, 0, 1);
        let found = krylov::leading(operator, None, vectors.as_ref(), None, demand(asked), &mut pulse)?;
        Ok(if found.excess <= 1.0 { found.values } else { Vec::new() })
    })?;
    progress.finish()?;
    Ok(Pairs { values, vectors, residuals, solver, applications })
}

/// Estimates the memory of [`largest`] for `count` pairs of order n, in bytes, and the
/// largest number of vectors to which it applies the operator at one time.
pub fn largest_bytes(n: usize, count: usize) -> (u64, usize) {
    let (block, capacity) = krylov::widths(count);
    if n <= DENSE.max(3 * capacity) {
        // The matrix, the operator's argument, and two matrices of the decomposition.
        return (4 * 8 * (n as u64).pow(2), n);
    }
    // The basis with its image, leading vectors with their residuals, the next block.
    let columns = 2 * capacity + 2 * (count + block) + 2 * block;
    (8 * n as u64 * columns as u64, block)
}

/// Computes the full decomposition of the operator's matrix.
fn full(operator: &dyn Operator, count: usize) -> Result<Leading, Error> {
    let n = operator.order();
    let mut a = Mat::zeros(n, n);
    operator.apply(Mat::<f64>::identity(n, n).as_ref(), a.as_mut());
    let (values, vectors) = dense::leading_eigen(a.as_ref(), count)?;
    let norm = values[0].abs().max(values[n - 1].abs());
    Ok(Leading { norm, values, vectors, excess: 0.0, applications: 1 })
}
