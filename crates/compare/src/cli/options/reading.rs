//! Options of reading files of points.

use clap::{Args, ValueEnum};
use datasets::files::{ColumnWeights, Given, MixedRows};
use embedding::mixed::MixedColumns;
use embedding::{Error, Metric};

use super::values::pair;
use crate::Failure;

/// How files of points are read.
#[derive(Args, Clone, Debug, Default, PartialEq)]
#[group(skip)]
#[command(next_help_heading = "Reading files")]
pub(in crate::cli) struct ReadingOptions {
    /// The encoding of text files: windows-1252 as programs on Windows write in languages of Western
    /// Europe [default: utf-8, or utf-16 with its byte-order mark]
    #[arg(long, value_name = "ENCODING", value_enum)]
    pub(in crate::cli) encoding: Option<TextEncoding>,
    /// Whether the first row of a text file names the columns [default: auto]
    #[arg(long, value_name = "WHEN", value_enum)]
    pub(in crate::cli) header: Option<Header>,
    /// The file has a column per point and a row per coordinate
    #[arg(long)]
    pub(in crate::cli) transpose: bool,
    /// Leave out this many lines at the start of a text file, such as titles; `sep=;`, and comment lines
    /// that begin with # or %, are left out by themselves
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(in crate::cli) skip_rows: usize,
    /// How many rows the header of a text file has: the first names the columns, the others, such as
    /// units, are left out [default: 1, or the 3 rows of a file of Orange]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, conflicts_with = "header")]
    pub(in crate::cli) header_rows: usize,
    /// Numbers have decimal commas, as in 1,5; cells then have semicolons or tabs between them
    #[arg(long)]
    pub(in crate::cli) decimal_comma: bool,
    /// The sign between the thousands of numbers, as in 1,234; without the option, signs that cannot be decimal
    /// signs are left out, with a note
    #[arg(long, value_name = "SIGN", value_enum)]
    pub(in crate::cli) thousands: Option<ThousandsSign>,
    /// Columns that are no coordinates: names, or numbers counted from 0
    #[arg(long, value_delimiter = ',', value_name = "COLUMNS")]
    pub(in crate::cli) ignore: Vec<String>,
    /// The column that holds a class per row: a name, or a number counted from 0
    #[arg(long, value_name = "COLUMN")]
    pub(in crate::cli) label_column: Option<String>,
    /// Columns of numbers or dates that are no coordinates, by which maps are colored: names, or
    /// numbers counted from 0; a name that contains a comma must be given by its number
    #[arg(long, value_delimiter = ',', value_name = "COLUMNS")]
    pub(in crate::cli) color_column: Vec<String>,
    /// The column that holds a name per row, which pictures of one map, the page and maps that are
    /// written as text have: a name, or a number counted from 0; of a folder of pictures, whose rows
    /// are in alphabetical order, `file`
    #[arg(long, value_name = "COLUMN")]
    pub(in crate::cli) name_column: Option<String>,
    /// Leave out rows with missing values, or fill in 0, or the mean or the median of the column, which
    /// `transform` refuses, or keep the gaps for the metrics gower and nan-euclidean; a note names the rows that are left out, and --report of `embed` and `neighbors`
    /// lists all of them
    #[arg(long, value_name = "HOW", value_enum)]
    pub(in crate::cli) missing: Option<MissingValues>,
    /// Further words and numbers that stand for missing values, such as `unknown` or `-999`
    #[arg(long, value_delimiter = ',', value_name = "VALUES", allow_hyphen_values = true)]
    pub(in crate::cli) missing_values: Vec<String>,
    /// Leave out columns of words that have no other use, replace each by a column per category, which
    /// is 1 in its rows and 0 in others, or compare them by the metric gower
    #[arg(long, value_name = "HOW", value_enum)]
    pub(in crate::cli) categories: Option<WordColumns>,
    /// Columns of 0 and 1, or of false and true, whose common zeros do not count for --metric gower: names, or
    /// numbers counted from 0
    #[arg(long, value_delimiter = ',', value_name = "COLUMNS")]
    pub(in crate::cli) asymmetric: Vec<String>,
    /// Read columns of dates as days since 1970-01-01, with the time of day as a fraction
    #[arg(long)]
    pub(in crate::cli) dates_as_days: bool,
    /// The order of the numbers of dates: 2021-03-04, 04.03.2021 or 03/04/2021 [default: year-first]
    #[arg(long, value_name = "ORDER", value_enum)]
    pub(in crate::cli) date_order: Option<OrderOfDates>,
    /// Leave out rows whose values are all 0, which have no cosine or correlation with others; a note
    /// names them, and --report of `embed` and `neighbors` lists all of them
    #[arg(long)]
    pub(in crate::cli) drop_zero_rows: bool,
    /// Shift each column to mean 0 and divide it by its standard deviation
    #[arg(long)]
    pub(in crate::cli) standardize: bool,
    /// Weights of columns in distances, where others have 1: `NAME=W,NAME=W`, with names or numbers counted
    /// from 0, or a file with a column and its weight, separated by a comma, on each line
    #[arg(long, value_name = "WEIGHTS")]
    pub(in crate::cli) weights: Option<String>,
    /// Resize the pictures of a folder to this size in pixels
    #[arg(long, value_name = "HEIGHTxWIDTH", value_parser = image_size)]
    pub(in crate::cli) image_size: Option<[usize; 2]>,
    /// Read the pictures of a folder in color, not in gray
    #[arg(long)]
    pub(in crate::cli) color: bool,
    /// The weights that were read, for a metric.
    #[arg(skip)]
    pub(in crate::cli) weighted: Option<ColumnWeights>,
    /// The metric for which rows are encoded.
    #[arg(skip)]
    pub(in crate::cli) mixed: Option<MixedRows>,
    /// The column of `--weight-column`, which few commands have.
    #[arg(skip)]
    pub(in crate::cli) weight_column: Option<String>,
    /// The columns of `--with`, which few commands have.
    #[arg(skip)]
    pub(in crate::cli) carried: Vec<String>,
    /// The column of `--target-column`, which few commands have.
    #[arg(skip)]
    pub(in crate::cli) target: Option<String>,
    /// What the file holds, as the command says.
    #[arg(skip)]
    pub(in crate::cli) given: Given,
}

