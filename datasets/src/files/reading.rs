//! How a file of points is read.

use embedding::MemoryLimit;

use super::encoding::Encoding;
use super::mixed::MixedRows;
use super::pictures::Color;
use super::weights::ColumnWeights;

/// Options of reading points. Columns of `true` and `false` alone are read as 1 and 0. Messages name them as the command line of
/// `compare` does: `--label-column` for [`Reading::label_column`].
///
/// ```no_run
/// use datasets::files::{Missing, Reading};
/// let reading = Reading {
///     ignore: vec!["id".to_owned()],
///     label_column: Some("species".to_owned()),
///     missing: Missing::Drop,
///     ..Reading::default()
/// };
/// let table = reading.read("iris.csv".as_ref())?;
/// println!("{} rows, {} classes", table.points.len(), table.labels.map_or(0, |labels| labels.classes.len()));
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Reading {
    /// What a file holds: coordinates, or distances or similarities between the points.
    pub given: Given,
    /// The encoding of text files, including label files.
    pub encoding: Encoding,
    /// Whether the first row of a text file holds the names of the columns.
    pub header: HeaderRow,
    /// Whether the file has a column per point and a row per coordinate. In a text file names of rows and of
    /// columns change places.
    pub transpose: bool,
    /// How many lines at the start of a text file are no part of its table, such as titles.
    pub skip_rows: usize,
    /// How many rows the header of a text file has. The first holds the names of the columns; the others, such
    /// as units, are left out. 0: one row or none, as [`Reading::header`] says, or the three rows of a file of
    /// Orange, whose roles are used.
    pub header_rows: usize,
    /// Whether numbers of a text file have decimal commas, as in `1,5`, and no points; cells then
    /// have semicolons or tabs between them.
    pub decimal_comma: bool,
    /// The sign between the thousands of the numbers of a text file, as in `1,234`. Without it, signs between
    /// thousands are left out in columns in which they cannot be decimal signs and all numbers have them from
    /// 1,000 on, with a note; so are percent signs in columns in which all numbers have one.
    pub thousands: Option<Thousands>,
    /// Names of coordinates. Where the header of a text file has each of them once, columns without another
    /// use are left out, and a note lists them. Otherwise, and without names, this has no effect. The
    /// coordinates keep the order of the file.
    pub coordinates: Vec<String>,
    /// Columns that are no coordinates: names of the header, or numbers counted
    /// from 0.
    pub ignore: Vec<String>,
    /// The column that holds a class per row (a name, or a number counted from
    /// 0); it is no coordinate.
    pub label_column: Option<String>,
    /// Columns of numbers that are no coordinates, by which maps are colored (names, or numbers
    /// counted from 0). Missing values in them stay missing, whatever [`Reading::missing`] is.
    pub color_columns: Vec<String>,
    /// The column that holds a weight per row (a name, or a number counted from 0), which
    /// [`Table::row_weights`](super::Table::row_weights) then has; it is no coordinate.
    pub weight_column: Option<String>,
    /// The column of a continuous target (a name, or a number counted from 0): the first of the
    /// [`Table::quantities`](super::Table::quantities), with gaps as these.
    pub target_column: Option<String>,
    /// The column that holds a name per row (a name, or a number counted from 0); it is no
    /// coordinate.
    pub name_column: Option<String>,
    /// Columns whose cells are kept as text, to be written with a map (names, or numbers counted from 0). They
    /// are coordinates all the same unless they have another use.
    pub carried: Vec<String>,
    /// The label in the label column that stands for an unknown class, which
    /// [`Labels::unknown`](crate::Labels::unknown) is then. Its rows have a label, even where the word (`?`, say)
    /// stands for a missing value otherwise.
    pub unknown_label: Option<String>,
    /// What happens to coordinates that are words.
    pub categories: Categories,
    /// Whether columns of dates are coordinates: days since 1970-01-01, with the time of day as a fraction.
    /// Otherwise a date is refused as a coordinate. Color columns may hold dates in any case.
    pub dates_as_days: bool,
    /// The order of day, month and year in dates.
    pub date_order: DateOrder,
    /// Whether the label column is left out like an ignored one, so that rows may lack a label.
    pub without_labels: bool,
    /// What happens to missing values.
    pub missing: Missing,
    /// Further words and numbers that stand for missing values, such as `unknown` or `-999`, in any
    /// case of the letters A to Z; -999 is -999.0, too. In columns and arrays of labels words only:
    /// numbers are classes.
    pub missing_values: Vec<String>,
    /// Whether rows whose values are all 0 are left out; by cosine and correlation such rows have no
    /// distance to others.
    pub without_zero_rows: bool,
    /// Whether each column is shifted to mean 0 and divided by its standard
    /// deviation.
    pub standardize: bool,
    /// Height and width to which pictures of a folder are resized; default none:
    /// all must have the same size.
    pub size: Option<[usize; 2]>,
    /// The channels of the pictures of a folder.
    pub color: Color,
    /// The metric for which rows are encoded, with their categories and gaps.
    pub mixed: Option<MixedRows>,
    /// Columns of 0 and 1, or of `false` and `true`, whose common zeros do not count for
    /// [`Metric::Gower`](embedding::Metric::Gower) (names of the header, or numbers counted from 0). The columns of a
    /// model keep theirs.
    pub asymmetric: Vec<String>,
    /// Weights of columns: coordinates are multiplied by their factors, which [`Table::scaling`] then contains, or
    /// [`Table::mixed`] has the weights.
    ///
    /// [`Table::scaling`]: super::Table::scaling
    /// [`Table::mixed`]: super::Table::mixed
    pub weights: Option<ColumnWeights>,
    /// How much memory the points may take.
    pub memory: MemoryLimit,
}

