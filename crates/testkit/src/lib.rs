//! The contract every method must satisfy.
//!
//! A method's tests describe it once, in a [`Contract`] (and a
//! [`TransformContract`] where it places new points), and [`holds!`] turns every
//! promise into a test of its own:
//!
//! ```no_run
//! use testkit::{Contract, Response, Setup};
//! # fn isomap(_: Setup) -> Box<dyn embedding::DynMethod> { unimplemented!() }
//!
//! fn contract() -> Contract {
//!     Contract::graph("isomap", &["neighbors", "geodesics", "eigenvectors"], Response::Scaled, isomap)
//! }
//! testkit::holds!(isomap_contract, contract());
//! ```

mod attempt;
pub mod cases;
mod checks;
mod contract;
mod damage;
pub mod groups;
pub mod layouts;
pub mod memory;
pub mod observers;
pub mod odd;
mod random;
pub mod saved;
pub mod structure;
mod threads;
mod transform;
mod usage;

pub use contract::{Contract, Kind, Most, Response, Seeds, Setup};
pub use damage::refuses_damage;
pub use random::Random;
pub use serde_json::json;
pub use threads::on_threads;
pub use transform::{LeftOut, Training, TransformContract};

/// One test per promise of a [`Contract`], in a module of the given name.
#[macro_export]
macro_rules! holds {
    ($module:ident, $contract:expr) => {
        mod $module {
            #[allow(unused_imports)]
            use super::*;
            $crate::holds!(@ $contract;
                embeds_plain_data
                survives_few_points
                refuses_impossible_parameters
                survives_extreme_shapes
                survives_constant_points
                survives_collinear_points
                survives_duplicates
                embeds_copies_once
                treats_duplicates_as_requested
                survives_ties
                answers_translation
                answers_rotation
                answers_permutation
                answers_scaling
                keeps_component_policies
                reads_distances_as_points
                survives_strange_distances
                takes_given_neighbor_lists
                gives_the_same_bytes_on_any_number_of_threads
                treats_seeds_as_promised
                tells_its_observer_everything
                cancels_promptly
                stops_early_with_a_valid_result
            );
        }
    };
    (@ $contract:expr; $($check:ident)*) => {
        $(
            #[test]
            fn $check() {
                $contract.$check();
            }
        )*
    };
}

/// One test per promise of a [`TransformContract`], in a module of the given
/// name.
#[macro_export]
macro_rules! places_new_points {
    ($module:ident, $contract:expr) => {
        mod $module {
            #[allow(unused_imports)]
            use super::*;
            $crate::holds!(@ $contract;
                places_each_row_by_itself
                places_training_rows_as_promised
                places_points_near_their_neighbors
                leaves_training_rows_out
                refuses_another_width
                places_points_by_their_distances
                survives_strange_points
            );
        }
    };
}
