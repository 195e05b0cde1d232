//! What every embedder promises, asked of the Isomap family.

use embedding::{Model, Silent};
use isomap::{ConformalIsomap, Isomap, LandmarkIsomap, Landmarks};
use neighbor_graph::Neighborhood;
use testkit::{Contract, Most, Response, Seeds, Setup, TransformContract, holds, places_new_points};

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

method!(ConformalIsomap, "c-isomap", FULL, Response::Same, conformal, conformal_embeds, conformal_places);
holds!(conformal_contract, conformal_embeds());
places_new_points!(new_points_by_conformal, conformal_places());

const LANDMARK: &[&str] = &["neighbors", "landmarks", "geodesics", "eigenvectors", "triangulation"];

method!(
    LandmarkIsomap,
    "landmark-isomap",
    LANDMARK,
    Response::Scaled,
    landmark,
    landmark_embeds,
    landmark_places
);
holds!(landmark_contract, landmark_embeds());
places_new_points!(new_points_by_landmark, landmark_places());

fn few(setup: Setup<'_>) -> LandmarkIsomap {
    LandmarkIsomap { landmarks: Landmarks::Random { count: 20, seed: setup.seed }, ..landmark(setup) }
}
// Which rows are drawn depends on their order.
holds!(
    few_landmarks_contract,
    Contract {
        make: |setup| Box::new(few(setup)),
        seeds: Seeds::Matter,
        most: Most::Other,
        permutation: Response::Unspecified,
        ..landmark_embeds()
    }
);
