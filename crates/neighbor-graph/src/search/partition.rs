//! Partition of the known points into blocks of nearby points.

use std::ops::Range;

use crate::search::sketch::Sketch;

/// A permutation of the points, and consecutive blocks of it.
#[derive(Debug)]
pub(crate) struct Partition {
    pub(crate) order: Vec<u32>,
    pub(crate) blocks: Vec<Range<usize>>,
}

/// Keeps the given order.
pub(crate) fn as_given(n: usize, most: usize) -> Partition {
    let blocks = (0..n).step_by(most).map(|start| start..n.min(start + most)).collect();
    Partition { order: (0..n as u32).collect(), blocks }
}

/// Splits the points recursively at the median of the coordinate with the largest
/// variation, until no block has more than `most` points.
pub(crate) fn by_halves(sketch: &Sketch, most: usize) -> Partition {
    let mut order: Vec<u32> = (0..sketch.len() as u32).collect();
    let mut end = 0;
    let blocks = halved(sketch, &mut order, most).into_iter().map(|size| {
        end += size;
        end - size..end
    });
    Partition { blocks: blocks.collect(), order }
}

/// Permutes the members into blocks, and returns the block sizes.
fn halved(sketch: &Sketch, members: &mut [u32], most: usize) -> Vec<usize> {
    if members.len() <= most {
        return vec![members.len()];
    }
    let axis = widest(sketch, members);
    let value = |i: u32| sketch.place(i as usize)[axis];
    let half = members.len() / 2;
    members.select_nth_unstable_by(half, |&a, &b| value(a).total_cmp(&value(b)).then(a.cmp(&b)));
    let (first, second) = members.split_at_mut(half);
    let (mut sizes, others) = rayon::join(|| halved(sketch, first, most), || halved(sketch, second, most));
    sizes.extend(others);
    sizes
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
