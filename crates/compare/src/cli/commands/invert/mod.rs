//! `compare invert`.

pub(super) mod arguments;
mod decoding;
mod places;
mod report;
mod source;

use std::process::ExitCode;

use datasets::files::WholeFiles;
use embedding::Error;
use figure::{
    decoded::{Decoded, decoded_scene},
    paint::Paint,
};
use serde_json::json;

use self::arguments::{Inverse, Invert};
use self::decoding::Decoding;
use self::places::Places;
use self::source::Source;
use crate::Failure;
use crate::cli::context::Context;
use crate::cli::files::saved_model::SavedModel;
use crate::cli::files::{input, outputs};
use crate::cli::plot;
use crate::output::json as text;

/// Runs the command.
pub(super) fn invert(options: &Invert, context: &Context) -> Result<ExitCode, Failure> {
    check(options)?;
    let model = options.model.as_ref().map(|path| SavedModel::read(path)).transpose()?;
    model.iter().try_for_each(|model| model.require_coordinates("invert"))?;
    let source = Source::read(options, model.as_ref(), context)?;
    let Source { map, data, .. } = &source;
    let places = Places::read(options, &source, context)?;
    let kept = places.kept(options.grid.is_some());
    if kept.is_empty() {
        let problem = "every cell of the grid lies far from the points of the map";
        return Err(Error::degenerate(problem, "use a larger --reach, or a finer grid").into());
    }
    let chosen = places.all.view().select(&kept);
    context.progress.begin("decoding");
    let default = if data.is_some() { Inverse::Barycentric } else { Inverse::Linear };
    let inverse = options.inverse.unwrap_or(default);
    let scaling = model.as_ref().and_then(|model| model.scaling.as_ref());
    let decoding = Decoding { options, context, map: map.view(), places: chosen.view(), scaling };
    let (decoded, error) = decoding.decode(inverse, model.as_ref(), data.as_ref())?;
    context.progress.end();
    let far: Vec<usize> = places.far();
    if !far.is_empty() {
        context
            .progress
            .line(format!("note: {}", report::far_away(far.len(), places.all.len(), options.grid.is_some())));
    }
    let error_sentence =
        error.as_ref().map(|error| report::sentence(error, scaling.is_some())).unwrap_or_default();
    if error.is_some() {
        context.progress.line(format!("note: {error_sentence}"));
    }
    let report = json!({
        "inverse": inverse.name(),
        "n": map.len(), "D": decoded.dim(), "dim": map.dim(), "k": options.k,
        "grid": options.grid, "reach": options.reach,
        "places": places.all.len(), "decoded": decoded.len(), "far": far,
        "left_out": error.map(|error| report::left_out(&error, options, scaling.is_some())),
    });
    let mut files = WholeFiles::default();
    files.write_points(&options.output, decoded.view())?;
    if let Some(path) = &options.decoded_places {
        files.write_points(path, chosen.view())?;
    }
    if let Some(path) = &options.report {
        files.write(path, |file| file.write_all(text(&report).as_bytes()))?;
    }
    if let (Some(path), Some(data)) = (&options.plot, data) {
        let nearest = kept.iter().map(|&place| &places.around[place as usize].0[..]);
        let pictures = report::pictures(data, decoded, nearest);
        let at = places.drawn(&kept);
        let drawn = Decoded {
            map: map.view().as_mat(),
            places: &at,
            cell: places.grid.as_ref().map(|grid| grid.cell),
            pictures: &pictures,
        };
        let title = options.title.as_deref().unwrap_or(&data.name);
        let caption = report::caption(inverse, options, data, &error_sentence);
        plot::write_scene(&mut files, path, &decoded_scene(title, &caption, &Paint::of(data), drawn))?;
    }
    files.complete()?;
    Ok(ExitCode::SUCCESS)
}

/// Refuses what can be refused before anything is read.
fn check(options: &Invert) -> Result<(), Failure> {
    let Invert { input, labels, embedding, model, places, .. } = options;
    let inputs = [input, labels, embedding, model, places].into_iter().flatten();
    input::one_stdin(inputs.clone())?;
    let decoded_places = options.decoded_places.iter().map(|path| ("--decoded-places", path));
    let tables = std::iter::once(("--output", &options.output)).chain(decoded_places);
    let report = options.report.iter().map(|path| ("--report", path));
    let plot = options.plot.iter().map(|path| ("--plot", path));
    outputs::check(inputs, tables.clone().chain(report).chain(plot))?;
    tables.clone().try_for_each(|(option, path)| outputs::check_table(option, path))?;
    options.plot.as_deref().map_or(Ok(()), plot::check)?;
    if options.reading.standardize {
        return Err(Failure::usage(
            "--standardize belongs to `compare embed`: data are decoded in their units",
        ));
    }
    if options.inverse == Some(Inverse::Linear) && model.is_none() {
        return Err(Failure::usage("--inverse linear needs the map itself: give --model"));
    }
    if options.grid.is_some() || places.is_some() {
        return Ok(());
    }
    if model.is_none() {
        return Err(Failure::usage("say what is decoded: give --places or --grid"));
    }
    let by_data = matches!(options.inverse, Some(Inverse::Barycentric | Inverse::KernelRidge));
    if by_data || options.dataset.is_some() {
        return Err(Failure::usage(
            "without --places and --grid, --input are the places, decoded by the saved linear map alone; give \
             --places or --grid, so that --input (or --dataset) are the data",
        ));
    }
    Ok(())
}
