//! Local radii against umap-learn's formulas, and the effect of the density term.

use embedding::{Error, Input, Method, Model, Neighbors, PointSet, Transform, persist};
use neighbor_graph::{Deduplicated, Neighborhood};
use testkit::cases::{cloud, sheet};
use umap::{Densmap, FittedUmap, Target, Umap};

fn short() -> Densmap {
    let umap = Umap { neighborhood: Neighborhood::Nearest { k: 8 }, epochs: Some(200), ..Umap::default() };
    Densmap { umap, ..Densmap::default() }
}

/// Point i is at (sin 1.3 i (1 + i/20), 2 cos 0.7 i, i/10).
fn curve() -> Result<PointSet, Error> {
    let rows = (0..40).flat_map(|i| {
        let t = f64::from(i);
        [(1.3 * t).sin() * (1.0 + 0.05 * t), (0.7 * t).cos() * 2.0, 0.1 * t]
    });
    PointSet::new(rows.collect(), 3)
}

/// Four groups of 60 points, whose radii grow by a factor of 3 from one to the next.
fn groups() -> Result<PointSet, Error> {
    let points = cloud(240, 5, 4);
    let rows = points.view().rows().enumerate().flat_map(|(i, row)| {
        let group = i % 4;
        let mut row: Vec<f64> = row.iter().map(|x| x * 3f64.powi(group as i32)).collect();
        row[group] += 2000.0;
        row
    });
    PointSet::new(rows.collect(), 5)
}

/// Points and log radii of numpy: the mean of the squared lengths of all edges of a point
/// that `fuzzy_simplicial_set` of umap-learn 0.5.12 returns for the lists of 9 neighbors, the
/// point itself included, weighted by those edges, without edges below 1/200 of the largest.
/// They equal `rad_orig_` of its densMAP to 3e-7.
const RADII: [(usize, f64); 5] = [
    (0, 0.7343636044722326),
    (1, 0.5192651944150556),
    (7, 0.6716937435713928),
    (20, 0.6617106002919633),
    (39, 1.076246587140298),
];

/// Their sum and standard deviation over all 40 points.
const SUM_AND_DEVIATION: (f64, f64) = (29.08322970882415, 0.22159913708669404);

#[test]
fn radii_of_the_data_are_those_of_umap_learn() -> Result<(), Error> {
    let fitted = short().fit(&curve()?)?;
    let radii: Vec<f64> = fitted.radii().data().iter().flatten().copied().collect();
    for (i, expected) in RADII {
        assert!((radii[i] - expected).abs() < 1e-6, "point {i}: {}", radii[i]);
    }
    let sum: f64 = radii.iter().sum();
    let variance = radii.iter().map(|r| (r - sum / 40.0).powi(2)).sum::<f64>() / 40.0;
    let gap =
        (sum / 40.0 - SUM_AND_DEVIATION.0 / 40.0).abs().max((variance.sqrt() - SUM_AND_DEVIATION.1).abs());
    assert!(gap < 1e-6, "{sum}, {}", variance.sqrt());
    Ok(())
}

#[test]
fn radii_have_the_unit_of_the_data() -> Result<(), Error> {
    let unit = short().fit(&curve()?)?;
    for scale in [1e-6, 1e6, 1e100] {
        let values = curve()?.view().values().iter().map(|v| v * scale).collect();
        let fitted = short().fit(&PointSet::new(values, 3)?)?;
        let shift = 2.0 * f64::ln(scale);
        for (got, expected) in fitted.radii().data().iter().zip(unit.radii().data()) {
            let gap =
                got.expect("every point has an edge") - shift - expected.expect("every point has an edge");
            assert!(gap.abs() < 1e-4, "{got:?}, {expected:?}");
        }
    }
    Ok(())
}

fn correlation(fitted: &FittedUmap) -> f64 {
    fitted.radii().correlation().expect("radii differ")
}

#[test]
fn the_term_makes_radii_of_the_map_follow_those_of_the_data() -> Result<(), Error> {
    let points = groups()?;
    let plain = short().umap.fit(&points)?;
    let dense = short().fit(&points)?;
    assert!(correlation(&plain) < 0.6, "{}", correlation(&plain));
    assert!(correlation(&dense) > 0.9, "{}", correlation(&dense));
    // Groups keep their order by mean radius in the map.
    let mean = |group: usize| dense.radii().map().iter().flatten().skip(group).step_by(4).sum::<f64>() / 60.0;
    assert!((0..3).all(|group| mean(group) < mean(group + 1)), "{:?}", [0, 1, 2, 3].map(mean));
    Ok(())
}

#[test]
fn without_weight_or_epochs_the_map_is_that_of_umap() -> Result<(), Error> {
    let points = groups()?;
    let plain = short().umap.fit(&points)?;
    for recipe in [Densmap { weight: 0.0, ..short() }, Densmap { fraction: 0.0, ..short() }] {
        let fitted = recipe.fit(&points)?;
        assert_eq!(fitted.embedding(), plain.embedding());
        assert_eq!(fitted.radii(), plain.radii());
    }
    // The corners of a square have the same radius, so that there is no correlation.
    let square = PointSet::from_rows(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])?;
    let umap = Umap { neighborhood: Neighborhood::Nearest { k: 2 }, ..short().umap };
    let fitted = Densmap { umap: umap.clone(), ..short() }.fit(&square)?;
    assert_eq!(fitted.embedding(), umap.fit(&square)?.embedding());
    assert_eq!(fitted.radii().correlation(), None);
    Ok(())
}

