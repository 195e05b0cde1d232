//! The time that the fits of a large data set are expected to take.

use std::time::{Duration, Instant};

use embedding::Error;
use figure::number::{count, counted, duration};

use super::{GridPoint, Plan};
use crate::applicability::inapplicable;
use crate::cost::{Calibration, Forecast};
use crate::dataset_source::DatasetSource;
use crate::measures::EvaluationData;
use crate::progress::{Progress, TimeLeft};

/// The fewest points of a forecast. Fits of fewer are over before one is worth its small fits.
const FEWEST: usize = 10_000;

/// The stage that a run does not repeat, because its methods share neighbor lists.
const SEARCH: &str = "neighbors";

/// The expected time of each fit in seconds, where there is one.
pub(super) struct Expected(Vec<Option<f64>>);

impl Expected {
    /// Extrapolates two small fits of every method for which `wanted` holds. A method that is skipped, or whose small
    /// fits fail, has no expected time. `None` where fits are fast, or where settings are swept.
    pub(super) fn of(
        (plan, at): (&Plan, &GridPoint),
        source: &DatasetSource,
        known: EvaluationData<'_>,
        wanted: impl Fn(usize) -> bool,
        progress: &Progress,
    ) -> Result<Option<Self>, Error> {
        let n = source.points().len();
        if n < FEWEST || plan.grid.len() > 1 {
            return Ok(None);
        }
        let (mut seconds, mut samples) = (Vec::with_capacity(at.methods.len()), Vec::new());
        for (i, planned) in at.methods.iter().enumerate() {
            let planned = planned.suited_to(&source.data)?;
            let method = planned.method.as_ref();
            let skipped = plan.skip_inapplicable && inapplicable(method, planned.dim_chosen, known).is_some();
            if skipped || !wanted(i) {
                seconds.push(None);
                continue;
            }
            progress.begin(format!("{}: the time of {}", source.data.name, method.about().name));
            let calibration = Calibration {
                source,
                metric: plan.metric,
                memory: planned.memory,
                n,
                // Two fits are made in any case.
                seconds: 0.0,
                seed: at.seed,
                progress,
            };
            match calibration.forecast(method, planned.dim_chosen) {
                Ok(forecast) => {
                    let shared = method.neighborhood_dyn(n).is_some();
                    seconds.push(Some(without_search(&forecast, shared)));
                    samples = forecast.calibration.iter().map(|sample| count(sample.n)).collect();
                }
                Err(Error::Cancelled) => return Err(Error::Cancelled),
                Err(_) => seconds.push(None),
            }
        }
        let expected = Self(seconds);
        if !samples.is_empty() {
            progress.line(format!(
                "note: {}: {} will take about {}, as fits of {} points say",
                source.data.name,
                counted(expected.0.iter().flatten().count(), "fit", "fits"),
                duration(expected.after(0)),
                samples.join(" and ")
            ));
        }
        Ok(Some(expected))
    }

    /// The time left when the fit of method `i` begins.
    pub(super) fn left(&self, i: usize) -> TimeLeft {
        let running = Duration::from_secs_f64(self.0[i].unwrap_or(0.0));
        TimeLeft { ready: Instant::now() + running, after: Duration::from_secs_f64(self.after(i + 1)) }
    }

    /// The expected time of the fits from method `i` on, in seconds.
    fn after(&self, i: usize) -> f64 {
        self.0[i..].iter().flatten().sum()
    }
}

/// The time of a fit; without its search where lists are `shared`.
fn without_search(forecast: &Forecast, shared: bool) -> f64 {
    let searched = forecast.stages.iter().filter(|stage| shared && stage.name == SEARCH);
    (forecast.seconds - searched.map(|stage| stage.seconds).sum::<f64>()).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_that_of_the_running_fit_and_of_those_after_it() {
        let expected = Expected(vec![Some(5.0), None, Some(60.0), Some(3.0)]);
        assert_eq!(expected.after(0), 68.0);
        let left = expected.left(2);
        assert_eq!(left.after, Duration::from_secs(3));
        let running = left.ready.duration_since(Instant::now());
        assert!((50.0..=60.0).contains(&running.as_secs_f64()), "{running:?}");
    }
}
