//! Classes of points.

use std::borrow::Cow;

use crate::Error;

/// A class per point, all of them known or some unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels<'a> {
    /// The class of every point.
    All(&'a [u32]),
    /// The class of some points; `None` where it is unknown.
    Some(&'a [Option<u32>]),
}

impl<'a> Labels<'a> {
    /// The number of points.
    pub fn len(&self) -> usize {
        match self {
            Self::All(classes) => classes.len(),
            Self::Some(classes) => classes.len(),
        }
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The class of point `i`, where it is known.
    pub fn of(&self, i: usize) -> Option<u32> {
        match self {
            Self::All(classes) => Some(classes[i]),
            Self::Some(classes) => classes[i],
        }
    }

    /// The classes of all points; `None` where one is unknown.
    ///
    /// ```
    /// use embedding::Labels;
    /// assert_eq!(Labels::Some(&[Some(3), Some(1)]).all().as_deref(), Some(&[3, 1][..]));
    /// assert_eq!(Labels::Some(&[Some(3), None]).all(), None);
    /// ```
    pub fn all(&self) -> Option<Cow<'a, [u32]>> {
        match *self {
            Self::All(classes) => Some(Cow::Borrowed(classes)),
            Self::Some(classes) => classes.iter().copied().collect::<Option<_>>().map(Cow::Owned),
        }
    }

    /// The classes of some points.
    pub fn select(&self, rows: &[u32]) -> Vec<Option<u32>> {
        rows.iter().map(|&row| self.of(row as usize)).collect()
    }

    /// The number of different classes.
    pub(crate) fn classes(&self) -> usize {
        let mut different: Vec<u32> = (0..self.len()).filter_map(|i| self.of(i)).collect();
        different.sort_unstable();
        different.dedup();
        different.len()
    }

    /// Fails unless every class is known, which `method` needs.
    pub(crate) fn require_all(&self, method: &str) -> Result<(), Error> {
        let n = self.len();
        match (0..n).filter(|&i| self.of(i).is_none()).count() {
            0 => Ok(()),
            unknown => Err(Error::degenerate(
                format!("{method} needs a class per point, but {unknown} of {n} are unknown"),
                "fit it to the points of known class, and place the others by its model",
            )),
        }
    }
}
