//! Tests of alignments.

use embedding::{Embedding, Silent};
use quality::ranks::trustworthiness;

use super::*;

/// Rows of a data set, in the given order, named after their numbers.
struct Part {
    rows: Vec<u32>,
    points: PointSet,
    names: Vec<String>,
}

impl Part {
    fn new(data: &PointSet, rows: impl Iterator<Item = u32>) -> Self {
        let rows: Vec<u32> = rows.collect();
        let names = rows.iter().map(|row| format!("r{row}")).collect();
        Self { points: data.view().select(&rows), rows, names }
    }

    fn named(&self) -> NamedRows<'_> {
        NamedRows { points: self.points.view(), names: &self.names }
    }
}

fn method(name: &str, settings: &[(&str, &str)]) -> Box<dyn DynMethod> {
    let mut method = swissroll::method(name).expect("listed");
    settings.iter().for_each(|(name, value)| method.set_dyn(name, value).expect("legal"));
    method
}

fn align(
    method: &dyn DynMethod,
    parts: &[Part],
    relations: Relations,
    pull: Option<f64>,
) -> Result<Aligned, Error> {
    let sets: Vec<NamedRows<'_>> = parts.iter().map(Part::named).collect();
    Alignment { method, sets: &sets, metric: Metric::Euclidean, relations, pull }
        .run(MemoryLimit::default(), &Silent)
}

fn digits() -> Result<PointSet, Error> {
    Ok(datasets::load("digits", &datasets::Request::default())?.points)
}

fn trust(part: &Part, map: &Embedding) -> Result<f64, Error> {
    let map = PointSet::new(map.values().to_vec(), map.dim())?;
    trustworthiness(part.points.view(), map.view(), 10)
}

/// Two halves of the digits that share 200 rows: related rows are within one distance to the tenth neighbor in
/// the median, and the maps are as trustworthy as maps of separate fits, up to .002.
#[test]
fn halves_of_digits_share_a_map() -> Result<(), Error> {
    let data = digits()?;
    let n = data.len() as u32;
    let halves = [Part::new(&data, 0..999), Part::new(&data, (799..n).rev())];
    for name in ["umap", "tsne", "pacmap"] {
        let method = method(name, &[]);
        let aligned = align(method.as_ref(), &halves, Relations::Neighboring, None)?;
        let [apart] = aligned.apart[..] else { panic!("one pair of sets") };
        assert_eq!((apart.set, apart.related), (0, 200));
        assert!(apart.distance.median < 1.0, "{name}: {apart:?}");
        for (half, model) in halves.iter().zip(&aligned.models) {
            let alone = method.fit_dyn(&Input::from(&half.points))?;
            let (together, alone) = (trust(half, model.embedding())?, trust(half, alone.embedding())?);
            assert!(together > alone - 0.002, "{name}: {together} and {alone}");
        }
    }
    Ok(())
}

/// Maps that are rotated have the shape of separate fits, and related rows are nearer than in these.
#[test]
fn other_maps_keep_their_shape() -> Result<(), Error> {
    let data = datasets::generate("swiss-roll", 500, 1)?.points;
    let parts = [Part::new(&data, 0..300), Part::new(&data, (200..500).rev())];
    for name in ["isomap", "lle", "pca"] {
        let method = method(name, &[]);
        let aligned = align(method.as_ref(), &parts, Relations::Neighboring, None)?;
        let alone = method.fit_dyn(&Input::from(&parts[1].points))?;
        let (own, map) = (alone.embedding(), aligned.models[1].embedding());
        let length = |map: &Embedding, row: usize| distance(map.row(0), map.row(row));
        for row in 1..300 {
            assert!((length(own, row) - length(map, row)).abs() < 1e-9 * length(own, row).max(1.0), "{name}");
        }
        let first = aligned.models[0].embedding();
        let gap = |map: &Embedding| -> f64 {
            // Row i of the first part and row 499 − i of the second part are related.
            (200..300).map(|row| distance(first.row(row), map.row(499 - row)).powi(2)).sum()
        };
        assert!(gap(map) < gap(own), "{name}: {} and {}", gap(map), gap(own));
    }
    Ok(())
}

