//! Any text as values of parameters: an accepted value is shown as text that sets the same value, a refused
//! value changes nothing, and a fit with the accepted values begins or is refused.
#![no_main]

use std::fmt::Debug;
use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use swissroll::embedding::implement::Value;
use swissroll::embedding::{Iteration, MemoryLimit, Observer, ParameterInfo};
use swissroll::prelude::{Input, Metric, PointSet};
use testkit::odd::{check_setting, fits_or_refuses};

// A byte for the method, and then lines: a byte for the parameter, one for the start of the text,
// and the end of the text.
fuzz_target!(|input: &[u8]| {
    let [which, lines @ ..] = input else { return };
    let mut methods = swissroll::methods();
    let Some(mut method) = methods.nth(usize::from(*which) % (methods.len() + 1)) else {
        let text = String::from_utf8_lossy(lines);
        reads_back::<MemoryLimit>(&text);
        reads_back::<Metric>(&text);
        return;
    };
    for line in lines.split(|byte| *byte == b'\n') {
        let [parameter, start, end @ ..] = line else { continue };
        let parameters = method.parameters();
        let parameter = &parameters[usize::from(*parameter) % parameters.len()];
        let starts = starts(parameter);
        let start = &starts[usize::from(*start) % starts.len()];
        check_setting(&mut *method, parameter.name, &format!("{start}{}", String::from_utf8_lossy(end)));
    }
    let points = PointSet::new(POINTS.to_vec(), 2).expect("finite");
    let input = Input::from(&points).with_labels(&LABELS);
    fits_or_refuses(&*method, &input.with_memory_limit(MemoryLimit::new(10_000_000)).with_observer(&Stop));
});

const POINTS: [f64; 12] = [0.0, 0.0, 1.0, 0.1, 0.2, 1.1, 1.3, 1.2, 2.1, 0.3, 2.0, 1.4];
const LABELS: [u32; 6] = [0, 1, 0, 1, 2, 2];

/// Texts that values may begin with: none, the default, and the words of the legal values.
fn starts(parameter: &ParameterInfo) -> Vec<String> {
    let words = parameter.legal.split(|c: char| c != '-' && !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty()).map(str::to_owned);
    [String::new(), parameter.default.clone()].into_iter().chain(words).collect()
}

fn reads_back<V: Value + PartialEq + Debug>(text: &str) {
    if let Some(value) = V::read(text) {
        assert_eq!(V::read(&value.show()), Some(value), "{text}");
    }
}

/// Cancels a fit at its first step, and stops it at its first iteration.
struct Stop;

impl Observer for Stop {
    fn step(&self, _done: usize, _total: usize) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn iteration(&self, _iteration: &Iteration<'_>) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}
