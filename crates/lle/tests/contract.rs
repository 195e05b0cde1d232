//! What every embedder and every transform of the workspace promises.
#![expect(clippy::unwrap_used, reason = "tests")]

use embedding::{Embedder, Silent};
use lle::{HessianLle, Lle, Ltsa, ModifiedLle};
use neighbor_graph::Neighborhood;
use testkit::{Contract, Most, Response, Setup};

fn near(setup: &Setup<'_>) -> Neighborhood {
    Neighborhood::Nearest { k: setup.k }
}
