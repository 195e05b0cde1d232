//! Every method on small odd matrices, with odd settings: a sentence or finite
//! coordinates, never a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

use swissroll::{DynMethod, Error, Input, PointSet};
use testkit::Random;

/// Matrices for each method; times `FUZZ` in the environment for longer runs.
const ROUNDS: usize = 40;

/// 1 to 14 points in 1 to 5 dimensions: grids, copies, lines, far and near ones.
fn matrix(random: &mut Random) -> PointSet {
    let (n, dim) = (1 + random.below(14), 1 + random.below(5));
    let scale = random.of(&[1.0, 1.0, 1.0, 1e-9, 1e9]);
    let palette = random.of(&[&[0.0, 1.0][..], &[-1.0, 0.0, 1.0, 2.0], &[0.0, 1e-12, 1.0, 1e6], &[3.0]]);
    let copied = random.below(4) == 0;
    let noisy = random.below(3) == 0;
    let mut values: Vec<f64> = Vec::with_capacity(n * dim);
    for i in 0..n {
        if copied && i > 0 && random.below(2) == 0 {
            values.extend_from_within((i - 1) * dim..i * dim);
            continue;
        }
        for _ in 0..dim {
            let noise = if noisy { random.below(1 << 20) as f64 / f64::from(1 << 20) } else { 0.0 };
            values.push(scale * (random.of(palette) + noise));
        }
    }
    PointSet::new(values, dim).expect("finite")
}

/// Values that a parameter may or may not have; none that asks for hours.
const VALUES: [&str; 16] =
    ["0", "1", "2", "3", "5", "12", "-1", "0.5", "1e-3", "nan", "inf", "1e400", "auto", "", "x:y", "1:2:3"];

/// Sets some parameters; what is refused must be refused with a sentence.
fn configure(method: &mut dyn DynMethod, random: &mut Random) {
    let parameters = method.parameters();
    for _ in 0..random.below(4) {
        let name = parameters[random.below(parameters.len())].name;
        if let Err(error) = method.set_dyn(name, random.of(&VALUES)) {
            assert!(error.to_string().len() > 15, "{error}");
        }
    }
}

fn attempt(method: &dyn DynMethod, points: &PointSet, labels: &[u32]) -> Result<(), Error> {
    let model = method.fit_dyn(&Input::from(points).labels(labels))?;
    let embedding = model.embedding();
    assert!(embedding.len() <= points.len() && embedding.dim() >= 1);
    assert!(embedding.values().iter().all(|v| v.is_finite()), "the map is finite");
    let read = method.load(&model.save()?);
    assert!(read.is_ok(), "its saved model is refused: {}", read.err().expect("an error"));
    let placed = model.transform(points.view())?;
    assert_eq!((placed.len(), placed.dim()), (points.len(), embedding.dim()));
    assert!(placed.values().iter().all(|v| v.is_finite()), "new coordinates are finite");
    Ok(())
}

#[test]
fn methods_on_odd_matrices_end_in_a_sentence_or_a_map() {
    let times = std::env::var("FUZZ").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    let mut random = Random::new(0x0dd);
    let (mut failed, mut fitted, mut refused) = (Vec::new(), 0, 0);
    std::panic::set_hook(Box::new(|_| {}));
    for plain in swissroll::methods() {
        for round in 0..ROUNDS * times {
            let mut method = plain.boxed();
            let points = matrix(&mut random);
            let labels: Vec<u32> = (0..points.len()).map(|_| random.below(3) as u32).collect();
            let run = || {
                configure(&mut *method, &mut random);
                attempt(&*method, &points, &labels)
            };
            let why = match catch_unwind(AssertUnwindSafe(run)) {
                Ok(Ok(())) => {
                    fitted += 1;
                    continue;
                }
                Ok(Err(error)) => {
                    refused += 1;
                    let sentence = error.to_string();
                    if sentence.len() > 15 && !sentence.contains("NaN") {
                        continue;
                    }
                    format!("the sentence: {sentence}")
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
