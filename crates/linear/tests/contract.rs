//! What every method promises, asked of the linear methods.

use embedding::DynMethod;
use linear::{KernelPca, Pca, RandomProjection};
use testkit::{
    Contract, Most, Response, Seeds, Setup, Training, TransformContract, holds, places_new_points,
};

fn pca(setup: Setup) -> Box<dyn DynMethod> {
    Box::new(Pca { dim: setup.dim, ..Pca::default() })
}

fn pca_contract() -> Contract {
    Contract {
        most: Most::Columns,
        tolerance: 1e-8,
        ..Contract::global("pca", &["components", "projection"], Response::Scaled, pca)
    }
}
holds!(pca_contract, pca_contract());
places_new_points!(new_points_by_pca, TransformContract::new("pca", pca));

fn kernel_pca(setup: Setup) -> Box<dyn DynMethod> {
    Box::new(KernelPca { dim: setup.dim, ..KernelPca::default() })
}
holds!(
    kernel_pca_contract,
    Contract::global("kernel-pca", &["kernel", "eigenvectors"], Response::Same, kernel_pca)
);
places_new_points!(new_points_by_kernel_pca, TransformContract::new("kernel-pca", kernel_pca));

fn random_projection(setup: Setup) -> Box<dyn DynMethod> {
    Box::new(RandomProjection { dim: setup.dim, seed: setup.seed, ..RandomProjection::default() })
}

fn random_projection_contract() -> Contract {
    Contract {
        most: Most::Other,
        rotation: Response::Unspecified,
        seeds: Seeds::Matter,
        ..Contract::global("random-projection", &["projection"], Response::Scaled, random_projection)
    }
}
holds!(random_projection_contract, random_projection_contract());
places_new_points!(
    new_points_by_random_projection,
    TransformContract {
        training: Training::Reproduces { tolerance: 1e-14 },
        ..TransformContract::new("random-projection", random_projection)
    }
);
