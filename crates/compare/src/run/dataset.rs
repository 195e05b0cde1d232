//! Every method on one data set, at one setting.

use datasets::{Dataset, Labels};
use embedding::implement::Value as _;
use embedding::{DynMethod, Error, Input};
use figure::number::counted;
use neighbor_graph::{Components, Neighborhood, components};
use serde_json::Value;

use super::drivers::{described, drivers};
use super::expected::Expected;
use super::fit::{Eigenvalues, blank, failed, fit};
use super::new_points::NewPointRanks;
use super::trust::trust;
use super::{GridPoint, Plan, Planned};
use crate::applicability::{disconnected, inapplicable, refuses, too_few};
use crate::checkpoint::{Identity, Part};
use crate::dataset_source::{DatasetSource, sentence};
use crate::graph::{SharedGraph, in_words, unrelated};
use crate::measures::{EvaluationData, Reference, sampled};
use crate::methods::values;
use crate::progress::Progress;
use crate::results::{DatasetResults, MethodResults, Outcome};
use crate::verdict::verdicts;

/// The results of one data set, and a sentence on the methods that an interruption left out.
pub(super) struct Finished {
    pub(super) results: DatasetResults,
    pub(super) missing: Option<String>,
}

/// Runs every method at one setting; `in_full` with the policies for components. A method
/// is not repeated where `same`, the results of the same data at another k, has a row with the same
/// parameters.
pub(super) fn run_dataset(
    plan: &Plan,
    at: &GridPoint,
    in_full: bool,
    (shows, source): (String, DatasetSource),
    same: Option<(usize, &[MethodResults])>,
    store: Option<&Part<'_>>,
    progress: &Progress,
) -> Result<Finished, Error> {
    let data = &source.data;
    let (n, measured) = (data.points.len(), Neighborhood::Nearest { k: plan.measure_k });
    if n < 2 {
        return Err(Error::TooFewPoints { what: "a comparison of maps", needed: 2, got: n });
    }
    if plan.measure_k == 0 || plan.measure_k >= n {
        let requirement = format!("between 1 and {}, below the {n} points of {}", n - 1, data.name);
        return Err(Error::parameter("measure-k", requirement, plan.measure_k));
    }
    let mut warnings = source.warnings.clone();
    if let Some(left_out) = without_ranks(plan.measure_k, n) {
        progress.line(format!("note: {}: {left_out}", data.name));
        warnings.push(sentence(&left_out));
    }
    let requested = || {
        let rules = at.methods.iter().filter_map(|planned| planned.method.neighborhood_dyn(n));
        rules.chain([measured])
    };
    let classes = data.labels.first().map(Labels::known);
    let known = EvaluationData::of(&source, plan.metric, classes.as_deref());
    let searched = known.input().with_observer(progress);
    let graph = SharedGraph::find(&searched, at.k, requested(), plan.neighbor_recall, plan.cut_shortcuts)?;
    let facts = graph.facts(at.k, &source, progress)?;
    if let Some(recall) = &facts.recall {
        progress.line(format!("note: {recall}"));
    }
    progress.begin("preparing the measures");
    let lists = graph.lists(measured)?;
    if let Some(unrelated) = unrelated(&lists, plan.metric, known.points.dim()) {
        progress.line(format!("note: {}: {unrelated}", data.name));
        warnings.push(sentence(&unrelated));
    }
    let paths = graph.lists_for_method(measured)?;
    let reference = Reference::new(known, &lists, plan.measure_k).with_observer(progress).along(&paths);
    let shared = Neighborhood::Nearest { k: at.k };
    let identity = Identity::of(&source);
    let checksum = format!("{:016x}", identity.checksum);
    let described = if in_full { described(&source) } else { None };
    let trusted = in_full && plan.trust;
    let new_points = match at.methods.first() {
        Some(Planned { memory, .. }) if in_full => NewPointRanks::of(known, plan.measure_k, *memory)?,
        _ => None,
    };
    let fitting = Fitting {
        plan,
        reference: &reference,
        graph: &graph,
        shared,
        data,
        described,
        trusted,
        new_points: new_points.as_ref(),
        identity,
        progress,
    };
    let fitted = |i: usize| {
        let method = at.methods[i].method.as_ref();
        store.is_some_and(|store| store.find(identity, method).is_some())
    };
    let expected = Expected::of((plan, at), &source, known, |i| !fitted(i), progress)?;
    let mut methods = Vec::with_capacity(at.methods.len());
    for (i, planned) in at.methods.iter().enumerate() {
        let planned = &planned.suited_to(data)?;
        let name = planned.method.about().name;
        if let Some((k, row)) = repeated(planned, same) {
            progress.line(format!("  {name:<20} {:8.3} s, as at k = {k}", row.seconds));
            methods.push(row);
            continue;
        }
        let task = format!("[{}/{}] {} {name}", i + 1, at.methods.len(), data.name);
        progress.expect(expected.as_ref().map(|expected| expected.left(i)));
        let Some(row) = fitting.kept(planned, name, &task, store) else { break };
        methods.push(row);
        if progress.interrupted() {
            break;
        }
    }
    progress.expect(None);
    let mut missing = (methods.len() < at.methods.len())
        .then(|| format!("{} of {} methods on {}", methods.len(), at.methods.len(), data.name));
    if methods.is_empty() && progress.interrupted() {
        return Err(Error::Cancelled);
    }
    let mut policies = Vec::new();
    if in_full && missing.is_none() {
        let wanted;
        (policies, wanted) = Fitting { described: None, trusted: false, new_points: None, ..fitting }
            .policies(at, &methods, store);
        missing = (policies.len() < wanted).then(|| {
            format!("{} of {wanted} maps of {} by policies for components", policies.len(), data.name)
        });
    }
    let mut results = DatasetResults {
        name: data.name.clone(),
        notes: data.notes.clone(),
        shows,
        n,
        columns: source.columns(),
        entries: source.entries(),
        geometry: data.geometry,
        seed: at.seed,
        noise: at.noise,
        checksum,
        measured_rows: sampled(n),
        warnings,
        verdicts: Vec::new(),
        graph: facts,
        methods,
        policies,
        data: source.data,
    };
    results.verdicts = verdicts(&results);
    Ok(Finished { results, missing })
}

