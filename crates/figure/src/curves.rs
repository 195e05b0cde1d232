//! Charts as plain data: the values of the curves, without their drawing.
//!
//! Results store charts, and [`chart_scene`](crate::chart_scene) draws them.

use serde::{Deserialize, Serialize};

/// A plot of curves, which methods may offer about themselves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// To the right.
    pub x: Axis,
    /// Upward.
    pub y: Axis,
    /// In the order of the key.
    pub curves: Vec<Curve>,
}

/// What an axis measures, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// Its name.
    pub label: String,
    /// How values become places.
    pub scale: Scale,
}

/// How values become places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Evenly.
    Linear,
    /// Equal factors have equal lengths; values of zero and below are not shown.
    Logarithmic,
}

/// One curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// What it is.
    pub name: String,
    /// Places on both axes, in order.
    pub points: Vec<[f64; 2]>,
    /// How it is drawn.
    pub look: Look,
    /// Curves of one group have one color.
    pub group: usize,
}

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Look {
    /// A line.
    Line,
    /// A broken line, for bounds.
    Dashed,
    /// A line with a disc at every point, for few points.
    Marked,
}

impl Axis {
    /// Evenly spaced values.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Linear }
    }

    /// Values by their factors.
    pub fn logarithmic(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Logarithmic }
    }
}

impl Chart {
    /// The objective of an iterative method and, dashed, the lower bound of the run that
    /// ended lowest, against the work that was done.
    pub fn convergence(title: impl Into<String>, work: impl Into<String>, traces: &[Trace]) -> Self {
        let mut curves = Vec::new();
        for (group, trace) in traces.iter().enumerate() {
            let curve = |name: String, values: &[f64], look| Curve {
                name,
                points: trace.work.iter().zip(values).map(|(&x, &y)| [x, y]).collect(),
                look,
                group,
            };
            curves.push(curve(trace.name.clone(), &trace.objective, Look::Line));
            let lowest = traces.iter().all(|other| trace.last() <= other.last());
            if lowest && !trace.lower_bound.is_empty() && curves.iter().all(|c| c.look != Look::Dashed) {
                curves.push(curve(format!("lower bound, {}", trace.name), &trace.lower_bound, Look::Dashed));
            }
        }
        // Good methods need a tenth of the work of bad ones, or less.
        Self { title: title.into(), x: Axis::logarithmic(work), y: Axis::logarithmic("objective"), curves }
    }

    /// The part of the distances that is left unexplained in 1, 2, … dimensions;
    /// its elbow is the dimension of the manifold.
    pub fn residual_variance(curves: &[(String, Vec<f64>)]) -> Self {
        let curve = |(group, (name, values)): (usize, &(String, Vec<f64>))| Curve {
            name: name.clone(),
            points: values.iter().enumerate().map(|(i, &value)| [i as f64 + 1.0, value]).collect(),
            look: Look::Marked,
            group,
        };
        Self {
            title: "Residual variance".to_owned(),
            x: Axis::linear("dimension"),
            y: Axis::linear("residual variance"),
            curves: curves.iter().enumerate().map(curve).collect(),
        }
    }
}

impl Trace {
    /// The last objective; infinite where there is none.
    fn last(&self) -> f64 {
        self.objective.last().copied().unwrap_or(f64::INFINITY)
    }
}

/// What an iterative method did, for [`Chart::convergence`].
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Whose trace it is.
    pub name: String,
    /// Work done so far, ascending.
    pub work: Vec<f64>,
    /// The objective after it.
    pub objective: Vec<f64>,
    /// What the objective cannot fall below; empty where that is not known.
    pub lower_bound: Vec<f64>,
}
