//! The regressions, and their average over neighborhoods.

use embedding::implement::scale::times_power_of_two;
use embedding::implement::{Division, Scale, proceed};
use embedding::{Embedding, Error, Input, LinearMap, PointSet, Points, Transform};
use neighbor_graph::{Graph, NeighborSearch, Symmetry};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use spectral::Centered;

use crate::RowSample;
use crate::drivers::MapGradients;
use crate::local_fit::{LocalFit, PENALTIES};
use crate::map_rows::map_rows;

/// Number of neighborhoods by which the penalty is chosen.
const CHOSEN_BY: usize = 300;
/// Points between two steps of the observer.
const STEP: usize = 1024;

/// The gradients of a map: how its places change with the columns of the data.
///
/// *Idea.* Around a point a smooth map is nearly linear: its slope says which columns move the point, and
/// where to. Columns that move it far drive the map there.
///
/// *Definition.* For every point, a ridge regression of the places on the columns over the point and its
/// k nearest rows along the neighbor graph gives A_i (d × D). The penalty, one for the map, has the
/// smallest mean error for left-out rows, relative to the variance of the places of the neighborhood; R²
/// is 1 less this error. The gradient of i is the mean of A_j over i and these rows, weighted by their
/// R². The importance of a column is the length of its column of the gradient, per standard deviation of
/// the column or per unit of the data ([`Unit`](crate::drivers::Unit)). The regressions are in the units
/// of the data, in which neighbors were found; only the importance is rescaled.
///
/// For a model with [`Transform::linear_map`] the gradient is the matrix of the map, exactly, and R² is 1.
///
/// *Choices.* Neighborhoods along the graph do not reach from one sheet of a roll to the next. On a Swiss
/// roll of 2,000 rows the gradient of the unrolled angle follows the tangent with R² above .99 (Isomap,
/// LTSA). Averages over neighborhoods suppress columns of noise: in a box of 900 rows with 3 columns of
/// signal and 17 of noise the largest column is signal at every point for Isomap, LTSA, t-SNE, UMAP and
/// PaCMAP, and more than 99 % of the three largest are per standard deviation, 94 % per unit.
///
/// *When it misleads.* It describes neighborhoods, not causes: a column that copies a driver shares its
/// importance. Layouts that tear have small R² at the tears. Where rows are fewer than columns, the
/// penalty spreads the importance over columns that vary together.
///
/// *Cost.* O(n k D min(k, D)) for the regressions and O(n k D d) for the averages; 16 n d D bytes.
///
/// *Reference.* Angerer, Fischer, Theis, Scialdone and Marr, Automatic identification of relevant genes
/// from low-dimensional embeddings of single-cell RNA-seq data, Bioinformatics 36:4291–4295 (2020),
/// doi:10.1093/bioinformatics/btaa198.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drivers {
    /// Number of other rows in a neighborhood, at least 2; default 30. Components with fewer rows are one
    /// neighborhood.
    pub k: usize,
    /// Number of neighbors of a row in the graph along which these are found, at least 1; default 10. At
    /// most n − 1 are used.
    pub graph_k: usize,
}

impl Default for Drivers {
    fn default() -> Self {
        Self { k: 30, graph_k: 10 }
    }
}

impl Drivers {
    /// The gradients of a map that `model` made of the points of `input`: exact for linear models, else as
    /// [`Drivers::of_map`].
    pub fn of_model(
        &self,
        model: &dyn Transform,
        map: &Embedding,
        input: &Input<'_>,
    ) -> Result<MapGradients, Error> {
        match model.linear_map() {
            Some(linear) => of_linear(&linear, map, input),
            None => self.of_map(map, input),
        }
    }

    /// The gradients of any map of the points of `input`, by regressions.
    ///
    /// Fails as the neighbor search does, and
    ///
    /// - with [`Error::Parameter`] where k is below 2 or the number of neighbors in the graph is 0;
    /// - with [`Error::Shape`] unless the points have a row for every row of the map;
    /// - with [`Error::TooFewPoints`] for fewer than 3 rows;
    /// - with [`Error::Memory`] where the gradients exceed the memory limit of the input.
    pub fn of_map(&self, map: &Embedding, input: &Input<'_>) -> Result<MapGradients, Error> {
        if self.k < 2 {
            return Err(Error::parameter("k", "at least 2", self.k));
        }
        if self.graph_k == 0 {
            return Err(Error::parameter("the number of neighbors in the graph", "at least 1", 0));
        }
        let (rows, data) = map_rows(map, input)?;
        if rows.len() < 3 {
            return Err(Error::TooFewPoints { what: "local regressions", needed: 3, got: rows.len() });
        }
        let size = map.dim() * data.dim();
        let needed = 16 * rows.len() as u64 * size as u64;
        input.memory_limit().allow("the gradients of the map", needed, "use fewer rows or columns")?;
        let searched = Input::from(&data).with_metric(input.metric()).with_observer(input.observer());
        let searched = searched.with_memory_limit(input.memory_limit());
        let lists = NeighborSearch::nearest(self.graph_k.min(rows.len() - 1)).find(searched)?;
        let mut neighborhoods = Graph::new(&lists, Symmetry::Union).nearest_along_edges(self.k);
        neighborhoods.iter_mut().zip(0..).for_each(|(rows, own)| rows.insert(0, own));
        let places = PointSet::new(map.values().to_vec(), map.dim())?;
        let scales = [data.view(), places.view()].map(|points| Scale::of_points(points, Division::Least));
        let fits = scales[0].divided(data.view(), |data| {
            scales[1].divided(places.view(), |places| {
                local_gradients(data, places, &neighborhoods, input.observer())
            })
        })?;
        let (mut gradients, certainty, penalty) = fits;
        let exponent = scales[1].exponent() - scales[0].exponent();
        if exponent != 0 {
            gradients.par_iter_mut().for_each(|value| *value = times_power_of_two(*value, exponent));
            require_finite(&gradients)?;
        }
        let (dim, columns, deviations) = (map.dim(), data.dim(), deviations(data.view())?);
        Ok(MapGradients { rows, dim, columns, gradients, certainty, deviations, penalty: Some(penalty) })
    }
}

