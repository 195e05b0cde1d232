//! Triangular solves with a sparse Cholesky factor, subtrees of the elimination tree in
//! parallel.

use faer::reborrow::*;
use faer::traits::pulp::Arch;
use faer::{Mat, MatMut, MatRef};
use rayon::prelude::*;

use crate::factor::Factor;
use crate::frontal_solve::{Backward, Forward, Front, LANES};
use crate::real::Real;
use crate::symbolic::Group;
use crate::{Operator, Sparse, block, chunks};

/// Several columns of a right-hand side, stored by rows.
type Lanes<T> = Vec<[T; LANES]>;

impl<T: Real> Factor<'_, T> {
    /// Overwrites the columns of `x` with the solutions; the groups of a level are solved
    /// in parallel.
    pub(crate) fn solve(&self, x: MatMut<'_, f64>) {
        chunks::columns_mut(x, LANES).into_par_iter().for_each(|columns| self.solve_columns(columns));
    }

    fn solve_columns(&self, mut x: MatMut<'_, f64>) {
        let symbolic = self.symbolic;
        let mut parts: Vec<Lanes<T>> = Vec::with_capacity(symbolic.groups.len());
        let mut updates = Vec::with_capacity(symbolic.groups.len());
        for level in &symbolic.levels {
            let received: Vec<Vec<Lanes<T>>> =
                level.clone().map(|g| symbolic.take_updates(g, &mut updates)).collect();
            let done: Vec<(Lanes<T>, Lanes<T>)> =
                (level.clone().into_par_iter().zip(received).with_max_len(1))
                    .map(|(group, received)| self.forward(group, x.rb(), received))
                    .collect();
            for (part, update) in done {
                parts.push(part);
                updates.push(update);
            }
        }
        let mut fronts: Vec<Lanes<T>> = vec![Vec::new(); symbolic.groups.len()];
        for level in symbolic.levels.iter().rev() {
            let done: Vec<Lanes<T>> =
                (parts[level.clone()].par_iter_mut().zip(level.clone()).with_max_len(1))
                    .map(|(part, group)| self.backward(group, part, &fronts))
                    .collect();
            level.clone().zip(done).for_each(|(group, front)| fronts[group] = front);
        }
        for (group, part) in symbolic.groups.iter().zip(&parts) {
            let columns = group.nodes.iter().flat_map(|&s| symbolic.columns(s as usize));
            for (column, lanes) in columns.zip(part) {
                let row = symbolic.order[column] as usize;
                (0..x.ncols()).for_each(|j| x[(row, j)] = lanes[j].widen());
            }
        }
    }

    /// Returns the front of a node.
    fn front(&self, g: usize, slot: usize) -> Front<'_, T> {
        let Group { columns, values, .. } = &self.symbolic.groups[g];
        let width = columns[slot + 1] - columns[slot];
        let values = &self.values[g][values[slot]..values[slot + 1]];
        Front { width, height: values.len() / width, values }
    }

    /// Solves L y = b: returns the group's part of y and the update of its root;
    /// `received` holds the updates of the root's children in other groups.
    fn forward(&self, g: usize, b: MatRef<'_, f64>, received: Vec<Lanes<T>>) -> (Lanes<T>, Lanes<T>) {
        let symbolic = self.symbolic;
        let group = &symbolic.groups[g];
        let zero = T::narrow(0.0);
        let mut y = Vec::with_capacity(group.columns[group.nodes.len()]);
        let (mut stack, mut lanes) = (Lanes::new(), Lanes::new());
        let wide = Arch::new();
        for (slot, &s) in group.nodes.iter().enumerate() {
            let s = s as usize;
            let front = self.front(g, slot);
            let Front { width, height, .. } = front;
            lanes.clear();
            lanes.extend(symbolic.order[symbolic.columns(s)].iter().map(|&row| {
                let value = |j| if j < b.ncols() { T::narrow(b[(row as usize, j)]) } else { zero };
                std::array::from_fn(value)
            }));
            lanes.resize(height, [zero; LANES]);
            for (c, from) in symbolic.child_updates(s, &stack, &received, |c| symbolic.below(c).len()) {
                for (&place, from) in symbolic.places(c).iter().zip(from) {
                    let to = &mut lanes[place as usize];
                    (0..LANES).for_each(|j| to[j] += from[j]);
                }
            }
            if received.is_empty() {
                let used: usize =
                    symbolic.children(s).iter().map(|&c| symbolic.below(c as usize).len()).sum();
                stack.truncate(stack.len() - used);
            }
            wide.dispatch(Forward { front, x: &mut lanes });
            y.extend_from_slice(&lanes[..width]);
            stack.extend_from_slice(&lanes[width..]);
        }
        (y, stack)
    }

    /// Solves Lᵀ x = y in place and returns the root's front of x. `fronts` holds the
    /// fronts of the groups of higher levels.
    fn backward(&self, g: usize, y: &mut [[T; LANES]], fronts: &[Lanes<T>]) -> Lanes<T> {
        let symbolic = self.symbolic;
        let group = &symbolic.groups[g];
        let wide = Arch::new();
        let mut inside: Vec<Lanes<T>> = vec![Vec::new(); group.nodes.len()];
        for (slot, &s) in group.nodes.iter().enumerate().rev() {
            let s = s as usize;
            let front = self.front(g, slot);
            let Front { width, height, .. } = front;
            let y = &mut y[group.columns[slot]..group.columns[slot + 1]];
            let mut lanes = Vec::with_capacity(height);
            lanes.extend_from_slice(y);
            if let Some(parent) = symbolic.parent(s) {
                let above = if symbolic.group_of(parent) == g {
                    &inside[symbolic.slot(parent)]
                } else {
                    &fronts[symbolic.group_of(parent)]
                };
                lanes.extend(symbolic.places(s).iter().map(|&place| above[place as usize]));
                // A front is freed after its last child.
                if symbolic.group_of(parent) == g && symbolic.children(parent)[0] as usize == s {
                    inside[symbolic.slot(parent)] = Vec::new();
                }
            }
            wide.dispatch(Backward { front, x: &mut lanes });
            y.copy_from_slice(&lanes[..width]);
            if !symbolic.children(s).is_empty() {
                inside[slot] = lanes;
            }
        }
        inside.swap_remove(group.nodes.len() - 1)
    }

    /// Returns the relative residual of a computed solution x of (M + `shift` I) x = b
    /// for a random b: |b − (M + shift I) x| over |M| |x| + |b|. NaN if it is not finite.
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
        self.symbolic.order.len()
    }

    fn apply(&self, x: MatRef<'_, f64>, mut out: MatMut<'_, f64>) {
        out.copy_from(x);
        self.solve(out);
    }
}

#[cfg(test)]
mod tests {
    use crate::symbolic::Symbolic;
    use crate::{Operator, Sparse};

    /// M = 4 I: the solution by a factor of (4 + s) I is b / (4 + s), and its residual for the shift t
    /// is (s − t) / (4 + s) of b.
    #[test]
    fn a_probe_is_the_relative_residual_for_its_shift() {
        let n = 50;
        let matrix =
            Sparse::from_rows(n, (0..n as u32).map(|i| vec![(i, 4.0)]).collect()).expect("a diagonal");
        let symbolic = Symbolic::new(&matrix).expect("a symbolic").expect("a small factor");
        for (s, t) in [(0.0, 0.0), (1.0, 1.0), (0.0, 1.0), (1.0, 0.0), (4.0, 1.0)] {
            let factor = symbolic.factor::<f64>(&matrix, s).expect("positive");
            assert_eq!(factor.order(), n);
            for norm in [4.0, 7.0] {
                let expected = f64::abs(s - t) / (4.0 + s) / (norm / (4.0 + s) + 1.0);
                let found = factor.probe(&matrix, t, norm);
                assert!((found - expected).abs() < 1e-14, "{s}, {t}, {norm}: {found} is not {expected}");
            }
        }
    }
}
