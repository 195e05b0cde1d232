//! How a file of points is read, and what it held.

use std::fs;
use std::path::Path;

use embedding::{Error, MemoryLimit, PointSet, SparsePointSet};

use super::atomic_write::reason;
use super::columns::no_coordinates;
use super::encoding::Encoding;
use super::packed::unpacked;
use super::pictures::{self, Color, PictureFolder};
use super::raw::Raw;
use super::scaling::Scaling;
use super::{
    Format, allow, csv_file, idx, missing, mtx, named, not_finite, npy, npz, sparse, unsupported_formats,
    worded,
};
use crate::sample::drawn;
use crate::{Dataset, ImageShape, Labels, Quantity, RowNames};

/// Options of reading points. Columns of `true` and `false` alone are read as 1 and 0. Messages name them as the command line of
/// `compare` does: `--label-column` for [`Reading::label_column`].
///
/// ```no_run
/// use datasets::files::{Missing, Reading};
/// let reading = Reading {
///     ignore: vec!["id".to_owned()],
///     label_column: Some("species".to_owned()),
///     missing: Missing::Drop,
///     ..Reading::default()
/// };
/// let table = reading.read("iris.csv".as_ref())?;
/// println!("{} rows, {} classes", table.points.len(), table.labels.map_or(0, |labels| labels.classes.len()));
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Reading {
    /// The encoding of text files, also of those of labels.
    pub encoding: Encoding,
    /// Whether the first row of a text file holds the names of the columns.
    pub header: HeaderRow,
    /// Whether numbers of a text file have decimal commas, as in `1,5`, and no points; cells then
    /// have semicolons or tabs between them.
    pub decimal_comma: bool,
    /// Names of coordinates. Where the header of a text file has each of them once, columns without
    /// another use are left out, which a note says; else, and where there are none, this has no
    /// effect. The coordinates keep the order of the file.
    pub coordinates: Vec<String>,
    /// Columns that are no coordinates: names of the header, or numbers counted
    /// from 0.
    pub ignore: Vec<String>,
    /// The column that holds a class per row (a name, or a number counted from
    /// 0); it is no coordinate.
    pub label_column: Option<String>,
    /// Columns of numbers that are no coordinates, by which maps are colored (names, or numbers
    /// counted from 0). A missing value of theirs is kept as one, whatever [`Reading::missing`] says.
    pub color_columns: Vec<String>,
    /// The column that holds a name per row (a name, or a number counted from 0); it is no
    /// coordinate.
    pub name_column: Option<String>,
    /// The label in the label column that stands for an unknown class, which
    /// [`Labels::unknown`] is then. Its rows have a label, even where the word (`?`, say)
    /// stands for a missing value otherwise.
    pub unknown_label: Option<String>,
    /// Whether the label column is left out like an ignored one, so that rows may lack a label.
    pub without_labels: bool,
    /// What happens to missing values.
    pub missing: Missing,
    /// Further words and numbers that stand for missing values, such as `unknown` or `-999`, in any
    /// case of the letters A to Z; -999 is -999.0, too. In columns and arrays of labels words only:
    /// numbers are classes.
    pub missing_values: Vec<String>,
    /// Whether rows whose values are all 0 are left out; by cosine and correlation such rows have no
    /// distance to others.
    pub without_zero_rows: bool,
    /// Whether each column is shifted to mean 0 and divided by its standard
    /// deviation.
    pub standardize: bool,
    /// Height and width to which pictures of a folder are resized; default none:
    /// all must have the same size.
    pub size: Option<[usize; 2]>,
    /// The channels of the pictures of a folder.
    pub color: Color,
    /// How much memory the points may take.
    pub memory: MemoryLimit,
}

/// Whether the first row of a text file is a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum HeaderRow {
    /// It is when none of its cells is a number, and when its first cell is empty
    /// and the others count up from 0 or 1 (as pandas writes unnamed columns).
    #[default]
    Auto,
    /// It is.
    Yes,
    /// It is not: it holds data.
    No,
}

