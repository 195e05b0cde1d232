//! Neighbor lists of new points.

use crate::Error;

/// For each new point its neighbors among the training points of a model, nearest first, ties by index; checked
/// once, on construction.
///
/// They are the new points of models that were fitted to [`Neighbors`](crate::Neighbors) alone; see
/// [`Transform::place_listed`](crate::Transform::place_listed).
#[derive(Clone, Debug, PartialEq)]
pub struct NewNeighbors {
    lists: Vec<Vec<(u32, f64)>>,
    training: usize,
}

impl NewNeighbors {
    /// Lists of (training point, distance) in any order, among `training` points, by their numbers in the data of
    /// the fit. A training point itself, as a new point, has itself in its list, at distance 0. O(e log e) for e
    /// entries.
    ///
    /// Fails with [`Error::TooFewPoints`] without a list, and with [`Error::Parameter`] for an empty list, a
    /// number that is none of a training point, a training point that is twice in a list, and a distance that is
    /// negative or not finite.
    ///
    /// ```
    /// use embedding::NewNeighbors;
    /// let new = NewNeighbors::new(vec![vec![(4, 0.5), (0, 0.25)]], 5)?;
    /// assert_eq!(new.lists(), [[(0, 0.25), (4, 0.5)]]);
    /// assert!(NewNeighbors::new(vec![vec![(5, 0.5)]], 5).is_err());
    /// # Ok::<(), embedding::Error>(())
    /// ```
    pub fn new(mut lists: Vec<Vec<(u32, f64)>>, training: usize) -> Result<Self, Error> {
        if lists.is_empty() {
            return Err(Error::TooFewPoints { what: "the neighbor lists of new points", needed: 1, got: 0 });
        }
        let mut numbers = Vec::new();
        for (row, list) in lists.iter_mut().enumerate() {
            let wrong = |requirement: String, got: String| {
                Error::parameter(
                    "the neighbor list of a new point",
                    requirement,
                    format!("{got} of new point {row}"),
                )
            };
            if list.is_empty() {
                let advice = "more neighbors or a larger radius find some";
                return Err(wrong(format!("at least one training point ({advice})"), "none".to_owned()));
            }
            if let Some((j, _)) = list.iter().find(|entry| entry.0 as usize >= training) {
                let most = training.saturating_sub(1);
                return Err(wrong(format!("of numbers of training points, 0 to {most}"), j.to_string()));
            }
            if let Some((j, d)) = list.iter().find(|entry| !(entry.1.is_finite() && entry.1 >= 0.0)) {
                return Err(wrong(
                    "of finite distances, not negative".to_owned(),
                    format!("{d} to training point {j}"),
                ));
            }
            numbers.clear();
            numbers.extend(list.iter().map(|entry| entry.0));
            numbers.sort_unstable();
            if let Some(twice) = numbers.windows(2).find(|pair| pair[0] == pair[1]) {
                let got = format!("training point {} twice", twice[0]);
                return Err(wrong("with each training point once".to_owned(), got));
            }
            // Zeros of both signs are equal.
            list.iter_mut().for_each(|entry| entry.1 += 0.0);
            list.sort_unstable_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        }
        Ok(Self { lists, training })
    }

    /// The number of new points.
    pub fn len(&self) -> usize {
        self.lists.len()
    }

    /// Always false: there is no empty set of new points.
    pub fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }

    /// The number of training points.
    pub fn training(&self) -> usize {
        self.training
    }

    /// The list of each new point.
    pub fn lists(&self) -> &[Vec<(u32, f64)>] {
        &self.lists
    }

    /// Fails with [`Error::Shape`] for another number of training points.
    pub fn check_training(&self, expected: usize) -> Result<(), Error> {
        if self.training == expected {
            return Ok(());
        }
        Err(Error::Shape {
            what: "the number of training points of the neighbor lists",
            expected: format!("{expected}, as in the fit"),
            got: self.training.to_string(),
        })
    }

    /// The lists of the new points `rows` without all but the training points `training`, which are sorted, by
    /// their numbers among these.
    ///
    /// Fails with [`Error::Degenerate`] where a list has none of them.
    pub fn restricted(&self, rows: &[u32], training: &[u32]) -> Result<Self, Error> {
        let own = |&(j, d): &(u32, f64)| Some((training.binary_search(&j).ok()? as u32, d));
        let lists: Vec<Vec<(u32, f64)>> =
            rows.iter().map(|&row| self.lists[row as usize].iter().filter_map(own).collect()).collect();
        match lists.iter().position(Vec::is_empty) {
            None => Ok(Self { lists, training: training.len() }),
            Some(at) => Err(Error::degenerate(
                format!("no neighbor of new point {} is a training point that has a place", rows[at]),
                "leave the point out, or give it more neighbors",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_and_checked() -> Result<(), Error> {
        let new = NewNeighbors::new(vec![vec![(3, 1.0), (1, 1.0), (2, -0.0)], vec![(0, 2.0)]], 4)?;
        assert_eq!(new.lists()[0], [(2, 0.0), (1, 1.0), (3, 1.0)]);
        assert!(new.lists()[0][0].1.is_sign_positive());
        assert_eq!((new.len(), new.is_empty(), new.training()), (2, false, 4));
        assert!(new.check_training(4).is_ok() && new.check_training(5).is_err());
        assert!(matches!(NewNeighbors::new(Vec::new(), 4), Err(Error::TooFewPoints { .. })));
        for (list, words) in [
            (vec![], "at least one training point"),
            (vec![(0, 1.0), (4, 1.0)], "0 to 3"),
            (vec![(0, f64::NAN)], "NaN to training point 0"),
            (vec![(0, f64::INFINITY)], "finite"),
            (vec![(1, -1.0)], "-1 to training point 1 of new point 1"),
            (vec![(1, 1.0), (2, 0.5), (1, 2.0)], "training point 1 twice"),
        ] {
            let refused = NewNeighbors::new(vec![vec![(0, 1.0)], list], 4).expect_err(words).to_string();
            assert!(refused.contains(words), "{refused}");
        }
        Ok(())
    }

    #[test]
    fn restricted_lists_have_the_numbers_of_a_part() -> Result<(), Error> {
        let new = NewNeighbors::new(vec![vec![(3, 1.0), (1, 2.0)], vec![(0, 2.0), (3, 4.0)]], 4)?;
        let part = new.restricted(&[1, 0], &[0, 3])?;
        assert_eq!((part.lists(), part.training()), (&[vec![(0, 2.0), (1, 4.0)], vec![(1, 1.0)]][..], 2));
        let refused = new.restricted(&[0, 1], &[1]).expect_err("no neighbor is left").to_string();
        assert!(refused.contains("no neighbor of new point 1"), "{refused}");
        Ok(())
    }
}
