//! `classical-mds`, of points or of given distances.

use embedding::{Embedding, Error, MemoryLimit, Model, Observer, Points, Transform};
use faer::{Mat, MatRef};
use mds::{ClassicalMds, ClassicalScaling, Distances, FittedClassicalMds, Precision};
use serde::{Deserialize, Serialize};

use super::Entry;
use super::entry::{Describe, Placement};
use super::parameter::{field, memory_limit};
use super::word::words;

/// What the rows of the input are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Given {
    #[default]
    Points,
    Distances,
}

words!(Given { Points = "points", Distances = "distances" });

/// The recipe, and what it is given.
#[derive(Default)]
pub(super) struct Recipe {
    scaling: ClassicalMds,
    given: Given,
    precision: Precision,
    memory_limit: MemoryLimit,
}

/// A scaling of either.
#[derive(Serialize, Deserialize)]
pub(super) enum Scaled {
    Points(FittedClassicalMds),
    Distances(ClassicalScaling),
}

pub(super) static CLASSICAL_MDS: Entry<Recipe, Scaled> = Entry {
    name: "classical-mds",
    summary: "Coordinates whose inner products are those of the data, as nearly as d dimensions allow.",
    preserves: "Euclidean distances, the large ones best; equals pca on points",
    cost: "time n D min(n, D), memory min(n, D)^2; of distances: time n^2 d per step, memory 2 n^2 bytes",
    supervised: false,
    parameters: &[
        field!("dim", scaling.dim, "1 to the rank of the data", "target dimension d"),
        field!(
            "tolerance",
            scaling.tolerance.residual,
            "a positive number",
            "residual demanded of the eigenvectors, relative to the operator's norm"
        ),
        field!("given", given, "points or distances", "what a row of the input is; distances are n by n"),
        field!("precision", precision, "single or double", "of stored distances"),
        memory_limit!(),
    ],
    neighborhood: None,
    fit: |recipe, input, observer| recipe.fit(input.points, observer),
    report: |fitted, _, report| match fitted {
        Scaled::Points(fitted) => {
            report.fact("eigenvalues", fitted.eigenvalues());
            report.fact("trace", fitted.trace());
        }
        Scaled::Distances(scaling) => super::isomap::describe(scaling, report),
    },
    placement: Placement::by("the same projection"),
};

impl Recipe {
    /// Stage `"distances"`, where they are given; then `"eigenvectors"`.
    fn fit(&self, rows: Points<'_>, observer: &dyn Observer) -> Result<Scaled, Error> {
        if self.given == Given::Points {
            return Ok(Scaled::Points(self.scaling.fit(rows, observer)?));
        }
        let n = rows.len();
        observer.stage("distances");
        embedding::proceed(observer, 0, 1)?;
        let advice = "use single precision, fewer points, or allow more memory";
        self.memory_limit.allow("the distances", Distances::bytes(n, self.precision), advice)?;
        let matrix = MatRef::from_row_major_slice(rows.values(), n, rows.dim());
        let distances = Distances::from_matrix(matrix, self.precision)?;
        embedding::proceed(observer, 1, 1)?;
        Ok(Scaled::Distances(self.scaling.fit_distances(&distances, observer)?))
    }
}

impl Describe for Scaled {}

impl Model for Scaled {
    fn embedding(&self) -> &Embedding {
        match self {
            Self::Points(fitted) => fitted.embedding(),
            Self::Distances(scaling) => scaling.embedding(),
        }
    }
}

impl Transform for Scaled {
    /// Of distances, a new row holds those to the training points.
    fn transform(&self, new: Points<'_>) -> Result<Mat<f64>, Error> {
        match self {
            Self::Points(fitted) => fitted.transform(new),
            Self::Distances(scaling) => {
                scaling.place(MatRef::from_row_major_slice(new.values(), new.len(), new.dim()))
            }
        }
    }
}
