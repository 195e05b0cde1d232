//! `--plot`: a map as a picture.

use std::path::Path;

use datasets::{Dataset, files};
use embedding::Error;

use crate::Failure;
use crate::figure::{png, slide_scene, svg};
use crate::output::write_text;
use crate::results::MethodResults;

/// Pixels per unit of a figure: sharp on a projector.
const SCALE: f64 = 2.0;

/// Refuses a name of another format, before any work is done.
pub(super) fn check(path: &Path) -> Result<(), Failure> {
    match extension(path).as_str() {
        "png" | "svg" => Ok(()),
        _ => Err(Failure::usage(format!("--plot {}: the name must end in .png or .svg", path.display()))),
    }
}

/// Draws and writes the map of a method.
pub(super) fn write(path: &Path, title: &str, data: &Dataset, method: &MethodResults) -> Result<(), Error> {
    let scene = slide_scene(title, data, method);
    if extension(path) == "svg" {
        return write_text(path, &svg(&scene));
    }
    let png = png(&scene, SCALE)?;
    files::write_whole(path, |file| file.write_all(&png))
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}
