//! Eigendecomposition of very small symmetric matrices, without library call overhead.

use embedding::implement::inner_product;

/// Workspace for decompositions of small symmetric matrices, and the result of the last
/// one.
#[derive(Debug, Default)]
pub(crate) struct Eigen {
    m: usize,
    /// The eigenvalues, unordered.
    pub(crate) values: Vec<f64>,
    /// Row j is the eigenvector of value j.
    vectors: Vec<f64>,
    off: Vec<f64>,
    reflector: Vec<f64>,
    image: Vec<f64>,
}

impl Eigen {
    /// Decomposes the symmetric m × m matrix `a`, which is overwritten.
    ///
    /// Eigenvalues are accurate to a few eps · m |A|; eigenvectors are orthonormal also
    /// for multiple or zero eigenvalues. O(m³): Householder reduction to tridiagonal
    /// form, then QR steps with Wilkinson's shift (Golub and Van Loan, Matrix
    /// Computations, 8.3).
    pub(crate) fn decompose(&mut self, a: &mut [f64], m: usize) {
        assert_eq!(a.len(), m * m);
        self.m = m;
        for list in [&mut self.values, &mut self.off, &mut self.reflector, &mut self.image] {
            list.clear();
            list.resize(m, 0.0);
        }
        self.vectors.clear();
        self.vectors.resize(m * m, 0.0);
        (0..m).for_each(|j| self.vectors[j * m + j] = 1.0);
        self.tridiagonalize(a);
        self.diagonalize();
    }

    pub(crate) fn vector(&self, j: usize) -> &[f64] {
        &self.vectors[j * self.m..(j + 1) * self.m]
    }

    /// Computes QᵀAQ = T with diagonal `values` and off-diagonal `off`; row j of
    /// `vectors` becomes column j of Q.
    fn tridiagonalize(&mut self, a: &mut [f64]) {
        let m = self.m;
        for c in 0..m.saturating_sub(2) {
            let below = c + 1;
            let h = &mut self.reflector[..m - below];
            h.copy_from_slice(&a[c * m + below..(c + 1) * m]);
            let tail = inner_product(&h[1..], &h[1..]);
            if tail == 0.0 {
                continue;
            }
            let head = -h[0].signum() * (h[0] * h[0] + tail).sqrt();
            h[0] -= head;
            let beta = 2.0 / (h[0] * h[0] + tail);
            // A ← A − h wᵀ − w hᵀ with p = β A h, w = p − ½ β (hᵀp) h.
            let p = &mut self.image[..m - below];
            for (value, row) in p.iter_mut().zip(a[below * m..].chunks_exact(m)) {
                *value = beta * inner_product(&row[below..], h);
            }
            let half = 0.5 * beta * inner_product(h, p);
            p.iter_mut().zip(&*h).for_each(|(w, h)| *w -= half * h);
            for ((row, hi), wi) in a[below * m..].chunks_exact_mut(m).zip(&*h).zip(&*p) {
                for ((value, hj), wj) in row[below..].iter_mut().zip(&*h).zip(&*p) {
                    *value -= hi * wj + wi * hj;
                }
            }
            (a[c * m + below], a[below * m + c]) = (head, head);
            // Qᵀ ← (I − β h hᵀ) Qᵀ; its first c + 1 rows and columns are unchanged.
            let sum = &mut self.image[..m];
            sum.fill(0.0);
            for (row, hi) in self.vectors[below * m..].chunks_exact(m).zip(&*h) {
                sum.iter_mut().zip(row).for_each(|(s, v)| *s += beta * hi * v);
            }
            for (row, hi) in self.vectors[below * m..].chunks_exact_mut(m).zip(&*h) {
                row.iter_mut().zip(&*sum).for_each(|(v, s)| *v -= hi * s);
            }
        }
        for j in 0..m {
            self.values[j] = a[j * m + j];
            self.off[j] = if j + 1 < m { a[j * m + j + 1] } else { 0.0 };
        }
    }

    /// Performs shifted QR steps on the unreduced blocks of T, from the last to the
    /// first.
    fn diagonalize(&mut self) {
        let largest = self.values.iter().chain(&self.off).fold(0.0_f64, |l, v| l.max(v.abs()));
        let mut last = self.m - 1;
        // Two steps per eigenvalue are usual.
        for _ in 0..50 * self.m {
            let negligible = |j: usize| {
                let local = self.values[j].abs() + self.values[j + 1].abs();
                self.off[j].abs() <= f64::EPSILON * local.max(0.1 * largest)
            };
            while last > 0 && negligible(last - 1) {
                last -= 1;
            }
            if last == 0 {
                break;
            }
            let first = (0..last).rev().find(|&j| negligible(j)).map_or(0, |j| j + 1);
            self.step(first, last);
        }
    }

