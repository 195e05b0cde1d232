//! Smallest eigenpairs of a sparse positive semidefinite matrix.

use embedding::{Error, MemoryLimit, Observer};
use faer::Mat;

use crate::extra_eigenvalues::report_spectrum;
use crate::factor::Factor;
use crate::gram_operator::{GramOperator, Negative};
use crate::krylov::{self, Demand, Goal, relative, worst};
use crate::progress::Progress;
use crate::real::Real;
use crate::symbolic::Symbolic;
use crate::{Pairs, Solver, Sparse, Tolerance, block, canonical_signs, dense, orthonormal};

mod filtered;
mod incomplete;
mod projected;
mod shift_invert;

use filtered::Begun;
use projected::Projected;

/// An eigenproblem: the matrix M, its known null vectors, the pairs wanted, and the
/// tolerance and memory limit.
#[derive(Clone, Copy, Debug)]
pub struct Smallest<'a> {
    /// M: symmetric positive semidefinite, both triangles stored.
    pub matrix: &'a Sparse,
    /// B with M = BᵀB, if known: eigenvalues and residuals are then computed from B,
    /// which keeps tiny eigenvalues accurate.
    pub factor: Option<&'a Sparse>,
    /// Orthonormal null vectors to deflate, n × z; usually the constant 1/√n.
    pub null: &'a Mat<f64>,
    /// Number of eigenpairs.
    pub count: usize,
    /// Required residual and largest number of iterations.
    pub tolerance: Tolerance,
    /// Largest memory of a factorization: an explicit limit selects the algorithm, free
    /// memory only refuses it.
    pub memory_limit: MemoryLimit,
}

/// Up to this order the full decomposition is used.
const DENSE: usize = 250;

/// Operations per row of an exact factorization above which incomplete factors are tried
/// first.
const CHEAP: f64 = 3e6;

/// The advice of a refusal: an explicit limit selects another algorithm, unless the limit is explicit
/// already.
fn less(limit: MemoryLimit) -> &'static str {
    if limit.is_explicit() {
        "use fewer points or neighbors, or allow more memory"
    } else {
        "set an explicit memory limit, which selects an algorithm that needs less memory, or use fewer \
         points or neighbors"
    }
}

