//! The Euclidean distance shared by all search algorithms.

use embedding::implement::scale::{extents, joined};
use embedding::implement::{Division, LANES, Scale, pairwise_sum, squared_distance};
use embedding::{Error, Points};
use faer::traits::pulp::{Arch, Simd, WithSimd};

use crate::search::rows::Rows;

/// From one point to some others, with the same bits, in the processor's own
/// vectors: as many registers as make up the lanes, multiplication and addition
/// rounded apart. Several at once keep more of the memory busy.
#[inline(always)]
pub(crate) fn distances_in<S: Simd, const N: usize>(simd: S, from: &[f64], to: [&[f64]; N]) -> [f64; N] {
    let whole = from.len() / LANES * LANES;
    if whole == 0 {
        return to.map(|to| distance(from, to));
    }
    let registers = LANES / S::F64_LANES;
    let mut sums = [[simd.splat_f64s(0.0); LANES]; N];
    let x = S::as_simd_f64s(&from[..whole]).0.chunks_exact(registers);
    let ys: [&[S::f64s]; N] = to.map(|to| S::as_simd_f64s(&to[..whole]).0);
    for (at, x) in x.enumerate() {
        for i in 0..N {
            let y = &ys[i][at * registers..][..registers];
            for r in 0..registers {
                let t = simd.sub_f64s(x[r], y[r]);
                sums[i][r] = simd.add_f64s(sums[i][r], simd.mul_f64s(t, t));
            }
        }
    }
    let mut distances = [0.0; N];
    for ((distance, sums), to) in distances.iter_mut().zip(sums).zip(to) {
        let mut lanes = [0.0; LANES];
        S::as_mut_simd_f64s(&mut lanes).0.copy_from_slice(&sums[..registers]);
        *distance = (squared_distance(&from[whole..], &to[whole..]) + pairwise_sum(lanes)).sqrt();
    }
    distances
}

/// The lanes of a squared distance under construction, columns added in ranges; the final
/// result is bitwise identical.
#[derive(Clone, Copy, Default)]
pub(crate) struct Partial([f64; LANES]);

impl Partial {
    /// Adds columns; their number must be a multiple of the lanes.
    #[inline(always)]
    pub(crate) fn add(&mut self, a: &[f64], b: &[f64]) {
        let mut lanes = self.0;
        for (x, y) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0) {
            for l in 0..LANES {
                let t = x[l] - y[l];
                lanes[l] += t * t;
            }
        }
        self.0 = lanes;
    }

    /// Returns the squared distance including the remaining columns; without them, a
    /// lower bound.
    #[inline(always)]
    pub(crate) fn squared_distance(&self, rest_a: &[f64], rest_b: &[f64]) -> f64 {
        squared_distance(rest_a, rest_b) + pairwise_sum(self.0)
    }
}

/// |a − b|.
#[inline(always)]
pub(crate) fn distance(a: &[f64], b: &[f64]) -> f64 {
    squared_distance(a, b).sqrt()
}

/// Rows whose distances from a point are computed together.
const TOGETHER: usize = 6;

/// Writes the distances from the point `from` to the points `to`, equal to
/// [`squared_distance`]`(…).sqrt()` to the bit. Several at once keep more of the memory busy: with
/// them the selection of PaCMAP's pairs among 70,000 points of 100 columns takes 0.7 of the time.
/// O(m D) for m points.
///
/// ```
/// use embedding::Points;
/// use neighbor_graph::implement::distances_from;
/// let values = [0.0, 0.0, 3.0, 4.0, 0.0, 1.0];
/// let mut distances = [0.0; 2];
/// distances_from(Points::new(&values, 2)?, 0, &[1, 2], &mut distances);
/// assert_eq!(distances, [5.0, 1.0]);
/// # Ok::<(), embedding::Error>(())
/// ```
///
/// # Panics
/// If `from` or an element of `to` is no point, and if there is not one distance per element.
pub fn distances_from(points: Points<'_>, from: usize, to: &[u32], distances: &mut [f64]) {
    assert_eq!(to.len(), distances.len(), "a distance for each point");
    Arch::new().dispatch(DistancesFrom { points, from, to, distances });
}

struct DistancesFrom<'a> {
    points: Points<'a>,
    from: usize,
    to: &'a [u32],
    distances: &'a mut [f64],
}

impl WithSimd for DistancesFrom<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { points, from, to, distances } = self;
        let from = points.row(from);
        let (groups, rest) = to.as_chunks::<TOGETHER>();
        let (of_groups, of_rest) = distances.as_chunks_mut::<TOGETHER>();
        for (group, distances) in groups.iter().zip(of_groups) {
            *distances = distances_in(simd, from, group.map(|j| points.row(j as usize)));
        }
        for (&j, distance) in rest.iter().zip(of_rest) {
            [*distance] = distances_in(simd, from, [points.row(j as usize)]);
        }
    }
}

