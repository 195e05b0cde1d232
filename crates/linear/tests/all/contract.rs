//! The contract of all methods, tested on the linear methods.

use embedding::DynMethod;
use linear::{Algorithm, FactorAnalysis, FastIca, KernelPca, Pca, RandomProjection, Rotation};
use testkit::{
    Contract, LeftOut, Most, Response, Seeds, Setup, Training, TransformContract, holds, places_new_points,
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
places_new_points!(new_points_by_pca, TransformContract::new("pca", pca).with_left_out(LeftOut::Nothing));

fn kernel_pca(setup: Setup) -> Box<dyn DynMethod> {
    Box::new(KernelPca { dim: setup.dim, ..KernelPca::default() })
}
holds!(
    kernel_pca_contract,
    Contract::global("kernel-pca", &["kernel", "eigenvectors"], Response::Same, kernel_pca)
);
places_new_points!(
    new_points_by_kernel_pca,
    TransformContract::new("kernel-pca", kernel_pca).with_left_out(LeftOut::Nothing)
);

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
        left_out: LeftOut::Nothing,
        ..TransformContract::new("random-projection", random_projection)
    }
);

fn factor_analysis(setup: Setup) -> Box<dyn DynMethod> {
    Box::new(FactorAnalysis { dim: setup.dim, ..FactorAnalysis::default() })
}

fn varimax(setup: Setup) -> Box<dyn DynMethod> {
    Box::new(FactorAnalysis { dim: setup.dim, rotation: Rotation::Varimax, ..FactorAnalysis::default() })
}

fn factor_contract(make: fn(Setup) -> Box<dyn DynMethod>) -> Contract {
    const STAGES: &[&str] = &["covariance", "likelihood", "scores"];
    Contract {
        most: Most::Columns,
        // Each column has noise of its own.
        rotation: Response::Unspecified,
        ..Contract::global("factor-analysis", STAGES, Response::Same, make)
    }
}
holds!(factor_analysis_contract, factor_contract(factor_analysis));
holds!(varimax_contract, factor_contract(varimax));
places_new_points!(
    new_points_by_factor_analysis,
    TransformContract::new("factor-analysis", factor_analysis).with_left_out(LeftOut::Nothing)
);

fn fast_ica(setup: Setup) -> Box<dyn DynMethod> {
    Box::new(FastIca { dim: setup.dim, seed: setup.seed, ..FastIca::default() })
}

fn deflation(setup: Setup) -> Box<dyn DynMethod> {
    Box::new(FastIca {
        dim: setup.dim,
        seed: setup.seed,
        algorithm: Algorithm::Deflation,
        ..FastIca::default()
    })
}

fn component_contract(make: fn(Setup) -> Box<dyn DynMethod>) -> Contract {
    const STAGES: &[&str] = &["whitening", "rotation"];
    Contract {
        most: Most::Columns,
        seeds: Seeds::Matter,
        ..Contract::global("fast-ica", STAGES, Response::Same, make)
    }
}
holds!(fast_ica_contract, component_contract(fast_ica));
holds!(deflation_contract, component_contract(deflation));
places_new_points!(
    new_points_by_fast_ica,
    TransformContract::new("fast-ica", fast_ica).with_left_out(LeftOut::Nothing)
);
