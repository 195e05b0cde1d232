//! Symbolic analysis of a sparse Cholesky factorization.

use std::ops::Range;

use embedding::Error;
use faer::Side;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::{FaerError, SymbolicSparseColMatRef};

use crate::Sparse;

/// A subtree becomes one group if its fraction of all operations is at most this.
const GROUP_FRACTION: f64 = 1.0 / 32.0;

/// Columns of a front that are eliminated together; the update of the remaining columns
/// is computed in parallel in parts of this many columns or rows.
pub(crate) const PANEL: usize = 192;

/// The largest number of groups of a level eliminated at a time; it bounds memory
/// independently of the number of threads.
pub(crate) const TOGETHER: usize = 16;

/// Marks a node without a parent.
const NONE: u32 = u32::MAX;

/// The elimination order of a sparse symmetric matrix, and the pattern of its
/// factor as a forest of fronts.
///
/// A *node* (supernode) is a range of consecutive columns with the same pattern below
/// them; its *front* is the dense matrix of its columns, with these columns and the rows
/// below as its rows. Eliminating its columns modifies the rows below by the node's
/// *update*, which is added to the front of its *parent*. Nodes are numbered from
/// children to parents.
///
/// The forest is partitioned into *groups*: the groups of the lowest level are whole
/// subtrees, independent of each other; every other group is a single node whose children
/// belong to groups of lower levels.
#[derive(Debug, Default)]
pub(crate) struct Symbolic {
    /// `order[column]` is a row of the matrix; `rank` is the inverse permutation.
    pub(crate) order: Vec<u32>,
    pub(crate) rank: Vec<u32>,
    /// Node s has the columns `begin[s]..begin[s + 1]`.
    begin: Vec<u32>,
    /// Node s has the rows `rows[below[s]..below[s + 1]]` below its columns, ascending.
    below: Vec<u32>,
    rows: Vec<u32>,
    /// The position of each of `rows` in the front of the parent.
    places: Vec<u32>,
    parents: Vec<u32>,
    /// Node s has the children `children[child_offsets[s]..child_offsets[s + 1]]`, ascending.
    child_offsets: Vec<u32>,
    children: Vec<u32>,
    /// The position of a node among the nodes of its group.
    slots: Vec<u32>,
    /// The group of a node.
    group_of: Vec<u32>,
    pub(crate) groups: Vec<Group>,
    /// The groups of each level.
    pub(crate) levels: Vec<Range<usize>>,
}

/// Nodes in postorder, so that pending updates form a stack.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) nodes: Vec<u32>,
    /// Offsets of the nodes' columns among the columns of the group, with a final end
    /// offset.
    pub(crate) columns: Vec<usize>,
    /// Offsets of the nodes' front columns among the values of the group, with a final
    /// end offset.
    pub(crate) values: Vec<usize>,
    /// The largest number of entries on the update stack.
    pub(crate) stack_capacity: usize,
    /// The largest number of update entries held at any time, including the update being
    /// computed.
    pub(crate) peak_entries: usize,
}

