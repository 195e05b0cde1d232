//! The contract of all methods, tested on UMAP and densMAP.

use embedding::DynMethod;
use testkit::{Contract, Most, Response, Seeds, Setup, TransformContract, holds, places_new_points};
use umap::{Densmap, Neighborhood, Umap};

fn short(setup: Setup) -> Umap {
    Umap {
        neighborhood: Neighborhood::Nearest { k: setup.k },
        dim: setup.dim,
        seed: setup.seed,
        epochs: Some(60),
        ..Umap::default()
    }
}

fn umap(setup: Setup) -> Box<dyn DynMethod> {
    Box::new(short(setup))
}

fn densmap(setup: Setup) -> Box<dyn DynMethod> {
    Box::new(Densmap { umap: short(setup), ..Densmap::default() })
}

const STAGES: &[&str] = &["neighbors", "memberships", "start", "optimization"];

fn contract(name: &'static str, make: fn(Setup) -> Box<dyn DynMethod>) -> Contract {
    Contract {
        k: 12,
        most: Most::Other,
        // Sampling and rounding lead to other maps: another order or another frame is
        // another map.
        translation: Response::Unspecified,
        rotation: Response::Unspecified,
        permutation: Response::Unspecified,
        seeds: Seeds::Matter,
        ..Contract::global(name, STAGES, Response::Unspecified, make)
    }
}
holds!(umap_contract, contract("umap", umap));
holds!(densmap_contract, contract("densmap", densmap));

fn placing(name: &'static str, make: fn(Setup) -> Box<dyn DynMethod>) -> TransformContract {
    TransformContract {
        continuity: 0.3,
        // As above: rounding errors of distances are magnified.
        by_distances: f64::INFINITY,
        ..TransformContract::new(name, make)
    }
}
places_new_points!(new_points_by_umap, placing("umap", umap));
places_new_points!(new_points_by_densmap, placing("densmap", densmap));
