//! The first step of `compare embed`: its input and the classes of the rows.

use std::borrow::Cow;

use datasets::files::{SparseTable, Table};
use datasets::{Dataset, Labels};
use embedding::{DataKind, Error, Input, MemoryLimit, Metric, Neighbors, PointSet};

use super::arguments::Embed;
use super::fit_on::Sample;
use super::task::Task;
use crate::Failure;
use crate::cli::context::Context;
use crate::cli::files::embed_input::EmbedInput;
use crate::cli::files::suspicious::Use;
use crate::cli::files::{input, row_list, row_names, start, suspicious, unknown_label, unrelated};
use crate::cli::options::reading::ReadingOptions;
use crate::cli::plot::without_coordinates;

/// What the input file holds, with the classes of its rows.
pub(super) enum ReadInput {
    /// Rows of points, of a matrix of distances, or of neighbor lists.
    Table(Box<Table>),
    /// Points without their zeros.
    Sparse(Box<SparseTable>, Option<Labels>),
    /// The neighbor graph of a sparse matrix of distances.
    Graph(Neighbors, Option<Labels>),
}

impl ReadInput {
    /// Reads the files, and returns what a user should know of the points, which is noted.
    pub(super) fn read(
        options: &Embed,
        task: &Task,
        context: &Context,
    ) -> Result<(Self, Vec<String>), Failure> {
        let mut read = Self::of_files(options, task, context)?;
        let notes = match (&read, task.input.given) {
            (Self::Table(table), DataKind::Points) => {
                suspicious::notes(table, options.distance.metric, Use::Method(task.method.as_ref()))
            }
            _ => Vec::new(),
        };
        input::note(&notes, &options.input, context);
        read.add_labels(options, context)?;
        if let Some(label) = &options.unknown.unknown_label {
            unknown_label::mark(read.labels_mut().into_iter(), label)?;
        }
        let left_out = read.leave_out_unrelated(options, task, context)?;
        Ok((read, notes.into_iter().chain(left_out).collect()))
    }

    /// Leaves out rows that are related to no other by the metric, if --unrelated-rows demands it; returns a
    /// note on them.
    fn leave_out_unrelated(
        &mut self,
        options: &Embed,
        task: &Task,
        context: &Context,
    ) -> Result<Option<String>, Failure> {
        if task.input.given != DataKind::Points {
            return Ok(None);
        }
        let input = match &*self {
            Self::Table(table) => Input::from(table.points.view()),
            Self::Sparse(table, _) => Input::from(table.points.view()),
            Self::Graph(..) => return Ok(None),
        };
        let input = input.with_metric(options.distance.metric).with_memory_limit(task.input.memory);
        let row_of = |row: u32| self.kept().map_or(row, |(_, kept)| kept[row as usize]);
        let policy = options.unrelated.unrelated_rows;
        let Some((rows, note)) = unrelated::related(&input, policy, &options.input, row_of, context)? else {
            return Ok(None);
        };
        match self {
            Self::Table(table) => table.select(&rows)?,
            Self::Sparse(table, labels) => {
                table.select(&rows);
                *labels = labels.as_ref().map(|labels| labels.select(&rows));
            }
            Self::Graph(..) => {}
        }
        Ok(Some(note))
    }

    fn of_files(options: &Embed, task: &Task, context: &Context) -> Result<Self, Failure> {
        let Embed { input: path, distance, .. } = options;
        let reading = &ReadingOptions {
            given: task.input.form,
            weight_column: options.weight_column.clone(),
            target: options.target_column.clone(),
            ..options.with.reading(&options.reading)
        };
        if reads_sparse(options, task)
            && let Some(table) = input::read_sparse(path, reading, distance.metric, context)?
        {
            return Ok(Self::Sparse(Box::new(table), None));
        }
        if task.input.given == DataKind::Neighbors
            && let Some(lists) = input::read_graph(path, reading, context)?
        {
            return Ok(Self::Graph(lists, None));
        }
        let read = match task.input.given {
            DataKind::Points => input::read,
            DataKind::Distances => input::read_distances,
            DataKind::Neighbors => input::read_matrix,
        };
        let reading = match task.input.given {
            DataKind::Points => &reading.for_metric(distance.metric, None)?,
            DataKind::Distances | DataKind::Neighbors => reading,
        };
        let classes = input::Classes::of(options.labels.as_ref(), options.unknown.unknown_label.as_ref());
        Ok(Self::Table(Box::new(read(path, classes, reading, context)?)))
    }

    /// Adds the classes of `--labels` where the rows have no table that holds them.
    fn add_labels(&mut self, options: &Embed, context: &Context) -> Result<(), Failure> {
        let Some(path) = &options.labels else { return Ok(()) };
        let unknown = options.unknown.unknown_label.as_deref();
        let reading = options.reading.reading_classes(unknown, context.memory);
        match self {
            Self::Table(_) => {}
            Self::Sparse(table, labels) => *labels = Some(table.labels(&reading, path)?),
            Self::Graph(lists, labels) => *labels = Some(reading.labels(lists.len(), path)?),
        }
        Ok(())
    }

