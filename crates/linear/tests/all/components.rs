//! Theorems about independent component analysis.

use embedding::{Error, Fitted, Method, Model, PointSet, Status};
use faer::Mat;
use linear::{Algorithm, Contrast, FastIca, Pca};
use testkit::cases::{Case, cloud};
use testkit::structure::distance_gap;

/// Three independent columns: uniform, two-valued, exponential.
fn sources() -> Case {
    cloud(3000, 3, 1).mapped(|r| {
        let uniform = [r[0] / 2.0, r[1] / 1.5, r[2] * 0.75];
        vec![uniform[0], if uniform[1] < 0.4 { 1.0 } else { -1.0 }, -uniform[2].max(1e-9).ln()]
    })
}

fn mixtures() -> Case {
    sources().mapped(|s| {
        vec![4.0 * s[0] + s[1], 2.0 * s[0] + s[1] - s[2], 4.0 * s[0] + s[1] + 2.0 * s[2], 3.0 * s[0] + s[2]]
    })
}

fn recipes() -> impl Iterator<Item = FastIca> {
    [Contrast::LogCosh, Contrast::Exp, Contrast::Cube].into_iter().flat_map(|contrast| {
        [Algorithm::Parallel, Algorithm::Deflation].map(|algorithm| FastIca {
            dim: 3,
            contrast,
            algorithm,
            tolerance: 1e-10,
            ..FastIca::default()
        })
    })
}

/// Correlation of two columns.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
    let (p, q) = (mean(a), mean(b));
    let dot =
        |x: &[f64], p: f64, y: &[f64], q: f64| x.iter().zip(y).map(|(x, y)| (x - p) * (y - q)).sum::<f64>();
    dot(a, p, b, q) / (dot(a, p, a, p) * dot(b, q, b, q)).sqrt()
}

fn column(rows: std::slice::ChunksExact<'_, f64>, j: usize) -> Vec<f64> {
    rows.map(|row| row[j]).collect()
}

#[test]
fn mixed_sources_are_recovered() -> Result<(), Error> {
    let (sources, mixed) = (sources(), mixtures());
    let pca = Pca { dim: 3, ..Pca::default() }.fit(mixed.view())?;
    let worst = |y: &embedding::Embedding| {
        let best = |j: usize| {
            let source = column(sources.view().rows(), j);
            (0..3).map(|c| correlation(&source, &column(y.rows(), c)).abs()).fold(0.0, f64::max)
        };
        (0..3).map(best).fold(1.0, f64::min)
    };
    assert!(worst(pca.embedding()) < 0.95, "principal components are mixtures");
    for recipe in recipes() {
        let fitted = recipe.fit(mixed.view())?;
        assert!(matches!(fitted.status(), Status::Converged { .. }), "{recipe:?}");
        let found = worst(fitted.embedding());
        assert!(found > 0.99, "{recipe:?}: a source is recovered with correlation {found}");
    }
    Ok(())
}

#[test]
fn coordinates_are_uncorrelated_with_variance_one_and_mix_to_the_data() -> Result<(), Error> {
    let mixed = mixtures();
    let n = mixed.len();
    for recipe in recipes() {
        let fitted = recipe.fit(mixed.view())?;
        let y = fitted.embedding().coordinates();
        let covariance = y.transpose() * y * faer::Scale(1.0 / n as f64);
        assert!((covariance - Mat::<f64>::identity(3, 3)).norm_max() < 1e-9, "{recipe:?}");
        assert!((0..3).all(|j| y.col(j).iter().sum::<f64>().abs() < 1e-8));
        // Four columns of rank three: nothing is lost.
        let back = y * fitted.mixing()?.transpose();
        let gap =
            Mat::from_fn(n, 4, |i, j| back[(i, j)] + fitted.mean()[j] - mixed.view().row(i)[j]).norm_max();
        assert!(gap < 1e-9, "{recipe:?}: {gap:e}");
        assert!(fitted.distances_from_normal().is_sorted_by(|a, b| a >= b), "{recipe:?}");
    }
    Ok(())
}

