//! The contract of all methods, tested on the linear projections.

use embedding::DynMethod;
use linear_projections::{Lltsa, Lpp, Neighborhood, Npe};
use testkit::{Contract, LeftOut, Most, Response, Setup, TransformContract, holds, places_new_points};

fn lpp(setup: Setup) -> Box<dyn DynMethod> {
    let neighborhood = Neighborhood::Nearest { k: setup.k };
    Box::new(Lpp { neighborhood, dim: setup.dim, components: setup.components, ..Lpp::default() })
}

fn npe(setup: Setup) -> Box<dyn DynMethod> {
    let neighborhood = Neighborhood::Nearest { k: setup.k };
    Box::new(Npe { neighborhood, dim: setup.dim, components: setup.components, ..Npe::default() })
}

fn lltsa(setup: Setup) -> Box<dyn DynMethod> {
    let neighborhood = Neighborhood::Nearest { k: setup.k };
    Box::new(Lltsa { neighborhood, dim: setup.dim, components: setup.components, ..Lltsa::default() })
}

fn contract(
    name: &'static str,
    stages: &'static [&'static str],
    make: fn(Setup) -> Box<dyn DynMethod>,
) -> Contract {
    Contract { most: Most::Columns, ..Contract::graph(name, stages, Response::Same, make) }
}

holds!(lpp_contract, contract("lpp", &["neighbors", "affinities", "row space", "eigenvectors"], lpp));
places_new_points!(new_points_by_lpp, TransformContract::new("lpp", lpp).with_left_out(LeftOut::Nothing));

holds!(npe_contract, contract("npe", &["neighbors", "weights", "row space", "eigenvectors"], npe));
places_new_points!(new_points_by_npe, TransformContract::new("npe", npe).with_left_out(LeftOut::Nothing));

holds!(
    lltsa_contract,
    contract("lltsa", &["neighbors", "tangents", "alignment", "row space", "eigenvectors"], lltsa)
);
places_new_points!(
    new_points_by_lltsa,
    TransformContract::new("lltsa", lltsa).with_left_out(LeftOut::Nothing)
);
