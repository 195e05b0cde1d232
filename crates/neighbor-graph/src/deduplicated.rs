//! The fit of the distinct rows, for methods that have no components.

use std::ops::Deref;

use embedding::implement::{Fact, Scale, Validate, require};
use embedding::{
    Embedding, Error, Fitted, Input, LinearMap, Method, Model, NewNeighbors, PerPoint, PointSet, Points,
    Rows, TrainingRows, Transform,
};
use serde::{Deserialize, Serialize};

use crate::Duplicates;
use crate::components::transform::columns_of;
use crate::copies::{self, Copies};

/// The fit of a method that embeds all points at once: its model, which is of the distinct points
/// where copies were merged, and the embedding of all rows.
///
/// It is used as the model that it contains. The values per point of that model belong to
/// the distinct points, in the order of their first rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Deduplicated<M> {
    model: M,
    /// Where copies were merged.
    rows: Option<AllRows>,
}

/// All rows of an input in which some rows are copies.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct AllRows {
    embedding: Embedding,
    /// The distinct point of each row.
    of: Vec<u32>,
    /// The first row of each distinct point; increasing.
    first: Vec<u32>,
    /// Whether the model is of distances, so that new rows have a column per input row.
    by_distances: bool,
}

/// The fit of a method to all rows of an input, or to its distinct points. `fit` receives the
/// input to fit and, where rows were merged, which rows are copies.
///
/// The class of a distinct point is the class of its copies; it is unknown where they have
/// different classes.
///
/// Fails where too few points differ for the method's parameters, and as `fit` does.
pub fn fit_deduplicated<M: Method, F: Model>(
    method: &M,
    policy: Duplicates,
    input: &Input<'_>,
    fit: impl FnOnce(&Input<'_>, Option<&Copies>) -> Result<F, Error>,
) -> Result<Deduplicated<F>, Error> {
    let copies = match policy {
        Duplicates::Merge => Copies::of(input),
        Duplicates::Keep => None,
    };
    let Some(copies) = copies else { return Ok(Deduplicated { model: fit(input, None)?, rows: None }) };
    let distinct = copies.distinct(input, method.neighborhood(copies.rows.len()))?;
    let all_rows = copies.observer(input.observer());
    let distinct = distinct.input(input)?.with_observer(&all_rows);
    method.check(method.sizes(&distinct)).map_err(|error| of_distinct(error, &copies))?;
    let model = fit(&distinct, Some(&copies))?;
    let by_distances = input.distances().is_some();
    let Copies { of, rows: first } = copies;
    let embedding = spread(model.embedding(), &of);
    Ok(Deduplicated { model, rows: Some(AllRows { embedding, of, first, by_distances }) })
}

/// Adds the meaning of n to the requirement of a parameter.
fn of_distinct(error: Error, copies: &Copies) -> Error {
    let (distinct, all) = (copies.rows.len(), copies.of.len());
    match error {
        Error::Parameter { name, requirement, got } => Error::Parameter {
            name,
            requirement: format!(
                "{requirement} with n = {distinct}, the number of distinct points among {all}"
            ),
            got,
        },
        other => other,
    }
}

/// Gives each row the coordinates of its distinct point.
fn spread(own: &Embedding, of: &[u32]) -> Embedding {
    let values = of.iter().flat_map(|&at| own.row(at as usize)).copied().collect();
    Embedding::from_rows(values, own.dim()).with_spectrum(own.spectrum().to_vec())
}

impl<M> Deduplicated<M> {
    /// The model, of the distinct points where copies were merged.
    pub fn model(&self) -> &M {
        &self.model
    }

    /// The model by value.
    pub fn into_model(self) -> M {
        self.model
    }

    /// The number of rows that are merged copies of an earlier row.
    pub fn copies(&self) -> usize {
        self.rows.as_ref().map_or(0, |rows| rows.of.len() - rows.first.len())
    }
}

impl AllRows {
    /// The distinct point of each row that is left out; `None` for a row with copies, which stay.
    fn distinct(&self, left_out: &[Option<u32>]) -> Vec<Option<u32>> {
        let mut count = vec![0_usize; self.first.len()];
        self.of.iter().for_each(|&at| count[at as usize] += 1);
        let find = |row: &Option<u32>| {
            let at = *self.of.get((*row)? as usize)?;
            (count[at as usize] == 1).then_some(at)
        };
        left_out.iter().map(find).collect()
    }
}

impl<M> Deref for Deduplicated<M> {
    type Target = M;

    fn deref(&self) -> &M {
        &self.model
    }
}

impl<M: Model> Model for Deduplicated<M> {
    fn embedding(&self) -> &Embedding {
        self.rows.as_ref().map_or_else(|| self.model.embedding(), |rows| &rows.embedding)
    }
}

impl<M: Transform> Transform for Deduplicated<M> {
    fn place(&self, new: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        known.check(new.len())?;
        let Some(rows) = self.rows.as_ref() else { return self.model.place(new, known) };
        let left_out = match known {
            TrainingRows::LeftOut(left_out) => Some(rows.distinct(left_out)),
            TrainingRows::Stored | TrainingRows::Extended => None,
        };
        let known = left_out.as_deref().map_or(known, TrainingRows::LeftOut);
        if !rows.by_distances {
            return self.model.place(new, known);
        }
        new.place_dense(known, |new, known| {
            let own = columns_of(new, &rows.first, rows.of.len())?;
            self.model.place(own.view().into(), known)
        })
    }

    /// Lists do not show copies, so that the model is of all rows.
    fn place_listed(&self, new: &NewNeighbors, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        self.model.place_listed(new, known)
    }

    fn lists_among(&self) -> Option<usize> {
        self.model.lists_among()
    }

    fn invert(&self, places: Points<'_>) -> Result<Option<Embedding>, Error> {
        self.model.invert(places)
    }

    fn linear_map(&self) -> Option<LinearMap> {
        self.model.linear_map()
    }

    /// Merged copies have the curvature of their distinct point.
    fn curvatures(&self) -> Result<Option<Vec<f64>>, Error> {
        let own = self.model.curvatures()?;
        Ok(match &self.rows {
            None => own,
            Some(rows) => own.map(|own| rows.of.iter().map(|&at| own[at as usize]).collect()),
        })
    }
}

impl<M: Fitted> Fitted for Deduplicated<M> {
    /// The facts of the model, and the number of copies.
    fn facts() -> Vec<Fact<Self>> {
        let within = |fact: Fact<M>| fact.within(|fitted: &Self| Some(&fitted.model));
        M::facts().into_iter().map(within).chain([copies::fact(Self::copies)]).collect()
    }

    fn training_points(&self) -> Result<Option<PointSet>, Error> {
        let own = self.model.training_points()?;
        Ok(match &self.rows {
            None => own,
            Some(rows) => own.map(|own| own.view().select(&rows.of)),
        })
    }

    fn multiplied(self, scale: Scale) -> Result<Self, Error> {
        let model = self.model.multiplied(scale)?;
        let rows = self.rows.map(|rows| AllRows { embedding: spread(model.embedding(), &rows.of), ..rows });
        Ok(Self { model, rows })
    }

    fn notes(&self) -> Vec<String> {
        copies::note(self.copies()).into_iter().chain(self.model.notes()).collect()
    }

    fn per_point(&self) -> Vec<PerPoint> {
        let mut all = self.model.per_point();
        if let Some(rows) = &self.rows {
            for PerPoint { values, .. } in &mut all {
                *values = rows.of.iter().map(|&at| values[at as usize]).collect();
            }
        }
        all
    }
}

impl<M: Model + Validate> Validate for Deduplicated<M> {
    /// The model by itself, and that the rows are copies of its points.
    fn validate(&self) -> Result<(), Error> {
        self.model.validate()?;
        let Some(AllRows { embedding, of, first, .. }) = &self.rows else { return Ok(()) };
        let own = self.model.embedding();
        // Distinct points are numbered by their first rows.
        let mut found: Vec<u32> = Vec::new();
        for (row, &at) in of.iter().enumerate() {
            require((at as usize) <= found.len(), "its copies are not of its rows")?;
            if at as usize == found.len() {
                found.push(row as u32);
            }
        }
        require(found == *first && first.len() == own.len(), "its rows are not the rows of its points")?;
        require(
            spread(own, of) == *embedding,
            "the coordinates of copies differ from the coordinates of their points",
        )
    }
}
