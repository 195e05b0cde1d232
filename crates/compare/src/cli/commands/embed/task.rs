//! The task of `compare embed`, checked before any file is read.

use embedding::{DataKind, DynMethod};

use super::arguments::Embed;
use super::earlier;
use crate::Failure;
use crate::cli::context::Context;
use crate::cli::files::outputs;
use crate::cli::files::saved_model::SavedModel;
use crate::cli::plot;
use crate::cli::settings::{Common, InputSettings, input_settings, of_this_method};
use crate::graph::tangents_of;
use crate::methods::find;

/// The configured method, and what its input is.
pub(super) struct Task {
    pub(super) method: Box<dyn DynMethod>,
    /// Whether its target dimension was given; otherwise it is lowered where the data cannot have it.
    pub(super) dim_chosen: bool,
    pub(super) input: InputSettings,
    /// The model whose fit goes on, where --continue is given.
    pub(super) earlier: Option<SavedModel>,
}

impl Task {
    /// Configures the method; notes options that have no effect. Fails where options contradict each
    /// other, and where an output cannot be written.
    pub(super) fn new(options: &Embed, context: &Context) -> Result<Self, Failure> {
        let (method, earlier) = match (&options.go_on, &options.method) {
            (Some(path), chosen) => {
                let (method, earlier) = earlier::read(path, chosen.as_deref(), options)?;
                (method, Some(earlier))
            }
            (None, Some(chosen)) => (find(chosen)?, None),
            (None, None) => return Err(Failure::usage("--method is missing; see `compare list methods`")),
        };
        check_outputs(options)?;
        let name = method.about().name;
        if options.start.is_some() && method.start_scale().is_none() {
            return Err(Failure::usage(format!(
                "--start needs a method with a start, but {name} has none; these have one: {}",
                with_start().join(", ")
            )));
        }
        if options.fixed.is_some() && !method.fixes_rows() {
            return Err(Failure::usage(format!(
                "--fixed needs a method that keeps rows at given places, but {name} does not; these do: {}",
                fixing().join(", ")
            )));
        }
        if options.weight_column.is_some() && !method.weighs_rows() {
            return Err(Failure::usage(format!(
                "--weight-column needs a method with weights of rows, but {name} has none; these have them: {}",
                weighing().join(", ")
            )));
        }
        let common = Common::new(options.method_options).with_recall(options.search.neighbor_recall);
        let drawn: &[&str] = if options.fit_on.is_some() { &["seed"] } else { &[] };
        common.note_unused(method.as_ref(), drawn, context);
        let settings = options.set.iter().map(|text| of_this_method(text, name));
        let (settings, input) = input_settings(settings.collect::<Result<Vec<_>, _>>()?, context.memory)?;
        check_input(options, input)?;
        let dim_chosen = earlier.is_some()
            || options.method_options.map.dim.is_some()
            || settings.iter().any(|setting| setting.name == "dim");
        let method = common.set(method, settings, context)?;
        if options.target_column.is_some() {
            check_target(method.as_ref(), input.given)?;
        }
        Ok(Self { method, dim_chosen, input, earlier })
    }
}

/// The names of the methods with a start.
fn with_start() -> Vec<&'static str> {
    swissroll::methods().filter(|m| m.start_scale().is_some()).map(|m| m.about().name).collect()
}

/// The names of the methods that keep rows fixed.
fn fixing() -> Vec<&'static str> {
    swissroll::methods().filter(|m| m.fixes_rows()).map(|m| m.about().name).collect()
}

/// The names of the methods with weights of rows.
fn weighing() -> Vec<&'static str> {
    swissroll::methods().filter(|m| m.weighs_rows()).map(|m| m.about().name).collect()
}

/// Refuses a continuous target that would have no effect.
fn check_target(method: &dyn DynMethod, given: DataKind) -> Result<(), Failure> {
    let name = method.about().name;
    let Some(weight) = method.label_parameter() else {
        let supervised = swissroll::methods().filter(|m| m.label_parameter().is_some());
        let names: Vec<_> = supervised.map(|m| m.about().name).collect();
        return Err(Failure::usage(format!(
            "--target-column needs a method that a continuous target supervises, but {name} is none; these are: {}",
            names.join(", ")
        )));
    };
    if method.parameters().iter().any(|info| info.name == weight && info.value == info.default) {
        return Err(Failure::usage(format!(
            "--target-column has no effect without a weight; add --set {weight}=0.2, 0 to 1"
        )));
    }
    if given == DataKind::Neighbors {
        return Err(Failure::usage(
            "--target-column needs a column of the input, but given=neighbors is set",
        ));
    }
    Ok(())
}

fn check_outputs(options: &Embed) -> Result<(), Failure> {
    let written = [
        ("--output", Some(&options.output)),
        ("--save", options.save.as_ref()),
        ("--report", options.report.as_ref()),
        ("--plot", options.plot.as_ref()),
    ];
    let written = written.into_iter().filter_map(|(option, path)| Some((option, path?)));
    let read =
        [&options.input].into_iter().chain(&options.labels).chain(&options.start).chain(&options.fixed);
    let read = read.chain(&options.go_on);
    outputs::check(read, written)?;
    outputs::check_map("--output", &options.output, &options.with.with)?;
    options.plot.as_deref().map_or(Ok(()), plot::check)
}

/// Refuses options that need points where distances or neighbor lists are given.
fn check_input(options: &Embed, InputSettings { given, .. }: InputSettings) -> Result<(), Failure> {
    if given != DataKind::Points && (options.reading.standardize || options.fit_on.is_some()) {
        return Err(Failure::usage(format!(
            "--standardize and --fit-on need points, but given={given} is set"
        )));
    }
    if given != DataKind::Points && options.weight_column.is_some() {
        return Err(Failure::usage(format!(
            "--weight-column needs the columns of points, but given={given} is set"
        )));
    }
    if given == DataKind::Neighbors && !options.with.with.is_empty() {
        return Err(Failure::usage("--with needs the columns of points, but given=neighbors is set"));
    }
    if options.graph.cut_shortcuts.is_some() {
        tangents_of(options.distance.metric)?;
    }
    if given != DataKind::Points && !options.distance.metric.is_euclidean() {
        return Err(Failure::usage(format!(
            "--metric needs points, but given={given} is set, which have their own metric"
        )));
    }
    Ok(())
}
