//! `--metric`.

use clap::Args;
use embedding::Metric;
use embedding::implement::{Value, nearest_name};

/// The distance between points of the data.
#[derive(Args, Clone, Copy, Debug, Default)]
#[group(skip)]
pub(in crate::cli) struct MetricOption {
    /// The distance between points of the data: euclidean, cosine, correlation, manhattan, chebyshev,
    /// minkowski:P, hamming, jaccard or hellinger
    #[arg(long, value_name = "METRIC", value_parser = metric, default_value_t = Metric::Euclidean)]
    pub(in crate::cli) metric: Metric,
}

fn metric(text: &str) -> Result<Metric, String> {
    let plain = text.trim().to_lowercase();
    Metric::read(&plain).ok_or_else(|| {
        let near = nearest_name(&plain, Metric::names());
        let hint = near.map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default();
        format!("must be {}{hint}", Metric::SYNTAX)
    })
}
