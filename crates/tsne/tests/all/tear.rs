//! t-SNE tears a Swiss roll; the perturbation score finds where.

use std::fs;
use std::path::Path;

use embedding::{Error, Input, Method, Model, PointSet};
use neighbor_graph::NeighborSearch;
use quality::trust::Perturbation;
use tsne::Tsne;

/// The Swiss roll of figure 7 of Liu, Ma and Zhong, Nature Communications 16:5037 (2025),
/// doi:10.1038/s41467-025-60434-9, from their repository
/// `zhexuandli/MapContinuity-NE-Reliability` at df820b3 under the MIT license, rounded to five decimals.
fn roll() -> PointSet {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/roll.csv");
    let text = fs::read_to_string(path).expect("part of the repository");
    let cells = text.lines().skip(1).flat_map(|line| line.split(','));
    PointSet::new(cells.map(|cell| cell.parse().expect("a number")).collect(), 3).expect("finite")
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

/// The scores of torn points are above the scores of nearly all others.
#[test]
fn a_torn_roll_is_marked_at_its_tear() -> Result<(), Error> {
    let data = roll();
    let fitted = Tsne { perplexity: 150.0, ..Tsne::default() }.fit(&data)?;
    let map = PointSet::from_mat(fitted.embedding().coordinates())?;
    let torn = torn(&data, &map)?;
    let count = torn.iter().filter(|torn| **torn).count();
    assert!((5..100).contains(&count), "{count} torn points");
    let input = Input::from(&data);
    let scores = Perturbation::default().scores(&fitted, fitted.embedding(), &input)?;
    let found = area(scores.values(), &torn);
    assert!(found >= 0.95, "area {found}");
    let jumps = scores.jumps();
    assert!(!jumps.is_empty());
    let real = jumps.iter().filter(|row| torn[**row as usize]).count();
    assert!(2 * real >= jumps.len(), "{real} of {} jumps are at the tear", jumps.len());
    Ok(())
}
