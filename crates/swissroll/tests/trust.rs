//! Perturbation scores of the maps of all methods.

use std::fs;
use std::path::Path;

use swissroll::datasets::{self, Request};
use swissroll::embedding::{Error, Input, Method, Model, PointSet, Transform};
use swissroll::isomap::Isomap;
use swissroll::lle::Ltsa;
use swissroll::neighbor_graph::Neighborhood;
use swissroll::quality::RowSample;
use swissroll::quality::trust::Perturbation;

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
