//! The columns that drive each map of a run, where columns have names.

use datasets::Dataset;
use embedding::{Embedding, Error, Input, Transform};
use quality::drivers::{Drivers, Unit, explained_columns};

use crate::dataset_source::DatasetSource;
use crate::results::{AxisDrivers, MapDrivers};

/// The data of a source if the columns that drive its maps are computed: their columns have names, and they are
/// not too large.
pub(super) fn described(source: &DatasetSource) -> Option<&Dataset> {
    let data = &source.data;
    let (n, columns) = (data.points.len(), data.points.dim());
    let named = columns > 0 && data.column_names.len() == columns && source.columns() == columns;
    let small = n <= MapDrivers::MOST_POINTS && n * columns <= MapDrivers::MOST_VALUES;
    (named && small).then_some(data)
}

/// The columns that drive a map that `model` made of the points of `input`: exact for linear models, else by
/// local regressions in neighborhoods by the metric of the input.
pub(super) fn drivers(
    model: &dyn Transform,
    map: &Embedding,
    input: &Input<'_>,
) -> Result<MapDrivers, Error> {
    let gradients = Drivers::default().of_model(model, map, input)?;
    let axis = |axis| AxisDrivers::of(&gradients, axis, Unit::Deviation);
    Ok(MapDrivers {
        axes: (0..gradients.dim()).map(axis).collect(),
        certainty: gradients.penalty().map(|_| gradients.median_certainty()),
        explained: explained_columns(map, input)?.local().to_vec(),
    })
}
