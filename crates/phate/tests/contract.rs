//! The contract of all methods, tested on PHATE with and without landmarks.

use embedding::DynMethod;
use phate::{Landmarks, Neighborhood, Phate};
use testkit::{Contract, Most, Response, Setup, TransformContract, holds, places_new_points};

fn recipe(setup: Setup) -> Phate {
    Phate {
        neighborhood: Neighborhood::Nearest { k: setup.k },
        dim: setup.dim,
        components: setup.components,
        ..Phate::default()
    }
}

fn all(setup: Setup) -> Box<dyn DynMethod> {
    Box::new(recipe(setup))
}

fn landmarks(setup: Setup) -> Box<dyn DynMethod> {
    let landmarks = Landmarks::Random { count: 40, seed: setup.seed };
    Box::new(Phate { landmarks, ..recipe(setup) })
}

const STAGES: &[&str] =
    &["neighbors", "kernel", "affinities", "entropy", "diffusion", "potential", "start", "majorization"];

const STAGES_WITH_LANDMARKS: &[&str] = &[
    "neighbors",
    "kernel",
    "affinities",
    "landmarks",
    "entropy",
    "diffusion",
    "potential",
    "start",
    "majorization",
];

holds!(phate_contract, Contract::graph("phate", STAGES, Response::Same, all));

holds!(
    landmark_contract,
    Contract {
        most: Most::Other,
        // Another order is another sample.
        permutation: Response::Unspecified,
        seeds: testkit::Seeds::Matter,
        ..Contract::graph("phate", STAGES_WITH_LANDMARKS, Response::Same, landmarks)
    }
);

places_new_points!(new_points_by_all, TransformContract::new("phate", all));
places_new_points!(new_points_by_landmarks, TransformContract::new("phate", landmarks));
