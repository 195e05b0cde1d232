//! Whole files or none.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use embedding::Error;

/// Writes a file atomically.
///
/// `write` fills a temporary file in the target's folder, which is then
/// flushed to the disk and renamed. On any failure the temporary file is
/// removed and the target is what it was before. A target that is a device or
/// a pipe is written to directly.
///
/// ```no_run
/// # use std::io::Write;
/// datasets::files::write_whole("notes.txt".as_ref(), |file| file.write_all(b"whole"))?;
/// # Ok::<(), embedding::Error>(())
/// ```
pub fn write_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
    let fail =
        |error: io::Error| Error::file(path.display(), format!("cannot be written: {}", reason(&error)));
    match fs::metadata(path) {
        Ok(target) if target.is_dir() => {
            return Err(Error::file(path.display(), "cannot be written: it is a folder"));
        }
        Ok(target) if !target.is_file() => {
            let mut device = BufWriter::new(File::options().write(true).open(path).map_err(fail)?);
            return write(&mut device).and_then(|()| device.flush()).map_err(fail);
        }
        _ => {}
    }
    let temporary = Temporary::beside(path);
    let file = File::create_new(&temporary.0).map_err(fail)?;
    let mut buffered = BufWriter::with_capacity(1 << 18, file);
    write(&mut buffered)
        .and_then(|()| buffered.flush())
        .and_then(|()| buffered.get_ref().sync_all())
        .and_then(|()| fs::rename(&temporary.0, path))
        .map_err(fail)
}

/// A file that is removed unless it was renamed before.
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
        // Gone already after a successful rename.
        let _ = fs::remove_file(&self.0);
    }
}

/// An input-output error in words, with what to try.
pub(super) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder; check the path".to_owned(),
        io::ErrorKind::PermissionDenied => {
            "permission denied; choose another place or change the permissions".to_owned()
        }
        io::ErrorKind::NotADirectory => "a part of the path is not a folder".to_owned(),
        _ => error.to_string(),
    }
}
