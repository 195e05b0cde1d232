//! What every embedder promises, asked of the methods on graph Laplacians.

use embedding::{Model, Silent};
use laplacian::{DiffusionMaps, LaplacianEigenmaps};
use neighbor_graph::Neighborhood;
use testkit::{Contract, Response, Setup, TransformContract, holds, places_new_points};

fn eigenmaps(setup: Setup<'_>) -> LaplacianEigenmaps {
    LaplacianEigenmaps {
        neighborhood: Neighborhood::Nearest { k: setup.k },
        dim: setup.dim,
        components: setup.components,
        ..LaplacianEigenmaps::default()
    }
}

fn diffusion(setup: Setup<'_>) -> DiffusionMaps {
    DiffusionMaps {
        neighborhood: Neighborhood::Nearest { k: setup.k },
        dim: setup.dim,
        components: setup.components,
        ..DiffusionMaps::default()
    }
}

const STAGES: &[&str] = &["neighbors", "affinities", "eigenvectors"];

fn laplacian_eigenmaps() -> Contract {
    Contract::graph("laplacian-eigenmaps", STAGES, Response::Same, |setup| Box::new(eigenmaps(setup)))
}
holds!(laplacian_eigenmaps_contract, laplacian_eigenmaps());

fn diffusion_maps() -> Contract {
    Contract::graph("diffusion-maps", STAGES, Response::Same, |setup| Box::new(diffusion(setup)))
}
holds!(diffusion_maps_contract, diffusion_maps());

fn placing_by_eigenmaps() -> TransformContract {
    TransformContract::new("laplacian-eigenmaps", |setup, points| {
        let fitted = eigenmaps(setup).fit(points, &Silent)?;
        let embedding = fitted.embedding().clone();
        Ok((Box::new(fitted), embedding))
    })
}
places_new_points!(new_points_by_laplacian_eigenmaps, placing_by_eigenmaps());

fn placing_by_diffusion() -> TransformContract {
    TransformContract::new("diffusion-maps", |setup, points| {
        let fitted = diffusion(setup).fit(points, &Silent)?;
        let embedding = fitted.embedding().clone();
        Ok((Box::new(fitted), embedding))
    })
}
places_new_points!(new_points_by_diffusion_maps, placing_by_diffusion());
