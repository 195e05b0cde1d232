//! Fits with a target dimension that the data can have.

use crate::{DynMethod, DynModel, Error, Input, Remedy};

/// A fit whose target dimension may have been lowered.
pub struct Lowered {
    /// The method that was fitted, with its target dimension.
    pub method: Box<dyn DynMethod>,
    /// Why its target dimension is lower than requested; `None` where it is not.
    pub reason: Option<Error>,
    /// The model, or the first error of the method where no dimension is possible.
    pub fitted: Result<Box<dyn DynModel>, Error>,
}

impl Lowered {
    /// The sentence about a lower dimension, for readers of the result.
    pub fn note(&self) -> Option<String> {
        let dim = dimension(self.method.as_ref())?;
        self.reason.as_ref().map(|reason| format!("the target dimension was lowered to {dim}: {reason}"))
    }
}

/// Fits a method with the largest target dimension, at most the method's own, that data and other parameters
/// allow: for a dimension that is a default. The rule is the same for all methods: as long as the fit refuses
/// the parameter `dim`, `dim` is lowered by one. [`DynMethod::fit_dyn`] refuses a dimension that is too high.
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
        && error.remedy() == Some(Remedy::Parameter("dim"))
        && let Some(dim) = dimension(lower.as_ref()).filter(|dim| *dim > 1)
        && lower.set_dyn("dim", &(dim - 1).to_string()).is_ok()
    {
        reason.get_or_insert_with(|| error.clone());
        fitted = lower.fit_dyn(input);
    }
    match (fitted, reason) {
        (Err(_), Some(first)) => Lowered { method: method.boxed(), reason: None, fitted: Err(first) },
        (fitted, reason) => Lowered { method: lower, reason, fitted },
    }
}

/// The target dimension of a method that has one.
fn dimension(method: &dyn DynMethod) -> Option<usize> {
    method.parameters().iter().find(|info| info.name == "dim")?.value.parse().ok()
}
