//! Multifrontal sparse Cholesky factorization, with subtrees of the elimination tree in
//! parallel.

use std::ops::Range;

use embedding::implement::{multiply, multiply_lower, release_registers};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::reborrow::*;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

use crate::real::Real;
use crate::symbolic::{PANEL, Symbolic, TOGETHER};
use crate::{Sparse, chunks};

impl Symbolic {
    /// Returns the peak memory of the factorization: factor entries and pending updates.
    pub(crate) fn bytes<T: Real>(&self) -> u64 {
        (self.entries() * size_of::<T>()) as u64
    }

    /// Computes the Cholesky factor of `matrix` + `shift` I; returns `None` if a pivot is
    /// not positive.
    ///
    /// The multifrontal method (Duff and Reid, doi:10.1145/356044.356047; Liu,
    /// doi:10.1137/1034004): each node assembles its columns of the matrix and the
    /// updates of its children in its front, eliminates its columns, and passes its own
    /// update to its parent. The order of summation does not depend on the number of
    /// threads.
    pub(crate) fn factor<T: Real>(&self, matrix: &Sparse, shift: f64) -> Option<Factor<'_, T>> {
        let source = Source { symbolic: self, matrix, shift };
        let mut values = Vec::with_capacity(self.groups.len());
        let mut updates = Vec::with_capacity(self.groups.len());
        for level in &self.levels {
            for first in level.clone().step_by(TOGETHER) {
                let groups = first..(first + TOGETHER).min(level.end);
                let received: Vec<Vec<Vec<T>>> =
                    groups.clone().map(|g| self.take_updates(g, &mut updates)).collect();
                let done: Option<Vec<(Vec<T>, Vec<T>)>> =
                    (groups.into_par_iter().zip(received).with_max_len(1))
                        .map(|(group, received)| source.eliminate(group, received))
                        .collect();
                for (group, update) in done? {
                    values.push(group);
                    updates.push(update);
                }
            }
        }
        Some(Factor { symbolic: self, values })
    }

    /// Removes the updates that a group receives from other groups: one per child if the
    /// group is a single node with children in other groups, otherwise none.
    pub(crate) fn take_updates<T>(&self, group: usize, updates: &mut [Vec<T>]) -> Vec<Vec<T>> {
        let children = self.children(self.groups[group].nodes[0] as usize);
        children.iter().map(|&c| std::mem::take(&mut updates[self.group_of(c as usize)])).collect()
    }

    /// Iterates over the updates of a node's children, in order: taken from the end of
    /// the stack, or received from other groups. `entries` is the length of a child's
    /// update.
    pub(crate) fn child_updates<'a, T>(
        &'a self,
        s: usize,
        stack: &'a [T],
        received: &'a [Vec<T>],
        entries: impl Fn(usize) -> usize + 'a,
    ) -> impl Iterator<Item = (usize, &'a [T])> {
        let children = self.children(s).iter().map(|&c| c as usize);
        let total: usize = if received.is_empty() { children.clone().map(&entries).sum() } else { 0 };
        let mut rest = &stack[stack.len() - total..];
        children.enumerate().map(move |(i, c)| {
            let Some(received) = received.get(i) else {
                return (
                    c,
                    rest.split_off(..entries(c)).expect("the stack holds the updates of all children"),
                );
            };
            (c, &received[..])
        })
    }
}

/// The matrix to factorize and its elimination symbolic.
#[derive(Clone, Copy)]
struct Source<'a> {
    symbolic: &'a Symbolic,
    matrix: &'a Sparse,
    shift: f64,
}