/// With as many components as columns, the whole space is whitened, and directions in small units are not
/// taken for rounding. With fewer components, principal directions as short are refused.
#[test]
fn units_of_the_columns_do_not_matter_for_as_many_components() -> Result<(), Error> {
    let scaled = sources().mapped(|s| vec![1e8 * (s[0] + s[1]), s[1], 1e-8 * (s[2] - s[0])]);
    let fitted = FastIca { dim: 3, ..FastIca::default() }.fit(scaled.view())?;
    let source = column(sources().view().rows(), 1);
    let best = (0..3).map(|c| correlation(&source, &column(fitted.embedding().rows(), c)).abs());
    assert!(best.fold(0.0, f64::max) > 0.99);
    let refused = FastIca { dim: 2, ..FastIca::default() }.fit(scaled.view()).map(drop);
    assert!(refused.is_err_and(|e| e.to_string().contains("scale the columns")));
    Ok(())
}

/// E[z G′(w·z)] − E[G″(w·z)] w is parallel to w at a fixed point of one vector.
#[test]
fn the_result_is_a_fixed_point() -> Result<(), Error> {
    let mixed = mixtures();
    let fitted = FastIca { dim: 3, tolerance: 1e-12, ..FastIca::default() }.fit(mixed.view())?;
    let y = fitted.embedding();
    // In coordinates y every w is an axis: the matrix E[y_j G′(y_i)] is symmetric.
    let moment =
        |i: usize, j: usize| y.rows().map(|row| row[j] * row[i].tanh()).sum::<f64>() / y.len() as f64;
    let curvature = |i: usize| y.rows().map(|row| 1.0 - row[i].tanh().powi(2)).sum::<f64>() / y.len() as f64;
    for i in 0..3 {
        for j in 0..i {
            // The step is (α_i e_i + …); its symmetric orthogonal factor is the identity up to signs.
            let (a, b) = (moment(i, j), moment(j, i));
            let (p, q) = (moment(i, i) - curvature(i), moment(j, j) - curvature(j));
            assert!((a * q.signum() - b * p.signum()).abs() < 1e-5, "{i}, {j}: {a} and {b}");
        }
    }
    Ok(())
}

#[test]
fn seeds_lead_to_the_same_components() -> Result<(), Error> {
    let mixed = mixtures();
    let recipe = FastIca { dim: 3, tolerance: 1e-12, ..FastIca::default() };
    let first = recipe.fit(mixed.view())?;
    for seed in 1..5 {
        let other = FastIca { seed, ..recipe }.fit(mixed.view())?;
        let gap = (first.directions() - other.directions()).norm_max() / first.directions().norm_max();
        assert!(gap < 1e-5, "seed {seed}: {gap:e}");
    }
    Ok(())
}

#[test]
fn data_of_any_scale_have_the_same_components() -> Result<(), Error> {
    let mixed = mixtures();
    let recipe = FastIca { dim: 3, ..FastIca::default() };
    let plain = recipe.fit(mixed.view())?;
    for exponent in [498, -498] {
        let scaled = mixed.mapped(|r| r.iter().map(|v| v * 2_f64.powi(exponent)).collect());
        let fitted = recipe.fit(scaled.view())?;
        assert!(distance_gap(plain.embedding(), fitted.embedding(), 1.0) < 1e-9, "2^{exponent}");
        assert!(fitted.mixing()?.norm_max().is_finite());
    }
    Ok(())
}

#[test]
fn ica_reports_lack_of_convergence_and_refuses_degenerate_data() -> Result<(), Error> {
    let mixed = mixtures();
    let short = FastIca { dim: 3, tolerance: 1e-12, max_iterations: 2, ..FastIca::default() };
    for algorithm in [Algorithm::Parallel, Algorithm::Deflation] {
        let fitted = FastIca { algorithm, ..short }.fit(mixed.view())?;
        assert_eq!(fitted.status(), Status::IterationLimit { iterations: 2 }, "{algorithm}");
        assert!(fitted.notes()[0].contains("did not converge in 2 iterations"), "{:?}", fitted.notes());
    }
    // Four columns that span three dimensions.
    let refused = FastIca { dim: 4, ..FastIca::default() }.fit(mixed.view()).map(drop);
    assert!(refused.is_err_and(|e| e.to_string().contains("span 3 dimensions")));
    let constant = PointSet::new(vec![0.1; 60], 3)?;
    assert!(FastIca::default().fit(&constant).is_err());
    Ok(())
}
