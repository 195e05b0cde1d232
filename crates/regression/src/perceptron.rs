//! The multilayer perceptron.

use embedding::implement::{Validate, proceed, require};
use embedding::{Embedding, Error, Observer, Points, Rows, Status, TrainingRows, Transform};
use faer::{Mat, MatRef};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::adam::Adam;
use crate::layers::Layers;
use crate::scaler::{Scaler, Standardization};
use crate::shuffle::shuffle;
use crate::{Regressor, ValidationError, check_targets};

/// A multilayer perceptron with rectified linear units, trained by Adam.
///
/// **Idea.** The weights of a network are fitted by stochastic gradient descent with
/// early stopping on held-out examples.
///
/// **Definition.** Inputs and targets are standardized, targets by column. The loss is
/// the mean of |f(x) − y|²/2 plus l2/2 · |W|²/batch over the weights (not the biases),
/// minimized over mini-batches in seeded random order. A fraction of the examples is held
/// out; the weights of the epoch with the smallest held-out error are kept.
///
/// **Steps and cost.** Stage `"training"`: O(n · parameters) per epoch, with batches
/// processed in parallel in parts of fixed size; memory O(n D + parameters).
///
/// **When it fails.** Far from the training points the function extrapolates linearly,
/// without meaning. Discontinuities between clusters of a t-SNE map are smoothed: points
/// near them are placed between clusters.
///
/// ```
/// use embedding::{PointSet, Silent, Transform};
/// use faer::Mat;
/// use regression::{Perceptron, Regressor};
/// let x = PointSet::new((0..200).map(|i| f64::from(i) / 100.0 - 1.0).collect(), 1)?;
/// let y = Mat::from_fn(200, 1, |i, _| x.view().row(i)[0].abs());
/// let fitted = Perceptron { learning_rate: 0.01, ..Perceptron::default() }.fit(x.view(), y.as_ref(), &Silent)?;
/// assert!(fitted.validation().unexplained < 0.05);
/// # Ok::<(), embedding::Error>(())
/// ```
///
/// **Reference.** Rumelhart, Hinton and Williams (1986), doi:10.1038/323533a0;
/// Adam: Kingma and Ba (2015), doi:10.48550/arXiv.1412.6980.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Perceptron {
    /// Units of each hidden layer, each at least 1; default one layer of 100. Without
    /// hidden layers the model is linear regression.
    pub hidden: Vec<usize>,
    /// Scaling of the inputs; default each column by its own standard deviation.
    pub standardization: Standardization,
    /// Largest number of epochs (passes over the examples); default 500, at least 1.
    pub epochs: usize,
    /// Mini-batch size; default 200, at least 1.
    pub batch: usize,
    /// Learning rate of Adam; default 0.001.
    pub learning_rate: f64,
    /// L2 penalty of the weights; default 1e-4, at least 0.
    pub l2: f64,
    /// Fraction of the examples held out; default 0.1, in (0, 1).
    pub held_out: f64,
    /// Training stops as converged if the held-out error has not decreased for this many
    /// epochs; default 20, at least 1.
    pub patience: usize,
    /// Seed of the initial weights, the held-out examples and the batch order; default 0.
    pub seed: u64,
}

impl Default for Perceptron {
    fn default() -> Self {
        Self {
            hidden: vec![100],
            standardization: Standardization::ByColumn,
            epochs: 500,
            batch: 200,
            learning_rate: 1e-3,
            l2: 1e-4,
            held_out: 0.1,
            patience: 20,
            seed: 0,
        }
    }
}

/// Rows whose gradients are computed together on one thread.
const PART: usize = 50;

