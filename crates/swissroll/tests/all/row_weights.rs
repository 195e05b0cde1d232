//! A row of weight w counts as w copies, for the methods that have weights; all others refuse them.

use swissroll::embedding::{DynMethod, DynModel};
use swissroll::prelude::{DistanceMatrix, Error, Input, Metric, PointSet};

type Done = Result<(), Error>;

const WEIGHTED: [&str; 4] = ["pca", "kernel-pca", "lda", "classical-mds"];

/// n rows of D columns with a class each, and a weight each, 1 to 4.
struct Data {
    points: PointSet,
    classes: Vec<u32>,
    weights: Vec<f64>,
}

impl Data {
    fn new(n: usize, dim: usize) -> Result<Self, Error> {
        Self::from_row(0, n, dim)
    }

    /// The same of rows that begin later.
    fn from_row(start: usize, n: usize, dim: usize) -> Result<Self, Error> {
        let value = |i: usize, c: usize| {
            let i = i + start;
            let u = ((i + 1) as f64 * (2.0 + c as f64).sqrt()).fract() - 0.5;
            u * (1.0 + (dim - c) as f64 / dim as f64)
                + if c < 2 { (i % 3) as f64 * (1.0 - c as f64) } else { 0.0 }
        };
        Ok(Self {
            points: PointSet::new((0..n * dim).map(|at| value(at / dim, at % dim)).collect(), dim)?,
            classes: (0..n).map(|i| (i % 3) as u32).collect(),
            weights: (0..n).map(|i| (1 + i * 7 % 4) as f64).collect(),
        })
    }

    /// Each row as often as its weight says, and for each row its first copy.
    fn repeated(&self) -> Result<(Self, Vec<usize>), Error> {
        let (mut rows, mut first) = (Vec::new(), Vec::new());
        for (row, weight) in self.weights.iter().enumerate() {
            first.push(rows.len());
            rows.extend(std::iter::repeat_n(row as u32, *weight as usize));
        }
        let points = self.points.view().select(&rows);
        let classes = rows.iter().map(|row| self.classes[*row as usize]).collect();
        Ok((Self { points, classes, weights: vec![1.0; rows.len()] }, first))
    }

    fn fit(
        &self,
        method: &dyn DynMethod,
        metric: Metric,
        weighted: bool,
    ) -> Result<Box<dyn DynModel>, Error> {
        let input = Input::from(&self.points).with_labels(&self.classes).with_metric(metric);
        method.fit_dyn(&if weighted { input.with_row_weights(&self.weights) } else { input })
    }
}

fn methods() -> impl Iterator<Item = Box<dyn DynMethod>> {
    WEIGHTED.iter().map(|name| swissroll::method(name).expect("listed"))
}

/// Places and facts of a fit to weighted rows and of a fit to repeated rows.
fn check(
    weighted: &dyn DynModel,
    repeated: &dyn DynModel,
    first: &[usize],
    new: &PointSet,
    what: &str,
) -> Done {
    let (found, expected) = (weighted.embedding(), repeated.embedding());
    let scale = expected.coordinates().norm_max();
    for (row, first) in first.iter().enumerate() {
        for c in 0..expected.dim() {
            let (found, expected) = (found[(row, c)], expected[(*first, c)]);
            assert!((found - expected).abs() < 1e-10 * scale, "{what}, row {row}: {found}, not {expected}");
        }
    }
    let (found, expected) = (weighted.transform(new.view())?, repeated.transform(new.view())?);
    for (found, expected) in found.values().iter().zip(expected.values()) {
        assert!((found - expected).abs() < 1e-10 * scale, "{what}, a new row: {found}, not {expected}");
    }
    let loaded = swissroll::load(&weighted.save()?)?.1;
    assert_eq!(loaded.transform(new.view())?.values(), found.values(), "{what}");
    let (found, expected) = (weighted.report().facts, repeated.report().facts);
    for (name, value) in &expected {
        let numbers = |text: String| -> Vec<f64> {
            text.split(['[', ',', ']']).filter_map(|number| number.parse().ok()).collect()
        };
        for (found, expected) in numbers(found[name].to_string()).into_iter().zip(numbers(value.to_string()))
        {
            let near = (found - expected).abs() < 1e-10 * expected.abs().max(1.0);
            assert!(near || name == "residuals", "{what}, {name}: {found}, not {expected}");
        }
    }
    Ok(())
}

