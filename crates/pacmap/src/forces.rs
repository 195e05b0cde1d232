//! Sums of the gradients of all pairs of a point.

use layout::{LANES, Vectors};
use pulp::{Simd, WithSimd};

use crate::loss::Term;
use crate::pairs::{Blocks, Lists};

/// One kind of pair in an iteration: its lists, the term and its weight.
#[derive(Clone, Copy)]
pub(crate) struct Kind<'a, L> {
    pub(crate) lists: &'a L,
    pub(crate) term: Term,
    pub(crate) weight: f64,
}

/// The factor of a pair's difference: f / (c + d)², divided by √d if `rooted`.
struct Factor {
    f: f32,
    c: f32,
    rooted: bool,
}

impl Factor {
    fn of(term: Term, weight: f64) -> Self {
        // Each pair of points has the factor 2 of the squared distance.
        let (f, c, rooted) = match term {
            Term::Pull { c } => (c, c, false),
            Term::LocalPull { c, h } => (c * h, c, true),
            Term::Push { c } => (-c, c, false),
        };
        Self { f: (2.0 * weight * f) as f32, c: c as f32, rooted }
    }
}

/// Working memory of a task.
#[derive(Default)]
pub(crate) struct Workspace {
    /// Differences of coordinates, lanes of each.
    differences: Vec<f32>,
    /// Sums over the pairs of each lane.
    sums: Vec<f32>,
}

/// Sums for a run of points.
pub(crate) struct Gather<'a> {
    /// The lists have each pair at both ends.
    pub(crate) kinds: &'a [Kind<'a, Blocks>],
    /// Positions of all points.
    pub(crate) y: &'a [f32],
    pub(crate) dim: usize,
    pub(crate) first: usize,
    pub(crate) work: &'a mut Workspace,
    /// The gradients of the points from `first` on.
    pub(crate) gradients: &'a mut [f32],
}

impl WithSimd for Gather<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        // Common numbers of coordinates are compiled separately, as constants.
        match self.dim {
            2 => self.run_planar(simd),
            3 => self.run(3),
            dim => self.run(dim),
        }
    }
}

impl Gather<'_> {
    #[inline(always)]
    fn run_planar<S: Simd>(self, simd: S) {
        let y = self.y.as_chunks::<2>().0;
        for (i, gradient) in (self.first..).zip(self.gradients.as_chunks_mut::<2>().0) {
            let mut sums = Vectors::zero(simd);
            for Kind { lists, term, weight } in self.kinds {
                add_planar(simd, i, lists.of(i), y, &mut sums, Factor::of(*term, *weight));
            }
            *gradient = sums.total();
        }
    }

    #[inline(always)]
    fn run(self, dim: usize) {
        let Self { kinds, y, first, work, gradients, .. } = self;
        work.differences.resize(dim * LANES, 0.0);
        work.sums.resize(dim * LANES, 0.0);
        let (differences, sums) = (&mut work.differences[..dim * LANES], &mut work.sums[..dim * LANES]);
        for (i, gradient) in (first..).zip(gradients.chunks_exact_mut(dim)) {
            sums.fill(0.0);
            for Kind { lists, term, weight } in kinds {
                let blocks = lists.of(i);
                let Factor { f, c, rooted } = Factor::of(*term, *weight);
                if rooted {
                    add(dim, i, blocks, y, differences, sums, |d| f / ((c + d) * (c + d) * d.sqrt()));
                } else {
                    add(dim, i, blocks, y, differences, sums, |d| f / ((c + d) * (c + d)));
                }
            }
            for (g, lanes) in gradient.iter_mut().zip(sums.as_chunks::<LANES>().0) {
                let [a, b, c, d, e, f, g7, h] = *lanes;
                *g = ((a + e) + (c + g7)) + ((b + f) + (d + h));
            }
        }
    }
}

/// Adds factor(d) (y_i − y_j) for all j; the point itself does not pull.
#[inline(always)]
fn add(
    dim: usize,
    i: usize,
    blocks: &[[u32; LANES]],
    y: &[f32],
    differences: &mut [f32],
    sums: &mut [f32],
    factor: impl Fn(f32) -> f32,
) {
    let here = &y[i * dim..][..dim];
    for block in blocks {
        let mut d = [1.0; LANES];
        for l in 0..LANES {
            let there = &y[block[l] as usize * dim..][..dim];
            for c in 0..dim {
                differences[c * LANES + l] = here[c] - there[c];
            }
        }
        for lanes in differences.as_chunks::<LANES>().0 {
            for l in 0..LANES {
                d[l] += lanes[l] * lanes[l];
            }
        }
        let factors = d.map(&factor);
        let (lanes, _) = differences.as_chunks::<LANES>();
        for (sum, difference) in sums.as_chunks_mut::<LANES>().0.iter_mut().zip(lanes) {
            for l in 0..LANES {
                sum[l] += factors[l] * difference[l];
            }
        }
    }
}

