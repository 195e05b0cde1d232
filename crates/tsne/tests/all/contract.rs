//! The contract of all methods, tested on t-SNE.

use embedding::DynMethod;
use testkit::{
    Contract, LeftOut, Most, Response, Seeds, Setup, Training, TransformContract, holds, places_new_points,
};
use tsne::{Schedule, Start, Tsne};

fn recipe(setup: Setup) -> Box<dyn DynMethod> {
    let schedule = Schedule { early_iterations: 60, iterations: 60, ..Schedule::default() };
    Box::new(Tsne {
        perplexity: setup.k as f64,
        dim: setup.dim,
        seed: setup.seed,
        start: Start::Random,
        schedule,
        ..Tsne::default()
    })
}

const STAGES: &[&str] = &["neighbors", "affinities", "start", "optimization"];

fn tsne() -> Contract {
    Contract {
        k: 12,
        most: Most::Other,
        // The map is a descent in many dimensions, which magnifies rounding
        // errors: another order or another frame is another map.
        translation: Response::Unspecified,
        rotation: Response::Unspecified,
        permutation: Response::Unspecified,
        seeds: Seeds::Matter,
        ..Contract::global("tsne", STAGES, Response::Unspecified, recipe)
    }
}
holds!(tsne_contract, tsne());

fn placing() -> TransformContract {
    TransformContract {
        training: Training::Unspecified,
        left_out: LeftOut::Place,
        continuity: 0.3,
        // As above: rounding errors of distances are magnified.
        by_distances: f64::INFINITY,
        ..TransformContract::new("tsne", |setup| {
            Box::new(Tsne { perplexity: 15.0, dim: setup.dim, ..Tsne::default() })
        })
    }
}
places_new_points!(new_points_by_tsne, placing());
