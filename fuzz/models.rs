//! Saved models with any body and a checksum that matches are refused, or can be used.
#![no_main]

mod mutation;

use std::sync::LazyLock;

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use mutation::Form;
use testkit::odd::check_use;
use testkit::saved::{SavedModel, mutate_body, saved_models};

static MODELS: LazyLock<Vec<SavedModel>> = LazyLock::new(|| saved_models(swissroll::methods()));

/// The choice of a model, then its body.
const FORM: Form = Form {
    choices: 1,
    sound: |random| {
        let which = random.below(MODELS.len());
        [&[which as u8], MODELS[which].body()].concat()
    },
    change: mutate_body,
};

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    FORM.mutate(data, size, max_size, seed)
});

fuzz_target!(|input: &[u8]| {
    let [which, body @ ..] = input else { return };
    let saved = &MODELS[usize::from(*which) % MODELS.len()];
    if let Ok((method, model)) = swissroll::load(&saved.with_body(body)) {
        // Whether it places these points does not matter, as its results are checked.
        let _ = check_use(&*method, &*model, saved.new.view());
    }
});
