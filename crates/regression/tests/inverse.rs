//! From positions in a map back to data: known answers, leave-one-out errors, refusals.

use std::cell::RefCell;

use embedding::{
    Embedding, Error, Observer, PointSet, Points, Rows, Silent, TrainingRows, Transform, persist,
};
use faer::{Mat, MatRef};
use regression::{
    FittedLocalBarycentric, KernelRidge, LeaveOut, LocalBarycentric, Regressor, ValidationError, Width,
};
use testkit::cases::cloud;

/// Random positions in two dimensions.
fn places(n: usize, seed: u64) -> PointSet {
    cloud(n, 2, seed).points
}

/// An affine image of positions in five dimensions.
fn sheet(places: Points<'_>) -> Mat<f64> {
    let a = [[1.0, -2.0, 0.5, 0.0, 3.0], [0.25, 1.0, 1.0, -1.0, 0.0]];
    Mat::from_fn(places.len(), 5, |i, j| {
        let place = places.row(i);
        7.0 + place[0] * a[0][j] + place[1] * a[1][j]
    })
}

#[test]
fn an_affine_sheet_decodes_exactly() -> Result<(), Error> {
    let (known, new) = (places(200, 1), places(50, 2));
    let data = sheet(known.view());
    let recipe = LocalBarycentric { regularization: 1e-12, ..LocalBarycentric::default() };
    let decoded = recipe.fit(known.view(), data.as_ref(), &Silent)?.transform(new.view())?;
    let gap = (decoded.coordinates() - sheet(new.view())).norm_max();
    assert!(gap < 1e-8, "{gap}");
    // The default regularization costs little.
    let default = LocalBarycentric::default().fit(known.view(), data.as_ref(), &Silent)?;
    let gap = (default.transform(new.view())?.coordinates() - sheet(new.view())).norm_max();
    assert!((1e-8..0.1).contains(&gap), "{gap}");
    Ok(())
}

/// At a training position the data are exact, to the bit; equal positions return the data of the first. Close
/// to a position they are close.
#[test]
fn places_of_the_map_have_their_own_data() -> Result<(), Error> {
    let mut values = places(60, 3).into_values();
    values.extend_from_within(..2);
    let known = PointSet::new(values, 2)?;
    let data = Mat::from_fn(61, 3, |i, j| ((i * 7 + j * 5) % 11) as f64 / 3.0);
    let fitted = LocalBarycentric::default().fit(known.view(), data.as_ref(), &Silent)?;
    let decoded = fitted.transform(known.view())?;
    for i in 0..60 {
        assert!((0..3).all(|j| decoded[(i, j)] == data[(i, j)]), "{i}");
    }
    assert_eq!(decoded.row(60), decoded.row(0));
    assert_ne!(data.row(60), data.row(0));
    let near = PointSet::new(known.view().values().iter().map(|v| v + 1e-9).collect(), 2)?;
    // Around two equal positions the result is between their data.
    let rows = |y: &Embedding| y.coordinates().subrows(1, 59).to_owned();
    let gap = (rows(&fitted.transform(near.view())?) - rows(&decoded)).norm_max();
    assert!(gap < 1e-4, "{gap}");
    Ok(())
}

#[test]
fn a_linear_manifold_has_no_error_of_leaving_out() -> Result<(), Error> {
    let known = places(300, 4);
    let data = sheet(known.view());
    let of = |regularization: f64| {
        let recipe = LocalBarycentric { regularization, ..LocalBarycentric::default() };
        LeaveOut::default().errors(&recipe, known.view(), data.as_ref(), &Silent)
    };
    assert!(of(1e-12)?.total.relative() < 1e-8);
    assert!(of(1e-3)?.total.relative() < 0.02);
    let smooth = KernelRidge { ridge: 1e-8, ..KernelRidge::default() };
    let errors = LeaveOut::default().errors(&smooth, known.view(), data.as_ref(), &Silent)?;
    assert!(errors.total.relative() < 0.02, "{errors:?}");
    // Data that are independent of their positions cannot be decoded.
    let noise = cloud(300, 5, 99).points;
    let errors = LeaveOut::default().errors(
        &LocalBarycentric::default(),
        known.view(),
        noise.view().as_mat(),
        &Silent,
    )?;
    assert!(errors.total.relative() > 0.9, "{errors:?}");
    Ok(())
}

