//! Attributes of rows that are no coordinates: classes, numbers and names.

use serde::{Deserialize, Serialize};

/// A classification of the rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Labels {
    /// Name of the label set, such as `digit` or `sentiment`.
    pub name: String,
    /// The classes; `values` are indices into this list.
    pub classes: Vec<String>,
    /// The class of each row.
    pub values: Vec<u32>,
    /// The class that marks an unknown class, if any; see [`Labels::known`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<u32>,
}

impl Labels {
    /// The class of each row, `None` where it is unknown.
    pub fn known(&self) -> Vec<Option<u32>> {
        self.values.iter().map(|&value| Some(value).filter(|value| Some(*value) != self.unknown)).collect()
    }

    /// Makes the class of this name mark an unknown class; without such a class no class does.
    pub fn mark_unknown(&mut self, class: &str) {
        self.unknown = self.classes.iter().position(|name| name == class).map(|at| at as u32);
    }

    /// Returns the number of rows in each class.
    pub fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.classes.len()];
        for &value in &self.values {
            counts[value as usize] += 1;
        }
        counts
    }

    pub(crate) fn new<S: Into<String>>(
        name: &str,
        classes: impl IntoIterator<Item = S>,
        values: Vec<u32>,
    ) -> Self {
        let classes = classes.into_iter().map(Into::into).collect();
        Self { name: name.to_owned(), classes, values, unknown: None }
    }

    /// The labels of these rows, in this order.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn select(&self, rows: &[u32]) -> Self {
        let values = chosen(&self.values, rows);
        Self { name: self.name.clone(), classes: self.classes.clone(), values, unknown: self.unknown }
    }
}

/// A value per row, under a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PerRow<T> {
    /// The name of the values, such as `age` or `country`.
    pub name: String,
    /// The value of each row.
    pub values: Vec<T>,
}

/// A number per row, finite; `None` where it is missing.
pub type Quantity = PerRow<Option<f64>>;

/// A name per row; empty where there is none.
pub type RowNames = PerRow<String>;

impl<T: Clone> PerRow<T> {
    /// The values of the given rows, in their order.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn select(&self, rows: &[u32]) -> Self {
        Self { name: self.name.clone(), values: chosen(&self.values, rows) }
    }
}

impl RowNames {
    /// The name of the column of names in a file: their own name, unless it would be read as several cells or
    /// as a number.
    pub fn column(&self) -> &str {
        let is_other = self.name.contains([';', '\t', ',']) || self.name.parse::<f64>().is_ok();
        if is_other || self.name.is_empty() { "name" } else { &self.name }
    }
}

/// The values of the given rows.
fn chosen<T: Clone>(values: &[T], rows: &[u32]) -> Vec<T> {
    rows.iter().map(|&row| values[row as usize].clone()).collect()
}
