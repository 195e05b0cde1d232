//! The user's own data sets.

use datasets::Dataset;
use embedding::Metric;

use super::arguments::{OwnFiles, ReadingFlags};
use super::{Context, input, suspicious, unknown};
use crate::Failure;
use crate::figure::number::counted;

/// The options that name and read files.
pub(super) struct Files<'a> {
    pub(super) own: &'a OwnFiles,
    pub(super) reading: &'a ReadingFlags,
    /// Number of rows of each, and the seed of their choice; all where there is none.
    pub(super) sample: Option<(usize, u64)>,
    /// The distance between the rows.
    pub(super) metric: Metric,
}

/// Reads each file as a data set, named after the file.
pub(super) fn read(files: &Files<'_>, context: &Context) -> Result<Vec<Dataset>, Failure> {
    let Files { own: OwnFiles { input, labels, images, unknown_label }, reading, sample, metric } = *files;
    input::one_stdin(input)?;
    for (option, given) in [("--labels", labels.len()), ("--images", images.len())] {
        if given != 0 && given != input.len() {
            let inputs = counted(input.len(), "input", "inputs");
            return Err(Failure::usage(format!(
                "{option} must name one for each of {inputs}, but names {given}"
            )));
        }
    }
    let mut sets: Vec<Dataset> = Vec::new();
    for (i, path) in input.iter().enumerate() {
        context.progress.begin(input::name(path));
        let classes = input::Classes::of(labels.get(i), unknown_label.as_ref());
        let mut table = input::read(path, classes, reading, context)?;
        if let Some(folder) = images.get(i) {
            reading.reading(context.memory).illustrate(&mut table, folder)?;
        }
        let of_data = suspicious::notes(&table, metric, suspicious::Use::Methods);
        input::tell(&of_data, path, context);
        let stem = input::stem(path);
        let free = |name: &String| sets.iter().all(|set| set.name != *name);
        let mut names = std::iter::once(stem.clone()).chain((2..).map(|i| format!("{stem}-{i}")));
        let name = names.find(free).expect("some number is free");
        let mut notes = format!("Read from {}.", input::name(path));
        notes.extend(table.notes.iter().chain(&of_data).map(|note| format!(" Note: {note}.")));
        notes.extend(table.scaling.iter().map(|_| " The columns are standardized."));
        notes.extend(table.warnings.iter().map(|warning| format!(" Warning: {warning}.")));
        let data = table.into_dataset(name, notes);
        sets.push(match sample {
            Some((n, seed)) => data.sample(n, seed)?,
            None => data,
        });
    }
    if let Some(label) = unknown_label {
        unknown::mark(sets.iter_mut().filter_map(|set| set.labels.first_mut()), label)?;
        for set in sets.iter_mut().filter(|set| set.labels.iter().any(|labels| labels.unknown.is_some())) {
            set.notes += &format!(
                " The class of rows labeled `{label}` is unknown: measures of classes leave them out, and pictures \
                 show them gray."
            );
        }
    }
    Ok(sets)
}
