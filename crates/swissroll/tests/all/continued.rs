//! Fits that go on from the map of an earlier one.

use swissroll::prelude::{DynMethod, DynModel, Error, Input, PointSet};
use testkit::cases::cloud;
use testkit::on_threads;

use crate::starts::{points_of, short, with};

/// Settings of few steps; each step lowers the stress.
fn steps(name: &str, iterations: &str) -> Result<Box<dyn DynMethod>, Error> {
    with(name, &[("iterations", iterations), ("tolerance", "0"), ("start", "random:1:7")])
}

/// The fit of `method` that goes on from `earlier`.
fn go_on(
    method: &dyn DynMethod,
    points: &PointSet,
    earlier: &dyn DynModel,
    state: Option<&[u8]>,
) -> Result<Box<dyn DynModel>, Error> {
    let map = points_of(earlier.embedding())?;
    method.resumed_dyn().fit_dyn(&Input::from(points).with_continued(map.view(), state))
}

/// 5 and 12 iterations are 17, to the bit: map, stresses, status and the whole model. From the map alone they are
/// not, since the curvature of earlier steps is lost.
#[test]
fn scaling_goes_on_to_the_bit() -> Result<(), Error> {
    let case = cloud(70, 5, 3);
    for name in ["smacof", "sammon", "nonmetric-mds"] {
        for unit in [1.0, 2_f64.powi(700)] {
            let points: Vec<f64> = case.points.view().values().iter().map(|v| unit * v).collect();
            let points = PointSet::new(points, 5)?;
            let whole = steps(name, "17")?.fit_dyn(&Input::from(&points))?;
            let first = steps(name, "5")?.fit_dyn(&Input::from(&points))?;
            let state = first.state()?.expect("a state");
            let more = steps(name, "12")?;
            let second = on_threads(3, || go_on(more.as_ref(), &points, first.as_ref(), Some(&state)))?;
            assert_eq!(second.embedding(), whole.embedding(), "{name}");
            assert!(second.save()? == whole.save()?, "{name}: another model");
            assert!(second.state()? == whole.state()?, "{name}: another state");
            let without = go_on(more.as_ref(), &points, first.as_ref(), None)?;
            assert_ne!(without.embedding(), whole.embedding(), "{name}");
        }
    }
    Ok(())
}

/// A state of other data, another shape or other bytes is refused.
#[test]
fn states_are_checked() -> Result<(), Error> {
    let (case, other) = (cloud(40, 5, 3).points, cloud(40, 5, 4).points);
    let method = steps("smacof", "5")?;
    let first = method.fit_dyn(&Input::from(&case))?;
    let state = first.state()?.expect("a state");
    let refused = |method: &dyn DynMethod, points: &PointSet, state: &[u8]| {
        go_on(method, points, first.as_ref(), Some(state)).map(|_| ()).expect_err("refused").to_string()
    };
    let message = refused(method.as_ref(), &other, &state);
    assert!(message.contains("the stress of the map is") && message.contains("give the data of that fit"));
    let three = with("smacof", &[("dim", "3")])?;
    let message = refused(three.as_ref(), &case, &state);
    assert!(message.contains("40 × 3") && message.contains("40 × 2"), "{message}");
    let mut damaged = state.clone();
    let last = damaged.len() - 1;
    damaged[last] ^= 1;
    assert!(refused(method.as_ref(), &case, &damaged).contains("damaged"));
    assert!(refused(method.as_ref(), &case, &first.save()?).contains("smacof"));
    Ok(())
}

/// A layout goes on at the scale of its map: without an iteration the map stays, and with some it differs from
/// a fit that takes the map as a start.
#[test]
fn layouts_go_on_at_the_scale_of_their_maps() -> Result<(), Error> {
    let case = cloud(60, 4, 1);
    for name in ["tsne", "umap", "densmap", "pacmap", "localmap", "trimap"] {
        let method = short(name)?;
        let first = method.fit_dyn(&Input::from(&case.points))?;
        assert_eq!(first.state()?, None, "{name}");
        let second = go_on(method.as_ref(), &case.points, first.as_ref(), None)?;
        let map = points_of(first.embedding())?;
        let scaled = method.fit_dyn(&Input::from(&case.points).with_start(map.view()))?;
        assert_ne!(second.embedding(), scaled.embedding(), "{name}");
        let mut still = method.resumed_dyn();
        match name {
            "umap" | "densmap" => still.set_dyn("learning-rate", "1e-30")?,
            "pacmap" | "localmap" => still.set_dyn("third-iterations", "0")?,
            _ => still.set_dyn("iterations", "0")?,
        }
        let same = go_on(still.as_ref(), &case.points, first.as_ref(), None)?;
        assert_eq!(same.embedding(), first.embedding(), "{name}");
    }
    Ok(())
}

/// The phases that lead from a small start to a map are left out.
#[test]
fn a_fit_that_goes_on_leaves_out_the_first_phases() -> Result<(), Error> {
    for (name, parameter) in [
        ("tsne", "early-iterations"),
        ("pacmap", "first-iterations"),
        ("pacmap", "second-iterations"),
        ("localmap", "first-iterations"),
        ("localmap", "second-iterations"),
        ("trimap", "switch"),
    ] {
        let resumed = short(name)?.resumed_dyn();
        let value = resumed.parameters().into_iter().find(|info| info.name == parameter).expect(name).value;
        assert_eq!(value, "0", "{name}, {parameter}");
    }
    Ok(())
}
