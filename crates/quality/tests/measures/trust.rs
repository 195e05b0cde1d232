//! Perturbation scores of maps whose jumps are known.

use crate::common::{assert_close, plane};
use embedding::{Embedding, Error, Input, PointSet, Points, Rows, TrainingRows, Transform};
use quality::RowSample;
use quality::trust::{Directions, Length, Perturbation};

/// The identity, with a gap in the map where the first column exceeds one half.
struct Torn {
    gap: f64,
}

impl Torn {
    fn map(&self, points: Points<'_>) -> Embedding {
        let place = |row: &[f64]| [row[0] + if row[0] > 0.5 { self.gap } else { 0.0 }, row[1]];
        Embedding::from_rows(points.rows().flat_map(place).collect(), 2)
    }
}

impl Transform for Torn {
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        assert!((0..rows.len()).all(|row| known.left_out(row).is_some()), "every row is left out");
        rows.place_dense(known, |new, _| Ok(self.map(new)))
    }
}

fn scores(recipe: &Perturbation, torn: &Torn, points: &PointSet) -> Vec<f64> {
    let map = torn.map(points.view());
    recipe.scores(torn, &map, &Input::from(points)).unwrap().values().to_vec()
}

/// A row moved by the distance to its k-th neighbor moves as far in the identity.
#[test]
fn the_identity_moves_rows_as_far_as_their_data() {
    let points = plane(400);
    let score = Perturbation { in_neighbor_distances: false, ..Perturbation::default() };
    let neighbors = neighbor_graph::NeighborSearch::nearest(10).find(&points).unwrap();
    for (i, value) in scores(&score, &Torn { gap: 0.0 }, &points).into_iter().enumerate() {
        assert_close(value, neighbors.distances_of(i)[9], 1e-12);
    }
    let doubled = Perturbation { length: Length::NeighborDistances(2.0), ..score };
    for (one, two) in scores(&score, &Torn { gap: 0.0 }, &points).into_iter().zip(scores(
        &doubled,
        &Torn { gap: 0.0 },
        &points,
    )) {
        assert_close(2.0 * one, two, 1e-12);
    }
}

/// The rows that jump are exactly the rows that a move carries across the gap, and each direction finds
/// rows at the gap alone.
#[test]
fn rows_jump_where_a_move_carries_them_across_a_gap() {
    let points = plane(400);
    let torn = Torn { gap: 100.0 };
    let map = torn.map(points.view());
    for directions in [Directions::Neighbors, Directions::Local { count: 2 }, Directions::Global { count: 2 }]
    {
        let score = Perturbation { directions, ..Perturbation::default() };
        let found = score.scores(&torn, &map, &Input::from(&points)).unwrap();
        let jumps = found.jumps();
        assert!(jumps.len() > 10, "{directions:?}: {jumps:?}");
        for row in jumps {
            let x = points.view().row(row as usize)[0];
            assert!((x - 0.5).abs() < 0.15, "{directions:?}: row {row} at {x}");
        }
        assert!(found.quantile(0.5) < 3.0 && found.quantile(1.0) > 100.0);
        // A row that jumps lands on the other side of the gap.
        let places = (0..400).map(|score| (map.row(score)[0], found.place(score)[0], found.values()[score]));
        for (own, place, value) in places {
            assert_eq!((own > 50.0) != (place > 50.0), value > Perturbation::JUMP, "{own} to {place}");
        }
        let said = format!("Be careful with {} of 400 points, which jump", found.jumps().len());
        assert!(found.caution().starts_with(&said), "{}", found.caution());
    }
}

#[test]
fn the_scale_of_the_data_and_of_the_map_does_not_change_scores() {
    let points = plane(200);
    let expected = scores(&Perturbation::default(), &Torn { gap: 0.0 }, &points);
    for unit in [2f64.powi(500), 2f64.powi(-500)] {
        let scaled: Vec<f64> = points.view().values().iter().map(|value| unit * value).collect();
        let scaled = PointSet::new(scaled, 2).unwrap();
        assert_eq!(scores(&Perturbation::default(), &Torn { gap: 0.0 }, &scaled), expected, "{unit:e}");
    }
}

#[test]
fn samples_have_the_scores_of_their_rows() {
    let points = plane(300);
    let torn = Torn { gap: 5.0 };
    let map = torn.map(points.view());
    let all = scores(&Perturbation::default(), &torn, &points);
    let sampled = Perturbation { rows: RowSample::Sample { count: 40, seed: 3 }, ..Perturbation::default() };
    let found = sampled.scores(&torn, &map, &Input::from(&points)).unwrap();
    assert_eq!((found.rows().len(), found.population()), (40, 300));
    for (row, value) in found.rows().iter().zip(found.values()) {
        assert_eq!(*value, all[*row as usize]);
    }
}

#[test]
fn wrong_requests_are_refused() {
    let points = plane(30);
    let torn = Torn { gap: 0.0 };
    let map = torn.map(points.view());
    let of = |recipe: Perturbation, points: &PointSet, map: &Embedding| {
        recipe.scores(&torn, map, &Input::from(points)).unwrap_err()
    };
    let default = Perturbation::default();
    let none = RowSample::Sample { count: 0, seed: 0 };
    for wrong in [
        Perturbation { k: 0, ..default },
        Perturbation { k: 30, ..default },
        Perturbation { length: Length::Absolute(0.0), ..default },
        Perturbation { length: Length::NeighborDistances(f64::NAN), ..default },
        Perturbation { rows: none, ..default },
    ] {
        let error = of(wrong, &points, &map);
        assert!(matches!(error, Error::Parameter { .. }), "{wrong:?}: {error}");
    }
    let few = plane(20);
    assert!(matches!(of(default, &few, &map), Error::Shape { .. }));
    let same = Embedding::from_rows(vec![1.0; 60], 2);
    assert!(matches!(of(default, &points, &same), Error::Degenerate { .. }));
}
