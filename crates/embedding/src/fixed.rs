//! Rows of a fit that keep their given places.

use crate::{Error, Points};

/// The rows of a fit that keep their given places ([`Input::with_fixed`](crate::Input::with_fixed)), at least one
/// and not all.
///
/// An optimizer sets the steps of these rows to 0, does not center or rotate the map, and restores the given
/// numbers at the end, which it may have rounded to single precision.
#[derive(Clone, Copy, Debug)]
pub struct FixedRows<'a> {
    mask: &'a [bool],
    places: Points<'a>,
}

impl<'a> FixedRows<'a> {
    pub(crate) fn new(mask: &'a [bool], places: Points<'a>) -> Self {
        debug_assert_eq!(mask.len(), places.len());
        Self { mask, places }
    }

    /// The place of a row that is fixed.
    pub fn place(&self, row: usize) -> Option<&'a [f64]> {
        self.mask[row].then(|| self.places.row(row))
    }

    /// The rows that move, in order.
    pub fn moving(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.mask.len()).filter(|row| !self.mask[*row])
    }

    /// Copies the values of fixed rows from `source` to `target`: rows of a map from row `first` on.
    pub fn copy<T: Copy>(&self, first: usize, source: &[T], target: &mut [T]) {
        self.each(first, target, |at, target| target.copy_from_slice(&source[at..at + target.len()]));
    }

    /// Sets the values of fixed rows to 0: rows of a map from row `first` on.
    pub fn clear<T: Copy + Default>(&self, first: usize, values: &mut [T]) {
        self.each(first, values, |_, row| row.fill(T::default()));
    }

    fn each<T>(&self, first: usize, values: &mut [T], mut change: impl FnMut(usize, &mut [T])) {
        let dim = self.places.dim();
        for (at, row) in values.chunks_exact_mut(dim).enumerate().filter(|(at, _)| self.mask[first + at]) {
            change(at * dim, row);
        }
    }

    /// Writes the given places of the fixed rows into a map, by rows.
    pub fn restore(&self, map: &mut [f64]) {
        let dim = self.places.dim();
        for (row, values) in map.chunks_exact_mut(dim).enumerate() {
            if let Some(place) = self.place(row) {
                values.copy_from_slice(place);
            }
        }
    }
}

/// Fails with [`Error::Degenerate`] where rows are fixed by a method that keeps no row fixed, without given
/// coordinates, or all of them.
pub(crate) fn check(
    title: &str,
    is_kept: bool,
    mask: &[bool],
    start: Option<Points<'_>>,
) -> Result<(), Error> {
    let fixed = mask.iter().filter(|fixed| **fixed).count();
    if fixed == 0 {
        return Ok(());
    }
    if !is_kept {
        return Err(Error::degenerate(
            format!("{title} keeps no rows at given places, and {fixed} are fixed"),
            "fix no rows, or choose tsne, umap, densmap, pacmap, localmap, trimap, smacof, nonmetric-mds or sammon",
        ));
    }
    if start.is_none() {
        return Err(Error::degenerate(
            format!("{fixed} rows are fixed, and no start is given that has their places"),
            "give coordinates of all rows as the start, such as a map of them",
        ));
    }
    require_moving(mask)
}

/// Fails with [`Error::Degenerate`] where all rows are fixed.
pub fn require_moving(mask: &[bool]) -> Result<(), Error> {
    if mask.iter().all(|fixed| *fixed) {
        return Err(Error::degenerate(
            format!("all {} rows are fixed, so that none moves", mask.len()),
            "fix fewer rows; to place new rows in a map, use transform",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_fixed_rows_are_cleared_copied_and_restored() -> Result<(), Error> {
        let places = [1.0, -0.0, 3.0, 4.0, 5.0, 6.0];
        let fixed = FixedRows::new(&[true, false, true], Points::new(&places, 2)?);
        let mut gradient = [7.0_f32; 4];
        fixed.clear(1, &mut gradient);
        assert_eq!(gradient, [7.0, 7.0, 0.0, 0.0]);
        fixed.copy(1, &[1.0, 2.0, 3.0, 4.0], &mut gradient);
        assert_eq!(gradient, [7.0, 7.0, 3.0, 4.0]);
        let mut map = [0.0; 6];
        fixed.restore(&mut map);
        assert_eq!(map.map(f64::to_bits), [1.0, -0.0, 0.0, 0.0, 5.0, 6.0].map(f64::to_bits));
        assert_eq!((fixed.moving().collect::<Vec<_>>(), fixed.place(1)), (vec![1], None));
        Ok(())
    }
}
