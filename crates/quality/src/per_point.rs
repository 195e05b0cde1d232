//! The list of measures per point: name, meaning, range, direction and computation of each.

use embedding::{Error, Points};

use crate::angle_error::angle_error_of_rows;
use crate::local_procrustes::local_procrustes_of_rows;
use crate::local_scale::local_scale_of_rows;
use crate::{Better, Context, RowSample};

/// A value per point for the quality of an embedding around it.
#[derive(Clone, Copy)]
pub struct PointMeasure {
    /// The stable name, unique among [`point_measures`].
    pub name: &'static str,
    /// The fault of the map where the values are bad, as a short phrase.
    pub title: &'static str,
    /// What is measured, as a noun phrase.
    pub meaning: &'static str,
    /// The measure of the whole embedding that is the mean of the values, by its name in
    /// [`measures`](crate::measures); `None` where there is no such measure.
    pub mean: Option<&'static str>,
    /// The smallest value.
    pub low: f64,
    /// The largest value; `None` where any number is possible.
    pub high: Option<f64>,
    /// Which values are better; `None` where neither direction is.
    pub better: Option<Better>,
    compute: Compute,
}

type Compute = fn(&Context<'_>, Points<'_>) -> Result<Option<Vec<Option<f64>>>, Error>;

impl PointMeasure {
    /// The values of an embedding, one row per point of the context. `None` where the
    /// measure does not apply: the context has a sample of rows, a neighborhood size
    /// outside the range of the rank measures, or no neighborhood in which the measure is
    /// defined. The value of a single point is `None` where it is undefined there alone.
    ///
    /// Fails when the sizes differ.
    pub fn values(
        &self,
        context: &Context<'_>,
        embedding: Points<'_>,
    ) -> Result<Option<Vec<Option<f64>>>, Error> {
        if context.rows != RowSample::All {
            return Ok(None);
        }
        match (self.compute)(context, embedding) {
            Err(Error::Degenerate { .. } | Error::TooFewPoints { .. }) => Ok(None),
            other => other,
        }
    }
}

/// Every measure per point, in the order in which they are listed.
pub fn point_measures() -> &'static [PointMeasure] {
    &POINT_MEASURES
}

static POINT_MEASURES: [PointMeasure; 5] = [
    PointMeasure {
        name: "trustworthiness",
        title: "false neighbors",
        meaning: "fraction of the point's neighbors in the embedding that are neighbors in the data, by ranks",
        mean: Some("trustworthiness"),
        low: 0.0,
        high: Some(1.0),
        better: Some(Better::Higher),
        compute: |c, y| {
            let ranks = c.ranks()?.map(|ranks| ranks.trustworthiness_of_rows(y, c.k)).transpose()?;
            Ok(ranks.map(everywhere))
        },
    },
    PointMeasure {
        name: "continuity",
        title: "tears",
        meaning: "fraction of the point's neighbors in the data that are neighbors in the embedding, by ranks",
        mean: Some("continuity"),
        low: 0.0,
        high: Some(1.0),
        better: Some(Better::Higher),
        compute: |c, y| {
            let ranks = c.ranks()?.map(|ranks| ranks.continuity_of_rows(y, c.k)).transpose()?;
            Ok(ranks.map(everywhere))
        },
    },
    PointMeasure {
        name: "angle_error",
        title: "angle error",
        meaning: "mean change of the angles of the point's neighborhood triangles, in degrees",
        mean: Some("angle_error"),
        low: 0.0,
        high: Some(120.0),
        better: Some(Better::Lower),
        compute: |c, y| angle_error_of_rows(c.data, y, c.neighbors, RowSample::All).map(Some),
    },
    PointMeasure {
        name: "local_procrustes",
        title: "local misfit",
        meaning: "residual of the point's neighborhood after a rotation, a translation and a scaling",
        mean: Some("local_procrustes"),
        low: 0.0,
        high: Some(1.0),
        better: Some(Better::Lower),
        compute: |c, y| local_procrustes_of_rows(c.data, y, c.neighbors, RowSample::All).map(Some),
    },
    PointMeasure {
        name: "local_scale",
        title: "local scale",
        meaning: "factor by which the embedding multiplies lengths around the point",
        mean: None,
        low: 0.0,
        high: None,
        better: None,
        compute: |c, y| local_scale_of_rows(c.data, y, c.neighbors, RowSample::All).map(Some),
    },
];

fn everywhere(values: Vec<f64>) -> Vec<Option<f64>> {
    values.into_iter().map(Some).collect()
}
