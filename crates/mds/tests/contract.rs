//! What every embedder promises, asked of multidimensional scaling.

use embedding::{Model, Silent};
use mds::ClassicalMds;
use testkit::{Contract, Most, Response, Setup, TransformContract, holds, places_new_points};

fn classical(setup: Setup<'_>) -> ClassicalMds {
    ClassicalMds { dim: setup.dim, ..ClassicalMds::default() }
}
holds!(
    classical_contract,
    Contract {
        // Euclidean distances in D columns have D positive eigenvalues.
        most: Most::Columns,
        ..Contract::global("classical-mds", &["eigenvectors"], Response::Scaled, |setup| Box::new(classical(
            setup
        )))
    }
);
places_new_points!(
    new_points_by_classical,
    TransformContract::new("classical-mds", |setup, points| {
        let fitted = classical(setup).fit(points, &Silent)?;
        let embedding = fitted.embedding().clone();
        Ok((Box::new(fitted), embedding))
    })
);
