//! Finished methods of an unfinished run, which `run --resume` and `study --resume` need not repeat.
//!
//! While a run goes on, every method that has finished is stored in the folder
//! `unfinished` of the output folder. Each method has a file, in a folder for its data set and its
//! setting of a sweep. The folder is removed when the run is complete. The output folder is locked
//! during a run, where the system locks folders: a second run would remove the files of the first.

use std::borrow::Cow;
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use embedding::{DynMethod, Embedding, Error, PerPoint, Rows, persist};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::dataset_source::DatasetSource;
use crate::methods::values;
use crate::output::{json, write_text};
use crate::results::{Frame, MapDrivers, MethodResults};

/// The name of the folder, inside the output folder.
const FOLDER: &str = "unfinished";

/// The file that names the run.
const RUN: &str = "run.json";

/// The stored methods of one run.
pub(crate) struct Checkpoint {
    folder: PathBuf,
    run: Run,
    /// The output folder, locked as soon as it exists, until the store is dropped.
    lock: OnceLock<File>,
}

/// The methods of one setting.
pub(crate) struct Part<'a> {
    store: &'a Checkpoint,
    path: PathBuf,
}

/// What run the stored methods belong to.
#[derive(Serialize, Deserialize)]
struct Run {
    version: String,
    arguments: Vec<String>,
}

/// One finished method, with what `results.json` leaves out.
#[derive(Serialize, Deserialize)]
struct Stored<'a> {
    data: u64,
    parameters: Value,
    row: Cow<'a, MethodResults>,
    embedding: Option<Cow<'a, Embedding>>,
    colors: Cow<'a, [PerPoint]>,
    frames: Cow<'a, [Frame]>,
    drivers: Option<Cow<'a, MapDrivers>>,
}

impl Checkpoint {
    /// The empty store of a new run; removes the store of an earlier run.
    ///
    /// Fails where another run writes into the folder, as [`Checkpoint::resume`], and where the
    /// folder holds anything that no run has stored.
    pub(crate) fn begin(out: &Path, arguments: &[String]) -> Result<Self, Error> {
        let run = Run { version: env!("CARGO_PKG_VERSION").to_owned(), arguments: arguments.to_vec() };
        let store = Self { folder: out.join(FOLDER), run, lock: OnceLock::new() };
        store.remove()?;
        Ok(store)
    }

    /// The store that an unfinished run left in its output folder, and the arguments of
    /// that run.
    ///
    /// Fails if there is no unfinished run, if another version stored it, or if it is still running.
    pub(crate) fn resume(out: &Path) -> Result<(Self, Vec<String>), Error> {
        let folder = out.join(FOLDER);
        let path = folder.join(RUN);
        if !path.exists() {
            let problem = "holds no unfinished run; --resume goes on with one that was interrupted, in its \
                           output folder (--out)";
            return Err(Error::file(out.display(), problem));
        }
        let run: Run = read(&path)?;
        if run.version != env!("CARGO_PKG_VERSION") {
            let problem = format!(
                "was begun by version {}, and this is {}; repeat the run without --resume",
                run.version,
                env!("CARGO_PKG_VERSION")
            );
            return Err(Error::file(out.display(), problem));
        }
        let arguments = run.arguments.clone();
        let store = Self { folder, run, lock: OnceLock::new() };
        store.lock()?;
        Ok((store, arguments))
    }

    /// The part of the store for one setting of a sweep, or for the whole of a run without
    /// one, whose name is empty.
    pub(crate) fn part(&self, name: &str) -> Part<'_> {
        Part { store: self, path: PathBuf::from(name) }
    }

    /// Locks the output folder where it exists, and where the system and its file system lock folders.
    /// Fails where another run has locked it.
    fn lock(&self) -> Result<(), Error> {
        let out = self.folder.parent().expect("an output folder");
        if self.lock.get().is_some() {
            return Ok(());
        }
        let Ok(folder) = File::open(out) else { return Ok(()) };
        match folder.try_lock() {
            Ok(()) => {
                self.lock.get_or_init(|| folder);
                Ok(())
            }
            Err(TryLockError::WouldBlock) => {
                let problem = "another run is writing into this folder; wait until it has finished, or choose \
                               another folder (--out)";
                Err(Error::file(out.display(), problem))
            }
            Err(TryLockError::Error(_)) => Ok(()),
        }
    }

    /// Whether anything is stored.
    pub(crate) fn holds_any(&self) -> bool {
        self.folder.join(RUN).exists()
    }

    /// What is in the place of the store, or within it, that no run has stored.
    fn foreign(&self) -> Option<PathBuf> {
        let Self { folder, .. } = self;
        if folder.is_symlink() || folder.is_file() {
            return Some(folder.clone());
        }
        // Every store has this file as its first.
        let holds_any = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
        if holds_any && read::<Run>(&folder.join(RUN)).is_err() {
            return Some(folder.clone());
        }
        foreign_below(folder)
    }

    /// Removes the stored files. Fails if they belong to a run that is still running, or if the folder
    /// contains a file that no run has stored.
    pub(crate) fn remove(&self) -> Result<(), Error> {
        self.lock()?;
        if let Some(foreign) = self.foreign() {
            let problem = "is no file of an unfinished run, but a new run removes the folder `unfinished` of its \
                           output folder; move it away, or choose another output folder (--out)";
            return Err(Error::file(foreign.display(), problem));
        }
        match fs::remove_dir_all(&self.folder) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(Error::file(self.folder.display(), format!("cannot be removed: {error}")))
            }
            _ => Ok(()),
        }
    }
}

