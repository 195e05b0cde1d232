//! Kernel principal component analysis.

use embedding::implement::{
    Fact, MetricPoints, PairDistances, Scale, TrainingPoints, Validate, Value, matrix, require,
    require_finite,
};
use embedding::{
    About, DataKind, Embedding, Error, Explanation, Fitted, Input, Method, Metric, Model, PointSet, Points,
    Recipe, Rows, TrainingRows, Transform,
};
use faer::{Mat, MatRef};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use spectral::memory::largest_bytes;
use spectral::{Tolerance, canonical_signs, dense};

use crate::Kernel;
use crate::kernel_matrix;
use crate::radial::Radial;
use crate::symmetric::{self, Symmetric};

/// Kernel principal component analysis: PCA in the feature space of a kernel.
///
#[doc = include_str!("kernel_pca.md")]
///
/// **Details.** A new point x has coordinates Σᵢ k̃(x, x_i) vᵢⱼ / √λⱼ with k̃ centered by the
/// training means. `dim` must lie in 1 ..= n − 1, as centering takes one dimension; directions
/// beyond the rank of the centered kernel have eigenvalue 0 and coordinate 0.
///
/// Distances instead of points, or points with a metric, determine the RBF kernel, and the linear one up to
/// terms that J removes: K_ij = −½ d_ij² has the same B, and the result is classical scaling. The polynomial
/// and the cosine kernel depend on the origin and are refused. The kernel of non-Euclidean distances may have
/// negative eigenvalues; their directions have eigenvalue 0 and coordinate 0 here.
///
/// **Cost.** O(n² D) time for the kernel matrix and 4 n² bytes, since one triangle is stored; O(n² d) per
/// eigensolver step. A new point: O(n D + n d).
///
/// ```
/// use embedding::Points;
/// use linear::{Kernel, KernelPca, Method, Model, Transform};
/// let values = [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.5, 0.2];
/// let points = Points::new(&values, 2)?;
/// let fitted = KernelPca { kernel: Some(Kernel::Rbf { gamma: 0.5 }), ..KernelPca::default() }.fit(points)?;
/// let again = fitted.transform(points)?;
/// assert!((again[(4, 0)] - fitted.embedding()[(4, 0)]).abs() < 1e-10);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct KernelPca {
    /// Target dimension d.
    #[param(default = 2, range = "1 to n - 1")]
    pub dim: usize,
    /// The inner product; auto is rbf with GAMMA = 1 / (mean squared distance to the mean). That
    /// kernel is invariant to translation, rotation and scaling of the data.
    #[param(default = None)]
    pub kernel: Option<Kernel>,
    /// Residual demanded of the eigenvectors, relative to the operator's norm.
    pub tolerance: Tolerance,
}

impl Method for KernelPca {
    type Fitted = FittedKernelPca;

    const ABOUT: About = About {
        name: "kernel-pca",
        title: "Kernel PCA",
        summary: "PCA in the feature space of a kernel.",
        preserves: "variance in feature space: similarity within the kernel's width",
        cost: "time n^2 (D + d), memory n^2",
        new_points: "the kernel's values to the training points, projected; interpolates: near a training row it tends to the row's position",
        accepts: &[DataKind::Points, DataKind::Distances],
        needs_labels: false,
        least_points: 2,
        explanation: Explanation::new(include_str!("kernel_pca.md")),
    };

    const WEIGHTS: bool = true;

    fn divided(&self, scale: Scale) -> Self {
        Self { kernel: self.kernel.map(|kernel| kernel.divided(scale)), ..*self }
    }

