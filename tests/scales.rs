//! Data multiplied by a power of two: the map is multiplied by it or does not change, or the
//! data are refused. No scale gives another map in silence.

use swissroll::datasets::{self, Dataset, Request};
use swissroll::{DynMethod, Error, Input, PointSet};

/// The coordinates of a map, and those of new points in it.
type Map = [Vec<f64>; 2];

fn map(method: &dyn DynMethod, set: &Dataset, factor: f64) -> Result<Map, Error> {
    let at = |offset: f64| {
        let values = set.points.view().values().iter().map(|v| (v + offset) * factor);
        PointSet::new(values.collect(), set.points.dim())
    };
    let points = at(0.0)?;
    let model = method.fit_dyn(&Input::from(&points).labels(&set.labels[0].values))?;
    let placed = model.transform(at(0.125)?.view())?;
    Ok([model.embedding().values().to_vec(), placed.values().to_vec()])
}

/// The largest difference from `factor` times a map, relative to the largest coordinate.
fn gap(of: &[f64], from: &[f64], factor: f64) -> f64 {
    let largest = from.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    of.iter().zip(from).map(|(a, b)| (a / factor - b).abs()).fold(0.0, f64::max) / largest
}

#[test]
fn no_scale_gives_another_map_in_silence() -> Result<(), Error> {
    let set = datasets::load("digits", &Request { n: Some(150), ..Request::default() })?;
    for method in swissroll::methods() {
        let name = method.about().name;
        let [y, new] = map(method.as_ref(), &set, 1.0)?;
        let mut embedded = Vec::new();
        for power in [300, -300, 530, -530, 990, -990] {
            let factor = 2f64.powi(power);
            match map(method.as_ref(), &set, factor) {
                Ok([a, b]) => {
                    embedded.push(power);
                    // Rounding of exponentials and roots may differ, not more.
                    let same =
                        [1.0, factor].iter().any(|f| gap(&a, &y, *f) < 1e-6 && gap(&b, &new, *f) < 1e-6);
                    assert!(same, "{name}: data times 2^{power} have another map");
                }
                Err(error) => {
                    assert!(matches!(error, Error::Degenerate { .. }), "{name}, 2^{power}: {error:?}")
                }
            }
        }
        let local = [
            "lle",
            "modified-lle",
            "hessian-lle",
            "ltsa",
            "laplacian-eigenmaps",
            "diffusion-maps",
            "c-isomap",
        ];
        if local.contains(&name) {
            assert_eq!(embedded.len(), 6, "{name} embeds data of any scale: {embedded:?}");
        }
    }
    Ok(())
}
