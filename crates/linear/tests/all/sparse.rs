//! Principal components of sparse points.

use embedding::{Error, Fitted, Input, MemoryLimit, Method, Model, Rows, SparsePointSet, TrainingRows};
use embedding::{PointSet, Transform};
use linear::{KernelPca, Pca};

/// Words of texts: counts of some of 400 words, others in each half of the texts.
fn counts(texts: usize) -> Result<SparsePointSet, Error> {
    let (mut offsets, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    for i in 0..texts {
        for step in 0..12 {
            columns.push(((i * (step + 3) + step * step) % 150 + 200 * (i % 2) + 25 * (step % 3)) as u32);
            values.push(1.0 + ((i * step) % 3) as f64);
        }
        offsets.push(columns.len());
    }
    SparsePointSet::new(offsets, columns, values, 400)
}

fn gap(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn components_of_sparse_points_are_those_of_the_rows_with_zeros() -> Result<(), Error> {
    let sparse = counts(500)?;
    let dense = sparse.view().dense(MemoryLimit::default())?;
    let recipe = Pca { dim: 3, ..Pca::default() };
    let (of_sparse, of_dense) = (recipe.fit(sparse.view())?, recipe.fit(&dense)?);
    assert!(gap(of_sparse.explained_variance(), of_dense.explained_variance()) < 1e-9);
    assert!((of_sparse.total_variance() / of_dense.total_variance() - 1.0).abs() < 1e-12);
    assert!(gap(of_sparse.embedding().values(), of_dense.embedding().values()) < 1e-6);
    // Training rows are placed at their training coordinates, dense or sparse.
    let places = of_sparse.place(Rows::Sparse(sparse.view()), TrainingRows::Extended)?;
    assert!(gap(places.values(), of_sparse.embedding().values()) < 1e-11);
    assert_eq!(places.values(), of_sparse.transform(dense.view())?.values());
    Ok(())
}

/// Where squares of the values are beyond the range of numbers, the variances are in another unit, which a
/// note states.
#[test]
fn sparse_points_of_any_scale_have_the_same_map() -> Result<(), Error> {
    let near = counts(300)?;
    let ordinary = Pca::default().fit(near.view())?;
    for e in [-700, 700] {
        let far = near.view().times_power_of_two(e)?;
        let fitted = Pca::default().fit(far.view())?;
        assert_eq!(fitted.notes().len(), 1, "{:?}", fitted.notes());
        let unit = 2.0_f64.powi(e);
        let scaled: Vec<f64> = fitted.embedding().values().iter().map(|v| v / unit).collect();
        assert!(gap(&scaled, ordinary.embedding().values()) < 1e-6, "2^{e}");
    }
    Ok(())
}

/// The limit covers what the fit takes, far below the size of the dense values.
#[test]
fn a_fit_to_sparse_points_keeps_to_the_memory_limit() -> Result<(), Error> {
    let sparse = counts(4000)?;
    let with_zeros = 8 * 4000 * 400;
    let fit =
        |bytes| Pca::default().fit(Input::from(sparse.view()).with_memory_limit(MemoryLimit::new(bytes)));
    fit(with_zeros / 2)?;
    match fit(500_000) {
        Err(Error::Memory { needed, .. }) => assert!((500_000..with_zeros / 2).contains(&needed), "{needed}"),
        other => panic!("{other:?}"),
    }
    // With few columns, too, where the eigenproblem is decomposed as a whole.
    let row = |i: usize| (0..3).map(move |step| (((i + 100 * step) % 300) as u32, 1.0 + (i % 7) as f64));
    let (columns, values) = (0..20_000).flat_map(row).unzip();
    let few = SparsePointSet::new((0..=20_000).map(|i| 3 * i).collect(), columns, values, 300)?;
    Pca::default().fit(Input::from(few.view()).with_memory_limit(MemoryLimit::new(20_000_000)))?;
    Ok(())
}

#[test]
fn other_linear_methods_refuse_sparse_points() -> Result<(), Error> {
    let sparse = counts(50)?;
    assert!(matches!(KernelPca::default().fit(sparse.view()), Err(Error::Degenerate { .. })));
    let wide = Pca { dim: 51, ..Pca::default() }.fit(sparse.view());
    assert!(wide.expect_err("51 of 50 points").to_string().contains("1 to 50"));
    // One row has no variance.
    let one = SparsePointSet::of(PointSet::new(vec![0.0, 2.0, 0.0], 3)?.view())?;
    let single = Pca { dim: 1, ..Pca::default() }.fit(one.view())?;
    assert_eq!((single.explained_variance(), single.embedding().values()), (&[0.0][..], &[0.0][..]));
    Ok(())
}
