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

use pulp::Simd;
use pulp::bytemuck::Pod;

pub(super) const LANES: usize = 8;

/// Eight complex numbers: real parts, then imaginary parts.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub(super) struct Lanes<T> {
    pub(super) re: [T; LANES],
    pub(super) im: [T; LANES],
}

/// The precision of a transform.
pub(super) trait Real: Copy + Default + Pod + Send + Sync {
    type Register<S: Simd>: Copy;
    fn rounded(value: f64) -> Self;
    fn registers<S: Simd>(lanes: &mut [Self; LANES]) -> &mut [Self::Register<S>];
    fn splat<S: Simd>(simd: S, value: Self) -> Self::Register<S>;
    fn add<S: Simd>(simd: S, a: Self::Register<S>, b: Self::Register<S>) -> Self::Register<S>;
    fn sub<S: Simd>(simd: S, a: Self::Register<S>, b: Self::Register<S>) -> Self::Register<S>;
    fn mul<S: Simd>(simd: S, a: Self::Register<S>, b: Self::Register<S>) -> Self::Register<S>;
}

macro_rules! real {
    ($real:ty, $register:ident, $view:ident, $splat:ident, $add:ident, $sub:ident, $mul:ident) => {
        impl Real for $real {
            type Register<S: Simd> = S::$register;

            #[inline(always)]
            fn rounded(value: f64) -> Self {
                value as Self
            }

            #[inline(always)]
            fn registers<S: Simd>(lanes: &mut [Self; LANES]) -> &mut [S::$register] {
                S::$view(lanes).0
            }

            #[inline(always)]
            fn splat<S: Simd>(simd: S, value: Self) -> S::$register {
                simd.$splat(value)
            }

            #[inline(always)]
            fn add<S: Simd>(simd: S, a: S::$register, b: S::$register) -> S::$register {
                simd.$add(a, b)
            }

            #[inline(always)]
            fn sub<S: Simd>(simd: S, a: S::$register, b: S::$register) -> S::$register {
                simd.$sub(a, b)
            }

            #[inline(always)]
            fn mul<S: Simd>(simd: S, a: S::$register, b: S::$register) -> S::$register {
                simd.$mul(a, b)
            }
        }
    };
}
real!(f32, f32s, as_mut_simd_f32s, splat_f32s, add_f32s, sub_f32s, mul_f32s);
real!(f64, f64s, as_mut_simd_f64s, splat_f64s, add_f64s, sub_f64s, mul_f64s);

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

type Complex<T, S> = [<T as Real>::Register<S>; 2];

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
        // Plain loops: a closure is compiled for the baseline
        // instruction set.
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

#[inline(always)]
fn product<T: Real, S: Simd>(simd: S, [re, im]: Complex<T, S>, [cos, sin]: [T; 2]) -> Complex<T, S> {
    let (cos, sin) = (T::splat(simd, cos), T::splat(simd, sin));
    [
        T::sub(simd, T::mul(simd, re, cos), T::mul(simd, im, sin)),
        T::add(simd, T::mul(simd, re, sin), T::mul(simd, im, cos)),
    ]
}

#[inline(always)]
fn sum<T: Real, S: Simd>(simd: S, a: Complex<T, S>, b: Complex<T, S>) -> Complex<T, S> {
    [T::add(simd, a[0], b[0]), T::add(simd, a[1], b[1])]
}

#[inline(always)]
fn difference<T: Real, S: Simd>(simd: S, a: Complex<T, S>, b: Complex<T, S>) -> Complex<T, S> {
    [T::sub(simd, a[0], b[0]), T::sub(simd, a[1], b[1])]
}

/// a − i b and a + i b.
#[inline(always)]
fn quarter_turns<T: Real, S: Simd>(simd: S, a: Complex<T, S>, b: Complex<T, S>) -> [Complex<T, S>; 2] {
    [
        [T::add(simd, a[0], b[1]), T::sub(simd, a[1], b[0])],
        [T::sub(simd, a[0], b[1]), T::add(simd, a[1], b[0])],
    ]
}

#[inline(always)]
fn scaled<T: Real, S: Simd>(simd: S, a: Complex<T, S>, factor: f64) -> Complex<T, S> {
    let factor = T::splat(simd, T::rounded(factor));
    [T::mul(simd, a[0], factor), T::mul(simd, a[1], factor)]
}

/// x a + y b for real x and y.
#[inline(always)]
fn combination<T: Real, S: Simd>(
    simd: S,
    [x, y]: [f64; 2],
    a: Complex<T, S>,
    b: Complex<T, S>,
) -> Complex<T, S> {
    sum::<T, S>(simd, scaled::<T, S>(simd, a, x), scaled::<T, S>(simd, b, y))
}

