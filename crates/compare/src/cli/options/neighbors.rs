//! `--neighbor-recall` and `--cut-shortcuts`.

use clap::Args;
use embedding::implement::Value;

use super::values::number;

/// How neighbors are searched.
#[derive(Args, Clone, Copy, Debug, Default)]
#[group(skip)]
pub(in crate::cli) struct NeighborSearch {
    /// Search the neighbors approximately until this fraction of them is right, measured on a
    /// sample; methods and measures read these lists. Methods with a search of their own have it
    /// as their parameter `recall`, unless --set gives another. Without it the search is exact, as
    /// it is for neighbors within a radius
    #[arg(long, value_name = "RECALL", value_parser = recall)]
    pub(in crate::cli) neighbor_recall: Option<f64>,
}

/// What is done with the neighbor graph before a fit.
#[derive(Args, Clone, Copy, Debug, Default)]
#[group(skip)]
pub(in crate::cli) struct GraphOptions {
    /// Remove shortcut edges: those that leave the tangent spaces of their ends, and
    /// without which the path between these is STRETCH times longer [default, without a
    /// number: 5]
    #[arg(long, value_name = "STRETCH", num_args = 0..=1, default_missing_value = "5", value_parser = stretch)]
    pub(in crate::cli) cut_shortcuts: Option<f64>,
}

/// A fraction of neighbors.
fn recall(text: &str) -> Result<f64, String> {
    let read = number(text)?;
    let is_fraction = read > 0.0 && read <= 1.0;
    is_fraction.then_some(read).ok_or_else(|| "must be a number above 0 and at most 1".to_owned())
}

fn stretch(text: &str) -> Result<f64, String> {
    let read = f64::read(text).filter(|stretch| *stretch > 1.0);
    read.ok_or_else(|| "must be a number above 1".to_owned())
}