impl Source<'_> {
    /// Computes the factor's values of group `g` and the update of its root, a lower
    /// triangle stored by columns; `received` holds the updates of the root's children in
    /// other groups.
    fn eliminate<T: Real>(&self, g: usize, received: Vec<Vec<T>>) -> Option<(Vec<T>, Vec<T>)> {
        let symbolic = self.symbolic;
        let group = &symbolic.groups[g];
        let widest = group.columns.windows(2).map(|w| w[1] - w[0]).max().unwrap_or(0);
        let scratch = cholesky_in_place_scratch::<T>(widest.min(PANEL), Par::Seq, Default::default());
        let mut memory = MemBuffer::new(scratch);
        let mut values = vec![T::narrow(0.0); group.values[group.nodes.len()]];
        let mut stack = Vec::with_capacity(group.stack_capacity);
        for (slot, &s) in group.nodes.iter().enumerate() {
            let s = s as usize;
            let (width, rest) = (symbolic.columns(s).len(), symbolic.below(s).len());
            let front = &mut values[group.values[slot]..group.values[slot + 1]];
            self.read(s, front);
            let children: Vec<(usize, &[T])> =
                symbolic.child_updates(s, &stack, &received, |c| symbolic.update(c)).collect();
            children.iter().for_each(|&(c, from)| add(from, symbolic.places(c), 0..width, front));
            let mut front = MatMut::from_column_major_slice_mut(front, width + rest, width);
            eliminate(front.rb_mut(), MemStack::new(&mut memory))?;
            let update = self.update(front.rb().get(width.., ..), &children);
            if received.is_empty() {
                let used: usize = symbolic.children(s).iter().map(|&c| symbolic.update(c as usize)).sum();
                stack.truncate(stack.len() - used);
            }
            update.iter().for_each(|columns| stack.extend_from_slice(columns));
            debug_assert!(stack.len() <= group.stack_capacity);
        }
        Some((values, stack))
    }

    /// Returns a node's update in panels, from the rows of its front below its columns
    /// and the updates of its children.
    fn update<T: Real>(&self, below: MatRef<'_, T>, children: &[(usize, &[T])]) -> Vec<Vec<T>> {
        let (rest, width) = below.shape();
        let parts: Vec<usize> = (0..rest).step_by(PANEL).collect();
        let part = |first: usize| {
            let (height, columns) = (rest - first, PANEL.min(rest - first));
            let mut block = vec![T::narrow(0.0); height * columns];
            let target = MatMut::from_column_major_slice_mut(&mut block, height, columns);
            outer(below.get(first.., ..), target, Accum::Replace);
            let range = width + first..width + first + columns;
            children
                .iter()
                .for_each(|&(c, from)| add(from, self.symbolic.places(c), range.clone(), &mut block));
            let mut triangle = Vec::with_capacity(height * columns - columns * (columns - 1) / 2);
            (0..columns).for_each(|j| triangle.extend_from_slice(&block[j * height + j..(j + 1) * height]));
            triangle
        };
        parts.into_par_iter().map(part).collect()
    }

    /// Assembles the node's columns of the matrix in its front.
    fn read<T: Real>(&self, s: usize, front: &mut [T]) {
        let columns = self.symbolic.columns(s);
        let height = self.symbolic.height(s);
        let below = self.symbolic.below(s);
        let (begin, end) = (columns.start, columns.end);
        // Binary search, to avoid an index over all rows for each node of a long chain.
        let place = |row: usize| {
            if row < end { row - begin } else { end - begin + below.partition_point(|&r| (r as usize) < row) }
        };
        for (column, front) in columns.zip(front.chunks_exact_mut(height)) {
            let (links, values) = self.matrix.row(self.symbolic.order[column] as usize);
            for (&link, &value) in links.iter().zip(values) {
                let row = self.symbolic.rank[link as usize] as usize;
                if row > column {
                    front[place(row)] = T::narrow(value);
                } else if row == column {
                    front[place(row)] = T::narrow(value + self.shift);
                }
            }
        }
    }
}

