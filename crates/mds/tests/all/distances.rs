//! The store of distances is the same however it is filled, and whatever the layout of the given matrix.

use embedding::{Error, PointSet, Silent};
use faer::Mat;
use mds::Precision;
use mds::steps::{Distances, Packing, Slot};

/// A symmetric matrix that is no multiple of anything.
fn matrix(n: usize) -> Mat<f64> {
    let entry = |i: usize, j: usize| 1.0 + ((i * 37 + j * 11) as f64).sin().abs();
    Mat::from_fn(n, n, |i, j| if i == j { 0.0 } else { entry(i.max(j), i.min(j)) })
}

fn equal(a: &Distances, b: &Distances) -> bool {
    a.len() == b.len() && (0..a.len()).all(|i| (0..i).all(|j| a.get(i, j) == b.get(i, j)))
}

#[test]
fn rows_may_come_in_any_order() -> Result<(), Error> {
    for precision in [Precision::Single, Precision::Double] {
        for n in [1, 2, 150] {
            let all = matrix(n);
            let row = |i: usize| (0..i).map(|j| all[(i, j)]).collect::<Vec<_>>();
            let packing = Packing::new(all.norm_max(), precision);
            let backwards = Distances::from_slots(n, packing, |slots| {
                slots.iter().rev().try_for_each(|slot| slot.fill(&row(slot.row())))
            })?;
            let forwards = Distances::from_rows(n, all.norm_max(), precision, &Silent, |i, out| {
                out.copy_from_slice(&row(i));
            })?;
            assert!(equal(&backwards, &forwards), "{n} points, {precision:?}");
        }
    }
    Ok(())
}

#[test]
fn every_row_is_filled_once_and_whole() {
    let packing = Packing::new(1.0, Precision::Single);
    let refused = |work: fn(&[Slot<'_>]) -> Result<(), Error>| {
        Distances::from_slots(3, packing, work).expect_err("refused").to_string()
    };
    assert!(refused(|_| Ok(())).contains("filled"));
    assert!(refused(|slots| slots[2].fill(&[1.0])).contains("2 numbers"));
    assert!(refused(|slots| slots[1].fill(&[-1.0])).contains("not negative"));
    assert!(refused(|slots| slots[1].fill(&[f64::NAN])).contains("finite"));
    assert!(refused(|slots| slots[1].fill(&[1e30])).contains("overflow"));
    let twice = refused(|slots| {
        slots[1].fill(&[1.0])?;
        slots[1].fill(&[1.0])
    });
    assert!(twice.contains("again"), "{twice}");
    assert!(Distances::from_slots(0, packing, |_| Ok(())).is_err());
}

#[test]
fn rows_and_columns_of_a_matrix_are_read_alike() -> Result<(), Error> {
    for n in [1, 2, 16, 17, 64, 65, 200] {
        // The triangles differ by less than the tolerance, and the lower one decides.
        let mut all = matrix(n);
        (0..n).for_each(|j| (0..j).for_each(|i| all[(i, j)] += 1e-13));
        let lines: Vec<f64> = (0..n * n).map(|e| all[(e / n, e % n)]).collect();
        let lines = PointSet::new(lines, n)?;
        let by_rows = faer::MatRef::from_row_major_slice(lines.view().values(), n, n);
        for precision in [Precision::Single, Precision::Double] {
            let one = Distances::from_matrix(all.as_ref(), precision)?;
            assert!(equal(&one, &Distances::from_matrix(by_rows, precision)?), "{n}, {precision:?}");
            let exact = |i, j| if precision == Precision::Double { all[(i, j)] } else { one.get(i, j) };
            assert!((0..n).all(|i| (0..i).all(|j| (one.get(i, j) - exact(i, j)).abs() < 1e-15)), "{n}");
        }
    }
    Ok(())
}

#[test]
fn one_wrong_entry_among_many_is_found() {
    let n = 200;
    let wrong = |(row, column): (usize, usize), value: f64| {
        let mut spoiled = matrix(n);
        spoiled[(row, column)] = value;
        Distances::from_matrix(spoiled.as_ref(), Precision::Single).expect_err("refused").to_string()
    };
    for at in [(199, 0), (0, 199), (70, 63), (63, 70), (130, 129), (5, 4)] {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let (row, column) = at;
            assert!(wrong(at, value).contains(&format!("row {row}, column {column}")), "{at:?}");
        }
        let (low, high) = (at.0.min(at.1), at.0.max(at.1));
        let said = wrong(at, -1.0);
        let expected = if at.0 > at.1 { "not negative" } else { "symmetric" };
        assert!(said.contains(expected), "{at:?}: {said}");
        let said = wrong(at, 1.0 + 1e-6);
        assert!(said.contains("symmetric") && said.contains(&format!("from {high} to {low}")), "{said}");
    }
    for i in [0, 64, 199] {
        for (value, expected) in [(1e-11, "itself"), (-1e-11, "not negative")] {
            assert!(wrong((i, i), value).contains(expected), "{i}: {value}");
        }
        // Rounding errors are none.
        let mut rounded = matrix(n);
        (rounded[(i, i)], rounded[(0, 100)]) = (-1e-15, rounded[(0, 100)] + 1e-15);
        let of = |matrix: &Mat<f64>| {
            Distances::from_matrix(matrix.as_ref(), Precision::Single).expect("distances")
        };
        assert_eq!(format!("{:?}", of(&rounded)), format!("{:?}", of(&matrix(n))));
    }
}

/// Progress comes in steps of 512.
#[test]
fn the_progress_of_rows_is_their_number() -> Result<(), Error> {
    let recorder = testkit::observers::Recorder::default();
    Distances::from_rows(1100, 1.0, Precision::Single, &recorder, |_, row| row.fill(1.0))?;
    let steps = [0, 512, 1024, 1100].map(|done| testkit::observers::Event::Step(done, 1100));
    assert_eq!(recorder.events(), steps);
    Ok(())
}

/// Applies where all distances are 0, or their size is unknown.
#[test]
fn a_scale_that_is_no_size_has_the_unit_one() {
    for scale in [0.0, f64::INFINITY, f64::NAN] {
        assert_eq!(Packing::new(scale, Precision::Double).square(3.0), 9.0, "{scale}");
    }
}
