//! The files that a command writes: checked before anything is read or fitted.

use std::path::{Component, Path, PathBuf};

use datasets::files::{check_map_output, check_output};
use embedding::Error;

use crate::cli::options::values::STDIN;
use crate::{Failure, folder};

/// Refuses what [`keep_apart`] refuses, and an output whose folder does not exist.
pub(in crate::cli) fn check<'a>(
    inputs: impl IntoIterator<Item = &'a PathBuf>,
    outputs: impl IntoIterator<Item = (&'static str, &'a PathBuf)> + Clone,
) -> Result<(), Failure> {
    keep_apart(inputs, outputs.clone())?;
    outputs.into_iter().try_for_each(|(option, path)| has_folder(option, path))
}

/// Refuses a name of a format that is not written.
pub(in crate::cli) fn check_table(option: &str, path: &Path) -> Result<(), Failure> {
    check_output(path).map_err(|_| {
        Failure::usage(format!(
            "{option} {}: the name must end in .npy, .csv, .tsv, .csv.gz or .tsv.gz",
            path.display()
        ))
    })
}

/// Refuses a name of a format in which no map is written, and one without columns where `with` names some.
pub(in crate::cli) fn check_map(option: &str, path: &Path, with: &[String]) -> Result<(), Failure> {
    let fail = |problem: &str| Err(Failure::usage(format!("{option} {}: {problem}", path.display())));
    if check_map_output(path).is_err() {
        return fail("the name must end in .npy, .npz, .csv, .tsv, .csv.gz or .tsv.gz");
    }
    if is_array(path) && !with.is_empty() {
        return fail(
            "an array has no columns of --with; the name must end in .npz, .csv, .tsv, .csv.gz or .tsv.gz",
        );
    }
    Ok(())
}

/// Whether a map under this name is an array of coordinates alone.
pub(in crate::cli) fn is_array(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npy"))
}

/// Whether a map under this name is an archive of arrays.
pub(in crate::cli) fn is_archive(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npz"))
}

/// Refuses an output that is standard output, or, once links are resolved, an input or another
/// output. Also refuses a picture in a folder of pictures that is read, and an output whose path is a
/// folder.
pub(in crate::cli) fn keep_apart<'a>(
    inputs: impl IntoIterator<Item = &'a PathBuf>,
    outputs: impl IntoIterator<Item = (&'static str, &'a PathBuf)>,
) -> Result<(), Failure> {
    let inputs: Vec<(&PathBuf, Option<PathBuf>)> =
        inputs.into_iter().map(|path| (path, resolved(path))).collect();
    let mut written: Vec<(&str, PathBuf)> = Vec::new();
    for (option, path) in outputs {
        if path == Path::new(STDIN) {
            return Err(Failure::usage(format!(
                "{option} {STDIN}: nothing is written to standard output; name a file"
            )));
        }
        let Some(place) = resolved(path) else {
            free(path)?;
            continue;
        };
        if let Some((input, _)) = inputs.iter().find(|(_, input)| input.as_ref() == Some(&place)) {
            return Err(Failure::usage(format!(
                "{option} {} is the input {}, which would be destroyed; choose another name",
                path.display(),
                input.display()
            )));
        }
        let extension = place.extension().unwrap_or_default().to_ascii_lowercase();
        let picture = ["png", "jpg", "jpeg"].iter().any(|known| extension == *known);
        let within = |input: &Option<PathBuf>| {
            input.as_ref().is_some_and(|folder| folder.is_dir() && place.starts_with(folder))
        };
        if let Some((input, _)) = inputs.iter().find(|(_, input)| picture && within(input)) {
            return Err(Failure::usage(format!(
                "{option} {} lies in the folder of pictures {} that is read; choose another folder",
                path.display(),
                input.display()
            )));
        }
        if let Some((other, _)) = written.iter().find(|(_, other)| *other == place) {
            return Err(Failure::usage(format!(
                "{option} and {other} are the same file, {}; choose two names",
                path.display()
            )));
        }
        free(path)?;
        written.push((option, place));
    }
    Ok(())
}

/// Fails where the path of an output is a folder, or the path of its folder is a file.
fn free(path: &Path) -> Result<(), Error> {
    if path.is_dir() {
        return Err(folder::in_place_of_a_file(path));
    }
    match path.ancestors().skip(1).find(|above| above.exists()) {
        Some(above) if !above.is_dir() => Err(folder::in_place_of_a_folder(above)),
        _ => Ok(()),
    }
}

/// The file that a path leads to, whether or not it exists; `None` for anything other than a
/// file, such as a device or standard input.
fn resolved(path: &Path) -> Option<PathBuf> {
    if path == Path::new(STDIN) {
        return None;
    }
    if let Ok(place) = path.canonicalize() {
        return (place.is_file() || place.is_dir()).then_some(place);
    }
    let path = std::path::absolute(linked(path)).ok()?;
    // The folders that do not exist yet are made where the nearest one above them is.
    let (above, mut place) = path.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)))?;
    for part in path.strip_prefix(above).ok()?.components() {
        match part {
            Component::ParentDir => {
                place.pop();
            }
            part => place.push(part),
        }
    }
    Some(place)
}

/// Fails where the folder of an output does not exist; for a link, the folder of its target.
fn has_folder(option: &str, path: &Path) -> Result<(), Failure> {
    let target = linked(path);
    let folder = folder_of(&target);
    if folder.is_dir() {
        return Ok(());
    }
    Err(Failure::Failed(Error::file(
        path.display(),
        format!(
            "{option} cannot be written, because the folder {} does not exist; make it, or choose another name",
            folder.display()
        ),
    )))
}

/// The target of a link, which may not exist yet; the path itself where it is not a link.
fn linked(path: &Path) -> PathBuf {
    let target = path.read_link().map(|target| path.parent().unwrap_or(Path::new("")).join(target));
    target.unwrap_or_else(|_| path.to_owned())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
