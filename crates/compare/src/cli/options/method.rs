//! Options that set a parameter of every method that has it.

use clap::Args;
use embedding::implement::Value;
use neighbor_graph::Components;

use super::values::{seed, whole};

/// The neighborhood size of the reported graph where no `--k` is given.
pub(in crate::cli) const DEFAULT_K: usize = 10;

/// Parameters that many methods have.
#[derive(Args, Clone, Copy, Debug, Default)]
#[group(skip)]
pub(in crate::cli) struct MethodOptions {
    /// Neighborhood size of the methods that have one
    #[arg(long, value_name = "K", value_parser = whole::<usize>)]
    pub(in crate::cli) k: Option<usize>,
    #[command(flatten)]
    pub(in crate::cli) map: MapOptions,
}

/// The parameters among them that have one value in every command.
#[derive(Args, Clone, Copy, Debug, Default)]
#[group(skip)]
pub(in crate::cli) struct MapOptions {
    /// Output dimension
    #[arg(long, value_name = "D", value_parser = whole::<usize>)]
    pub(in crate::cli) dim: Option<usize>,
    /// What methods on a neighbor graph do if it is disconnected: reject, bridge, largest or
    /// per-component [default: reject; of `study`, bridge for isomap and lle]. Bridges are
    /// single edges: rings within a component can be flattened, which per-component draws by
    /// itself
    #[arg(long, value_name = "POLICY", value_parser = policy)]
    pub(in crate::cli) components: Option<Components>,
    /// Seed of all random choices [default: 0]
    #[arg(long, value_name = "S", value_parser = seed)]
    pub(in crate::cli) seed: Option<u64>,
}

fn policy(text: &str) -> Result<Components, String> {
    Components::read(text).ok_or_else(|| format!("must be {}", Components::SYNTAX))
}
