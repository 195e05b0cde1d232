//! The contract of all methods, tested on the methods on graph Laplacians.

use embedding::DynMethod;
use laplacian::{DiffusionMaps, LaplacianEigenmaps};
use neighbor_graph::Neighborhood;
use testkit::{Contract, Response, Setup, TransformContract, holds, places_new_points};

fn eigenmaps(setup: Setup) -> Box<dyn DynMethod> {
    Box::new(LaplacianEigenmaps {
        neighborhood: Neighborhood::Nearest { k: setup.k },
        dim: setup.dim,
        components: setup.components,
        ..LaplacianEigenmaps::default()
    })
}

fn diffusion(setup: Setup) -> Box<dyn DynMethod> {
    Box::new(DiffusionMaps {
        neighborhood: Neighborhood::Nearest { k: setup.k },
        dim: setup.dim,
        components: setup.components,
        ..DiffusionMaps::default()
    })
}

const STAGES: &[&str] = &["neighbors", "affinities", "eigenvectors"];

holds!(
    laplacian_eigenmaps_contract,
    Contract::graph("laplacian-eigenmaps", STAGES, Response::Same, eigenmaps)
);
places_new_points!(
    new_points_by_laplacian_eigenmaps,
    TransformContract::new("laplacian-eigenmaps", eigenmaps)
);

holds!(diffusion_maps_contract, Contract::graph("diffusion-maps", STAGES, Response::Same, diffusion));
places_new_points!(new_points_by_diffusion_maps, TransformContract::new("diffusion-maps", diffusion));
