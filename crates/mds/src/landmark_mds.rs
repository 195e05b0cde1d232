//! Landmark multidimensional scaling.

use embedding::implement::{Fact, PairDistances, Scale, Sizes, TrainingPoints, Validate, require};
use embedding::{
    About, DataKind, Embedding, Error, Explanation, Fitted, Input, MemoryLimit, Method, Metric, Model,
    Observer, Points, Recipe, Rows, TrainingRows, Transform,
};
use serde::{Deserialize, Serialize};
use spectral::Tolerance;

use crate::distances::Distances;
use crate::euclidean::euclidean_row;
use crate::scaling::ClassicalScaling;
use crate::{ClassicalMds, Landmarks, Precision};

/// Landmark multidimensional scaling: classical scaling of a few landmarks, all
/// other points by their distances to them.
///
#[doc = include_str!("landmark_mds.md")]
///
/// **Details.** The scaling of the landmarks is [`ClassicalMds`]. l ≥ d + 1;
/// [`Error::Degenerate`] when the landmarks have fewer than d positive eigenvalues. With all
/// points as landmarks it is classical scaling; and for Euclidean distances in D columns any
/// landmarks that span D = d dimensions give the same map, up to the origin and a rotation.
///
/// **Cost.** With l landmarks: O(l n D) for distances, O(l² d) per step of the eigensolver, O(l
/// n d) for the rest; memory l²/2 + n d numbers. Of given distances only the rows of landmarks are read, and
/// all O(n²) once for the first landmark of max-min.
///
/// ```
/// use embedding::Points;
/// use mds::{LandmarkMds, Landmarks, Method, Model};
/// let grid: Vec<f64> = (0..50).flat_map(|i| [f64::from(i % 10), f64::from(i / 10)]).collect();
/// let recipe = LandmarkMds { landmarks: Landmarks::MaxMin { count: 5 }, ..LandmarkMds::default() };
/// let fitted = recipe.fit(Points::new(&grid, 2)?)?;
/// let y = fitted.embedding().coordinates();
/// assert!(((y.row(0) - y.row(49)).norm_l2() - 97_f64.sqrt()).abs() < 1e-9);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct LandmarkMds {
    /// Number and choice of landmarks.
    pub landmarks: Landmarks,
    /// Target dimension d.
    #[param(default = 2, range = "1 to landmarks - 1")]
    pub dim: usize,
    /// Residual demanded of the eigenvectors, relative to the operator's norm.
    pub tolerance: Tolerance,
}

impl Method for LandmarkMds {
    type Fitted = FittedLandmarkMds;

    const ABOUT: About = About {
        name: "landmark-mds",
        title: "Landmark MDS",
        summary: "Classical scaling of a few landmarks; the other points are placed by their distances to them.",
        preserves: "Euclidean distances, the large ones best",
        cost: "time n l D + l^2 d, memory 8 l^2 bytes, l landmarks",
        new_points: "distances to the landmarks; interpolates: near a training row it tends to the row's position",
        accepts: &[DataKind::Points, DataKind::Distances],
        needs_labels: false,
        least_points: 2,
        explanation: Explanation::new(include_str!("landmark_mds.md")),
    };

    fn complete(&self, sizes: Sizes) -> Sizes {
        let landmarks = sizes.points.map(|n| self.landmarks.count(n));
        Sizes { landmarks, dim: Some(self.dim), ..sizes }
    }

    /// Stages `"landmarks"`, `"distances"`, `"eigenvectors"`, `"triangulation"`.
    fn fit_input(&self, input: &Input<'_>) -> Result<FittedLandmarkMds, Error> {
        let (data, observer) = (input.pair_distances()?, input.observer());
        let measured = input.metric_points()?;
        let n = data.len();
        allow(n, self.landmarks.count(n), self.dim, input.memory_limit())?;
        observer.stage("landmarks");
        let rows = match &measured {
            None => self.landmarks.choose(data, observer)?,
            Some(points) => {
                let distances_from = |i| (0..points.len()).map(|j| points.distance(i, j)).collect();
                self.landmarks.choose_by(points.len(), distances_from, observer)?
            }
        };
        observer.stage("distances");
        let distances = between(data, input.metric(), &rows, input.memory_limit(), observer)?;
        let recipe = ClassicalMds { dim: self.dim, tolerance: self.tolerance, ..ClassicalMds::default() };
        let scaling = recipe.fit_distances(&distances, observer)?;
        observer.stage("triangulation");
        embedding::implement::proceed(observer, 0, 1)?;
        let training = Training::new(data, input.metric(), &rows);
        let embedding = match data {
            PairDistances::Points(points) => training.triangulate(&scaling, &rows, points)?,
            PairDistances::Distances(given) => scaling.place_rows(given.len(), |i, row| {
                row.iter_mut().zip(&rows).for_each(|(d, &j)| *d = given.get(i, j as usize));
            })?,
        };
        embedding::implement::proceed(observer, 1, 1)?;
        let embedding = embedding.with_spectrum(scaling.eigenvalues().to_vec());
        Ok(FittedLandmarkMds { embedding, rows, training, scaling, scale: Scale::ONE })
    }
}

/// Fails where choosing l of n points, or scaling them, exceeds the limit.
fn allow(n: usize, l: usize, dim: usize, limit: MemoryLimit) -> Result<(), Error> {
    let scaling = ClassicalScaling::bytes(l, dim, Precision::Double);
    // Rows, distances, gaps and candidates while landmarks are chosen; or the positions.
    let points = n as u64 * (16 * dim as u64).max(72);
    let advice = "use fewer landmarks, or allow more memory";
    limit.allow("the distances between landmarks", scaling + points, advice)
}