impl Perceptron {
    fn check(&self, n: usize) -> Result<(), Error> {
        for (name, value) in [("epochs", self.epochs), ("batch", self.batch), ("patience", self.patience)] {
            if value == 0 {
                return Err(Error::parameter(name, "at least 1", value));
            }
        }
        if self.hidden.contains(&0) {
            return Err(Error::parameter("hidden", "layers of at least one unit", 0));
        }
        if !(self.learning_rate.is_finite() && self.learning_rate > 0.0) {
            return Err(Error::parameter("learning_rate", "finite and positive", self.learning_rate));
        }
        if !(self.l2.is_finite() && self.l2 >= 0.0) {
            return Err(Error::parameter("l2", "finite and at least 0", self.l2));
        }
        if !(self.held_out > 0.0 && self.held_out < 1.0) {
            return Err(Error::parameter("held_out", "between 0 and 1, both excluded", self.held_out));
        }
        if n < 3 {
            return Err(Error::TooFewPoints {
                what: "a perceptron with held-out examples",
                needed: 3,
                got: n,
            });
        }
        Ok(())
    }

    /// Returns held-out and training rows, both in random order.
    fn split(&self, n: usize, random: &mut ChaCha8Rng) -> (Vec<usize>, Vec<usize>) {
        let mut rows: Vec<usize> = (0..n).collect();
        shuffle(&mut rows, random);
        let held = ((n as f64 * self.held_out).round() as usize).clamp(1, n - 2);
        let training = rows.split_off(held);
        (rows, training)
    }
}

impl Regressor for Perceptron {
    type Fitted = FittedPerceptron;

    fn fit(
        &self,
        points: Points<'_>,
        targets: MatRef<'_, f64>,
        observer: &dyn Observer,
    ) -> Result<FittedPerceptron, Error> {
        check_targets(points, targets)?;
        let n = points.len();
        self.check(n)?;
        observer.stage("training");
        let (input, output) =
            (Scaler::of_inputs(points.as_mat(), self.standardization), Scaler::new(targets));
        let x = Mat::from_fn(n, points.dim(), |i, j| input.forward(j, points.row(i)[j]));
        let y = Mat::from_fn(n, targets.ncols(), |i, j| output.forward(j, targets[(i, j)]));
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let (held, mut training) = self.split(n, &mut random);
        let sizes: Vec<usize> =
            [points.dim()].into_iter().chain(self.hidden.iter().copied()).chain([targets.ncols()]).collect();
        let mut layers = Layers::random(&sizes, random.next_u64());
        let mut adams: Vec<Adam> = layers.weights.iter().map(Adam::new).collect();

        let mut best = (f64::INFINITY, 0, layers.clone());
        let mut status = Status::IterationLimit { iterations: self.epochs };
        for epoch in 1..=self.epochs {
            proceed(observer, epoch - 1, self.epochs)?;
            shuffle(&mut training, &mut random);
            for batch in training.chunks(self.batch) {
                let mut gradients = batch_gradients(&layers, &x, &y, batch);
                for ((gradient, adam), w) in gradients.iter_mut().zip(&mut adams).zip(&mut layers.weights) {
                    let scale = 1.0 / batch.len() as f64;
                    let offsets = w.nrows() - 1;
                    for j in 0..w.ncols() {
                        for i in 0..w.nrows() {
                            let pull = if i < offsets { self.l2 * w[(i, j)] } else { 0.0 };
                            gradient[(i, j)] = scale * (gradient[(i, j)] + pull);
                        }
                    }
                    adam.step(self.learning_rate, gradient, w);
                }
            }
            let error = squared_error(&layers, &x, &y, &held, |_| 1.0);
            if !error.is_finite() {
                return Err(Error::degenerate("the training diverged", "use a smaller learning rate"));
            }
            if error < best.0 {
                best = (error, epoch, layers.clone());
            } else if epoch - best.1 >= self.patience {
                status = Status::Converged { iterations: epoch };
                break;
            }
        }
        proceed(observer, self.epochs, self.epochs)?;
        let layers = best.2;
        let count = held.len() as f64;
        let unit = output.unit();
        let in_units = squared_error(&layers, &x, &y, &held, |j| unit.quotient(output.scale(j)));
        let validation = ValidationError {
            root_mean_square: unit.times((in_units / count).sqrt()),
            // Standardized targets have variance 1 by column.
            unexplained: best.0 / (count * targets.ncols() as f64),
        };
        Ok(FittedPerceptron { layers, input, output, validation, status })
    }
}

