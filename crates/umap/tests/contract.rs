//! What every method promises, asked of UMAP.

use embedding::DynMethod;
use testkit::{Contract, Most, Response, Seeds, Setup, TransformContract, holds, places_new_points};
use umap::{Neighborhood, Umap};

fn recipe(setup: Setup) -> Box<dyn DynMethod> {
    Box::new(Umap {
        neighborhood: Neighborhood::Nearest { k: setup.k },
        dim: setup.dim,
        seed: setup.seed,
        epochs: Some(60),
        ..Umap::default()
    })
}

const STAGES: &[&str] = &["neighbors", "memberships", "start", "optimization"];

fn umap() -> Contract {
    Contract {
        k: 12,
        most: Most::Other,
        // Sampling and rounding lead to other maps: another order or another frame is
        // another map.
        translation: Response::Unspecified,
        rotation: Response::Unspecified,
        permutation: Response::Unspecified,
        seeds: Seeds::Matter,
        ..Contract::global("umap", STAGES, Response::Unspecified, recipe)
    }
}
holds!(umap_contract, umap());

fn placing() -> TransformContract {
    TransformContract {
        continuity: 0.3,
        // As above: rounding errors of distances are magnified.
        by_distances: f64::INFINITY,
        ..TransformContract::new("umap", recipe)
    }
}
places_new_points!(new_points_by_umap, placing());
