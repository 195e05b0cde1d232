//! Fast Fourier transforms of eight sequences side by side.
//!
//! A forward transform decimates in frequency and leaves its coefficients in the
//! order of reversed digits; a backward transform decimates in time and takes
//! them in that order. A convolution multiplies coefficient by coefficient, so
//! that nothing has to be sorted. Lengths have no prime factor above 5.
//!
//! Eight sequences lie in the lanes of registers, so that a transform needs no
//! shuffles. Multiplication and addition are rounded apart: the bits are the same
//! on every processor.
//!
//! Reference: Gentleman and Sande (1966), doi:10.1145/1464291.1464352.

use std::f64::consts::TAU;

use pulp::{Simd, WithSimd};

use super::butterfly::{butterfly, product};
use super::precision::{LANES, Real};

/// Runs work with the widest registers that eight numbers of single precision fill. AVX-512 registers hold
/// sixteen; [`pulp::Arch`] selects them where any crate of a program enables pulp's feature `x86-v4`.
pub(super) fn dispatch<W: WithSimd>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    match pulp::x86::V3::try_new() {
        Some(simd) => Simd::vectorize(simd, work),
        None => Simd::vectorize(pulp::Scalar::new(), work),
    }
    #[cfg(not(target_arch = "x86_64"))]
    pulp::Arch::new().dispatch(work)
}

/// Eight complex numbers: real parts, then imaginary parts.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub(super) struct Lanes<T> {
    pub(super) re: [T; LANES],
    pub(super) im: [T; LANES],
}

impl<T: Real> Lanes<T> {
    pub(super) fn zero() -> Self {
        Self { re: [T::default(); LANES], im: [T::default(); LANES] }
    }
}

/// The transforms of one length.
pub(super) struct Transform<T> {
    length: usize,
    stages: Vec<Stage<T>>,
    /// Blocks of `small` coefficients stay in the cache through the stages from
    /// `inner` on.
    inner: usize,
    small: usize,
}

/// Blocks of `radix` · `step` numbers become `radix` blocks of `step` numbers.
struct Stage<T> {
    radix: usize,
    step: usize,
    /// exp(−2πi jk / (radix · step)) for each j below `step` and k from 1 to radix − 1.
    twiddles: Vec<[T; 2]>,
}

/// Numbers, eight complex ones each, of a block that fits into the fastest cache.
const SMALL: usize = 384;

impl<T: Real> Transform<T> {
    pub(super) fn new(length: usize) -> Self {
        let (mut rest, mut stages) = (length, Vec::new());
        for radix in [4, 2, 3, 5] {
            while rest.is_multiple_of(radix) {
                let step = rest / radix;
                let twiddle = |product: usize| {
                    let (sin, cos) = (-TAU * (product % rest) as f64 / rest as f64).sin_cos();
                    [T::rounded(cos), T::rounded(sin)]
                };
                let twiddles = (0..step).flat_map(|j| (1..radix).map(move |k| j * k)).map(twiddle).collect();
                stages.push(Stage { radix, step, twiddles });
                rest = step;
            }
        }
        assert_eq!(rest, 1, "a length of small prime factors");
        let inner = stages.iter().position(|stage| stage.radix * stage.step <= SMALL).unwrap_or(0);
        let small = stages.get(inner).map_or(1, |stage| stage.radix * stage.step);
        Self { length, stages, inner, small }
    }

    /// X_k = Σ_j x_j exp(−2πi jk / n), in the order of reversed digits.
    #[inline(always)]
    pub(super) fn forward<S: Simd>(&self, simd: S, data: &mut [Lanes<T>]) {
        let (outer, inner) = self.stages.split_at(self.inner);
        for block in (0..self.length).step_by(self.small) {
            for stage in outer {
                let size = stage.radix * stage.step;
                if block.is_multiple_of(size) {
                    stage.run::<S, false>(simd, &mut data[block..block + size]);
                }
            }
            for stage in inner {
                stage.run::<S, false>(simd, &mut data[block..block + self.small]);
            }
        }
    }

    /// n times the inverse of [`Self::forward`].
    #[inline(always)]
    pub(super) fn backward<S: Simd>(&self, simd: S, data: &mut [Lanes<T>]) {
        let (outer, inner) = self.stages.split_at(self.inner);
        for block in (0..self.length).step_by(self.small) {
            let end = block + self.small;
            for stage in inner.iter().rev() {
                stage.run::<S, true>(simd, &mut data[block..end]);
            }
            for stage in outer.iter().rev() {
                let size = stage.radix * stage.step;
                if end.is_multiple_of(size) {
                    stage.run::<S, true>(simd, &mut data[end - size..end]);
                }
            }
        }
    }
}

impl<T: Real> Stage<T> {
    #[inline(always)]
    fn run<S: Simd, const BACKWARD: bool>(&self, simd: S, data: &mut [Lanes<T>]) {
        match self.radix {
            2 => self.butterflies::<S, 2, BACKWARD>(simd, data),
            3 => self.butterflies::<S, 3, BACKWARD>(simd, data),
            4 => self.butterflies::<S, 4, BACKWARD>(simd, data),
            _ => self.butterflies::<S, 5, BACKWARD>(simd, data),
        }
    }

