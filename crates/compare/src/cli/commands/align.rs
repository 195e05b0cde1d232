//! `compare align`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use datasets::files::{Table, WholeFiles};
use embedding::implement::Value;
use embedding::{DataKind, DynMethod, Error, PointSet};
use figure::number::{counted, tick};

use crate::Failure;
use crate::align::{Aligned, Alignment, NamedRows, Relations};
use crate::cli::context::Context;
use crate::cli::files::row_names::{self, Beside};
use crate::cli::files::{input, outputs, saved_model};
use crate::cli::options::method::MethodOptions;
use crate::cli::options::metric::MetricOption;
use crate::cli::options::reading::ReadingOptions;
use crate::cli::settings::{Common, InputSettings, input_settings, of_this_method};
use crate::film::{self, Scene};
use crate::methods::find;

/// Makes a map of each of several files, in which rows of one name are near each other. Iterative methods draw such
/// rows together while they fit; maps of other methods are rotated onto each other. A note says how far rows of one
/// name are apart.
#[derive(Args)]
#[group(skip)]
#[command(mut_arg("name_column", |arg| arg.required(true)))]
pub(in crate::cli) struct Align {
    /// The method; see `compare list methods`
    #[arg(long, value_name = "M")]
    pub(in crate::cli) method: String,
    /// The points of each data set, one per row; at least two files, whose columns may differ
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    pub(in crate::cli) input: Vec<PathBuf>,
    /// Output folder of the coordinates: a file NAME.csv for each input, named after it
    #[arg(long, value_name = "FOLDER")]
    pub(in crate::cli) output: PathBuf,
    /// Output folder of the models: a file NAME.model for each input
    #[arg(long, value_name = "FOLDER")]
    pub(in crate::cli) save: Option<PathBuf>,
    /// Output file of a page in which rows move from map to map; --label-column gives their colors
    #[arg(long, value_name = "FILE.html", value_parser = page)]
    pub(in crate::cli) film: Option<PathBuf>,
    /// How strongly rows of one name are drawn to each other, a number above 0 [default: 2, for iterative methods]
    #[arg(long, value_name = "L", value_parser = pull)]
    pub(in crate::cli) pull: Option<f64>,
    /// Which files have related rows, the rows of one name: neighboring ones or all pairs
    #[arg(long, value_name = "WHICH", value_parser = relations, default_value = "neighboring")]
    pub(in crate::cli) relations: Relations,
    #[command(flatten)]
    pub(in crate::cli) method_options: MethodOptions,
    /// Set a parameter, also as METHOD.PARAM=VALUE; may be repeated
    #[arg(long, value_name = "PARAM=VALUE")]
    pub(in crate::cli) set: Vec<String>,
    #[command(flatten)]
    pub(in crate::cli) distance: MetricOption,
    #[command(flatten)]
    pub(in crate::cli) reading: ReadingOptions,
}

pub(super) fn align(options: &Align, context: &Context) -> Result<ExitCode, Failure> {
    if options.input.len() < 2 {
        return Err(Failure::usage(
            "--input must name at least 2 files, such as --input a.csv b.csv; one file is fitted by `compare embed`",
        ));
    }
    input::one_stdin(&options.input)?;
    let names = input::names(&options.input);
    let path = |folder: &Path, name: &String, end: &str| folder.join(format!("{name}.{end}"));
    let maps: Vec<PathBuf> = names.iter().map(|name| path(&options.output, name, "csv")).collect();
    let models: Option<Vec<PathBuf>> =
        options.save.as_ref().map(|folder| names.iter().map(|name| path(folder, name, "model")).collect());
    let saved = models.iter().flatten().map(|path| ("--save", path));
    let page = || options.film.iter().map(|path| ("--film", path));
    outputs::check(&options.input, page())?;
    let written = maps.iter().map(|path| ("--output", path)).chain(saved).chain(page());
    outputs::keep_apart(&options.input, written)?;
    let (method, settings) = method(options, context)?;

    let reading = options.reading.for_metric(options.distance.metric, None)?;
    let read = |path: &PathBuf| match options.film {
        Some(_) => input::read(path, input::Classes::default(), &reading, context),
        None => input::read_points(path, &[], &reading, context),
    };
    let tables: Vec<Table> = options.input.iter().map(read).collect::<Result<_, _>>()?;
    let sets: Vec<NamedRows<'_>> =
        tables.iter().map(|table| named(options, table)).collect::<Result<_, _>>()?;
    context.progress.begin(format!("{}: {} data sets", method.about().name, sets.len()));
    let alignment = Alignment {
        method: method.as_ref(),
        sets: &sets,
        metric: options.distance.metric,
        relations: options.relations,
        pull: options.pull,
    };
    let aligned = alignment.run(settings.memory, &context.progress)?;
    context.progress.end();
    note(&aligned, &names, context);

    let folders = [Some(&options.output), options.save.as_ref()];
    let made =
        folders.into_iter().flatten().map(|folder| Made::new(folder)).collect::<Result<Vec<_>, _>>()?;
    let mut files = WholeFiles::default();
    for (at, (table, model)) in tables.iter().zip(&aligned.models).enumerate() {
        let coordinates = PointSet::from_mat(model.embedding().coordinates())?;
        let names = row_names::asked_for(&options.reading, Some(table));
        let beside = Beside { kept: table.kept.as_deref(), names, ..Beside::default() };
        row_names::write(&mut files, &maps[at], coordinates.view(), &beside, context)?;
        if let Some(paths) = &models {
            let bytes = saved_model::bytes(method.as_ref(), model.as_ref(), Some(table), names)?;
            files.write(&paths[at], |file| file.write_all(&bytes))?;
        }
    }
    if let Some(path) = &options.film {
        let page = film(&names, &sets, &tables, &aligned)?;
        files.write(path, |file| file.write_all(page.as_bytes()))?;
    }
    files.complete()?;
    made.into_iter().for_each(Made::keep);
    Ok(ExitCode::SUCCESS)
}

