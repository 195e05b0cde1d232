//! The drawn pictures follow their parameters.

use datasets::{Dataset, Request, find, list, load};
use embedding::{Error, MemoryLimit, Points};
use rayon::ThreadPoolBuilder;

/// Every drawn set, with a request small enough for a test.
fn small() -> [(&'static str, Request); 5] {
    let request = |n, scale| Request { n: Some(n), seed: 4, scale, ..Request::default() };
    [
        ("lines", request(600, None)),
        ("hand", request(300, Some(0.5))),
        ("head", request(300, Some(0.5))),
        ("lips", request(300, Some(0.1))),
        ("fruits", request(390, Some(0.2))),
    ]
}

fn distance(points: Points<'_>, i: usize, j: usize) -> f64 {
    points.row(i).iter().zip(points.row(j)).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

fn truth(set: &Dataset) -> Points<'_> {
    set.truth.as_ref().expect("rendered sets have true parameters").view()
}

#[test]
fn the_nearest_picture_has_the_nearest_parameters() -> Result<(), Error> {
    for (name, request) in small() {
        let set = load(name, &request)?;
        let (points, truth) = (set.points.view(), truth(&set));
        let n = points.len();
        let label = |i: usize| set.labels.first().map(|labels| labels.values[i]);
        let (mut near, mut far) = (0.0, 0.0);
        let mut same = 0;
        for i in 0..n {
            let others = (0..n).filter(|&j| j != i);
            let nearest = others
                .min_by(|&a, &b| distance(points, i, a).total_cmp(&distance(points, i, b)))
                .expect("there are others");
            near += distance(truth, i, nearest);
            // The control: any other picture.
            far += distance(truth, i, (i + n / 2) % n);
            same += usize::from(label(i) == label(nearest));
        }
        assert!(near < 0.3 * far, "{name}: {near} against {far}");
        assert!(same * 100 >= n * 98, "{name}: {same} of {n} next to their class");
    }
    Ok(())
}

#[test]
fn the_same_bytes_on_one_thread_and_on_four() -> Result<(), Error> {
    for (name, request) in small() {
        let on = |threads: usize| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads are to be had");
            pool.install(|| load(name, &request))
        };
        assert_eq!(on(1)?, on(4)?, "{name}");
    }
    Ok(())
}

#[test]
fn a_smaller_set_is_a_prefix_and_the_seed_is_used() -> Result<(), Error> {
    for (name, request) in small() {
        let large = load(name, &request)?;
        let small = load(name, &Request { n: Some(77), ..request.clone() })?;
        let values = small.points.view().values();
        assert_eq!(values, &large.points.view().values()[..values.len()], "{name}");
        assert_eq!(truth(&small).row(76), truth(&large).row(76), "{name}");
        assert_ne!(small.points, load(name, &Request { n: Some(77), seed: 5, ..request })?.points, "{name}");
    }
    Ok(())
}

#[test]
fn pictures_are_what_their_entry_says() -> Result<(), Error> {
    for (name, request) in small() {
        let info = find(name)?;
        let set = load(name, &request)?;
        let shape = set.images.expect("pictures have a shape");
        assert_eq!(set.points.dim(), shape.len(), "{name}");
        assert!(set.points.view().values().iter().all(|value| (0.0..=shape.white).contains(value)), "{name}");
        let full = Request { n: Some(2), scale: info.default_scale.map(|_| 1.0), ..request.clone() };
        assert_eq!(load(name, &full)?.points.dim(), info.ambient, "{name}");
        let scale = info.default_scale.unwrap_or(1.0);
        let usual = load(name, &Request { n: Some(2), ..Request::default() })?;
        assert_eq!(usual.points.dim(), (info.ambient as f64 * scale * scale) as usize, "{name}");
    }
    Ok(())
}

#[test]
fn all_lines_differ_and_cross_the_whole_picture() -> Result<(), Error> {
    let lines = load("lines", &Request::default())?;
    let points = lines.points.view();
    assert_eq!((points.len(), points.dim()), (64 * 63 / 2, 24 * 24));
    for i in 0..points.len() {
        assert!((i + 1..points.len()).step_by(7).all(|j| distance(points, i, j) > 1e-3), "{i}");
    }
    // Rotating a line by half a circle gives the same line: a direction doubled has length one.
    assert!(truth(&lines).rows().all(|band| (band[0].hypot(band[1]) - 1.0).abs() < 1e-12));
    Ok(())
}

#[test]
fn the_film_moves_smoothly() -> Result<(), Error> {
    let film = load("lips", &Request { n: Some(400), scale: Some(0.1), ..Request::default() })?;
    let points = film.points.view();
    let apart = |frames: usize| (0..200).map(|i| distance(points, i, i + frames)).sum::<f64>();
    assert!(apart(1) < 0.15 * apart(200), "{} against {}", apart(1), apart(200));
    Ok(())
}

#[test]
fn scale_and_memory_are_checked_before_drawing() {
    let refused = |name: &str, request: Request| load(name, &request).expect_err("illegal");
    for scale in [0.0, 0.01, 5.0, f64::NAN, -1.0] {
        let error = refused("hand", Request { scale: Some(scale), ..Request::default() });
        assert!(matches!(error, Error::Parameter { name: "scale", .. }));
    }
    let error = refused("lines", Request { scale: Some(2.0), ..Request::default() });
    assert!(error.to_string().contains("omitted for lines"), "{error}");
    let whole = Request { n: Some(15_960), scale: Some(1.0), ..Request::default() };
    let error = refused("lips", whole);
    assert!(matches!(error, Error::Memory { needed: 8_383_979_520, .. }), "{error}");
    let tight = Request { memory: MemoryLimit::new(1 << 20), ..Request::default() };
    assert!(matches!(refused("fruits", tight), Error::Memory { .. }));
    assert!(list().iter().filter(|info| info.default_scale.is_some()).count() == 4);
}
