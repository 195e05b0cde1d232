//! Saved models of unknown origin: whatever the bytes say, loading and using them ends in a
//! sentence or in finite coordinates.

use std::panic::{AssertUnwindSafe, catch_unwind};

use swissroll::embedding::{Data, persist};
use swissroll::{DistanceMatrix, DynMethod, DynModel, Error, Input, PointSet};
use testkit::Random;

/// Training points.
const N: usize = 40;

/// Mutations of each model; times `FUZZ` in the environment for longer runs.
const MUTATIONS: usize = 50;

/// A gently curved sheet; the last ten rows lie far away if `apart`.
fn sheet(n: usize, apart: bool) -> PointSet {
    let at = |i: usize, step: f64| (i as f64 * step + 0.3).fract();
    let shift = |i: usize| if apart && i % 4 == 1 { 50.0 } else { 0.0 };
    let row = |i: usize| {
        let (u, v) = (2.0 * at(i, 0.754_877_666), at(i, 0.569_840_291));
        [u + shift(i), v, 0.3 * u * u + 0.1 * v]
    };
    PointSet::new((0..n).flat_map(row).collect(), 3).expect("finite")
}

fn distances(from: &PointSet, to: &PointSet) -> PointSet {
    let distance = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt();
    let values = from.view().rows().flat_map(|a| to.view().rows().map(move |b| distance(a, b))).collect();
    PointSet::new(values, to.len()).expect("finite")
}

/// Parameters with which every method is quick on these points.
fn quick(method: &mut Box<dyn DynMethod>) {
    for (name, value) in [
        ("k", "8"),
        ("perplexity", "5"),
        ("iterations", "20"),
        ("early-iterations", "5"),
        ("placing-iterations", "5"),
        ("basis-size", "5"),
        ("restarts", "1"),
        ("epochs", "20"),
        ("placing-epochs", "5"),
        ("landmarks", "12"),
        ("dim", "2"),
    ] {
        if method.parameters().iter().any(|parameter| parameter.name == name) {
            method.set_dyn(name, value).expect("a legal value");
        }
    }
}

/// A saved model, and new rows to place by it.
struct Saved {
    what: String,
    method: Box<dyn DynMethod>,
    bytes: Vec<u8>,
    new: PointSet,
}

/// Every method, fitted to points, to distances where it reads these, and to two
/// separate pieces where it has a component policy.
fn models() -> Vec<Saved> {
    let (points, apart, new) =
        (sheet(N, false), sheet(N, true), sheet(N + 5, false).view().select(&[40, 42, 44, 3]));
    let matrix = distances(&points, &points).into_values();
    let labels: Vec<u32> = (0..N as u32).map(|i| i % 3).collect();
    let mut all = Vec::new();
    for mut method in swissroll::methods() {
        quick(&mut method);
        let name = method.about().name;
        let mut add = |form: &str, method: &dyn DynMethod, input: Input<'_>, new: PointSet| {
            let fitted = method.fit_dyn(&input.labels(&labels));
            let bytes = fitted.and_then(|model| model.save());
            let bytes = bytes.unwrap_or_else(|error| panic!("{name} of {form}: {error}"));
            all.push(Saved { what: format!("{name} of {form}"), method: method.boxed(), bytes, new });
        };
        add("points", &*method, Input::from(&points), new.clone());
        if method.about().accepts.contains(&Data::Distances) {
            let given = DistanceMatrix::new(&matrix, N).expect("symmetric");
            add("distances", &*method, Input::from(given), distances(&new, &points));
        }
        if method.set_dyn("components", "per-component").is_ok() {
            add("two pieces", &*method, Input::from(&apart), new.clone());
        }
    }
    all
}

/// Where the body starts: after the magic number, the format, the name, and two numbers.
fn body_of(bytes: &[u8]) -> usize {
    8 + 4 + 1 + bytes[12] as usize + 16
}

/// The same header around another body, with its length and checksum.
fn with_body(saved: &[u8], body: &[u8]) -> Vec<u8> {
    let name = 13 + saved[12] as usize;
    let mut bytes = saved[..name].to_vec();
    bytes.extend((body.len() as u64).to_le_bytes());
    let sum = persist::checksum(&[&bytes, body]);
    bytes.extend(sum.to_le_bytes());
    bytes.extend(body);
    bytes
}

