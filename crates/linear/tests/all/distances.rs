//! Kernel PCA of distances.

use embedding::{DistanceMatrix, Error, Method, Model, PointSet, Transform};
use linear::{Kernel, KernelPca, Pca};
use testkit::cases::{cloud, distances};
use testkit::structure::distance_gap;

fn recipe(kernel: Option<Kernel>) -> KernelPca {
    KernelPca { kernel, dim: 3, ..KernelPca::default() }
}

#[test]
fn distances_give_the_coordinates_of_the_points_and_place_new_ones_alike() -> Result<(), Error> {
    let (case, new) = (cloud(150, 4, 1), cloud(20, 4, 2));
    let values = distances(case.view(), case.view());
    let to_new = PointSet::new(distances(new.view(), case.view()), 150)?;
    for kernel in [None, Some(Kernel::Rbf { gamma: 0.3 }), Some(Kernel::Linear)] {
        let by_points = recipe(kernel).fit(case.view())?;
        let by_distances = recipe(kernel).fit(DistanceMatrix::new(&values, 150)?)?;
        let gap = distance_gap(by_points.embedding(), by_distances.embedding(), 1.0);
        assert!(gap < 1e-8, "{kernel:?}: {gap:e}");
        for (a, b) in by_points.eigenvalues().iter().zip(by_distances.eigenvalues()) {
            assert!((a - b).abs() < 1e-11 * a, "{kernel:?}");
        }
        let (a, b) = (by_points.transform(new.view())?, by_distances.transform(to_new.view())?);
        assert!(distance_gap(&a, &b, 1.0) < 1e-8, "{kernel:?}");
        assert!(by_points.pre_image(1.0, 1e-3).is_ok());
        let refused = by_distances.pre_image(1.0, 1e-3).err().map(|error| error.to_string());
        assert!(refused.is_some_and(|sentence| sentence.contains("points")));
    }
    Ok(())
}

/// With K = −½ S instead of the inner products it is classical scaling, that is PCA.
#[test]
fn the_linear_kernel_of_distances_is_pca() -> Result<(), Error> {
    let case = cloud(100, 5, 3);
    let values = distances(case.view(), case.view());
    let pca = Pca { dim: 3, ..Pca::default() }.fit(case.view())?;
    let fitted = recipe(Some(Kernel::Linear)).fit(DistanceMatrix::new(&values, 100)?)?;
    assert!(distance_gap(pca.embedding(), fitted.embedding(), 1.0) < 1e-8);
    Ok(())
}

#[test]
fn kernels_that_depend_on_the_origin_are_refused() -> Result<(), Error> {
    let values = distances(cloud(30, 2, 1).view(), cloud(30, 2, 1).view());
    for kernel in [Kernel::Cosine, Kernel::Polynomial { degree: 2, gamma: 1.0, offset: 1.0 }] {
        let refused = recipe(Some(kernel)).fit(DistanceMatrix::new(&values, 30)?).map(drop);
        let sentence = refused.map_err(|error| error.to_string());
        assert!(sentence.is_err_and(|s| s.contains("origin") && s.contains("rbf or linear")), "{kernel:?}");
    }
    Ok(())
}

/// Squared distances of points on a line have one positive and one negative eigenvalue.
#[test]
fn negative_eigenvalues_are_no_coordinates() -> Result<(), Error> {
    let line = PointSet::new((0..12).map(f64::from).collect(), 1)?;
    let squares: Vec<f64> = distances(line.view(), line.view()).iter().map(|d| d * d).collect();
    let fitted = recipe(Some(Kernel::Linear)).fit(DistanceMatrix::new(&squares, 12)?)?;
    assert!(fitted.eigenvalues()[0] > 0.0 && fitted.eigenvalues().iter().all(|v| *v >= 0.0));
    assert!(fitted.embedding().values().iter().all(|v| v.is_finite()));
    Ok(())
}
