//! Rows with categories and gaps, encoded for the metrics that compare them.

use std::path::Path;

use embedding::mixed::{ColumnKind, MixedColumns};
use embedding::{Error, Metric, PointSet};

use super::errors::allow;
use super::raw::Raw;
use super::reading::{Missing, Reading};

/// How rows are encoded for [`Metric::Gower`] or [`Metric::NanEuclidean`].
#[derive(Clone, Debug, PartialEq)]
pub struct MixedRows {
    /// The metric.
    pub metric: Metric,
    /// The columns of the training data of a model, in the order of [`Reading::coordinates`]; `None` where the
    /// file is the training data.
    pub known: Option<MixedColumns>,
}

/// Encoded rows, their columns and notes on both.
pub(super) type Encoded = (PointSet, MixedColumns, Vec<String>);

impl Reading {
    /// The names of the categories of a column of the file in the training data of a model; empty for a column of
    /// numbers, `None` without such data.
    pub(super) fn known_categories(&self, name: Option<&str>, place: usize) -> Option<&[String]> {
        let known = self.mixed.as_ref()?.known.as_ref()?;
        let named = name.and_then(|name| self.coordinates.iter().position(|known| known == name));
        match &known.columns().get(named.unwrap_or(place))?.kind {
            ColumnKind::Number { .. } | ColumnKind::Asymmetric => Some(&[]),
            ColumnKind::Category { names } => Some(names),
        }
    }

    /// Encodes the rows of a file where the options say so; columns are put into the order of a model.
    pub(super) fn encoded(
        &self,
        raw: &mut Raw,
        weights: Option<&[f64]>,
        path: &Path,
    ) -> Result<Option<Encoded>, Error> {
        let fail = |problem: String| Err(Error::file(path.display(), problem));
        let Some(MixedRows { metric, known }) = &self.mixed else {
            if self.missing == Missing::Keep || !raw.categories.is_empty() {
                return fail(
                    "categories and gaps are kept only for the metrics gower and nan-euclidean".to_owned(),
                );
            }
            return Ok(None);
        };
        if let Some(known) = known {
            self.order(raw);
            if raw.width != known.len() {
                return fail(format!(
                    "the columns must be the {} of the model, but there are {}: {}",
                    known.len(),
                    raw.width,
                    raw.names.as_ref().map_or_else(|| "without names".to_owned(), |names| names.join(", "))
                ));
            }
        }
        let in_file = |error: Error| error.in_file(path.display());
        let own = 8 * raw.values.len() as u64;
        allow(
            self.memory.beside(own),
            path,
            "encoding rows with categories and gaps",
            2 * own,
            "allow more memory",
        )?;
        let columns = match known {
            Some(known) => known.clone(),
            None => {
                let categories = |column: &usize| raw.categories.get(column).cloned().unwrap_or_default();
                let names: Vec<Vec<String>> = raw.sources.iter().map(categories).collect();
                let place = |which: &String| raw.coordinate("the asymmetric columns", which);
                let asymmetric: Vec<usize> =
                    self.asymmetric.iter().map(place).collect::<Result<_, _>>().map_err(in_file)?;
                let columns = MixedColumns::of(&raw.values, &names).map_err(in_file)?;
                let columns = columns.with_asymmetric(&asymmetric).map_err(in_file)?;
                match weights {
                    Some(weights) => columns.with_weights(weights).map_err(in_file)?,
                    None => columns,
                }
            }
        };
        let points = columns.encode(*metric, &raw.values).map_err(in_file)?;
        let gaps = raw.values.iter().filter(|value| value.is_nan()).count();
        let note = (gaps > 0).then(|| {
            format!(
                "{gaps} of {} values are missing: {metric} compares two rows by the columns that both have",
                raw.values.len()
            )
        });
        Ok(Some((points, columns, note.into_iter().collect())))
    }

    /// Puts columns into the order of the requested coordinates, where these are all columns.
    fn order(&self, raw: &mut Raw) {
        let Some(names) = raw.names.as_ref().filter(|names| names.len() == self.coordinates.len()) else {
            return;
        };
        let place = |name: &String| names.iter().position(|other| other == name);
        let Some(order) = self.coordinates.iter().map(place).collect::<Option<Vec<usize>>>() else { return };
        let row = |row: &[f64]| -> Vec<f64> { order.iter().map(|&column| row[column]).collect() };
        raw.values = raw.values.chunks_exact(raw.width).flat_map(row).collect();
        raw.sources = order.iter().map(|&column| raw.sources[column]).collect();
        raw.names = Some(self.coordinates.clone());
    }
}
