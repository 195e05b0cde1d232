//! The inputs that data types accept and refuse.

use embedding::{
    DistanceMatrix, Error, Input, MemoryLimit, Neighborhood, Neighbors, PointSet, Points, SparsePoints,
};

#[test]
fn points_are_taken_from_rows_of_any_kind() -> Result<(), Error> {
    let expected = PointSet::new(vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0], 2)?;
    assert_eq!(PointSet::from_rows(&[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])?, expected);
    assert_eq!(PointSet::from_rows(&[vec![0.0, 1.0], vec![2.0, 3.0], vec![4.0, 5.0]])?, expected);
    let rows: Vec<&[f64]> = expected.view().rows().collect();
    assert_eq!(PointSet::from_rows(&rows)?, expected);
    Ok(())
}

#[test]
fn rows_of_different_lengths_and_values_that_are_not_finite_are_named() {
    let ragged = PointSet::from_rows(&[vec![0.0, 1.0], vec![2.0, 3.0], vec![4.0]])
        .expect_err("ragged rows")
        .to_string();
    assert!(ragged.contains("2 as in the first") && ragged.contains("1 in row 2"), "{ragged}");
    // Twice the number of values in one row does not compensate for an empty row.
    assert!(PointSet::from_rows(&[vec![0.0, 1.0], vec![2.0, 3.0, 4.0, 5.0], vec![]]).is_err());
    assert!(matches!(PointSet::from_rows::<[f64; 2]>(&[]), Err(Error::TooFewPoints { .. })));
    assert!(PointSet::from_rows(&[[], [], []]).is_err(), "no columns");
    let broken = PointSet::from_rows(&[[0.0, 1.0], [2.0, f64::NAN]]);
    assert!(matches!(broken, Err(Error::NotFinite { row: 1, column: 1, .. })), "{broken:?}");
}

/// Clones and owned views of a set share its memory; owned views of a slice are copies.
#[test]
fn a_set_shares_its_memory() -> Result<(), Error> {
    let values = vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
    let slice = Points::new(&values, 3)?;
    let copied = slice.to_owned();
    assert_ne!(copied.view().values().as_ptr(), values.as_ptr());
    assert_eq!((slice.copied_bytes(), copied.view().copied_bytes()), (48, 0));
    assert_eq!(Input::from(slice).copied_bytes(), 48);

    let place = values.as_ptr();
    let set = PointSet::new(values, 3)?;
    let (clone, owned) = (set.clone(), set.view().to_owned());
    assert_eq!([clone.view(), owned.view()].map(|points| points.values().as_ptr()), [place; 2]);
    assert_ne!(set.view().select(&[0, 1]).view().values().as_ptr(), place);
    // While the memory is shared, the values are copied; the last owner returns them without a copy.
    let copy = clone.into_values();
    assert_ne!(copy.as_ptr(), place);
    drop(set);
    let last = owned.into_values();
    assert_eq!(last.as_ptr(), place);
    assert_eq!(copy, last);
    Ok(())
}

/// Points on a line at 0, 1, 3, 7, each with its two nearest.
fn line() -> Neighbors {
    let lists = vec![
        vec![(1, 1.0), (2, 3.0)],
        vec![(0, 1.0), (2, 2.0)],
        vec![(1, 2.0), (0, 3.0)],
        vec![(2, 4.0), (1, 6.0)],
    ];
    Neighbors::from_lists(lists, Neighborhood::Nearest { k: 2 }).expect("legal lists")
}

#[test]
fn added_edges_are_in_both_lists_in_order() {
    let joined = line().with_edges(&[(0, 3, 7.0)]);
    assert_eq!(joined.of(0), (&[1, 2, 3][..], &[1.0, 3.0, 7.0][..]));
    assert_eq!((joined.of(1), joined.of(2)), (line().of(1), line().of(2)));
    assert_eq!(joined.of(3), (&[2, 1, 0][..], &[4.0, 6.0, 7.0][..]));
    // A short edge goes to the front; ties are in order of the index.
    let short = line().with_edges(&[(3, 0, 0.5)]);
    assert_eq!(short.indices_of(0), [3, 1, 2]);
    assert_eq!(short.indices_of(3), [0, 2, 1]);
    let tied = line().with_edges(&[(0, 3, 3.0)]);
    assert_eq!(tied.indices_of(0), [1, 2, 3]);
    assert_eq!(joined.neighborhood(), line().neighborhood());
    assert_eq!(line().with_edges(&[]), line());
}

