//! Perturbation scores of maps: against published scores, and on a roll with a known tear.

use std::fs;
use std::path::Path;

use swissroll::datasets::{self, Request};
use swissroll::embedding::{Error, Input, Method, Model, PointSet, Transform};
use swissroll::isomap::Isomap;
use swissroll::lle::Ltsa;
use swissroll::neighbor_graph::{NeighborSearch, Neighborhood};
use swissroll::quality::RowSample;
use swissroll::quality::trust::{Directions, Perturbation};
use swissroll::tsne::{Schedule, Start, Tsne};

/// The columns of a table of published values; see `reference/trust.md`.
fn reference(name: &str) -> Vec<Vec<f64>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference").join(name);
    let text = fs::read_to_string(path).expect("part of the repository");
    let rows: Vec<Vec<f64>> = text
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(|cell| cell.parse().expect("a number")).collect())
        .collect();
    (0..rows[0].len()).map(|column| rows.iter().map(|row| row[column]).collect()).collect()
}

fn points(columns: &[Vec<f64>]) -> PointSet {
    let n = columns[0].len();
    let values = (0..n).flat_map(|i| columns.iter().map(move |column| column[i])).collect();
    PointSet::new(values, columns.len()).expect("finite")
}

/// Ranks from 0, the mean of tied ones.
fn ranks(values: &[f64]) -> Vec<f64> {
    let below = |value: &f64| values.iter().filter(|other| *other < value).count() as f64;
    let ties = |value: &f64| values.iter().filter(|other| *other == value).count() as f64;
    values.iter().map(|value| below(value) + 0.5 * (ties(value) - 1.0)).collect()
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len() as f64;
    let centered = |values: &[f64]| {
        let mean = values.iter().sum::<f64>() / n;
        values.iter().map(|value| value - mean).collect::<Vec<_>>()
    };
    let (a, b) = (centered(a), centered(b));
    let inner = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    inner(&a, &b) / (inner(&a, &a) * inner(&b, &b)).sqrt()
}

/// The area under the ROC curve: the probability that a marked row has a larger score than another.
fn area(scores: &[f64], marked: &[bool]) -> f64 {
    let of = |which: bool| -> Vec<f64> {
        scores.iter().zip(marked).filter(|(_, is)| **is == which).map(|(score, _)| *score).collect()
    };
    let (marked, others) = (of(true), of(false));
    let wins = |a: &f64| {
        let above = others.iter().filter(|b| a > *b).count() as f64;
        above + 0.5 * others.iter().filter(|b| a == *b).count() as f64
    };
    marked.iter().map(wins).sum::<f64>() / (marked.len() * others.len()) as f64
}

/// t-SNE that keeps the given map.
fn kept(perplexity: f64, map: PointSet) -> Tsne {
    let schedule = Schedule { early_iterations: 0, iterations: 0, ..Schedule::default() };
    Tsne { perplexity, start: Start::Given(map), schedule, ..Tsne::default() }
}

/// The published scores, of the published map, by the published definition.
#[test]
fn scores_agree_with_published_ones() -> Result<(), Error> {
    let columns = reference("trust-gaussians.csv");
    let (data, map) = (points(&columns[..2]), points(&columns[2..4]));
    let fitted = kept(60.0, map).fit(&data)?;
    let input = Input::from(&data);
    let scores = Perturbation::published(1.0).scores(&fitted, fitted.embedding(), &input)?;
    let found = correlation(&ranks(scores.values()), &ranks(&columns[4]));
    assert!(found >= 0.95, "rank correlation {found}");
    Ok(())
}

/// Which points of the roll have one of their 10 neighbors farther in the map than five times the
/// median distance to the 10th neighbor there.
fn torn(data: &PointSet, map: &PointSet) -> Result<Vec<bool>, Error> {
    let near = NeighborSearch::nearest(10).find(data)?;
    let places = NeighborSearch::nearest(10).find(map)?;
    let mut units: Vec<f64> = (0..map.len()).map(|i| places.distances_of(i)[9]).collect();
    units.sort_by(f64::total_cmp);
    let unit = units[units.len() / 2];
    let gap = |i: usize, j: u32| {
        let (a, b) = (map.view().row(i), map.view().row(j as usize));
        a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    };
    Ok((0..map.len()).map(|i| near.indices_of(i).iter().any(|j| gap(i, *j) > 5.0 * unit)).collect())
}