/// Computes the `count` smallest eigenpairs of M on the complement of the null vectors,
/// in ascending order.
///
/// The null vectors are projected out, not dropped by position, so they cannot mix with
/// the eigenvectors of small eigenvalues. The algorithm depends on n and on the memory
/// that a sparse Cholesky factor L of M would take, which the pattern of M determines
/// ([`solving_bytes`]):
///
/// 1. **Dense**, for small n or if `count` is a large fraction of n: the full
///    decomposition. O(n³) time, O(n²) memory.
/// 2. **Shift-invert**, if L fits the explicit limit: block Krylov iteration on the projected
///    inverse of M + σ I with σ about 10⁻¹³ of the mean diagonal (ten times that and more
///    if a pivot or the residual of a probe fails), then one step of inverse iteration and
///    Rayleigh–Ritz on M itself. Few solves, each O(stored values of L); residuals reach
///    rounding level. Subtrees of the elimination tree are factorized and solved in
///    parallel. Eigenvalues near rounding level (clusters that single edges join) give the inverse so
///    large a norm that its rounding errors exceed the tolerance for the other pairs. Where a residual
///    for M shows it, or half of `tolerance.applications()` is used up, the pairs are polished: block
///    Davidson iteration on M, preconditioned by a second factor, of M + λ I with the largest wanted λ.
///    Polishing takes one more factorization, and a product with M and a solve per application.
/// 3. **Incomplete**, if B is square and an exact factor would take more than some 10⁶
///    operations per row (neighborhoods of intrinsically high-dimensional data): block
///    Davidson iteration on M, preconditioned by incomplete triangular factors of B. If it
///    does not converge, one of the other algorithms is used.
/// 4. **Preconditioned**, if only a factor in single precision fits: block Davidson
///    iteration on M, preconditioned by such a factor of M + 10⁻⁵ of its mean diagonal.
///    Converges unless the wanted eigenvalues are many orders of magnitude below that
///    shift.
/// 5. **Filtered**, if no factor fits, or if it finds the pairs in a quarter of the time that
///    the operations of the factorization predict (graphs of high-dimensional data, whose
///    factor is large and whose eigenvalues are far apart). Where all points are within n^(1/4)
///    steps of the first one, products are tried before that prediction, in a quarter of the time of
///    a dense factorization of n/8 columns, 500 at most. Block Krylov iteration on
///    Chebyshev polynomials of M. O(stored) per product; the number of products grows with
///    (|M| / gap)^½.
///
/// Each pair's residual |M v − λ v|, through B where it is given, is computed in the end and
/// at most `tolerance.residual()` |M|. To distinguish eigenvalues far below
/// `tolerance.residual()` |M|, the pairs from algorithms 3 to 5 have residuals of at most 10⁻³
/// λ (or at rounding level). So have polished pairs. The other pairs from algorithm 2 have residuals for
/// the inverse of at most `tolerance.residual()` of its eigenvalue (where rounding forbids that, of at
/// most 10⁻³ of it). `tolerance.applications()` bounds the solves with a block, or a hundredth of the
/// products with M in 5.
///
/// Fails if `count` is 0 or exceeds n − z, if a pair misses the tolerance, if no algorithm fits the memory
/// limit, if the selected one exceeds the free memory, if M is not finite or clearly not positive
/// semidefinite, or if the observer cancels. If an iteration fails that the memory limit selected, the
/// error states the memory of a factor.
///
/// ```
/// use embedding::{MemoryLimit, Silent};
/// use spectral::{Smallest, Sparse, Tolerance, smallest};
/// // The incidence matrix of a path of three points; BᵀB is its Laplacian.
/// let b = Sparse::from_rows(3, vec![vec![(0, -1.0), (1, 1.0)], vec![(1, -1.0), (2, 1.0)]])?;
/// let null = faer::Mat::from_fn(3, 1, |_, _| 1.0 / 3f64.sqrt());
/// let problem = Smallest {
///     matrix: &b.gram(),
///     factor: Some(&b),
///     null: &null,
///     count: 2,
///     tolerance: Tolerance::default(),
///     memory_limit: MemoryLimit::default(),
/// };
/// let pairs = smallest(problem, &Silent)?;
/// assert!((pairs.values[0] - 1.0).abs() < 1e-12 && (pairs.values[1] - 3.0).abs() < 1e-12);
/// # Ok::<(), embedding::Error>(())
/// ```
pub fn smallest(problem: Smallest<'_>, observer: &dyn Observer) -> Result<Pairs, Error> {
    let Smallest { matrix, null, count, tolerance, .. } = problem;
    let (n, z) = (matrix.nrows(), null.ncols());
    if count == 0 || count + z > n {
        let most = format!("between 1 and {}", n.saturating_sub(z));
        return Err(Error::parameter("the number of eigenpairs", most, count));
    }
    let mut progress = Progress::new(observer)?;
    let norm = matrix.norm_bound();
    if !norm.is_finite() {
        return Err(Error::degenerate(
            "the matrix of an eigenproblem has non-finite entries",
            "check the scale of the data",
        ));
    }
    let form = GramOperator::new(matrix, problem.factor);
    let setting = Setting { problem, form: &form, norm };
    let found = if norm == 0.0 {
        let any = orthonormal::complement(block::random(n, count, 0), &[null.as_ref()]);
        Found { vectors: any, solver: Solver::Dense, applications: 0 }
    } else if n <= DENSE.max(3 * krylov::widths(count).1) {
        setting.full()?
    } else {
        match setting.begin(&mut progress)? {
            Some(iteration) if iteration.converged() => iteration.found(),
            begun => {
                let (symbolic, begun) = setting.analyze(begun, &mut progress)?;
                setting.sparse(symbolic.as_ref(), begun, &mut progress)?
            }
        }
    };
    let mut pairs = setting.pairs(found.vectors)?;
    (pairs.solver, pairs.applications) = (found.solver, found.applications);
    let residual = worst(&pairs.residuals, |_| 1.0);
    if residual.is_nan() || residual > tolerance.residual() {
        return Err(missed(residual, tolerance.residual(), pairs.applications));
    }
    report_spectrum(observer, &pairs.values, n - z, |count, observer| {
        let known = |i, j| if j < z { null[(i, j)] } else { pairs.vectors[(i, j - z)] };
        let null = Mat::from_fn(n, z + pairs.values.len(), known);
        Ok(smallest(Smallest { null: &null, count, ..problem }, observer)?.values)
    })?;
    progress.finish()?;
    Ok(pairs)
}

/// Returns the memory of solving an eigenproblem with a factor of M in double precision, in
/// bytes: [`factor_bytes`], the matrices, and the basis of the iteration.
///
/// [`smallest`] factorizes if this memory, together with the bytes that stay allocated meanwhile
/// ([`MemoryLimit::beside`]), fits its memory limit.
pub fn solving_bytes(problem: &Smallest<'_>) -> Result<u64, Error> {
    Ok(Symbolic::new(problem.matrix)?.map_or(u64::MAX, |symbolic| problem.exact_bytes(&symbolic)))
}

