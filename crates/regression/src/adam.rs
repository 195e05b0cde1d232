//! The Adam optimizer.
//!
//! Kingma and Ba (2015), doi:10.48550/arXiv.1412.6980.

use faer::Mat;

const FIRST: f64 = 0.9;
const SECOND: f64 = 0.999;
const SMALL: f64 = 1e-8;

/// First and second moments of the gradient of one parameter matrix.
pub(crate) struct Adam {
    mean: Mat<f64>,
    square: Mat<f64>,
    steps: i32,
}

impl Adam {
    pub(crate) fn new(parameters: &Mat<f64>) -> Self {
        let zeros = || Mat::zeros(parameters.nrows(), parameters.ncols());
        Self { mean: zeros(), square: zeros(), steps: 0 }
    }

    pub(crate) fn step(&mut self, rate: f64, gradient: &Mat<f64>, parameters: &mut Mat<f64>) {
        self.steps = self.steps.saturating_add(1);
        let rate = rate * (1.0 - SECOND.powi(self.steps)).sqrt() / (1.0 - FIRST.powi(self.steps));
        for j in 0..parameters.ncols() {
            for i in 0..parameters.nrows() {
                let g = gradient[(i, j)];
                let mean = FIRST * self.mean[(i, j)] + (1.0 - FIRST) * g;
                let square = SECOND * self.square[(i, j)] + (1.0 - SECOND) * g * g;
                self.mean[(i, j)] = mean;
                self.square[(i, j)] = square;
                parameters[(i, j)] -= rate * mean / (square.sqrt() + SMALL);
            }
        }
    }
}
