//! The contract of all methods, tested on PaCMAP and LocalMAP.

use embedding::DynMethod;
use pacmap::{Localmap, Pacmap, Phases};
use testkit::{Contract, Most, Response, Seeds, Setup, TransformContract, holds, places_new_points};

fn short(setup: Setup) -> Pacmap {
    let mut phases = Phases::default();
    for phase in [&mut phases.first, &mut phases.second, &mut phases.third] {
        phase.iterations = 30;
    }
    Pacmap { k: Some(setup.k), dim: setup.dim, seed: setup.seed, phases, ..Pacmap::default() }
}

fn pacmap(setup: Setup) -> Box<dyn DynMethod> {
    Box::new(short(setup))
}

fn localmap(setup: Setup) -> Box<dyn DynMethod> {
    Box::new(Localmap { pacmap: short(setup), ..Localmap::default() })
}

const STAGES: &[&str] = &["neighbors", "pairs", "start", "optimization"];

fn contract(name: &'static str, make: fn(Setup) -> Box<dyn DynMethod>) -> Contract {
    Contract {
        k: 12,
        most: Most::Other,
        // Random pairs belong to row numbers, and steps of Adam magnify rounding: another
        // order or another frame is another map.
        translation: Response::Unspecified,
        rotation: Response::Unspecified,
        permutation: Response::Unspecified,
        seeds: Seeds::Matter,
        ..Contract::global(name, STAGES, Response::Unspecified, make)
    }
}
holds!(pacmap_contract, contract("pacmap", pacmap));
holds!(localmap_contract, contract("localmap", localmap));

fn placing(name: &'static str, make: fn(Setup) -> Box<dyn DynMethod>) -> TransformContract {
    TransformContract {
        // As above: rounding errors of distances are magnified.
        by_distances: f64::INFINITY,
        ..TransformContract::new(name, make)
    }
}
places_new_points!(new_points_by_pacmap, placing("pacmap", pacmap));
places_new_points!(new_points_by_localmap, placing("localmap", localmap));
