//! What every embedder promises, asked of multidimensional scaling.

use embedding::{Model, Silent};
use mds::{ClassicalMds, LandmarkMds, Landmarks, NonmetricMds, Sammon, Smacof};
use testkit::{Contract, Most, Response, Setup, Training, TransformContract, holds, places_new_points};

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

fn landmark(setup: Setup<'_>) -> LandmarkMds {
    LandmarkMds { dim: setup.dim, landmarks: Landmarks::MaxMin { count: 20 }, ..LandmarkMds::default() }
}
holds!(
    landmark_contract,
    Contract {
        most: Most::Columns,
        ..Contract::global(
            "landmark-mds",
            &["landmarks", "distances", "eigenvectors", "triangulation"],
            Response::Scaled,
            |setup| Box::new(landmark(setup))
        )
    }
);
places_new_points!(
    new_points_by_landmark,
    TransformContract::new("landmark-mds", |setup, points| {
        let fitted = landmark(setup).fit(points, &Silent)?;
        let embedding = fitted.embedding().clone();
        Ok((Box::new(fitted), embedding))
    })
);

/// Contract and transform contract of an iterative method.
macro_rules! iterative {
    ($recipe:ident, $name:literal, $make:ident, $embeds:ident, $places:ident) => {
        fn $make(setup: Setup<'_>) -> $recipe {
            $recipe { dim: setup.dim, ..$recipe::default() }
        }
        holds!(
            $embeds,
            Contract::global($name, &["start", "majorization"], Response::Scaled, |setup| Box::new($make(
                setup
            )))
        );
        places_new_points!(
            $places,
            TransformContract {
                training: Training::Unspecified,
                ..TransformContract::new($name, |setup, points| {
                    let fitted = $make(setup).fit(points, &Silent)?;
                    let embedding = fitted.embedding().clone();
                    Ok((Box::new(fitted), embedding))
                })
            }
        );
    };
}

iterative!(Smacof, "smacof", smacof, smacof_contract, new_points_by_smacof);
iterative!(NonmetricMds, "nonmetric-mds", nonmetric, nonmetric_contract, new_points_by_nonmetric);
iterative!(Sammon, "sammon", sammon, sammon_contract, new_points_by_sammon);
