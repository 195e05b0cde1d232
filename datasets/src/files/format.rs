//! The formats of files, by their names or first bytes.

use std::path::Path;

use embedding::Error;

use super::{mtx, unsupported_formats};

/// The file formats.
pub(super) enum Format {
    Npy,
    Npz,
    Idx,
    Mtx,
    Text {
        delimiter: Option<u8>,
    },
    JsonLines,
    /// Distances in text, of PHYLIP or Orange.
    Distances,
    #[cfg(feature = "parquet")]
    Parquet,
    #[cfg(feature = "parquet")]
    Arrow,
    #[cfg(feature = "xlsx")]
    Spreadsheet,
}

/// The extension of a name in lower case, without `.gz`.
pub(super) fn extension(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let unpacked = name.strip_suffix(".gz").unwrap_or(&name);
    unpacked.rsplit_once('.').map(|(_, extension)| extension.to_owned()).unwrap_or_default()
}

impl Format {
    pub(super) fn of(path: &Path) -> Result<Self, Error> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let unpacked = name.strip_suffix(".gz").unwrap_or(&name);
        let is_idx = ["-ubyte", "-byte", "-short", "-int", "-float", "-double", ".idx"]
            .iter()
            .any(|end| unpacked.ends_with(end));
        let extension = unpacked.rsplit_once('.').map(|(_, extension)| extension);
        match extension {
            _ if is_idx => Ok(Self::Idx),
            Some("csv" | "txt" | "dat" | "data") => Ok(Self::Text { delimiter: None }),
            Some("tsv" | "tab") => Ok(Self::Text { delimiter: Some(b'\t') }),
            Some("phy" | "phylip" | "dist" | "dst") => Ok(Self::Distances),
            #[cfg(feature = "parquet")]
            Some("parquet" | "pq") if unpacked == name => Ok(Self::Parquet),
            #[cfg(feature = "parquet")]
            Some("arrow" | "feather" | "arrows" | "ipc") if unpacked == name => Ok(Self::Arrow),
            #[cfg(feature = "xlsx")]
            Some("xlsx" | "xlsm" | "xlsb" | "xls" | "ods") if unpacked == name => Ok(Self::Spreadsheet),
            Some("jsonl" | "ndjson") => Ok(Self::JsonLines),
            Some("mtx") => Ok(Self::Mtx),
            Some("npy") if unpacked == name => Ok(Self::Npy),
            Some("npz") if unpacked == name => Ok(Self::Npz),
            _ => Err(Error::file(
                path.display(),
                extension.and_then(unsupported_formats::of_extension).unwrap_or("the name must end in .csv, .tsv, .tab, .txt, .dat, .data or .jsonl (each with .gz or without), .npy, .npz or .mtx, or the path must name an IDX file (as …-idx3-ubyte, .idx, either with .gz) or a folder of PNG or JPEG pictures"),
            )),
        }
    }

    /// The format of a file that is written.
    pub(super) fn of_output(path: &Path) -> Result<Self, Error> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        if unsupported_formats::of_extension(&extension).is_some() {
            return Err(unwritten(path));
        }
        match Self::of(path)? {
            Self::JsonLines | Self::Distances => Err(unwritten(path)),
            Self::Text { .. } if !is_written(path) => Err(unwritten(path)),
            format @ (Self::Npy | Self::Npz | Self::Idx | Self::Mtx | Self::Text { .. }) => Ok(format),
            #[cfg(any(feature = "parquet", feature = "xlsx"))]
            _ => Err(unwritten(path)),
        }
    }

    /// The format of bytes without a name: binary formats by their first bytes, JSON lines by the objects on
    /// the first two lines, everything else is text. Fails for the first bytes of a format that is not read.
    pub(super) fn of_bytes(bytes: &[u8], path: &Path) -> Result<Self, Error> {
        if unsupported_formats::is_json_lines(bytes) {
            return Ok(Self::JsonLines);
        }
        #[cfg(feature = "parquet")]
        if bytes.starts_with(b"PAR1") {
            return Ok(Self::Parquet);
        }
        #[cfg(feature = "parquet")]
        if bytes.starts_with(super::arrow_file::MAGIC) {
            return Ok(Self::Arrow);
        }
        #[cfg(feature = "xlsx")]
        if unsupported_formats::is_workbook(bytes) {
            return Ok(Self::Spreadsheet);
        }
        if let Some(problem) = unsupported_formats::of_bytes(bytes) {
            return Err(Error::file(path.display(), problem));
        }
        Ok(match bytes {
            [0x93, b'N', b'U', b'M', b'P', b'Y', ..] => Self::Npy,
            [b'P', b'K', 3 | 5, 4 | 6, ..] => Self::Npz,
            [0, 0, 0x08..=0x0e, 1..=8, ..] => Self::Idx,
            _ if bytes.starts_with(mtx::BANNER) => Self::Mtx,
            _ => Self::Text { delimiter: None },
        })
    }
}

/// Whether text is written under this name.
fn is_written(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let unpacked = name.strip_suffix(".gz").unwrap_or(&name);
    unpacked.ends_with(".csv") || unpacked.ends_with(".tsv")
}

pub(super) fn unwritten(path: &Path) -> Error {
    Error::file(
        path.display(),
        "this format is not written; choose a name that ends in .npy, .csv, .tsv, .csv.gz or .tsv.gz",
    )
}
