//! Columns of numbers, categories and gaps.

use serde::{Deserialize, Serialize};

use crate::implement::{Validate, require};
use crate::points::check_rows;
use crate::{Error, Metric, PointSet};

/// The columns of a table for the metrics `gower` and `nan-euclidean`: the kind and the weight of each.
///
/// Values are one number per column: the number itself, for a category its position among the names,
/// and NaN for a gap. [`MixedColumns::encode`] writes them as rows that [`Metric::Gower`] and
/// [`Metric::NanEuclidean`] read. Such a row has 2 D finite numbers, D scaled values and D signed
/// weights, which are no coordinates. Rows that are compared must be encoded by the same columns: the
/// ranges of the training data hold for new rows.
///
/// ```
/// use embedding::{Metric, mixed::MixedColumns};
/// // A number, and a category with the names `red` and `blue`; the last row lacks its number.
/// let values = [1.0, 0.0, 3.0, 1.0, f64::NAN, 1.0];
/// let names = vec![Vec::new(), vec!["red".to_owned(), "blue".to_owned()]];
/// let columns = MixedColumns::of(&values, &names)?;
/// let rows = columns.encode(Metric::Gower, &values)?;
/// let measured = Metric::Gower.prepare(rows.view())?;
/// assert_eq!([measured.distance(0, 1), measured.distance(1, 2)], [1.0, 0.0]);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MixedColumns {
    columns: Vec<MixedColumn>,
}

/// A column of a mixed table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MixedColumn {
    /// What its values are.
    pub kind: ColumnKind,
    /// Its weight, above 0.
    pub weight: f64,
}

/// What the values of a column are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ColumnKind {
    /// Numbers, or ranks of ordered categories, with their smallest and largest value.
    Number {
        /// The smallest value.
        low: f64,
        /// The largest value.
        high: f64,
    },
    /// Categories without an order, or truth values, with their names. Any value that is no position among the
    /// names is one more category.
    Category {
        /// The names.
        names: Vec<String>,
    },
    /// 1 where something is present and 0 where it is absent: two rows without it are not compared by the column,
    /// as by R's `daisy` with `type = list(asymm = …)`.
    Asymmetric,
}

impl MixedColumns {
    /// The columns of a table of weight 1 each, with the ranges of its numbers. `names` holds a list per
    /// column: the names of its categories, or no name for a column of numbers. O(n D).
    ///
    /// Fails where values are infinite, where a row is incomplete, and with [`Error::Degenerate`] where a column
    /// holds no value.
    pub fn of(values: &[f64], names: &[Vec<String>]) -> Result<Self, Error> {
        let dim = names.len();
        check_shape(values, dim)?;
        let column = |(c, names): (usize, &Vec<String>)| {
            let present = || values.iter().skip(c).step_by(dim).copied().filter(|value| !value.is_nan());
            if present().next().is_none() {
                return Err(Error::degenerate(
                    format!("column {c} (counted from 0) holds no value"),
                    "leave it out",
                ));
            }
            let kind = match names.is_empty() {
                true => ColumnKind::Number {
                    low: present().fold(f64::INFINITY, f64::min),
                    high: present().fold(f64::NEG_INFINITY, f64::max),
                },
                false => ColumnKind::Category { names: names.clone() },
            };
            Ok(MixedColumn { kind, weight: 1.0 })
        };
        Ok(Self { columns: names.iter().enumerate().map(column).collect::<Result<_, _>>()? })
    }

    /// The same columns with other weights, one per column.
    ///
    /// Fails with [`Error::Shape`] for another number of weights, and with [`Error::Parameter`] unless each is
    /// above 0 and finite.
    pub fn with_weights(mut self, weights: &[f64]) -> Result<Self, Error> {
        check_weights(weights, self.columns.len())?;
        self.columns.iter_mut().zip(weights).for_each(|(column, weight)| column.weight = *weight);
        Ok(self)
    }

    /// The same columns with asymmetric ones among them, by their numbers from 0. These hold 1 and 0, and common
    /// zeros of two rows do not count.
    ///
    /// Fails with [`Error::Parameter`] for a column that does not exist or is not of numbers from 0 to 1. Other
    /// numbers than 0 and 1 are refused by [`MixedColumns::encode`].
    pub fn with_asymmetric(mut self, columns: &[usize]) -> Result<Self, Error> {
        for &at in columns {
            match self.columns.get_mut(at) {
                Some(MixedColumn {
                    kind: kind @ ColumnKind::Number { low: 0.0..=1.0, high: 0.0..=1.0 },
                    ..
                }) => {
                    *kind = ColumnKind::Asymmetric;
                }
                Some(MixedColumn { kind: ColumnKind::Asymmetric, .. }) => {}
                _ => {
                    let got = format!("column {at} (counted from 0)");
                    return Err(Error::parameter("an asymmetric column", ASYMMETRIC, got));
                }
            }
        }
        Ok(self)
    }

    /// The columns, in order.
    pub fn columns(&self) -> &[MixedColumn] {
        &self.columns
    }

    /// The number of columns, D.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Always false: there is at least one column.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// Whether all columns are numbers, as [`Metric::NanEuclidean`] requires.
    pub fn are_numbers(&self) -> bool {
        self.columns.iter().all(|column| matches!(column.kind, ColumnKind::Number { .. }))
    }

