//! Partition of points into blocks of nearby ones.

use std::ops::Range;

use crate::search::sketch::Sketch;

/// The blocks of n points, of at most `most` each: consecutive halves of halves, a power of two
/// in number.
pub(crate) fn blocks(n: usize, most: usize) -> Vec<Range<usize>> {
    let mut ends = vec![0, n];
    for _ in 0..halvings(n, most) {
        let halves = |ends: &[usize]| [ends[0], usize::midpoint(ends[0], ends[1])];
        ends = ends.windows(2).flat_map(halves).chain([n]).collect();
    }
    ends.windows(2).map(|ends| ends[0]..ends[1]).collect()
}

/// The points in an order in which each of the [`blocks`] has nearby ones: halves are split
/// recursively at the median of the coordinate with the largest variation.
pub(crate) fn by_halves(sketch: &Sketch, most: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..sketch.len() as u32).collect();
    halve(sketch, &mut order, halvings(sketch.len(), most));
    order
}

/// How often n points are halved until no block has more than `most`.
fn halvings(n: usize, most: usize) -> u32 {
    n.div_ceil(most).next_power_of_two().ilog2()
}

fn halve(sketch: &Sketch, members: &mut [u32], times: u32) {
    if times == 0 {
        return;
    }
    let axis = widest(sketch, members);
    let values: Vec<f32> = members.iter().map(|&i| sketch.place(i as usize)[axis]).collect();
    let (first, second) = divide(members, &values);
    rayon::join(|| halve(sketch, first, times - 1), || halve(sketch, second, times - 1));
}

/// Divides members into the half with the smaller values and the others.
pub(crate) fn divide<'a>(members: &'a mut [u32], values: &[f32]) -> (&'a mut [u32], &'a mut [u32]) {
    let mut keyed: Vec<(f32, u32)> = values.iter().copied().zip(members.iter().copied()).collect();
    let half = members.len() / 2;
    select(&mut keyed, half);
    members.iter_mut().zip(&keyed).for_each(|(member, &(_, i))| *member = i);
    members.split_at_mut(half)
}

fn select(keyed: &mut [(f32, u32)], half: usize) {
    keyed.select_nth_unstable_by(half, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
}

/// Moves the `half` rows with the smallest coordinates on an axis (the first among equal ones) to
/// the front of `order`; returns the smallest coordinate of the others.
pub(crate) fn least_above(
    order: &mut [u32],
    half: usize,
    values: &[f64],
    (dim, axis): (usize, usize),
) -> f64 {
    let at = |row: u32| values[row as usize * dim + axis];
    let (_, &mut middle, _) =
        order.select_nth_unstable_by(half, |&a, &b| at(a).total_cmp(&at(b)).then(a.cmp(&b)));
    at(middle)
}

fn widest(sketch: &Sketch, members: &[u32]) -> usize {
    let width = sketch.place(0).len();
    let (mut sums, mut squares) = (vec![0.0_f64; width], vec![0.0_f64; width]);
    for &i in members {
        for (c, &x) in sketch.place(i as usize).iter().enumerate() {
            sums[c] += f64::from(x);
            squares[c] += f64::from(x) * f64::from(x);
        }
    }
    let n = members.len() as f64;
    let variance = |c: usize| squares[c] - sums[c] * sums[c] / n;
    (0..width).rev().max_by(|&a, &b| variance(a).total_cmp(&variance(b))).unwrap_or(0)
}
