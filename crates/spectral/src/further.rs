//! Eigenvalues beyond those of the requested pairs, for observers that ask for them.

use embedding::{Error, Observer};

/// Reports the values of an eigenproblem of order n and those behind them that `find` returns
/// for their number, if the observer asks for any.
pub(crate) fn report_spectrum(
    observer: &dyn Observer,
    values: &[f64],
    n: usize,
    find: impl FnOnce(usize) -> Result<Vec<f64>, Error>,
) {
    let asked = observer.further_eigenvalues();
    if asked == 0 {
        return;
    }
    let mut values = values.to_vec();
    let asked = asked.min(n - values.len());
    if asked > 0 {
        // The map does not need them, so that a failure is none of the fit.
        values.extend(find(asked).unwrap_or_default().into_iter().take(asked));
    }
    observer.spectrum(&values);
}
