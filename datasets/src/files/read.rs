//! Reading points in any format.

use std::path::Path;

use embedding::{Error, PointSet, SparsePointSet};

use super::classes::worded;
use super::columns::{choose_in_array, no_coordinates};
use super::encoding::Encoding;
use super::encoding::utf_8;
use super::errors::{allow, named};
use super::format::Format;
use super::missing::not_finite;
use super::packed::{bytes, unpacked};
use super::pictures::{self, PictureFolder};
use super::raw::Raw;
use super::reading::{Given, Missing, Reading, Thousands};
use super::resolve_missing::resolve_missing;
use super::scaling::Scaling;
use super::table::Table;
use super::{cells, csv_file, distances, idx, mtx, npy, npz, similarities, sparse, unsupported_formats};
use crate::{Dataset, Labels, RowNames};

impl Reading {
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
                self.text(&self.encoding.text(path, self.memory)?, path, delimiter)?
            }
            Format::Distances if self.given == Given::Points => {
                let problem = "the file holds distances, as its name says; give them as such (--set given=distances \
                               of embed, --given distances of measure)";
                return Err(Error::file(path.display(), problem));
            }
            Format::Distances => self.text(&self.encoding.text(path, self.memory)?, path, None)?,
            #[cfg(feature = "parquet")]
            Format::Parquet => self.parquet(bytes(path, self.memory)?, path)?,
            #[cfg(feature = "parquet")]
            Format::Arrow => self.arrow(&bytes(path, self.memory)?, path)?,
            #[cfg(feature = "xlsx")]
            Format::Spreadsheet => self.spreadsheet(bytes(&file, self.memory)?, member.as_deref(), path)?,
            Format::JsonLines => csv_file::read_json_lines(
                &utf_8(unpacked(bytes(path, self.memory)?, path, self.memory)?, path)?,
                path,
                self,
            )?,
        };
        self.finish(raw, path)
    }

    /// Reads points from bytes, such as standard input. The first bytes determine the format: `.npy`, `.npz`,
    /// IDX, Matrix Market, else text; any of the last three may be packed by gzip. `name` stands for the path
    /// in messages.
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
                self.text(&self.encoding.decode(bytes, path, self.memory)?, path, delimiter)?
            }
            Format::Distances => self.text(&self.encoding.decode(bytes, path, self.memory)?, path, None)?,
            #[cfg(feature = "parquet")]
            Format::Parquet => self.parquet(bytes, path)?,
            #[cfg(feature = "parquet")]
            Format::Arrow => self.arrow(&bytes, path)?,
            #[cfg(feature = "xlsx")]
            Format::Spreadsheet => self.spreadsheet(bytes, None, path)?,
            Format::JsonLines => csv_file::read_json_lines(&utf_8(bytes, path)?, path, self)?,
        };
        self.finish(raw, path)
    }

    /// Reads the pictures of the rows of `table` from a folder, in alphabetical
    /// order, one for each row that its file has. The points stay unchanged.
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

    #[cfg(feature = "parquet")]
    fn parquet(&self, content: Vec<u8>, path: &Path) -> Result<Raw, Error> {
        let (length, table) =
            (content.len() as u64, super::parquet_file::as_table(content, path, self.memory)?);
        csv_file::read_records(&table, path, self, self.memory.beside(length))
    }

    #[cfg(feature = "parquet")]
    fn arrow(&self, content: &[u8], path: &Path) -> Result<Raw, Error> {
        let lines = super::arrow_file::as_lines(content, path, self.memory)?;
        csv_file::read_json_lines(&lines, path, self)
    }

    #[cfg(feature = "xlsx")]
    fn spreadsheet(&self, content: Vec<u8>, sheet: Option<&str>, path: &Path) -> Result<Raw, Error> {
        let table = super::spreadsheet::as_table(content, sheet, path, self.memory)?;
        let reading = Self { decimal_comma: false, ..self.clone() };
        reading.text(&table, path, Some(b','))
    }

    /// Text is a table, or distances in another form.
    fn text(&self, text: &str, path: &Path, delimiter: Option<u8>) -> Result<Raw, Error> {
        if self.decimal_comma && self.thousands == Some(Thousands::Comma) {
            let problem = "commas cannot be decimal signs and stand between thousands, too; give --decimal-comma or \
                           --thousands comma";
            return Err(Error::file(path.display(), problem));
        }
        let found = if self.given == Given::Points { None } else { distances::read(text, path, self)? };
        let raw = match found {
            Some(raw) => raw,
            None => csv_file::read(text, path, delimiter, self).map_err(|error| self.of_form(error))?,
        };
        self.square(raw, path)
    }

    /// The error of a table, where it may be distances in a damaged form.
    fn of_form(&self, error: Error) -> Error {
        match error {
            Error::File { path, problem, advice, remedy } if self.given != Given::Points => {
                let problem = format!(
                    "the file is no square matrix, triangle, list of pairs or matrix of PHYLIP or Orange; as a table: {problem}"
                );
                Error::File { path, problem, advice, remedy }
            }
            other => other,
        }
    }

    /// Distances above the diagonal of a matrix, in one column, as the matrix.
    fn square(&self, raw: Raw, path: &Path) -> Result<Raw, Error> {
        if self.given != Given::Distances {
            return Ok(raw);
        }
        Ok(distances::of_condensed(&raw, path, self.memory)?.unwrap_or(raw))
    }

    fn array(&self, mut raw: Raw, path: &Path) -> Result<Raw, Error> {
        raw = self.square(raw, path)?;
        if self.transpose {
            let needed = 8 * raw.values.len() as u64;
            allow(
                self.memory.beside(needed),
                path,
                "exchanging rows and columns",
                needed,
                "allow more memory",
            )?;
            raw = raw.transposed();
        }
        let words = [&self.label_column, &self.name_column].into_iter().flatten().count() * raw.rows();
        if words > 0 {
            let needed = 8 * raw.values.len() as u64 + cells::WORD * words as u64;
            allow(self.memory, path, "holding classes and names", needed, "allow more memory")?;
        }
        choose_in_array(&mut raw, self).map_err(|problem| problem.in_file(path))?;
        let missing = self.missing_in_arrays();
        if missing.is_empty() {
            return Ok(raw);
        }
        let found = |value: &f64| missing.contains(value);
        if self.missing != Missing::Refuse {
            raw.values.iter_mut().filter(|value| found(value)).for_each(|value| *value = f64::NAN);
        } else if let Some(at) = raw.values.iter().position(found) {
            let (row, column) = (at / raw.width, at % raw.width);
            return Err(not_finite(row, raw.sources[column], None, raw.values[at]).in_file(path));
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
        if self.transpose {
            let problem =
                "every picture is a point, so that rows and columns are not exchanged; leave out --transpose";
            return Err(Error::file(path.display(), problem));
        }
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
            let (number, name) = raw.of_file(column);
            return Err(not_finite(row, number, name, raw.values[at]).in_file(path));
        }
        let (kept, settled) = resolve_missing(&mut raw, self).map_err(|problem| problem.in_file(path))?;
        let row_weights = self.row_weights(&mut raw).map_err(|error| error.in_file(path.display()))?;
        let weights = self.column_weights(&raw).map_err(|error| error.in_file(path.display()))?;
        let encoded = self.encoded(&mut raw, weights.as_deref(), path)?;
        let of_gaps = encoded.iter().flat_map(|(_, _, notes)| notes.clone());
        let converted = (self.given == Given::Similarities).then(|| similarities::NOTE.to_owned());
        let notes = raw.notes.drain(..).chain(settled).chain(of_gaps).chain(converted).collect();
        let mut warnings = std::mem::take(&mut raw.warnings);
        warnings.extend(if self.given == Given::Points { no_coordinates(&raw) } else { Vec::new() });
        let mut labels = raw.labels.map(|(name, words)| worded(&name, words)).transpose().map_err(fail)?;
        if let (Some(labels), Some(unknown)) = (&mut labels, &self.unknown_label) {
            labels.mark_unknown(unknown);
        }
        let (mut points, mixed) = match encoded {
            Some((points, columns, _)) => (points, Some(columns)),
            None => (PointSet::new(raw.values, width)?, None),
        };
        if self.given == Given::Similarities {
            points = similarities::to_distances(points).map_err(|problem| problem.in_file(path))?;
        }
        let own = (self.standardize && mixed.is_none()).then(|| Scaling::of(points.view()));
        let scaling = match (mixed.is_none(), weights) {
            (true, Some(weights)) => self.weighted(own, &weights),
            _ => own,
        };
        let mut pixels = None;
        if let Some(scaling) = &scaling {
            let scaled = scaling.apply(points.view())?;
            pixels = raw.images.map(|_| std::mem::replace(&mut points, scaled.clone()));
            points = scaled;
        }
        let Raw { names: columns, sources: numbers, images, quantities, row_names, carried, .. } = raw;
        Ok(Table {
            points,
            columns,
            numbers,
            images,
            pixels,
            labels,
            quantities,
            row_weights,
            row_names,
            carried,
            kept,
            rows,
            mixed,
            scaling,
            notes,
            warnings,
        })
    }
}
