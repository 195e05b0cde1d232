//! The rows of a data set that methods and measures read: dense, or sparse where their zeros are too many.

use datasets::Dataset;
use embedding::{Error, MemoryLimit, Metric, Observer, PointSet, Rows, SparsePointSet, SparsePoints};
use figure::number::counted;
use spectral::{Principal, Tolerance};

/// Most values of sparse points that are read with their zeros, 800 MB.
const MOST_FILLED: u64 = 100_000_000;

/// Most columns that pictures and the lab have of points without their zeros.
const SHOWN: usize = 50;

/// The residual of principal components, relative to the largest variance.
const RESIDUAL: f64 = 1e-6;

/// The file of the data's columns, next to the maps of a run.
pub(crate) const FILE: &str = "data.npy";

/// What methods and measures read of a data set, and what pictures show of it.
#[derive(Clone)]
pub(crate) struct DatasetSource {
    /// The data set as it is drawn. For sparse rows, `densified` fills in the columns that are shown.
    pub(crate) data: Dataset,
    /// Properties of the data that make distances misleading, in sentences.
    pub(crate) warnings: Vec<String>,
    /// The points without their zeros.
    sparse: Option<SparsePointSet>,
    /// Rows that a metric reads, with categories and gaps, where the points of `data` are their coordinates.
    encoded: Option<Encoded>,
}

/// Rows with categories and gaps.
#[derive(Clone)]
struct Encoded {
    rows: PointSet,
    /// The number of columns of the file.
    columns: usize,
}

impl From<Dataset> for DatasetSource {
    fn from(data: Dataset) -> Self {
        Self { data, warnings: Vec::new(), sparse: None, encoded: None }
    }
}

/// Whether sparse points are read without their zeros.
pub(crate) fn too_many_zeros(points: SparsePoints<'_>) -> bool {
    (points.len() as u64).saturating_mul(points.dim() as u64) > MOST_FILLED
}

impl DatasetSource {
    /// Points without their zeros, with what else is known of them.
    pub(crate) fn without_zeros(known: Dataset, points: SparsePointSet) -> Self {
        Self { data: known, warnings: Vec::new(), sparse: Some(points), encoded: None }
    }

    /// Rows with categories and gaps, of this number of columns, as `metric` reads them. Pictures, and methods that
    /// are run live, have their coordinates.
    ///
    /// Fails where the coordinates exceed the memory limit.
    pub(crate) fn of_mixed(
        mut known: Dataset,
        (metric, columns): (Metric, usize),
        memory: MemoryLimit,
    ) -> Result<Self, Error> {
        let Some(points) = metric.coordinates(known.points.view(), memory)? else { return Ok(known.into()) };
        let rows = std::mem::replace(&mut known.points, points);
        known.notes += " The picture of the data, and methods that are run live, have a column per category, and means in gaps.";
        known.column_names.clear();
        let encoded = Some(Encoded { rows, columns });
        Ok(Self { data: known, warnings: Vec::new(), sparse: None, encoded })
    }

