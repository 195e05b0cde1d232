//! The output folder of a run.
//!
//! All files are first written to a temporary folder, and moved to the output folder only
//! when complete.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use datasets::files;
use embedding::Error;
use figure::number::counted;

/// An output folder under construction; the temporary folder is deleted unless completed.
pub(crate) struct Folder {
    target: PathBuf,
    staging: Staging,
    /// What could not be written, and why.
    failed: Vec<String>,
}

/// A temporary folder that no other program uses while this one lives.
struct Staging {
    folder: PathBuf,
    /// Locked while the folder is in use, which distinguishes it from the folder of a killed program.
    _lock: File,
}

/// How the names of temporary folders begin and end.
const NAME: (&str, &str) = (".compare-", ".tmp");

impl Staging {
    /// Removes the temporary folders of programs that no longer live.
    fn remove_stale(parent: &Path) {
        for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with(NAME.0) && name.ends_with(NAME.1) && Self::is_stale(&entry.path()) {
                // What cannot be removed stays; it blocks nothing.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }

    /// Whether the program of a temporary folder has ended: the lock is free, or the program was
    /// killed before it made one.
    fn is_stale(folder: &Path) -> bool {
        match File::open(folder.join(LOCK)) {
            Ok(lock) => lock.try_lock().is_ok(),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let changed = fs::metadata(folder).and_then(|folder| folder.modified());
                changed.is_ok_and(|changed| changed.elapsed().is_ok_and(|age| age > UNLOCKED))
            }
            Err(_) => false,
        }
    }

    /// A new folder.
    fn new(parent: &Path) -> io::Result<Self> {
        let mut count = 0;
        let folder = loop {
            let folder = parent.join(format!("{}{}-{count}{}", NAME.0, std::process::id(), NAME.1));
            match fs::create_dir(&folder) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => count += 1,
                made => break made.map(|()| folder)?,
            }
        };
        let made = fs::create_dir(folder.join(FILES)).and_then(|()| {
            // Locked before it has its name, so that no other program finds it unlocked.
            let early = folder.join("lock.new");
            let lock = File::create_new(&early)?;
            lock.lock()?;
            fs::rename(early, folder.join(LOCK))?;
            Ok(lock)
        });
        match made {
            Ok(lock) => Ok(Self { folder, _lock: lock }),
            Err(error) => {
                let _ = fs::remove_dir_all(&folder);
                Err(error)
            }
        }
    }

    /// Where the files go.
    fn files(&self) -> PathBuf {
        self.folder.join(FILES)
    }
}

/// How long a temporary folder without a lock is kept: a program makes its lock at once, but may be
/// stopped before.
const UNLOCKED: Duration = Duration::from_secs(24 * 60 * 60);

/// The lock inside a temporary folder.
const LOCK: &str = "lock";

/// The files inside a temporary folder.
const FILES: &str = "files";

impl Folder {
    /// Checks that the folder can be written, before any computation.
    pub(crate) fn prepare(target: &Path) -> Result<Self, Error> {
        let fail = |problem: String| Error::file(target.display(), problem);
        if target.exists() && !target.is_dir() {
            return Err(fail("is a file, not a folder; choose another output folder".to_owned()));
        }
        // The nearest existing folder: the target itself or one of its ancestors.
        let absolute = std::path::absolute(target).map_err(|error| fail(error.to_string()))?;
        let parent = absolute.ancestors().find(|path| path.exists()).unwrap_or(Path::new("."));
        // A run that was killed left its staging folder in one of these folders.
        [Some(parent), parent.parent()].into_iter().flatten().for_each(Staging::remove_stale);
        let staging = Staging::new(parent).map_err(|error| {
            fail(format!(
                "cannot be written: {error}; choose another output folder or change its permissions"
            ))
        })?;
        *unfinished() = Some(staging.folder.clone());
        Ok(Self { target: absolute, staging, failed: Vec::new() })
    }

    /// Writes one file of the given relative name by a function of its path. A failure is
    /// kept for [`Folder::complete`], so that a file that cannot be written does not prevent the
    /// others. A name that would lead out of the folder, such as `../x`, is such a failure.
    pub(crate) fn write(&mut self, name: impl AsRef<Path>, write: impl FnOnce(&Path) -> Result<(), Error>) {
        // The rest is compiled once, not for every kind of content.
        let mut write = Some(write);
        self.write_by(name.as_ref(), &mut |path| write.take().expect("a file is written once")(path));
    }

