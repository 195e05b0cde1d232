//! What every embedder promises, asked of the linear methods.

use embedding::Model;
use embedding::Silent;
use linear::{KernelPca, Pca, RandomProjection};
use testkit::{
    Contract, Most, Response, Seeds, Setup, Training, TransformContract, holds, places_new_points,
};

fn pca() -> Contract {
    Contract {
        most: Most::Columns,
        tolerance: 1e-8,
        ..Contract::global("pca", &["components", "projection"], Response::Scaled, |setup| {
            Box::new(Pca { dim: setup.dim, ..Pca::default() })
        })
    }
}
holds!(pca_contract, pca());

fn kernel(setup: Setup<'_>) -> KernelPca {
    KernelPca { dim: setup.dim, ..KernelPca::default() }
}

fn kernel_pca() -> Contract {
    Contract::global("kernel-pca", &["kernel", "eigenvectors"], Response::Same, |setup| {
        Box::new(kernel(setup))
    })
}
holds!(kernel_pca_contract, kernel_pca());

fn random_projection() -> Contract {
    Contract {
        most: Most::Other,
        rotation: Response::Unspecified,
        seeds: Seeds::Matter,
        ..Contract::global("random-projection", &["projection"], Response::Scaled, |setup| {
            Box::new(RandomProjection { dim: setup.dim, seed: setup.seed, ..RandomProjection::default() })
        })
    }
}
holds!(random_projection_contract, random_projection());

fn placing_by_pca() -> TransformContract {
    TransformContract::new("pca", |setup, points| {
        let fitted = Pca { dim: setup.dim, ..Pca::default() }.fit(points, &Silent)?;
        let embedding = fitted.embedding().clone();
        Ok((Box::new(fitted), embedding))
    })
}
places_new_points!(new_points_by_pca, placing_by_pca());

fn placing_by_kernel_pca() -> TransformContract {
    TransformContract::new("kernel-pca", |setup, points| {
        let fitted = kernel(setup).fit(points, &Silent)?;
        let embedding = fitted.embedding().clone();
        Ok((Box::new(fitted), embedding))
    })
}
places_new_points!(new_points_by_kernel_pca, placing_by_kernel_pca());

fn placing_by_random_projection() -> TransformContract {
    TransformContract {
        training: Training::Reproduces { tolerance: 1e-14 },
        ..TransformContract::new("random-projection", |setup, points| {
            let recipe = RandomProjection { dim: setup.dim, seed: setup.seed, ..RandomProjection::default() };
            let fitted = recipe.fit(points, &Silent)?;
            let embedding = fitted.embedding().clone();
            Ok((Box::new(fitted), embedding))
        })
    }
}
places_new_points!(new_points_by_random_projection, placing_by_random_projection());