/// Returns the sum of the gradients over a batch; parts in parallel, summed in order.
fn batch_gradients(layers: &Layers, x: &Mat<f64>, y: &Mat<f64>, batch: &[usize]) -> Vec<Mat<f64>> {
    let parts: Vec<Vec<Mat<f64>>> = batch
        .par_chunks(PART)
        .map(|rows| {
            let inputs = Mat::from_fn(rows.len(), x.ncols(), |i, j| x[(rows[i], j)]);
            let targets = Mat::from_fn(rows.len(), y.ncols(), |i, j| y[(rows[i], j)]);
            layers.derivatives(inputs, targets.as_ref()).1
        })
        .collect();
    let mut parts = parts.into_iter();
    let mut total = parts.next().unwrap_or_default();
    for part in parts {
        total.iter_mut().zip(&part).for_each(|(t, p)| *t += p);
    }
    total
}

/// Returns Σ |f(x) − y|² over the rows, each column weighted by the square of its scale.
fn squared_error(
    layers: &Layers,
    x: &Mat<f64>,
    y: &Mat<f64>,
    rows: &[usize],
    scale: impl Fn(usize) -> f64 + Sync,
) -> f64 {
    let errors: Vec<f64> = rows
        .par_iter()
        .map(|&i| {
            let out = layers.output((0..x.ncols()).map(|j| x[(i, j)]).collect());
            out.iter().enumerate().map(|(j, v)| (scale(j) * (v - y[(i, j)])).powi(2)).sum()
        })
        .collect();
    errors.iter().sum()
}

/// A trained perceptron.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FittedPerceptron {
    layers: Layers,
    input: Scaler,
    output: Scaler,
    validation: ValidationError,
    status: Status,
}

impl FittedPerceptron {
    /// Returns the error on the held-out examples; slightly optimistic, as it also
    /// selected the epoch.
    pub fn validation(&self) -> ValidationError {
        self.validation
    }

    /// Returns how training ended; iterations are epochs.
    pub fn status(&self) -> Status {
        self.status
    }
}

impl Transform for FittedPerceptron {
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        rows.place_dense(known, |new, _| self.predict(new))
    }
}

impl FittedPerceptron {
    fn predict(&self, new: Points<'_>) -> Result<Embedding, Error> {
        new.check_columns(self.input.len())?;
        let rows: Vec<Vec<f64>> = (0..new.len())
            .into_par_iter()
            .map(|i| {
                let row = new.row(i).iter().enumerate();
                let row: Vec<f64> = row.map(|(j, v)| self.input.forward(j, *v)).collect();
                let known = row.iter().all(|v| v.is_finite());
                // A unit that is not a number would count as 0.
                if known { self.layers.output(row) } else { vec![f64::NAN; self.output.len()] }
            })
            .collect();
        let backward = |row: Vec<f64>| row.into_iter().enumerate().map(|(j, v)| self.output.backward(j, v));
        let values: Vec<f64> = rows.into_iter().flat_map(backward).collect();
        if let Some(at) = values.iter().position(|v| !v.is_finite()) {
            return Err(Error::degenerate(
                format!("what row {} is mapped to exceeds the range of numbers", at / self.output.len()),
                "leave it out, or bring the new points to the units of the training data",
            ));
        }
        Ok(Embedding::from_rows(values, self.output.len()))
    }
}

impl Validate for FittedPerceptron {
    fn validate(&self) -> Result<(), Error> {
        self.input.validate()?;
        self.output.validate()?;
        let weights = &self.layers.weights;
        let ends = weights.first().map(|w| w.nrows() - 1) == Some(self.input.len())
            && weights.last().map(Mat::ncols) == Some(self.output.len());
        let joined = weights.windows(2).all(|pair| pair[1].nrows() - 1 == pair[0].ncols());
        require(ends && joined, "the layers of its perceptron do not fit together")
    }
}