/// `--with` of the commands that write maps.
#[derive(Args, Clone, Debug, Default)]
#[group(skip)]
pub(in crate::cli) struct With {
    /// Write with the map the number of each row of the input, its name and its class where these are read,
    /// and these columns: names, or numbers counted from 0; the output must be text or .npz
    #[arg(long, value_delimiter = ',', value_name = "COLUMNS")]
    pub(in crate::cli) with: Vec<String>,
}

impl With {
    /// The options of reading that keep these columns.
    pub(in crate::cli) fn reading(&self, reading: &ReadingOptions) -> ReadingOptions {
        ReadingOptions { carried: self.with.clone(), ..reading.clone() }
    }
}

impl ReadingOptions {
    /// Whether any of them was given.
    pub(in crate::cli) fn given(&self) -> bool {
        self.drop_zero_rows || self.needs_zeros()
    }

    /// The same for a metric, and the columns of a model that compares rows by it. Metrics of mixed columns keep
    /// gaps, and gower reads words as categories, unless other options are given.
    pub(in crate::cli) fn for_metric(
        &self,
        metric: Metric,
        known: Option<MixedColumns>,
    ) -> Result<Self, Failure> {
        let weighted = self.weighted_by(metric)?;
        if !self.asymmetric.is_empty() && metric != Metric::Gower {
            return Err(Failure::usage(format!(
                "--asymmetric needs --metric gower, which leaves out common zeros of such columns, but --metric is {metric}"
            )));
        }
        if !metric.is_mixed() {
            return Ok(Self { weighted, ..self.clone() });
        }
        if self.standardize {
            return Err(Failure::usage(match metric {
                Metric::Gower => {
                    "--standardize has no effect on gower, which divides numbers by their ranges"
                }
                _ => {
                    "--standardize needs all values, which nan-euclidean does not; choose gower, which divides numbers by their ranges"
                }
            }));
        }
        if metric == Metric::NanEuclidean && self.categories == Some(WordColumns::Gower) {
            return Err(Failure::usage(
                "--categories gower needs --metric gower; nan-euclidean compares numbers",
            ));
        }
        let categories = if metric == Metric::Gower { Some(WordColumns::Gower) } else { None };
        Ok(Self {
            categories: self.categories.or(categories),
            missing: self.missing.or(Some(MissingValues::Keep)),
            mixed: Some(MixedRows { metric, known }),
            weighted,
            ..self.clone()
        })
    }

    /// The weights of the columns for a metric.
    fn weighted_by(&self, metric: Metric) -> Result<Option<ColumnWeights>, Failure> {
        let Some(text) = &self.weights else { return Ok(None) };
        if !ColumnWeights::applies(metric) {
            return Err(Failure::usage(format!(
                "--weights needs a metric with a term per column: euclidean, manhattan, chebyshev, minkowski:P, gower or \
                 nan-euclidean, but --metric is {metric}"
            )));
        }
        let pairs: Vec<String> = match text.contains('=') {
            true => text.split(',').map(str::to_owned).collect(),
            false => {
                let read = std::fs::read_to_string(text);
                let content =
                    read.map_err(|error| Error::file(text, format!("cannot be read as weights: {error}")))?;
                content
                    .trim_start_matches('\u{feff}')
                    .lines()
                    .filter(|line| !line.trim().is_empty())
                    .map(str::to_owned)
                    .collect()
            }
        };
        let pair = |pair: &String| {
            let (name, weight) = pair.rsplit_once(['=', ','])?;
            let weight =
                weight.trim().parse().ok().filter(|weight: &f64| weight.is_finite() && *weight > 0.0)?;
            Some((name.trim().to_owned(), weight))
        };
        let columns = pairs.iter().map(|text| {
            pair(text).ok_or_else(|| {
                Failure::usage(format!(
                    "--weights must be columns with weights above 0, such as age=2,size=0.5, but one is `{text}`; a \
                     column without weight is left out by --ignore"
                ))
            })
        });
        Ok(Some(ColumnWeights { columns: columns.collect::<Result<_, _>>()?, metric }))
    }

