//! Coordinates that an iteration has found.

use embedding::implement::{Fact, FixedRows, Scale, TrainingPoints, Validate, require, require_finite};
use embedding::{
    DataKind, Embedding, Error, Fitted, Input, Metric, Model, Observer, PointSet, Points, Rows, Status,
    TrainingRows, Transform,
};
use faer::{Mat, MatRef};
use serde::{Deserialize, Serialize};
use spectral::{canonical_signs, dense};

use crate::majorization::{Begin, Fixed, Majorization, Run, Stop, Targets};
use crate::placement::Placement;
use crate::state::State;
use crate::sweep::matrix_of;
use crate::{Dissimilarities, Start, Stress, start};

/// The result of iterative scaling of dissimilarities.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Configuration {
    pub(crate) embedding: Embedding,
    pub(crate) stress: Stress,
    pub(crate) history: Vec<f64>,
    pub(crate) status: Status,
    pub(crate) placement: Placement,
    /// From which the iteration goes on; not stored with the model.
    #[serde(skip)]
    pub(crate) state: Option<State>,
}

impl Configuration {
    /// The misfit. Its raw stress was minimized: to the dissimilarities, or to the disparities where
    /// only their order counts, with the method's weights. Its relative stresses compare methods: they have
    /// the weights of the dissimilarities alone. Where only the order counts, stress-1 measures the misfit to
    /// the regression.
    pub fn stress(&self) -> Stress {
        self.stress
    }

    /// The raw stress before each step and at the end; it never rises.
    pub fn history(&self) -> &[f64] {
        &self.history
    }

    /// Why the iteration stopped.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Places new points, given their dissimilarities to the n training points (m × n), where they fit best
    /// while the training points stay; rows are independent and run in parallel.
    ///
    /// Majorization of the single point's stress, started at the most similar
    /// training point. It ends in a local minimum. Where `known` requests it, a point at dissimilarity 0 from
    /// a training point takes its coordinates. The majorization itself does not interpolate, as the position
    /// of every point is a compromise with all others.
    pub fn place(
        &self,
        dissimilarities: MatRef<'_, f64>,
        known: TrainingRows<'_>,
    ) -> Result<Embedding, Error> {
        self.place_in(&self.embedding, dissimilarities, known)
    }

    /// The same in a map of the training points in other units.
    fn place_in(
        &self,
        map: &Embedding,
        dissimilarities: MatRef<'_, f64>,
        known: TrainingRows<'_>,
    ) -> Result<Embedding, Error> {
        let n = map.len();
        if dissimilarities.ncols() != n {
            return Err(Error::Shape {
                what: "the number of dissimilarities of each new point",
                expected: format!("{n}, one per training point"),
                got: dissimilarities.ncols().to_string(),
            });
        }
        self.placement.rows(map, dissimilarities.nrows(), known, |i, row| {
            row.iter_mut().enumerate().for_each(|(j, d)| *d = dissimilarities[(i, j)]);
        })
    }
}

impl Model for Configuration {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

/// A fitted iterative scaling: a [`Configuration`] with the training points, where
/// it was fitted to points.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FittedConfiguration {
    training: Option<TrainingPoints>,
    configuration: Configuration,
    /// The training points and the stress refer to the data divided by it.
    scale: Scale,
}

impl FittedConfiguration {
    /// Stress, its history and why the iteration stopped. Where squares of the data exceed the range of
    /// numbers, the stress refers to the data divided by a power of two, which [`Fitted::notes`] states.
    pub fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// The factor by which coordinates were multiplied.
    fn images(&self) -> Scale {
        self.training.as_ref().map_or(self.scale, |training| training.metric().scale(self.scale))
    }
}

impl Model for FittedConfiguration {
    fn embedding(&self) -> &Embedding {
        &self.configuration.embedding
    }
}

impl Transform for FittedConfiguration {
    /// Places rows by their distances to the training points, given or by the metric; see
    /// [`Configuration::place`].
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        let (configuration, images, divided) = (&self.configuration, self.images(), &mut None);
        let map = match images {
            Scale::ONE => &configuration.embedding,
            _ => divided.insert(configuration.embedding.clone().multiplied(images.inverse())?),
        };
        rows.place_dense(known, |new, known| {
            let mut start = 0;
            let mut place = |distances: Points<'_>| {
                let known = known.part(start..start + distances.len());
                start += distances.len();
                configuration.place_in(map, distances.as_mat(), known)
            };
            let placed = self.scale.divided(new, |new| match &self.training {
                None => place(new),
                Some(training) => training.place(new, place),
            });
            placed?.multiplied(images)
        })
    }
}