impl Reading {
    /// Whether an option names columns that are no coordinates.
    pub(super) fn names_columns(&self) -> bool {
        let Self {
            ignore,
            label_column,
            color_columns,
            target_column,
            weight_column,
            name_column,
            carried,
            ..
        } = self;
        let lists = [ignore, color_columns, carried];
        let single = [label_column, target_column, weight_column, name_column];
        lists.iter().any(|list| !list.is_empty()) || single.into_iter().any(Option::is_some)
    }

    /// The number of columns of numbers that are no coordinates: colors, a target, weights of rows.
    pub(super) fn quantities(&self) -> usize {
        let single = [&self.target_column, &self.weight_column];
        self.color_columns.len() + single.into_iter().flatten().count()
    }
}

/// Whether the first row of a text file is a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum HeaderRow {
    /// It is a header when none of its cells is a number, or when its first cell is empty and the others
    /// count up from 0 or 1 (as pandas writes unnamed columns), or its first is a word and at least four others do.
    #[default]
    Auto,
    /// It is a header.
    Yes,
    /// It is not a header: it holds data.
    No,
}

/// What happens to missing values: empty cells, `NA`, `N/A`, `NaN`, `null`,
/// `none`, `?` and `.`, in any case of letters; NaN in arrays; and [`Reading::missing_values`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Missing {
    /// The file is refused; the message names the first.
    #[default]
    Refuse,
    /// Rows with a missing value are left out.
    Drop,
    /// A missing value is replaced by the mean of the others in its column.
    Mean,
    /// A missing value is replaced by the median of the others in its column.
    Median,
    /// A missing value is replaced by 0.
    Zero,
    /// A missing value stays a gap of its row, for the metrics of [`Reading::mixed`].
    Keep,
}

/// The sign between thousands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thousands {
    /// 1,234,567.
    Comma,
    /// 1.234.567, next to decimal commas.
    Point,
    /// 1 234 567, also with spaces that are narrow or do not break.
    Space,
    /// 1'234'567.
    Apostrophe,
    /// 1_234_567.
    Underscore,
}

/// What a file holds.
///
/// Distances and similarities are square matrices, or, in text: triangles with or without their diagonal, with
/// names or without; matrices of PHYLIP with strict or other names (`.phy`); matrices of Orange (`.dst`); and
/// lists of pairs, as `name,name,distance`, in which no pair may be missing. An array may be one column of the
/// entries above the diagonal, row by row. A triangle of numbers without names has its diagonal where that is
/// zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Given {
    /// A row of coordinates per point.
    #[default]
    Points,
    /// The distances between all points.
    Distances,
    /// Similarities s of all points, also of each with itself, which become the distances
    /// √(s_ii + s_jj − 2 s_ij) ([Gower 1966](https://doi.org/10.1093/biomet/53.3-4.325)).
    Similarities,
}

/// What happens to columns of words that have no other use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Categories {
    /// The file is refused; the message names the first.
    #[default]
    Refuse,
    /// They are left out, and a note lists them.
    Ignore,
    /// Each becomes a column per category, in alphabetical order, of 1 and 0: `color=red` is 1 in rows whose
    /// `color` is `red`. At most 100 categories per column.
    Indicators,
    /// Each stays one column, whose categories [`Metric::Gower`](embedding::Metric::Gower) compares
    /// ([`Reading::mixed`]). At most 100 categories per column; in new rows of a model, a word that is none of its
    /// categories differs from all.
    Gower,
}

/// The order of the numbers of a date. Between them are `-`, `/` or `.`; a time of day may follow, as
/// `2021-03-04T12:30:00` or `2021-03-04 12:30`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DateOrder {
    /// Year, month, day, as ISO 8601 has them: 2021-03-04.
    #[default]
    YearFirst,
    /// Day, month, year: 04.03.2021.
    DayFirst,
    /// Month, day, year: 03/04/2021.
    MonthFirst,
}