/// Adds the factors times y_i − y_j for all j; the point itself does not pull.
#[inline(always)]
fn add_planar<S: Simd>(
    simd: S,
    i: usize,
    blocks: &[[u32; LANES]],
    y: &[[f32; 2]],
    sums: &mut Vectors<S>,
    Factor { f, c, rooted }: Factor,
) {
    let (f, c, one) = (simd.splat_f32s(f), simd.splat_f32s(c), simd.splat_f32s(1.0));
    let here = y[i];
    for block in blocks {
        let differences = Vectors::between(simd, here, block.map(|j| y[j as usize]));
        let [terms] = Vectors::combine(
            simd,
            [differences, differences.squares(simd)],
            #[inline(always)]
            |[x, square]| {
                let d = simd.add_f32s(one, square);
                let sum = simd.add_f32s(c, d);
                let mut divisor = simd.mul_f32s(sum, sum);
                if rooted {
                    divisor = simd.mul_f32s(divisor, simd.sqrt_f32s(d));
                }
                [simd.mul_f32s(simd.div_f32s(f, divisor), x)]
            },
        );
        sums.add(simd, terms);
    }
}

/// Σ over the pairs of the lists of weight · term, each pair in one list.
pub(crate) fn loss(kinds: &[Kind<'_, Lists>], y: &[f32], dim: usize) -> f64 {
    use rayon::prelude::*;
    let position = |i: usize| &y[i * dim..][..dim];
    let row = |i: usize| -> f64 {
        let mut sum = 0.0;
        for Kind { lists, term, weight } in kinds {
            for &j in lists.of(i) {
                let squares =
                    position(i).iter().zip(position(j as usize)).map(|(a, b)| f64::from(a - b).powi(2));
                sum += weight * term.value(1.0 + squares.sum::<f64>());
            }
        }
        sum
    };
    let rows: Vec<f64> = (0..y.len() / dim).into_par_iter().with_min_len(64).map(row).collect();
    rows.iter().sum()
}

#[cfg(test)]
mod tests {
    use testkit::Random;

    use super::*;

    /// Gradients of all kinds in any dimension are the derivatives of the loss.
    #[test]
    fn gradients_are_derivatives_of_the_loss() {
        let mut random = Random::new(3);
        let n = 40;
        let lists: Vec<Lists> = (0..3)
            .map(|_| {
                let list = |i: usize| -> Vec<u32> {
                    let count = random.below(21);
                    (0..count).map(|_| random.below(n) as u32).filter(|&j| j as usize != i).collect()
                };
                Lists::of_points(&(0..n).map(list).collect::<Vec<_>>())
            })
            .collect();
        let both: Vec<Blocks> = lists.iter().map(Lists::both_ways).collect();
        for near in [Term::Pull { c: 10.0 }, Term::LocalPull { c: 10.0, h: 5.0 }] {
            let terms = [(near, 3.0), (Term::Pull { c: 1e4 }, 500.0), (Term::Push { c: 1.0 }, 1.5)];
            fn kinds<L>(lists: &[L], terms: [(Term, f64); 3]) -> Vec<Kind<'_, L>> {
                lists.iter().zip(terms).map(|(lists, (term, weight))| Kind { lists, term, weight }).collect()
            }
            for dim in 1..=4 {
                let y: Vec<f32> = (0..n * dim).map(|_| random.below(4000) as f32 / 500.0 - 4.0).collect();
                let mut gradients = vec![0.0; n * dim];
                pulp::Arch::new().dispatch(Gather {
                    kinds: &kinds(&both, terms),
                    y: &y,
                    dim,
                    first: 0,
                    work: &mut Workspace::default(),
                    gradients: &mut gradients,
                });
                let largest = gradients.iter().fold(0.0_f32, |m, g| m.max(g.abs()));
                for (at, &gradient) in gradients.iter().enumerate() {
                    let (mut above, mut below) = (y.clone(), y.clone());
                    above[at] += 0.015_625;
                    below[at] -= 0.015_625;
                    let difference =
                        loss(&kinds(&lists, terms), &above, dim) - loss(&kinds(&lists, terms), &below, dim);
                    let gap = (f64::from(gradient) - difference / 0.031_25).abs();
                    assert!(gap < 2e-4 * f64::from(largest), "{near:?}, {dim}: {gradient}, {gap}");
                }
            }
        }
    }
}