/// The same rows in other columns: PCA of a rotated copy is brought back to the same map.
#[test]
fn a_rotated_copy_has_the_same_map() -> Result<(), Error> {
    let data = datasets::generate("s-curve", 60, 2)?.points;
    let turned = data.view().rows().flat_map(|row| [row[2], -row[0], row[1], 0.0]).collect();
    let turned = PointSet::new(turned, 4)?;
    let parts = [Part::new(&data, 0..60), Part::new(&turned, (0..60).rev())];
    let aligned = align(method("pca", &[]).as_ref(), &parts, Relations::All, None)?;
    assert!(aligned.apart[0].distance.largest < 1e-9, "{:?}", aligned.apart);
    Ok(())
}

/// The gradient of the objective is 0 at the map that was fitted last, and is not without the pull.
#[test]
fn the_objective_is_stationary_in_the_last_map() -> Result<(), Error> {
    let data = datasets::generate("s-curve", 40, 3)?.points;
    let parts = [Part::new(&data, 0..25), Part::new(&data, (15..40).rev())];
    let pull = 0.7;
    let smacof = method("smacof", &[("tolerance", "1e-13"), ("iterations", "20000")]);
    let aligned = align(smacof.as_ref(), &parts, Relations::Neighboring, Some(pull))?;
    let (first, last) = (aligned.models[0].embedding(), aligned.models[1].embedding());
    let points = parts[1].points.view();
    let (mut whole, mut without) = (0.0_f64, 0.0_f64);
    for row in 0..25 {
        for c in 0..2 {
            // L is half the sum of (δ − d)² over pairs, divided by the n − 1 weights of a row.
            let term = |other: usize| {
                let far = distance(last.row(row), last.row(other));
                let given = distance(points.row(row), points.row(other));
                (far - given) * (last.row(row)[c] - last.row(other)[c]) / far
            };
            let of_stress = (0..25).filter(|other| *other != row).map(term).sum::<f64>() / 24.0;
            let related = parts[0].rows.iter().position(|other| *other == parts[1].rows[row]);
            let of_pull = related.map_or(0.0, |other| pull * (last.row(row)[c] - first.row(other)[c]));
            whole = whole.max((of_stress + of_pull).abs());
            without = without.max(of_stress.abs());
        }
    }
    assert!(whole < 1e-4 * without, "{whole} and {without}");
    Ok(())
}

/// A place with fewer related places than another of its set keeps the difference at the place before.
#[test]
fn rows_are_drawn_by_proximal_steps() -> Result<(), Error> {
    let data = PointSet::from_rows(&(0..9).map(|i| [f64::from(i * i), f64::from(i)]).collect::<Vec<_>>())?;
    let parts = [Part::new(&data, 0..6), Part::new(&data, 0..8), Part::new(&data, 2..9)];
    let sets: Vec<NamedRows<'_>> = parts.iter().map(Part::named).collect();
    let related = related(&sets, Relations::Neighboring)?;
    let pca = method("pca", &[]);
    let fit = |part: &Part| pca.fit_dyn(&Input::from(&part.points));
    let models: Vec<Box<dyn DynModel>> = parts.iter().map(fit).collect::<Result<_, _>>()?;
    let others = Others { models: &models, related: &related[1], copies: None };
    let own = models[1].embedding();
    let start = others.further(own.values())?;
    assert_eq!((start.count, &start.drawn[..]), (2, &[true; 8][..]));
    let near = |a: f64, b: f64| (a - b).abs() < 1e-12 * (1.0 + b.abs());
    for row in 0..8 {
        for c in 0..2 {
            let first = if row < 6 { models[0].embedding().row(row)[c] } else { own.row(row)[c] };
            let last = if row >= 2 { models[2].embedding().row(row - 2)[c] } else { own.row(row)[c] };
            let found = start.places.view().row(row)[c];
            assert!(near(found, (first + last) / 2.0), "{row}: {found} of {first} and {last}");
        }
    }
    // The first fit knows the first map alone.
    let others = Others { models: &models[..1], ..others };
    let start = others.first(parts[1].points.view(), Metric::Euclidean, MemoryLimit::default())?;
    assert_eq!((start.count, &start.drawn[5..]), (1, &[true, false, false][..]));
    assert_eq!(start.places.view().row(3), models[0].embedding().row(3));
    Ok(())
}

