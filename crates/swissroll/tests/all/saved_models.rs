//! Saved models of unknown origin: whatever the bytes say, loading and using them ends in a
//! sentence or in finite coordinates.

use std::panic::{AssertUnwindSafe, catch_unwind};

use swissroll::prelude::{Error, Points};
use testkit::Random;
use testkit::odd::check_use;
use testkit::saved::{SavedModel, TRAINING as N, mutate_body, saved_models, saved_points};

/// Mutations of each model; times `FUZZ` in the environment for longer runs.
const MUTATIONS: usize = 50;

fn models() -> Vec<SavedModel> {
    saved_models(swissroll::methods())
}

/// Loads and uses the bytes; fails where they are refused.
fn load_and_use(bytes: &[u8], new: Points<'_>) -> Result<(), Error> {
    let (method, model) = swissroll::load(bytes)?;
    // Whether it places these points does not matter, as what it returns is checked.
    let _ = check_use(&*method, &*model, new);
    Ok(())
}

#[test]
fn mutated_models_are_refused_or_used_without_harm() {
    let mut random = Random::new(0x5eed);
    let times = std::env::var("FUZZ").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    let mut failed = Vec::new();
    std::panic::set_hook(Box::new(|_| {}));
    for saved in models() {
        load_and_use(&saved.bytes, saved.new.view()).expect("the model itself");
        let body = saved.body();
        for number in 0..MUTATIONS * times {
            let mut changed = body.to_vec();
            for _ in 0..=random.below(2) {
                mutate_body(&mut changed, &mut random);
            }
            let bytes = saved.with_body(&changed);
            if let Err(panic) =
                catch_unwind(AssertUnwindSafe(|| load_and_use(&bytes, saved.new.view()).is_ok()))
            {
                let why = panic.downcast_ref::<String>().map(String::as_str);
                let why = why.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("?");
                failed.push(format!("{}, mutation {number}: {why}", saved.what));
            }
        }
    }
    let _ = std::panic::take_hook();
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn a_model_without_one_of_its_training_rows_is_refused() {
    let rows: Vec<u8> = saved_points(false).into_values().iter().flat_map(|v| v.to_le_bytes()).collect();
    let mut tried = Vec::new();
    for saved in models() {
        let body = saved.body();
        let Some(at) = body.windows(rows.len()).position(|part| part == rows) else { continue };
        assert_eq!(body[at - 1] as usize, 3 * N, "{}: the number of values is before them", saved.what);
        let mut changed = body.to_vec();
        changed[at - 1] -= 3;
        changed.drain(at + rows.len() - 24..at + rows.len());
        match swissroll::load(&saved.with_body(&changed)) {
            Err(Error::Model { .. }) => tried.push(saved.what),
            Err(other) => panic!("{}: {other}", saved.what),
            Ok(_) => panic!("{} was read with {} of {N} training rows", saved.what, N - 1),
        }
    }
    assert!(tried.len() >= 10, "only {tried:?} hold their training points");
}

#[test]
fn an_enormous_matrix_without_columns_is_refused() {
    // The origin, empty, and a matrix of 2⁴⁰ rows and no columns: what PCA keeps.
    let saved = models().into_iter().find(|saved| saved.what == "pca of points").expect("in the registry");
    let body = saved.body();
    let enormous = [0x80, 0x80, 0x80, 0x80, 0x80, 0x20];
    let shape = body.windows(3).rposition(|part| part == [3, 2, 6]).expect("3 × 2 directions of 6 values");
    for (rows, columns) in [(&enormous[..], &[0][..]), (&[0], &enormous)] {
        let mut changed = body[..shape].to_vec();
        changed.extend(rows);
        changed.extend(columns);
        changed.push(0);
        assert!(matches!(swissroll::load(&saved.with_body(&changed)), Err(Error::Model { .. })));
    }
}
