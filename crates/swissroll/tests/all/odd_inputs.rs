//! Every method on small odd matrices, with odd settings: a sentence or finite
//! coordinates, never a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

use swissroll::datasets::{self, Request};
use swissroll::prelude::{Error, Input, PointSet};
use testkit::Random;
use testkit::odd::{fits_or_refuses, odd_points, odd_settings};

/// Matrices for each method; times `FUZZ` in the environment for longer runs.
const ROUNDS: usize = 40;

#[test]
fn methods_on_odd_matrices_end_in_a_sentence_or_a_map() {
    let times = std::env::var("FUZZ").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    let mut random = Random::new(0x0dd);
    let (mut failed, mut fitted, mut refused) = (Vec::new(), 0, 0);
    std::panic::set_hook(Box::new(|_| {}));
    for plain in swissroll::methods() {
        for round in 0..ROUNDS * times {
            let mut method = plain.boxed();
            let points = odd_points(&mut random);
            let labels: Vec<u32> = (0..points.len()).map(|_| random.below(3) as u32).collect();
            let run = || {
                odd_settings(&mut *method, &points, &mut random);
                fits_or_refuses(&*method, &Input::from(&points).with_labels(&labels))
            };
            let why = match catch_unwind(AssertUnwindSafe(run)) {
                Ok(true) => {
                    fitted += 1;
                    continue;
                }
                Ok(false) => {
                    refused += 1;
                    continue;
                }
                Err(panic) => panic
                    .downcast_ref::<String>()
                    .cloned()
                    .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
                    .unwrap_or_default(),
            };
            let settings: Vec<String> = method
                .parameters()
                .iter()
                .filter(|parameter| parameter.value != parameter.default)
                .map(|parameter| format!("{}={}", parameter.name, parameter.value))
                .collect();
            let name = plain.about().name;
            let shape = (points.len(), points.dim());
            failed.push(format!("{name}, round {round}, {shape:?}, {settings:?}: {why}"));
        }
    }
    let _ = std::panic::take_hook();
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
    assert!(fitted > 100 && refused > 100, "{fitted} fitted, {refused} refused");
}

/// A model cannot be rescaled: a new point beyond its squares is placed, or named with an advice that helps.
#[test]
fn a_new_point_far_outside_is_placed_or_named() -> Result<(), Error> {
    let set = datasets::load("swiss-roll", &Request { n: Some(60), ..Request::default() })?;
    let labels: Vec<u32> = (0..60).map(|i| i % 3).collect();
    let mut values = set.points.view().row(0).to_vec();
    values.extend([1e200, 0.0, 0.0]);
    let new = PointSet::new(values, 3)?;
    let mut named = 0;
    for method in swissroll::methods() {
        let name = method.about().name;
        let fitted = method.fit_dyn(&Input::from(&set.points).with_labels(&labels))?;
        if let Err(refused) = fitted.transform(new.view()) {
            let said = refused.to_string();
            let helps = said.contains("new point 1 ") && said.contains("units of the training data");
            assert!(helps, "{name}: {said}");
            named += 1;
        }
    }
    assert!(named > 15, "{named}");
    Ok(())
}