/// The gradient of an affine map, the same at every point.
fn of_linear(linear: &LinearMap, map: &Embedding, input: &Input<'_>) -> Result<MapGradients, Error> {
    let (rows, data) = map_rows(map, input)?;
    let directions = &linear.directions;
    if directions.nrows() != data.dim() {
        return Err(Error::Shape {
            what: "the columns of the data",
            expected: format!("{}, as the model has", directions.nrows()),
            got: data.dim().to_string(),
        });
    }
    let gradients: Vec<f64> =
        directions.col_iter().flat_map(|column| column.iter().copied().collect::<Vec<_>>()).collect();
    require_finite(&gradients)?;
    let (certainty, deviations) = (vec![1.0; rows.len()], deviations(data.view())?);
    let (dim, columns) = (directions.ncols(), data.dim());
    Ok(MapGradients { rows, dim, columns, gradients, certainty, deviations, penalty: None })
}

/// The averaged gradients, R² of each point, and the penalty.
fn local_gradients(
    data: Points<'_>,
    map: Points<'_>,
    neighborhoods: &[Vec<u32>],
    observer: &dyn embedding::Observer,
) -> Result<(Vec<f64>, Vec<f64>, f64), Error> {
    observer.stage("local regressions");
    let n = neighborhoods.len();
    let penalty = best_penalty(data, map, neighborhoods)?;
    let mut own = Vec::with_capacity(n * map.dim() * data.dim());
    let mut certainty = Vec::with_capacity(n);
    for part in neighborhoods.chunks(STEP) {
        proceed(observer, certainty.len(), n)?;
        let fitted: Vec<(Vec<f64>, f64)> = part
            .par_iter()
            .map(|rows| {
                let fit = LocalFit::new(data, map, rows)?;
                let error = fit.relative_error(penalty).unwrap_or(1.0);
                Ok((fit.gradient(penalty), (1.0 - error).clamp(0.0, 1.0)))
            })
            .collect::<Result<_, Error>>()?;
        for (gradient, fraction) in fitted {
            own.extend(gradient);
            certainty.push(fraction);
        }
    }
    let size = map.dim() * data.dim();
    let mut averaged = vec![0.0; own.len()];
    averaged.par_chunks_mut(size).zip(neighborhoods).for_each(|(mean, rows)| {
        let weight = |row: &u32| certainty[*row as usize];
        let total: f64 = rows.iter().map(weight).sum();
        for row in rows {
            // Where no regression predicts anything, all count alike.
            let part = if total > 0.0 { weight(row) / total } else { 1.0 / rows.len() as f64 };
            let gradient = &own[*row as usize * size..][..size];
            mean.iter_mut().zip(gradient).for_each(|(mean, value)| *mean += part * value);
        }
    });
    Ok((averaged, certainty, penalty))
}

/// The penalty with the smallest mean relative error for left-out rows, over evenly spaced neighborhoods;
/// the largest penalty where every map of a neighborhood is a single place.
fn best_penalty(data: Points<'_>, map: Points<'_>, neighborhoods: &[Vec<u32>]) -> Result<f64, Error> {
    let sample = RowSample::Spaced { count: CHOSEN_BY }.choose(neighborhoods.len());
    let errors: Vec<Option<[f64; PENALTIES.len()]>> = sample
        .par_iter()
        .map(|row| {
            let fit = LocalFit::new(data, map, &neighborhoods[*row as usize])?;
            let errors = PENALTIES.map(|penalty| fit.relative_error(penalty));
            Ok(errors[0].is_some().then(|| errors.map(|error| error.unwrap_or(1.0))))
        })
        .collect::<Result<_, Error>>()?;
    let mut sums = [0.0; PENALTIES.len()];
    for errors in errors.into_iter().flatten() {
        sums.iter_mut().zip(errors).for_each(|(sum, error)| *sum += error);
    }
    let best = (0..PENALTIES.len()).rev().min_by(|a, b| sums[*a].total_cmp(&sums[*b]));
    Ok(PENALTIES[best.unwrap_or(PENALTIES.len() - 1)])
}

/// The standard deviation of each column, exactly 0 for constant ones.
fn deviations(data: Points<'_>) -> Result<Vec<f64>, Error> {
    let centered = Centered::new(data)?;
    Ok(centered.deviations().iter().map(|deviation| deviation * centered.unit).collect())
}

fn require_finite(gradients: &[f64]) -> Result<(), Error> {
    if gradients.iter().all(|value| value.is_finite()) {
        return Ok(());
    }
    Err(Error::degenerate(
        "the change of the map per unit of a column leaves the range of numbers",
        "divide the columns by their spread",
    ))
}