#[test]
fn every_parameter_of_the_term_changes_the_map() -> Result<(), Error> {
    let points = sheet(120, 1);
    let plain = short().fit(points.view())?;
    for (name, value) in
        [("density-weight", "1"), ("density-fraction", "0.5"), ("density-shift", "1"), ("k", "9")]
    {
        let mut changed = short();
        changed.set(name, value)?;
        assert!(
            changed.fit(points.view())?.embedding() != plain.embedding(),
            "{name} = {value} changes nothing"
        );
    }
    for recipe in [
        Densmap { weight: -1.0, ..short() },
        Densmap { weight: f64::INFINITY, ..short() },
        Densmap { fraction: 1.5, ..short() },
        Densmap { shift: f64::NAN, ..short() },
    ] {
        let result = recipe.fit(points.view());
        assert!(matches!(result, Err(Error::Parameter { .. })), "{recipe:?}: {result:?}");
    }
    Ok(())
}

#[test]
fn radii_of_duplicates_and_isolated_points_are_finite_or_absent() -> Result<(), Error> {
    // Ten copies of one point, a sheet, and two points beyond the radius of all others.
    let mut rows: Vec<Vec<f64>> = sheet(60, 1).view().rows().map(<[f64]>::to_vec).collect();
    rows.extend(vec![rows[0].clone(); 10]);
    let width = rows[0].len();
    rows.extend([vec![1e4; width], vec![-1e4; width]]);
    let umap = Umap { neighborhood: Neighborhood::Within { radius: 0.6 }, ..short().umap };
    let fitted = Densmap { umap, shift: 0.0, ..Densmap::default() }.fit(&PointSet::from_rows(&rows)?)?;
    let radii = fitted.radii();
    assert!(radii.data()[70..].iter().chain(&radii.map()[70..]).all(Option::is_none));
    assert!(radii.data()[..70].iter().chain(&radii.map()[..70]).flatten().all(|r| r.is_finite()));
    assert!(fitted.embedding().values().iter().all(|v| v.is_finite()));
    let copies = PointSet::from_rows(&[vec![[0.3, 0.4]; 30], vec![[5.3, 0.4]; 30]].concat())?;
    let fitted = short().fit(&copies)?;
    assert!(fitted.embedding().values().iter().all(|v| v.is_finite()));
    assert_eq!(fitted.radii().correlation(), None);
    Ok(())
}

#[test]
fn classes_may_be_known_for_some_points_only() -> Result<(), Error> {
    let points = cloud(150, 4, 5);
    // Two of three points have a class.
    let labels: Vec<Option<u32>> = (0..150).map(|i| (i % 3 > 0).then_some((i % 3) as u32)).collect();
    let recipe = Umap { target: Target::Used { weight: 0.9 }, ..short().umap };
    let fitted = recipe.fit(Input::from(points.view()).with_partial_labels(&labels))?;
    let y = PointSet::from_mat(fitted.embedding().coordinates())?;
    let nearest: Neighbors = neighbor_graph::NeighborSearch::nearest(5).find(y.view())?;
    // Classes are random in the data; in the map the other class is rare among neighbors.
    let (mut same, mut other) = (0, 0);
    for i in (0..150).filter(|&i| labels[i].is_some()) {
        for &j in nearest.indices_of(i) {
            same += usize::from(labels[j as usize] == labels[i]);
            other += usize::from(labels[j as usize].is_some() && labels[j as usize] != labels[i]);
        }
    }
    assert!(same > 4 * other, "{same} neighbors of the same class, {other} of the other one");
    let all: Vec<u32> = (0..150).map(|i| (i % 3) as u32).collect();
    let some: Vec<Option<u32>> = all.iter().copied().map(Some).collect();
    let complete = recipe.fit(Input::from(points.view()).with_labels(&all))?;
    let known = recipe.fit(Input::from(points.view()).with_partial_labels(&some))?;
    assert_eq!(complete.embedding(), known.embedding());
    let short = recipe.fit(Input::from(points.view()).with_partial_labels(&some[1..]));
    assert!(matches!(short, Err(Error::Shape { .. })), "{short:?}");
    Ok(())
}

#[test]
fn models_keep_their_radii_and_place_new_points() -> Result<(), Error> {
    let points = sheet(80, 1);
    let fitted = short().fit(points.view())?;
    let bytes = persist::encode("densmap", &fitted)?;
    let read: Deduplicated<FittedUmap> = persist::decode("densmap", &bytes)?;
    assert_eq!(read.radii(), fitted.radii());
    assert_eq!(read.embedding(), fitted.embedding());
    let new = sheet(20, 2);
    assert_eq!(read.transform(new.view())?, fitted.transform(new.view())?);
    // A local connectivity beyond the number of points is legal.
    let plain = Densmap { umap: Umap { local_connectivity: 100.0, ..short().umap }, ..short() };
    let fitted = plain.fit(points.view())?;
    let read: Deduplicated<FittedUmap> = persist::decode("densmap", &persist::encode("densmap", &fitted)?)?;
    assert_eq!(read.transform(new.view())?, fitted.transform(new.view())?);
    Ok(())
}
