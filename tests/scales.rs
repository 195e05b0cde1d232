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

/// Methods of which rounding decides between optima: the scales of UMAP's memberships are
/// bisected to 1e-5, from the mean distance where that is far from 1.
const CHAOTIC: [&str; 2] = ["umap", "densmap"];

#[test]
fn no_scale_gives_another_map_in_silence() -> Result<(), Error> {
    let set = datasets::load("digits", &Request { n: Some(150), ..Request::default() })?;
    let mut wrong = Vec::new();
    for method in swissroll::methods().filter(|method| !CHAOTIC.contains(&method.about().name)) {
        let name = method.about().name;
        let [y, new] = map(method.as_ref(), &set, 1.0)?;
        let mut embedded = 0;
        for power in [300, -300, 530, -530, 990, -990] {
            let factor = 2f64.powi(power);
            match map(method.as_ref(), &set, factor) {
                Ok([a, b]) => {
                    embedded += 1;
                    let same = |f: f64| gap(&a, &y, f) < 1e-6 && gap(&b, &new, f) < 1e-6;
                    if !same(1.0) && !same(factor) {
                        wrong.push((name, power));
                    }
                }
                Err(Error::Degenerate { .. }) => {}
                Err(error) => panic!("{name}, 2^{power}: {error:?}"),
            }
        }
        if ["lle", "modified-lle", "hessian-lle", "ltsa", "laplacian-eigenmaps", "diffusion-maps", "c-isomap"]
            .contains(&name)
        {
            assert_eq!(embedded, 6, "{name} embeds data of any scale");
        }
    }
    assert!(wrong.is_empty(), "other maps of data times powers of two: {wrong:?}");
    Ok(())
}
