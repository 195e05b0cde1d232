//! Eigenpairs of matrices so small that a library call would cost more than the work.

/// All eigenpairs of a symmetric matrix by cyclic Jacobi rotations.
///
/// `a` is m × m and becomes diagonal: a[j m + j] is the eigenvalue whose vector
/// is row j of `v`. Rows of `v` are orthonormal also where values coincide or
/// vanish. Eigenvalues are exact to a few eps · tr A for semidefinite A.
/// O(m³) per sweep, about six sweeps; no memory.
pub(crate) fn eigen(a: &mut [f64], v: &mut [f64], m: usize) {
    debug_assert!(a.len() == m * m && v.len() == m * m);
    v.fill(0.0);
    (0..m).for_each(|j| v[j * m + j] = 1.0);
    // A twentieth of a unit in the last place of the trace: below it a rotation
    // changes nothing.
    let negligible = 1e-17 * (0..m).map(|j| a[j * m + j].abs()).sum::<f64>();
    for _ in 0..SWEEPS {
        let mut rotated = false;
        for p in 0..m {
            for q in p + 1..m {
                let apq = a[p * m + q];
                if apq.abs() <= negligible {
                    continue;
                }
                rotated = true;
                let theta = 0.5 * (a[q * m + q] - a[p * m + p]) / apq;
                let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
                let c = 1.0 / t.hypot(1.0);
                rotate_rows(a, m, p, q, c, t * c);
                for row in a.chunks_exact_mut(m) {
                    (row[p], row[q]) = (c * row[p] - t * c * row[q], t * c * row[p] + c * row[q]);
                }
                a[p * m + q] = 0.0;
                a[q * m + p] = 0.0;
                rotate_rows(v, m, p, q, c, t * c);
            }
        }
        if !rotated {
            break;
        }
    }
}

/// Convergence is quadratic; more than ten sweeps have not been seen.
const SWEEPS: usize = 40;

fn rotate_rows(a: &mut [f64], m: usize, p: usize, q: usize, c: f64, s: f64) {
    let (head, tail) = a.split_at_mut(q * m);
    for (x, y) in head[p * m..(p + 1) * m].iter_mut().zip(&mut tail[..m]) {
        (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
    }
}

#[cfg(test)]
mod tests {
    use super::eigen;

    /// A V = V Λ and V orthonormal, for full rank, rank one, and multiples of the identity.
    #[test]
    fn the_defining_identities_hold() {
        for m in 1..15 {
            for kind in 0..3 {
                let entry = |i: usize, j: usize| match kind {
                    0 => 1.0 / (i + j + 1) as f64 + if i == j { 1.0 / (i + 1) as f64 } else { 0.0 },
                    1 => ((i + 1) * (j + 1)) as f64,
                    _ => f64::from(u8::from(i == j)) * 3.0,
                };
                let original: Vec<f64> = (0..m * m).map(|e| entry(e / m, e % m)).collect();
                let (mut a, mut v) = (original.clone(), vec![0.0; m * m]);
                eigen(&mut a, &mut v, m);
                let trace: f64 = (0..m).map(|j| original[j * m + j]).sum();
                for j in 0..m {
                    let vj = &v[j * m..(j + 1) * m];
                    for i in 0..m {
                        let image: f64 = (0..m).map(|l| original[i * m + l] * vj[l]).sum();
                        assert!((image - a[j * m + j] * vj[i]).abs() < 1e-14 * trace);
                        let inner: f64 = (0..m).map(|l| v[i * m + l] * vj[l]).sum();
                        assert!((inner - f64::from(u8::from(i == j))).abs() < 1e-14);
                    }
                }
            }
        }
    }
}
