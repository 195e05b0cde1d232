//! `--measure-k`.

use clap::Args;

use super::values::whole;

/// The neighborhood size of the measures, whatever the methods have.
#[derive(Args, Clone, Copy, Debug, Default)]
#[group(skip)]
pub(in crate::cli) struct MeasureK {
    /// Neighborhood size of the measures, the same for every method and every --k; residual_variance
    /// computes geodesic distances in the graph of these neighbors [default: 10]
    #[arg(long, value_name = "K", value_parser = whole::<usize>)]
    pub(in crate::cli) measure_k: Option<usize>,
}

impl MeasureK {
    /// The given size, or 10.
    pub(in crate::cli) fn size(self) -> usize {
        self.measure_k.unwrap_or(10)
    }
}