/// Copies that are merged are drawn to one place; without merging each is drawn to its own.
#[test]
fn copies_share_a_place() -> Result<(), Error> {
    let data = datasets::generate("s-curve", 30, 4)?.points;
    let mut values = data.view().values().to_vec();
    values.copy_within(0..3, 3);
    let copied = PointSet::new(values, 3)?;
    let parts = [Part::new(&data, 0..25), Part::new(&copied, 0..30)];
    for (merged, duplicates) in [(true, "merge"), (false, "keep")] {
        let umap = method("umap", &[("epochs", "20"), ("k", "5"), ("duplicates", duplicates)]);
        let aligned = align(umap.as_ref(), &parts, Relations::Neighboring, None)?;
        let map = aligned.models[1].embedding();
        assert_eq!(map.row(0) == map.row(1), merged, "{duplicates}");
    }
    Ok(())
}

/// Sets in another order of rows are related alike, and the same input has the same map.
#[test]
fn relations_are_by_name() -> Result<(), Error> {
    let data = datasets::generate("s-curve", 60, 5)?.points;
    let gap = |reversed: bool| -> Result<(usize, f64), Error> {
        let second = if reversed { Part::new(&data, (20..60).rev()) } else { Part::new(&data, 20..60) };
        let parts = [Part::new(&data, 0..40), second];
        let aligned = align(method("smacof", &[]).as_ref(), &parts, Relations::Neighboring, None)?;
        Ok((aligned.apart[0].related, aligned.apart[0].distance.median))
    };
    let ((count, forward), (reversed, backward)) = (gap(false)?, gap(true)?);
    assert_eq!((count, reversed), (20, 20));
    assert!((forward - backward).abs() < 1e-3 * forward, "{forward} and {backward}");
    assert_eq!(gap(true)?, (reversed, backward));
    Ok(())
}

#[test]
fn sets_that_do_not_fit_are_refused() -> Result<(), Error> {
    let data = datasets::generate("s-curve", 60, 6)?.points;
    let part = |rows: std::ops::Range<u32>| Part::new(&data, rows);
    let says = |method: &dyn DynMethod, parts: &[Part], relations, pull, words: &str| {
        let error = align(method, parts, relations, pull).map(|_| ()).expect_err("refused").to_string();
        assert!(error.contains(words), "{error}");
    };
    let (near, all) = (Relations::Neighboring, Relations::All);
    let smacof = method("smacof", &[]);
    let lle = method("lle", &[]);
    says(smacof.as_ref(), &[part(0..30)], near, None, "at least 2, but 1 is given");
    for method in [smacof.as_ref(), lle.as_ref()] {
        let chain = [part(0..30), part(20..50), part(0..20)];
        says(
            method,
            &chain,
            near,
            None,
            "data set 3 must share at least 1 names of rows with related sets before it",
        );
        align(method, &chain, all, None)?;
        says(method, &[part(0..30), part(28..58)], near, None, "data set 2 must share at least 3 names");
        let mut twice = part(10..40);
        twice.names[3] = "r12".to_owned();
        says(method, &[part(0..30), twice], near, None, "rows 2 and 3 of data set 2");
        let mut short = part(10..40);
        short.names.pop();
        says(method, &[part(0..30), short], near, None, "30, one per row");
    }
    for pull in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        says(smacof.as_ref(), &[part(0..30), part(20..50)], near, Some(pull), "above 0 and finite");
    }
    says(lle.as_ref(), &[part(0..30), part(20..50)], near, Some(1.0), "has no pull");
    let far = PointSet::new(
        data.view().values().iter().enumerate().map(|(at, v)| if at < 30 { v + 1e3 } else { *v }).collect(),
        3,
    )?;
    let torn = [part(0..30), Part::new(&far, 0..30)];
    let largest = method("isomap", &[("components", "largest"), ("k", "5")]);
    says(largest.as_ref(), &torn, near, None, "the number of placed rows must be 30");
    Ok(())
}
