//! `--unrelated-rows`.

use clap::{Args, ValueEnum};

/// What becomes of rows that are related to no other row.
#[derive(Args, Clone, Copy, Debug, Default)]
#[group(skip)]
pub(in crate::cli) struct UnrelatedRows {
    /// Rows that have nothing in common with any other row by cosine, correlation, jaccard or hellinger, or no
    /// distance to it, as empty documents: leave them out, refuse the data, or keep them
    #[arg(long, value_name = "POLICY", value_enum, default_value_t)]
    pub(in crate::cli) unrelated_rows: Policy,
}

/// A policy for unrelated rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Policy {
    #[default]
    Keep,
    Drop,
    Refuse,
}
