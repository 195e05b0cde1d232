//! The generators keep the promises of their geometry.

use datasets::synthetic::{arc_length, hypercube, spherical_cap};
use datasets::{Dataset, Geometry, find, generate, list};
use embedding::{Error, Points};

/// The synthetic sets: generators that draw no pictures.
fn generators() -> impl Iterator<Item = &'static str> {
    let endless = list().iter().filter(|info| info.largest_n.is_none());
    endless.filter(|info| info.default_scale.is_none()).map(|info| info.name)
}

fn distance(points: Points<'_>, i: usize, j: usize) -> f64 {
    points.row(i).iter().zip(points.row(j)).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// For each of the first rows the three nearest others of the same label, by
/// place in the truth.
fn near(set: &Dataset) -> Vec<(usize, Vec<usize>)> {
    let truth = set.truth.as_ref().expect("the set has a truth").view();
    let label = |i: usize| set.labels.first().map(|labels| labels.values[i]);
    (0..40)
        .map(|i| {
            let others = (0..truth.len()).filter(|&j| j != i && label(i) == label(j));
            let mut others: Vec<(f64, usize)> = others.map(|j| (distance(truth, i, j), j)).collect();
            others.select_nth_unstable_by(2, |a, b| a.0.total_cmp(&b.0));
            others.truncate(3);
            let others = others.into_iter().map(|(_, j)| j).collect();
            (i, others)
        })
        .collect()
}

/// Distances in space over distances in the truth, of each row's neighbors.
fn scales(set: &Dataset) -> Vec<Vec<f64>> {
    let truth = set.truth.as_ref().expect("the set has a truth").view();
    near(set)
        .into_iter()
        .map(|(i, others)| {
            others.iter().map(|&j| distance(set.points.view(), i, j) / distance(truth, i, j)).collect()
        })
        .collect()
}

#[test]
fn isometric_sets_keep_small_distances_conformal_ones_keep_small_shapes() -> Result<(), Error> {
    for name in generators() {
        let set = generate(name, 6000, 7)?;
        if set.truth.is_none() {
            assert_eq!(set.geometry, Geometry::Unknown, "{name}");
            continue;
        }
        let scales = scales(&set);
        let worst_length = scales.iter().flatten().map(|scale| (scale - 1.0).abs()).fold(0.0, f64::max);
        let mut shape: Vec<f64> = scales
            .iter()
            .map(|scales| {
                let (low, high) = scales.iter().fold((f64::MAX, 0.0_f64), |(a, b), &s| (a.min(s), b.max(s)));
                high / low - 1.0
            })
            .collect();
        shape.sort_by(f64::total_cmp);
        let typical_shape = shape[shape.len() / 2];
        match set.geometry {
            // Noise leaves the sheet.
            _ if name == "noisy-swiss-roll" => assert!(worst_length > 0.2, "{worst_length}"),
            Geometry::Isometric => {
                // The chord of an arc s on radius r is shorter by s² / 24 r²;
                // five dimensions leave the nearest rows far away.
                let tolerance = if name == "curled-box" { 0.03 } else { 0.01 };
                assert!(worst_length < tolerance, "{name}: {worst_length}");
            }
            Geometry::Conformal => {
                assert!(typical_shape < 0.05, "{name}: {typical_shape}");
                assert!(worst_length > 0.2, "{name} would be isometric: {worst_length}");
            }
            // The control: sets with `Parameters` as geometry keep neither lengths nor angles, unless the
            // sheet is flat.
            _ if name == "intersecting-sheets" => assert!(worst_length < 1e-9, "{worst_length}"),
            _ => assert!(worst_length > 0.2, "{name}: {worst_length}"),
        }
    }
    Ok(())
}

#[test]
fn a_smaller_sample_is_a_prefix_and_the_seed_is_used() -> Result<(), Error> {
    for name in generators() {
        let (large, small) = (generate(name, 200, 1)?, generate(name, 90, 1)?);
        let values = small.points.view().values();
        assert_eq!(values, &large.points.view().values()[..values.len()], "{name}");
        assert_eq!(
            small.truth.as_ref().map(|truth| truth.view().row(89).to_vec()),
            large.truth.as_ref().map(|truth| truth.view().row(89).to_vec()),
            "{name}"
        );
        for (a, b) in small.labels.iter().zip(&large.labels) {
            assert_eq!(a.values, b.values[..90], "{name}");
        }
        assert_ne!(small.points, generate(name, 90, 2)?.points, "{name}");
        assert_eq!(generate(name, 1, 0)?.points.len(), 1, "{name}");
    }
    Ok(())
}

#[test]
fn every_set_is_what_its_entry_says() -> Result<(), Error> {
    for info in generators().map(find) {
        let info = info?;
        let set = generate(info.name, 300, 0)?;
        assert_eq!(set.name, info.name);
        assert_eq!((set.points.dim(), set.geometry), (info.ambient, info.geometry));
        if let (Some(truth), Some(d)) = (&set.truth, info.dimension) {
            assert!(truth.dim() >= d, "{}", info.name);
        }
        for labels in &set.labels {
            let counts = labels.counts();
            assert_eq!(counts.len(), labels.classes.len());
            assert!(counts.iter().all(|&count| count > 0), "{}: {counts:?}", info.name);
        }
    }
    Ok(())
}

#[test]
fn the_hole_is_empty_and_the_break_is_wide() -> Result<(), Error> {
    let hole = generate("swiss-roll-hole", 3000, 0)?;
    let truth = hole.truth.expect("known");
    let (low, high) = (arc_length(2.5 * std::f64::consts::PI), arc_length(3.5 * std::f64::consts::PI));
    assert!(!truth.view().rows().any(|y| y[0] > low && y[0] < high && y[1] > 7.0 && y[1] < 14.0));
    assert!(truth.view().rows().any(|y| y[0] > low && y[0] < high), "above and below the hole");

    let broken = generate("broken-swiss-roll", 3000, 0)?;
    let truth = broken.truth.expect("known");
    let pieces = &broken.labels[0].values;
    let along = |piece: u32| {
        truth
            .view()
            .rows()
            .zip(pieces)
            .filter(move |(_, p)| **p == piece)
            .map(|(y, _)| y[0])
            .collect::<Vec<_>>()
    };
    let inner_end = along(0).into_iter().fold(0.0, f64::max);
    let outer_start = along(1).into_iter().fold(f64::MAX, f64::min);
    assert!(outer_start - inner_end > 15.0, "{inner_end} {outer_start}");
    Ok(())
}

#[test]
fn the_skewed_roll_is_dense_inside() -> Result<(), Error> {
    let skewed = generate("skewed-swiss-roll", 4000, 0)?;
    let length = arc_length(4.5 * std::f64::consts::PI);
    let truth = skewed.truth.expect("known");
    // s < L / 4 where u < 1 / 2.
    let inner = truth.view().rows().filter(|y| y[0] < length / 4.0).count();
    assert!((1880..2120).contains(&inner), "{inner}");
    Ok(())
}

#[test]
fn areas_are_uniform() -> Result<(), Error> {
    // Archimedes: equal heights of a sphere have equal areas.
    let sphere = generate("sphere", 4000, 3)?;
    let above = sphere.points.view().rows().filter(|x| x[2] > 0.5).count();
    assert!((880..1120).contains(&above), "{above}");
    // Pappus: the outer half of the torus has the fraction ½ + 1 / 2π of its area: ∫ (2 + cos θ) over |θ| < π
    // / 2, divided by 4 π.
    let torus = generate("torus", 4000, 3)?;
    let outer = torus.points.view().rows().filter(|x| x[0].hypot(x[1]) > 2.0).count() as f64 / 4000.0;
    assert!((outer - 0.659).abs() < 0.03, "{outer}");
    Ok(())
}

#[test]
fn parameters_outside_their_range_are_refused() {
    for angle in [0.0, std::f64::consts::PI, f64::NAN] {
        assert!(matches!(spherical_cap(10, angle, 0), Err(Error::Parameter { name: "angle", .. })));
    }
    for d in [0, 4] {
        assert!(matches!(hypercube(10, d, 3, 0), Err(Error::Parameter { name: "d", .. })));
    }
}

#[test]
fn the_tree_is_connected_and_its_branches_are_in_order() -> Result<(), Error> {
    let set = generate("tree", 2000, 3)?;
    let (truth, branch) = (set.truth.expect("known"), &set.labels[0].values);
    let truth = truth.view();
    assert_eq!(set.labels[0].counts(), [200; 10]);
    let of = |b: u32| (0..2000).filter(move |&i| branch[i] == b);
    let offset = |i: usize| truth.row(i)[0] - truth.row(i)[1];
    for b in 0..10 {
        // One beginning per branch, on a branch before it.
        let start = offset(of(b).next().expect("200 of each"));
        assert!(of(b).all(|i| (offset(i) - start).abs() < 1e-9), "branch {b}");
        let parents = (0..b).filter(|&p| of(p).any(|i| truth.row(i)[0] >= start));
        assert!(if b == 0 { start == 0.0 } else { parents.count() > 0 }, "branch {b} begins at {start}");
        // 100 steps of the root of 100 / 3, and noise of 2 in 100 dimensions.
        let longest = of(b).map(|i| truth.row(i)[1]).fold(0.0, f64::max);
        assert!((540.0..600.0).contains(&longest), "branch {b}: {longest}");
    }
    let near: Vec<f64> = (0..2000)
        .flat_map(|i| (0..i).map(move |j| (i, j)))
        .filter(|&(i, j)| branch[i] == branch[j] && (truth.row(i)[1] - truth.row(j)[1]).abs() < 4.0)
        .map(|(i, j)| distance(set.points.view(), i, j))
        .collect();
    let mean = near.iter().sum::<f64>() / near.len() as f64;
    assert!((mean - 2.0 * 200_f64.sqrt()).abs() < 0.5, "the distance of noise is {mean}");
    Ok(())
}
