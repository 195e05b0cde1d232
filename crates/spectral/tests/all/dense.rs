//! Small dense decompositions against their defining identities.

use crate::common;

use common::*;
use embedding::Error;
use faer::{Mat, MatRef};
use spectral::dense::{
    cholesky, gram, leading_eigen, product, solve_spd, symmetric_eigen, symmetric_eigenvalues,
    symmetric_eigenvalues_single, thin_q, thin_svd,
};

type Done = Result<(), Error>;

fn distance(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> f64 {
    assert_eq!(a.shape(), b.shape());
    Mat::from_fn(a.nrows(), a.ncols(), |i, j| a[(i, j)] - b[(i, j)]).norm_max()
}

fn scaled(a: &Mat<f64>, by: &[f64]) -> Mat<f64> {
    Mat::from_fn(a.nrows(), a.ncols(), |i, j| a[(i, j)] * by[j])
}

#[test]
fn eigenpairs_reconstruct_the_matrix_from_its_lower_triangle() -> Done {
    for n in [0, 1, 2, 5, 60] {
        let x = noise(n, n);
        let a = Mat::from_fn(n, n, |i, j| x[(i.max(j), i.min(j))]);
        let (values, v) = symmetric_eigen(x.as_ref())?;
        assert!(values.is_sorted());
        assert!(distance(product(scaled(&v, &values).as_ref(), v.transpose()).as_ref(), a.as_ref()) < 1e-12);
        assert!(defect(&v, &Mat::zeros(n, 0)) < 1e-13);
    }
    Ok(())
}

#[test]
fn leading_eigenpairs_are_the_last_ones_in_descending_order() -> Done {
    for (n, count) in [(1, 1), (2, 1), (60, 7), (60, 60)] {
        let a = gram(noise(n, n).as_ref());
        let ((values, v), (all, of_all)) = (leading_eigen(a.as_ref(), count)?, symmetric_eigen(a.as_ref())?);
        assert!(values.iter().eq(all.iter().rev()), "{n}, {count}");
        let last = of_all.as_ref().reverse_cols().subcols(0, count);
        assert!(distance(v.as_ref(), last) < 1e-14, "{n}, {count}");
    }
    Ok(())
}

#[test]
fn eigenvalues_alone_are_ascending_and_those_of_the_lower_triangle() -> Done {
    for n in [1, 2, 50] {
        let mut a = path(n).to_dense();
        (0..n).for_each(|i| (i + 1..n).for_each(|j| a[(i, j)] = 7.0));
        let values = symmetric_eigenvalues(a.as_ref())?;
        assert_eq!(values.len(), n);
        for (j, value) in values.iter().enumerate() {
            assert!((value - path_value(n, j)).abs() < ROUNDING, "{n}: {value}");
        }
        let rounded = Mat::from_fn(n, n, |i, j| a[(i, j)] as f32);
        let single = symmetric_eigenvalues_single(rounded.as_ref())?;
        assert_eq!(single.len(), n);
        for (value, single) in values.iter().zip(&single) {
            assert!((value - single).abs() < 64.0 * f64::from(f32::EPSILON), "{n}: {value} and {single}");
        }
    }
    Ok(())
}

#[test]
fn singular_triples_reconstruct_the_matrix() -> Done {
    for (m, n) in [(1, 1), (1, 5), (5, 1), (40, 7), (7, 40)] {
        let a = noise(m, n);
        let (u, s, v) = thin_svd(a.as_ref())?;
        assert_eq!((u.ncols(), v.ncols()), (m.min(n), m.min(n)));
        assert!(s.is_sorted_by(|a, b| a >= b) && s.iter().all(|s| *s >= 0.0));
        assert!(distance(product(scaled(&u, &s).as_ref(), v.transpose()).as_ref(), a.as_ref()) < 1e-12);
    }
    Ok(())
}

#[test]
fn q_is_orthonormal_even_where_columns_depend_on_each_other() {
    let x = noise(50, 3);
    let dependent = Mat::from_fn(50, 5, |i, j| if j == 4 { 0.0 } else { x[(i, j % 3)] });
    let q = thin_q(dependent.as_ref());
    assert!(defect(&q, &Mat::zeros(50, 0)) < 1e-13);
    let projected = product(q.as_ref(), product(q.transpose(), dependent.as_ref()).as_ref());
    assert!(distance(projected.as_ref(), dependent.as_ref()) < 1e-13);
}

#[test]
fn definite_systems_are_solved_and_others_are_not() {
    let x = noise(30, 20);
    let a = product(x.transpose(), x.as_ref());
    let b = noise(20, 3);
    let y = solve_spd(a.as_ref(), b.as_ref()).expect("positive definite");
    assert!(distance(product(a.as_ref(), y.as_ref()).as_ref(), b.as_ref()) < 1e-11);
    let l = cholesky(a.as_ref()).expect("positive definite");
    assert!(distance(product(l.as_ref(), l.transpose()).as_ref(), a.as_ref()) < 1e-12);
    assert!(l[(0, 19)] == 0.0, "lower triangular");
    let indefinite = faer::mat![[1.0, 2.0], [2.0, 1.0]];
    assert!(cholesky(indefinite.as_ref()).is_none());
    assert!(solve_spd(indefinite.as_ref(), noise(2, 1).as_ref()).is_none());
}

#[test]
fn non_finite_input_is_an_error() {
    for bad in [f64::NAN, f64::INFINITY] {
        let a = faer::mat![[1.0, bad], [bad, 1.0]];
        assert!(matches!(symmetric_eigen(a.as_ref()), Err(Error::Degenerate { .. })));
        assert!(matches!(symmetric_eigenvalues(a.as_ref()), Err(Error::Degenerate { .. })));
        assert!(matches!(thin_svd(a.as_ref()), Err(Error::Degenerate { .. })));
        let single = Mat::from_fn(2, 2, |i, j| a[(i, j)] as f32);
        assert!(matches!(symmetric_eigenvalues_single(single.as_ref()), Err(Error::Degenerate { .. })));
    }
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let x = noise(180, 150);
    on_all_thread_counts(|| {
        let gram = product(x.transpose(), x.as_ref());
        let (values, vectors) = symmetric_eigen(gram.as_ref()).expect("finite");
        let (u, s, _) = thin_svd(x.as_ref()).expect("finite");
        let blocks = [vectors, u, thin_q(x.as_ref())];
        let blocks = blocks.iter().flat_map(|m| embedding::implement::matrix::to_rows(m.as_ref()));
        values.into_iter().chain(s).chain(blocks).collect()
    });
}

#[test]
fn gram_matrices_are_products_with_the_transpose() {
    for (m, n) in [(1, 1), (1, 5), (70, 3), (33, 90)] {
        let a = noise(m, n);
        let found = gram(a.as_ref());
        assert!(distance(found.as_ref(), product(a.as_ref(), a.transpose()).as_ref()) < 1e-13);
        assert_eq!(distance(found.as_ref(), found.transpose()), 0.0);
    }
}