/// Predicts the mean of the targets, and records the first coordinates of its points.
struct Mean(RefCell<Vec<Vec<f64>>>);

struct FittedMean(Vec<f64>);

impl Transform for FittedMean {
    fn place(&self, new: Rows<'_>, _: TrainingRows<'_>) -> Result<Embedding, Error> {
        Ok(Embedding::from_rows(self.0.repeat(new.len()), self.0.len()))
    }
}

impl Regressor for Mean {
    type Fitted = FittedMean;

    fn fit(&self, points: Points<'_>, y: MatRef<'_, f64>, _: &dyn Observer) -> Result<FittedMean, Error> {
        self.0.borrow_mut().push(points.rows().map(|row| row[0]).collect());
        let mean = |j: usize| y.col(j).iter().sum::<f64>() / y.nrows() as f64;
        Ok(FittedMean((0..y.ncols()).map(mean).collect()))
    }
}

/// The baseline of the error is the mean of the other folds, at any scale of the targets; every row is left
/// out once; the seed determines the order.
#[test]
fn every_row_is_left_out_once_and_the_mean_explains_nothing() -> Result<(), Error> {
    let n = 23;
    let points = PointSet::new((0..n).map(f64::from).collect(), 1)?;
    for scale in [1.0, 1e-200, 1e200] {
        let data = Mat::from_fn(n as usize, 2, |i, j| scale * ((i * i + 3 * j) % 7) as f64);
        let mean = Mean(RefCell::default());
        let errors = LeaveOut { folds: 4, seed: 1 }.errors(&mean, points.view(), data.as_ref(), &Silent)?;
        let is_one = |error: &ValidationError| (error.unexplained - 1.0).abs() < 1e-12;
        assert!(is_one(&errors.total) && errors.folds.len() == 4 && errors.folds.iter().all(is_one));
        let squared: f64 = errors
            .folds
            .iter()
            .zip([6.0, 6.0, 6.0, 5.0])
            .map(|(e, count)| count * (e.root_mean_square / scale).powi(2))
            .sum();
        assert!(((squared / 23.0).sqrt() * scale / errors.total.root_mean_square - 1.0).abs() < 1e-12);
        let fits = mean.0.into_inner();
        let sizes: Vec<usize> = fits.iter().map(Vec::len).collect();
        assert_eq!(sizes, [17, 17, 17, 18]);
        for row in 0..n {
            assert_eq!(fits.iter().filter(|kept| kept.contains(&f64::from(row))).count(), 3, "{row}");
        }
        let other = Mean(RefCell::default());
        LeaveOut { folds: 4, seed: 2 }.errors(&other, points.view(), data.as_ref(), &Silent)?;
        assert_ne!(fits, other.0.into_inner());
    }
    Ok(())
}

/// With a fold per row, the error is the leave-one-out error, for which kernel ridge regression has a formula
/// (except for the mean, which the formula takes over all targets).
#[test]
fn a_fold_per_row_leaves_one_out() -> Result<(), Error> {
    let known = places(40, 5);
    let data = Mat::from_fn(40, 2, |i, j| (2.0 * known.view().row(i)[j]).sin());
    let mean: Vec<f64> = (0..2).map(|j| data.col(j).iter().sum::<f64>() / 40.0).collect();
    let data = Mat::from_fn(40, 2, |i, j| data[(i, j)] - mean[j]);
    let recipe = KernelRidge { width: Width::Fixed(0.8), ridge: 1e-3, ..KernelRidge::default() };
    let formula = recipe.fit(known.view(), data.as_ref(), &Silent)?.validation().root_mean_square;
    let errors = LeaveOut { folds: 40, seed: 0 }.errors(&recipe, known.view(), data.as_ref(), &Silent)?;
    let ratio = errors.total.root_mean_square / formula;
    assert!((ratio - 1.0).abs() < 0.02, "{ratio}");
    Ok(())
}

