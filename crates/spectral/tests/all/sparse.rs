//! Compressed rows against the dense matrices they represent.

use crate::common;

use common::*;
use embedding::{Error, MemoryLimit, persist};
use faer::Mat;
use spectral::dense::product;
use spectral::{Sparse, solve_sparse};

type Done = Result<(), Error>;

/// About five entries per row; rows and columns differ in number.
fn scattered(nrows: usize, ncols: usize) -> Sparse {
    let values = noise(nrows, 5);
    let row = |i: usize| (0..5).map(|e| (((i * 7 + e * e * 13) % ncols) as u32, values[(i, e)])).collect();
    Sparse::from_rows(ncols, (0..nrows).map(row).collect()).expect("columns in range")
}

fn distance(a: &Mat<f64>, b: &Mat<f64>) -> f64 {
    assert_eq!(a.shape(), b.shape());
    Mat::from_fn(a.nrows(), a.ncols(), |i, j| a[(i, j)] - b[(i, j)]).norm_max()
}

#[test]
fn products_agree_with_the_dense_matrix() {
    for (nrows, ncols) in [(1, 1), (3, 40), (1300, 70), (70, 1300)] {
        let sparse = scattered(nrows, ncols);
        let dense = sparse.to_dense();
        for width in [0, 1, 7] {
            let x = noise(ncols, width);
            let mut out = Mat::zeros(nrows, width);
            sparse.apply(x.as_ref(), out.as_mut());
            assert!(distance(&out, &product(dense.as_ref(), x.as_ref())) < 1e-13);
            let y = noise(nrows, width);
            let mut out = Mat::zeros(ncols, width);
            sparse.apply_transposed(y.as_ref(), out.as_mut());
            assert!(distance(&out, &product(dense.transpose(), y.as_ref())) < 1e-12);
        }
        assert_eq!(sparse.transposed().to_dense(), dense.transpose().to_owned());
        assert_eq!(sparse.transposed().transposed(), sparse);
    }
}

#[test]
fn the_gram_matrix_is_the_product_with_the_transposed() {
    for (nrows, ncols) in [(1, 1), (40, 3), (700, 90), (50, 800)] {
        let sparse = scattered(nrows, ncols);
        let dense = sparse.to_dense();
        let gram = sparse.gram();
        assert!(distance(&gram.to_dense(), &product(dense.transpose(), dense.as_ref())) < 1e-12);
        assert_eq!(gram.transposed(), gram, "exactly symmetric");
    }
}

#[test]
fn trace_and_norm_bound_are_those_of_the_dense_matrix() {
    let gram = scattered(60, 50).gram();
    let dense = gram.to_dense();
    let trace: f64 = (0..50).map(|i| dense[(i, i)]).sum();
    assert!((gram.trace() - trace).abs() < 1e-12);
    let bound = gram.norm_bound();
    let (values, _) = spectral::dense::symmetric_eigen(dense.as_ref()).expect("finite");
    assert!(bound >= values[49] && bound <= values[49] * 50.0_f64.sqrt() + 1e-12);
}

#[test]
fn rows_may_come_unordered_and_with_repeats() -> Done {
    let sparse = Sparse::from_rows(4, vec![vec![(3, 1.0), (0, 2.0), (3, 0.5)], vec![]])?;
    assert_eq!(sparse.row(0), (&[0, 3][..], &[2.0, 1.5][..]));
    assert_eq!((sparse.nrows(), sparse.ncols(), sparse.stored()), (2, 4, 2));
    assert!(matches!(Sparse::from_rows(4, vec![vec![(4, 1.0)]]), Err(Error::Shape { .. })));
    Ok(())
}

/// An offset more than rows, and a column and a value of each entry.
#[test]
fn the_memory_of_a_matrix_is_that_of_its_arrays() -> Done {
    let matrix = Sparse::from_rows(20, vec![vec![(3, 1.0), (7, 2.0)], vec![], vec![(19, 0.5)]])?;
    assert_eq!(matrix.bytes(), 8 * 4 + (4 + 8) * 3);
    assert_eq!(Sparse::from_rows(5, Vec::new())?.bytes(), 8);
    Ok(())
}

