//! Writes files completely or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use embedding::Error;

use super::errors::reason;

/// Writes a file atomically.
///
/// `write` fills a temporary file in the target's folder, which is then
/// flushed to the disk and renamed. On any failure the temporary file is removed and the target stays
/// unchanged. A target that exists keeps its permissions; a symbolic link stays one, and the file it leads to
/// is replaced. A target that is a device or a pipe is written to directly.
///
/// ```no_run
/// # use std::io::Write;
/// datasets::files::write_whole("notes.txt".as_ref(), |file| file.write_all(b"whole"))?;
/// # Ok::<(), embedding::Error>(())
/// ```
pub fn write_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
    let mut files = WholeFiles::default();
    files.write(path, write)?;
    files.complete()
}

/// Several files that are written all or none: each as by [`write_whole`], but under its
/// own name only when all are complete.
///
/// Without [`WholeFiles::complete`] all targets stay unchanged, except devices and pipes, which are written
/// to directly.
///
/// ```no_run
/// # use std::io::Write;
/// let mut files = datasets::files::WholeFiles::default();
/// files.write("map.csv".as_ref(), |file| file.write_all(b"1,2\n"))?;
/// files.write("model.bin".as_ref(), |file| file.write_all(b"..."))?;
/// files.complete()?;
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct WholeFiles {
    /// Complete files, the names they get, and the names they were given.
    complete: Vec<(Temporary, PathBuf, PathBuf)>,
}

impl WholeFiles {
    /// Writes a temporary file in the folder of the target.
    pub fn write(
        &mut self,
        path: &Path,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Error> {
        // The rest is compiled once, not for every kind of content.
        let mut write = Some(write);
        let mut once = |file: &mut dyn Write| write.take().expect("a file is written once")(file);
        self.write_by(path, &mut once)
    }

    fn write_by(
        &mut self,
        path: &Path,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Error> {
        let fail = |error: io::Error| unwritable(path, &error);
        let permissions = match fs::metadata(path) {
            Ok(target) if target.is_dir() => {
                return Err(Error::file(path.display(), "cannot be written: it is a folder"));
            }
            Ok(target) if !target.is_file() => {
                let mut device = BufWriter::new(File::options().write(true).open(path).map_err(fail)?);
                return write(&mut device).and_then(|()| device.flush()).map_err(fail);
            }
            Ok(target) => Some(target.permissions()),
            Err(_) => None,
        };
        let target = destination(path).map_err(fail)?;
        let temporary = Temporary::beside(&target);
        let file = File::create_new(&temporary.0).map_err(fail)?;
        let mut buffered = BufWriter::with_capacity(1 << 18, file);
        write(&mut buffered)
            .and_then(|()| buffered.flush())
            .and_then(|()| permissions.map_or(Ok(()), |mode| buffered.get_ref().set_permissions(mode)))
            .and_then(|()| buffered.get_ref().sync_all())
            .map_err(fail)?;
        self.complete.push((temporary, target, path.to_owned()));
        Ok(())
    }

    /// Gives all files their names.
    pub fn complete(self) -> Result<(), Error> {
        for (temporary, target, path) in &self.complete {
            fs::rename(&temporary.0, target).map_err(|error| unwritable(path, &error))?;
        }
        Ok(())
    }
}

/// Moves a file to another name, on the conditions of [`write_whole`]: an existing
/// target keeps its permissions, and a symbolic link stays one.
pub fn replace(from: &Path, to: &Path) -> io::Result<()> {
    let target = destination(to)?;
    if let Ok(existing) = fs::metadata(&target) {
        fs::set_permissions(from, existing.permissions())?;
    }
    match fs::rename(from, &target) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            let temporary = Temporary::beside(&target);
            fs::copy(from, &temporary.0)?;
            fs::rename(&temporary.0, &target)
        }
        moved => moved,
    }
}

/// Most links that lead from one to the next.
const LINKS: usize = 40;

/// The file that a path leads to through symbolic links, whether or not it exists.
fn destination(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        if !fs::symlink_metadata(&path).is_ok_and(|target| target.is_symlink()) {
            return Ok(path);
        }
        let target = fs::read_link(&path)?;
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    Err(io::Error::other("its symbolic links lead to each other; remove them"))
}

fn unwritable(path: &Path, error: &io::Error) -> Error {
    Error::file(path.display(), format!("cannot be written: {}", reason(error)))
}

/// A file that is removed unless it was renamed before.
#[derive(Debug)]
struct Temporary(PathBuf);

impl Temporary {
    fn beside(path: &Path) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let mut name = OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(format!(".{}-{count}.tmp", std::process::id()));
        Self(path.with_file_name(name))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // After a successful rename the file is already gone.
        let _ = fs::remove_file(&self.0);
    }
}