#[test]
fn a_weight_is_a_number_of_copies() -> Done {
    for (n, dim) in [(60, 5), (25, 40)] {
        let data = Data::new(n, dim)?;
        let (copies, first) = data.repeated()?;
        let new = Data::from_row(500, 9, dim)?.points;
        for method in methods() {
            let name = method.about().name;
            // The scatter of fewer rows than columns has no inverse, and its rank is decided by rounding.
            if name == "lda" && dim > n {
                continue;
            }
            let weighted = data.fit(&*method, Metric::Euclidean, true)?;
            let repeated = copies.fit(&*method, Metric::Euclidean, false)?;
            check(&*weighted, &*repeated, &first, &new, &format!("{name}, D = {dim}"))?;
            let plain = data.fit(&*method, Metric::Euclidean, false)?;
            let apart = (plain.embedding().coordinates() - weighted.embedding().coordinates()).norm_max();
            assert!(apart > 1e-3, "{name}: weights change nothing");
        }
    }
    Ok(())
}

/// Of kernel PCA by another metric and of given distances.
#[test]
fn kernels_of_distances_have_weights() -> Done {
    let data = Data::new(50, 4)?;
    let (copies, first) = data.repeated()?;
    let new = Data::from_row(500, 9, 4)?.points;
    for kernel in ["auto", "linear"] {
        let mut method = swissroll::method("kernel-pca").expect("listed");
        method.set_dyn("kernel", kernel)?;
        let weighted = data.fit(&*method, Metric::Manhattan, true)?;
        let repeated = copies.fit(&*method, Metric::Manhattan, false)?;
        check(&*weighted, &*repeated, &first, &new, kernel)?;
        let between = |rows: &PointSet| -> Result<Vec<f64>, Error> {
            let measured = Metric::Manhattan.prepare(rows.view())?;
            let n = rows.len();
            Ok((0..n * n).map(|at| measured.distance(at / n, at % n)).collect())
        };
        let distances = between(&data.points)?;
        let input = Input::from(DistanceMatrix::new(&distances, data.points.len())?);
        let given = method.fit_dyn(&input.with_row_weights(&data.weights))?;
        let apart = (given.embedding().coordinates() - weighted.embedding().coordinates()).norm_max();
        assert!(apart < 1e-10 * weighted.embedding().coordinates().norm_max(), "{kernel}: {apart}");
    }
    Ok(())
}

#[test]
fn methods_without_weights_name_the_others() -> Done {
    let data = Data::new(40, 4)?;
    let mut weighted = Vec::new();
    for method in swissroll::methods() {
        let name = method.about().name;
        if method.weighs_rows() {
            weighted.push(name);
            continue;
        }
        let refused = data.fit(&*method, Metric::Euclidean, true).err().expect("refused").to_string();
        assert!(refused.contains("has no weights of rows"), "{name}: {refused}");
        for other in WEIGHTED {
            assert!(refused.contains(other), "{name}: {refused}");
        }
    }
    weighted.sort_unstable();
    let mut expected = WEIGHTED;
    expected.sort_unstable();
    assert_eq!(weighted, expected);
    Ok(())
}

#[test]
fn what_is_no_weight_is_refused() -> Done {
    let data = Data::new(12, 3)?;
    let pca = swissroll::method("pca").expect("listed");
    let said = |weights: &[f64]| {
        let refused = pca.fit_dyn(&Input::from(&data.points).with_row_weights(weights));
        refused.err().expect("refused").to_string()
    };
    for weight in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300] {
        let mut weights = data.weights.clone();
        weights[7] = weight;
        let said = said(&weights);
        assert!(said.contains("in row 7") && said.contains("above 0"), "{said}");
    }
    assert!(said(&[1.0; 11]).contains("12, one per point"));
    assert!(said(&[0.05; 12]).contains("multiply all by a constant"));
    let lda = swissroll::method("lda").expect("listed");
    let input = Input::from(&data.points).with_labels(&data.classes).with_row_weights(&[0.2; 12]);
    assert!(lda.fit_dyn(&input).err().expect("refused").to_string().contains("the number of classes"));
    let scaling = swissroll::method("classical-mds").expect("listed");
    let refused = data.fit(&*scaling, Metric::Manhattan, true).err().expect("refused").to_string();
    assert!(refused.contains("kernel-pca with the linear kernel"), "{refused}");
    // A constant factor changes no map.
    let doubled: Vec<f64> = data.weights.iter().map(|weight| 2.5 * weight).collect();
    let one = data.fit(&*pca, Metric::Euclidean, true)?;
    let other = pca.fit_dyn(&Input::from(&data.points).with_row_weights(&doubled))?;
    let apart = (one.embedding().coordinates() - other.embedding().coordinates()).norm_max();
    assert!(apart < 1e-12, "{apart}");
    Ok(())
}
