//! Eight numbers at a time, in as many registers of the processor as they fill.
//!
//! Compilers make slow code of loops over eight numbers in two dimensions, by
//! pairing x and y; in registers, forces between points take half of the time.
//! Multiplication and addition are rounded apart, so that the bits are the same on
//! every processor.

use std::slice::{from_mut, from_ref};

use pulp::Simd;
use pulp::bytemuck::{cast_slice, cast_slice_mut};

pub(crate) const LANES: usize = 8;

/// `LANES` numbers in the first [`registers`] of these.
pub(crate) type Registers<S> = [<S as Simd>::f64s; LANES];

pub(crate) const fn registers<S: Simd>() -> usize {
    LANES / S::F64_LANES
}

/// The `LANES` numbers one by one.
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
