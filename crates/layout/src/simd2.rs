//! Vectors of the plane in SIMD registers.

use std::slice::from_ref;

use pulp::bytemuck::{cast_slice, cast_slice_mut};
use pulp::{Simd, c32};

/// Vectors that are computed side by side. Sums have as many parts on every processor, so
/// that they are equal to the bit.
pub const LANES: usize = 8;

/// [`LANES`] vectors of the plane, the two coordinates of each side by side.
///
/// Compilers compute loops over points of the plane one point at a time; with registers the
/// optimizations of PaCMAP and TriMap take .45 and .6 of the time. Multiplication and addition are
/// rounded separately, so that results do not depend on the processor.
///
/// ```
/// use layout::{LANES, Vectors};
/// struct Lengths;
/// impl pulp::WithSimd for Lengths {
///     type Output = [[f32; 2]; LANES];
///     fn with_simd<S: pulp::Simd>(self, simd: S) -> Self::Output {
///         let vectors = Vectors::between(simd, [3.0, 4.0], [[0.0; 2]; LANES]);
///         vectors.squares(simd).to_array()
///     }
/// }
/// assert_eq!(pulp::Arch::new().dispatch(Lengths), [[25.0; 2]; LANES]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Vectors<S: Simd>([S::c32s; LANES]);

/// Registers in use, from the first.
#[inline(always)]
const fn registers<S: Simd>() -> usize {
    LANES / S::C32_LANES
}

impl<S: Simd> Vectors<S> {
    /// The zero vectors.
    #[inline(always)]
    pub fn zero(simd: S) -> Self {
        Self([simd.splat_c32s(c32::new(0.0, 0.0)); LANES])
    }

    /// Vectors with these coordinates.
    #[inline(always)]
    pub fn of(simd: S, vectors: [[f32; 2]; LANES]) -> Self {
        let numbers = vectors.map(|[x, y]| c32::new(x, y));
        let mut all = Self::zero(simd);
        all.0.iter_mut().zip(S::as_simd_c32s(&numbers).0).for_each(|(to, from)| *to = *from);
        all
    }

    /// `here` − `others`.
    #[inline(always)]
    pub fn between(simd: S, here: [f32; 2], others: [[f32; 2]; LANES]) -> Self {
        let here = simd.splat_c32s(c32::new(here[0], here[1]));
        let mut vectors = Self::of(simd, others);
        for r in 0..registers::<S>() {
            vectors.0[r] = simd.sub_c32s(here, vectors.0[r]);
        }
        vectors
    }

    /// The squared lengths, each in both coordinates.
    #[inline(always)]
    pub fn squares(self, simd: S) -> Self {
        let mut squares = Self::zero(simd);
        for r in 0..registers::<S>() {
            squares.0[r] = simd.abs2_c32s(self.0[r]);
        }
        squares
    }

    /// Vectors computed from other vectors by a function applied coordinate by coordinate. The function must
    /// be `#[inline(always)]`; otherwise it is compiled for the baseline instruction set.
    #[inline(always)]
    pub fn combine<const N: usize, const M: usize>(
        simd: S,
        from: [Self; N],
        change: impl Fn([S::f32s; N]) -> [S::f32s; M],
    ) -> [Self; M] {
        let mut to = [Self::zero(simd); M];
        for r in 0..from[0].coordinates().len() {
            let changed = change(from.each_ref().map(|vectors| vectors.coordinates()[r]));
            for (to, changed) in to.iter_mut().zip(changed) {
                cast_slice_mut::<_, S::f32s>(&mut to.0[..registers::<S>()])[r] = changed;
            }
        }
        to
    }

    /// The registers in use, as ones of single coordinates.
    #[inline(always)]
    fn coordinates(&self) -> &[S::f32s] {
        cast_slice(&self.0[..registers::<S>()])
    }

    /// Adds vectors lane by lane.
    #[inline(always)]
    pub fn add(&mut self, simd: S, terms: Self) {
        for r in 0..registers::<S>() {
            self.0[r] = simd.add_c32s(self.0[r], terms.0[r]);
        }
    }

    /// The vectors in the order of the lanes.
    #[inline(always)]
    pub fn to_array(self) -> [[f32; 2]; LANES] {
        let mut vectors = [[0.0; 2]; LANES];
        for (r, vectors) in vectors.chunks_exact_mut(S::C32_LANES).enumerate() {
            for (vector, number) in vectors.iter_mut().zip(cast_slice::<_, c32>(from_ref(&self.0[r]))) {
                *vector = [number.re, number.im];
            }
        }
        vectors
    }

    /// The sum of all lanes.
    #[inline(always)]
    pub fn total(self) -> [f32; 2] {
        let [a, b, c, d, e, f, g, h] = self.to_array();
        [0, 1].map(|x| ((a[x] + e[x]) + (c[x] + g[x])) + ((b[x] + f[x]) + (d[x] + h[x])))
    }
}

#[cfg(test)]
mod tests {
    use pulp::{Scalar, WithSimd};

    use super::*;

    /// Sums 1 / |v| v over differences v.
    struct Directions<'a>([f32; 2], &'a [[[f32; 2]; LANES]]);

    impl WithSimd for Directions<'_> {
        type Output = ([f32; 2], [[f32; 2]; LANES]);

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
            let mut sums = Vectors::zero(simd);
            for &others in self.1 {
                let v = Vectors::between(simd, self.0, others);
                let [direction] = Vectors::combine(
                    simd,
                    [v, v.squares(simd)],
                    #[inline(always)]
                    |[v, square]| [simd.div_f32s(v, simd.sqrt_f32s(square))],
                );
                sums.add(simd, direction);
            }
            (sums.total(), sums.to_array())
        }
    }

    #[test]
    fn sums_are_those_of_single_numbers_to_the_bit() {
        let wave = |i: usize| [(0.7 * i as f32).sin(), 3.0 * (1.1 * i as f32).cos()];
        let blocks: Vec<[[f32; 2]; LANES]> =
            (0..20).map(|block| std::array::from_fn(|l| wave(LANES * block + l))).collect();
        let here = [0.31, -0.17];
        let (total, lanes) = pulp::Arch::new().dispatch(Directions(here, &blocks));
        assert_eq!((total, lanes), Scalar::new().vectorize(Directions(here, &blocks)));
        for (l, sum) in lanes.iter().enumerate() {
            let mut expected = [0.0_f32; 2];
            for block in &blocks {
                let v = [here[0] - block[l][0], here[1] - block[l][1]];
                let length = (v[0] * v[0] + v[1] * v[1]).sqrt();
                expected = [expected[0] + v[0] / length, expected[1] + v[1] / length];
            }
            assert_eq!(*sum, expected, "lane {l}");
        }
        let sum = |x: usize| lanes.iter().map(|lane| f64::from(lane[x])).sum::<f64>();
        assert!((0..2).all(|x| (f64::from(total[x]) - sum(x)).abs() < 1e-4), "{total:?}");
    }
}
