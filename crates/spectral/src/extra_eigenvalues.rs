//! Eigenvalues in addition to the requested pairs, for observers that request them.

use embedding::{Error, Observer};

use crate::progress::Pulse;

/// Reports the values of an eigenproblem of order n, followed by the further ones that `find`
/// computes, given their number, if the observer requests any. A failure of `find` does not fail
/// the fit, which does not need the further values; a cancellation does.
pub(crate) fn report_spectrum(
    observer: &dyn Observer,
    values: &[f64],
    n: usize,
    find: impl FnOnce(usize, &dyn Observer) -> Result<Vec<f64>, Error>,
) -> Result<(), Error> {
    let asked = observer.further_eigenvalues();
    if asked == 0 {
        return Ok(());
    }
    let mut values = values.to_vec();
    let asked = asked.min(n - values.len());
    if asked > 0 {
        match find(asked, &Pulse::last(observer)) {
            Err(Error::Cancelled) => return Err(Error::Cancelled),
            found => values.extend(found.unwrap_or_default().into_iter().take(asked)),
        }
    }
    observer.spectrum(&values);
    Ok(())
}