/// Returns the smallest and largest value of each column.
pub(crate) fn bounding_box<'a>(rows: impl Iterator<Item = &'a [f64]>, dim: usize) -> Vec<(f64, f64)> {
    let mut sides = vec![(f64::INFINITY, f64::NEG_INFINITY); dim];
    for row in rows {
        sides.iter_mut().zip(row).for_each(|(side, &x)| *side = (side.0.min(x), side.1.max(x)));
    }
    sides
}

/// The exponent e for which points divided by 2ᵉ are of ordinary scale, as wide as such points can
/// be; 0 where they are ordinary. Points in single precision always are.
pub(crate) fn exponent(points: Rows<'_>) -> i32 {
    points.double().map_or(0, |points| Scale::of_points(points, Division::Least).exponent())
}

/// Fails if a squared distance between any two of the points could overflow.
pub(crate) fn check_scale(known: Rows<'_>, new: Option<Points<'_>>) -> Result<(), Error> {
    let squared =
        |sides: &[(f64, f64)]| -> f64 { sides.iter().map(|(low, high)| (high - low) * (high - low)).sum() };
    let mut sides = known.extents();
    if let Some(new) = new {
        let all = joined(sides.clone(), extents(new));
        if squared(&all).is_finite() {
            return Ok(());
        }
        if squared(&sides).is_finite() {
            // The first that is too far by itself, if any.
            let far = |row: &[f64]| {
                sides
                    .iter()
                    .zip(row)
                    .map(|((low, high), x)| (x - low).abs().max((high - x).abs()).powi(2))
                    .sum()
            };
            let row = new.rows().position(|row| !f64::is_finite(far(row)));
            let which = row.map_or_else(|| "a new point".to_owned(), |row| format!("new point {row}"));
            return Err(Error::degenerate(
                format!("{which} is so far from the training points that squared distances overflow"),
                "leave it out, or bring the new points to the units of the training data",
            ));
        }
        sides = all;
    }
    if squared(&sides).is_finite() {
        return Ok(());
    }
    let widest = sides.iter().map(|(low, high)| high - low).fold(0.0, f64::max);
    Err(Error::degenerate(
        format!("squared distances overflow: a column spans {widest:e}"),
        "divide all values by a common factor",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_give_the_same_bits() {
        struct Both<'a>(&'a [f64], &'a [f64]);
        impl WithSimd for Both<'_> {
            type Output = [f64; 2];
            fn with_simd<S: Simd>(self, simd: S) -> [f64; 2] {
                distances_in(simd, self.0, [self.1, self.0])
            }
        }
        for d in 1..70 {
            let a: Vec<f64> = (0..d).map(|i| (f64::from(i) * 1.7).sin()).collect();
            let b: Vec<f64> = (0..d).map(|i| (f64::from(i) * 2.3).cos() * 1e3).collect();
            assert_eq!(Arch::new().dispatch(Both(&a, &b)), [distance(&a, &b), 0.0], "D = {d}");
        }
    }

    #[test]
    fn distances_from_a_point_are_those_of_pairs() {
        for (dim, count) in [(3, 5), (8, 6), (21, 16)] {
            let values: Vec<f64> = (0..30 * dim).map(|at| ((at * at) as f64 * 0.37).sin()).collect();
            let points = Points::new(&values, dim).expect("finite");
            let to: Vec<u32> = (0..count).map(|at| (at * 7 + 4) % 30).collect();
            let mut distances = vec![f64::NAN; to.len()];
            distances_from(points, 4, &to, &mut distances);
            let direct = to.iter().map(|j| distance(points.row(4), points.row(*j as usize)));
            assert!(direct.eq(distances.iter().copied()), "{count} points of {dim} columns: {distances:?}");
        }
    }

    #[test]
    fn a_new_point_that_is_too_far_is_named() {
        let (known, new) = ([0.0, 1.0], [0.5, -1e200, 2.0]);
        let [known, new] = [&known[..], &new].map(|values| Points::new(values, 1).expect("finite"));
        let refused = check_scale(known.into(), Some(new)).expect_err("1e400 is no number").to_string();
        assert!(refused.starts_with("new point 1 is so far") && refused.contains("units"), "{refused}");
    }

    #[test]
    fn overflow_is_an_error() {
        let values = [1e200, -1e200];
        let points = Points::new(&values, 1).expect("finite");
        let refused = check_scale(points.into(), None).expect_err("4e400 is no number");
        assert!(refused.to_string().contains("a column spans 2e200"), "{refused}");
        let values = [f64::MAX, f64::MIN];
        let points = Points::new(&values, 1).expect("finite");
        assert!(check_scale(points.into(), None).is_err());
    }
}
