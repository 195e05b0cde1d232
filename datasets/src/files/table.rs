//! What a file of points holds.

use embedding::mixed::MixedColumns;
use embedding::{Error, PointSet};

use super::scaling::Scaling;
use crate::sample::drawn;
use crate::{Dataset, ImageShape, Labels, Quantity, RowNames};

/// What a file of points holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The points, one per row.
    pub points: PointSet,
    /// The names of the coordinates, where the file has a header.
    pub columns: Option<Vec<String>>,
    /// The column of the file that each coordinate is, counted from 0.
    pub numbers: Vec<usize>,
    /// The shape of the pictures, where rows are pictures (a folder of pictures,
    /// an array of three or four dimensions).
    pub images: Option<ImageShape>,
    /// The pixels that `images` describes, where these are not `points`.
    pub pixels: Option<PointSet>,
    /// The classes of the label column, or of the sub-folders of pictures.
    pub labels: Option<Labels>,
    /// The numbers of the color columns.
    pub quantities: Vec<Quantity>,
    /// The weights of the rows, of the weight column.
    pub row_weights: Option<Vec<f64>>,
    /// The names of the name column.
    pub row_names: Option<RowNames>,
    /// The cells of the columns that are kept to be written with a map.
    pub carried: Vec<RowNames>,
    /// Which rows of the file the points are, where some were left out.
    pub kept: Option<Vec<u32>>,
    /// The rows of the file.
    pub rows: usize,
    /// The kinds and weights of the columns where `points` are rows encoded by them ([`Reading::mixed`]); these are
    /// no coordinates.
    ///
    /// [`Reading::mixed`]: super::Reading::mixed
    pub mixed: Option<MixedColumns>,
    /// How the columns were standardized, where they were.
    pub scaling: Option<Scaling>,
    /// Notes in sentences on what was done beyond plain reading.
    pub notes: Vec<String>,
    /// Warnings in sentences of probable mistakes, with the option that helps.
    pub warnings: Vec<String>,
}

impl Table {
    /// The rows of the file that were left out, counted from 0.
    pub fn left_out(&self) -> Vec<u32> {
        self.kept.as_ref().map_or_else(Vec::new, |kept| left_out(kept, self.rows))
    }

    /// Leaves out all rows but these, of the rows that there are, in increasing order. Standardized columns are
    /// standardized again by the spread of these rows. Fails where a column then exceeds the numbers.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn select(&mut self, rows: &[u32]) -> Result<(), Error> {
        let points = match &self.scaling {
            Some(scaling) => scaling.undo(self.points.view())?.view().select(rows),
            None => self.points.view().select(rows),
        };
        self.scaling = self.scaling.as_ref().map(|_| Scaling::of(points.view()));
        self.points = match &self.scaling {
            Some(scaling) => scaling.apply(points.view())?,
            None => points,
        };
        self.labels = self.labels.as_ref().map(|labels| labels.select(rows));
        self.quantities = self.quantities.iter().map(|quantity| quantity.select(rows)).collect();
        let weights = |weights: &Vec<f64>| rows.iter().map(|row| weights[*row as usize]).collect();
        self.row_weights = self.row_weights.as_ref().map(weights);
        self.row_names = self.row_names.as_ref().map(|names| names.select(rows));
        self.carried = self.carried.iter().map(|cells| cells.select(rows)).collect();
        self.pixels = self.pixels.as_ref().map(|pixels| pixels.view().select(rows));
        self.kept = Some(kept_of(self.kept.as_deref(), rows));
        Ok(())
    }

    /// Draws `n` rows with a seed, stratified by the labels, in an order in which every range is stratified;
    /// all rows keep their own order. Fails when n is 0 or exceeds the number of rows.
    pub fn sample_rows(&self, n: usize, seed: u64) -> Result<Vec<u32>, Error> {
        drawn(self.points.len(), self.labels.as_ref(), n, seed, "these rows")
    }

    /// A data set of this name, without truth.
    pub fn into_dataset(self, name: impl Into<String>, notes: impl Into<String>) -> Dataset {
        Dataset {
            column_names: self.columns.unwrap_or_default(),
            labels: self.labels.into_iter().collect(),
            quantities: self.quantities,
            row_names: self.row_names,
            images: self.images,
            pixels: self.pixels,
            notes: notes.into(),
            ..Dataset::new(name, self.points)
        }
    }
}

/// The rows of a file that stay when some of the kept rows, all where there is no list, are selected.
pub(super) fn kept_of(kept: Option<&[u32]>, rows: &[u32]) -> Vec<u32> {
    kept.map_or_else(|| rows.to_vec(), |kept| rows.iter().map(|&row| kept[row as usize]).collect())
}

/// The rows of a file that are not among those kept, both ascending.
pub(super) fn left_out(kept: &[u32], rows: usize) -> Vec<u32> {
    (0..rows as u32).filter(|row| kept.binary_search(row).is_err()).collect()
}
