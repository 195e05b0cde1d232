//! Saved models.

use std::fs;
use std::path::Path;

use datasets::RowNames;
use datasets::files::{Scaling, Table};
use embedding::mixed::MixedColumns;
use embedding::{DynMethod, DynModel, Error, Metric};
use swissroll::saved::columns::{self, Columns};
use swissroll::saved::recipe::{self, FitSettings};
use swissroll::saved::{mixed, standardized};

/// A saved model, with what is known of its data.
pub(in crate::cli) struct SavedModel {
    /// The model itself.
    pub(in crate::cli) fitted: Box<dyn DynModel>,
    /// The name of its method.
    pub(in crate::cli) method: &'static str,
    /// How the columns of its data were standardized, where they were.
    pub(in crate::cli) scaling: Option<Scaling>,
    /// The kinds of the columns of its data, where these have categories and gaps.
    pub(in crate::cli) mixed: Option<MixedColumns>,
    /// The columns of its data, where they have names.
    pub(in crate::cli) columns: Option<Columns>,
    /// The parameters of the fit, where they are stored.
    pub(in crate::cli) fit: Option<FitSettings>,
}

impl SavedModel {
    /// Reads a file that `compare embed --save` has written.
    pub(in crate::cli) fn read(path: &Path) -> Result<Self, Error> {
        let file = |problem: String| Error::file(path.display(), problem);
        let bytes = fs::read(path).map_err(|error| file(format!("cannot be read: {error}")))?;
        let refused = |error: Error| file(error.to_string());
        let (bytes, fit) = recipe::load(bytes).map_err(refused)?;
        let (bytes, columns) = columns::load(bytes).map_err(refused)?;
        let scaling = standardized::scaling(&bytes).map_err(refused)?;
        let mixed = mixed::columns(&bytes).map_err(refused)?;
        let (method, fitted) = swissroll::load(&bytes).map_err(refused)?;
        Ok(Self { fitted, method: method.about().name, scaling, mixed, columns, fit })
    }

    /// Fails for a model of rows with categories and gaps, which have no coordinates for a command.
    pub(in crate::cli) fn require_coordinates(&self, command: &str) -> Result<(), Error> {
        if self.mixed.is_none() {
            return Ok(());
        }
        Err(Error::degenerate(
            format!(
                "`{command}` reads coordinates, but the model compares rows with categories or gaps by {}",
                self.metric()
            ),
            "fit a model of numbers: --categories indicators or ignore, and --missing mean, of embed",
        ))
    }

    /// The parameters of its fit. Fails where an earlier version wrote the model without them.
    pub(in crate::cli) fn settings(&self) -> Result<&FitSettings, String> {
        self.fit.as_ref().ok_or_else(|| {
            "it does not have the parameters of its fit; write it by `compare embed --save` of this version".to_owned()
        })
    }

    /// The metric of its neighbors; Euclidean where it has none.
    pub(in crate::cli) fn metric(&self) -> Metric {
        let facts = self.fitted.report().facts;
        facts.get("metric").and_then(|fact| fact.as_str()?.parse().ok()).unwrap_or_default()
    }
}

/// The bytes of a model, with the units and the columns of the table that it was fitted to, the parameters of the
/// fit, and the names of the rows.
pub(in crate::cli) fn bytes(
    method: &dyn DynMethod,
    fitted: &dyn DynModel,
    table: Option<&Table>,
    names: Option<&RowNames>,
) -> Result<Vec<u8>, Error> {
    let scaling = table.and_then(|table| table.scaling.as_ref());
    let known = || {
        let table = table?;
        let names = table.columns.as_deref()?;
        if table.mixed.is_some() {
            return Some(Columns { names: names.to_vec(), ranges: Vec::new() });
        }
        let known = Columns::new(names, table.points.view());
        Some(match scaling {
            Some(scaling) => known.unscaled(scaling),
            None => known,
        })
    };
    let model = match (scaling, table.and_then(|table| table.mixed.as_ref())) {
        (Some(scaling), _) => standardized::save(fitted.save()?, scaling)?,
        (None, Some(columns)) => mixed::save(fitted.save()?, columns)?,
        (None, None) => fitted.save()?,
    };
    let model = columns::save(model, known().as_ref())?;
    let fit = FitSettings::of(method, fitted)?;
    recipe::save(model, Some(&FitSettings { names: names.cloned(), ..fit }))
}
