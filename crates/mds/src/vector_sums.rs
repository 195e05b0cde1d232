//! Sums over independent lanes, which the compiler vectorizes.
//!
//! The lanes are the same on every processor, so results are bitwise identical.

use embedding::implement::inner_product;
use pulp::NullaryFnOnce;

/// Number of lanes.
pub(crate) const LANES: usize = 8;

/// Σ a.
#[inline(always)]
pub(crate) fn sum(a: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let (a, rest) = a.as_chunks::<LANES>();
    for a in a {
        sums.iter_mut().zip(a).for_each(|(sum, a)| *sum += a);
    }
    sums.iter().sum::<f64>() + rest.iter().sum::<f64>()
}

/// Computes a ← a + b, up to the shorter length.
pub(crate) fn add(a: &mut [f64], b: &[f64]) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
}

/// The inner products of one row with columns.
pub(crate) struct Products<'a> {
    pub(crate) row: &'a [f64],
    pub(crate) columns: &'a [Vec<f64>],
}

impl NullaryFnOnce for Products<'_> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn call(self) -> Vec<f64> {
        let mut products = Vec::with_capacity(self.columns.len());
        for column in self.columns {
            products.push(inner_product(self.row, column));
        }
        products
    }
}
