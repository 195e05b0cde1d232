//! One run of a method, with the conditions that every run must meet.

use std::panic::{AssertUnwindSafe, catch_unwind};

use embedding::{Embedding, Error, Input, Observer, Silent};

use crate::cases::Case;
use crate::{Contract, Setup};

/// Runs the method; a panic or a malformed result fails the check.
pub(crate) fn attempt(
    contract: &Contract,
    what: &str,
    case: &Case,
    setup: Setup,
) -> Result<Embedding, Error> {
    attempt_observed(contract, what, case, setup, &Silent)
}

pub(crate) fn attempt_observed(
    contract: &Contract,
    what: &str,
    case: &Case,
    setup: Setup,
    observer: &dyn Observer,
) -> Result<Embedding, Error> {
    let input = Input::from(case.view()).with_labels(&case.labels).with_observer(observer);
    attempt_input(contract, what, &input, setup)
}

pub(crate) fn attempt_input(
    contract: &Contract,
    what: &str,
    input: &Input<'_>,
    setup: Setup,
) -> Result<Embedding, Error> {
    let name = contract.name;
    let result = guarded(name, what, || Ok((contract.make)(setup).fit_dyn(input)?.embedding().clone()));
    match &result {
        Ok(embedding) => check_shape(name, what, input.len(), setup.dim, embedding),
        Err(error) => check_sentence(name, what, error),
    }
    result
}

/// Runs code that must never panic.
pub(crate) fn guarded<T>(name: &str, what: &str, run: impl FnOnce() -> T) -> T {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(value) => value,
        Err(_) => panic!("{name}: {what}: panicked where it must return an error or a result"),
    }
}

/// Runs the method where only success is correct.
pub(crate) fn succeed(contract: &Contract, what: &str, case: &Case, setup: Setup) -> Embedding {
    attempt(contract, what, case, setup)
        .unwrap_or_else(|error| panic!("{}: {what}: must succeed, but: {error}", contract.name))
}

/// Checks that an error is a sentence on which a person can act.
pub(crate) fn check_sentence(name: &str, what: &str, error: &Error) {
    let sentence = error.to_string();
    let enough = sentence.len() > 15 || *error == Error::Cancelled;
    assert!(enough, "{name}: {what}: the error says too little: {sentence:?}");
    assert!(!sentence.contains("NaN"), "{name}: {what}: a NaN reached the error: {sentence}");
}

fn check_shape(name: &str, what: &str, n: usize, dim: usize, embedding: &Embedding) {
    let at = format!("{name}: {what}");
    assert_eq!(embedding.dim(), dim, "{at}: the number of columns");
    match embedding.placed_rows() {
        None => assert_eq!(embedding.len(), n, "{at}: the number of rows"),
        Some(rows) => {
            assert_eq!(embedding.len(), rows.len(), "{at}: as many rows as the row map says");
            assert!(rows.is_sorted_by(|a, b| a < b), "{at}: the row map ascends");
            assert!(rows.last().is_none_or(|&r| (r as usize) < n), "{at}: the row map stays inside");
        }
    }
    for i in 0..embedding.len() {
        for j in 0..dim {
            let value = embedding[(i, j)];
            assert!(value.is_finite(), "{at}: coordinate ({i}, {j}) is {value}");
        }
    }
    assert!(embedding.spectrum().iter().all(|v| v.is_finite()), "{at}: the spectrum is finite");
}