/// t-SNE tears the roll; the score finds where, other directions and published tools find it less well.
#[test]
fn a_torn_roll_is_marked_at_its_tear() -> Result<(), Error> {
    let columns = reference("trust-roll.csv");
    let data = points(&columns[..3]);
    let fitted = Tsne { perplexity: 150.0, ..Tsne::default() }.fit(&data)?;
    let map = PointSet::from_mat(fitted.embedding().coordinates())?;
    let torn = torn(&data, &map)?;
    let count = torn.iter().filter(|torn| **torn).count();
    assert!((5..100).contains(&count), "{count} torn points");
    let input = Input::from(&data);
    let scores = Perturbation::default().scores(&fitted, fitted.embedding(), &input)?;
    let found = area(scores.values(), &torn);
    assert!(found >= 0.95, "area {found}");
    let local = Perturbation { directions: Directions::Local { count: 2 }, ..Perturbation::default() };
    let local = area(local.scores(&fitted, fitted.embedding(), &input)?.values(), &torn);
    assert!(local >= 0.95, "area {local}");
    let jumps = scores.jumps();
    assert!(!jumps.is_empty());
    let real = jumps.iter().filter(|row| torn[**row as usize]).count();
    assert!(2 * real >= jumps.len(), "{real} of {} jumps are at the tear", jumps.len());
    Ok(())
}

/// No point of a map that keeps the roll whole jumps.
#[test]
fn whole_rolls_are_not_marked() -> Result<(), Error> {
    let columns = reference("trust-roll.csv");
    let data = points(&columns[..3]);
    let input = Input::from(&data);
    let neighborhood = Neighborhood::Nearest { k: 10 };
    let isomap = Isomap { neighborhood, ..Isomap::default() }.fit(&data)?;
    let ltsa = Ltsa { neighborhood, ..Ltsa::default() }.fit(&data)?;
    let maps: [(&str, &dyn Transform, _); 2] =
        [("isomap", &isomap, isomap.embedding()), ("ltsa", &ltsa, ltsa.embedding())];
    for (name, model, map) in maps {
        let scores = Perturbation::default().scores(model, map, &input)?;
        assert_eq!(scores.jumps(), [0_u32; 0], "{name}: largest {}", scores.quantile(1.0));
    }
    Ok(())
}

/// Every method has scores: one per point, finite, by itself and on a sample, on any number of threads.
#[test]
fn every_method_has_scores() -> Result<(), Error> {
    let data = datasets::load("swiss-roll", &Request { n: Some(120), ..Request::default() })?;
    let labels: Vec<Option<u32>> = (0..120).map(|i| Some(i % 3)).collect();
    let input = Input::from(&data.points).with_partial_labels(&labels);
    for method in swissroll::methods() {
        let name = method.about().name;
        let fitted = method.fit_dyn(&input)?;
        let (model, map): (&dyn Transform, _) = (&*fitted, fitted.embedding());
        let all = Perturbation::default().scores(model, map, &input)?;
        assert_eq!((all.rows().len(), all.population()), (120, 120), "{name}");
        assert!(all.values().iter().all(|value| value.is_finite() && *value >= 0.0), "{name}");
        let rows = RowSample::Sample { count: 9, seed: 1 };
        let some = Perturbation { rows, ..Perturbation::default() }.scores(model, map, &input)?;
        let same = some.rows().iter().map(|row| all.values()[*row as usize]);
        assert!(same.zip(some.values()).all(|(a, b)| a.to_bits() == b.to_bits()), "{name}: a sample");
        let one =
            testkit::on_threads(1, || Perturbation::default().scores(&*fitted, fitted.embedding(), &input))?;
        assert_eq!(one, all, "{name}: one thread");
    }
    Ok(())
}

/// What cannot be scored is refused in words.
#[test]
fn impossible_scores_are_refused() -> Result<(), Error> {
    let columns = reference("trust-roll.csv");
    let data = points(&columns[..3]);
    let fitted = Isomap::default().fit(&data)?;
    let of = |score: Perturbation, data: &PointSet| {
        score.scores(&fitted, fitted.embedding(), &Input::from(data)).map(drop)
    };
    for k in [0, 1000] {
        let refused = of(Perturbation { k, ..Perturbation::default() }, &data);
        assert!(matches!(refused, Err(Error::Parameter { name: "k", .. })), "{refused:?}");
    }
    for length in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused = of(Perturbation::published(length), &data);
        assert!(matches!(refused, Err(Error::Parameter { name: "length", .. })), "{refused:?}");
    }
    let few = data.view().select(&[0, 1, 2]);
    let refused = of(Perturbation::default(), &few);
    assert!(matches!(refused, Err(Error::Shape { .. })), "{refused:?}");
    let narrow = points(&columns[..2]);
    let refused = of(Perturbation::default(), &narrow);
    assert!(matches!(refused, Err(Error::Shape { .. })), "{refused:?}");
    Ok(())
}