/// The spacing follows the points at any scale; with copies of most points it is 0.
#[test]
fn a_width_follows_the_spacing_of_the_points() -> Result<(), Error> {
    let line = |n: u32, step: f64| PointSet::new((0..n).map(|i| step * f64::from(i)).collect(), 1);
    let width = |points: &PointSet, multiple: f64| {
        let recipe = KernelRidge { width: Width::Spacing(multiple), ..KernelRidge::default() };
        let targets = Mat::from_fn(points.len(), 1, |i, _| i as f64);
        Ok(recipe.fit(points.view(), targets.as_ref(), &Silent)?.width())
    };
    // Among points at distance 1 on a line, the tenth nearest is 5 away.
    assert_eq!(width(&line(101, 1.0)?, 2.0)?, 10.0);
    assert_eq!(width(&line(101, 0.25)?, 2.0)?, 2.5);
    assert_eq!(width(&line(2, 3.0)?, 1.0)?, 3.0);
    let copies = PointSet::new((0..30).map(|i| f64::from(i / 12)).collect(), 1)?;
    assert!(matches!(width(&copies, 1.0), Err(Error::Degenerate { .. })));
    assert!(matches!(width(&line(1, 1.0)?, 1.0), Err(Error::TooFewPoints { .. })));
    for multiple in [0.0, f64::NAN] {
        assert!(matches!(width(&line(9, 1.0)?, multiple), Err(Error::Parameter { name: "width", .. })));
    }
    Ok(())
}

#[test]
fn a_saved_inverse_decodes_the_same() -> Result<(), Error> {
    let (known, new) = (places(40, 6), places(9, 7));
    let data = sheet(known.view());
    let fitted = LocalBarycentric::default().fit(known.view(), data.as_ref(), &Silent)?;
    let bytes = persist::encode("inverse", &fitted)?;
    let read: FittedLocalBarycentric = persist::decode("inverse", &bytes)?;
    assert_eq!(read.transform(new.view())?, fitted.transform(new.view())?);
    Ok(())
}

#[test]
fn bad_input_is_refused() -> Result<(), Error> {
    let known = places(20, 8);
    let data = sheet(known.view());
    let refused = |recipe: LocalBarycentric| recipe.fit(known.view(), data.as_ref(), &Silent).map(|_| ());
    let default = LocalBarycentric::default();
    assert!(matches!(refused(LocalBarycentric { k: 0, ..default }), Err(Error::Parameter { name: "k", .. })));
    for regularization in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            refused(LocalBarycentric { regularization, ..default }),
            Err(Error::Parameter { name: "reg", .. })
        ));
    }
    assert!(matches!(default.fit(known.view(), data.subrows(0, 19), &Silent), Err(Error::Shape { .. })));
    let same = PointSet::new(vec![2.0; 40], 2)?;
    assert!(matches!(default.fit(same.view(), data.as_ref(), &Silent), Err(Error::Degenerate { .. })));
    let fitted = default.fit(known.view(), data.as_ref(), &Silent)?;
    assert!(matches!(fitted.transform(Points::new(&[1.0], 1)?), Err(Error::Shape { .. })));
    for folds in [0, 1, 21] {
        let errors = LeaveOut { folds, seed: 0 }.errors(&default, known.view(), data.as_ref(), &Silent);
        assert!(matches!(errors, Err(Error::Parameter { name: "folds", .. })), "{folds}");
    }
    Ok(())
}

/// Predicts one half.
struct Half;

impl Regressor for Half {
    type Fitted = FittedMean;

    fn fit(&self, _: Points<'_>, y: MatRef<'_, f64>, _: &dyn Observer) -> Result<FittedMean, Error> {
        Ok(FittedMean(vec![0.5; y.ncols()]))
    }
}

/// A row whose target is the mean of the others: only the exact prediction explains it.
#[test]
fn an_error_where_the_targets_do_not_vary_is_not_perfect() -> Result<(), Error> {
    let points = PointSet::new(vec![0.0, 1.0, 2.0], 1)?;
    let data = Mat::from_fn(3, 1, |i, _| i as f64 - 1.0);
    let errors = LeaveOut { folds: 3, seed: 0 }.errors(&Half, points.view(), data.as_ref(), &Silent)?;
    assert_eq!(errors.folds.iter().filter(|fold| fold.unexplained == f64::INFINITY).count(), 1);
    assert!(errors.total.unexplained.is_finite());
    Ok(())
}