    /// One stage of every block. With real and imaginary parts exchanged, a
    /// backward transform has the twiddle factors of a forward one.
    #[inline(always)]
    fn butterflies<S: Simd, const R: usize, const BACKWARD: bool>(&self, simd: S, data: &mut [Lanes<T>]) {
        // Plain loops: a closure is compiled for the baseline instruction set.
        for block in data.chunks_exact_mut(R * self.step) {
            let mut rows = block.chunks_exact_mut(self.step);
            let rows: [&mut [Lanes<T>]; R] = std::array::from_fn(|_| rows.next().expect("R steps"));
            for (j, twiddles) in self.twiddles.chunks_exact(R - 1).enumerate() {
                for r in 0..T::registers::<S>(&mut rows[0][j].re).len() {
                    let zero = T::splat(simd, T::default());
                    let mut values = [[zero; 2]; R];
                    for k in 0..R {
                        let number = &mut rows[k][j];
                        values[k] =
                            [T::registers::<S>(&mut number.re)[r], T::registers::<S>(&mut number.im)[r]];
                        if BACKWARD {
                            values[k] = [values[k][1], values[k][0]];
                        }
                    }
                    if BACKWARD && self.step > 1 {
                        for k in 1..R {
                            values[k] = product::<T, S>(simd, values[k], twiddles[k - 1]);
                        }
                    }
                    butterfly::<T, S, R>(simd, &mut values);
                    if !BACKWARD && self.step > 1 {
                        for k in 1..R {
                            values[k] = product::<T, S>(simd, values[k], twiddles[k - 1]);
                        }
                    }
                    for k in 0..R {
                        let number = &mut rows[k][j];
                        let [re, im] = if BACKWARD { [values[k][1], values[k][0]] } else { values[k] };
                        T::registers::<S>(&mut number.re)[r] = re;
                        T::registers::<S>(&mut number.im)[r] = im;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The index at which a forward transform leaves the coefficient `k`.
    fn reversed(transform: &Transform<f64>, k: usize) -> usize {
        let (mut rest, mut at) = (k, 0);
        for stage in &transform.stages {
            at += rest % stage.radix * stage.step;
            rest /= stage.radix;
        }
        at
    }

    struct Both<'a, T>(&'a Transform<T>, &'a mut [Lanes<T>], bool);

    impl<T: Real> WithSimd for Both<'_, T> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) {
            if self.2 { self.0.backward(simd, self.1) } else { self.0.forward(simd, self.1) }
        }
    }

    fn samples(length: usize) -> Vec<Lanes<f64>> {
        let value = |i: usize| ((i * i * 7 + i * 3) % 23) as f64 - 11.0;
        (0..length)
            .map(|i| Lanes {
                re: std::array::from_fn(|l| value(3 * i + 5 * l)),
                im: std::array::from_fn(|l| value(2 * i + 11 * l + 1)),
            })
            .collect()
    }

    #[test]
    fn coefficients_are_those_of_the_definition() {
        for length in [1, 2, 3, 4, 5, 8, 12, 25, 30, 60, 64, 125, 800, 1215] {
            let transform = Transform::<f64>::new(length);
            let before = samples(length);
            let mut after = before.clone();
            dispatch(Both(&transform, &mut after, false));
            for k in (0..length).step_by(length.div_ceil(7)) {
                let got = after[reversed(&transform, k)];
                for l in [0, 3, 7] {
                    let (mut re, mut im) = (0.0, 0.0);
                    for (j, x) in before.iter().enumerate() {
                        let (sin, cos) = (-TAU * (j * k % length) as f64 / length as f64).sin_cos();
                        re += x.re[l] * cos - x.im[l] * sin;
                        im += x.re[l] * sin + x.im[l] * cos;
                    }
                    let gap = (got.re[l] - re).hypot(got.im[l] - im);
                    // Sums of n numbers up to 11, in log n stages or one after the other.
                    let tolerance = 8.0 * f64::EPSILON * 16.0 * length as f64 * (length as f64).sqrt();
                    assert!(gap <= tolerance, "{length}, {k}: {gap:e}");
                }
            }
            dispatch(Both(&transform, &mut after, true));
            for (after, before) in after.iter().zip(&before) {
                for l in 0..LANES {
                    let gap = (after.re[l] / length as f64 - before.re[l])
                        .hypot(after.im[l] / length as f64 - before.im[l]);
                    assert!(gap < 1e-12, "{length}: {gap:e}");
                }
            }
        }
    }

    #[test]
    fn bits_are_the_same_without_wide_registers() {
        for length in [60, 1215, 1280] {
            let transform = Transform::<f32>::new(length);
            let single = |x: [f64; LANES]| x.map(|x| x as f32);
            let start: Vec<Lanes<f32>> =
                samples(length).iter().map(|x| Lanes { re: single(x.re), im: single(x.im) }).collect();
            let (mut wide, mut scalar) = (start.clone(), start);
            dispatch(Both(&transform, &mut wide, false));
            Both(&transform, &mut scalar, false).with_simd(pulp::Scalar::new());
            assert_eq!(wide, scalar, "{length}");
            dispatch(Both(&transform, &mut wide, true));
            Both(&transform, &mut scalar, true).with_simd(pulp::Scalar::new());
            assert_eq!(wide, scalar, "{length}");
        }
    }
}