/// The row of a method with the same parameters, and its k.
fn repeated(planned: &Planned, same: Option<(usize, &[MethodResults])>) -> Option<(usize, MethodResults)> {
    let (k, rows) = same?;
    let parameters = Value::Object(values(planned.method.as_ref()));
    let row = rows.iter().find(|row| {
        row.outcome == Outcome::Done && row.method == planned.method.about().name && row.recipe == parameters
    })?;
    Some((k, row.clone()))
}

/// What a map of `n` points lacks for its number of points, if so: measures by ranks are normalized for k
/// below n / 2.
fn without_ranks(k: usize, n: usize) -> Option<String> {
    (2 * k >= n).then(|| {
        format!(
            "trustworthiness and continuity are left out: --measure-k is {k}, not below half of the {n} points"
        )
    })
}

/// What the fits of one data set share.
#[derive(Clone, Copy)]
struct Fitting<'a> {
    plan: &'a Plan,
    reference: &'a Reference<'a>,
    graph: &'a SharedGraph,
    /// The neighborhood of methods that have none of their own.
    shared: Neighborhood,
    data: &'a Dataset,
    /// The same where the columns that drive each map are computed.
    described: Option<&'a Dataset>,
    /// Whether the points of each map are scored.
    trusted: bool,
    /// The ranks by which places of new points are judged, where they are.
    new_points: Option<&'a NewPointRanks<'a>>,
    identity: Identity<'a>,
    progress: &'a Progress,
}

