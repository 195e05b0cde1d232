//! The numbers of a file, before they are checked.

use std::collections::BTreeMap;

use embedding::Error;

use crate::suggestion::one_of;
use crate::{ImageShape, Quantity, RowNames};

/// The numbers of a file before they are checked.
pub(super) struct Raw {
    pub(super) values: Vec<f64>,
    pub(super) width: usize,
    /// For each column its number in the file.
    pub(super) sources: Vec<usize>,
    pub(super) names: Option<Vec<String>>,
    /// Columns that are made from columns of the file: the number of the first, and for each its column and name.
    pub(super) origins: (usize, Vec<(usize, Option<String>)>),
    /// The name and the cells of the label column.
    pub(super) labels: Option<(String, Vec<String>)>,
    pub(super) quantities: Vec<Quantity>,
    pub(super) row_names: Option<RowNames>,
    /// The cells of columns that go out with a map.
    pub(super) carried: Vec<RowNames>,
    pub(super) images: Option<ImageShape>,
    /// The names of the categories of columns of the file whose values are their positions.
    pub(super) categories: BTreeMap<usize, Vec<String>>,
    pub(super) notes: Vec<String>,
    pub(super) warnings: Vec<String>,
}

impl Raw {
    /// Numbers without names, labels and pictures.
    pub(super) fn new(values: Vec<f64>, width: usize) -> Self {
        Self::of_columns(values, (0..width).collect())
    }

    /// The same of these columns of the file.
    pub(super) fn of_columns(values: Vec<f64>, sources: Vec<usize>) -> Self {
        Self {
            values,
            width: sources.len(),
            sources,
            names: None,
            origins: (0, Vec::new()),
            labels: None,
            quantities: Vec::new(),
            row_names: None,
            carried: Vec::new(),
            images: None,
            categories: BTreeMap::new(),
            notes: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// The coordinate that is a column of the file, by its name or its number; fails where there is none, with
    /// `what` it is needed for.
    pub(super) fn coordinate(&self, what: &'static str, which: &str) -> Result<usize, Error> {
        let named = self.names.as_ref().and_then(|names| names.iter().position(|name| name == which));
        let numbered = || {
            which.parse::<usize>().ok().and_then(|number| self.sources.iter().position(|at| *at == number))
        };
        named.or_else(numbered).ok_or_else(|| {
            let names: Vec<String> = match &self.names {
                Some(names) => names.clone(),
                None => self.sources.iter().map(usize::to_string).collect(),
            };
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let requirement = format!("of coordinates, each {}", one_of(which, &names));
            Error::parameter(what, requirement, format!("of `{which}`"))
        })
    }

    /// The number and the name of the column of the file that a column is, or is made from.
    pub(super) fn of_file(&self, column: usize) -> (usize, Option<&str>) {
        let (first, origins) = &self.origins;
        let number = self.sources[column];
        match number.checked_sub(*first).and_then(|made| origins.get(made)) {
            Some((number, name)) => (*number, name.as_deref()),
            None => (number, self.names.as_ref().map(|names| names[column].as_str())),
        }
    }

    /// With columns whose values are positions of categories, counted from `first`.
    pub(super) fn with_categories(mut self, categories: BTreeMap<usize, Vec<String>>, first: f64) -> Self {
        for (at, column) in self.sources.iter().enumerate() {
            if categories.contains_key(column) {
                self.values.iter_mut().skip(at).step_by(self.width).for_each(|value| *value -= first);
            }
        }
        self.categories = categories;
        self
    }

    pub(super) fn rows(&self) -> usize {
        self.values.len() / self.width
    }
}

/// The name of labels without one.
pub(super) const LABEL: &str = "label";

/// The column name of row names without a header.
pub(super) const NAME: &str = "name";

/// The name of a quantity whose column has none.
pub(super) fn unnamed(column: usize) -> String {
    format!("column {column}")
}
