//! From the map back to data: linear maps of every kind, and digits.

use faer::Mat;
use swissroll::datasets::{self, Request};
use swissroll::embedding::Silent;
use swissroll::regression::{KernelRidge, LeaveOut, LocalBarycentric, Width};
use swissroll::{
    method, methods,
    prelude::{Error, Input, PointSet},
};
use testkit::cases::cloud;

/// The methods whose map is linear, and are inverted without their data.
const LINEAR: &[&str] = &[
    "pca",
    "factor-analysis",
    "fast-ica",
    "lda",
    "random-projection",
    "classical-mds",
    "lpp",
    "npe",
    "lltsa",
];

/// The image of a decoded point is the place again; where the map keeps as many dimensions as
/// the data have, the decoded points are the data.
#[test]
fn linear_maps_are_inverted_and_no_others() -> Result<(), Error> {
    // Two hidden coordinates, seen in five columns with noise, and the quadrant as a class.
    let hidden = cloud(150, 7, 3).points;
    let column = |row: &[f64], j: usize| {
        let loadings = [[1.0, 0.0], [0.5, 1.0], [-1.0, 0.5], [0.0, 2.0], [1.5, 1.0]][j];
        3.0 + loadings[0] * row[0] + loadings[1] * row[1] + 0.2 * row[2 + j]
    };
    let values = hidden.view().rows().flat_map(|row| (0..5).map(move |j| column(row, j)));
    let data = PointSet::new(values.collect(), 5)?;
    let x = data.view();
    let mean = |j: usize| hidden.view().rows().map(|row| row[j]).sum::<f64>() / 150.0;
    let means = [mean(0), mean(1)];
    let quadrant = |row: &[f64]| u32::from(row[0] > means[0]) + 2 * u32::from(row[1] > means[1]);
    let labels: Vec<u32> = hidden.view().rows().map(quadrant).collect();
    let input = Input::from(x).with_labels(&labels);
    for mut method in methods() {
        let name = method.about().name;
        if !LINEAR.contains(&name) {
            let roll = datasets::generate("swiss-roll", 60, 0)?;
            let fitted = method.fit_dyn(&(&roll.points).into())?;
            let places = PointSet::from_mat(fitted.embedding().coordinates())?;
            assert!(fitted.invert(places.view())?.is_none(), "{name}");
            assert!(fitted.linear_map().is_none(), "{name}");
            continue;
        }
        let fitted = method.fit_dyn(&input)?;
        let map = PointSet::from_mat(fitted.embedding().coordinates())?;
        let decoded = fitted.invert(map.view())?.expect("the map is linear");
        assert_eq!((decoded.len(), decoded.dim()), (150, 5), "{name}");
        let again = fitted.transform_ignoring_matches(PointSet::from_mat(decoded.coordinates())?.view())?;
        let scale = map.view().values().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let gap = (again.coordinates() - map.view().as_mat()).norm_max() / scale;
        assert!(gap < 1e-9, "{name}: {gap}");
        assert!(fitted.invert(x).is_err(), "{name}");
        // The map itself, x ↦ (x − origin) A.
        let linear = fitted.linear_map().expect("the map is linear");
        let origin = Mat::from_fn(150, 5, |_, j| linear.origin[j]);
        let images = (x.as_mat() - &origin) * &linear.directions;
        let gap = (&images - map.view().as_mat()).norm_max() / scale;
        assert!(gap < 1e-12, "{name}: {gap}");
        assert_eq!(linear.loadings.is_some(), name == "factor-analysis", "{name}");
        if ["pca", "random-projection", "classical-mds"].contains(&name) {
            method.set_dyn("dim", "5")?;
            let fitted = method.fit_dyn(&input)?;
            let map = PointSet::from_mat(fitted.embedding().coordinates())?;
            let decoded = fitted.invert(map.view())?.expect("the map is linear");
            let gap = (decoded.coordinates() - x.as_mat()).norm_max();
            assert!(gap < 1e-9, "{name}: {gap}");
        }
    }
    Ok(())
}

/// Left-out digits are decoded from UMAP's map better than by the mean of their class, which is
/// 0.77 of the spread away (root mean square); from two principal components they are not.
#[test]
fn digits_are_decoded_better_than_by_the_mean_of_their_class() -> Result<(), Error> {
    let digits = datasets::load("digits", &Request { n: Some(900), ..Request::default() })?;
    let x = digits.points.view();
    let labels = &digits.labels[0].values;
    let mean = |rows: &[usize]| -> Vec<f64> {
        (0..x.dim()).map(|j| rows.iter().map(|&i| x.row(i)[j]).sum::<f64>() / rows.len() as f64).collect()
    };
    let away = |rows: &[usize], center: &[f64]| -> f64 {
        rows.iter().flat_map(|&i| x.row(i).iter().zip(center).map(|(a, b)| (a - b).powi(2))).sum()
    };
    let all: Vec<usize> = (0..x.len()).collect();
    let within: f64 = (0..10)
        .map(|class| {
            let rows: Vec<usize> = all.iter().copied().filter(|&i| labels[i] == class).collect();
            away(&rows, &mean(&rows))
        })
        .sum();
    let class_mean = (within / away(&all, &mean(&all))).sqrt();
    assert!((0.74..0.8).contains(&class_mean), "{class_mean}");
    let errors = |name: &str| -> Result<[f64; 2], Error> {
        let map =
            PointSet::from_mat(method(name).expect("known").fit_dyn(&x.into())?.embedding().coordinates())?;
        let (leave_out, y) = (LeaveOut::default(), map.view());
        let smooth = KernelRidge { width: Width::Spacing(2.0), ridge: 0.1, ..KernelRidge::default() };
        Ok([
            leave_out.errors(&LocalBarycentric::default(), y, x.as_mat(), &Silent)?.total.relative(),
            leave_out.errors(&smooth, y, x.as_mat(), &Silent)?.total.relative(),
        ])
    };
    for error in errors("umap")? {
        assert!(error < 0.85 * class_mean, "{error} against {class_mean}");
    }
    for error in errors("pca")? {
        assert!(error > class_mean, "{error} against {class_mean}");
    }
    Ok(())
}
