//! Products of matrices, and the speed of the code that runs after them.

#[path = "../../../testkit/tests/common/registers.rs"]
mod registers;

use embedding::implement::{multiply, multiply_lower};
use faer::{Accum, Mat};
use registers::leaves_registers;

#[test]
fn products_add_to_what_is_there_or_replace_it() {
    let a = Mat::from_fn(3, 2, |i, j| (i + 3 * j) as f64);
    for (accumulate, before) in [(Accum::Replace, 0.0), (Accum::Add, 5.0)] {
        let expected = |i: usize, j: usize| before + 2.0 * (0..2).map(|c| a[(i, c)] * a[(j, c)]).sum::<f64>();
        let (mut all, mut lower) = (Mat::full(3, 3, 5.0), Mat::full(3, 3, 5.0));
        multiply(all.as_mut(), accumulate, a.as_ref(), a.transpose(), 2.0);
        multiply_lower(lower.as_mut(), accumulate, a.as_ref(), a.transpose(), 2.0);
        for i in 0..3 {
            for j in 0..3 {
                assert_eq!(all[(i, j)], expected(i, j));
                assert_eq!(lower[(i, j)], if j <= i { expected(i, j) } else { 5.0 });
            }
        }
    }
}

#[test]
fn products_do_not_slow_down_what_follows() {
    let a = Mat::from_fn(64, 64, |i, j| (i * j) as f64);
    let mut out = Mat::zeros(64, 64);
    leaves_registers("a product", || multiply(out.as_mut(), Accum::Replace, a.as_ref(), a.as_ref(), 1.0));
    leaves_registers("a triangular product", || {
        multiply_lower(out.as_mut(), Accum::Replace, a.as_ref(), a.as_ref(), 1.0);
    });
}