/// What happens to missing values: empty cells, `NA`, `N/A`, `NaN`, `null`,
/// `none`, `?` and `.`, in any case of letters; NaN in arrays; and [`Reading::missing_values`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Missing {
    /// The file is refused; the message names the first.
    #[default]
    Refuse,
    /// Rows with a missing value are left out.
    Drop,
    /// A missing value is replaced by the mean of the others in its column.
    Mean,
}

/// What a file of points holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The points, one per row.
    pub points: PointSet,
    /// The names of the coordinates, where the file has a header.
    pub columns: Option<Vec<String>>,
    /// The column of the file that each coordinate is, counted from 0.
    pub numbers: Vec<usize>,
    /// The shape of the pictures, where rows are pictures (a folder of pictures,
    /// an array of three or four dimensions).
    pub images: Option<ImageShape>,
    /// The pixels that `images` describes, where these are not `points`.
    pub pixels: Option<PointSet>,
    /// The classes of the label column, or those of the sub-folders of pictures.
    pub labels: Option<Labels>,
    /// The numbers of the color columns.
    pub quantities: Vec<Quantity>,
    /// The names of the name column.
    pub row_names: Option<RowNames>,
    /// Which rows of the file the points are, where some were left out.
    pub kept: Option<Vec<u32>>,
    /// The rows of the file.
    pub rows: usize,
    /// How the columns were standardized, where they were.
    pub scaling: Option<Scaling>,
    /// What was done beyond plain reading, in sentences.
    pub notes: Vec<String>,
    /// What looks like a mistake, with the option that helps, in sentences.
    pub warnings: Vec<String>,
}

impl Reading {
    /// Whether an option names columns that are no coordinates.
    pub(super) fn names_columns(&self) -> bool {
        let Self { ignore, label_column, color_columns, name_column, .. } = self;
        !ignore.is_empty() || label_column.is_some() || !color_columns.is_empty() || name_column.is_some()
    }

    /// Reads points by extension, or the pictures of a folder. An array of an
    /// archive is named behind a colon: `data.npz:X`.
    ///
    /// Fails on a malformed file, an unknown column, and on missing values that
    /// are refused, naming the place.
    pub fn read(&self, path: &Path) -> Result<Table, Error> {
        if path.is_dir() {
            let Self { size, color, memory, .. } = *self;
            return self.pictures(PictureFolder { size, color, memory }.read_named(path)?, path);
        }
        let (file, member) = npz::split(path);
        let recognized = |error| unsupported_formats::recognized(error, &file);
        let raw = match Format::of(&file)? {
            Format::Npy => self.array(npy::read(path, self.memory).map_err(recognized)?, path)?,
            Format::Npz => match sparse::read(path, self.memory).map_err(recognized)? {
                Some(points) => return self.filled(points, path),
                None => self.array(npz::read(&file, member.as_deref(), self.memory)?, path)?,
            },
            Format::Idx => self.array(idx::read(path, self.memory).map_err(recognized)?, path)?,
            Format::Mtx => return self.matrix(&Encoding::Utf8.text(path, self.memory)?, path),
            Format::Text { delimiter } => {
                csv_file::read(&self.encoding.text(path, self.memory)?, path, delimiter, self)?
            }
        };
        self.finish(raw, path)
    }