/// A file in the folder or below it that no run has stored.
fn foreign_below(folder: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).find_map(|path| {
        if path.is_dir() && !path.is_symlink() {
            return foreign_below(&path);
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // A temporary file was left by a run that was killed.
        let is_stored = name.ends_with(".json") || name.starts_with('.') && name.ends_with(".tmp");
        (path.is_symlink() || !is_stored).then(|| path.clone())
    })
}

impl Part<'_> {
    /// A part of this one.
    pub(crate) fn part(&self, name: &str) -> Self {
        Self { store: self.store, path: self.path.join(name) }
    }

    /// The stored result of a method with these parameters on this data; `None` where it
    /// has not finished, or on other data.
    pub(crate) fn find(&self, data: Identity<'_>, method: &dyn DynMethod) -> Option<MethodResults> {
        let stored: Stored<'_> = read(&self.file(data, method.about().name)).ok()?;
        let same = stored.data == data.checksum && stored.parameters == Value::Object(values(method));
        same.then(|| {
            let Stored { row, embedding, colors, frames, drivers, .. } = stored;
            MethodResults {
                embedding: embedding.map(Cow::into_owned),
                colors: colors.into_owned(),
                frames: frames.into_owned(),
                drivers: drivers.map(Cow::into_owned),
                ..row.into_owned()
            }
        })
    }

    /// Stores a finished method.
    pub(crate) fn keep(
        &self,
        data: Identity<'_>,
        method: &dyn DynMethod,
        row: &MethodResults,
    ) -> Result<(), Error> {
        let stored = Stored {
            data: data.checksum,
            parameters: Value::Object(values(method)),
            row: Cow::Borrowed(row),
            embedding: row.embedding.as_ref().map(Cow::Borrowed),
            colors: Cow::Borrowed(&row.colors),
            frames: Cow::Borrowed(&row.frames),
            drivers: row.drivers.as_ref().map(Cow::Borrowed),
        };
        let path = self.file(data, method.about().name);
        let make =
            |folder: &Path| fs::create_dir_all(folder).map_err(|error| Error::file(folder.display(), error));
        make(&self.store.folder)?;
        self.store.lock()?;
        let run = self.store.folder.join(RUN);
        if !run.exists() {
            write_text(&run, &json(&self.store.run))?;
        }
        make(path.parent().expect("a folder for each data set"))?;
        let text = serde_json::to_string(&stored).expect("results are numbers, words and lists of them");
        write_text(&path, &text)
    }

    fn file(&self, data: Identity<'_>, method: &str) -> PathBuf {
        self.store.folder.join(data.name).join(&self.path).join(format!("{method}.json"))
    }
}

/// What identifies a data set.
#[derive(Clone, Copy)]
pub(crate) struct Identity<'a> {
    name: &'a str,
    /// A checksum of the points and the classes.
    pub(crate) checksum: u64,
}

impl<'a> Identity<'a> {
    /// The identity of a data set. O(n D) time; for sparse points O(entries).
    pub(crate) fn of(source: &'a DatasetSource) -> Self {
        let data = &source.data;
        let mut checksum = 0;
        let mut add = |bytes: &[u8]| checksum = persist::checksum(&[&u64::to_le_bytes(checksum), bytes]);
        match source.points() {
            Rows::Dense(points) => {
                for row in points.rows() {
                    add(&row.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>());
                }
            }
            Rows::Sparse(points) => {
                for (columns, values) in (0..points.len()).map(|i| points.row(i)) {
                    add(&columns.iter().flat_map(|column| column.to_le_bytes()).collect::<Vec<_>>());
                    add(&values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>());
                }
            }
        }
        for labels in &data.labels {
            add(&labels.values.iter().flat_map(|label| label.to_le_bytes()).collect::<Vec<_>>());
        }
        Self { name: &data.name, checksum }
    }
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T, Error> {
    let fail = |problem: String| Error::file(path.display(), problem);
    let text = fs::read_to_string(path).map_err(|error| fail(error.to_string()))?;
    serde_json::from_str(&text)
        .map_err(|error| fail(format!("is damaged ({error}); repeat the run without --resume")))
}
