//! History of an iterative method: its objective, and snapshots of its map.

use embedding::{Embedding, Iteration};
use faer::Mat;
use figure::curves::{Axis, Chart, Curve, Look};

use crate::results::Frame;

/// A snapshot is kept at the first reported iteration at or after each milestone. Milestones are
/// dense at the start, when the map changes most.
const MILESTONES: [usize; 15] = [1, 2, 5, 10, 25, 50, 100, 250, 300, 400, 500, 750, 1000, 1250, 2500];

/// Objectives and snapshots, in order.
#[derive(Clone, Default)]
pub(crate) struct History {
    objectives: Vec<[f64; 2]>,
    frames: Vec<Frame>,
}

impl History {
    /// Notes an iteration; coordinates that are not finite are not kept. A method that begins again, as it does for the next
    /// component, makes the history worthless; it is forgotten then.
    pub(crate) fn note(&mut self, iteration: &Iteration<'_>) {
        let last = self.frames.last().map_or(0, |frame| frame.iteration);
        if iteration.number <= last {
            *self = Self::default();
        }
        if let Some(objective) = iteration.objective.filter(|objective| objective.is_finite()) {
            self.objectives.push([iteration.number as f64, objective]);
        }
        let last = self.frames.last().map_or(0, |frame| frame.iteration);
        if !iteration.coordinates.is_all_finite() {
            return;
        }
        if MILESTONES.iter().any(|&milestone| last < milestone && milestone <= iteration.number) {
            self.frames.push(Frame {
                iteration: iteration.number,
                objective: iteration.objective,
                coordinates: iteration.coordinates.to_owned(),
            });
        }
    }

    /// Returns the objective against the iterations; `None` with fewer than three values.
    pub(crate) fn chart(&self, method: &str) -> Option<Chart> {
        let values = || self.objectives.iter().map(|point| point[1]);
        let (low, high) = (embedding::implement::minimum(values()), embedding::implement::maximum(values()));
        let title = "objective";
        let y = if low > 0.0 && high > 20.0 * low { Axis::logarithmic(title) } else { Axis::linear(title) };
        let curve =
            Curve { name: method.to_owned(), points: self.objectives.clone(), look: Look::Line, group: 0 };
        (self.objectives.len() >= 3).then(|| Chart {
            title: format!("{method}: objective"),
            x: Axis::linear("iteration"),
            y,
            curves: vec![curve],
        })
    }

    /// Returns the snapshots with as many points as the result. Where successive snapshots look
    /// alike, only the last is kept. Empty if fewer than three remain.
    pub(crate) fn frames(self, result: &Embedding) -> Vec<Frame> {
        let whole = |frame: &Frame| frame.coordinates.nrows() == result.len();
        let mut frames: Vec<Frame> = Vec::new();
        // The first of the frames that look like the last one.
        let mut alike: Option<Frame> = None;
        for frame in self.frames.into_iter().filter(whole) {
            // The first of all is where the method began.
            if frames.len() > 1 && alike.as_ref().is_some_and(|first| look_alike(first, &frame)) {
                frames.pop();
            } else {
                alike = Some(frame.clone());
            }
            frames.push(frame);
        }
        if frames.len() < 3 { Vec::new() } else { frames }
    }
}

/// Two maps look alike when, after shift and scaling, points differ by less than this
/// fraction of the spread on average.
const ALIKE: f64 = 0.02;

/// Whether two frames look alike, each drawn to fill its panel.
fn look_alike(a: &Frame, b: &Frame) -> bool {
    let normal = |coordinates: &Mat<f64>| {
        let n = coordinates.nrows() as f64;
        let means: Vec<f64> = coordinates.col_iter().map(|column| column.iter().sum::<f64>() / n).collect();
        let map = Mat::from_fn(coordinates.nrows(), means.len(), |i, j| coordinates[(i, j)] - means[j]);
        let norm = map.norm_l2();
        map * faer::Scale(1.0 / norm)
    };
    // A map without extent is NaN here, and unlike any other.
    (normal(&a.coordinates) - normal(&b.coordinates)).norm_l2() < ALIKE
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(numbers: impl Iterator<Item = usize>) -> History {
        let coordinates = Mat::<f64>::zeros(3, 2);
        let mut history = History::default();
        for number in numbers {
            let objective = Some(1.0 / number as f64);
            history.note(&Iteration { number, objective, coordinates: coordinates.as_ref() });
        }
        history
    }

    #[test]
    fn few_frames_of_many_iterations() {
        let at = |history: &History| history.frames.iter().map(|frame| frame.iteration).collect::<Vec<_>>();
        assert_eq!(at(&noted(1..=120)), [1, 2, 5, 10, 25, 50, 100]);
        // A method that reports every fiftieth iteration only.
        assert_eq!(at(&noted((1..=8).map(|i| 50 * i))), [50, 100, 250, 300, 400]);
        // Restart for the second component.
        assert_eq!(at(&noted((1..=30).chain(1..=5))), [1, 2, 5]);
    }

    /// A method that diverges fails by itself; its last states are not drawn.
    #[test]
    fn states_that_are_not_finite_are_left_out() {
        let mut history = noted(1..=5);
        let coordinates = Mat::from_fn(3, 2, |i, _| if i == 1 { f64::NAN } else { 0.0 });
        history.note(&Iteration { number: 10, objective: Some(f64::NAN), coordinates: coordinates.as_ref() });
        assert_eq!(history.frames.len(), 3);
        assert_eq!(history.objectives.len(), 5);
    }

    /// The map turns from a parabola into a line until iteration 100, then only grows.
    #[test]
    fn frames_that_look_alike_are_folded() {
        let mut history = History::default();
        for number in 1..=500_usize {
            let bend = 1.0 - (number as f64 / 100.0).min(1.0);
            let size = number as f64;
            let coordinates = Mat::from_fn(40, 2, |i, j| {
                let x = i as f64 / 39.0 - 0.5;
                size * if j == 0 { x } else { bend * x * x }
            });
            history.note(&Iteration { number, objective: None, coordinates: coordinates.as_ref() });
        }
        let result = Embedding::new(Mat::zeros(40, 2));
        let at: Vec<usize> = history.frames(&result).iter().map(|frame| frame.iteration).collect();
        assert_eq!(at, [1, 10, 25, 50, 500]);
    }

    #[test]
    fn nothing_is_drawn_of_two_values() {
        assert_eq!(noted(1..=2).chart("tsne"), None);
        assert_eq!(noted(1..=9).chart("tsne").expect("nine values").curves[0].points.len(), 9);
        let other = Embedding::new(Mat::zeros(4, 2));
        assert!(noted(1..=9).frames(&other).is_empty());
    }
}