#[test]
fn restricted_lists_are_renumbered_and_stay_inside() {
    let part = line().restricted(&[1, 2, 3]);
    assert_eq!(part.len(), 3);
    assert_eq!(part.of(0), (&[1][..], &[2.0][..]), "0 is outside");
    assert_eq!(part.of(1), (&[0][..], &[2.0][..]));
    assert_eq!(part.of(2), (&[1, 0][..], &[4.0, 6.0][..]));
    assert_eq!(line().restricted(&[0, 1, 2, 3]), line());
    assert_eq!(line().restricted(&[0, 3]).edge_count(), 0);
}

#[test]
fn distances_are_validated_once_and_lower_entries_decide() -> Result<(), Error> {
    let slightly = [0.0, 3.0 + 1e-13, 4.0, 3.0, 0.0, 5.0, 4.0, 5.0, 0.0];
    let distances = DistanceMatrix::new(&slightly, 3)?;
    assert_eq!((distances.len(), distances.largest()), (3, 5.0));
    assert_eq!((distances.get(0, 1), distances.get(1, 0)), (3.0, 3.0));
    assert_eq!(distances.select(&[0, 2]), [0.0, 4.0, 4.0, 0.0]);
    Ok(())
}

#[test]
fn what_cannot_be_distances_is_refused_in_words() {
    let refused = |values: &[f64], n: usize| DistanceMatrix::new(values, n).expect_err("refused").to_string();
    assert!(refused(&[], 0).contains("at least 1"));
    assert!(refused(&[0.0; 5], 2).contains("2 × 2"));
    assert!(refused(&[0.0; 4], usize::MAX).contains("all pairs"));
    assert!(refused(&[0.0, 1.0, 2.0, 0.0], 2).contains("symmetric"));
    assert!(refused(&[0.0, 1.0, 1.0 + 1e-11, 0.0], 2).contains("symmetric"));
    assert!(refused(&[0.0, -1.0, -1.0, 0.0], 2).contains("not negative"));
    assert!(refused(&[0.0, 2.0, -1e-11, 2.0, 0.0, 2.0, -1e-11, 2.0, 0.0], 3).contains("not negative"));
    // Rounding errors, as of 1 - cosine.
    let rounded = [1e-16, 2.0, -1e-13, 2.0, -2e-16, 1.0, -1e-13, 1.0, 0.0];
    let read = DistanceMatrix::new(&rounded, 3).expect("rounding errors are none");
    let all: Vec<f64> = (0..9).map(|at| read.get(at / 3, at % 3)).collect();
    assert_eq!(all, [0.0, 2.0, 0.0, 2.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
    assert!(refused(&[0.5, 1.0, 1.0, 0.0], 2).contains("itself"));
    for bad in [f64::NAN, f64::INFINITY] {
        let said = refused(&[0.0, bad, 1.0, 0.0], 2);
        assert!(said.contains("row 0, column 1"), "{said}");
        let said = refused(&[0.0, bad, bad, 0.0], 2);
        assert!(said.contains("row 0, column 1") || said.contains("row 1, column 0"), "{said}");
    }
    let wide = faer::Mat::<f64>::zeros(2, 3);
    assert!(DistanceMatrix::from_mat(wide.as_ref()).expect_err("refused").to_string().contains("square"));
}

#[test]
fn offsets_that_decrease_are_named() {
    let refused = |offsets: &[usize]| {
        SparsePoints::new(offsets, &[0, 1, 2], &[1.0; 3], 3).expect_err("refused").to_string()
    };
    let said = refused(&[0, 2, 1, 3]);
    assert!(said.contains("is 2 before 1 at row 1"), "{said}");
    let said = refused(&[0, 1, 2]);
    assert!(said.contains("from 0 to 3") && said.contains("is 0 to 2"), "{said}");
}

#[test]
fn the_parts_of_an_input_have_one_number_of_points() -> Result<(), Error> {
    let points = Points::new(&[0.0, 1.0, 3.0, 7.0], 1)?;
    let lists = line();
    let whole = Input::from(points).with_neighbors(&lists).with_labels(&[0, 1, 1, 5]);
    assert_eq!(whole.check(), Ok(()));
    let sizes = whole.sizes();
    assert_eq!((sizes.points, sizes.columns, sizes.neighbors), (Some(4), Some(1), Some(2)));
    assert_eq!(sizes.classes, Some(3));
    let three = points.select(&[0, 1, 2]);
    for (part, words) in [
        (Input::from(points).with_labels(&[0, 1]), "number of labels"),
        (Input::from(&three).with_neighbors(&lists), "number of neighbor lists"),
    ] {
        let refused = part.check().expect_err("refused").to_string();
        assert!(refused.contains(words) && refused.contains("one per point"), "{refused}");
    }
    let limit = MemoryLimit::new(7);
    assert_eq!(Input::from(&lists).with_memory_limit(limit).memory_limit(), limit);
    assert!(Input::from(&lists).require_points().is_err());
    Ok(())
}