impl Fitting<'_> {
    /// The result of a method, from the store or computed and stored; `None` if it was
    /// interrupted.
    fn kept(
        &self,
        planned: &Planned,
        name: &str,
        task: &str,
        store: Option<&Part<'_>>,
    ) -> Option<MethodResults> {
        let Self { identity, progress, .. } = *self;
        let method = planned.method.as_ref();
        if let Some(row) = store.and_then(|store| store.find(identity, method)) {
            progress.line(format!("  {name:<20} {:8.3} s, in the earlier run", row.seconds));
            return Some(row);
        }
        progress.begin(task);
        let mut row = self.run_method(planned)?;
        if progress.interrupted() && row.outcome != Outcome::Done {
            return None;
        }
        row.notes.splice(0..0, planned.notes.iter().cloned());
        if let Some(Err(error)) = store.map(|store| store.keep(identity, method, &row)) {
            progress.line(format!("note: {name} would have to be repeated after an interruption: {error}"));
        }
        progress.line(match row.outcome.reason() {
            None => format!("  {name:<20} {:8.3} s", row.seconds),
            Some(reason) => format!("  {name:<20} {reason}"),
        });
        Some(row)
    }

    /// The fit with its scores; `None` if it was interrupted during the measures.
    fn run_method(&self, planned: &Planned) -> Option<MethodResults> {
        let Self { plan, reference, graph, shared, described, trusted, progress, .. } = *self;
        let (known, method) = (reference.known(), planned.method.as_ref());
        let mut input = known.input().with_memory_limit(planned.memory);
        let rule = method.neighborhood_dyn(known.points.len());
        let measured = Neighborhood::Nearest { k: plan.measure_k };
        let lists = match rule.map(|rule| graph.lists_for_method(rule)).transpose() {
            Ok(lists) => lists,
            Err(error) => return Some(self.refused(method, &input, &error)),
        };
        let reason = inapplicable(method, planned.dim_chosen, known).filter(|_| plan.skip_inapplicable);
        if let Some(reason) = reason {
            let mut row = blank(method, &input);
            row.outcome = Outcome::Skipped { reason };
            return Some(row);
        }
        if let Some(lists) = &lists {
            input = input.with_neighbors(lists);
        }
        let (mut row, fitted) = fit(method, planned.dim_chosen, &input, Eigenvalues::WithNext, progress);
        // A graph other than the run's graph is not described elsewhere.
        let named = |rule: Neighborhood| (rule != shared).then(|| format!("by its {}: ", in_words(rule)));
        if let Err(Error::Disconnected { components: pieces, sizes }) = &fitted {
            let own = match (rule, &lists) {
                (Some(rule), Some(lists)) if components(lists).sizes.len() != *pieces => {
                    format!("by its own graph, whose edges reach beyond its {}: ", in_words(rule))
                }
                _ => rule.and_then(named).unwrap_or_default(),
            };
            if plan.skip_inapplicable {
                row = blank(method, &input);
                row.outcome = Outcome::Skipped { reason: own + &disconnected(*pieces, sizes[0]) };
            } else if let Outcome::Failed { reason } = &mut row.outcome {
                reason.insert_str(0, &own);
            }
        } else if let Err(error) = &fitted {
            row.outcome = self.refused(method, &input, error).outcome;
        }
        if let Some(embedding) = &row.embedding {
            progress.begin(format!("measuring {}", row.method));
            match reference.score(embedding) {
                Ok(scores) => {
                    row.scores = scores;
                    row.notes.extend(without_ranks(plan.measure_k, embedding.len()));
                    if row.score("residual_variance").is_none()
                        && let Some(own) = named(measured)
                        && let Ok(lists) = graph.lists_for_method(measured)
                        && let pieces = components(&lists).sizes.len()
                        && pieces > 1
                    {
                        row.notes.push(format!(
                            "residual_variance is left out: {own}the neighbor graph has {pieces} components"
                        ));
                    }
                }
                Err(Error::Cancelled) => return None,
                Err(error) => row.notes.push(format!("not measured: {error}")),
            }
            if let (Some(ranks), Ok(fitted)) = (self.new_points, &fitted) {
                progress.begin(format!("new points in {}", row.method));
                match ranks.score(&**fitted, embedding) {
                    Ok(found) => row.new_points = found,
                    Err(Error::Cancelled) => return None,
                    Err(error) => row.notes.push(format!("new points are not measured: {error}")),
                }
            }
            if let (Some(data), Ok(fitted)) = (described, &fitted) {
                progress.begin(format!("columns that drive {}", row.method));
                let input = Input::from(&data.points).with_metric(plan.metric).with_observer(progress);
                match drivers(&**fitted, embedding, &input.with_memory_limit(planned.memory)) {
                    Ok(found) => row.drivers = Some(found),
                    Err(Error::Cancelled) => return None,
                    Err(error) => row.notes.push(format!("no columns that drive the map: {error}")),
                }
            }
            if let (true, Ok(fitted)) = (trusted, &fitted) {
                progress.begin(format!("perturbation scores of {}", row.method));
                match trust(&**fitted, embedding, &input.with_observer(progress), plan.measure_k) {
                    Ok(found) => row.trust = Some(found),
                    Err(Error::Cancelled) => return None,
                    Err(error) => row.notes.push(format!("no perturbation scores: {error}")),
                }
            }
        }
        Some(row)
    }

    /// The row of a method that refused the input: skipped where it was not given by name and the
    /// points are too few for it.
    fn refused(&self, method: &dyn DynMethod, input: &Input<'_>, error: &Error) -> MethodResults {
        let mut row = failed(method, input, error);
        if let Some(reason) = too_few(method, error) {
            row.outcome = match self.plan.skip_inapplicable {
                true => Outcome::Skipped { reason },
                false => Outcome::Failed { reason },
            };
        }
        row
    }

    /// Every method that refused the disconnected graph, as `results` say, under each other policy,
    /// and how many these are without an interruption.
    fn policies(
        &self,
        at: &GridPoint,
        results: &[MethodResults],
        store: Option<&Part<'_>>,
    ) -> (Vec<MethodResults>, usize) {
        let Self { graph, data, progress, .. } = *self;
        let n = data.points.len();
        let refused = |planned: &Planned, row: &MethodResults| {
            let method = planned.method.as_ref();
            let lists = method.neighborhood_dyn(n).and_then(|rule| graph.lists_for_method(rule).ok());
            row.outcome.reason().is_some() && lists.is_some_and(|lists| refuses(method, &lists))
        };
        let rows = at.methods.iter().zip(results);
        let refusing: Vec<&Planned> =
            rows.filter(|(planned, row)| refused(planned, row)).map(|(planned, _)| planned).collect();
        let policies = [Components::Bridge, Components::Largest, Components::PerComponent];
        let wanted = refusing.len() * policies.len();
        if wanted > 0 && !progress.interrupted() {
            progress.line(format!(
                "{}: the graph is disconnected; {} by each policy for components (--components \
                 chooses one)",
                data.name,
                counted(refusing.len(), "method", "methods")
            ));
        }
        let mut rows = Vec::new();
        for (planned, policy) in
            refusing.into_iter().flat_map(|planned| policies.map(|policy| (planned, policy)))
        {
            if progress.interrupted() {
                break;
            }
            let mut method = planned.method.boxed();
            let set = method.set_dyn("components", &policy.show());
            set.expect("the method has this parameter, and the text is one of its values");
            let name = format!("{} {}", method.about().name, policy.show());
            let planned = Planned { method, notes: planned.notes.clone(), ..*planned };
            let task = format!("[{}/{wanted}] {} {name}", rows.len() + 1, data.name);
            let store = store.map(|store| store.part(&format!("components {}", policy.show())));
            let Some(row) = self.kept(&planned, &name, &task, store.as_ref()) else { break };
            rows.push(row);
        }
        (rows, wanted)
    }
}
