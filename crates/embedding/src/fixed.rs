//! Rows of a fit that keep their given places, or are drawn to them.

use crate::{Error, Input, Points};

/// The rows of a fit that keep their given places ([`Input::with_fixed`](crate::Input::with_fixed)) or are drawn
/// to them ([`Input::with_pull`](crate::Input::with_pull)): at least one, and not all
/// where they are fixed, unless that is permitted.
///
/// An optimizer does not center or rotate the map. It sets the steps of fixed rows to 0, and restores the given
/// numbers at the end, which it may have rounded to single precision. Rows that are drawn move as others, and
/// after each step toward their places ([`FixedRows::draw`]).
#[derive(Clone, Copy, Debug)]
pub struct FixedRows<'a> {
    mask: &'a [bool],
    places: Points<'a>,
    /// λ, above 0; infinite for fixed rows.
    pull: f64,
}

impl<'a> FixedRows<'a> {
    pub(crate) fn new(mask: &'a [bool], places: Points<'a>, pull: f64) -> Self {
        debug_assert_eq!(mask.len(), places.len());
        Self { mask, places, pull }
    }

    /// λ, of rows that are drawn; `None` of fixed rows.
    pub fn pull(&self) -> Option<f64> {
        self.pull.is_finite().then_some(self.pull)
    }

    /// The given place of a row that is fixed or drawn.
    pub fn place(&self, row: usize) -> Option<&'a [f64]> {
        self.mask[row].then(|| self.places.row(row))
    }

    /// The rows that are not fixed, in order.
    pub fn moving(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.mask.len()).filter(|row| self.pull.is_finite() || !self.mask[*row])
    }

    /// Copies the values of fixed rows from `source` to `target`: rows of a map from row `first` on.
    pub fn copy<T: Copy>(&self, first: usize, source: &[T], target: &mut [T]) {
        self.each(first, target, |at, target| target.copy_from_slice(&source[at..at + target.len()]));
    }

    /// Sets the values of fixed rows to 0: rows of a map from row `first` on.
    pub fn clear<T: Copy + Default>(&self, first: usize, values: &mut [T]) {
        self.each(first, values, |_, row| row.fill(T::default()));
    }

    /// Moves the rows that are drawn, from row `first` on, toward their places p after a step of length η:
    /// y ← (y + η λ p) / (1 + η λ), the implicit step of the gradient λ (y − p).
    pub fn draw<T: Coordinate>(&self, first: usize, step: f64, values: &mut [T]) {
        let Some(pull) = self.pull() else { return };
        let (dim, weight) = (self.places.dim(), 1.0 / (1.0 + step * pull));
        for (at, row) in values.chunks_exact_mut(dim).enumerate() {
            let Some(place) = self.place(first + at) else { continue };
            for (v, p) in row.iter_mut().zip(place) {
                *v = T::rounded(p + weight * (v.widened() - p));
            }
        }
    }

    fn each<T>(&self, first: usize, values: &mut [T], mut change: impl FnMut(usize, &mut [T])) {
        if self.pull.is_finite() {
            return;
        }
        let dim = self.places.dim();
        for (at, row) in values.chunks_exact_mut(dim).enumerate().filter(|(at, _)| self.mask[first + at]) {
            change(at * dim, row);
        }
    }

    /// Writes the given places of the fixed rows into a map, by rows.
    pub fn restore(&self, map: &mut [f64]) {
        if self.pull.is_finite() {
            return;
        }
        let dim = self.places.dim();
        for (row, values) in map.chunks_exact_mut(dim).enumerate() {
            if let Some(place) = self.place(row) {
                values.copy_from_slice(place);
            }
        }
    }
}

/// A coordinate of a map during its optimization.
pub trait Coordinate: Copy {
    /// In double precision.
    fn widened(self) -> f64;
    /// Rounded to this precision.
    fn rounded(value: f64) -> Self;
}

impl Coordinate for f64 {
    fn widened(self) -> f64 {
        self
    }

    fn rounded(value: f64) -> Self {
        value
    }
}

impl Coordinate for f32 {
    fn widened(self) -> f64 {
        self.into()
    }

    fn rounded(value: f64) -> Self {
        value as Self
    }
}

/// Fails with [`Error::Degenerate`] where rows are fixed by a method that keeps no row fixed, without given
/// coordinates, or all of them where that is not permitted.
pub(crate) fn check(title: &str, is_kept: bool, input: &Input<'_>) -> Result<(), Error> {
    let Some((mask, pull)) = input.fixed() else { return Ok(()) };
    if pull.is_nan() || pull < 0.0 {
        return Err(Error::parameter("the pull of rows to their given places", "at least 0", pull));
    }
    let fixed = mask.iter().filter(|fixed| **fixed).count();
    if fixed == 0 || pull == 0.0 {
        return Ok(());
    }
    if !is_kept {
        return Err(Error::degenerate(
            format!("{title} keeps no rows at given places, and {fixed} are fixed"),
            "fix no rows, or choose tsne, umap, densmap, pacmap, localmap, trimap, smacof, nonmetric-mds or sammon",
        ));
    }
    if input.start().is_none() {
        return Err(Error::degenerate(
            format!("{fixed} rows are fixed, and no start is given that has their places"),
            "give coordinates of all rows as the start, such as a map of them",
        ));
    }
    if pull.is_finite() || input.all_fixed_allowed() { Ok(()) } else { require_moving(mask) }
}

/// Fails with [`Error::Degenerate`] where all rows are fixed.
pub fn require_moving(mask: &[bool]) -> Result<(), Error> {
    if mask.iter().all(|fixed| *fixed) {
        return Err(Error::degenerate(
            format!("all {} rows are fixed, and no row moves", mask.len()),
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
        let fixed = FixedRows::new(&[true, false, true], Points::new(&places, 2)?, f64::INFINITY);
        let mut gradient = [7.0_f32; 4];
        fixed.clear(1, &mut gradient);
        assert_eq!(gradient, [7.0, 7.0, 0.0, 0.0]);
        fixed.copy(1, &[1.0, 2.0, 3.0, 4.0], &mut gradient);
        assert_eq!(gradient, [7.0, 7.0, 3.0, 4.0]);
        let mut map = [0.0; 6];
        fixed.restore(&mut map);
        assert_eq!(map.map(f64::to_bits), [1.0, -0.0, 0.0, 0.0, 5.0, 6.0].map(f64::to_bits));
        assert_eq!((fixed.moving().collect::<Vec<_>>(), fixed.place(1)), (vec![1], None));
        fixed.draw(0, 1.0, &mut map);
        assert_eq!(map, [1.0, 0.0, 0.0, 0.0, 5.0, 6.0]);
        Ok(())
    }

    #[test]
    fn rows_are_drawn_by_the_implicit_step() -> Result<(), Error> {
        let places = [1.0, 2.0, 3.0, 4.0];
        let drawn = FixedRows::new(&[false, true], Points::new(&places, 2)?, 1.5);
        let mut map = [9.0, 9.0, 7.0, 0.0];
        drawn.draw(0, 2.0, &mut map);
        assert_eq!(map, [9.0, 9.0, (7.0 + 3.0 * 3.0) / 4.0, 3.0]);
        let mut second = [7.0_f32, 0.0];
        drawn.draw(1, 2.0, &mut second);
        assert_eq!(second, [4.0, 3.0]);
        drawn.clear(0, &mut map);
        drawn.restore(&mut map);
        assert_eq!((map[2], drawn.moving().count()), (4.0, 2));
        Ok(())
    }
}
