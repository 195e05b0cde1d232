//! Matrices cut into blocks of rows or columns, for parallel loops over them.

use faer::{MatMut, MatRef};

/// Blocks of `size` rows, the last one shorter.
pub(crate) fn rows<T>(a: MatRef<'_, T>, size: usize) -> Vec<MatRef<'_, T>> {
    let count = |first: usize| size.min(a.nrows() - first);
    (0..a.nrows()).step_by(size).map(|first| a.subrows(first, count(first))).collect()
}

/// The same, to write to.
pub(crate) fn rows_mut<T>(mut a: MatMut<'_, T>, size: usize) -> Vec<MatMut<'_, T>> {
    let mut blocks = Vec::with_capacity(a.nrows().div_ceil(size));
    while a.nrows() > 0 {
        let count = size.min(a.nrows());
        let (block, rest) = a.split_at_row_mut(count);
        blocks.push(block);
        a = rest;
    }
    blocks
}

/// Blocks of `size` columns, the last one narrower.
pub(crate) fn columns_mut<T>(mut a: MatMut<'_, T>, size: usize) -> Vec<MatMut<'_, T>> {
    let mut blocks = Vec::with_capacity(a.ncols().div_ceil(size));
    while a.ncols() > 0 {
        let count = size.min(a.ncols());
        let (block, rest) = a.split_at_col_mut(count);
        blocks.push(block);
        a = rest;
    }
    blocks
}
