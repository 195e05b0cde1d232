//! Solves with a sparse Cholesky factor, branches of the elimination tree in parallel.

use faer::reborrow::*;
use faer::traits::pulp::Arch;
use faer::{Mat, MatMut, MatRef};
use rayon::prelude::*;

use crate::factor::Factor;
use crate::front::{Backward, Forward, Front, LANES};
use crate::plan::Group;
use crate::real::Real;
use crate::{Operator, Sparse, block, chunks};

/// Some columns of a right-hand side, row by row.
type Lanes<T> = Vec<[T; LANES]>;

impl<T: Real> Factor<'_, T> {
    /// Overwrites the columns of `x` with the solutions; the groups of a level in parallel.
    pub(crate) fn solve(&self, x: MatMut<'_, f64>) {
        chunks::columns_mut(x, LANES).into_par_iter().for_each(|columns| self.solve_columns(columns));
    }

    fn solve_columns(&self, mut x: MatMut<'_, f64>) {
        let plan = self.plan;
        let mut parts: Vec<Lanes<T>> = Vec::with_capacity(plan.groups.len());
        let mut handed = Vec::with_capacity(plan.groups.len());
        for level in &plan.levels {
            let given: Vec<Vec<Lanes<T>>> = level.clone().map(|g| plan.given(g, &mut handed)).collect();
            let done: Vec<(Lanes<T>, Lanes<T>)> = (level.clone().into_par_iter().zip(given).with_max_len(1))
                .map(|(group, given)| self.forward(group, x.rb(), given))
                .collect();
            for (part, update) in done {
                parts.push(part);
                handed.push(update);
            }
        }
        let mut fronts: Vec<Lanes<T>> = vec![Vec::new(); plan.groups.len()];
        for level in plan.levels.iter().rev() {
            let done: Vec<Lanes<T>> =
                (parts[level.clone()].par_iter_mut().zip(level.clone()).with_max_len(1))
                    .map(|(part, group)| self.backward(group, part, &fronts))
                    .collect();
            level.clone().zip(done).for_each(|(group, front)| fronts[group] = front);
        }
        for (group, part) in plan.groups.iter().zip(&parts) {
            let columns = group.nodes.iter().flat_map(|&s| plan.columns(s as usize));
            for (column, lanes) in columns.zip(part) {
                let row = plan.order[column] as usize;
                (0..x.ncols()).for_each(|j| x[(row, j)] = lanes[j].widen());
            }
        }
    }

    /// The columns and rows of a node's front, its values column by column.
    fn front(&self, home: usize, slot: usize) -> Front<'_, T> {
        let Group { columns, values, .. } = &self.plan.groups[home];
        let width = columns[slot + 1] - columns[slot];
        let values = &self.values[home][values[slot]..values[slot + 1]];
        Front { width, height: values.len() / width, values }
    }

    /// L y = b: the group's part of y, and what its root hands on; `given` is
    /// what the root's children in other groups do.
    fn forward(&self, home: usize, b: MatRef<'_, f64>, given: Vec<Lanes<T>>) -> (Lanes<T>, Lanes<T>) {
        let plan = self.plan;
        let group = &plan.groups[home];
        let zero = T::narrow(0.0);
        let mut y = Vec::with_capacity(group.columns[group.nodes.len()]);
        let (mut stack, mut lanes) = (Lanes::new(), Lanes::new());
        let wide = Arch::new();
        for (slot, &s) in group.nodes.iter().enumerate() {
            let s = s as usize;
            let front = self.front(home, slot);
            let Front { width, height, .. } = front;
            lanes.clear();
            lanes.extend(plan.order[plan.columns(s)].iter().map(|&row| {
                let value = |j| if j < b.ncols() { T::narrow(b[(row as usize, j)]) } else { zero };
                std::array::from_fn(value)
            }));
            lanes.resize(height, [zero; LANES]);
            for (c, from) in plan.left(s, &stack, &given, |c| plan.below(c).len()) {
                for (&place, from) in plan.places(c).iter().zip(from) {
                    let to = &mut lanes[place as usize];
                    (0..LANES).for_each(|j| to[j] += from[j]);
                }
            }
            if given.is_empty() {
                let used: usize = plan.children(s).iter().map(|&c| plan.below(c as usize).len()).sum();
                stack.truncate(stack.len() - used);
            }
            wide.dispatch(Forward { front, x: &mut lanes });
            y.extend_from_slice(&lanes[..width]);
            stack.extend_from_slice(&lanes[width..]);
        }
        (y, stack)
    }

    /// Lᵀ x = y in place; returns the root's front of x. `fronts` are those of
    /// the groups of higher levels.
    fn backward(&self, home: usize, y: &mut [[T; LANES]], fronts: &[Lanes<T>]) -> Lanes<T> {
        let plan = self.plan;
        let group = &plan.groups[home];
        let wide = Arch::new();
        let mut inside: Vec<Lanes<T>> = vec![Vec::new(); group.nodes.len()];
        for (slot, &s) in group.nodes.iter().enumerate().rev() {
            let s = s as usize;
            let front = self.front(home, slot);
            let Front { width, height, .. } = front;
            let y = &mut y[group.columns[slot]..group.columns[slot + 1]];
            let mut lanes = Vec::with_capacity(height);
            lanes.extend_from_slice(y);
            if let Some(parent) = plan.parent(s) {
                let above = if plan.home(parent) == home {
                    &inside[plan.slot(parent)]
                } else {
                    &fronts[plan.home(parent)]
                };
                lanes.extend(plan.places(s).iter().map(|&place| above[place as usize]));
                // A front stays until its last child.
                if plan.home(parent) == home && plan.children(parent)[0] as usize == s {
                    inside[plan.slot(parent)] = Vec::new();
                }
            }
            wide.dispatch(Backward { front, x: &mut lanes });
            y.copy_from_slice(&lanes[..width]);
            if !plan.children(s).is_empty() {
                inside[slot] = lanes;
            }
        }
        inside.swap_remove(group.nodes.len() - 1)
    }

    /// How wrong a solution x of (M + `shift` I) x = b is for a random b:
    /// |b − (M + shift I) x| over |M| |x| + |b|. NaN when it is not finite.
    pub(crate) fn probe(&self, matrix: &Sparse, shift: f64, norm: f64) -> f64 {
        let b = block::random(matrix.nrows(), 1, u64::MAX);
        let mut x = b.clone();
        self.solve(x.as_mut());
        let mut image = Mat::zeros(x.nrows(), 1);
        matrix.apply(x.as_ref(), image.as_mut());
        let rest = Mat::from_fn(x.nrows(), 1, |i, _| b[(i, 0)] - image[(i, 0)] - shift * x[(i, 0)]);
        rest.norm_l2() / (norm * x.norm_l2() + b.norm_l2())
    }
}

impl<T: Real> Operator for Factor<'_, T> {
    fn order(&self) -> usize {
        self.plan.order.len()
    }

    fn apply(&self, x: MatRef<'_, f64>, mut out: MatMut<'_, f64>) {
        out.copy_from(x);
        self.solve(out);
    }
}
