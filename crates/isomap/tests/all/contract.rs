//! The contract of all methods, tested on the Isomap family.

use embedding::DynMethod;
use isomap::{ConformalIsomap, Isomap, LandmarkIsomap, Landmarks};
use neighbor_graph::Neighborhood;
use testkit::{Contract, Most, Response, Seeds, Setup, TransformContract, holds, places_new_points};

/// Recipe, contract and transform contract of one method.
macro_rules! method {
    ($recipe:ident, $name:literal, $stages:expr, $scaling:expr, $make:ident, $embeds:ident, $places:ident) => {
        fn $make(setup: Setup) -> Box<dyn DynMethod> {
            let neighborhood = Neighborhood::Nearest { k: setup.k };
            Box::new($recipe {
                neighborhood,
                dim: setup.dim,
                components: setup.components,
                ..$recipe::default()
            })
        }

        fn $embeds() -> Contract {
            Contract::graph($name, $stages, $scaling, $make)
        }

        fn $places() -> TransformContract {
            TransformContract::new($name, $make)
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

fn few(setup: Setup) -> Box<dyn DynMethod> {
    Box::new(LandmarkIsomap {
        neighborhood: Neighborhood::Nearest { k: setup.k },
        dim: setup.dim,
        components: setup.components,
        landmarks: Landmarks::Random { count: 20, seed: setup.seed },
        ..LandmarkIsomap::default()
    })
}
// Which rows are drawn depends on their order.
holds!(
    few_landmarks_contract,
    Contract {
        make: few,
        seeds: Seeds::Matter,
        most: Most::Other,
        permutation: Response::Unspecified,
        ..landmark_embeds()
    }
);
