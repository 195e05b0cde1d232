//! Regressors: contracts, accuracy, reported errors, determinism.

use embedding::implement::{Fact, Validate};
use embedding::{
    About, DataKind, DynMethod, Embedding, Error, Explanation, Fitted, Input, Method, Model, PointSet,
    Recipe, Rows, Silent, Status, TrainingRows, Transform,
};
use faer::Mat;
use linear::Pca;
use regression::{
    FittedLearned, KernelRidge, Learned, LocalBarycentric, Perceptron, Regressor, Standardization, Width,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use testkit::cases::{cloud, sheet};
use testkit::{Setup, Training, TransformContract, on_threads, places_new_points};

/// Principal components continued by a regressor, as a method.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Continued<R>(Learned<Pca, R>);

#[derive(Serialize, Deserialize)]
struct FittedContinued<F>(FittedLearned<F>);

impl<R: 'static> Recipe for Continued<R> {}

impl<R> Method for Continued<R>
where
    R: Regressor + Clone + Default + Serialize + DeserializeOwned + Send + Sync + 'static,
    R::Fitted: Validate + Serialize + DeserializeOwned + Send + Sync + 'static,
{
    type Fitted = FittedContinued<R::Fitted>;

    const ABOUT: About = About {
        name: "continued-pca",
        title: "Continued PCA",
        summary: "",
        preserves: "",
        cost: "",
        new_points: "",
        accepts: &[DataKind::Points],
        needs_labels: false,
        least_points: 1,
        explanation: Explanation::new(
            "**Idea.** a\n\n**Definition.** b\n\n**Steps.** c\n\n**When it fails.** d\n\n**Reference.** e",
        ),
    };

    fn fit_input(&self, input: &Input<'_>) -> Result<Self::Fitted, Error> {
        self.0.fit(input).map(FittedContinued)
    }
}

impl<F> Model for FittedContinued<F> {
    fn embedding(&self) -> &Embedding {
        self.0.embedding()
    }
}

impl<F: Transform> Transform for FittedContinued<F> {
    fn place(&self, rows: Rows<'_>, matches: TrainingRows<'_>) -> Result<Embedding, Error> {
        self.0.place(rows, matches)
    }
}

impl<F: Transform + Validate + Serialize + DeserializeOwned + Send + Sync + 'static> Fitted
    for FittedContinued<F>
{
    fn facts() -> Vec<Fact<Self>> {
        Vec::new()
    }
}

fn by_perceptron(setup: Setup) -> Box<dyn DynMethod> {
    let regressor = Perceptron { learning_rate: 1e-2, seed: setup.seed, ..Perceptron::default() };
    Box::new(Continued(Learned { method: Pca { dim: setup.dim, ..Pca::default() }, regressor }))
}
places_new_points!(
    new_points_by_perceptron,
    TransformContract {
        training: Training::Unspecified,
        continuity: 0.2,
        ..TransformContract::new("perceptron", by_perceptron)
    }
);

fn by_kernel_ridge(setup: Setup) -> Box<dyn DynMethod> {
    let regressor = KernelRidge::default();
    Box::new(Continued(Learned { method: Pca { dim: setup.dim, ..Pca::default() }, regressor }))
}
places_new_points!(
    new_points_by_kernel_ridge,
    TransformContract {
        training: Training::Reproduces { tolerance: 0.05 },
        ..TransformContract::new("kernel-ridge", by_kernel_ridge)
    }
);

fn by_local_barycentric(setup: Setup) -> Box<dyn DynMethod> {
    let regressor = LocalBarycentric::default();
    Box::new(Continued(Learned { method: Pca { dim: setup.dim, ..Pca::default() }, regressor }))
}
places_new_points!(
    new_points_by_local_barycentric,
    TransformContract {
        training: Training::Reproduces { tolerance: 0.0 },
        ..TransformContract::new("local-barycentric", by_local_barycentric)
    }
);

/// y = (sin x₀ x₁, |x₂|).
fn curved(points: &PointSet) -> Mat<f64> {
    let x = points.view();
    Mat::from_fn(x.len(), 2, |i, j| {
        let row = x.row(i);
        if j == 0 { (2.0 * row[0] * row[1]).sin() } else { 100.0 + 10.0 * row[2].abs() }
    })
}

#[test]
fn a_perceptron_learns_a_curved_function_better_than_a_line() -> Result<(), Error> {
    let (train, test) = (cloud(1500, 3, 1), cloud(300, 3, 2));
    let (y, truth) = (curved(&train.points), curved(&test.points));
    let recipe = Perceptron { learning_rate: 5e-3, epochs: 200, ..Perceptron::default() };
    let line = Perceptron { hidden: Vec::new(), ..recipe.clone() };
    let error = |recipe: &Perceptron| -> Result<f64, Error> {
        let fitted = recipe.fit(train.view(), y.as_ref(), &Silent)?;
        Ok((fitted.transform(test.view())?.coordinates() - &truth).norm_l2() / 300f64.sqrt())
    };
    let (curve, straight) = (error(&recipe)?, error(&line)?);
    assert!(curve < 0.2 * straight, "{curve} against {straight}");
    let fitted = recipe.fit(train.view(), y.as_ref(), &Silent)?;
    let reported = fitted.validation().root_mean_square;
    assert!((0.5..2.0).contains(&(curve / reported)), "{curve}, reported {reported}");
    Ok(())
}

/// A third column, unrelated to the targets, is 0 but for one example in two hundred: its
/// largest value is 14 of its own standard deviations, but less than one common standard
/// deviation.
#[test]
fn one_common_scale_limits_the_effect_of_a_rare_value() -> Result<(), Error> {
    let rare = |set: &PointSet, every: usize| {
        let x = set.view();
        let row = |i: usize| [x.row(i)[0], x.row(i)[1], if i.is_multiple_of(every) { 1.0 } else { 0.0 }];
        PointSet::new((0..x.len()).flat_map(row).collect(), 3)
    };
    let (train, test) = (cloud(600, 3, 1), cloud(100, 3, 2));
    let (train, ordinary, unusual) =
        (rare(&train.points, 200)?, rare(&test.points, 1000)?, rare(&test.points, 1)?);
    let y = Mat::from_fn(600, 1, |i, _| train.view().row(i)[0].abs());
    let moved = |standardization| -> Result<f64, Error> {
        let recipe = Perceptron { standardization, epochs: 100, ..Perceptron::default() };
        let fitted = recipe.fit(train.view(), y.as_ref(), &Silent)?;
        let (a, b) = (fitted.transform(ordinary.view())?, fitted.transform(unusual.view())?);
        Ok((1..100).map(|i| (a[(i, 0)] - b[(i, 0)]).abs()).sum::<f64>() / 99.0)
    };
    let (by_column, common) = (moved(Standardization::ByColumn)?, moved(Standardization::Common)?);
    assert!(common < 0.5 * by_column, "{common} against {by_column}");
    Ok(())
}

#[test]
fn training_ends_for_the_reason_reported() -> Result<(), Error> {
    let train = cloud(200, 3, 3);
    let y = curved(&train.points);
    let few = Perceptron { epochs: 3, ..Perceptron::default() }.fit(train.view(), y.as_ref(), &Silent)?;
    assert_eq!(few.status(), Status::IterationLimit { iterations: 3 });
    let impatient = Perceptron { patience: 1, learning_rate: 0.1, ..Perceptron::default() };
    let stopped = impatient.fit(train.view(), y.as_ref(), &Silent)?;
    assert!(matches!(stopped.status(), Status::Converged { iterations } if iterations < 500));
    Ok(())
}

#[test]
fn results_depend_on_seeds_and_not_on_threads() -> Result<(), Error> {
    let train = cloud(300, 3, 4);
    let y = curved(&train.points);
    let run = |seed: u64| -> Result<Embedding, Error> {
        let recipe = Perceptron { seed, epochs: 5, ..Perceptron::default() };
        recipe.fit(train.view(), y.as_ref(), &Silent)?.transform(train.view())
    };
    let one = on_threads(1, || run(1))?;
    for threads in [2, 4] {
        assert_eq!(one, on_threads(threads, || run(1))?, "{threads} threads");
    }
    assert!(one != run(2)?);
    Ok(())
}

#[test]
fn a_perceptron_has_no_scale_and_refuses_rows_beyond_the_range_of_numbers() -> Result<(), Error> {
    let train = cloud(60, 3, 4);
    let y = curved(&train.points);
    for standardization in [Standardization::ByColumn, Standardization::Common] {
        let recipe = Perceptron { standardization, epochs: 5, ..Perceptron::default() };
        let near = recipe.fit(train.view(), y.as_ref(), &Silent)?;
        for unit in [2f64.powi(900), 2f64.powi(-900)] {
            let multiplied = train.mapped(|row| row.iter().map(|v| unit * v).collect());
            let far = recipe.fit(multiplied.view(), (faer::Scale(unit) * &y).as_ref(), &Silent)?;
            let (placed, expected) = (far.transform(multiplied.view())?, near.transform(train.view())?);
            assert!(placed.values().iter().zip(expected.values()).all(|(a, b)| *a == unit * b), "{unit:e}");
            assert_eq!(far.validation().root_mean_square, unit * near.validation().root_mean_square);
        }
        let beyond = PointSet::from_rows(&[[0.0; 3], [1.7e308, -1.7e308, 0.0]])?;
        let error = near.transform(beyond.view()).expect_err("no number").to_string();
        assert!(error.starts_with("what row 1 is mapped to exceeds"), "{error}");
    }
    Ok(())
}

#[test]
fn kernel_ridge_regression_has_no_scale() -> Result<(), Error> {
    let train = cloud(60, 3, 4);
    let y = curved(&train.points);
    let near = KernelRidge::default().fit(train.view(), y.as_ref(), &Silent)?;
    for unit in [2f64.powi(900), 2f64.powi(-900)] {
        let multiplied = train.mapped(|row| row.iter().map(|v| unit * v).collect());
        let far = KernelRidge::default().fit(multiplied.view(), y.as_ref(), &Silent)?;
        assert_eq!(far.width(), unit * near.width());
        assert_eq!(far.transform(multiplied.view())?, near.transform(train.view())?, "{unit:e}");
        let far = KernelRidge::default().fit(train.view(), (faer::Scale(unit) * &y).as_ref(), &Silent)?;
        assert_eq!(far.validation().root_mean_square, unit * near.validation().root_mean_square);
        assert_eq!(far.validation().unexplained, near.validation().unexplained);
    }
    Ok(())
}

#[test]
fn leave_one_out_errors_equal_those_of_refitting() -> Result<(), Error> {
    let train = cloud(25, 2, 5);
    let x = train.view();
    let y = Mat::from_fn(25, 1, |i, _| (3.0 * x.row(i)[0]).sin() + x.row(i)[1]);
    let recipe = KernelRidge { width: Width::Fixed(0.6), ridge: 0.01, ..KernelRidge::default() };
    let fitted = recipe.fit(x, y.as_ref(), &Silent)?;
    // The formula keeps the mean of all targets; so does this computation.
    let mean = y.col(0).iter().sum::<f64>() / 25.0;
    let mut squared = 0.0;
    for i in 0..25 {
        let others: Vec<u32> = (0..25).filter(|&j| j != i).collect();
        let part = Mat::from_fn(24, 1, |r, _| y[(others[r] as usize, 0)] - mean);
        let kernel = |a: &[f64], b: &[f64]| {
            let d: f64 = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum();
            (-0.5 * d / 0.36).exp()
        };
        let system = Mat::from_fn(24, 24, |r, c| {
            kernel(x.row(others[r] as usize), x.row(others[c] as usize)) + if r == c { 0.01 } else { 0.0 }
        });
        let a = spectral::dense::solve_spd(system.as_ref(), part.as_ref()).expect("positive definite");
        let value: f64 =
            (0..24).map(|r| kernel(x.row(i as usize), x.row(others[r] as usize)) * a[(r, 0)]).sum();
        squared += (y[(i as usize, 0)] - mean - value).powi(2);
    }
    let expected = (squared / 25.0).sqrt();
    let got = fitted.validation().root_mean_square;
    assert!((got - expected).abs() < 1e-9, "{got} {expected}");
    Ok(())
}

#[test]
fn a_small_ridge_interpolates() -> Result<(), Error> {
    let train = sheet(120, 6);
    let y = curved(&train.points);
    let fitted =
        KernelRidge { ridge: 1e-9, ..KernelRidge::default() }.fit(train.view(), y.as_ref(), &Silent)?;
    let gap = (fitted.transform(train.view())?.coordinates() - &y).norm_max();
    assert!(gap < 1e-3, "{gap}");
    Ok(())
}

#[test]
fn bad_input_is_refused() -> Result<(), Error> {
    let train = cloud(20, 3, 7);
    let y = curved(&train.points);
    let refused = |recipe: Perceptron| recipe.fit(train.view(), y.as_ref(), &Silent).map(|_| ()).is_err();
    assert!(refused(Perceptron { epochs: 0, ..Perceptron::default() }));
    assert!(refused(Perceptron { batch: 0, ..Perceptron::default() }));
    assert!(refused(Perceptron { hidden: vec![5, 0], ..Perceptron::default() }));
    assert!(refused(Perceptron { learning_rate: f64::NAN, ..Perceptron::default() }));
    assert!(refused(Perceptron { l2: -1.0, ..Perceptron::default() }));
    assert!(refused(Perceptron { held_out: 1.0, ..Perceptron::default() }));
    let short = y.subrows(0, 19);
    assert!(matches!(Perceptron::default().fit(train.view(), short, &Silent), Err(Error::Shape { .. })));
    let mut broken = y.clone();
    broken[(4, 1)] = f64::NAN;
    let refused = KernelRidge::default().fit(train.view(), broken.as_ref(), &Silent);
    assert!(matches!(refused, Err(Error::NotFinite { row: 4, column: 1, .. })));
    let same = PointSet::new(vec![1.0; 60], 3)?;
    let singular = KernelRidge { ridge: 0.0, ..KernelRidge::default() }.fit(same.view(), y.as_ref(), &Silent);
    assert!(matches!(singular, Err(Error::Degenerate { .. })));
    Ok(())
}

impl<F: Validate> Validate for FittedContinued<F> {
    fn validate(&self) -> Result<(), Error> {
        self.0.validate()
    }
}
