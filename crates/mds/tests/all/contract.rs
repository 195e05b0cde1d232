//! The contract of all methods, tested on multidimensional scaling.

use embedding::DynMethod;
use mds::{ClassicalMds, LandmarkMds, Landmarks, NonmetricMds, Sammon, Smacof};
use testkit::{
    Contract, LeftOut, Most, Response, Setup, Training, TransformContract, holds, places_new_points,
};

fn classical(setup: Setup) -> Box<dyn DynMethod> {
    Box::new(ClassicalMds { dim: setup.dim, ..ClassicalMds::default() })
}
holds!(
    classical_contract,
    Contract {
        // Euclidean distances in D columns have D positive eigenvalues.
        most: Most::Columns,
        ..Contract::global("classical-mds", &["eigenvectors"], Response::Scaled, classical)
    }
);
places_new_points!(
    new_points_by_classical,
    TransformContract::new("classical-mds", classical).with_left_out(LeftOut::Nothing)
);

fn landmark(setup: Setup) -> Box<dyn DynMethod> {
    let landmarks = Landmarks::MaxMin { count: 20 };
    Box::new(LandmarkMds { dim: setup.dim, landmarks, ..LandmarkMds::default() })
}
holds!(
    landmark_contract,
    Contract {
        most: Most::Columns,
        ..Contract::global(
            "landmark-mds",
            &["landmarks", "distances", "eigenvectors", "triangulation"],
            Response::Scaled,
            landmark
        )
    }
);
places_new_points!(
    new_points_by_landmark,
    TransformContract::new("landmark-mds", landmark).with_left_out(LeftOut::Nothing)
);

/// Contract and transform contract of an iterative method.
macro_rules! iterative {
    ($recipe:ident, $name:literal, $make:ident, $embeds:ident, $places:ident) => {
        fn $make(setup: Setup) -> Box<dyn DynMethod> {
            Box::new($recipe { dim: setup.dim, ..$recipe::default() })
        }
        holds!($embeds, Contract::global($name, &["start", "majorization"], Response::Scaled, $make));
        places_new_points!(
            $places,
            TransformContract { training: Training::Unspecified, ..TransformContract::new($name, $make) }
                .with_left_out(LeftOut::Place)
        );
    };
}

iterative!(Smacof, "smacof", smacof, smacof_contract, new_points_by_smacof);
iterative!(NonmetricMds, "nonmetric-mds", nonmetric, nonmetric_contract, new_points_by_nonmetric);
iterative!(Sammon, "sammon", sammon, sammon_contract, new_points_by_sammon);
