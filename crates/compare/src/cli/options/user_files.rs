//! `--input`, `--labels` and `--images` of the commands that take several files.

use std::path::PathBuf;

use clap::Args;

use super::labels::UnknownLabel;
use super::values::file;

/// The user's own data sets.
#[derive(Args, Clone, Debug, Default)]
#[group(skip)]
pub(in crate::cli) struct UserFiles {
    /// Your own data, one point per row; several files are several data sets
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(in crate::cli) input: Vec<PathBuf>,
    /// A class per row; one file for each input
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "input", value_parser = file())]
    pub(in crate::cli) labels: Vec<PathBuf>,
    /// A picture per row, in alphabetical order; one folder for each input
    #[arg(long, value_name = "FOLDER", num_args = 1.., requires = "input")]
    pub(in crate::cli) images: Vec<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) unknown: UnknownLabel,
}

impl UserFiles {
    /// Whether an option describes inputs. The parser does not require an input next to `--datasets`
    /// or `--dataset`, which exclude inputs.
    pub(in crate::cli) fn describes_inputs(&self) -> bool {
        !self.labels.is_empty() || !self.images.is_empty() || self.unknown.unknown_label.is_some()
    }
}