/// Returns the memory of factorizing `matrix` in double precision, in bytes, computed
/// from its pattern; O(stored) memory. Measured peak memory on two
/// threads is within a quarter of it; with more threads the system's allocator retains
/// more freed memory (for the Laplacian of a cube of 38³ points, sixteen threads took 1.5
/// times as much).
pub fn factor_bytes(matrix: &Sparse) -> Result<u64, Error> {
    Ok(Symbolic::new(matrix)?.map_or(u64::MAX, |symbolic| symbolic.bytes::<f64>()))
}

struct Setting<'a> {
    problem: Smallest<'a>,
    form: &'a GramOperator<'a>,
    norm: f64,
}

struct Found {
    vectors: Mat<f64>,
    solver: Solver,
    applications: usize,
}

impl Smallest<'_> {
    /// The memory of an iteration with an exact factor.
    fn exact_bytes(&self, symbolic: &Symbolic) -> u64 {
        symbolic.bytes::<f64>() + self.iteration_bytes()
    }

    /// The memory of an iteration preconditioned by a factor in single precision.
    fn preconditioned_bytes(&self, symbolic: &Symbolic) -> u64 {
        symbolic.bytes::<f32>() + self.products_bytes()
    }

    /// The memory of an iteration by products with M. Products with B also need the images, which count
    /// twice: they are copied row by row.
    fn products_bytes(&self) -> u64 {
        let images = self.factor.map_or(0, |b| 2 * b.nrows() * (self.count + krylov::widths(self.count).0));
        self.iteration_bytes() + (images * size_of::<f64>()) as u64
    }

    /// The memory of the matrices of the problem and the basis of an iteration. M counts
    /// twice: it is assembled from parts of its own size, and common allocators keep the freed
    /// memory of the parts. B counts twice, too: its transpose is computed.
    fn iteration_bytes(&self) -> u64 {
        let Smallest { matrix, factor, .. } = self;
        2 * (matrix.bytes() + factor.map_or(0, Sparse::bytes)) + self.basis_bytes()
    }

    /// The memory of the basis of an iteration, with its images and a block of workspace.
    fn basis_bytes(&self) -> u64 {
        let (width, capacity) = krylov::widths(self.count);
        8 * (self.null.nrows() * (2 * capacity + 6 * width)) as u64
    }
}