    /// Stages `"kernel"`, `"eigenvectors"`.
    fn fit_input(&self, input: &Input<'_>) -> Result<FittedKernelPca, Error> {
        let (distances, observer) = (input.pair_distances()?, input.observer());
        let n = distances.len();
        let measured = input.metric_points()?;
        let copies = input.row_weights().map_or_else(|| vec![1.0; n], <[f64]>::to_vec);
        let kernel = self.kernel.unwrap_or_else(|| scaled_rbf(distances, measured.as_ref(), &copies));
        kernel.check()?;
        let training = Training::new(distances, input.metric(), kernel)?;
        // The matrix, and the training points where they are copied; plus the centered points while the
        // matrix is filled, or the workspace of the eigenvectors.
        let columns = input.points().map_or(0, |points| points.dim());
        let (solving, vectors) = largest_bytes(n, self.dim);
        let working = solving.max(8 * (n * columns) as u64);
        let needed = input.copied_bytes() + Symmetric::bytes(n, vectors) + working;
        input.memory_limit().allow("the kernel matrix", needed, "use fewer points, or pca")?;
        observer.stage("kernel");
        let of_distances = |distance: &(dyn Fn(usize, usize) -> f64 + Sync)| {
            let radial = Radial::of(kernel)?;
            Symmetric::new(n, observer, &|first, width, rows| {
                rows.chunks_mut(width).zip(first..).for_each(|(row, i)| {
                    let own = row[..=i].iter_mut().enumerate();
                    own.for_each(|(j, to)| *to = radial.value(distance(i, j).powi(2)));
                });
            })
        };
        let mut matrix = match (&measured, distances) {
            (Some(measured), _) => of_distances(&|i, j| measured.distance(i, j))?,
            (None, PairDistances::Points(points)) => kernel_matrix::of_points(kernel, points, observer)?,
            (None, PairDistances::Distances(given)) => of_distances(&|i, j| given.get(i, j))?,
        };
        let means = matrix.center(&copies);
        if !means.iter().all(|mean| mean.is_finite()) {
            return Err(Error::degenerate(
                format!("values of the kernel {kernel} exceed the range of numbers"),
                "use a smaller gamma or degree",
            ));
        }
        if input.row_weights().is_some() {
            matrix.weigh(&copies);
        }
        observer.stage("eigenvectors");
        let mut pairs = spectral::largest(&matrix, self.dim, self.tolerance, observer)?;
        embedding::implement::proceed(observer, 1, 1)?;
        // A positive semidefinite matrix has no negative eigenvalue, and an eigenvalue below rounding cannot
        // be distinguished from 0.
        let floor = n as f64 * f64::EPSILON * pairs.values.first().copied().unwrap_or(0.0).max(0.0);
        let values: Vec<f64> = pairs.values.iter().map(|&v| if v > floor { v } else { 0.0 }).collect();
        let inverse_root = |v: f64| if v > 0.0 { v.sqrt().recip() } else { 0.0 };
        if input.row_weights().is_some() {
            // The entries of one copy of each row.
            let vectors = &pairs.vectors;
            pairs.vectors = Mat::from_fn(n, self.dim, |i, j| vectors[(i, j)] / copies[i].sqrt());
            canonical_signs(pairs.vectors.as_mut());
        }
        let weights =
            Mat::from_fn(n, self.dim, |i, j| copies[i] * pairs.vectors[(i, j)] * inverse_root(values[j]));
        let coordinates = Mat::from_fn(n, self.dim, |i, j| pairs.vectors[(i, j)] * values[j].sqrt());
        Ok(FittedKernelPca {
            trace: matrix.trace(),
            embedding: Embedding::new(coordinates).with_spectrum(values),
            kernel,
            training,
            grand_mean: symmetric::mean(&means, &copies),
            means,
            weights,
            scale: Scale::ONE,
        })
    }
}

/// γ = 1/(mean squared distance to the mean); 1 for constant data. `copies` has the number of copies of each row.
fn scaled_rbf(distances: PairDistances<'_>, measured: Option<&MetricPoints<'_>>, copies: &[f64]) -> Kernel {
    let count: f64 = copies.iter().sum();
    let by_pairs = |distance: &(dyn Fn(usize, usize) -> f64 + Sync)| {
        let square = |i: usize, j: usize| copies[i] * copies[j] * distance(i, j).powi(2);
        let below = |i: usize| (0..i).map(|j| square(i, j)).sum::<f64>();
        let rows: Vec<f64> = (0..copies.len()).into_par_iter().map(below).collect();
        rows.iter().sum::<f64>() / (count * count)
    };
    let spread = match (measured, distances) {
        (Some(measured), _) => by_pairs(&|i, j| measured.distance(i, j)),
        (None, PairDistances::Points(points)) => {
            let mean = spectral::principal::weighted_means(points, copies);
            let squared = |row: &[f64]| row.iter().zip(&mean).map(|(x, m)| (x - m).powi(2)).sum::<f64>();
            points.rows().zip(copies).map(|(row, copies)| copies * squared(row)).sum::<f64>() / count
        }
        (None, PairDistances::Distances(distances)) => by_pairs(&|i, j| distances.get(i, j)),
    };
    Kernel::Rbf { gamma: if spread > 0.0 { 1.0 / spread } else { 1.0 } }
}

