//! Graphs with groups that single edges join: eigenvalues near rounding level.

use conformal_eigenmaps::{ConformalEigenmaps, MaximumVarianceUnfolding};
use embedding::{Error, Method, Model, PointSet};
use neighbor_graph::{Components, Neighborhood};

const NEIGHBORHOOD: Neighborhood = Neighborhood::Nearest { k: 5 };

/// The first rows of the digits.
fn digits(n: usize) -> Result<PointSet, Error> {
    let all = datasets::generate("digits", 1797, 0)?.points;
    PointSet::new(all.view().values()[..n * all.dim()].to_vec(), all.dim())
}

#[test]
fn conformal_eigenmaps_of_digits_with_bridges_converge() -> Result<(), Error> {
    let method = ConformalEigenmaps {
        neighborhood: NEIGHBORHOOD,
        components: Components::Bridge,
        ..ConformalEigenmaps::default()
    };
    for n in [300, 400] {
        let fitted = method.fit(&digits(n)?)?.into_single()?;
        assert_eq!(fitted.embedding().len(), n);
        assert!(fitted.basis().residuals().iter().all(|r| *r <= 1e-10), "{:?}", fitted.basis().residuals());
    }
    Ok(())
}

#[test]
fn unfoldings_of_digits_with_bridges_converge() -> Result<(), Error> {
    let method = MaximumVarianceUnfolding {
        neighborhood: NEIGHBORHOOD,
        components: Components::Bridge,
        ..MaximumVarianceUnfolding::default()
    };
    for n in [400, 500] {
        let fitted = method.fit(&digits(n)?)?.into_single()?;
        assert_eq!(fitted.embedding().len(), n);
        assert!(fitted.basis().residuals().iter().all(|r| *r <= 1e-10), "{:?}", fitted.basis().residuals());
    }
    Ok(())
}
