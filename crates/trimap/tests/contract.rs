//! The contract of all methods, tested on TriMap.

use embedding::DynMethod;
use testkit::{Contract, LeftOut, Most, Response, Seeds, Setup, TransformContract, holds, places_new_points};
use trimap::{Descent, Trimap};

fn trimap(setup: Setup) -> Box<dyn DynMethod> {
    let descent = Descent { iterations: 100, switch: 60, ..Descent::default() };
    Box::new(Trimap { k: Some(setup.k), dim: setup.dim, seed: setup.seed, descent, ..Trimap::default() })
}

const STAGES: &[&str] = &["neighbors", "triplets", "start", "optimization"];

holds!(
    trimap_contract,
    Contract {
        k: 12,
        most: Most::Other,
        // Random triplets belong to row numbers, and the signs in the gains magnify rounding:
        // another order or another frame is another map.
        translation: Response::Unspecified,
        rotation: Response::Unspecified,
        permutation: Response::Unspecified,
        seeds: Seeds::Matter,
        ..Contract::global("trimap", STAGES, Response::Unspecified, trimap)
    }
);

places_new_points!(
    new_points,
    TransformContract {
        // As above: rounding errors of distances are magnified.
        by_distances: f64::INFINITY,
        left_out: LeftOut::Place,
        ..TransformContract::new("trimap", trimap)
    }
);
