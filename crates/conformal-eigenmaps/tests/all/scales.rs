//! Data of any scale: the same map, in their unit or at trace 1, by every weight.

use crate::common;

use conformal_eigenmaps::settings::{PatchWeight, Units};
use conformal_eigenmaps::{Refinement, Unfolding, refine, unfold};
use embedding::implement::scale::times_power_of_two;
use embedding::{DistanceMatrix, Error, Model, PointSet};
use faer::Mat;
use neighbor_graph::Manifold;
use testkit::cases::distances;

#[test]
fn maps_of_points_and_distances_are_those_near_one() -> Result<(), Error> {
    let sheet = common::sheet(120, 4, 1)?;
    let basis = sheet.basis.as_ref();
    let between = distances(sheet.points.view(), sheet.points.view());
    for e in [0, 210, -210, 300, -300, 500, -500, 900, -900] {
        let times =
            |values: &[f64]| -> Vec<f64> { values.iter().map(|v| times_power_of_two(*v, e)).collect() };
        let near = Manifold::new(sheet.points.view(), &sheet.neighbors);
        let points = PointSet::new(times(sheet.points.view().values()), 3)?;
        let values = times(&between);
        let far = Manifold { data: points.view().into(), ..near };
        let given = DistanceMatrix::new(&values, 120)?;
        let forms = [
            (near, far),
            (
                Manifold { data: DistanceMatrix::new(&between, 120)?.into(), ..near },
                Manifold { data: given.into(), ..near },
            ),
        ];
        for (near, far) in forms {
            for weight in [PatchWeight::Paper, PatchWeight::Patch, PatchWeight::Sqrt] {
                for (units, unit) in [(Units::Input, e), (Units::UnitTrace, 0)] {
                    let settings = Refinement { weight, units, ..Refinement::default() };
                    let (near, far) = (refine(near, basis, 2, &settings)?, refine(far, basis, 2, &settings)?);
                    assert_same(&near, &far, unit, &format!("{weight:?} {units:?} 2^{e}"));
                    let variations = (near.report.scale_variation, far.report.scale_variation);
                    assert_eq!(variations.0, variations.1, "{weight:?} {units:?} 2^{e}");
                    assert!(common::close(far.report.value, near.report.value, 1e-9));
                }
            }
            let settings = Unfolding::default();
            let (near, far) = (unfold(near, basis, 2, &settings)?, unfold(far, basis, 2, &settings)?);
            assert_same(&near, &far, e, &format!("unfolding, 2^{e}"));
            assert!(far.report.spectrum.iter().all(|v| v.is_finite() && *v > 0.0));
        }
    }
    Ok(())
}

/// Checks that one map is the other times 2ᵉ.
fn assert_same(near: &impl Model, far: &impl Model, e: i32, case: &str) {
    let [near, far] = [near.embedding(), far.embedding()].map(|map| map.coordinates().to_owned());
    let scaled = Mat::from_fn(near.nrows(), 2, |i, j| times_power_of_two(near[(i, j)], e));
    assert!(far == scaled, "{case}: {:e}", times_power_of_two((far - scaled).norm_max(), -e));
}