/// Adds a child's update to the given columns of its parent's front. `target` holds these
/// columns, with the rows from the first of them on (all rows if they are the leading
/// columns).
fn add<T: Real>(from: &[T], places: &[u32], columns: Range<usize>, target: &mut [T]) {
    let height = target.len() / columns.len().max(1);
    let begin = places.partition_point(|&place| (place as usize) < columns.start);
    let end = places.partition_point(|&place| (place as usize) < columns.end);
    let mut at = begin * places.len() - begin * begin.saturating_sub(1) / 2;
    for j in begin..end {
        let values = &from[at..at + places.len() - j];
        at += values.len();
        let target = &mut target[(places[j] as usize - columns.start) * height..][..height];
        for (&row, &value) in places[j..].iter().zip(values) {
            target[row as usize - columns.start] += value;
        }
    }
}

/// Overwrites a front with its columns of the factor; returns `None` if a pivot is not
/// positive.
fn eliminate<T: Real>(mut front: MatMut<'_, T>, stack: &mut MemStack) -> Option<()> {
    let mut first = 0;
    while first < front.ncols() {
        let panel = PANEL.min(front.ncols() - first);
        let (left, mut right) = front.rb_mut().get_mut(first.., first..).split_at_col_mut(panel);
        let (mut top, mut bottom) = left.split_at_row_mut(panel);
        let (regularization, parameters) = (Default::default(), Default::default());
        let done = cholesky_in_place(top.rb_mut(), regularization, Par::Seq, stack, parameters);
        release_registers();
        done.ok()?;
        chunks::rows_mut(bottom.rb_mut(), PANEL).into_par_iter().for_each(|mut rows| {
            // Right-hand sides are read by columns, which are contiguous in a transposed
            // copy.
            let mut columns = rows.rb().transpose().to_owned();
            solve_lower_triangular_in_place(top.rb(), columns.as_mut(), Par::Seq);
            release_registers();
            rows.copy_from(columns.transpose());
        });
        outer(bottom.rb(), right.rb_mut().get_mut(panel.., ..), Accum::Add);
        first += panel;
    }
    Some(())
}

/// Subtracts the leading columns of B Bᵀ from the lower triangle of `target`, or, without
/// accumulation, overwrites it with their negative.
fn outer<T: Real>(b: MatRef<'_, T>, target: MatMut<'_, T>, accumulate: Accum) {
    chunks::columns_mut(target, PANEL).into_par_iter().enumerate().for_each(|(chunk, columns)| {
        let (first, last) = (chunk * PANEL, chunk * PANEL + columns.ncols());
        let (square, beneath) = columns.split_at_row_mut(first).1.split_at_row_mut(last - first);
        let (minus, left) = (T::narrow(-1.0), b.get(first..last, ..));
        // The product reads its right factor by columns, which are contiguous in a
        // transposed copy.
        let right = left.transpose().to_owned();
        multiply_lower(square, accumulate, left, right.as_ref(), minus);
        multiply(beneath, accumulate, b.get(last.., ..), right.as_ref(), minus);
    });
}

/// A sparse Cholesky factor.
pub(crate) struct Factor<'a, T> {
    pub(crate) symbolic: &'a Symbolic,
    /// Values of each group.
    pub(crate) values: Vec<Vec<T>>,
}

#[cfg(test)]
mod tests {
    use faer::linalg::solvers::Solve;
    use faer::sparse::{SparseColMat, Triplet};
    use faer::{Mat, Side};

    use crate::real::Real;
    use crate::symbolic::Symbolic;
    use crate::{Sparse, block};

    /// Returns a symmetric diagonally dominant matrix with the given entries below the
    /// diagonal.
    fn dominant(n: usize, below: impl Iterator<Item = (usize, usize)>) -> Sparse {
        let mut rows = vec![Vec::new(); n];
        let values = block::random(n, 1, 7);
        for (e, (i, j)) in below.filter(|(i, j)| i != j).enumerate() {
            let value = values[(e % n, 0)];
            rows[i].push((j as u32, value));
            rows[j].push((i as u32, value));
        }
        for (i, row) in rows.iter_mut().enumerate() {
            let sum: f64 = row.iter().map(|(_, v)| f64::abs(*v)).sum();
            row.push((i as u32, sum + 0.1));
        }
        Sparse::from_rows(n, rows).expect("rows are below n")
    }

