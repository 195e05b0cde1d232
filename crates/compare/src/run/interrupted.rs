//! A run that is interrupted while a map is measured.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use datasets::{Request, list};
use embedding::implement::Limits;
use embedding::{
    About, DynMethod, DynModel, Error, FactInfo, Input, MemoryLimit, Metric, Neighborhood, ParameterInfo,
};

use super::{GridPoint, Plan, Planned, PlannedDataset, run};
use crate::Failure;
use crate::progress::Progress;

/// A method after whose fit the user interrupts.
struct Interrupting {
    method: Box<dyn DynMethod>,
    flag: Arc<AtomicBool>,
}

impl DynMethod for Interrupting {
    fn about(&self) -> &'static About {
        self.method.about()
    }

    fn parameters(&self) -> Vec<ParameterInfo> {
        self.method.parameters()
    }

    fn limits(&self, input: &Input<'_>) -> Vec<Option<Limits>> {
        self.method.limits(input)
    }

    fn limits_of_data(&self, input: &Input<'_>) -> Vec<Option<Limits>> {
        self.method.limits_of_data(input)
    }

    fn facts(&self) -> Vec<FactInfo> {
        self.method.facts()
    }

    fn set_dyn(&mut self, name: &str, text: &str) -> Result<(), Error> {
        self.method.set_dyn(name, text)
    }

    fn accepts_sparse(&self) -> bool {
        self.method.accepts_sparse()
    }

    fn neighborhood_dyn(&self, n: usize) -> Option<Neighborhood> {
        self.method.neighborhood_dyn(n)
    }

    fn fit_dyn(&self, input: &Input<'_>) -> Result<Box<dyn DynModel>, Error> {
        let fitted = self.method.fit_dyn(input);
        self.flag.store(true, Ordering::SeqCst);
        fitted
    }

    fn load(&self, bytes: &[u8]) -> Result<Box<dyn DynModel>, Error> {
        self.method.load(bytes)
    }

    fn boxed(&self) -> Box<dyn DynMethod> {
        Box::new(Self { method: self.method.boxed(), flag: Arc::clone(&self.flag) })
    }
}

/// Runs the methods with the given names on a sheet; the last one is interrupted while it is measured.
fn interrupted(names: &[&str]) -> Result<crate::results::Results, Failure> {
    let progress = Progress::new();
    let last = names.len() - 1;
    let planned = |(i, name): (usize, &&str)| {
        let method = swissroll::method(name).expect("a method");
        let method: Box<dyn DynMethod> =
            if i == last { Box::new(Interrupting { method, flag: progress.flag() }) } else { method };
        Planned { method, memory: MemoryLimit::default(), dim_chosen: false, notes: Vec::new() }
    };
    let sheet = list().iter().find(|info| info.name == "s-curve").expect("a data set");
    let at = GridPoint {
        k: 8,
        k_chosen: false,
        n: Some(120),
        noise: 0.0,
        seed: 0,
        methods: names.iter().enumerate().map(planned).collect(),
    };
    let plan = Plan {
        datasets: vec![PlannedDataset::Listed(sheet, Request::default())],
        grid: vec![at],
        skip_inapplicable: false,
        measure_k: 8,
        metric: Metric::Euclidean,
        neighbor_recall: None,
        cut_shortcuts: None,
        trust: false,
        command: String::new(),
        arguments: Vec::new(),
    };
    run(plan, None, &progress)
}

#[test]
fn a_map_that_is_not_measured_yet_has_not_finished() -> Result<(), Failure> {
    let results = interrupted(&["isomap", "pca"])?;
    let [set] = &results.datasets[..] else { panic!("one data set") };
    let done: Vec<(&str, bool)> =
        set.methods.iter().map(|row| (row.method.as_str(), row.scores.is_empty())).collect();
    assert_eq!(done, [("isomap", false)]);
    let sentence = results.interrupted.expect("it was interrupted");
    assert!(sentence.contains("1 of 2 methods on s-curve"), "{sentence}");
    assert_eq!(interrupted(&["pca"]).err(), Some(Failure::Interrupted));
    Ok(())
}