    /// Reads points from bytes, such as those of standard input. The first bytes
    /// tell the format: `.npy`, `.npz`, IDX, Matrix Market, else text; any of the
    /// last three may be packed by gzip. `name` stands for the path in messages.
    pub fn read_bytes(&self, bytes: Vec<u8>, name: &str) -> Result<Table, Error> {
        let path = Path::new(name);
        let bytes = unpacked(bytes, path, self.memory)?;
        let length = bytes.len() as u64;
        let raw = match Format::of_bytes(&bytes, path)? {
            Format::Npy => self.array(npy::read_from(&mut &bytes[..], length, path, self.memory)?, path)?,
            Format::Npz => {
                let archive = &mut std::io::Cursor::new(&bytes[..]);
                match npz::read_sparse(archive, path, self.memory)? {
                    Some(points) => return self.filled(points, path),
                    None => self.array(npz::read_from(archive, path, None, self.memory)?, path)?,
                }
            }
            Format::Idx => self.array(idx::read_bytes(&bytes, path, self.memory)?, path)?,
            Format::Mtx => return self.matrix(&Encoding::Utf8.decode(bytes, path, self.memory)?, path),
            Format::Text { delimiter } => {
                csv_file::read(&self.encoding.decode(bytes, path, self.memory)?, path, delimiter, self)?
            }
        };
        self.finish(raw, path)
    }

    /// Reads the pictures of the rows of `table` from a folder, in alphabetical
    /// order, one for each row that its file has. The points stay what they are.
    pub fn illustrate(&self, table: &mut Table, folder: &Path) -> Result<(), Error> {
        let Self { size, color, memory, .. } = *self;
        let set = PictureFolder { size, color, memory }.read(folder)?;
        let (rows, got) = (table.rows, set.points.len());
        if got != rows {
            let problem =
                format!("there must be one picture for each of the {rows} rows, but there are {got}");
            return Err(Error::file(folder.display(), problem));
        }
        table.images = set.images;
        table.pixels = Some(match &table.kept {
            Some(kept) => set.points.view().select(kept),
            None => set.points,
        });
        Ok(())
    }

    fn array(&self, mut raw: Raw, path: &Path) -> Result<Raw, Error> {
        let fail = |problem: String| Error::file(path.display(), problem);
        let words = [&self.label_column, &self.name_column].into_iter().flatten().count() * raw.rows();
        if words > 0 {
            let needed = 8 * raw.values.len() as u64 + csv_file::WORD * words as u64;
            allow(self.memory, path, "holding classes and names", needed, "allow more memory")?;
        }
        raw.choose(self).map_err(fail)?;
        let missing = self.missing_in_arrays();
        if missing.is_empty() {
            return Ok(raw);
        }
        let found = |value: &f64| missing.contains(value);
        if self.missing != Missing::Refuse {
            raw.values.iter_mut().filter(|value| found(value)).for_each(|value| *value = f64::NAN);
        } else if let Some(at) = raw.values.iter().position(found) {
            let (row, column) = (at / raw.width, at % raw.width);
            return Err(fail(not_finite(row, raw.sources[column], None, raw.values[at])));
        }
        Ok(raw)
    }

    /// The rows of a Matrix Market file.
    fn matrix(&self, text: &str, path: &Path) -> Result<Table, Error> {
        let (raw, entries) = mtx::read(text, path, self.memory)?;
        let (rows, columns) = (raw.rows(), raw.width);
        let mut table = self.finish(self.array(raw, path)?, path)?;
        table.notes.extend(entries.map(|entries| sparse::filled_note(rows, columns, entries)));
        Ok(table)
    }

    /// Sparse points with their zeros.
    fn filled(&self, points: SparsePointSet, path: &Path) -> Result<Table, Error> {
        let view = points.view();
        let dense = view.dense(self.memory).map_err(|error| named(error, path))?;
        let raw = Raw::new(dense.into_values(), view.dim());
        let mut table = self.finish(self.array(raw, path)?, path)?;
        table.notes.push(sparse::filled_note(view.len(), view.dim(), view.entries()));
        Ok(table)
    }