    /// Performs one implicit QR step on rows `first..=last`.
    fn step(&mut self, first: usize, last: usize) {
        let (d, e, m) = (&mut self.values, &mut self.off, self.m);
        let half = 0.5 * (d[last - 1] - d[last]);
        let corner = e[last - 1];
        let shift = d[last] - corner * corner / (half + half.hypot(corner).copysign(half));
        let (mut x, mut z) = (d[first] - shift, e[first]);
        for j in first..last {
            let r = x.hypot(z);
            let (c, s) = if r > 0.0 { (x / r, z / r) } else { (1.0, 0.0) };
            if j > first {
                e[j - 1] = r;
            }
            let (a, b, f) = (d[j], d[j + 1], e[j]);
            d[j] = c * c * a + 2.0 * c * s * f + s * s * b;
            d[j + 1] = s * s * a - 2.0 * c * s * f + c * c * b;
            e[j] = c * s * (b - a) + (c * c - s * s) * f;
            x = e[j];
            if j + 1 < last {
                z = s * e[j + 1];
                e[j + 1] *= c;
            }
            let (head, tail) = self.vectors.split_at_mut((j + 1) * m);
            for (p, q) in head[j * m..].iter_mut().zip(&mut tail[..m]) {
                (*p, *q) = (c * *p + s * *q, c * *q - s * *p);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Eigen;

    /// A V = V Λ with orthonormal V, for full rank, rank one, a multiple of the identity,
    /// a steep spectrum and a reducible matrix.
    #[test]
    fn eigenpairs_satisfy_the_defining_identities() {
        let mut eigen = Eigen::default();
        for m in 1..17_usize {
            for kind in 0..5 {
                let same = |i: usize, j: usize| f64::from(u8::from(i == j));
                let entry = |i: usize, j: usize| match kind {
                    0 => 1.0 / (i + j + 1) as f64 + same(i, j) / (i + 1) as f64,
                    1 => ((i + 1) * (j + 1)) as f64,
                    2 => 3.0 * same(i, j),
                    3 => 10.0_f64.powi(-((i + j) as i32)) * ((3 * i * j) as f64).cos(),
                    _ => {
                        if i / 2 == j / 2 {
                            1.0 + same(i, j)
                        } else {
                            0.0
                        }
                    }
                };
                let original: Vec<f64> = (0..m * m).map(|e| entry(e / m, e % m)).collect();
                eigen.decompose(&mut original.clone(), m);
                let norm: f64 = original.iter().map(|v| v * v).sum::<f64>().sqrt();
                for j in 0..m {
                    let v = eigen.vector(j);
                    for i in 0..m {
                        let image: f64 = (0..m).map(|l| original[i * m + l] * v[l]).sum();
                        assert!((image - eigen.values[j] * v[i]).abs() < 2e-15 * (m as f64) * norm);
                        let inner: f64 = (0..m).map(|l| eigen.vector(i)[l] * v[l]).sum();
                        assert!((inner - same(i, j)).abs() < 2e-15 * m as f64);
                    }
                }
            }
        }
    }

    /// |A v − λ v| of all pairs, relative to |A|, at most.
    fn residual(original: &[f64], m: usize) -> f64 {
        let mut eigen = Eigen::default();
        eigen.decompose(&mut original.to_vec(), m);
        let norm: f64 = original.iter().map(|v| v * v).sum::<f64>().sqrt();
        let of_pair = |j: usize| {
            let v = eigen.vector(j);
            let row = |i: usize| original[i * m..][..m].iter().zip(v).map(|(a, x)| a * x).sum::<f64>();
            (0..m).map(|i| (row(i) - eigen.values[j] * v[i]).abs()).fold(0.0, f64::max)
        };
        (0..m).map(of_pair).fold(0.0, f64::max) / norm
    }

    #[test]
    fn the_unit_of_a_matrix_changes_no_digit() {
        let m = 7;
        let entry = |e: usize| ((1 + (e / m).min(e % m) * 3 + (e / m).max(e % m) * 5) as f64).sin();
        for power in [-80, 0, 80] {
            let scaled: Vec<f64> = (0..m * m).map(|e| entry(e) * 2.0_f64.powi(power)).collect();
            let found = residual(&scaled, m);
            assert!(found < 1e-14, "2^{power}: {found:e}");
        }
    }

    /// The first row has a tail of 1e-9 of it.
    #[test]
    fn a_short_tail_keeps_its_digits() {
        let rows =
            [[1.0, 1.0, 1e-9, -2e-9], [1.0, 2.0, 0.5, 0.3], [1e-9, 0.5, -1.0, 0.7], [-2e-9, 0.3, 0.7, 3.0]];
        let found = residual(&rows.concat(), 4);
        assert!(found < 1e-14, "{found:e}");
    }

    #[test]
    fn hundreds_of_values_take_two_steps_each() {
        let m = 300;
        let entry = |i: usize, j: usize| match i.abs_diff(j) {
            0 => (i as f64).sin(),
            1 => 1.0 + 0.5 * ((i + j) as f64).cos(),
            _ => 0.0,
        };
        let found = residual(&(0..m * m).map(|e| entry(e / m, e % m)).collect::<Vec<_>>(), m);
        assert!(found < 1e-13, "{found:e}");
    }
}
