//! Every data set, asked by name.

use datasets::{Request, failures, find, generate, list, load};
use embedding::{Error, MemoryLimit};

#[test]
fn an_unknown_name_suggests_a_near_one() {
    let said = find("swis-rol").expect_err("no such set").to_string();
    assert!(said.contains("did you mean `swiss-roll`?"), "{said}");
    let said = find("qqqqqqqqqq").expect_err("no such set").to_string();
    assert!(said.contains("swiss-roll") && !said.contains("did you mean"), "{said}");
}

#[test]
fn illegal_requests_are_refused() {
    let refused = |request: Request| load("swiss-roll", &request).expect_err("illegal");
    assert!(matches!(
        refused(Request { n: Some(0), ..Request::default() }),
        Error::Parameter { name: "n", .. }
    ));
    for noise in [-1.0, f64::NAN, f64::INFINITY] {
        let error = refused(Request { noise, ..Request::default() });
        assert!(matches!(error, Error::Parameter { name: "noise", .. }));
    }
    let error = refused(Request { scale: Some(0.5), ..Request::default() });
    assert!(matches!(error, Error::Parameter { name: "scale", .. }));
    let memory = MemoryLimit::new(1000);
    assert!(matches!(refused(Request { memory, ..Request::default() }), Error::Memory { .. }));
}

#[test]
fn names_are_unique_and_described() {
    let mut names: Vec<&str> = list().iter().map(|info| info.name).collect();
    assert!(list().iter().all(|info| info.summary.ends_with('.') && info.shows.ends_with('.')));
    assert!(failures().all(|info| info.failure.is_some_and(|story| story.ends_with('.'))));
    assert_eq!(failures().count(), 9);
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), list().len());
}

#[test]
fn noise_moves_points_and_nothing_else() -> Result<(), Error> {
    let clean = generate("swiss-roll", 500, 3)?;
    let noisy = load("swiss-roll", &Request { n: Some(500), seed: 3, noise: 0.5, ..Request::default() })?;
    assert_eq!(clean.truth, noisy.truth);
    let (a, b) = (clean.points.view(), noisy.points.view());
    let moved: f64 = a.values().iter().zip(b.values()).map(|(x, y)| (x - y).powi(2)).sum::<f64>() / 1500.0;
    assert!((moved.sqrt() / 0.5 - 1.0).abs() < 0.08, "standard deviation {}", moved.sqrt());
    Ok(())
}