/// The transform of R numbers.
#[inline(always)]
fn butterfly<T: Real, S: Simd, const R: usize>(simd: S, values: &mut [Complex<T, S>; R]) {
    match R {
        2 => {
            let out = butterfly_2::<T, S>(simd, [values[0], values[1]]);
            values.copy_from_slice(&out);
        }
        3 => {
            let out = butterfly_3::<T, S>(simd, [values[0], values[1], values[2]]);
            values.copy_from_slice(&out);
        }
        4 => {
            let out = butterfly_4::<T, S>(simd, [values[0], values[1], values[2], values[3]]);
            values.copy_from_slice(&out);
        }
        _ => {
            let out = butterfly_5::<T, S>(simd, [values[0], values[1], values[2], values[3], values[4]]);
            values.copy_from_slice(&out);
        }
    }
}

#[inline(always)]
fn butterfly_2<T: Real, S: Simd>(simd: S, [a, b]: [Complex<T, S>; 2]) -> [Complex<T, S>; 2] {
    [sum::<T, S>(simd, a, b), difference::<T, S>(simd, a, b)]
}

/// sin(2π/3)
const SIN_3: f64 = 0.866_025_403_784_438_6;

#[inline(always)]
fn butterfly_3<T: Real, S: Simd>(simd: S, [a, b, c]: [Complex<T, S>; 3]) -> [Complex<T, S>; 3] {
    let (even, odd) = (sum::<T, S>(simd, b, c), difference::<T, S>(simd, b, c));
    let center = sum::<T, S>(simd, a, scaled::<T, S>(simd, even, -0.5));
    let [first, second] = quarter_turns::<T, S>(simd, center, scaled::<T, S>(simd, odd, SIN_3));
    [sum::<T, S>(simd, a, even), first, second]
}

#[inline(always)]
fn butterfly_4<T: Real, S: Simd>(simd: S, [a, b, c, d]: [Complex<T, S>; 4]) -> [Complex<T, S>; 4] {
    let [s, t] = butterfly_2::<T, S>(simd, [a, c]);
    let [u, v] = butterfly_2::<T, S>(simd, [b, d]);
    let [first, third] = quarter_turns::<T, S>(simd, t, v);
    [sum::<T, S>(simd, s, u), first, difference::<T, S>(simd, s, u), third]
}

/// Cosines and sines of 2π/5 and 4π/5.
const COS_5: [f64; 2] = [0.309_016_994_374_947_45, -0.809_016_994_374_947_5];
const SIN_5: [f64; 2] = [0.951_056_516_295_153_5, 0.587_785_252_292_473_1];

#[inline(always)]
fn butterfly_5<T: Real, S: Simd>(simd: S, [a, b, c, d, e]: [Complex<T, S>; 5]) -> [Complex<T, S>; 5] {
    let [even, odd] = butterfly_2::<T, S>(simd, [b, e]);
    let [even_2, odd_2] = butterfly_2::<T, S>(simd, [c, d]);
    let [cos, cos_2] = COS_5;
    let [sin, sin_2] = SIN_5;
    let outer = sum::<T, S>(simd, a, combination::<T, S>(simd, [cos, cos_2], even, even_2));
    let inner = sum::<T, S>(simd, a, combination::<T, S>(simd, [cos_2, cos], even, even_2));
    let outer_odd = combination::<T, S>(simd, [sin, sin_2], odd, odd_2);
    let inner_odd = combination::<T, S>(simd, [sin_2, -sin], odd, odd_2);
    let [first, fourth] = quarter_turns::<T, S>(simd, outer, outer_odd);
    let [second, third] = quarter_turns::<T, S>(simd, inner, inner_odd);
    let all = sum::<T, S>(simd, a, sum::<T, S>(simd, even, even_2));
    [all, first, second, third, fourth]
}

#[cfg(test)]
mod tests {
    use pulp::WithSimd;

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
            pulp::Arch::new().dispatch(Both(&transform, &mut after, false));
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
            pulp::Arch::new().dispatch(Both(&transform, &mut after, true));
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
            pulp::Arch::new().dispatch(Both(&transform, &mut wide, false));
            Both(&transform, &mut scalar, false).with_simd(pulp::Scalar::new());
            assert_eq!(wide, scalar, "{length}");
            pulp::Arch::new().dispatch(Both(&transform, &mut wide, true));
            Both(&transform, &mut scalar, true).with_simd(pulp::Scalar::new());
            assert_eq!(wide, scalar, "{length}");
        }
    }
}
