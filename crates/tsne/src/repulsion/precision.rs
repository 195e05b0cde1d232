//! The two precisions of transforms, and their registers.

use pulp::Simd;
use pulp::bytemuck::Pod;

/// Sequences that are transformed side by side.
pub(super) const LANES: usize = 8;

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
                // Wider registers would give a length of 0, and transforms would do nothing.
                const {
                    assert!(
                        size_of::<S::$register>() <= size_of::<[Self; LANES]>(),
                        "see `transform::dispatch`"
                    )
                }
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
