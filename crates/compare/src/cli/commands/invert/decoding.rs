//! The decoding of places by `compare invert`, with its error.

use datasets::Dataset;
use datasets::files::Scaling;
use embedding::{Error, PointSet, Points, Transform};
use regression::{KernelRidge, LeaveOut, LeftOut, LocalBarycentric, Regressor, Width};

use super::arguments::{Inverse, Invert};
use crate::Failure;
use crate::cli::context::Context;
use crate::cli::files::saved_model::SavedModel;

/// The parts of a decoding.
pub(super) struct Decoding<'a> {
    pub(super) options: &'a Invert,
    pub(super) context: &'a Context,
    pub(super) map: Points<'a>,
    pub(super) places: Points<'a>,
    /// The units of the model, in which errors are stated.
    pub(super) scaling: Option<&'a Scaling>,
}

impl Decoding<'_> {
    /// The decoded rows, and the error on points left out, where it is measured.
    pub(super) fn decode(
        &self,
        inverse: Inverse,
        model: Option<&SavedModel>,
        data: Option<&Dataset>,
    ) -> Result<(PointSet, Option<LeftOut>), Failure> {
        let Invert { k, reg, width, ridge, .. } = *self.options;
        let data = || match data {
            Some(data) => Ok(data.points.view()),
            None => Err(Failure::usage(format!("{} needs the data of the map: --input", inverse.name()))),
        };
        match inverse {
            Inverse::Linear => self.linear(model),
            Inverse::Barycentric => self.learned(&LocalBarycentric { k, regularization: reg }, data()?),
            Inverse::KernelRidge => {
                let (width, memory_limit) = (Width::Spacing(width), self.context.memory);
                self.learned(&KernelRidge { width, ridge, memory_limit }, data()?)
            }
        }
    }

    /// Refuses rows of this many columns that exceed the memory limit, by columns and by rows.
    fn allow(&self, columns: usize) -> Result<(), Error> {
        let needed = 2 * 8 * self.places.len() as u64 * columns as u64;
        self.context.memory.allow("the decoded rows", needed, "decode fewer places, or allow more memory")
    }

    /// By a function learned from the map to the data, with its error on points left out.
    fn learned<R: Regressor>(
        &self,
        recipe: &R,
        data: Points<'_>,
    ) -> Result<(PointSet, Option<LeftOut>), Failure> {
        let Invert { folds, seed, .. } = *self.options;
        let (map, observer) = (self.map, &self.context.progress);
        self.allow(data.dim())?;
        let fitted = recipe.fit(map, data.as_mat(), observer)?;
        let decoded = PointSet::from_mat(fitted.transform(self.places)?.coordinates())?;
        // Every column is learned separately, so that the errors are errors of the same function.
        let scaled = self.scaling.map(|scaling| scaling.apply(data)).transpose()?;
        let targets = scaled.as_ref().map_or(data, PointSet::view);
        let error = LeaveOut { folds, seed }.errors(recipe, map, targets.as_mat(), observer)?;
        Ok((decoded, Some(error)))
    }

    /// By the pseudo-inverse of a saved linear map, in the units of the data.
    fn linear(&self, model: Option<&SavedModel>) -> Result<(PointSet, Option<LeftOut>), Failure> {
        let model = model.ok_or_else(|| Failure::usage("--inverse linear needs --model"))?;
        self.allow(model.fitted.linear_map().map_or(0, |map| map.origin.len()))?;
        let Some(decoded) = model.fitted.invert(self.places)? else {
            return Err(Failure::usage(format!(
                "a model of {} is no linear map; decode by its data: --input DATA with --places or --grid",
                model.method
            )));
        };
        Ok((PointSet::from_mat(decoded.coordinates())?, None))
    }
}
