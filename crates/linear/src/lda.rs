//! Linear discriminant analysis.

use embedding::implement::{Fact, Scale, Validate, require};
use embedding::{
    About, DataKind, Embedding, Error, Explanation, Fitted, Input, MemoryLimit, Method, Points, Recipe,
    Remedy,
};
use faer::Mat;
use serde::{Deserialize, Serialize};
use spectral::{AffineMap, dense, principal};

/// Linear discriminant analysis: projection on the directions that separate known
/// classes best.
///
#[doc = include_str!("lda.md")]
///
/// **Details.** S_w has divisor n − C (Σ w − C of rows with weights), S_b divisor C − 1. The scatter is computed with each
/// column in units of its own deviation; directions whose deviation is below `rank_tolerance` times a
/// column's deviation are left out of the whitening. Entries of largest magnitude are positive. `dim` ≤ min(C
/// − 1, D); at least 2 classes, and more points than classes. Class
/// means on a line or plane span fewer dimensions; `embedding::implement::fit_lowered` then lowers `dim`.
///
/// **Cost.** O(n D min(n, D) + min(n, D)³) time; O(D²) memory, O(n D) where there are more
/// columns than points.
///
/// ```
/// use embedding::{Input, Points};
/// use linear::{Lda, Method, Model};
/// let values = [0.0, 0.0, 1.0, 0.5, 0.2, 1.0, 5.0, 0.1, 6.0, 0.9, 5.5, 0.4];
/// let points = Points::new(&values, 2)?;
/// let fitted = Lda { dim: 1, ..Lda::default() }.fit(Input::from(points).with_labels(&[0, 0, 0, 1, 1, 1]))?;
/// let y = fitted.embedding();
/// assert!((0..3).all(|i| (3..6).all(|j| (y[(i, 0)] - y[(j, 0)]).abs() > 3.0)));
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct Lda {
    /// Target dimension d.
    #[param(default = 2, range = "1 to min(classes - 1, D)")]
    pub dim: usize,
    /// Directions of smaller relative standard deviation within the classes are left out. The unit
    /// is the standard deviation of the columns.
    #[param(default = 1e-4, range = "above 0 and below 1")]
    pub rank_tolerance: f64,
}

impl Method for Lda {
    type Fitted = FittedLda;

    const ABOUT: About = About {
        name: "lda",
        title: "LDA",
        summary: "Projects on the directions that separate known classes best.",
        preserves: "the separation of the given classes",
        cost: "time n D min(n, D), memory D min(n, D)",
        new_points: "the same projection; interpolates: near a training row it tends to the row's position",
        accepts: &[DataKind::Points],
        needs_labels: true,
        least_points: 3,
        explanation: Explanation::new(include_str!("lda.md")),
    };

    const WEIGHTS: bool = true;

    /// Labels are any numbers, one per point; stages `"classes"`, `"within"`,
    /// `"between"`, `"projection"`.
    fn fit_input(&self, input: &Input<'_>) -> Result<FittedLda, Error> {
        let (points, observer) = (input.require_points()?, input.observer());
        let labels = input.labels().and_then(|labels| labels.all()).unwrap_or_default();
        allow(points.len(), points.dim(), self.dim, input.memory_limit())?;
        observer.stage("classes");
        let classes = Classes::new(points, &labels, input.row_weights())?;
        embedding::implement::proceed(observer, 1, 1)?;
        observer.stage("within");
        let whitening = self.whitening(points, &classes)?;
        embedding::implement::proceed(observer, 1, 1)?;
        observer.stage("between");
        let mean = match input.row_weights() {
            Some(weights) => principal::weighted_means(points, weights),
            None => principal::column_means(points),
        };
        let between = classes.weighted_offsets(&mean);
        let (_, spread, axes) =
            dense::thin_svd(dense::product(between.as_ref(), whitening.as_ref()).as_ref())?;
        if spread.len() < self.dim || spread[self.dim - 1] <= self.rank_tolerance * spread[0] {
            let spanned = spread.iter().filter(|s| **s > self.rank_tolerance * spread[0]).count();
            let problem = format!("the class means span {spanned} of the {} dimensions of the map", self.dim);
            let refused = Error::degenerate(problem, "choose a smaller target dimension");
            return Err(refused.with_remedy(Remedy::Parameter("dim")));
        }
        let total: f64 = spread.iter().map(|s| s * s).sum();
        let ratios = spread[..self.dim].iter().map(|s| s * s / total).collect();
        let mut directions = dense::product(whitening.as_ref(), axes.as_ref().subcols(0, self.dim));
        spectral::canonical_signs(directions.as_mut());
        embedding::implement::proceed(observer, 1, 1)?;
        observer.stage("projection");
        let map = AffineMap::new(mean, directions);
        let coordinates = map.apply(points)?;
        embedding::implement::proceed(observer, 1, 1)?;
        Ok(FittedLda { embedding: coordinates.with_spectrum(ratios), map })
    }
}