    /// Returns paths, stars, grids, bands, dense blocks, forests, a diagonal matrix and
    /// random matrices.
    fn matrices() -> Vec<Sparse> {
        let grid = |i: usize| [(i, i.saturating_sub(1)), (i, i.saturating_sub(40))];
        let chance = block::random(6000, 1, 3);
        let node = |e: usize, n: usize| (((chance[(e, 0)] + 1.0) / 2.0 * n as f64) as usize).min(n - 1);
        vec![
            dominant(1, std::iter::empty()),
            dominant(300, std::iter::empty()),
            dominant(3000, (1..3000).map(|i| (i, i - 1))),
            dominant(400, (1..400).map(|i| (i, 0))),
            dominant(1600, (1..1600).flat_map(grid)),
            dominant(900, (0..900).flat_map(|i: usize| (1..30).map(move |d| (i, i.saturating_sub(d))))),
            dominant(420, (0..420).flat_map(|i| (0..i).map(move |j| (i, j)))),
            dominant(1000, (0..1000).filter(|i| i % 9 > 0).map(|i| (i, i - 1))),
            dominant(2000, (0..3000).map(|e| (node(2 * e, 2000), node(2 * e + 1, 2000)))),
        ]
    }

    fn library(matrix: &Sparse) -> SparseColMat<usize, f64> {
        let n = matrix.nrows();
        let entries: Vec<Triplet<usize, usize, f64>> = (0..n)
            .flat_map(|i| {
                let (columns, values) = matrix.row(i);
                columns.iter().zip(values).map(move |(&c, &v)| Triplet::new(i, c as usize, v))
            })
            .collect();
        SparseColMat::try_new_from_triplets(n, n, &entries).expect("entries are in range")
    }

    fn solution<T: Real>(matrix: &Sparse, b: &Mat<f64>) -> Mat<f64> {
        let symbolic = Symbolic::new(matrix).expect("a symbolic").expect("a small factor");
        let factor = symbolic.factor::<T>(matrix, 0.0).expect("positive definite");
        let mut x = b.clone();
        factor.solve(x.as_mut());
        x
    }

    #[test]
    fn solutions_agree_with_faers_sparse_cholesky() {
        for (which, matrix) in matrices().iter().enumerate() {
            let oracle = library(matrix).sp_cholesky(Side::Lower).expect("positive definite");
            for k in [1, 2, 4, 7] {
                let b = block::random(matrix.nrows(), k, 1);
                let expected = oracle.solve(&b);
                let wide = (solution::<f64>(matrix, &b) - &expected).norm_max() / expected.norm_max();
                let narrow = (solution::<f32>(matrix, &b) - &expected).norm_max() / expected.norm_max();
                assert!(wide < 1e-12, "matrix {which}, {k} columns: {wide:e}");
                assert!(narrow < 1e-3, "matrix {which}, {k} columns: {narrow:e}");
            }
        }
    }

    #[test]
    fn a_nonpositive_pivot_is_reported() {
        let n = 900;
        for bad in [0, 450, n - 1] {
            let mut rows: Vec<Vec<(u32, f64)>> = (0..n).map(|i| vec![(i as u32, 2.0)]).collect();
            for i in 1..n {
                rows[i].push((i as u32 - 1, -0.5));
                rows[i - 1].push((i as u32, -0.5));
            }
            rows[bad].push((bad as u32, -3.0));
            let matrix = Sparse::from_rows(n, rows).expect("rows are below n");
            let symbolic = Symbolic::new(&matrix).expect("a symbolic").expect("a small factor");
            assert!(symbolic.factor::<f64>(&matrix, 0.0).is_none());
            assert!(symbolic.factor::<f64>(&matrix, 3.0).is_some());
        }
    }
}
