//! What every embedder promises, asked of the Isomap family.

use embedding::{Model, Silent};
use isomap::Isomap;
use neighbor_graph::Neighborhood;
use testkit::{Contract, Response, Setup, TransformContract, holds, places_new_points};

/// Recipe, contract and transform contract of one method.
macro_rules! method {
    ($recipe:ident, $name:literal, $stages:expr, $scaling:expr, $make:ident, $embeds:ident, $places:ident) => {
        fn $make(setup: Setup<'_>) -> $recipe {
            let neighborhood = Neighborhood::Nearest { k: setup.k };
            $recipe { neighborhood, dim: setup.dim, components: setup.components, ..$recipe::default() }
        }

        fn $embeds() -> Contract {
            Contract::graph($name, $stages, $scaling, |setup| Box::new($make(setup)))
        }

        fn $places() -> TransformContract {
            TransformContract::new($name, |setup, points| {
                let fitted = $make(setup).fit(points, &Silent)?;
                let embedding = fitted.embedding().clone();
                Ok((Box::new(fitted), embedding))
            })
        }
    };
}

const FULL: &[&str] = &["neighbors", "geodesics", "eigenvectors", "residual variance"];

method!(Isomap, "isomap", FULL, Response::Scaled, full, full_embeds, full_places);
holds!(full_contract, full_embeds());
places_new_points!(new_points_by_full, full_places());