/// The training data with which new points are compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Training {
    Points(PointSet),
    /// Points with a metric: the kernel is a function of distances.
    Measured {
        points: TrainingPoints,
        radial: Radial,
    },
    /// Distances of `count` points: new rows hold their distances to all of them.
    Distances {
        count: usize,
        radial: Radial,
    },
}

impl Training {
    /// Fails where the data do not determine the kernel.
    fn new(distances: PairDistances<'_>, metric: Metric, kernel: Kernel) -> Result<Self, Error> {
        Ok(match distances {
            PairDistances::Points(points) if metric.is_euclidean() => Self::Points(points.to_owned()),
            PairDistances::Points(points) => {
                Self::Measured { points: TrainingPoints::new(points, metric), radial: Radial::of(kernel)? }
            }
            PairDistances::Distances(given) => {
                Self::Distances { count: given.len(), radial: Radial::of(kernel)? }
            }
        })
    }

    /// The values of the kernel between a row of data, or of distances, and all training
    /// points.
    fn fill(&self, kernel: Kernel, x: &[f64], row: &mut [f64]) {
        match self {
            Self::Points(points) => {
                row.iter_mut().zip(points.view().rows()).for_each(|(value, y)| *value = kernel.value(x, y));
            }
            Self::Measured { radial, .. } | Self::Distances { radial, .. } => {
                row.iter_mut().zip(x).for_each(|(value, d)| *value = radial.value(d * d));
            }
        }
    }
}

/// A fitted kernel PCA.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FittedKernelPca {
    embedding: Embedding,
    kernel: Kernel,
    training: Training,
    means: Vec<f64>,
    grand_mean: f64,
    trace: f64,
    /// vⱼ/√λⱼ, n × d.
    #[serde(with = "matrix")]
    weights: Mat<f64>,
    /// The kernel refers to the data divided by it.
    scale: Scale,
}

impl FittedKernelPca {
    /// The kernel in use. Where squares of the data exceed the range of numbers, it refers to the data
    /// divided by a power of two, which [`Fitted::notes`] states.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    fn metric(&self) -> Metric {
        match &self.training {
            Training::Measured { points, .. } => points.metric(),
            Training::Points(_) | Training::Distances { .. } => Metric::Euclidean,
        }
    }

    /// The factor by which coordinates were multiplied: coordinates of the linear kernel have the unit of
    /// distances.
    fn images(&self) -> Scale {
        match self.kernel {
            Kernel::Linear => self.metric().scale(self.scale),
            _ => Scale::ONE,
        }
    }

    /// Eigenvalues of the centered kernel matrix, descending.
    pub fn eigenvalues(&self) -> &[f64] {
        self.embedding.spectrum()
    }

    /// Learns the inverse map by kernel ridge regression from the coordinates to
    /// the training points, with an RBF kernel of width γ on the coordinates:
    /// (A + ridge·I) W = X, A_ij = exp(−γ |y_i − y_j|²). O(n³) time, 8 n² bytes. Fails on
    /// a model of distances, which has no points to return to.
    pub fn pre_image(&self, gamma: f64, ridge: f64) -> Result<PreImage, Error> {
        let kernel = Kernel::Rbf { gamma };
        kernel.check()?;
        if !(ridge.is_finite() && ridge > 0.0) {
            return Err(Error::parameter("ridge", "finite and positive", ridge));
        }
        let points = match &self.training {
            Training::Points(points) => points.view(),
            Training::Measured { points, .. } => points.points(),
            Training::Distances { .. } => return Err(Error::no_points()),
        };
        let coordinates = PointSet::from_mat(self.embedding.coordinates())?;
        let y = coordinates.view();
        let n = y.len();
        let gram =
            Mat::from_fn(n, n, |i, j| kernel.value(y.row(i), y.row(j)) + if i == j { ridge } else { 0.0 });
        let solve = |points: Points<'_>| Ok(dense::solve_spd(gram.as_ref(), points.as_mat()));
        let weights = self.scale.inverse().divided(points, solve)?.ok_or_else(|| {
            Error::degenerate("the ridge system is not positive definite", "use a larger ridge")
        })?;
        Ok(PreImage { kernel, coordinates, weights })
    }
}