    fn write_by(&mut self, name: &Path, write: &mut dyn FnMut(&Path) -> Result<(), Error>) {
        if !name.components().all(|part| matches!(part, Component::Normal(_))) {
            return self.failed.push(format!("{}: leads out of the folder", name.display()));
        }
        let path = self.staging.files().join(name);
        let parent = path.parent().expect("a file in a folder");
        let made = fs::create_dir_all(parent).map_err(|error| Error::file(parent.display(), error));
        if let Err(error) = made.and_then(|()| write(&path)) {
            let problem = match error {
                Error::File { problem, .. } => problem,
                other => other.to_string(),
            };
            self.failed.push(format!("{}: {problem}", name.display()));
        }
    }

    /// The output folder.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// Moves every file to the output folder, replacing the files of an earlier run.
    ///
    /// Fails before anything is moved where a folder has the name of a file, and after it
    /// when a file could not be written.
    pub(crate) fn complete(self) -> Result<(), Error> {
        let fail =
            |error: io::Error| Error::file(self.target.display(), format!("cannot be written: {error}"));
        let files = self.staging.files();
        if self.target.exists() {
            check_targets(&files, &self.target)?;
            move_into(&files, &self.target).map_err(fail)?;
        } else {
            let parent = self.target.parent().unwrap_or(Path::new("."));
            fs::create_dir_all(parent).and_then(|()| fs::rename(files, &self.target)).map_err(fail)?;
        }
        match &self.failed[..] {
            [] => Ok(()),
            failed => Err(Error::file(
                self.target.display(),
                format!(
                    "{} missing, the others are written: {}",
                    counted(failed.len(), "file is", "files are"),
                    failed.join("; ")
                ),
            )),
        }
    }
}

/// Fails where a file would replace a folder, or a folder a file.
fn check_targets(from: &Path, to: &Path) -> Result<(), Error> {
    let fail = |error: io::Error| Error::file(from.display(), error);
    for entry in fs::read_dir(from).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let place = to.join(entry.file_name());
        match (entry.path().is_dir(), place.is_dir()) {
            (true, true) => check_targets(&entry.path(), &place)?,
            (true, false) if place.exists() => return Err(in_place_of_a_folder(&place)),
            (false, true) => return Err(in_place_of_a_file(&place)),
            _ => {}
        }
    }
    Ok(())
}

/// The error for a folder in the place of a file.
pub(crate) fn in_place_of_a_file(folder: &Path) -> Error {
    Error::file(folder.display(), "is a folder where a file must be; move it away")
}

/// The error for a file in the place of a folder.
pub(crate) fn in_place_of_a_folder(file: &Path) -> Error {
    Error::file(file.display(), "is a file where a folder must be; move it away")
}

impl Drop for Folder {
    fn drop(&mut self) {
        *unfinished() = None;
        // Already gone after a successful rename.
        let _ = fs::remove_dir_all(&self.staging.folder);
    }
}

/// The temporary folder of this process, while there is one.
fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes what an unfinished run has written, before the program ends at once.
pub(crate) fn abandon() {
    if let Some(staging) = unfinished().take() {
        // The program ends, whether or not this succeeds.
        let _ = fs::remove_dir_all(staging);
    }
}

fn move_into(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let place = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            move_into(&entry.path(), &place)?;
        } else {
            files::replace(&entry.path(), &place)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_a_lock_is_removed_after_a_day() -> Result<(), Error> {
        let parent = tempfile::tempdir().expect("a temporary folder");
        let made = |name: &str, age: Duration| {
            let folder = parent.path().join(name);
            fs::create_dir_all(folder.join(FILES)).expect("a folder");
            let changed = std::time::SystemTime::now() - age;
            File::open(&folder).and_then(|folder| folder.set_modified(changed)).expect("its time");
            folder
        };
        let minute = Duration::from_secs(60);
        let old = made(".compare-1-0.tmp", UNLOCKED + minute);
        let kept = [made(".compare-2-0.tmp", UNLOCKED - minute), made("compare-3-0.tmp", UNLOCKED + minute)];
        drop(Folder::prepare(&parent.path().join("o"))?);
        assert!(!old.exists() && kept.iter().all(|folder| folder.exists()));
        Ok(())
    }

    #[test]
    fn nothing_is_written_outside_the_folder() -> Result<(), Error> {
        let parent = tempfile::tempdir().expect("a temporary folder");
        let mut folder = Folder::prepare(&parent.path().join("o"))?;
        for name in ["../escaped", "a/../../escaped", "/tmp/swissroll-escaped", "kept"] {
            folder.write(name, |path| crate::output::write_text(path, name));
        }
        let problem = folder.complete().expect_err("three names lead out").to_string();
        assert!(problem.contains("3 files") && problem.contains("../escaped: leads out"), "{problem}");
        assert!(parent.path().join("o/kept").exists() && !parent.path().join("escaped").exists());
        assert!(!Path::new("/tmp/swissroll-escaped").exists());
        Ok(())
    }
}
