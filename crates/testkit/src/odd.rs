//! Random small matrices and settings, degenerate ones included, and the conditions that every fit to them
//! must meet.

use embedding::implement::Kind;
use embedding::{DynMethod, Input, PointSet};

use crate::attempt::check_sentence;
pub use crate::usage::{check_setting, check_use};

use crate::Random;

/// 1 to 14 points in 1 to 5 dimensions: grids, copies, lines, far and near points, of any scale.
pub fn odd_points(random: &mut Random) -> PointSet {
    let (n, dim) = (1 + random.below(14), 1 + random.below(5));
    let scale = random.of(&[1.0, 1.0, 1.0, 1e-9, 1e9, 1e-300, 1e150]);
    let palette = random.of(&[
        &[0.0, 1.0][..],
        &[-1.0, 0.0, 1.0, 2.0],
        &[0.0, 1e-12, 1.0, 1e6],
        &[0.0, 5e-324, 1e-310, 1e-160, 1.0, 1e150],
        &[3.0],
    ]);
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

/// Values that a parameter may or may not have; no value takes hours.
const VALUES: [&str; 16] =
    ["0", "1", "2", "3", "5", "12", "-1", "0.5", "1e-3", "nan", "inf", "1e400", "auto", "", "x:y", "1:2:3"];

/// Numbers for ranges without an end.
const REALS: [f64; 6] = [1e-300, 1e-3, 0.5, 1.0, 3.0, 1e150];

/// Sets some parameters, to any value or to a value that is legal for these points.
pub fn odd_settings(method: &mut dyn DynMethod, points: &PointSet, random: &mut Random) {
    for _ in 0..random.below(5) {
        let parameters = method.parameters();
        let at = random.below(parameters.len());
        let limits = method.limits(&points.into())[at];
        let parameter = &parameters[at];
        let ends = limits.map_or((None, None), |limits| (limits.low, limits.high));
        let value = match (random.below(3), parameter.kind, ends) {
            (0, ..) => random.of(&VALUES).to_owned(),
            (_, Kind::Integer, (low, high)) => {
                let low = low.unwrap_or(0.0);
                let span = high.map_or(12.0, |high| (high - low).clamp(0.0, 12.0));
                (low + random.below(span as usize + 1) as f64).to_string()
            }
            (_, Kind::Real, (low, high)) => {
                let value = random.of(&REALS);
                value.max(low.unwrap_or(f64::MIN)).min(high.unwrap_or(f64::MAX)).to_string()
            }
            (_, Kind::Flag, _) => random.of(&["true", "false"]).to_owned(),
            (1, ..) if !parameter.words.is_empty() => random.of(&parameter.words).to_owned(),
            _ => random.of(&VALUES).to_owned(),
        };
        check_setting(method, parameter.name, &value);
    }
}

/// Fits the method: a model that can be used, or a sentence. Returns whether there is a model that
/// places the points.
pub fn fits_or_refuses(method: &dyn DynMethod, input: &Input<'_>) -> bool {
    let points = input.points().expect("a fit to points");
    let used = method.fit_dyn(input).and_then(|model| {
        let embedding = model.embedding();
        assert!(embedding.len() <= points.len() && embedding.dim() >= 1, "the shape of the map");
        check_use(method, &*model, points)
    });
    if let Err(error) = &used {
        check_sentence(method.about().name, "odd points", error);
    }
    used.is_ok()
}
