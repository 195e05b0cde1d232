//! Maps of iterative scaling lie along their principal axes.

use embedding::{Error, Method, Model};
use faer::MatRef;
use mds::{NonmetricMds, Sammon, Smacof, Start};
use testkit::cases::cloud;

/// Fails unless columns have mean 0, are uncorrelated, and have descending variances.
fn along_principal_axes(name: &str, y: MatRef<'_, f64>) {
    let scatter = y.transpose() * y;
    for a in 0..y.ncols() {
        let mean = y.col(a).iter().sum::<f64>() / y.nrows() as f64;
        assert!(mean.abs() < 1e-12 * y.norm_max(), "{name}, column {a}: mean {mean}");
        assert!(a == 0 || scatter[(a, a)] <= scatter[(a - 1, a - 1)], "{name}: variances {a}");
        for b in 0..a {
            assert!(scatter[(a, b)].abs() < 1e-12 * scatter[(0, 0)], "{name}: columns {a} and {b}");
        }
    }
}

/// After one step from random coordinates, whose mean is not 0.
#[test]
fn maps_lie_along_their_principal_axes() -> Result<(), Error> {
    let (case, start, max_iterations) = (cloud(60, 4, 3), Start::Random { seed: 2, runs: 1 }, 1);
    let points = case.view();
    let metric = Smacof { dim: 3, start, max_iterations, ..Smacof::default() };
    along_principal_axes("metric", metric.fit(points)?.embedding().coordinates());
    let ordinal = NonmetricMds { dim: 3, start, max_iterations, ..NonmetricMds::default() };
    along_principal_axes("non-metric", ordinal.fit(points)?.embedding().coordinates());
    let sammon = Sammon { dim: 3, start, max_iterations, ..Sammon::default() };
    along_principal_axes("Sammon", sammon.fit(points)?.embedding().coordinates());
    Ok(())
}
