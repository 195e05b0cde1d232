//! Fits with a target dimension that the data can have.

use crate::{DynMethod, DynModel, Error, Input, Remedy};

/// A fit whose target dimension may have been lowered.
pub struct Lowered {
    /// The method that was fitted, with its target dimension.
    pub method: Box<dyn DynMethod>,
    /// Why its target dimension is lower than requested; `None` where it is not.
    pub reason: Option<Error>,
    /// The model, or the first error of the method where no dimension is possible. A lowered fit that exceeds the
    /// memory limit or is cancelled ends with its own error.
    pub fitted: Result<Box<dyn DynModel>, Error>,
}

impl Lowered {
    /// The sentence about a lower dimension, for readers of the result.
    pub fn note(&self) -> Option<String> {
        let dim = dimension(self.method.as_ref())?;
        self.reason.as_ref().map(|reason| format!("the target dimension was lowered to {dim}: {reason}"))
    }
}

/// Fits a method with the largest target dimension, at most the method's own, that the data allow: for a
/// dimension that is a default. Where the fit refuses `dim`, and the sizes of the data are the reason, `dim` is
/// lowered to their limit; where the values are the reason (LDA, whose class means span fewer dimensions), by
/// one at a time. A limit that depends on other parameters, such as the number of neighbors, is an error.
///
/// ```
/// use embedding::{DynMethod, Input};
/// # fn demo(method: &dyn DynMethod, input: &Input<'_>) -> Result<(), embedding::Error> {
/// let lowered = embedding::implement::fit_lowered(method, input);
/// if let Some(note) = lowered.note() {
///     println!("{note}");
/// }
/// println!("{} dimensions", lowered.fitted?.embedding().dim());
/// # Ok(())
/// # }
/// ```
pub fn fit_lowered(method: &dyn DynMethod, input: &Input<'_>) -> Lowered {
    let mut lower = method.boxed();
    let mut fitted = method.fit_dyn(input);
    let mut reason = None;
    while let Err(error) = &fitted
        && let Some(dim) = allowed(lower.as_ref(), error, input)
        && lower.set_dyn("dim", &dim.to_string()).is_ok()
    {
        reason.get_or_insert_with(|| error.clone());
        fitted = lower.fit_dyn(input);
    }
    match (fitted, reason) {
        (Err(error @ (Error::Memory { .. } | Error::Cancelled)), reason @ Some(_)) => {
            Lowered { method: lower, reason, fitted: Err(error) }
        }
        (Err(_), Some(first)) => Lowered { method: method.boxed(), reason: None, fitted: Err(first) },
        (fitted, reason) => Lowered { method: lower, reason, fitted },
    }
}

/// A lower target dimension that the data may allow, where a fit refuses the present one.
fn allowed(method: &dyn DynMethod, error: &Error, input: &Input<'_>) -> Option<usize> {
    if error.remedy() != Some(Remedy::Parameter("dim")) {
        return None;
    }
    let dim = dimension(method)?;
    let limit = match error {
        Error::Degenerate { .. } => dim.checked_sub(1)?,
        _ => {
            let at = method.parameters().iter().position(|info| info.name == "dim")?;
            method.limits_of_data(input)[at]?.high? as usize
        }
    };
    (1..dim).contains(&limit).then_some(limit)
}

/// The target dimension of a method that has one.
fn dimension(method: &dyn DynMethod) -> Option<usize> {
    method.parameters().iter().find(|info| info.name == "dim")?.value.parse().ok()
}
