//! Time and memory of a fit before it runs, extrapolated from small fits of the same data.

mod calibration;
mod growth;

use embedding::DynMethod;
use serde::Serialize;

pub(crate) use self::calibration::{Calibration, Sample};
use self::growth::Power;
use crate::results::Stage;

/// The expected cost of one fit.
#[derive(Serialize)]
pub(crate) struct Forecast {
    /// The method.
    pub method: String,
    /// The documented time and memory, in words.
    pub cost: &'static str,
    /// The number of points of the fit.
    pub n: usize,
    /// Expected wall-clock time in seconds.
    pub seconds: f64,
    /// Expected time by stage.
    pub stages: Vec<ExpectedStage>,
    /// Expected memory that the fit allocates at its peak, in addition to program and points, in bytes.
    pub fit_memory_bytes: u64,
    /// Whether a fit of all `n` points was measured, so that its time is not extrapolated.
    pub measured: bool,
    /// Whether bridges joined the components of small samples, whose graph is disconnected.
    pub bridged: bool,
    /// The small fits.
    pub calibration: Vec<Sample>,
}

/// The expected time of a stage.
#[derive(Serialize)]
pub(crate) struct ExpectedStage {
    /// The name of the stage.
    pub name: String,
    /// Expected time in seconds.
    pub seconds: f64,
    /// The power of n by which the time grows.
    pub exponent: f64,
}

impl Forecast {
    /// Extrapolates the times of samples of growing size, at least one, to `n` points.
    pub(crate) fn of(
        method: &dyn DynMethod,
        n: usize,
        (samples, bridged): (Vec<Sample>, bool),
        fit_memory_bytes: u64,
    ) -> Self {
        let about = method.about();
        let stages = stages_at(&samples, n);
        let last = samples.last();
        Self {
            method: about.name.to_owned(),
            cost: about.cost,
            n,
            seconds: outside_stages(&samples).at(n as f64)
                + stages.iter().map(|stage| stage.seconds).sum::<f64>(),
            stages,
            fit_memory_bytes,
            measured: last.is_some_and(|last| last.n == n),
            bridged,
            calibration: samples,
        }
    }
}

/// How the time grows that a fit takes outside its stages: before the first one, or all of it where the method
/// has none.
fn outside_stages(samples: &[Sample]) -> Power {
    let of = |sample: &Sample| {
        let within: f64 = sample.stages.iter().map(|stage| stage.seconds).sum();
        (sample.n as f64, (sample.seconds - within).max(0.0))
    };
    Power::through(&samples.iter().map(of).collect::<Vec<_>>())
}

/// The expected times of the stages of the largest sample.
fn stages_at(samples: &[Sample], n: usize) -> Vec<ExpectedStage> {
    let Some(last) = samples.last() else { return Vec::new() };
    let expected = |Stage { name, .. }: &Stage| {
        let times = samples.iter().filter_map(|sample| {
            let stage = sample.stages.iter().find(|stage| stage.name == *name)?;
            Some((sample.n as f64, stage.seconds))
        });
        let power = Power::through(&times.collect::<Vec<_>>());
        ExpectedStage { name: name.clone(), seconds: power.at(n as f64), exponent: power.exponent }
    };
    last.stages.iter().map(expected).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A method without stages, and one that takes half of its time before its first stage.
    #[test]
    fn time_outside_the_stages_is_counted() {
        let method = swissroll::method("random-projection").expect("a method");
        let sample = |n: usize, stages: &[Stage]| Sample {
            n,
            seconds: n as f64 / 1000.0,
            stages: stages.to_vec(),
            memory_bytes: 1,
        };
        let half = |n: usize| [Stage { name: "search".to_owned(), seconds: n as f64 / 2000.0 }];
        let with = vec![sample(1000, &half(1000)), sample(2000, &half(2000))];
        let without = vec![sample(1000, &[]), sample(2000, &[])];
        for samples in [with, without] {
            let forecast = Forecast::of(method.as_ref(), 8000, (samples, false), 0);
            assert!((forecast.seconds - 8.0).abs() < 1e-9, "{}", forecast.seconds);
        }
    }
}
