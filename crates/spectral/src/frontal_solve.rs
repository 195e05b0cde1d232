//! Triangular solves with the columns of one node, for several right-hand sides at a
//! time.

use faer::traits::pulp::NullaryFnOnce;

use crate::real::Real;

/// Right-hand sides solved together; each set reads the factor once.
pub(crate) const LANES: usize = 4;

/// Columns of the factor accumulated in registers at a time.
const AT_ONCE: usize = 4;

/// The columns of L of one node, restricted to their nonzero rows and stored by columns.
#[derive(Clone, Copy)]
pub(crate) struct Front<'a, T> {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) values: &'a [T],
}

impl<T: Real> Front<'_, T> {
    #[inline(always)]
    fn at(&self, row: usize, c: usize) -> T {
        self.values[c * self.height + row]
    }

    /// Returns column `c` from `row` on.
    #[inline(always)]
    fn from(&self, row: usize, c: usize) -> &[T] {
        &self.values[c * self.height + row..(c + 1) * self.height]
    }

    /// Performs forward substitution: overwrites the first rows of `x` with the solution
    /// and subtracts its products with the rows below from the remaining rows.
    #[inline(always)]
    fn forward(&self, x: &mut [[T; LANES]]) {
        let mut c = 0;
        while c < self.width {
            let next = (c + AT_ONCE).min(self.width);
            for a in c..next {
                let head = x[a].map(|v| v / self.at(a, a));
                x[a] = head;
                for b in a + 1..next {
                    subtract([&[self.at(b, a)]], [head], &mut x[b..=b]);
                }
            }
            let (heads, tail) = x.split_at_mut(next);
            if next - c == AT_ONCE {
                let columns: [&[T]; AT_ONCE] = std::array::from_fn(|i| self.from(next, c + i));
                subtract(columns, std::array::from_fn(|i| heads[c + i]), tail);
            } else {
                (c..next).for_each(|a| subtract([self.from(next, a)], [heads[a]], tail));
            }
            c = next;
        }
    }

    /// Performs backward substitution: overwrites the first rows of `x` with the solution
    /// of the transposed system, given the remaining rows.
    #[inline(always)]
    fn backward(&self, x: &mut [[T; LANES]]) {
        let mut next = self.width;
        while next > 0 {
            let c = (next - 1) / AT_ONCE * AT_ONCE;
            let (heads, tail) = x.split_at_mut(next);
            if next - c == AT_ONCE {
                let columns: [&[T]; AT_ONCE] = std::array::from_fn(|i| self.from(next, c + i));
                let products = products(columns, tail);
                (0..AT_ONCE).for_each(|i| heads[c + i] = less(heads[c + i], T::narrow(1.0), products[i]));
            } else {
                for (a, head) in heads.iter_mut().enumerate().skip(c) {
                    let [product] = products([self.from(next, a)], tail);
                    *head = less(*head, T::narrow(1.0), product);
                }
            }
            for a in (c..next).rev() {
                for b in a + 1..next {
                    heads[a] = less(heads[a], self.at(b, a), heads[b]);
                }
                heads[a] = heads[a].map(|v| v / self.at(a, a));
            }
            next = c;
        }
    }
}

/// [`Front::forward`], dispatched to the widest SIMD instructions available.
pub(crate) struct Forward<'a, 'x, T> {
    pub(crate) front: Front<'a, T>,
    pub(crate) x: &'x mut [[T; LANES]],
}

impl<T: Real> NullaryFnOnce for Forward<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.front.forward(self.x);
    }
}

/// [`Front::backward`], dispatched likewise.
pub(crate) struct Backward<'a, 'x, T> {
    pub(crate) front: Front<'a, T>,
    pub(crate) x: &'x mut [[T; LANES]],
}

impl<T: Real> NullaryFnOnce for Backward<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.front.backward(self.x);
    }
}

/// Returns x − l y.
#[inline(always)]
fn less<T: Real>(x: [T; LANES], l: T, y: [T; LANES]) -> [T; LANES] {
    std::array::from_fn(|j| x[j] - l * y[j])
}

/// Computes x ← x − Σ columnᵢ headᵢ.
#[inline(always)]
fn subtract<T: Real, const N: usize>(columns: [&[T]; N], heads: [[T; LANES]; N], x: &mut [[T; LANES]]) {
    let columns = columns.map(|column| &column[..x.len()]);
    for (row, x) in x.iter_mut().enumerate() {
        let mut rest = *x;
        for i in 0..N {
            rest = less(rest, columns[i][row], heads[i]);
        }
        *x = rest;
    }
}

/// Returns the product of each column with x.
#[inline(always)]
fn products<T: Real, const N: usize>(columns: [&[T]; N], x: &[[T; LANES]]) -> [[T; LANES]; N] {
    let columns = columns.map(|column| &column[..x.len()]);
    let mut sums = [[T::narrow(0.0); LANES]; N];
    for (row, x) in x.iter().enumerate() {
        for i in 0..N {
            let l = columns[i][row];
            (0..LANES).for_each(|j| sums[i][j] += l * x[j]);
        }
    }
    sums
}