/// The approximate map from kernel PCA coordinates back to the data space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PreImage {
    kernel: Kernel,
    coordinates: PointSet,
    #[serde(with = "matrix")]
    weights: Mat<f64>,
}

impl PreImage {
    /// The points of the data space for the given coordinates, m × D.
    pub fn points(&self, coordinates: MatRef<'_, f64>) -> Result<Mat<f64>, Error> {
        let at = PointSet::from_mat(coordinates)?;
        at.view().check_columns(self.coordinates.dim())?;
        let (at, known) = (at.view(), self.coordinates.view());
        let kernel = Mat::from_fn(at.len(), known.len(), |i, j| self.kernel.value(at.row(i), known.row(j)));
        Ok(dense::product(kernel.as_ref(), self.weights.as_ref()))
    }
}

impl Model for FittedKernelPca {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

impl Transform for FittedKernelPca {
    /// Training rows reproduce up to the eigensolver's tolerance.
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        rows.place_dense(known, |new, _| {
            self.scale.divided(new, |new| self.images_of(new))?.multiplied(self.images())
        })
    }
}

impl FittedKernelPca {
    /// Places rows of data, or of distances, in the units of the fit.
    fn images_of(&self, new: Points<'_>) -> Result<Embedding, Error> {
        match &self.training {
            Training::Points(points) => new.check_columns(points.dim())?,
            Training::Measured { points, .. } => return points.place(new, |row| Ok(self.project(row))),
            Training::Distances { count, .. } => new.check_distances(*count)?,
        }
        Ok(self.project(new))
    }

    /// Places rows of data, or of distances, that were checked.
    fn project(&self, new: Points<'_>) -> Embedding {
        let (n, d) = self.weights.shape();
        let mut images = vec![0.0; new.len() * d];
        images.par_chunks_mut(d).zip(new.values().par_chunks(new.dim())).for_each(|(image, x)| {
            let mut row = vec![0.0; n];
            self.training.fill(self.kernel, x, &mut row);
            let mean = row.iter().sum::<f64>() / n as f64;
            for (j, value) in image.iter_mut().enumerate() {
                let weights = self.weights.col(j);
                *value = (0..n).map(|i| (row[i] - mean - self.means[i] + self.grand_mean) * weights[i]).sum();
            }
        });
        Embedding::from_rows(images, d)
    }
}

impl Fitted for FittedKernelPca {
    fn multiplied(mut self, scale: Scale) -> Result<Self, Error> {
        self.scale = scale;
        let images = self.images();
        self.embedding = self.embedding.multiplied(images)?;
        Ok(self)
    }

    fn notes(&self) -> Vec<String> {
        self.metric().scale(self.scale).note("the kernel and the eigenvalues").into_iter().collect()
    }

    fn facts() -> Vec<Fact<Self>> {
        vec![
            Fact::metric(Self::metric),
            Fact::eigenvalues(Self::eigenvalues),
            Fact::new("trace", "the sum of all eigenvalues", |m: &Self| m.trace),
            Fact::new("kernel", "the kernel with the parameters used", |m: &Self| m.kernel().show()),
        ]
    }
}

impl Validate for FittedKernelPca {
    fn validate(&self) -> Result<(), Error> {
        let (n, dim) = (self.embedding.len(), self.embedding.dim());
        self.kernel.check().map_err(|error| Error::damaged(error.to_string()))?;
        let same = |radial: &Radial| {
            let same = Radial::of(self.kernel).is_ok_and(|own| own == *radial);
            require(same, "its kernel of distances is not its kernel")
        };
        let training = match &self.training {
            Training::Points(points) => points.len(),
            Training::Measured { points, radial } => {
                points.validate()?;
                same(radial)?;
                points.len()
            }
            Training::Distances { count, radial } => {
                same(radial)?;
                *count
            }
        };
        require(training == n && self.means.len() == n, "it does not have a training point for every row")?;
        require(self.weights.shape() == (n, dim), "its weights do not have the shape of its coordinates")?;
        require_finite(self.means.iter().chain([&self.grand_mean, &self.trace]), "a mean of its kernel")
    }
}
