//! `--unknown-label`.

use clap::Args;

/// The label of rows whose class is unknown.
#[derive(Args, Clone, Debug, Default)]
#[group(skip)]
pub(in crate::cli) struct UnknownLabel {
    /// The label that stands for an unknown class: supervised methods read it as one, measures of
    /// classes leave its rows out, and pictures show them gray
    #[arg(long, value_name = "LABEL", allow_hyphen_values = true, requires = "input")]
    pub(in crate::cli) unknown_label: Option<String>,
}
