//! Small fits of a method, by which its cost is extrapolated.

use std::time::Instant;

use datasets::Labels;
use embedding::{DynMethod, Error, MemoryLimit, Metric};
use serde::Serialize;

use super::Forecast;
use super::growth::memory_at;
use crate::dataset_source::DatasetSource;
use crate::measures::EvaluationData;
use crate::methods::has;
use crate::progress::Progress;
use crate::results::Stage;
use crate::run::fit_by_dimension;
use crate::stopwatch::{Stopwatch, Times};

/// The number of points of the smallest sample is between this and its double. With fewer points, eigenproblems
/// are dense.
const SMALLEST: usize = 500;

/// The largest power of n by which the time of a fit grows.
const DEGREE: i32 = 3;

/// The cost of a fit of a number of points.
#[derive(Serialize)]
pub(crate) struct Sample {
    /// Number of points.
    pub n: usize,
    /// Wall-clock time in seconds.
    pub seconds: f64,
    /// Time by stage.
    pub stages: Vec<Stage>,
    /// The largest memory that the fit estimated before it allocated it, in bytes.
    pub memory_bytes: u64,
}

/// The data of small fits, and the size of the fit whose cost is extrapolated.
pub(crate) struct Calibration<'a> {
    /// The data.
    pub source: &'a DatasetSource,
    /// The distance between points.
    pub metric: Metric,
    /// The memory that a stage may allocate.
    pub memory: MemoryLimit,
    /// Number of points of the fit.
    pub n: usize,
    /// Time that the small fits of a method may take, in seconds.
    pub seconds: f64,
    /// The seed of the samples.
    pub seed: u64,
    /// The display, which may cancel.
    pub progress: &'a Progress,
}

impl Calibration<'_> {
    /// Fits random samples of n / 2ʲ points, at least two of growing size, until the next one would exceed the time, and
    /// extrapolates to n points. Every fit has the settings that a fit of n points chooses by default. A method
    /// that refuses the disconnected graph of a sample is fitted with bridges.
    ///
    /// Fails as the method on the largest sample if no sample can be fitted, and as the method on all
    /// points if these are few enough.
    pub(crate) fn forecast(&self, method: &dyn DynMethod, dim_chosen: bool) -> Result<Forecast, Error> {
        let rows = self.source.points().len();
        let mut settled = method.settled_dyn(self.n);
        let (begun, mut bridged, mut spent) = (Instant::now(), false, Vec::new());
        let (mut samples, mut failed): (Vec<Sample>, Option<Error>) = (Vec::new(), None);
        for n in sizes(self.n.min(rows)) {
            let left = self.seconds - begun.elapsed().as_secs_f64();
            // One sample does not show how memory grows.
            if let [.., before, last] = spent[..]
                && expected(before, last) > left
            {
                break;
            }
            let started = Instant::now();
            let chosen = (n < rows).then(|| self.source.sample(n, self.seed)).transpose()?;
            let source = chosen.as_ref().unwrap_or(self.source);
            let mut fitted = self.sample(settled.as_ref(), dim_chosen, source);
            let is_part = n < self.n;
            if is_part && is_disconnected(&fitted) && has(settled.as_ref(), "components") {
                settled.set_dyn("components", "bridge")?;
                bridged = true;
                fitted = self.sample(settled.as_ref(), dim_chosen, source);
            }
            match fitted {
                Ok(sample) => {
                    samples.push(sample);
                    spent.push(started.elapsed().as_secs_f64());
                }
                Err(error @ (Error::Cancelled | Error::Memory { .. })) => return Err(error),
                Err(error) if is_part => failed = Some(error),
                Err(error) => return Err(error),
            }
        }
        match (samples.is_empty(), failed) {
            (true, Some(error)) => Err(error),
            _ => {
                let memory = self.memory_of(settled.as_ref(), &samples)?;
                Ok(Forecast::of(method, self.n, (samples, bridged), memory))
            }
        }
    }

    /// Fits the smallest sample, so that the code of the method and the stacks of threads are resident.
    /// A failure is left to [`Calibration::forecast`].
    pub(crate) fn warm_up(&self, method: &dyn DynMethod, dim_chosen: bool) {
        let n = sizes(self.n.min(self.source.points().len()))[0];
        if let Ok(smallest) = self.source.sample(n, self.seed) {
            drop(self.sample(method, dim_chosen, &smallest));
        }
    }

    /// The cost of a fit of all points of a source.
    fn sample(
        &self,
        method: &dyn DynMethod,
        dim_chosen: bool,
        source: &DatasetSource,
    ) -> Result<Sample, Error> {
        let classes = source.data.labels.first().map(Labels::known);
        let input = EvaluationData::of(source, self.metric, classes.as_deref()).input();
        let (memory_bytes, times) = needed(self.memory, |memory| {
            let stopwatch = Stopwatch::start(self.progress);
            let input = input.with_memory_limit(memory).with_observer(&stopwatch);
            fit_by_dimension(method, dim_chosen, &input).fitted?;
            Ok(stopwatch.stop())
        })?;
        let Times { seconds, stages, .. } = times;
        Ok(Sample { n: source.points().len(), seconds, stages, memory_bytes })
    }

    /// The memory of the fit in bytes: what its sizes show where the fit of the largest sample needed that and no
    /// more, else at least that, by the growth of the samples.
    fn memory_of(&self, method: &dyn DynMethod, samples: &[Sample]) -> Result<u64, Error> {
        let known = self.known(method, self.n)?;
        let fitted = samples.iter().map(|sample| (sample.n as f64, sample.memory_bytes as f64));
        match samples.last() {
            Some(last) if last.memory_bytes > 1 && self.known(method, last.n)? == last.memory_bytes => {
                Ok(known)
            }
            _ => Ok(known.max(memory_at(&fitted.collect::<Vec<_>>(), self.n as f64) as u64)),
        }
    }

    /// The memory in bytes that the sizes of a fit of n points show.
    fn known(&self, method: &dyn DynMethod, n: usize) -> Result<u64, Error> {
        let data = EvaluationData::of(self.source, self.metric, None);
        let mut any = self.memory;
        any.bytes = u64::MAX;
        Ok(needed(any, |memory| method.check_memory_dyn(&data.input().with_memory_limit(memory), n))?.0)
    }
}

/// The smallest memory that a computation accepts, in bytes, and its result; at most the given limit. A stage
/// that needs more refuses with its estimate, before it allocates. The smaller limit does not select other
/// algorithms.
fn needed<T>(
    limit: MemoryLimit,
    compute: impl Fn(MemoryLimit) -> Result<T, Error>,
) -> Result<(u64, T), Error> {
    let mut memory = limit;
    memory.bytes = 1;
    loop {
        match compute(memory) {
            Err(Error::Memory { needed, .. }) if needed > memory.bytes && needed <= limit.bytes => {
                memory.bytes = needed;
            }
            other => return Ok((memory.bytes, other?)),
        }
    }
}

/// The expected time of the next size, with its refusals, from the times of the two sizes before.
fn expected(before: f64, last: f64) -> f64 {
    last * (last / before).clamp(2.0, 2_f64.powi(DEGREE))
}

fn is_disconnected(fitted: &Result<Sample, Error>) -> bool {
    matches!(fitted, Err(Error::Disconnected { .. }))
}

/// `most` halved again and again, down to the smallest size, in ascending order.
fn sizes(most: usize) -> Vec<usize> {
    let mut sizes: Vec<usize> =
        std::iter::successors(Some(most), |n| (n / 2 >= SMALLEST).then_some(n / 2)).collect();
    sizes.reverse();
    sizes
}
