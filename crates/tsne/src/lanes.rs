//! Groups of eight numbers in SIMD registers.
//!
//! In two dimensions compilers vectorize loops over eight points poorly, pairing x and y;
//! with explicit registers, forces between points take half the time. Multiplication and
//! addition are rounded separately, so results are bitwise identical on every processor.

use std::slice::{from_mut, from_ref};

use pulp::Simd;
use pulp::bytemuck::{cast_slice, cast_slice_mut};

pub(crate) const LANES: usize = 8;

/// `LANES` numbers, stored in the first [`registers`] elements.
pub(crate) type Registers<S> = [<S as Simd>::f64s; LANES];

pub(crate) const fn registers<S: Simd>() -> usize {
    LANES / S::F64_LANES
}

/// Returns the `LANES` numbers as a slice.
#[inline(always)]
pub(crate) fn numbers<S: Simd>(registers: &Registers<S>) -> &[f64] {
    &cast_slice(registers)[..LANES]
}

#[inline(always)]
pub(crate) fn quotient<S: Simd>(mut a: S::f64s, b: S::f64s) -> S::f64s {
    let by: &[f64] = cast_slice(from_ref(&b));
    for (a, b) in cast_slice_mut::<_, f64>(from_mut(&mut a)).iter_mut().zip(by) {
        *a /= b;
    }
    a
}
