//! The contract of all methods, tested on the locally linear family.

use embedding::DynMethod;
use lle::{HessianLle, Lle, Ltsa, ModifiedLle};
use neighbor_graph::Neighborhood;
use testkit::{Contract, Most, Response, Setup, TransformContract, holds, places_new_points};

/// Recipe, contract and transform contract of one method.
macro_rules! method {
    ($recipe:ident, $name:literal, $stage:literal, $make:ident, $embeds:ident, $places:ident) => {
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
            Contract::graph($name, &["neighbors", $stage, "alignment", "eigenvectors"], Response::Same, $make)
        }

        fn $places() -> TransformContract {
            TransformContract::new($name, $make)
        }
    };
}

method!(Lle, "lle", "weights", standard, standard_embeds, standard_places);
holds!(standard_contract, standard_embeds());
places_new_points!(new_points_by_standard, standard_places());

method!(ModifiedLle, "modified-lle", "weights", modified, modified_embeds, modified_places);
// Its dimension is bounded by the number of neighbors.
holds!(modified_contract, Contract { most: Most::Other, ..modified_embeds() });
places_new_points!(new_points_by_modified, modified_places());

method!(Ltsa, "ltsa", "tangents", ltsa, ltsa_embeds, ltsa_places);
holds!(ltsa_contract, Contract { most: Most::Other, ..ltsa_embeds() });
places_new_points!(new_points_by_ltsa, ltsa_places());

method!(HessianLle, "hessian-lle", "hessians", hessian, hessian_embeds, hessian_places);
// Three dimensions need ten neighbors.
holds!(hessian_contract, Contract { most: Most::Other, k: 12, ..hessian_embeds() });
places_new_points!(new_points_by_hessian, hessian_places());
