//! Theorems about the linear methods.

use std::ops::ControlFlow;

use embedding::implement::fit_lowered;
use embedding::{
    DynMethod, Error, Input, MemoryLimit, Method, Model, Observer, PointSet, Points, Remedy, Transform,
};
use faer::{Mat, MatRef};
use linear::{Distribution, Kernel, KernelPca, Lda, Pca, RandomProjection};

/// n points in D dimensions from an additive recurrence; no generator involved.
fn cloud(n: usize, dim: usize) -> PointSet {
    let value = |i: usize, j: usize| {
        let step = (2.0 + j as f64).sqrt();
        let u = ((i + 1) as f64 * step).fract() - 0.5;
        u * (dim - j) as f64 + if j > 0 { 0.3 * ((i + 1) as f64 * 2f64.sqrt()).fract() } else { 0.0 }
    };
    PointSet::new((0..n * dim).map(|e| value(e / dim, e % dim)).collect(), dim).expect("finite")
}

fn largest_difference(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> f64 {
    assert_eq!((a.nrows(), a.ncols()), (b.nrows(), b.ncols()));
    (a - b).norm_max()
}

#[test]
fn pca_directions_diagonalize_the_covariance() -> Result<(), Error> {
    let points = cloud(300, 5);
    let fitted = Pca { dim: 5, ..Pca::default() }.fit(points.view())?;
    let y = fitted.embedding().coordinates();
    let covariance = y.transpose() * y;
    for a in 0..5 {
        for b in 0..5 {
            let expected = if a == b { 299.0 * fitted.explained_variance()[a] } else { 0.0 };
            assert!((covariance[(a, b)] - expected).abs() < 1e-10, "({a}, {b})");
        }
        assert!(y.col(a).iter().sum::<f64>().abs() < 1e-10, "column {a} is centered");
    }
    assert!(fitted.explained_variance().is_sorted_by(|a, b| a >= b));
    assert!((fitted.explained_variance_ratio().iter().sum::<f64>() - 1.0).abs() < 1e-12);
    Ok(())
}

#[test]
fn reconstruction_errors_equal_the_variance_of_the_omitted_components() -> Result<(), Error> {
    let points = cloud(200, 4);
    let x = points.view().as_mat().to_owned();
    let full = Pca { dim: 4, ..Pca::default() }.fit(points.view())?;
    let back = full.inverse_transform(full.embedding().coordinates())?;
    assert!(largest_difference(back.as_ref(), x.as_ref()) < 1e-12);
    let flat = Pca::default().fit(points.view())?;
    let back = flat.inverse_transform(flat.embedding().coordinates())?;
    let lost = (&back - &x).squared_norm_l2() / 199.0;
    let rest: f64 = full.explained_variance()[2..].iter().sum();
    assert!((lost - rest).abs() < 1e-12 * full.total_variance());
    assert!(lost > 0.01);
    Ok(())
}

#[test]
fn tall_and_wide_data_take_different_routes_to_the_same_directions() -> Result<(), Error> {
    // The same 40 points, once in 8 columns (scatter), once padded with zero
    // columns to 60 (Gram matrix).
    let narrow = cloud(40, 8);
    let wide: Vec<f64> = narrow
        .view()
        .rows()
        .flat_map(|row| row.iter().copied().chain(std::iter::repeat_n(0.0, 52)))
        .collect();
    let wide = PointSet::new(wide, 60)?;
    let a = Pca { dim: 3, ..Pca::default() }.fit(narrow.view())?;
    let b = Pca { dim: 3, ..Pca::default() }.fit(wide.view())?;
    assert!(largest_difference(a.embedding().coordinates(), b.embedding().coordinates()) < 1e-10);
    for (x, y) in a.explained_variance().iter().zip(b.explained_variance()) {
        assert!((x - y).abs() < 1e-12 * a.total_variance());
    }
    Ok(())
}

#[test]
fn rank_deficient_data_still_gives_orthonormal_directions() -> Result<(), Error> {
    let line: Vec<f64> = (0..6).flat_map(|i| (0..9).map(move |j| f64::from(i) * f64::from(j))).collect();
    let points = PointSet::new(line, 9)?;
    let fitted = Pca { dim: 4, ..Pca::default() }.fit(points.view())?;
    let v = fitted.directions();
    let identity = v.transpose() * v;
    assert!((identity - Mat::<f64>::identity(4, 4)).norm_max() < 1e-12);
    assert!(fitted.embedding().coordinates().col(1).norm_max() < 1e-6);
    Ok(())
}

#[test]
fn linear_kernel_pca_is_pca() -> Result<(), Error> {
    let points = cloud(150, 4);
    let pca = Pca { dim: 3, ..Pca::default() }.fit(points.view())?;
    let kernel = KernelPca { dim: 3, kernel: Some(Kernel::Linear), ..KernelPca::default() };
    let kernel = kernel.fit(points.view())?;
    for j in 0..3 {
        let (a, b) = (pca.embedding().coordinates().col(j), kernel.embedding().coordinates().col(j));
        let sign = if a[0] * b[0] < 0.0 { -1.0 } else { 1.0 };
        assert!((a - b * faer::Scale(sign)).norm_max() < 1e-9, "axis {j}");
        assert!((kernel.eigenvalues()[j] / 149.0 - pca.explained_variance()[j]).abs() < 1e-10);
    }
    Ok(())
}

#[test]
fn training_rows_are_transformed_to_their_own_coordinates() -> Result<(), Error> {
    let points = cloud(90, 5);
    let pca = Pca::default().fit(points.view())?;
    assert_eq!(pca.transform(points.view())?.coordinates(), pca.embedding().coordinates());
    let random = RandomProjection { dim: 3, distribution: Distribution::Sparse, seed: 5 };
    let random = random.fit(points.view())?;
    assert_eq!(random.transform(points.view())?.coordinates(), random.embedding().coordinates());
    for kernel in [
        Kernel::Rbf { gamma: 0.1 },
        Kernel::Polynomial { degree: 3, gamma: 0.2, offset: 1.0 },
        Kernel::Cosine,
        Kernel::Linear,
    ] {
        let fitted = KernelPca { kernel: Some(kernel), ..KernelPca::default() }.fit(points.view())?;
        let again = fitted.transform(points.view())?;
        let scale = fitted.embedding().coordinates().norm_max();
        assert!(
            largest_difference(again.coordinates(), fitted.embedding().coordinates()) < 1e-10 * scale,
            "{kernel:?}"
        );
    }
    Ok(())
}

#[test]
fn a_row_is_placed_the_same_alone_and_in_company() -> Result<(), Error> {
    let points = cloud(60, 5);
    let new = cloud(17, 5);
    let fitted = KernelPca::default().fit(points.view())?;
    let all = fitted.transform(new.view())?;
    let rows = [3, 16, 0];
    let some = fitted.transform(new.view().select(&rows).view())?;
    assert_eq!(some.coordinates(), embedding::implement::matrix::select_rows(all.coordinates(), &rows));
    Ok(())
}

#[test]
fn the_pre_image_of_training_coordinates_is_near_the_training_points() -> Result<(), Error> {
    let points = cloud(120, 2);
    let fitted = KernelPca { dim: 6, kernel: Some(Kernel::Rbf { gamma: 0.3 }), ..KernelPca::default() };
    let fitted = fitted.fit(points.view())?;
    let back = fitted.pre_image(1.0, 1e-3)?.points(fitted.embedding().coordinates())?;
    let error = (&back - points.view().as_mat()).norm_l2() / points.view().as_mat().norm_l2();
    assert!(error < 0.05, "relative error {error}");
    Ok(())
}

#[test]
fn discriminant_directions_whiten_the_scatter_within_classes() -> Result<(), Error> {
    let base = cloud(150, 4);
    let labels: Vec<u32> = (0..150).map(|i| [7, 2, 40][i % 3]).collect();
    let values = base.view().rows().zip(&labels).flat_map(|(row, &l)| {
        row.iter().enumerate().map(move |(j, x)| x + f64::from(l) * if j == 1 { 0.4 } else { 0.1 * j as f64 })
    });
    let points = PointSet::new(values.collect(), 4)?;
    let fitted = Lda::default().fit(Input::from(points.view()).with_labels(&labels))?;
    let y = fitted.embedding().coordinates();
    let mut within = Mat::<f64>::zeros(2, 2);
    for class in [2, 7, 40] {
        let rows: Vec<u32> = (0..150).filter(|&i| labels[i as usize] == class).collect();
        let own = embedding::implement::matrix::select_rows(y, &rows);
        let mean: Vec<f64> = (0..2).map(|j| own.col(j).iter().sum::<f64>() / rows.len() as f64).collect();
        let centered = Mat::from_fn(rows.len(), 2, |i, j| own[(i, j)] - mean[j]);
        within += centered.transpose() * &centered;
    }
    let identity = within * faer::Scale(1.0 / 147.0);
    assert!((identity - Mat::<f64>::identity(2, 2)).norm_max() < 1e-8);
    assert!((fitted.explained_variance_ratio().iter().sum::<f64>() - 1.0).abs() < 1e-12);
    Ok(())
}

#[test]
fn discriminant_analysis_does_not_see_an_invertible_linear_map() -> Result<(), Error> {
    let points = cloud(90, 3);
    let labels: Vec<u32> = (0..90).map(|i| if points.view().row(i)[0] > 0.2 { 1 } else { 0 }).collect();
    let mixed: Vec<f64> = points
        .view()
        .rows()
        .flat_map(|r| [2.0 * r[0] + r[1], r[1] - 3.0 * r[2], 0.5 * r[2] + r[0] + 9.0])
        .collect();
    let mixed = PointSet::new(mixed, 3)?;
    let recipe = Lda { dim: 1, ..Lda::default() };
    let a = recipe.fit(Input::from(points.view()).with_labels(&labels))?.embedding().coordinates().to_owned();
    let b = recipe.fit(Input::from(mixed.view()).with_labels(&labels))?.embedding().coordinates().to_owned();
    let sign = if a[(0, 0)] * b[(0, 0)] < 0.0 { -1.0 } else { 1.0 };
    assert!((&a - b * faer::Scale(sign)).norm_max() < 1e-9);
    Ok(())
}

/// With more columns than points another algorithm finds the same directions.
#[test]
fn discriminant_analysis_does_not_see_columns_of_zeros() -> Result<(), Error> {
    let points = cloud(30, 3);
    let labels: Vec<u32> = (0..30).map(|i| i % 3).collect();
    let padded = |row: &[f64]| row.iter().copied().chain(std::iter::repeat_n(0.0, 50)).collect::<Vec<_>>();
    let wide = PointSet::new(points.view().rows().flat_map(padded).collect(), 53)?;
    let a = Lda::default()
        .fit(Input::from(points.view()).with_labels(&labels))?
        .embedding()
        .coordinates()
        .to_owned();
    let b = Lda::default()
        .fit(Input::from(wide.view()).with_labels(&labels))?
        .embedding()
        .coordinates()
        .to_owned();
    assert!((&a - &b).norm_max() < 1e-9 * a.norm_max());
    Ok(())
}

/// Class means on a line span one dimension: the default of two is lowered, an explicit fit refuses it.
#[test]
fn a_dimension_that_the_class_means_do_not_span_is_refused_or_lowered() -> Result<(), Error> {
    let noise = cloud(90, 3);
    let labels: Vec<u32> = (0..90).map(|i| i % 3).collect();
    // Residuals without class means, so that the means are exact.
    let mut rows: Vec<Vec<f64>> = noise.view().rows().map(<[f64]>::to_vec).collect();
    for class in 0..3 {
        for j in 0..3 {
            let mean = rows.iter().skip(class).step_by(3).map(|row| row[j]).sum::<f64>() / 30.0;
            rows.iter_mut().skip(class).step_by(3).for_each(|row| row[j] += 10.0 * class as f64 - mean);
        }
    }
    let points = PointSet::new(rows.concat(), 3)?;
    let input = Input::from(&points).with_labels(&labels);
    let refused = Lda::default().fit(input).expect_err("the means are on a line");
    assert_eq!(refused.remedy(), Some(Remedy::Parameter("dim")));
    assert!(refused.to_string().contains("span 1 of the 2 dimensions"), "{refused}");
    let lowered = fit_lowered(&Lda::default(), &input);
    let note = lowered.note().expect("the dimension was lowered");
    assert!(note.starts_with("the target dimension was lowered to 1: the class means span"), "{note}");
    let one = Lda { dim: 1, ..Lda::default() }.fit(input)?;
    assert_eq!(lowered.fitted?.embedding(), one.embedding());
    // Two classes, and one column: the legal range is the reason.
    let two: Vec<u32> = (0..90).map(|i| i % 2).collect();
    let lowered = fit_lowered(&Lda::default(), &Input::from(&points).with_labels(&two));
    assert_eq!((lowered.fitted?.embedding().dim(), lowered.reason.is_some()), (1, true));
    let column = PointSet::new((0..20).map(|i| f64::from(i * i)).collect(), 1)?;
    let pca = Pca::default();
    assert!(pca.fit(&column).is_err());
    assert_eq!(fit_lowered(&pca, &Input::from(&column)).fitted?.embedding().dim(), 1);
    // What no dimension helps against is reported as without lowering.
    let lowered = fit_lowered(&Lda::default(), &Input::from(&points).with_labels(&[0; 90]));
    assert!(lowered.note().is_none() && lowered.fitted.is_err());
    let fits = fit_lowered(&Pca::default(), &Input::from(&points));
    assert!(fits.note().is_none() && fits.fitted?.embedding().dim() == 2);
    // A lowered fit reports its own lack of memory, and its own end.
    let input = Input::from(&column);
    let little = fit_lowered(&pca, &input.with_memory_limit(MemoryLimit::new(1)));
    assert!(little.reason.is_some() && matches!(little.fitted, Err(Error::Memory { .. })));
    let stopped = fit_lowered(&pca, &input.with_observer(&Stops));
    assert!(stopped.reason.is_some() && matches!(stopped.fitted, Err(Error::Cancelled)));
    Ok(())
}

/// Cancels at the first step.
struct Stops;

impl Observer for Stops {
    fn step(&self, _: usize, _: usize) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

#[test]
fn random_projection_keeps_lengths_on_average() -> Result<(), Error> {
    let points = cloud(30, 40);
    for distribution in [Distribution::Gaussian, Distribution::Sparse] {
        let recipe = RandomProjection { dim: 2000, distribution, seed: 1 };
        let fitted = recipe.fit(points.view())?;
        let image = fitted.embedding().coordinates();
        for i in 0..30 {
            let before: f64 = points.view().row(i).iter().map(|x| x * x).sum();
            let after: f64 = image.row(i).iter().map(|x| x * x).sum();
            // Five standard deviations of a relative square length, √(2/d), with
            // the heavier tails of sparse entries.
            assert!(
                (after / before - 1.0).abs() < 7.0 * (2.0 / 2000.0_f64).sqrt(),
                "{distribution:?} row {i}"
            );
        }
        let other = RandomProjection { dim: 2000, distribution, seed: 2 }.fit(points.view())?;
        assert_ne!(other.embedding().coordinates(), image, "the seed counts");
    }
    Ok(())
}

#[test]
fn sufficient_dimensions_follow_the_bound() -> Result<(), Error> {
    assert_eq!(RandomProjection::sufficient_dim(1000, 0.5)?, 332);
    assert!(RandomProjection::sufficient_dim(1000, 0.1)? > 5000);
    assert!(RandomProjection::sufficient_dim(1000, 1.5).is_err());
    Ok(())
}

#[test]
fn illegal_parameters_are_refused_with_numbers() -> Result<(), Error> {
    let points = cloud(20, 3);
    let message = |e: Result<(), Error>| e.expect_err("must be refused").to_string();
    let pca = |dim| Pca { dim, ..Pca::default() }.fit(points.view()).map(drop);
    assert!(message(pca(0)).contains("1 to min(n, D) (here 1 to 3)"));
    assert!(message(pca(4)).contains("is 4"));
    let kernel =
        |kernel| KernelPca { kernel: Some(kernel), ..KernelPca::default() }.fit(points.view()).map(drop);
    assert!(message(kernel(Kernel::Rbf { gamma: -1.0 })).contains("gamma"));
    assert!(message(kernel(Kernel::Polynomial { degree: 0, gamma: 1.0, offset: 0.0 })).contains("degree"));
    let lda = |labels: &[u32]| {
        Lda { dim: 1, ..Lda::default() }.fit(Input::from(points.view()).with_labels(labels)).map(drop)
    };
    assert!(message(lda(&[0; 20])).contains("classes"));
    assert!(message(lda(&[0, 1])).contains("labels"));
    let own: Vec<u32> = (0..20).collect();
    assert!(message(lda(&own)).contains("each of the 20 points has a class of its own"));
    let some: Vec<Option<u32>> = (0..20).map(|i| (i % 5 > 0).then_some(i % 2)).collect();
    let partly = Input::from(points.view()).with_partial_labels(&some);
    let refused = Lda { dim: 1, ..Lda::default() }.fit(partly).map(drop);
    assert!(message(refused).contains("4 of 20 are unknown"));
    let fitted = Pca::default().fit(points.view())?;
    assert!(fitted.transform(cloud(4, 2).view()).is_err());
    let small = Input::from(&points).with_memory_limit(MemoryLimit::new(1000));
    assert!(message(KernelPca::default().fit(small).map(drop)).contains("22.4 kB"));
    Ok(())
}

#[test]
fn constant_data_have_no_variance_and_no_nan() -> Result<(), Error> {
    let points = PointSet::new(vec![3.0; 40], 4)?;
    for method in [&Pca::default() as &dyn DynMethod, &KernelPca::default()] {
        let fitted = method.fit_dyn(&points.view().into())?;
        assert!(fitted.embedding().coordinates().norm_max() < 1e-12, "{}", method.about().name);
    }
    let fitted = Pca::default().fit(points.view())?;
    assert_eq!(fitted.explained_variance_ratio(), [0.0, 0.0]);
    Ok(())
}

#[test]
fn one_point_is_a_data_set() -> Result<(), Error> {
    let point = Points::new(&[1.0, 2.0], 2)?;
    let fitted = Pca { dim: 1, ..Pca::default() }.fit(point)?;
    assert_eq!(fitted.embedding().coordinates()[(0, 0)], 0.0);
    Ok(())
}