/// The distances between the landmarks.
fn between(
    data: PairDistances<'_>,
    metric: Metric,
    rows: &[u32],
    limit: MemoryLimit,
    observer: &dyn Observer,
) -> Result<Distances, Error> {
    let precision = Precision::Double;
    match data {
        PairDistances::Points(points) if metric.is_euclidean() => {
            Distances::euclidean(points.select(rows).view(), precision, limit, observer)
        }
        PairDistances::Points(points) => {
            let landmarks = points.select(rows);
            Distances::measured(&metric.prepare(landmarks.view())?, precision, limit, observer)
        }
        PairDistances::Distances(given) => {
            Distances::from_rows(rows.len(), given.largest(), precision, observer, |i, row| {
                row.iter_mut().zip(rows).for_each(|(d, &j)| *d = given.get(rows[i] as usize, j as usize));
            })
        }
    }
}

/// Fitted landmark scaling.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FittedLandmarkMds {
    embedding: Embedding,
    rows: Vec<u32>,
    training: Training,
    scaling: ClassicalScaling,
    /// The landmarks refer to the data divided by it.
    scale: Scale,
}

impl FittedLandmarkMds {
    /// The rows of the landmarks, ascending.
    pub fn landmarks(&self) -> &[u32] {
        &self.rows
    }

    /// The scaling of the landmarks.
    pub fn scaling(&self) -> &ClassicalScaling {
        &self.scaling
    }

    /// The factor by which coordinates were multiplied.
    fn images(&self) -> Scale {
        match &self.training {
            Training::Points { landmarks } => landmarks.metric().scale(self.scale),
            Training::Distances { .. } => self.scale,
        }
    }
}

/// The training data with which new points are compared.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Training {
    /// The landmarks.
    Points { landmarks: TrainingPoints },
    /// Distances of `count` points: new rows hold their distances to all of them.
    Distances { count: usize },
}

impl Training {
    fn new(data: PairDistances<'_>, metric: Metric, rows: &[u32]) -> Self {
        match data {
            PairDistances::Points(points) => {
                Self::Points { landmarks: TrainingPoints::new(points.select(rows).view(), metric) }
            }
            PairDistances::Distances(given) => Self::Distances { count: given.len() },
        }
    }

    /// Places rows by their distances to the landmarks, whose rows are given.
    fn triangulate(
        &self,
        scaling: &ClassicalScaling,
        rows: &[u32],
        new: Points<'_>,
    ) -> Result<Embedding, Error> {
        match self {
            Self::Points { landmarks } if landmarks.metric().is_euclidean() => {
                new.check_columns(landmarks.points().dim())?;
                let known = landmarks.points();
                scaling.place_rows(new.len(), |i, row| euclidean_row(new.row(i), known.rows(), row))
            }
            Self::Points { landmarks } => landmarks.place(new, |distances| scaling.place(distances.as_mat())),
            Self::Distances { count } => {
                new.check_distances(*count)?;
                scaling.place_rows(new.len(), |i, row| {
                    row.iter_mut().zip(rows).for_each(|(d, &j)| *d = new.row(i)[j as usize]);
                })
            }
        }
    }
}

impl Model for FittedLandmarkMds {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

impl Transform for FittedLandmarkMds {
    /// Places rows by the same triangulation as the training points, which reproduce to the bit.
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        let place = |new: Points<'_>| self.training.triangulate(&self.scaling, &self.rows, new);
        rows.place_dense(known, |new, _| self.scale.divided(new, place)?.multiplied(self.images()))
    }
}

impl Fitted for FittedLandmarkMds {
    fn multiplied(mut self, scale: Scale) -> Result<Self, Error> {
        self.scale = scale;
        let images = self.images();
        self.embedding = self.embedding.multiplied(images)?;
        self.scaling = self.scaling.multiplied(images)?;
        Ok(self)
    }

    fn notes(&self) -> Vec<String> {
        self.scaling.notes()
    }

    fn facts() -> Vec<Fact<Self>> {
        let mut facts = ClassicalScaling::facts_of(|m: &Self| Some(&m.scaling));
        facts.push(Fact::metric(|m: &Self| match &m.training {
            Training::Points { landmarks } => landmarks.metric(),
            Training::Distances { .. } => Metric::Euclidean,
        }));
        facts.push(Fact::new("landmarks", "the rows of the landmarks", |m: &Self| m.rows.clone()));
        facts
    }
}

impl Validate for FittedLandmarkMds {
    fn validate(&self) -> Result<(), Error> {
        self.scaling.validate()?;
        let (n, l) = (self.embedding.len(), self.rows.len());
        let ascending = self.rows.is_sorted_by(|a, b| a < b);
        require(
            ascending && self.rows.last().is_some_and(|&row| (row as usize) < n),
            "a landmark is no row of it",
        )?;
        let known = match &self.training {
            Training::Points { landmarks } => {
                landmarks.validate()?;
                landmarks.len() == l
            }
            Training::Distances { count } => *count == n,
        };
        let scaled =
            self.scaling.embedding().len() == l && self.scaling.embedding().dim() == self.embedding.dim();
        require(known && scaled, "its landmarks are not the landmarks that it scaled")
    }
}
