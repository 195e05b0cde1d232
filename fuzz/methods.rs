//! Fits methods to small odd matrices with odd settings: the result is a model that can be used, or an error
//! in a sentence.
#![no_main]

use libfuzzer_sys::fuzz_target;
use swissroll::embedding::implement::Value;
use swissroll::prelude::{DynMethod, Input, Metric};
use testkit::Random;
use testkit::odd::{fits_or_refuses, odd_points, odd_settings};

fuzz_target!(|input: &[u8]| {
    let mut random = Random::of_bytes(input);
    let mut methods = swissroll::methods();
    let which = random.below(methods.len());
    let mut method = methods.nth(which).expect("below their number");
    bound(&mut *method);
    let points = odd_points(&mut random);
    let labels: Vec<u32> = (0..points.len()).map(|_| random.below(3) as u32).collect();
    let metrics: Vec<&str> = Metric::names().collect();
    let metric = if random.below(4) > 0 { "euclidean" } else { random.of(&metrics) };
    let metric = Metric::read(metric).expect("one of the names");
    odd_settings(&mut *method, &points, &mut random);
    fits_or_refuses(&*method, &Input::from(&points).with_labels(&labels).with_metric(metric));
});

/// Few iterations, so that an execution takes milliseconds.
fn bound(method: &mut dyn DynMethod) {
    for parameter in method.parameters() {
        if ["iterations", "epochs", "steps"].iter().any(|what| parameter.name.ends_with(what)) {
            method.set_dyn(parameter.name, "20").expect("a legal value");
        }
    }
}
