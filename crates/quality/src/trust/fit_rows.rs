//! Fits to other rows under the conditions of an input.

use embedding::{DynMethod, DynModel, Error, Input, Rows};

/// The model of some rows. The fit has metric, observer and memory limit of the input, and searches its own
/// neighbors.
pub(super) fn fit_rows(
    method: &dyn DynMethod,
    input: &Input<'_>,
    rows: Rows<'_>,
    (labels, targets): (Option<&[Option<u32>]>, Option<&[f64]>),
) -> Result<Box<dyn DynModel>, Error> {
    let mut own = match rows {
        Rows::Dense(points) => Input::from(points),
        Rows::Sparse(points) => Input::from(points),
    }
    .with_metric(input.metric())
    .with_observer(input.observer())
    .with_memory_limit(input.memory_limit());
    if let Some(labels) = labels {
        own = own.with_partial_labels(labels);
    }
    if let Some(targets) = targets {
        own = own.with_targets(targets);
    }
    method.fit_dyn(&own)
}