/// Fails where the scatter within the classes or the projection exceeds the limit.
fn allow(n: usize, d: usize, dim: usize, limit: MemoryLimit) -> Result<(), Error> {
    let (rows, square) = (8 * (n * d) as u64, 8 * (d as u64).pow(2));
    let scatter = if d > n {
        rows + dense::svd_bytes(n, d)
    } else {
        principal::scatter_bytes(n, d).max(2 * square + dense::eigen_bytes(d))
    };
    // With the labels and their classes; the projection comes after the scatter.
    let needed = 12 * n as u64 + (rows + scatter).max(8 * (n * dim) as u64);
    limit.allow("the scatter within the classes", needed, "use fewer points or columns, or pca first")
}

impl Lda {
    /// D × r with aᵀ S_w a = 1 for each column a.
    fn whitening(&self, points: Points<'_>, classes: &Classes) -> Result<Mat<f64>, Error> {
        let d = points.dim();
        let residuals = classes.residuals(points);
        let residuals = Points::new(&residuals, d)?;
        let WithinScatter { deviation, spreads, directions } =
            within(residuals, classes.size(), classes.size() - classes.count() as f64)?;
        let mut kept: Vec<usize> = (0..spreads.len()).filter(|&j| spreads[j] > self.rank_tolerance).collect();
        kept.sort_by(|&a, &b| spreads[b].total_cmp(&spreads[a]));
        if kept.is_empty() {
            return Err(Error::degenerate(
                "the points of each class coincide",
                "linear discriminant analysis needs some spread within the classes",
            ));
        }
        // Columns without spread have no part in the directions, up to rounding.
        Ok(Mat::from_fn(d, kept.len(), |i, j| match deviation[i] {
            0.0 => 0.0,
            unit => directions[(i, kept[j])] / (unit * spreads[kept[j]]),
        }))
    }
}

/// The scatter within the classes.
struct WithinScatter {
    /// The deviation of each column; 0 where it is constant within every class.
    deviation: Vec<f64>,
    /// Standard deviations along the principal directions, in units of the
    /// columns' own.
    spreads: Vec<f64>,
    /// The directions, one per column.
    directions: Mat<f64>,
}

/// The scatter of residuals of `size` rows.
fn within(residuals: Points<'_>, size: f64, freedom: f64) -> Result<WithinScatter, Error> {
    let (n, d) = (residuals.len(), residuals.dim());
    let mut squares = vec![0.0; d];
    for row in residuals.rows() {
        squares.iter_mut().zip(row).for_each(|(sum, v)| *sum += v * v);
    }
    let deviation: Vec<f64> = squares.iter().map(|sum| (sum / size).sqrt()).collect();
    // In a column without spread all values are 0 in any unit.
    let unit = |j: usize| if deviation[j] > 0.0 { deviation[j] } else { 1.0 };
    if d > n {
        // They span n dimensions at most: no D × D matrix.
        let root = freedom.sqrt();
        let scaled = Mat::from_fn(n, d, |i, j| residuals.row(i)[j] / (root * unit(j)));
        let (_, spreads, directions) = dense::thin_svd(scaled.as_ref())?;
        return Ok(WithinScatter { deviation, spreads, directions });
    }
    let scatter = principal::scatter(residuals, &vec![0.0; d]);
    let scaled = |i, j| scatter[(i, j)] / (freedom * unit(i) * unit(j));
    let (values, directions) = dense::symmetric_eigen(Mat::from_fn(d, d, scaled).as_ref())?;
    let spreads = values.iter().map(|v| v.max(0.0).sqrt()).collect();
    Ok(WithinScatter { deviation, spreads, directions })
}

/// Points by class.
struct Classes {
    /// Class of each point, numbered by ascending label.
    of: Vec<usize>,
    /// The number of rows of each class, or the sum of their weights.
    sizes: Vec<f64>,
    /// The weight of each row, where rows have weights.
    weights: Option<Vec<f64>>,
    means: Vec<Vec<f64>>,
}