/// The page of all maps.
fn film(
    names: &[String],
    sets: &[NamedRows<'_>],
    tables: &[Table],
    aligned: &Aligned,
) -> Result<String, Error> {
    let maps: Vec<PointSet> = (aligned.models.iter())
        .map(|model| PointSet::from_mat(model.embedding().coordinates()))
        .collect::<Result<_, _>>()?;
    let scenes: Vec<Scene<'_>> = (names.iter().zip(sets).zip(tables).zip(&maps))
        .map(|(((title, set), table), map)| Scene {
            title,
            rows: set.names,
            labels: table.labels.as_ref(),
            map: map.view(),
        })
        .collect();
    film::page(&names.join(" → "), &scenes)
}

/// Reads the name of a page.
fn page(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let known = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("html"));
    if known { Ok(path) } else { Err("must end in .html".to_owned()) }
}

/// Reads a number above 0.
fn pull(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(pull) if pull > 0.0 && f64::is_finite(pull) => Ok(pull),
        _ => Err("must be a number above 0".to_owned()),
    }
}

fn relations(text: &str) -> Result<Relations, String> {
    Relations::read(text).ok_or_else(|| format!("must be {}", Relations::SYNTAX))
}

/// The method with its parameters; notes options that have no effect.
fn method(options: &Align, context: &Context) -> Result<(Box<dyn DynMethod>, InputSettings), Failure> {
    let method = find(&options.method)?;
    let name = method.about().name;
    if options.pull.is_some() && !method.fixes_rows() {
        return Err(Failure::usage(format!(
            "--pull needs a method that keeps rows near given places, but the maps of {name} are rotated onto each \
             other; leave --pull out"
        )));
    }
    let common = Common::new(options.method_options);
    common.note_unused(method.as_ref(), &[], context);
    let settings = options.set.iter().map(|text| of_this_method(text, name)).collect::<Result<_, _>>()?;
    let (own, settings) = input_settings(settings, context.memory)?;
    if settings.given != DataKind::Points {
        return Err(Failure::usage(format!("`align` needs points, but given={} is set", settings.given)));
    }
    Ok((common.set(method, own, context)?, settings))
}

/// The rows of a table with their names.
fn named<'a>(options: &Align, table: &'a Table) -> Result<NamedRows<'a>, Failure> {
    let names = row_names::asked_for(&options.reading, Some(table));
    let names = names
        .ok_or_else(|| Failure::usage("rows are related by names; give their column by --name-column"))?;
    Ok(NamedRows { points: table.points.view(), names: &names.values })
}

/// Says how the maps were brought together, and how far related rows are apart.
fn note(aligned: &Aligned, names: &[String], context: &Context) {
    context.progress.line(format!("note: {}", aligned.note));
    for apart in &aligned.apart {
        context.progress.line(format!(
            "note: {} and {}: {} {} related, {} apart in the median, {} at most; 1 is the distance to the tenth neighbor in \
             the map",
            names[apart.set],
            names[apart.set + 1],
            counted(apart.related, "row", "rows"),
            if apart.related == 1 { "is" } else { "are" },
            tick(apart.distance.median),
            tick(apart.distance.largest)
        ));
    }
}

/// An output folder, which is removed where it was made and nothing was written to it.
struct Made(Option<PathBuf>);

impl Made {
    /// Makes a folder where there is none.
    fn new(folder: &Path) -> Result<Self, Error> {
        if folder.is_dir() {
            return Ok(Self(None));
        }
        let fail =
            |error| Error::file(folder.display(), format!("cannot be made: {error}; choose another folder"));
        fs::create_dir_all(folder).map_err(fail)?;
        Ok(Self(Some(folder.to_owned())))
    }

    fn keep(mut self) {
        self.0 = None;
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        // A folder with files of others stays.
        self.0.iter().for_each(|folder| drop(fs::remove_dir(folder)));
    }
}
