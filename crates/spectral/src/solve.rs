//! Linear systems with a sparse positive definite matrix.

use embedding::{Error, MemoryLimit};
use faer::{Mat, MatRef};

use crate::Sparse;
use crate::symbolic::Symbolic;

/// Solves A X = `rhs` for a sparse symmetric positive definite A, both triangles stored;
/// returns `None` if a pivot is not positive.
///
/// One Cholesky factorization with a fill-reducing order, whose size is computed and
/// compared with the limit before it is allocated; one solve per column; one step of
/// iterative refinement.
pub fn solve_sparse(
    matrix: &Sparse,
    rhs: MatRef<'_, f64>,
    memory_limit: MemoryLimit,
) -> Result<Option<Mat<f64>>, Error> {
    let symbolic = Symbolic::new(matrix)?;
    let needed = symbolic.as_ref().map_or(u64::MAX, Symbolic::bytes::<f64>);
    memory_limit.allow("the Cholesky factor of a sparse system", needed, "use fewer neighbors or points")?;
    let Some(factor) = symbolic.as_ref().and_then(|symbolic| symbolic.factor::<f64>(matrix, 0.0)) else {
        return Ok(None);
    };
    let mut x = rhs.to_owned();
    factor.solve(x.as_mut());
    let mut rest = Mat::zeros(rhs.nrows(), rhs.ncols());
    matrix.apply(x.as_ref(), rest.as_mut());
    rest = rhs - rest;
    factor.solve(rest.as_mut());
    Ok(Some(x + rest))
}