impl Symbolic {
    /// Analyzes a matrix, ordered by approximate minimum degree; O(stored) memory, values
    /// are not read. Returns `None` if the factor would have more than 2³² entries.
    pub(crate) fn new(matrix: &Sparse) -> Result<Option<Self>, Error> {
        // Row i of a symmetric matrix is its column i; the upper triangle has rows up to
        // i.
        let n = matrix.nrows();
        let mut offsets = vec![0];
        let mut rows = Vec::with_capacity(matrix.stored() / 2 + n);
        for i in 0..n {
            rows.extend(matrix.row(i).0.iter().filter(|&&c| c as usize <= i));
            let Ok(end) = u32::try_from(rows.len()) else { return Ok(None) };
            offsets.push(end);
        }
        if n == 0 {
            return Ok(Some(Self::default()));
        }
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &offsets, None, &rows);
        let parameters = CholeskySymbolicParams {
            // Also if the factor is diagonal and takes no operations.
            supernodal_flop_ratio_threshold: SupernodalThreshold(-1.0),
            ..Default::default()
        };
        match factorize_symbolic_cholesky(pattern, Side::Upper, SymmetricOrdering::Amd, parameters) {
            Ok(symbolic) => Ok(Some(Self::of(&symbolic))),
            Err(FaerError::IndexOverflow) => Ok(None),
            Err(_) => Err(Error::degenerate(
                "the analysis of a sparse matrix ran out of memory",
                "use fewer neighbors",
            )),
        }
    }

    fn of(symbolic: &SymbolicCholesky<u32>) -> Self {
        let SymbolicCholeskyRaw::Supernodal(factor) = symbolic.raw() else {
            unreachable!("the analysis was requested with supernodes")
        };
        let (order, rank) = symbolic.perm().expect("the analysis was requested with an order").arrays();
        let mut begin = factor.supernode_begin().to_vec();
        begin.push(factor.ncols() as u32);
        let mut symbolic = Self {
            order: order.to_vec(),
            rank: rank.to_vec(),
            begin,
            below: factor.col_ptr_for_row_idx().to_vec(),
            rows: factor.row_idx().to_vec(),
            ..Self::default()
        };
        symbolic.relate();
        symbolic.group();
        symbolic
    }

    /// Computes parents, children and positions in the parent's front.
    fn relate(&mut self) {
        let nodes = self.nodes();
        let mut of_column = vec![0; self.order.len()];
        (0..nodes).for_each(|s| of_column[self.columns(s)].fill(s as u32));
        self.parents =
            (0..nodes).map(|s| self.below(s).first().map_or(NONE, |&row| of_column[row as usize])).collect();
        self.child_offsets = vec![0; nodes + 1];
        for &p in self.parents.iter().filter(|&&p| p != NONE) {
            self.child_offsets[p as usize + 1] += 1;
        }
        (0..nodes).for_each(|s| self.child_offsets[s + 1] += self.child_offsets[s]);
        let mut next = self.child_offsets.clone();
        self.children = vec![0; next[nodes] as usize];
        self.places = Vec::with_capacity(self.rows.len());
        for s in 0..nodes {
            let p = self.parents[s];
            if p == NONE {
                continue;
            }
            self.children[next[p as usize] as usize] = s as u32;
            next[p as usize] += 1;
            let columns = self.columns(p as usize);
            let rest = &self.rows[self.below[p as usize] as usize..];
            let mut at = 0;
            for &row in &self.rows[self.below[s] as usize..self.below[s + 1] as usize] {
                if (row as usize) < columns.end {
                    self.places.push(row - columns.start as u32);
                } else {
                    while rest[at] < row {
                        at += 1;
                    }
                    self.places.push((columns.len() + at) as u32);
                }
            }
        }
    }

    /// Partitions the forest into groups.
    fn group(&mut self) {
        let nodes = self.nodes();
        let mut operations: Vec<f64> = (0..nodes).map(|s| self.operations_of(s)).collect();
        let mut total = 0.0;
        for s in 0..nodes {
            match self.parent(s) {
                Some(parent) => operations[parent] += operations[s],
                None => total += operations[s],
            }
        }
        let small = |s: usize| operations[s] <= GROUP_FRACTION * total;
        let mut level = vec![0; nodes];
        let mut roots = Vec::new();
        for s in 0..nodes {
            if !small(s) {
                level[s] = 1 + self.children(s).iter().map(|&c| level[c as usize]).max().unwrap_or(0);
            }
            if !small(s) || self.parent(s).is_none_or(|p| !small(p)) {
                roots.push(s);
            }
        }
        // Within a level the largest groups start first, for load balance.
        roots.sort_by(|&a, &b| level[a].cmp(&level[b]).then(operations[b].total_cmp(&operations[a])));
        self.group_of = vec![0; nodes];
        roots.iter().zip(0..).for_each(|(&s, g)| self.group_of[s] = g);
        for s in (0..nodes).rev() {
            if let Some(parent) = self.parent(s).filter(|&p| small(p)) {
                self.group_of[s] = self.group_of[parent];
            }
        }
        self.levels = roots
            .chunk_by(|&a, &b| level[a] == level[b])
            .scan(0, |end, chunk| {
                let begin = *end;
                *end += chunk.len();
                Some(begin..*end)
            })
            .collect();
        self.groups = roots.iter().map(|&root| self.collect(root)).collect();
        self.slots = vec![0; nodes];
        for group in &self.groups {
            group.nodes.iter().zip(0..).for_each(|(&s, slot)| self.slots[s as usize] = slot);
        }
    }

    /// Collects the group whose root is the given node.
    fn collect(&self, root: usize) -> Group {
        let g = self.group_of[root];
        let mut nodes = Vec::new();
        let mut open = vec![root as u32];
        while let Some(s) = open.pop() {
            nodes.push(s);
            let children = self.children(s as usize).iter();
            open.extend(children.filter(|&&c| self.group_of[c as usize] == g));
        }
        nodes.reverse();
        let (mut columns, mut values) = (vec![0], vec![0]);
        let (mut stack, mut stack_capacity, mut peak_entries) = (0_usize, 0, 0);
        for (slot, &s) in nodes.iter().enumerate() {
            let s = s as usize;
            let width = self.columns(s).len();
            columns.push(columns[slot] + width);
            values.push(values[slot] + width * self.height(s));
            let before = stack;
            let inside = self.children(s).iter().filter(|&&c| self.group_of[c as usize] == g);
            stack -= inside.map(|&c| self.update(c as usize)).sum::<usize>();
            stack += self.update(s);
            stack_capacity = stack_capacity.max(stack);
            // An update is computed outside the stack, a panel of columns at a time.
            peak_entries = peak_entries.max(before.max(stack) + self.update(s) + self.below(s).len() * PANEL);
        }
        Group { nodes, columns, values, stack_capacity, peak_entries }
    }

    pub(crate) fn nodes(&self) -> usize {
        self.begin.len() - 1
    }

    /// Returns the columns of a node.
    pub(crate) fn columns(&self, s: usize) -> Range<usize> {
        self.begin[s] as usize..self.begin[s + 1] as usize
    }

    /// Returns the rows of a node's front below its columns, in ascending order.
    pub(crate) fn below(&self, s: usize) -> &[u32] {
        &self.rows[self.below[s] as usize..self.below[s + 1] as usize]
    }

    /// Returns the positions of the rows below a node's columns in the front of its
    /// parent, in ascending order.
    pub(crate) fn places(&self, s: usize) -> &[u32] {
        &self.places[self.below[s] as usize..self.below[s + 1] as usize]
    }

    /// Returns the number of rows of a node's front.
    pub(crate) fn height(&self, s: usize) -> usize {
        self.columns(s).len() + self.below(s).len()
    }

    pub(crate) fn parent(&self, s: usize) -> Option<usize> {
        (self.parents[s] != NONE).then_some(self.parents[s] as usize)
    }

    /// Returns the children of a node, in ascending order.
    pub(crate) fn children(&self, s: usize) -> &[u32] {
        &self.children[self.child_offsets[s] as usize..self.child_offsets[s + 1] as usize]
    }

    /// Returns the position of a node in its group.
    pub(crate) fn slot(&self, s: usize) -> usize {
        self.slots[s] as usize
    }

    /// Returns the group of a node.
    pub(crate) fn group_of(&self, s: usize) -> usize {
        self.group_of[s] as usize
    }

    /// Returns the number of multiplications and additions of the factorization: Σ over
    /// columns of (entries)².
    pub(crate) fn operations(&self) -> f64 {
        (0..self.nodes()).map(|s| self.operations_of(s)).sum()
    }

    fn operations_of(&self, s: usize) -> f64 {
        (self.below(s).len()..self.height(s)).map(|rows| (rows as f64 + 1.0).powi(2)).sum()
    }

    /// Returns the number of entries of a node's update, a lower triangle.
    pub(crate) fn update(&self, s: usize) -> usize {
        let rows = self.below(s).len();
        rows * (rows + 1) / 2
    }

    /// Returns the largest number of entries that factor and updates occupy at any time,
    /// with at most [`TOGETHER`] groups of a level in progress.
    pub(crate) fn entries(&self) -> usize {
        let (mut stored, mut pending, mut most) = (0, 0, 0);
        for level in &self.levels {
            for at_once in self.groups[level.clone()].chunks(TOGETHER) {
                let done: usize = at_once.iter().map(|g| g.values[g.nodes.len()]).sum();
                let peak_entries: usize = at_once.iter().map(|g| g.peak_entries).sum();
                stored += done;
                most = most.max(stored + pending + peak_entries);
                for group in at_once {
                    let root = group.nodes[group.nodes.len() - 1] as usize;
                    pending += self.update(root);
                    if group.nodes.len() == 1 {
                        let children = self.children(root).iter();
                        pending -= children.map(|&c| self.update(c as usize)).sum::<usize>();
                    }
                }
            }
        }
        most
    }
}

#[cfg(test)]
mod tests;