    /// Fails where an asymmetric column holds another number than 0 and 1.
    fn check_asymmetric(&self, values: &[f64]) -> Result<(), Error> {
        let is_other = |(at, value): (usize, &f64)| {
            let asymmetric = self.columns[at % self.len()].kind == ColumnKind::Asymmetric;
            (asymmetric && *value != 0.0 && *value != 1.0 && !value.is_nan()).then_some((at, *value))
        };
        match values.iter().enumerate().find_map(is_other) {
            None => Ok(()),
            Some((at, value)) => {
                let place = format!("{value} in row {}, column {}", at / self.len(), at % self.len());
                Err(Error::parameter("an asymmetric column", ASYMMETRIC, format!("{place} (counted from 0)")))
            }
        }
    }

    /// Rows of values, D per row, as rows of 2 D numbers for `metric`. For [`Metric::Gower`] a number x becomes
    /// w (x − low) / (high − low), so that a new number outside of the range of the training data has a
    /// difference above w; where all numbers of the training data are equal, any other number differs by w.
    /// For [`Metric::NanEuclidean`] it becomes √w x. O(n D).
    ///
    /// Fails for another metric, where a row is incomplete, where a value is infinite, where an asymmetric
    /// column holds another number than 0 and 1, and for [`Metric::NanEuclidean`] unless all columns are numbers.
    pub fn encode(&self, metric: Metric, values: &[f64]) -> Result<PointSet, Error> {
        let dim = self.columns.len();
        check_shape(values, dim)?;
        if metric == Metric::NanEuclidean && !self.are_numbers() {
            return Err(Error::degenerate(
                "nan-euclidean distances need numbers, but a column holds categories or is asymmetric",
                "choose the metric gower, leave the column out, or make it a column of 0 and 1 per category",
            ));
        }
        self.check_asymmetric(values)?;
        let write: fn(&MixedColumn, f64) -> [f64; 2] = match metric {
            Metric::Gower => MixedColumn::gower,
            Metric::NanEuclidean => MixedColumn::nan_euclidean,
            other => return Err(Error::parameter("the metric", "gower or nan-euclidean", other)),
        };
        let mut rows = Vec::with_capacity(2 * values.len());
        let mut weights = vec![0.0; dim];
        for row in values.chunks_exact(dim) {
            for ((column, value), weight) in self.columns.iter().zip(row).zip(&mut weights) {
                let [written, signed] = write(column, *value);
                rows.push(written);
                *weight = signed;
            }
            rows.extend_from_slice(&weights);
        }
        PointSet::new(rows, 2 * dim)
    }
}

/// What the values of an asymmetric column must be.
const ASYMMETRIC: &str = "a column of 0 and 1 (or false and true)";

/// The position that stands for the zeros of an asymmetric column; positions of categories are not negative.
pub(crate) const ABSENT: f64 = -1.0;

impl MixedColumn {
    /// A value and its weight: positive for a number, negative for a category, 0 for a gap.
    fn gower(&self, value: f64) -> [f64; 2] {
        let weight = self.weight;
        match &self.kind {
            _ if value.is_nan() => [0.0, 0.0],
            ColumnKind::Number { low, high } => {
                // Halves do not overflow.
                let (above, range) = (0.5 * value - 0.5 * low, 0.5 * high - 0.5 * low);
                let part = if range > 0.0 { above / range } else { f64::from(above.total_cmp(&0.0) as i8) };
                let part = if above == 0.0 { 0.0 } else { part };
                [weight * part, weight]
            }
            ColumnKind::Category { names } => {
                let known = value >= 0.0 && value < names.len() as f64;
                [if known { value } else { names.len() as f64 }, -weight]
            }
            ColumnKind::Asymmetric => [if value == 0.0 { ABSENT } else { 1.0 }, -weight],
        }
    }

    /// A value times the root of its weight, and the weight: negative for a gap.
    fn nan_euclidean(&self, value: f64) -> [f64; 2] {
        if value.is_nan() { [0.0, -self.weight] } else { [self.weight.sqrt() * value, self.weight] }
    }
}

/// Fails unless there is a weight for each of `columns`, above 0 and finite.
pub fn check_weights(weights: &[f64], columns: usize) -> Result<(), Error> {
    if weights.len() != columns {
        return Err(Error::Shape {
            what: "the number of weights",
            expected: format!("{columns}, one per column"),
            got: weights.len().to_string(),
        });
    }
    match weights.iter().find(|weight| !(weight.is_finite() && **weight > 0.0)) {
        None => Ok(()),
        Some(weight) => {
            let requirement = "above 0 and finite (a column without weight is left out of the data)";
            Err(Error::parameter("the weight of a column", requirement, weight))
        }
    }
}

/// Fails unless the values are whole rows of `dim` columns without an infinite value.
fn check_shape(values: &[f64], dim: usize) -> Result<(), Error> {
    check_rows(values.len(), dim)?;
    match values.iter().position(|value| value.is_infinite()) {
        None => Ok(()),
        Some(at) => Err(Error::NotFinite { row: at / dim, column: at % dim, value: values[at] }),
    }
}

impl Validate for MixedColumns {
    fn validate(&self) -> Result<(), Error> {
        require(!self.columns.is_empty(), "it has no column")?;
        let weights: Vec<f64> = self.columns.iter().map(|column| column.weight).collect();
        require(check_weights(&weights, weights.len()).is_ok(), "the weight of a column is not above 0")?;
        let holds = |column: &MixedColumn| match &column.kind {
            ColumnKind::Number { low, high } => low.is_finite() && high.is_finite() && low <= high,
            ColumnKind::Category { names } => !names.is_empty(),
            ColumnKind::Asymmetric => true,
        };
        require(self.columns.iter().all(holds), "the range or the categories of a column are empty")
    }
}
