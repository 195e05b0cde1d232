//! Which columns of the data drive a map.

use quality::drivers::{MapGradients, Unit};
use serde::{Deserialize, Serialize};

/// How the coordinates of a map change with the columns of its data, per standard deviation of a column.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct MapDrivers {
    /// The changes of each coordinate.
    pub axes: Vec<AxisDrivers>,
    /// The median fraction of the places of neighbors that local regressions predict, for neighbors left out;
    /// `None` for a linear map, whose changes are exact.
    pub certainty: Option<f64>,
    /// The fraction of each column that the map explains.
    pub explained: Vec<f64>,
}

/// The change of one coordinate per step of each column, in the mean over the points.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct AxisDrivers {
    /// The change with its sign.
    pub signed: Vec<f64>,
    /// The length of the change.
    pub lengths: Vec<f64>,
}

impl AxisDrivers {
    /// The changes of a coordinate of a map with these gradients.
    pub(crate) fn of(gradients: &MapGradients, axis: usize, unit: Unit) -> Self {
        Self { signed: gradients.of_axis(axis, unit), lengths: gradients.length_along_axis(axis, unit) }
    }
}

impl MapDrivers {
    /// Most points for which a run computes them.
    pub(crate) const MOST_POINTS: usize = 5000;
    /// Most values of the data for which it does.
    pub(crate) const MOST_VALUES: usize = 500_000;
}