/// More rows than one task reorders.
#[test]
fn a_reordered_matrix_has_the_entries_of_the_order() {
    let matrix = incidence(1500, (1..1500).map(|i| (i - 1, i)).chain([(3, 1400), (700, 900)])).gram();
    let order: Vec<u32> = (0..1500).map(|new| new * 7 % 1500).collect();
    let reordered = matrix.reordered(&order);
    assert_eq!(reordered.stored(), matrix.stored());
    let (before, after) = (matrix.to_dense(), reordered.to_dense());
    let same = |p: usize, q: usize| after[(p, q)] == before[(order[p] as usize, order[q] as usize)];
    assert!((0..1500).all(|p| (0..1500).all(|q| same(p, q))));
}

#[test]
fn a_breadth_first_order_follows_the_entries_of_each_component() {
    let edges = [(0, 4), (4, 2), (2, 6), (1, 7), (7, 3)];
    let matrix = incidence(8, edges.into_iter()).gram();
    assert_eq!(matrix.breadth_first(), [0, 4, 2, 6, 1, 7, 3, 5]);
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let sparse = scattered(3000, 2000);
    let x = noise(2000, 3);
    on_all_thread_counts(|| {
        let mut out = Mat::zeros(3000, 3);
        sparse.apply(x.as_ref(), out.as_mut());
        let gram = sparse.gram();
        let values = (0..2000).flat_map(|i| gram.row(i).1.to_vec());
        embedding::implement::matrix::to_rows(out.as_ref()).into_iter().chain(values).collect()
    });
}

#[test]
fn stored_arrays_are_checked_when_they_are_read() -> Done {
    let sparse = scattered(20, 10);
    let bytes = persist::encode("sparse", &sparse)?;
    assert_eq!(persist::decode::<Sparse>("sparse", &bytes)?, sparse);
    let parts = |offsets: Vec<usize>, columns: Vec<u32>, values: Vec<f64>| {
        let bytes = persist::encode("sparse", &(2_usize, offsets, columns, values))?;
        persist::decode::<Sparse>("sparse", &bytes)
    };
    assert!(parts(vec![0, 1, 3], vec![1, 0, 1], vec![1.0; 3]).is_ok());
    for (offsets, columns) in [
        (vec![], vec![]),
        (vec![1, 3], vec![0, 1, 1]),
        (vec![0, 3, 2], vec![0, 1]),
        (vec![0, 2], vec![0, 1, 1]),
        (vec![0, 2], vec![1, 0]),
        (vec![0, 2], vec![1, 1]),
        (vec![0, 2], vec![1, 2]),
    ] {
        let values = vec![1.0; columns.len()];
        assert!(parts(offsets.clone(), columns, values).is_err(), "{offsets:?}");
    }
    assert!(parts(vec![0, 1], vec![0], vec![]).is_err());
    Ok(())
}

/// A multiple of the identity keeps the least eigenvalue away from 0, or makes it negative.
#[test]
fn definite_systems_are_solved_and_others_are_not() -> Done {
    let n = 80;
    let shifted = |shift: f64| {
        let dense = path(n).to_dense();
        let row = |i: usize| (0..n).map(move |j| (i, j)).filter(|(i, j)| i.abs_diff(*j) < 2);
        let value = |i: usize, j: usize| dense[(i, j)] + if i == j { shift } else { 0.0 };
        let rows = (0..n).map(|i| row(i).map(|(i, j)| (j as u32, value(i, j))).collect()).collect();
        Sparse::from_rows(n, rows)
    };
    let (matrix, known) = (shifted(0.01)?, noise(n, 3));
    let sides = product(matrix.to_dense().as_ref(), known.as_ref());
    let solve = |matrix: &Sparse, limit| solve_sparse(matrix, sides.as_ref(), limit);
    let found = solve(&matrix, MemoryLimit::UNLIMITED)?.expect("positive definite");
    assert!(distance(&found, &known) < 1e-12);
    assert!(solve(&shifted(-0.01)?, MemoryLimit::UNLIMITED)?.is_none());
    let refused = solve(&matrix, MemoryLimit::new(100));
    assert!(matches!(refused, Err(Error::Memory { .. })), "{refused:?}");
    Ok(())
}