impl Setting<'_> {
    /// Full decomposition, with the null vectors shifted to the top of the spectrum.
    fn full(&self) -> Result<Found, Error> {
        let Smallest { matrix, null, count, .. } = self.problem;
        let mut a = matrix.to_dense();
        a += faer::Scale(2.0 * self.norm) * dense::product(null.as_ref(), null.transpose());
        let (_, vectors) = dense::symmetric_eigen(a.as_ref())?;
        Ok(Found { vectors: vectors.get(.., ..count).to_owned(), solver: Solver::Dense, applications: 1 })
    }

    /// The pairs of [`ritz`], with residuals relative to the norm.
    fn pairs(&self, vectors: Mat<f64>) -> Result<Pairs, Error> {
        let mut pairs = ritz(self.form, self.problem.null, vectors)?;
        relative(&mut pairs.residuals, self.norm);
        Ok(pairs)
    }

    /// Whether there is a B as large as M.
    fn is_square(&self) -> bool {
        self.problem.factor.is_some_and(|b| b.nrows() == b.ncols())
    }

    /// Selects and runs one of the algorithms for large sparse matrices.
    fn sparse(
        &self,
        symbolic: Option<&Symbolic>,
        begun: Begun<'_, '_>,
        progress: &mut Progress<'_>,
    ) -> Result<Found, Error> {
        let limit = self.problem.memory_limit;
        let exact = symbolic.filter(|symbolic| limit.selects(self.problem.exact_bytes(symbolic)));
        if self.is_square() {
            let cheap = CHEAP * self.problem.matrix.nrows() as f64;
            if let Some(symbolic) = exact.filter(|symbolic| symbolic.operations() <= cheap) {
                return self.shift_invert(symbolic, progress);
            }
            if let Some(found) = self.incomplete(progress)? {
                return Ok(found);
            }
        }
        let attempt =
            symbolic.map(|symbolic| self.attempt(symbolic.operations(), begun, progress)).transpose()?;
        if let Some(found) = attempt.flatten() {
            return Ok(found);
        }
        if let Some(symbolic) = exact {
            return self.shift_invert(symbolic, progress);
        }
        let single = symbolic.filter(|symbolic| limit.selects(self.problem.preconditioned_bytes(symbolic)));
        let found = match single {
            Some(symbolic) => self.preconditioned(symbolic, progress),
            None => self.filtered(symbolic, progress),
        };
        found.map_err(|error| self.without_factor(symbolic, error))
    }

    /// A failure to converge of an iteration that the memory limit selected, with the memory of the
    /// factor that would have been computed.
    fn without_factor(&self, symbolic: Option<&Symbolic>, error: Error) -> Error {
        let allowed = |symbolic| self.problem.memory_limit.allow("", self.problem.exact_bytes(symbolic), "");
        let Some(Err(Error::Memory { needed, .. })) = symbolic.map(allowed) else { return error };
        match error {
            Error::NoConvergence { what, residual, tolerance, iterations, factor: None, advice } => {
                Error::NoConvergence { what, residual, tolerance, iterations, factor: Some(needed), advice }
            }
            other => other,
        }
    }

    /// Block Davidson iteration on −M, preconditioned by a factor in single precision.
    fn preconditioned(&self, symbolic: &Symbolic, progress: &mut Progress<'_>) -> Result<Found, Error> {
        let Smallest { null, count, tolerance, memory_limit, .. } = self.problem;
        let needed = self.problem.preconditioned_bytes(symbolic);
        memory_limit.allow("a sparse Cholesky factor in single precision", needed, less(memory_limit))?;
        let inverse = Projected { inverse: self.factorize::<f32>(symbolic, 1e-5)?, null };
        let (goal, applications) = (Goal::Distinct(tolerance.residual()), tolerance.applications());
        let demand = Demand { count, goal, applications };
        let mut report = |excess| progress.report(excess, tolerance.residual());
        let minus = Negative(self.form);
        let found = krylov::leading(&minus, Some(&inverse), null.as_ref(), None, demand, &mut report)?;
        if found.excess > 1.0 {
            return Err(indistinct(found.excess, found.applications));
        }
        let vectors = found.vectors.get(.., ..count).to_owned();
        Ok(Found { vectors, solver: Solver::Preconditioned, applications: found.applications })
    }

    /// Returns the factor of M + σ I for the first σ, from `fraction` of the mean
    /// diagonal upward, for which every pivot is positive and a probe solves accurately.
    fn factorize<'p, T: Real>(&self, symbolic: &'p Symbolic, fraction: f64) -> Result<Factor<'p, T>, Error> {
        let matrix = self.problem.matrix;
        let mut shift = fraction * matrix.trace() / matrix.nrows() as f64;
        for _ in 0..6 {
            let factor = symbolic.factor::<T>(matrix, shift);
            if let Some(factor) = factor.filter(|f| f.probe(matrix, shift, self.norm) <= T::SOUND) {
                return Ok(factor);
            }
            shift *= 10.0;
        }
        Err(Error::degenerate(
            "the matrix of an eigenproblem is not positive semidefinite",
            "check the scale of the data",
        ))
    }
}

/// The advice where the pairs of a matrix of a graph do not converge: groups of points with few edges
/// between them, and many pairs, have close eigenvalues.
const CLOSE: &str = "use more neighbors or fewer dimensions, embed nearly separate groups of points by \
                     themselves, or loosen the tolerance";

fn missed(residual: f64, tolerance: f64, iterations: usize) -> Error {
    let what = "the trailing eigenpairs";
    Error::NoConvergence { what, residual, tolerance, iterations, factor: None, advice: CLOSE }
}

fn indistinct(excess: f64, iterations: usize) -> Error {
    let what = "the trailing eigenpairs (relative to their eigenvalues)";
    let tolerance = krylov::DISTINCT;
    let residual = excess * tolerance;
    Error::NoConvergence { what, residual, tolerance, iterations, factor: None, advice: CLOSE }
}

/// Rayleigh–Ritz on the span of `vectors`, in ascending order, with canonical signs and
/// computed residuals, not yet divided by the norm.
fn ritz(form: &GramOperator<'_>, null: &Mat<f64>, vectors: Mat<f64>) -> Result<Pairs, Error> {
    let x = orthonormal::complement(vectors, &[null.as_ref()]);
    let (small, _) = form.quadratic(&x);
    let (_, rotation) = dense::symmetric_eigen(small.as_ref())?;
    let mut x = block::product(x.as_ref(), rotation.as_ref());
    canonical_signs(x.as_mut());
    let (small, image) = form.quadratic(&x);
    let values: Vec<f64> = (0..x.ncols()).map(|j| small[(j, j)].max(0.0)).collect();
    let residuals = block::residuals(image.as_ref(), x.as_ref(), &values);
    Ok(Pairs { values, vectors: x, residuals, solver: Solver::Dense, applications: 0 })
}

#[cfg(test)]
mod tests;
