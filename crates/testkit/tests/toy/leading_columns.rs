//! A method in the fewest lines: the first columns of the data.

use embedding::implement::{Division, Fact, Validate};
use embedding::{
    About, DataKind, Embedding, Error, Explanation, Fitted, Input, Method, Model, Points, Recipe, Rows,
    TrainingRows, Transform,
};
use serde::{Deserialize, Serialize};

/// The first columns of the data as coordinates.
///
#[doc = include_str!("leading_columns.md")]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct LeadingColumns {
    /// Target dimension d.
    #[param(default = 2, range = "1 to D")]
    pub(crate) dim: usize,
    /// Factor of the columns, s. With 1 the map has the unit of the data.
    #[param(default = 1.0, range = "above 0")]
    pub(crate) stretch: f64,
}

impl Method for LeadingColumns {
    type Fitted = FittedLeadingColumns;

    const ABOUT: About = About {
        name: "leading-columns",
        title: "Leading columns",
        summary: "Takes the first columns of the data.",
        preserves: "the first columns",
        cost: "time n d",
        new_points: "the same columns; interpolates: near a training row it tends to the row's position",
        accepts: &[DataKind::Points],
        needs_labels: false,
        least_points: 1,
        explanation: Explanation::new(include_str!("leading_columns.md")),
    };

    const DIVISION: Option<Division> = None;

    fn fit_input(&self, input: &Input<'_>) -> Result<FittedLeadingColumns, Error> {
        let points = input.require_points()?;
        let Self { dim, stretch } = *self;
        Ok(FittedLeadingColumns { embedding: leading(points, dim, stretch), columns: points.dim(), stretch })
    }
}

fn leading(points: Points<'_>, dim: usize, stretch: f64) -> Embedding {
    let values = points.rows().flat_map(|row| row[..dim].iter().map(|x| stretch * x)).collect();
    Embedding::from_rows(values, dim)
}

/// The map, and what new rows need.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct FittedLeadingColumns {
    embedding: Embedding,
    columns: usize,
    stretch: f64,
}

impl Model for FittedLeadingColumns {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

impl Transform for FittedLeadingColumns {
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        rows.place_dense(known, |new, _| {
            new.check_columns(self.columns)?;
            Ok(leading(new, self.embedding.dim(), self.stretch))
        })
    }
}

impl Fitted for FittedLeadingColumns {
    fn facts() -> Vec<Fact<Self>> {
        Vec::new()
    }
}

impl Validate for FittedLeadingColumns {
    fn validate(&self) -> Result<(), Error> {
        self.embedding.validate()
    }
}
