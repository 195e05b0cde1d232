//! Transforms of two, three, four and five complex numbers, eight sequences side by side.

use pulp::Simd;

use super::precision::Real;

/// Real and imaginary parts, one sequence per lane.
pub(super) type Complex<T, S> = [<T as Real>::Register<S>; 2];

#[inline(always)]
pub(super) fn product<T: Real, S: Simd>(
    simd: S,
    [re, im]: Complex<T, S>,
    [cos, sin]: [T; 2],
) -> Complex<T, S> {
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
pub(super) fn butterfly<T: Real, S: Simd, const R: usize>(simd: S, values: &mut [Complex<T, S>; R]) {
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