    fn pictures(&self, (set, names): (Dataset, RowNames), path: &Path) -> Result<Table, Error> {
        let (width, images) = (set.points.dim(), set.images);
        let raw = Raw { images, ..Raw::new(set.points.into_values(), width) };
        if let Some(column) = self.name_column.as_ref().filter(|column| *column != pictures::NAME) {
            let problem = format!(
                "pictures have the names of their files, so that --name-column must be `{}`, but is `{column}`",
                pictures::NAME
            );
            return Err(Error::file(path.display(), problem));
        }
        let mut raw = Self { name_column: None, ..self.clone() }.array(raw, path)?;
        raw.row_names = self.name_column.as_ref().map(|_| names);
        if raw.labels.is_none() {
            let word = |labels: &Labels, value: &u32| labels.classes[*value as usize].clone();
            let words = |labels: &Labels| labels.values.iter().map(|value| word(labels, value)).collect();
            raw.labels = set.labels.first().map(|labels| (labels.name.clone(), words(labels)));
        }
        self.finish(raw, path)
    }

    /// Checks, completes and standardizes the numbers of a file.
    fn finish(&self, mut raw: Raw, path: &Path) -> Result<Table, Error> {
        let fail = |problem: String| Error::file(path.display(), problem);
        let (rows, width) = (raw.rows(), raw.width);
        let unreadable =
            |value: &f64| value.is_infinite() || value.is_nan() && self.missing == Missing::Refuse;
        if let Some(at) = raw.values.iter().position(unreadable) {
            let (row, column) = (at / width, at % width);
            let name = raw.names.as_ref().map(|names| names[column].as_str());
            return Err(fail(not_finite(row, raw.sources[column], name, raw.values[at])));
        }
        let (kept, settled) = missing::resolve_missing(&mut raw, self).map_err(fail)?;
        let notes = raw.notes.drain(..).chain(settled).collect();
        let mut warnings = std::mem::take(&mut raw.warnings);
        warnings.extend(no_coordinates(&raw));
        let mut labels = raw.labels.map(|(name, words)| worded(&name, words)).transpose().map_err(fail)?;
        if let (Some(labels), Some(unknown)) = (&mut labels, &self.unknown_label) {
            labels.mark_unknown(unknown);
        }
        let mut points = PointSet::new(raw.values, width)?;
        let (mut pixels, mut scaling) = (None, None);
        if self.standardize {
            let found = Scaling::of(points.view());
            let scaled = found.apply(points.view())?;
            pixels = raw.images.map(|_| std::mem::replace(&mut points, scaled.clone()));
            points = scaled;
            scaling = Some(found);
        }
        let Raw { names: columns, sources: numbers, images, quantities, row_names, .. } = raw;
        Ok(Table {
            points,
            columns,
            numbers,
            images,
            pixels,
            labels,
            quantities,
            row_names,
            kept,
            rows,
            scaling,
            notes,
            warnings,
        })
    }
}

impl Table {
    /// The rows of the file that were left out, counted from 0.
    pub fn left_out(&self) -> Vec<u32> {
        self.kept.as_ref().map_or_else(Vec::new, |kept| missing::left_out(kept, self.rows))
    }

    /// `n` rows, drawn with a seed and stratified by the labels, in an order of which every
    /// range is stratified; all rows in their own order. Fails when n is 0 or exceeds the
    /// number of rows.
    pub fn sample_rows(&self, n: usize, seed: u64) -> Result<Vec<u32>, Error> {
        drawn(self.points.len(), self.labels.as_ref(), n, seed, "these rows")
    }

    /// A data set of this name, without truth.
    pub fn into_dataset(self, name: impl Into<String>, notes: impl Into<String>) -> Dataset {
        Dataset {
            column_names: self.columns.unwrap_or_default(),
            labels: self.labels.into_iter().collect(),
            quantities: self.quantities,
            row_names: self.row_names,
            images: self.images,
            pixels: self.pixels,
            notes: notes.into(),
            ..Dataset::new(name, self.points)
        }
    }
}

/// The bytes of a file.
pub(super) fn bytes(path: &Path, memory: MemoryLimit) -> Result<Vec<u8>, Error> {
    let fail = |error: std::io::Error| Error::file(path.display(), reason(&error));
    let length = fs::metadata(path).map_err(fail)?.len();
    allow(memory, path, "reading the file", length, "allow more memory, or save the numbers as .npy")?;
    fs::read(path).map_err(fail)
}
