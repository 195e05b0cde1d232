//! Distances instead of points: lengths, and angles by the law of cosines.

use crate::common;

use common::close;
use conformal_eigenmaps::settings::{PatchPairs, PatchWeight};
use conformal_eigenmaps::steps::{LengthLoss, Quadratic, local_scale, whiten};
use conformal_eigenmaps::{
    ConformalEigenmaps, MaximumVarianceUnfolding, Refinement, Unfolding, refine, unfold,
};
use embedding::{DistanceMatrix, DynMethod, Error, MemoryLimit, Model, PointSet, Silent};
use neighbor_graph::Manifold;
use testkit::cases::distances;
use testkit::structure::distance_gap;

/// The sums over pairs and the scales agree with the points, for every choice of pairs.
#[test]
fn losses_and_scales_of_distances_are_those_of_the_points() -> Result<(), Error> {
    let sheet = common::sheet(120, 4, 1)?;
    let values = distances(sheet.points.view(), sheet.points.view());
    let (points, given) = (sheet.points.view(), DistanceMatrix::new(&values, 120)?);
    let y = whiten(sheet.basis.as_ref())?.basis;
    let limit = MemoryLimit::default();
    for pairs in [PatchPairs::Clique, PatchPairs::Neighbors, PatchPairs::Path] {
        let (lists, weight) = (&sheet.neighbors, PatchWeight::Sqrt);
        let by_points = Quadratic::build(points, lists, y.as_ref(), pairs, weight, limit, &Silent)?;
        let by_distances = Quadratic::build(given, lists, y.as_ref(), pairs, weight, limit, &Silent)?;
        assert!((by_points.matrix() - by_distances.matrix()).norm_max() < 1e-11, "{pairs:?}");
        assert!(close(by_distances.raw_scale(), by_points.raw_scale(), 1e-11), "{pairs:?}");
        let by_points = LengthLoss::build(points, lists, y.as_ref(), pairs, limit, &Silent)?;
        let by_distances = LengthLoss::build(given, lists, y.as_ref(), pairs, limit, &Silent)?;
        assert!((by_points.matrix() - by_distances.matrix()).norm_max() < 1e-11, "{pairs:?}");
        assert!(close(by_distances.unit(), by_points.unit(), 1e-13), "the variance");
        let by_points = local_scale(points, lists, pairs, y.as_ref())?;
        for (a, b) in by_points.into_iter().zip(local_scale(given, lists, pairs, y.as_ref())?) {
            assert!(close(a.unwrap_or(0.0), b.unwrap_or(0.0), 1e-12), "{pairs:?}: {a:?} and {b:?}");
        }
    }
    Ok(())
}

/// The refinement of a basis by distances alone, with the angle errors of the points.
#[test]
fn refinement_and_unfolding_read_distances() -> Result<(), Error> {
    let sheet = common::sheet(120, 4, 2)?;
    let values = distances(sheet.points.view(), sheet.points.view());
    let by_points = Manifold::new(sheet.points.view(), &sheet.neighbors);
    let by_distances = Manifold { data: DistanceMatrix::new(&values, 120)?.into(), ..by_points };
    let basis = sheet.basis.as_ref();
    let maps = [by_points, by_distances].map(|manifold| refine(manifold, basis, 2, &Refinement::default()));
    let [a, b] = maps;
    let (a, b) = (a?, b?);
    assert!(distance_gap(a.embedding(), b.embedding(), 1.0) < 1e-7);
    assert!(close(a.report.angle_error_before, b.report.angle_error_before, 1e-9));
    assert!(close(a.report.angle_error_after, b.report.angle_error_after, 1e-5));
    let [a, b] = [by_points, by_distances].map(|manifold| unfold(manifold, basis, 2, &Unfolding::default()));
    let (a, b) = (a?, b?);
    assert!(distance_gap(a.embedding(), b.embedding(), 1.0) < 1e-7);
    assert!(close(a.report.angle_error_before, b.report.angle_error_before, 1e-9));
    Ok(())
}

#[test]
fn methods_of_distances_give_the_map_of_the_points_and_place_new_ones_alike() -> Result<(), Error> {
    let set = datasets::generate("swiss-roll", 520, 1)?;
    let points = set.points.view().select(&(0..500).collect::<Vec<_>>());
    let new = set.points.view().select(&(500..520).collect::<Vec<_>>());
    let values = distances(points.view(), points.view());
    let to_new = PointSet::new(distances(new.view(), points.view()), 500)?;
    let methods: [Box<dyn DynMethod>; 2] =
        [Box::new(ConformalEigenmaps::default()), Box::new(MaximumVarianceUnfolding::default())];
    for method in methods {
        let name = method.about().name;
        let by_points = method.fit_dyn(&(&points).into())?;
        let by_distances = method.fit_dyn(&DistanceMatrix::new(&values, 500)?.into())?;
        let gap = distance_gap(by_points.embedding(), by_distances.embedding(), 1.0);
        assert!(gap < 1e-7, "{name}: {gap:e}");
        let gap =
            distance_gap(&by_points.transform(new.view())?, &by_distances.transform(to_new.view())?, 1.0);
        assert!(gap < 1e-7, "{name}, new points: {gap:e}");
    }
    Ok(())
}