    /// Refuses options by which a model and the points that are read would have different units or values.
    pub(in crate::cli) fn check_for_model(&self) -> Result<(), Failure> {
        if self.standardize {
            return Err(Failure::usage(
                "--standardize belongs to `compare embed`: its model puts points into the units of its own data",
            ));
        }
        if self.weights.is_some() {
            return Err(Failure::usage("--weights belongs to `compare embed`: its model keeps the weights"));
        }
        if !self.asymmetric.is_empty() {
            return Err(Failure::usage(
                "--asymmetric belongs to `compare embed`: its model keeps such columns",
            ));
        }
        if let Some(value) = self.missing.and_then(MissingValues::of_data) {
            return Err(Failure::usage(format!(
                "--missing {value} would take the {value}s of the points that are read, not the {value}s of the model; use \
                 --missing drop",
            )));
        }
        Ok(())
    }

    /// Fails where an option needs a metric of mixed columns.
    pub(in crate::cli) fn check(&self) -> Result<(), Failure> {
        let problem = match self {
            Self { weights: Some(_), weighted: None, .. } => {
                "--weights needs points of embed, run, neighbors, measure, plan, choose, dimension or lab; models keep theirs"
            }
            Self { mixed: Some(_), .. } => return Ok(()),
            Self { asymmetric, .. } if !asymmetric.is_empty() => {
                "--asymmetric needs --metric gower, which leaves out common zeros of such columns"
            }
            Self { categories: Some(WordColumns::Gower), .. } => {
                "--categories gower needs --metric gower, which compares categories; other choices are ignore and indicators"
            }
            Self { missing: Some(MissingValues::Keep), .. } => {
                "--missing keep needs --metric gower or nan-euclidean, which compare rows with gaps; other choices are drop, mean, median and zero"
            }
            _ => return Ok(()),
        };
        Err(Failure::usage(problem))
    }

    /// Whether any option was given that requires all values of sparse points.
    pub(in crate::cli) fn needs_zeros(&self) -> bool {
        let Self {
            drop_zero_rows: _,
            given: _,
            encoding,
            header,
            transpose,
            skip_rows,
            header_rows,
            decimal_comma,
            thousands,
            ignore,
            label_column,
            color_column,
            name_column,
            missing,
            missing_values,
            categories,
            asymmetric,
            dates_as_days,
            date_order,
            standardize,
            image_size,
            color,
            weights,
            weighted: _,
            mixed: _,
            weight_column,
            carried,
            target,
        } = self;
        encoding.is_some()
            || header.is_some()
            || *transpose
            || *skip_rows > 0
            || *header_rows > 0
            || *decimal_comma
            || thousands.is_some()
            || !ignore.is_empty()
            || label_column.is_some()
            || !color_column.is_empty()
            || name_column.is_some()
            || missing.is_some()
            || !missing_values.is_empty()
            || categories.is_some()
            || !asymmetric.is_empty()
            || weights.is_some()
            || *dates_as_days
            || date_order.is_some()
            || *standardize
            || image_size.is_some()
            || *color
            || weight_column.is_some()
            || !carried.is_empty()
            || target.is_some()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum TextEncoding {
    #[value(name = "utf-8")]
    Utf8,
    #[value(name = "windows-1252", alias = "cp1252")]
    Windows1252,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ThousandsSign {
    Comma,
    Point,
    Space,
    Apostrophe,
    Underscore,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Header {
    Auto,
    Yes,
    No,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum MissingValues {
    Drop,
    Mean,
    Median,
    Zero,
    Keep,
}

impl MissingValues {
    /// The name of the value, where it depends on the data that are read.
    fn of_data(self) -> Option<&'static str> {
        match self {
            Self::Mean => Some("mean"),
            Self::Median => Some("median"),
            Self::Drop | Self::Zero | Self::Keep => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum WordColumns {
    Ignore,
    Indicators,
    Gower,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum OrderOfDates {
    #[value(name = "year-first")]
    Year,
    #[value(name = "day-first")]
    Day,
    #[value(name = "month-first")]
    Month,
}

fn image_size(text: &str) -> Result<[usize; 2], String> {
    pair(text).ok_or_else(|| "must be height and width in pixels, such as 32x32".to_owned())
}
