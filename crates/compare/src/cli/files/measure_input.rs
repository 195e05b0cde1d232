//! The data of `compare measure`.

use std::path::Path;

use datasets::Labels;
use datasets::files::{SparseTable, Table};
use embedding::mixed::MixedColumns;
use embedding::{Input, Metric};
use quality::Original;

use crate::Failure;
use crate::cli::context::Context;
use crate::cli::files::input;
use crate::cli::options::reading::ReadingOptions;

/// The original data of a map, with the classes of its rows.
pub(in crate::cli) enum MeasureInput {
    /// Rows of all values, as they were read.
    Table(Box<Table>),
    /// Rows of a sparse matrix without their zeros, and their classes.
    Sparse(Box<SparseTable>, Option<Labels>),
}

impl MeasureInput {
    /// Reads a file; a sparse matrix without its zeros, unless the metric or an option of reading needs
    /// them, which a note reports.
    pub(in crate::cli) fn read(
        path: &Path,
        classes: input::Classes<'_>,
        flags: &ReadingOptions,
        metric: Metric,
        context: &Context,
    ) -> Result<Self, Failure> {
        let Some(table) = input::read_sparse(path, flags, metric, context)? else {
            let flags = flags.for_metric(metric, None)?;
            return Ok(Self::Table(Box::new(input::read(path, classes, &flags, context)?)));
        };
        let reading = flags.reading_classes(classes.unknown, context.memory);
        let labels = classes.file.map(|file| table.labels(&reading, file)).transpose()?;
        Ok(Self::Sparse(Box::new(table), labels))
    }

    /// Reads a matrix of distances.
    pub(in crate::cli) fn of_distances(
        path: &Path,
        classes: input::Classes<'_>,
        flags: &ReadingOptions,
        context: &Context,
    ) -> Result<Self, Failure> {
        Ok(Self::Table(Box::new(input::read_distances(path, classes, flags, context)?)))
    }

    /// The rows, as measures read them.
    pub(in crate::cli) fn original(&self) -> Original<'_> {
        match self {
            Self::Table(table) => table.points.view().into(),
            Self::Sparse(table, _) => table.points.view().into(),
        }
    }

    /// The rows, as a neighbor search reads them.
    pub(in crate::cli) fn input(&self) -> Input<'_> {
        match self {
            Self::Table(table) => Input::from(&table.points),
            Self::Sparse(table, _) => table.points.view().into(),
        }
    }

    /// The number of columns.
    pub(in crate::cli) fn dim(&self) -> usize {
        match self {
            Self::Table(table) => table.mixed.as_ref().map_or(table.points.dim(), MixedColumns::len),
            Self::Sparse(table, _) => table.points.view().dim(),
        }
    }

    /// The table, which may have left rows out.
    pub(in crate::cli) fn table(&self) -> Option<&Table> {
        match self {
            Self::Table(table) => Some(table),
            Self::Sparse(..) => None,
        }
    }

    /// The number of rows of the file and the kept rows, where some were left out.
    pub(in crate::cli) fn kept(&self) -> Option<(usize, &[u32])> {
        let (rows, kept) = match self {
            Self::Table(table) => (table.rows, &table.kept),
            Self::Sparse(table, _) => (table.rows, &table.kept),
        };
        Some((rows, kept.as_deref()?))
    }

    /// The classes of the rows.
    pub(in crate::cli) fn labels(&self) -> Option<&Labels> {
        match self {
            Self::Table(table) => table.labels.as_ref(),
            Self::Sparse(_, labels) => labels.as_ref(),
        }
    }

    /// The same, to mark an unknown one.
    pub(in crate::cli) fn labels_mut(&mut self) -> Option<&mut Labels> {
        match self {
            Self::Table(table) => table.labels.as_mut(),
            Self::Sparse(_, labels) => labels.as_mut(),
        }
    }
}