    /// The same with warnings about the data, each a clause without a capital letter and a period.
    pub(crate) fn with_warnings<'a>(self, warnings: impl IntoIterator<Item = &'a String>) -> Self {
        Self { warnings: warnings.into_iter().map(|warning| sentence(warning)).collect(), ..self }
    }

    /// The points that methods and measures read.
    pub(crate) fn points(&self) -> Rows<'_> {
        match (&self.sparse, &self.encoded) {
            (Some(points), _) => points.view().into(),
            (None, Some(encoded)) => encoded.rows.view().into(),
            (None, None) => self.data.points.view().into(),
        }
    }

    /// The number of their columns.
    pub(crate) fn columns(&self) -> usize {
        match self.points() {
            Rows::Dense(points) => self.encoded.as_ref().map_or(points.dim(), |encoded| encoded.columns),
            Rows::Sparse(points) => points.dim(),
        }
    }

    /// The number of values that are not 0, of points without their zeros.
    pub(crate) fn entries(&self) -> Option<usize> {
        self.sparse.as_ref().map(|points| points.view().entries())
    }

    /// `n` rows, as [`Dataset::sample`] draws them.
    pub(crate) fn sample(&self, n: usize, seed: u64) -> Result<Self, Error> {
        self.select(&self.data.sample_rows(n, seed)?)
    }

    /// Some of the rows, in this order.
    pub(crate) fn select(&self, rows: &[u32]) -> Result<Self, Error> {
        let sparse = self.sparse.as_ref().map(|points| points.view().select(rows));
        let selected = |Encoded { rows: all, columns }: &Encoded| Encoded {
            rows: all.view().select(rows),
            columns: *columns,
        };
        let encoded = self.encoded.as_ref().map(selected);
        Ok(Self { data: self.data.select(rows)?, warnings: self.warnings.clone(), sparse, encoded })
    }

    /// The same source with the zeros of its points, where they are needed or few enough; otherwise with
    /// the columns that are shown, which its notes state.
    pub(crate) fn densified(
        self,
        zeros: bool,
        memory: MemoryLimit,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let Self { mut data, warnings, sparse: Some(points), encoded } = self else { return Ok(self) };
        let view = points.view();
        if zeros || !too_many_zeros(view) {
            data.points = view.dense(memory)?;
            data.notes.push_str(&format!(
                " The {} are read with their zeros.",
                counted(data.points.len(), "row of the sample", "rows of the sample")
            ));
            return Ok(Self { data, warnings, sparse: None, encoded });
        }
        let (shown, reason) = match components(view, memory, observer) {
            Ok(shown) => (shown, None),
            Err(Error::Cancelled) => return Err(Error::Cancelled),
            Err(error) => {
                let columns = widest(view);
                data.column_names = columns.iter().map(|column| format!("column {column}")).collect();
                (dense(view, &columns)?, Some(error))
            }
        };
        let (count, file) = (shown.dim(), file_of(&data.name));
        data.notes.push_str(" The picture of the data, and methods that are run live, have its ");
        data.notes.push_str(&match reason {
            None => format!("first {} ({file}).", counted(count, "principal component", "principal components")),
            Some(reason) => format!(
                "{} of largest variance ({file}), since principal components could not be computed: {reason}.",
                counted(count, "column", "columns")
            ),
        });
        data.points = shown;
        Ok(Self { data, warnings, sparse: Some(points), encoded })
    }

    /// Adds noise to every value, which points without their zeros refuse.
    pub(crate) fn with_noise(self, noise: f64, seed: u64) -> Result<Self, Error> {
        if noise > 0.0 && self.sparse.is_some() {
            return Err(Error::parameter("noise", "0 for points without their zeros", noise));
        }
        if noise > 0.0 && self.encoded.is_some() {
            return Err(Error::parameter("noise", "0 for rows with categories and gaps", noise));
        }
        Ok(Self { data: self.data.with_noise(noise, seed)?, ..self })
    }
}

/// A clause as a sentence.
pub(crate) fn sentence(clause: &str) -> String {
    let mut letters = clause.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).chain(['.']).collect()
}

/// The file of the columns that are shown of a data set, within the folder of its run.
pub(crate) fn file_of(dataset: &str) -> String {
    format!("embeddings/{dataset}/{FILE}")
}

/// The leading principal components.
fn components(
    points: SparsePoints<'_>,
    memory: MemoryLimit,
    observer: &dyn Observer,
) -> Result<PointSet, Error> {
    let count = SHOWN.min(points.len()).min(points.dim());
    let needed = Principal::sparse_bytes(points, count);
    memory.allow("the principal components of the picture", needed, "allow more memory")?;
    let (_, coordinates, scale) = Principal::of_sparse(points, count, Tolerance::new(RESIDUAL)?, observer)?;
    let values = PointSet::from_mat(coordinates.as_ref())?.into_values();
    PointSet::new(values.into_iter().map(|value| scale.times(value)).collect(), count)
}

/// The columns of largest variance, ascending.
fn widest(points: SparsePoints<'_>) -> Vec<u32> {
    let largest = points.values().iter().fold(f64::MIN_POSITIVE, |largest, v| largest.max(v.abs()));
    let mut sums = vec![[0.0; 2]; points.dim()];
    for (columns, values) in (0..points.len()).map(|i| points.row(i)) {
        for (&column, value) in columns.iter().zip(values) {
            let part = value / largest;
            let [sum, squares] = &mut sums[column as usize];
            *sum += part;
            *squares += part * part;
        }
    }
    let n = points.len() as f64;
    let variance = |column: &u32| {
        let [sum, squares] = sums[*column as usize];
        squares - sum * sum / n
    };
    let mut chosen: Vec<u32> = (0..points.dim() as u32).collect();
    chosen.sort_by(|a, b| variance(b).total_cmp(&variance(a)));
    chosen.truncate(SHOWN);
    chosen.sort_unstable();
    chosen
}

/// All values of some columns, which ascend.
fn dense(points: SparsePoints<'_>, chosen: &[u32]) -> Result<PointSet, Error> {
    let mut shown = vec![0.0; points.len() * chosen.len()];
    for (i, to) in shown.chunks_exact_mut(chosen.len()).enumerate() {
        let (columns, values) = points.row(i);
        for (column, value) in columns.iter().zip(values) {
            if let Ok(place) = chosen.binary_search(column) {
                to[place] = *value;
            }
        }
    }
    PointSet::new(shown, chosen.len())
}
