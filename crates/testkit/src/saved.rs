//! Saved models of small fits, and changes of their bytes.

use embedding::{DataKind, DistanceMatrix, DynMethod, DynModel, Error, Input, PointSet, Points, persist};

use crate::Random;
use crate::cases::distances;

/// Training points of [`saved_models`].
pub const TRAINING: usize = 40;

/// A saved model, and new rows for it to place.
pub struct SavedModel {
    /// Its method, and the data to which the method was fitted.
    pub what: String,
    /// The bytes that [`embedding::DynModel::save`] wrote.
    pub bytes: Vec<u8>,
    /// Rows that it can place.
    pub new: PointSet,
}

/// Every method, fitted to points, to distances where it reads distances, and to two separate pieces where it
/// has a component policy.
pub fn saved_models(methods: impl IntoIterator<Item = Box<dyn DynMethod>>) -> Vec<SavedModel> {
    let n = TRAINING;
    let (points, apart, new) =
        (saved_points(false), saved_points(true), curved(n + 5, false).view().select(&[40, 42, 44, 3]));
    let matrix = distances(points.view(), points.view());
    let to_training = PointSet::new(distances(new.view(), points.view()), n).expect("finite");
    let labels: Vec<u32> = (0..n as u32).map(|i| i % 3).collect();
    let mut all = Vec::new();
    for mut method in methods {
        quick(&mut *method);
        let name = method.about().name;
        let mut add = |form: &str, method: &dyn DynMethod, input: Input<'_>, new: &PointSet| {
            let fitted = method.fit_dyn(&input.with_labels(&labels));
            let bytes = fitted.and_then(|model| model.save());
            let bytes = bytes.unwrap_or_else(|error| panic!("{name} of {form}: {error}"));
            all.push(SavedModel { what: format!("{name} of {form}"), bytes, new: new.clone() });
        };
        add("points", &*method, Input::from(&points), &new);
        if method.about().accepts.contains(&DataKind::Distances) {
            let given = DistanceMatrix::new(&matrix, n).expect("symmetric");
            add("distances", &*method, Input::from(given), &to_training);
        }
        if method.set_dyn("components", "per-component").is_ok() {
            add("two pieces", &*method, Input::from(&apart), &new);
        }
    }
    all
}

/// The training points of [`saved_models`]: a gently curved sheet; every fourth row lies far away
/// if `apart`.
pub fn saved_points(apart: bool) -> PointSet {
    curved(TRAINING, apart)
}

fn curved(n: usize, apart: bool) -> PointSet {
    let at = |i: usize, step: f64| (i as f64 * step + 0.3).fract();
    let shift = |i: usize| if apart && i % 4 == 1 { 50.0 } else { 0.0 };
    let row = |i: usize| {
        let (u, v) = (2.0 * at(i, 0.754_877_666), at(i, 0.569_840_291));
        [u + shift(i), v, 0.3 * u * u + 0.1 * v]
    };
    PointSet::new((0..n).flat_map(row).collect(), 3).expect("finite")
}

/// Parameters with which every method is quick on these points.
fn quick(method: &mut dyn DynMethod) {
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

impl SavedModel {
    /// The bytes after the header: the magic number, the format, the name, and two numbers.
    pub fn body(&self) -> &[u8] {
        &self.bytes[self.name_end() + 16..]
    }

    fn name_end(&self) -> usize {
        13 + self.bytes[12] as usize
    }

    /// The same header around another body, with its length and checksum.
    pub fn with_body(&self, body: &[u8]) -> Vec<u8> {
        let mut bytes = self.bytes[..self.name_end()].to_vec();
        bytes.extend((body.len() as u64).to_le_bytes());
        let sum = persist::checksum(&[&bytes, body]);
        bytes.extend(sum.to_le_bytes());
        bytes.extend(body);
        bytes
    }
}

/// One small change of a body.
pub fn mutate_body(body: &mut Vec<u8>, random: &mut Random) {
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

/// The training coordinates of a model, then the places of new rows, one row per line, in digits that
/// read back to the same bits.
pub fn golden_lines(model: &dyn DynModel, new: Points<'_>) -> Result<String, Error> {
    let placed = model.transform(new)?;
    let mut text = String::new();
    for row in model.embedding().rows().chain(placed.rows()) {
        let values: Vec<String> = row.iter().map(f64::to_string).collect();
        text += &(values.join(",") + "\n");
    }
    Ok(text)
}