impl Fitted for FittedConfiguration {
    fn training_points(&self) -> Result<Option<PointSet>, Error> {
        let training = self.training.as_ref().map(|training| self.scale.inverse().divide(training.points()));
        training.transpose()
    }

    fn multiplied(mut self, scale: Scale) -> Result<Self, Error> {
        self.scale = scale;
        let images = self.images();
        self.configuration.embedding = self.configuration.embedding.multiplied(images)?;
        Ok(self)
    }

    fn state(&self) -> Result<Option<Vec<u8>>, Error> {
        self.configuration.state.as_ref().map(State::write).transpose()
    }

    fn notes(&self) -> Vec<String> {
        self.images().note("the stress and its history").into_iter().collect()
    }

    fn facts() -> Vec<Fact<Self>> {
        let mut facts = vec![Fact::metric(|m: &Self| {
            m.training.as_ref().map_or(Metric::Euclidean, TrainingPoints::metric)
        })];
        facts.extend(Configuration::facts_of(|m: &Self| Some(&m.configuration)));
        facts
    }
}

impl Configuration {
    /// The facts of a model of type `M` with such coordinates.
    pub fn facts_of<M: 'static>(configuration: fn(&M) -> Option<&Self>) -> Vec<Fact<M>> {
        let facts = vec![
            Fact::new(
                "stress",
                "raw stress: squared differences between distances of data and embedding, of Sammon's mapping \
                 each divided by the distance of the data",
                |m: &Self| m.stress.raw,
            ),
            Fact::new(
                "stress_1",
                "Kruskal's stress-1: the root of the sum of all squared differences, undivided, relative to the \
                 root of the sum of the embedding's squared distances",
                |m: &Self| m.stress.stress_1,
            ),
            Fact::new(
                "stress_scale_normalized",
                "the same after the best rescaling, relative to the data's; compare methods by it",
                |m: &Self| m.stress.scale_normalized,
            ),
            Fact::new("stress_history", "raw stress after each iteration", |m: &Self| m.history.clone()),
            Fact::new("status", "how the iteration ended", |m: &Self| m.status),
        ];
        facts.into_iter().map(|fact| fact.within(configuration)).collect()
    }
}

/// The kinds of data that the iterative scalings accept.
pub(crate) const ACCEPTS: &[DataKind] = &[DataKind::Points, DataKind::Distances];

/// The parameters that the iterative recipes share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Iterative<'a> {
    pub(crate) dim: usize,
    pub(crate) start: Start,
    pub(crate) origin: Origin<'a>,
    pub(crate) stop: Stop,
}

/// What an input says of the start of an iteration.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Origin<'a> {
    /// Coordinates instead of the start of the recipe.
    pub(crate) given: Option<Points<'a>>,
    /// The rows that keep the given coordinates.
    pub(crate) fixed: Option<FixedRows<'a>>,
    /// The state of an earlier fit, which has no fixed rows.
    pub(crate) state: Option<&'a [u8]>,
}

impl<'a> Origin<'a> {
    pub(crate) fn of(input: &Input<'a>) -> Self {
        let fixed = input.fixed_rows();
        Self { given: input.start(), fixed, state: input.state().filter(|_| fixed.is_none()) }
    }
}