/// One small change of a body.
fn mutate(body: &mut Vec<u8>, random: &mut Random) {
    const VARINTS: [&[u8]; 6] = [
        &[0],
        &[1],
        &[39],
        &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
        &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
        &[0xff, 0xff, 0xff, 0xff, 0x0f],
    ];
    const NUMBERS: [f64; 7] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1.0, 1e308, 5e-324];
    // Lengths, indices and options are at the two ends more often than in the middle.
    let end = body.len();
    let at = match random.below(3) {
        0 => random.below(end.min(24)),
        1 => end - 1 - random.below(end.min(64)),
        _ => random.below(end),
    };
    match random.below(6) {
        0 => body[at] = body[at].wrapping_add(random.of(&[1, 255, 2, 128])),
        1 => body[at] = random.below(256) as u8,
        2 => {
            body.splice(at..=at, random.of(&VARINTS).iter().copied());
        }
        3 => {
            let number = random.of(&NUMBERS).to_le_bytes();
            let upto = (at + 8).min(end);
            body[at..upto].copy_from_slice(&number[..upto - at]);
        }
        4 => {
            body.drain(at..(at + random.of(&[1, 8, 24])).min(end));
        }
        _ => {
            body.splice(at..at, vec![0; random.of(&[1, 8, 24])]);
        }
    }
}

/// Loads and uses the bytes; what is returned must be finite.
fn load_and_use(saved: &Saved, bytes: &[u8]) -> Result<Box<dyn DynModel>, Error> {
    let model = saved.method.load(bytes)?;
    let _ = model.report();
    let again = model.save().expect("a model that was read can be written");
    assert!(saved.method.load(&again).is_ok(), "what was written can be read");
    if let Ok(placed) = model.transform(saved.new.view()) {
        assert_eq!(placed.len(), saved.new.len());
        assert_eq!(placed.dim(), model.embedding().dim());
        assert!(placed.values().iter().all(|v| v.is_finite()), "coordinates are finite");
    }
    assert!(model.embedding().values().iter().all(|v| v.is_finite()), "the embedding is finite");
    Ok(model)
}

#[test]
fn mutated_models_are_refused_or_used_without_harm() {
    let mut random = Random::new(0x5eed);
    let times = std::env::var("FUZZ").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    let mut failed = Vec::new();
    std::panic::set_hook(Box::new(|_| {}));
    for saved in models() {
        load_and_use(&saved, &saved.bytes).expect("the model itself");
        let body = &saved.bytes[body_of(&saved.bytes)..];
        for number in 0..MUTATIONS * times {
            let mut changed = body.to_vec();
            for _ in 0..=random.below(2) {
                mutate(&mut changed, &mut random);
            }
            let bytes = with_body(&saved.bytes, &changed);
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| load_and_use(&saved, &bytes).is_ok())) {
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
    let rows: Vec<u8> = sheet(N, false).into_values().iter().flat_map(|v| v.to_le_bytes()).collect();
    let mut tried = Vec::new();
    for saved in models() {
        let body = &saved.bytes[body_of(&saved.bytes)..];
        let Some(at) = body.windows(rows.len()).position(|part| part == rows) else { continue };
        assert_eq!(body[at - 1] as usize, 3 * N, "{}: the number of values is before them", saved.what);
        let mut changed = body.to_vec();
        changed[at - 1] -= 3;
        changed.drain(at + rows.len() - 24..at + rows.len());
        match saved.method.load(&with_body(&saved.bytes, &changed)) {
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
    let body = &saved.bytes[body_of(&saved.bytes)..];
    let enormous = [0x80, 0x80, 0x80, 0x80, 0x80, 0x20];
    let shape = body.windows(3).rposition(|part| part == [3, 2, 6]).expect("3 × 2 directions of 6 values");
    for (rows, columns) in [(&enormous[..], &[0][..]), (&[0], &enormous)] {
        let mut changed = body[..shape].to_vec();
        changed.extend(rows);
        changed.extend(columns);
        changed.push(0);
        assert!(matches!(saved.method.load(&with_body(&saved.bytes, &changed)), Err(Error::Model { .. })));
    }
}