impl Classes {
    fn new(points: Points<'_>, labels: &[u32], weights: Option<&[f64]>) -> Result<Self, Error> {
        if labels.len() != points.len() {
            return Err(Error::Shape {
                what: "the number of labels",
                expected: format!("{}, one per point", points.len()),
                got: labels.len().to_string(),
            });
        }
        let mut names = labels.to_vec();
        names.sort_unstable();
        names.dedup();
        if names.len() < 2 {
            return Err(Error::parameter("the number of classes", "at least 2", names.len()));
        }
        if points.len() <= names.len() {
            return Err(Error::degenerate(
                format!("each of the {} points has a class of its own", points.len()),
                "give class labels; at least one class must have two points",
            ));
        }
        let of: Vec<usize> = labels.iter().map(|l| names.partition_point(|name| name < l)).collect();
        let mut sizes = vec![0.0; names.len()];
        let mut means = vec![vec![0.0; points.dim()]; names.len()];
        for (at, (&class, row)) in of.iter().zip(points.rows()).enumerate() {
            let weight = weights.map_or(1.0, |weights| weights[at]);
            sizes[class] += weight;
            means[class].iter_mut().zip(row).for_each(|(m, x)| *m += weight * x);
        }
        for (mean, &size) in means.iter_mut().zip(&sizes) {
            mean.iter_mut().for_each(|m| *m /= size);
        }
        let classes = Self { of, sizes, weights: weights.map(<[f64]>::to_vec), means };
        if classes.size() <= classes.count() as f64 {
            let requirement =
                format!("above {}, the number of classes; multiply all by a constant", names.len());
            return Err(Error::parameter("the sum of the weights of rows", requirement, classes.size()));
        }
        Ok(classes)
    }

    /// The number of rows, or the sum of their weights.
    fn size(&self) -> f64 {
        self.sizes.iter().sum()
    }

    fn count(&self) -> usize {
        self.sizes.len()
    }

    /// x minus the mean of its class, times the root of its weight, row by row; exactly 0 in columns that are constant within
    /// every class, whose means have rounding.
    fn residuals(&self, points: Points<'_>) -> Vec<f64> {
        let mut firsts: Vec<Option<&[f64]>> = vec![None; self.count()];
        let mut varies = vec![false; points.dim()];
        for (&class, row) in self.of.iter().zip(points.rows()) {
            let first = firsts[class].get_or_insert(row);
            varies.iter_mut().zip(row.iter().zip(*first)).for_each(|(varies, (x, y))| *varies |= x != y);
        }
        let rows = self.of.iter().zip(points.rows()).enumerate();
        let residual = |((x, mean), varies): ((&f64, &f64), &bool)| if *varies { x - mean } else { 0.0 };
        let mut residuals = Vec::with_capacity(points.values().len());
        for (at, (&class, row)) in rows {
            let root = self.weights.as_ref().map_or(1.0, |weights| weights[at].sqrt());
            let own = row.iter().zip(&self.means[class]).zip(&varies).map(residual);
            residuals.extend(own.map(|difference| root * difference));
        }
        residuals
    }

    /// √(n_c/(C − 1)) (mean of the class − mean), C × D.
    fn weighted_offsets(&self, mean: &[f64]) -> Mat<f64> {
        let freedom = (self.count() - 1) as f64;
        Mat::from_fn(self.count(), mean.len(), |c, j| {
            (self.sizes[c] / freedom).sqrt() * (self.means[c][j] - mean[j])
        })
    }
}

/// A fitted discriminant projection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FittedLda {
    embedding: Embedding,
    map: AffineMap,
}

impl FittedLda {
    /// Fraction of the variance between the classes along each direction.
    pub fn explained_variance_ratio(&self) -> &[f64] {
        self.embedding.spectrum()
    }

    /// The discriminant directions, one per column, D × d. For data near the smallest numbers, they refer to
    /// the data divided by a power of two, which [`Fitted::notes`] states.
    pub fn directions(&self) -> &Mat<f64> {
        self.map.matrix()
    }
}

spectral::projection_model!(FittedLda);

impl Fitted for FittedLda {
    fn multiplied(self, scale: Scale) -> Result<Self, Error> {
        Ok(Self { map: self.map.multiplied(scale, Scale::ONE), ..self })
    }

    fn notes(&self) -> Vec<String> {
        self.map.note().into_iter().collect()
    }

    fn facts() -> Vec<Fact<Self>> {
        vec![Fact::new(
            "explained_variance_ratio",
            "fraction of the variance between the classes along each direction",
            |m: &Self| m.explained_variance_ratio().to_vec(),
        )]
    }
}

impl Validate for FittedLda {
    fn validate(&self) -> Result<(), Error> {
        self.map.require_fits(&self.embedding)?;
        require(
            self.embedding.spectrum().len() == self.embedding.dim(),
            "it does not have a ratio for every coordinate",
        )
    }
}