impl Iterative<'_> {
    pub(crate) fn new(dim: usize, start: Start, tolerance: f64, max_iterations: usize) -> Self {
        Self { dim, start, origin: Origin::default(), stop: Stop { tolerance, max_iterations } }
    }

    /// The same with the start of an input.
    pub(crate) fn from(self, origin: Origin<'_>) -> Iterative<'_> {
        Iterative { origin, ..self }
    }

    /// Fits the distances of an input by `scale`. All matrices together take `bytes` per pair of points;
    /// `what` names them.
    pub(crate) fn fit_input(
        input: &Input<'_>,
        (bytes, what): (u64, &'static str),
        scale: impl FnOnce(&Dissimilarities, &dyn Observer) -> Result<Configuration, Error>,
    ) -> Result<FittedConfiguration, Error> {
        // An inverse, and the memory of its computation, where rows are drawn to places.
        let bytes =
            if input.fixed_rows().is_some_and(|rows| rows.pull().is_some()) { bytes + 32 } else { bytes };
        let n = input.len() as u64;
        let advice = "use landmark-mds, fewer points, or allow more memory";
        input.memory_limit().allow(what, bytes * n * n, advice)?;
        let configuration = scale(&Dissimilarities::of_input(input)?, input.observer())?;
        Ok(FittedConfiguration {
            training: input.points().map(|points| TrainingPoints::new(points, input.metric())),
            configuration,
            scale: Scale::ONE,
        })
    }

    /// The best of all starts where the targets are the weighted dissimilarities
    /// themselves; `first` are the dissimilarities to start from.
    pub(crate) fn metric(
        self,
        first: &Dissimilarities,
        weighted: &Dissimilarities,
        placement: Placement,
        observer: &dyn Observer,
    ) -> Result<Configuration, Error> {
        let (run, state) = self.best(first, weighted, &mut Fixed(weighted), observer)?;
        let coordinates = matrix_of(&run.x);
        let stress = Stress::of(weighted, coordinates.as_ref())?;
        Ok(Configuration {
            embedding: Embedding::new(coordinates),
            stress,
            history: run.history,
            status: run.status,
            placement,
            state: Some(state),
        })
    }

    /// The best of all starts, on its principal axes unless rows are fixed; stages `"start"`,
    /// `"majorization"`.
    pub(crate) fn best(
        self,
        first: &Dissimilarities,
        weighted: &Dissimilarities,
        targets: &mut dyn Targets,
        observer: &dyn Observer,
    ) -> Result<(Run, State), Error> {
        observer.stage("start");
        embedding::implement::proceed(observer, 0, 1)?;
        let majorization = Majorization::new(weighted, self.origin.fixed)?;
        let starts = match (self.origin.state, self.origin.given) {
            (Some(state), _) => vec![Begin::End(State::read(state, first.len(), self.dim)?)],
            (None, Some(given)) => vec![Begin::Start(start::of_given(given, first.len(), self.dim)?)],
            (None, None) => (0..self.start.runs())
                .map(|run| self.start.coordinates(first, self.dim, run, observer).map(Begin::Start))
                .collect::<Result<_, Error>>()?,
        };
        embedding::implement::proceed(observer, 1, 1)?;
        observer.stage("majorization");
        let total = starts.len() * self.stop.max_iterations;
        let mut best: Option<Run> = None;
        for (number, start) in starts.into_iter().enumerate() {
            let steps = (number * self.stop.max_iterations, total);
            let run = majorization.run(start, targets, self.stop, steps, observer)?;
            let stopped = matches!(run.status, Status::Stopped { .. });
            if best.as_ref().is_none_or(|best| run.history.last() < best.history.last()) {
                best = Some(run);
            }
            if stopped {
                break;
            }
        }
        embedding::implement::proceed(observer, total, total)?;
        let mut run = best.expect("there is at least one start");
        let state = run.state();
        match self.origin.fixed {
            None => principal_axes(&mut run.x)?,
            Some(fixed) if fixed.pull().is_some() => {}
            Some(fixed) => {
                let places = (0..first.len()).filter_map(|i| Some((i, fixed.place(i)?)));
                places.for_each(|(i, place)| run.x.iter_mut().zip(place).for_each(|(x, v)| x[i] = *v));
            }
        }
        Ok((run, state))
    }
}

/// Moves the mean to the origin and the directions of largest variance to the
/// axes, and makes signs canonical. Distances stay.
fn principal_axes(x: &mut [Vec<f64>]) -> Result<(), Error> {
    let (n, dim) = (x[0].len(), x.len());
    for column in &mut *x {
        let mean = column.iter().sum::<f64>() / n as f64;
        column.iter_mut().for_each(|v| *v -= mean);
    }
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(p, q)| p * q).sum::<f64>();
    let scatter = Mat::from_fn(dim, dim, |a, b| dot(&x[a], &x[b]));
    let (_, axes) = dense::symmetric_eigen(scatter.as_ref())?;
    let mut rotated =
        Mat::from_fn(n, dim, |i, j| (0..dim).map(|c| x[c][i] * axes[(c, dim - 1 - j)]).sum::<f64>());
    canonical_signs(rotated.as_mut());
    for (j, column) in x.iter_mut().enumerate() {
        column.iter_mut().zip(rotated.col(j).iter()).for_each(|(v, t)| *v = *t);
    }
    Ok(())
}

impl Validate for FittedConfiguration {
    fn validate(&self) -> Result<(), Error> {
        let rows = self.configuration.embedding.len();
        self.training.as_ref().map_or(Ok(()), Validate::validate)?;
        let trained = self.training.as_ref().is_none_or(|training| training.len() == rows);
        require(trained, "it does not have a training point for every row")?;
        self.configuration.validate()
    }
}

impl Validate for Configuration {
    fn validate(&self) -> Result<(), Error> {
        let Self { stress, history, placement, .. } = self;
        placement.validate()?;
        let numbers = [&stress.raw, &stress.stress_1, &stress.scale_normalized];
        require_finite(history.iter().chain(numbers), "its stress")
    }
}
