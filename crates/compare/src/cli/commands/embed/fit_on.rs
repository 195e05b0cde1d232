//! `--fit-on`: a fit to a sample of the rows, whose model places the others.

use datasets::files::Table;
use embedding::implement::{Division, Scale};
use embedding::{
    DynMethod, DynModel, Embedding, Error, Input, Labels, MemoryLimit, Metric, Observer, PointSet, Points,
};
use figure::number::part;
use quality::shape::{Reflection, Similarity};
use serde_json::json;

use crate::results::MethodResults;

/// One of this many rows is left out of the second fit.
const LEFT_OUT: usize = 5;

/// Rows drawn from a table.
pub(in crate::cli) struct Sample {
    pub(in crate::cli) points: PointSet,
    /// Their classes, where they are known.
    pub(in crate::cli) labels: Option<Vec<Option<u32>>>,
    /// Their continuous target, NaN where it is unknown.
    pub(in crate::cli) targets: Option<Vec<f64>>,
    /// The distance between the points.
    metric: Metric,
}

/// The distance between the places of rows in two fits, as a root mean square divided by the
/// root mean square of the map. One fit includes the rows; the other leaves some of them out.
struct Extension {
    /// The distance for the rows left out.
    left_out: f64,
    /// The distance for the rows in both fits, whose places differ, too.
    common: f64,
}

impl Sample {
    /// Draws rows, stratified by the labels of the table where there are any; `classes` are
    /// those that are known, `targets` the continuous target.
    pub(in crate::cli) fn draw(
        table: &Table,
        (classes, targets): (Option<&[Option<u32>]>, Option<&[f64]>),
        count: usize,
        seed: u64,
        metric: Metric,
    ) -> Result<Self, Error> {
        let rows = table.sample_rows(count, seed)?;
        Ok(Self {
            points: table.points.view().select(&rows),
            labels: classes.map(|classes| Labels::Some(classes).select(&rows)),
            targets: targets.map(|targets| rows.iter().map(|&row| targets[row as usize]).collect()),
            metric,
        })
    }

    /// Places all rows by the model of the sample, and records the error of that in `row`.
    pub(in crate::cli) fn place(
        &self,
        all: Points<'_>,
        (method, fitted): (&dyn DynMethod, &dyn DynModel),
        (memory, observer): (MemoryLimit, &dyn Observer),
        row: &mut MethodResults,
    ) -> Result<Embedding, Error> {
        observer.stage("placement");
        let placed = fitted.transform(all)?;
        observer.stage("second fit");
        let n = self.points.view().len();
        let error = match self.extension(method, fitted.embedding(), memory, observer) {
            Ok(Extension { left_out, common }) => {
                row.facts.insert("extension_error".to_owned(), json!(left_out));
                row.facts.insert("extension_common_rows".to_owned(), json!(common));
                format!(
                    "rows left out of a second fit lie {} of the map's radius from their places in this one, and rows of \
                     both fits {}: where the first is hardly larger, new rows are placed as well as fitted ones; where \
                     both are near 100 %, the two maps have nothing in common",
                    part(left_out),
                    part(common)
                )
            }
            Err(Error::Cancelled) => return Err(Error::Cancelled),
            Err(error) => format!("the error of that is not known, since a second fit failed: {error}"),
        };
        row.notes.push(format!("fitted to {n} of {} rows; the model places the others; {error}", all.len()));
        Ok(placed)
    }

    /// Compares the map with a second fit to all but the last fifth of the sample.
    fn extension(
        &self,
        method: &dyn DynMethod,
        map: &Embedding,
        memory: MemoryLimit,
        observer: &dyn Observer,
    ) -> Result<Extension, Error> {
        let points = self.points.view();
        let n = points.len();
        let kept: Vec<u32> = (0..(n - n.div_ceil(LEFT_OUT)) as u32).collect();
        let common = points.select(&kept);
        let mut input = Input::from(common.view())
            .with_metric(self.metric)
            .with_memory_limit(memory)
            .with_observer(observer);
        if let Some(labels) = &self.labels {
            input = input.with_partial_labels(&labels[..kept.len()]);
        }
        if let Some(targets) = &self.targets {
            input = input.with_targets(&targets[..kept.len()]);
        }
        let second = method.fit_dyn(&input)?.transform(points)?;
        let first = PointSet::from_mat(map.coordinates())?;
        // A component policy may have left rows of the sample out of the map.
        let rows = map.placed_rows().map_or_else(|| (0..n as u32).collect(), <[u32]>::to_vec);
        let second = PointSet::from_mat(second.coordinates())?.view().select(&rows);
        let (first, second) = (first.view(), second.view());
        let (both, left_out): (Vec<u32>, Vec<u32>) =
            (0..first.len() as u32).partition(|&at| (rows[at as usize] as usize) < kept.len());
        if left_out.is_empty() {
            let problem = "the map has none of the rows that the second fit leaves out";
            return Err(Error::degenerate(problem, "give a larger --fit-on"));
        }
        let align = Similarity::between(
            first.select(&both).view(),
            second.select(&both).view(),
            Reflection::Allowed,
        )?;
        let moved = align.apply(second)?;
        let radius = radius(first)?;
        let away = |at: &u32| -> f64 {
            let at = *at as usize;
            first.row(at).iter().enumerate().map(|(j, x)| ((x - moved[(at, j)]) / radius).powi(2)).sum()
        };
        let mean = |rows: &[u32]| rows.iter().map(away).sum::<f64>() / rows.len() as f64;
        Ok(Extension { left_out: mean(&left_out).sqrt(), common: mean(&both).sqrt() })
    }
}

/// The root mean square distance to the mean.
pub(in crate::cli) fn radius(points: Points<'_>) -> Result<f64, Error> {
    let scale = Scale::of_points(points, Division::SQUARES);
    let n = points.len() as f64;
    scale.divided(points, |points| {
        let variance = |j: usize| {
            let mean = points.rows().map(|row| row[j]).sum::<f64>() / n;
            points.rows().map(|row| (row[j] - mean).powi(2)).sum::<f64>() / n
        };
        Ok(scale.times((0..points.dim()).map(variance).sum::<f64>().sqrt()))
    })
}
