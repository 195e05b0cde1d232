//! Reading and writing points: `.npy`, `.csv` and `.tsv` (also packed, `.csv.gz`), chosen by
//! extension; reading `.npz`, `.mtx`, folders of pictures, and IDX, named as MNIST's files are
//! (`…-ubyte`, `…-idx3-float.gz`) or `.idx`, `.idx.gz`.
//! The features `parquet` and `xlsx` read Parquet, Arrow and spreadsheets; [`Given`] says what a file of distances may be.
//! [`read_sparse`] reads matrices without their zeros, [`read_graph`] neighbor graphs,
//! [`read_new_neighbors`] the neighbors of new points.
//!
//! [`Reading`] holds the options: encoding, header, decimal commas, missing values, standardization, and the
//! columns to ignore and of labels, quantities and names.
//!
//! [`Suspicion::find`] finds probable mistakes in what was read.
//!
//! A reader answers every malformed file with [`Error::File`](embedding::Error::File):
//! the path, the place and what to try. A header that promises more than the
//! file can hold is refused before anything is allocated. A writer writes atomically: to a temporary file in
//! the folder of the target, which it then renames.

#[cfg(feature = "parquet")]
mod arrow_file;
mod atomic_write;
mod carried;
mod categories;
mod cell_errors;
mod cells;
mod classes;
mod columns;
mod csv_file;
mod dates;
mod dialect;
mod distances;
mod encoding;
mod ends;
mod errors;
mod format;
mod graph;
mod header;
mod hints;
pub(crate) mod idx;
mod json_lines;
mod label_file;
mod layout;
mod map_file;
mod missing;
mod mixed;
mod mtx;
mod npy;
mod npz;
mod npz_write;
mod number_format;
mod packed;
mod pairs;
#[cfg(feature = "parquet")]
mod parquet_file;
mod phylip;
mod pictures;
mod raw;
mod read;
mod reading;
mod resolve_missing;
mod rows;
mod scaling;
mod similarities;
mod sparse;
#[cfg(feature = "xlsx")]
mod spreadsheet;
mod suspicious;
mod table;
mod text_columns;
mod thousands;
mod transpose;
mod triangles;
mod unsupported_formats;
mod user_data;
mod vectors;
mod weights;
mod write;

pub use atomic_write::{WholeFiles, replace, write_whole};
pub use encoding::Encoding;
pub use graph::{GraphFile, read_graph, read_new_neighbors};
pub use map_file::{MapFile, check_map_output, map_columns};
pub use mixed::MixedRows;
pub use pictures::{Color, PictureFolder};
pub use reading::{Categories, DateOrder, Given, HeaderRow, Missing, Reading, Thousands};
pub use scaling::Scaling;
pub use sparse::{SparseTable, read_sparse};
pub use suspicious::Suspicion;
pub use table::Table;
pub use user_data::{read_dataset, read_labels, read_points};
pub use weights::ColumnWeights;
pub use write::{check_output, write_indices, write_points};