    /// The input of a fit: the rows of `sample` where there is one, or all rows.
    pub(super) fn embed_input<'a>(
        &'a self,
        options: &Embed,
        task: &Task,
        sample: Option<&'a Sample>,
    ) -> Result<EmbedInput<'a>, Error> {
        match self {
            Self::Sparse(table, _) => Ok(EmbedInput::Sparse(table.points.view())),
            Self::Graph(lists, _) => Ok(EmbedInput::Neighbors(Cow::Borrowed(lists))),
            Self::Table(table) => {
                let points = sample.map_or(&table.points, |sample| &sample.points);
                EmbedInput::new(points.view(), task.input.given)
                    .map_err(|error| input::of_file(error, &options.input))
            }
        }
    }

    /// The coordinates of --start for the `n` rows of a fit.
    pub(super) fn start(
        &self,
        options: &Embed,
        n: usize,
        context: &Context,
    ) -> Result<Option<PointSet>, Failure> {
        let Some(path) = &options.start else { return Ok(None) };
        start::read(path, (&options.reading, self.table()), (n, self.kept()), context).map(Some)
    }

    /// Which of the `n` rows of a fit are fixed by --fixed.
    pub(super) fn fixed(
        &self,
        options: &Embed,
        n: usize,
        context: &Context,
    ) -> Result<Option<Vec<bool>>, Error> {
        let Some(path) = &options.fixed else { return Ok(None) };
        let names = row_names::asked_for(&options.reading, self.table());
        row_list::FIXED.read(path, names, (n, self.kept()), context).map(Some)
    }

    /// The number of rows of the file, and those that were not left out, where some were.
    pub(super) fn kept(&self) -> Option<(usize, &[u32])> {
        match self {
            Self::Table(table) => table.kept.as_ref().map(|kept| (table.rows, kept.as_slice())),
            Self::Sparse(table, _) => table.kept.as_ref().map(|kept| (table.rows, kept.as_slice())),
            Self::Graph(..) => None,
        }
    }

    /// The table of rows that have all their values.
    pub(super) fn table(&self) -> Option<&Table> {
        match self {
            Self::Table(table) => Some(table),
            Self::Sparse(..) | Self::Graph(..) => None,
        }
    }

    /// The classes of the rows.
    pub(super) fn labels(&self) -> Option<&Labels> {
        match self {
            Self::Table(table) => table.labels.as_ref(),
            Self::Sparse(_, labels) | Self::Graph(_, labels) => labels.as_ref(),
        }
    }

    /// The continuous target of --target-column: a number per row, NaN where it is unknown.
    pub(super) fn targets(&self, options: &Embed) -> Option<Vec<f64>> {
        let target = self.table()?.quantities.first().filter(|_| options.target_column.is_some())?;
        Some(target.values.iter().map(|value| value.unwrap_or(f64::NAN)).collect())
    }

    fn labels_mut(&mut self) -> Option<&mut Labels> {
        match self {
            Self::Table(table) => table.labels.as_mut(),
            Self::Sparse(_, labels) | Self::Graph(_, labels) => labels.as_mut(),
        }
    }

    /// The rows of the file that were left out.
    pub(super) fn left_out(&self) -> Vec<u32> {
        match self {
            Self::Table(table) => table.left_out(),
            Self::Sparse(table, _) => table.left_out(),
            Self::Graph(..) => Vec::new(),
        }
    }

    /// What a picture of a map of `n` points needs of the data.
    pub(super) fn into_dataset(
        self,
        given: DataKind,
        name: String,
        n: usize,
        (metric, memory): (Metric, MemoryLimit),
    ) -> Result<Dataset, Error> {
        match self {
            Self::Table(table) if given == DataKind::Points && table.mixed.is_some() => {
                let mut data = table.into_dataset(name, "");
                if let Some(points) = metric.coordinates(data.points.view(), memory)? {
                    data.points = points;
                    data.column_names.clear();
                }
                Ok(data)
            }
            Self::Table(table) if given == DataKind::Points => Ok(table.into_dataset(name, "")),
            Self::Table(table) => without_coordinates(name, n, table.labels, table.row_names),
            Self::Sparse(_, labels) | Self::Graph(_, labels) => without_coordinates(name, n, labels, None),
        }
    }
}

/// Whether a sparse matrix is read without its zeros: no option needs coordinates.
fn reads_sparse(options: &Embed, task: &Task) -> bool {
    let coordinates =
        options.reading.standardize || options.fit_on.is_some() || options.graph.cut_shortcuts.is_some();
    task.method.accepts_sparse() && task.input.given == DataKind::Points && !coordinates
}
