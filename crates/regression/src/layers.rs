//! Fully connected layers of rectified linear units, and their gradients.

use faer::{Mat, MatRef};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use spectral::dense::product;

/// x ↦ max(0, x W₁ + b₁) ↦ … ↦ x W + b. The last row of each matrix is b.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Layers {
    #[serde(with = "list")]
    pub(crate) weights: Vec<Mat<f64>>,
}

impl Layers {
    /// Creates layers with weights uniform in ±√(6/(inputs + outputs)), which keeps the
    /// variance constant across layers (Glorot and Bengio 2010).
    pub(crate) fn random(sizes: &[usize], seed: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut weights = Vec::new();
        for pair in sizes.windows(2) {
            let bound = (6.0 / (pair[0] + pair[1]) as f64).sqrt();
            let mut matrix = Mat::zeros(pair[0] + 1, pair[1]);
            for i in 0..=pair[0] {
                for j in 0..pair[1] {
                    let unit = (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
                    matrix[(i, j)] = bound * (2.0 * unit - 1.0);
                }
            }
            weights.push(matrix);
        }
        Self { weights }
    }

    /// Returns the inputs, one per row, followed by the output of each layer.
    fn outputs(&self, inputs: Mat<f64>) -> Vec<Mat<f64>> {
        let mut all = vec![inputs];
        for (l, w) in self.weights.iter().enumerate() {
            let last = l + 1 == self.weights.len();
            let inner = w.nrows() - 1;
            let mut out = product(all[l].as_ref(), w.subrows(0, inner));
            for j in 0..out.ncols() {
                for i in 0..out.nrows() {
                    let value = out[(i, j)] + w[(inner, j)];
                    out[(i, j)] = if last { value } else { value.max(0.0) };
                }
            }
            all.push(out);
        }
        all
    }

    /// Returns Σ |output − target|² / 2 over the rows, and its derivatives with respect
    /// to the weights.
    pub(crate) fn derivatives(&self, inputs: Mat<f64>, targets: MatRef<'_, f64>) -> (f64, Vec<Mat<f64>>) {
        let outputs = self.outputs(inputs);
        let depth = self.weights.len();
        let mut error = &outputs[depth] - targets;
        let loss = 0.5 * error.squared_norm_l2();
        let mut gradients = Vec::with_capacity(depth);
        for l in (0..depth).rev() {
            let w = &self.weights[l];
            let inner = w.nrows() - 1;
            let mut gradient = Mat::zeros(w.nrows(), w.ncols());
            gradient.subrows_mut(0, inner).copy_from(product(outputs[l].transpose(), error.as_ref()));
            (0..w.ncols()).for_each(|j| gradient[(inner, j)] = error.col(j).iter().sum());
            gradients.push(gradient);
            if l > 0 {
                let mut before = product(error.as_ref(), w.subrows(0, inner).transpose());
                for j in 0..before.ncols() {
                    for i in 0..before.nrows() {
                        if outputs[l][(i, j)] <= 0.0 {
                            before[(i, j)] = 0.0;
                        }
                    }
                }
                error = before;
            }
        }
        gradients.reverse();
        (loss, gradients)
    }

    /// Returns the output for one row; the order of summation depends on nothing else.
    pub(crate) fn output(&self, input: Vec<f64>) -> Vec<f64> {
        let mut values = input;
        for (l, w) in self.weights.iter().enumerate() {
            let inner = w.nrows() - 1;
            let sum = |j: usize| {
                let column = w.col(j);
                values.iter().zip(column.iter()).map(|(v, w)| v * w).sum::<f64>() + w[(inner, j)]
            };
            let out: Vec<f64> = (0..w.ncols()).map(sum).collect();
            let last = l + 1 == self.weights.len();
            values = if last { out } else { out.into_iter().map(|v| v.max(0.0)).collect() };
        }
        values
    }
}

/// Serialization of a list of matrices.
mod list {
    use faer::Mat;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct One(#[serde(with = "embedding::implement::matrix")] Mat<f64>);

    pub(super) fn serialize<S: Serializer>(list: &[Mat<f64>], serializer: S) -> Result<S::Ok, S::Error> {
        let list: Vec<One> = list.iter().cloned().map(One).collect();
        list.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Mat<f64>>, D::Error> {
        Ok(Vec::<One>::deserialize(deserializer)?.into_iter().map(|one| one.0).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_are_those_of_the_loss() {
        let mut layers = Layers::random(&[3, 5, 4, 2], 1);
        let value = |i: usize, j: usize, step: f64| ((i * 7 + j + 1) as f64 * step).fract() - 0.4;
        let inputs = Mat::from_fn(11, 3, |i, j| value(i, j, 0.754_877_666));
        let targets = Mat::from_fn(11, 2, |i, j| value(i, j, 0.569_840_291));
        let (_, gradients) = layers.derivatives(inputs.clone(), targets.as_ref());
        for (l, gradient) in gradients.iter().enumerate() {
            for i in 0..gradient.nrows() {
                for j in 0..gradient.ncols() {
                    let start = layers.weights[l][(i, j)];
                    let mut at = |w: f64| {
                        layers.weights[l][(i, j)] = w;
                        layers.derivatives(inputs.clone(), targets.as_ref()).0
                    };
                    let slope = (at(start + 1e-6) - at(start - 1e-6)) / 2e-6;
                    layers.weights[l][(i, j)] = start;
                    assert!((gradient[(i, j)] - slope).abs() < 1e-6, "layer {l}, ({i}, {j})");
                }
            }
        }
    }

    #[test]
    fn one_row_and_many_rows_agree() {
        let layers = Layers::random(&[3, 6, 2], 2);
        let inputs = Mat::from_fn(4, 3, |i, j| (i as f64 - 1.5) * (j as f64 + 0.3));
        let all = layers.outputs(inputs.clone());
        for i in 0..4 {
            let one = layers.output((0..3).map(|j| inputs[(i, j)]).collect());
            assert!((0..2).all(|j| (one[j] - all[2][(i, j)]).abs() < 1e-14));
        }
    }
}
