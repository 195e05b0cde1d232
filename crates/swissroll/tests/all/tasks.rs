//! The recipes of the book: each page of `docs/book/pages/tasks` shows the region of its name.

use swissroll::datasets::{self, Request};
use swissroll::embedding::{Embedding, Error, PointSet};
use swissroll::prelude::Model;

type Done<T = ()> = Result<T, Error>;

fn s_curve(n: usize, seed: u64) -> Done<PointSet> {
    Ok(datasets::generate("s-curve", n, seed)?.points)
}

fn own_table(rows: &[Vec<f64>]) -> Done<Embedding> {
    // #region own-table
    use swissroll::{prelude::*, umap::Umap};

    let points = PointSet::from_rows(rows)?;
    let fitted = Umap::default().fit(&points)?;
    let first = fitted.embedding().row(0);
    // #endregion own-table
    assert_eq!(first.len(), 2);
    Ok(fitted.embedding().clone())
}

#[test]
fn a_table_is_a_list_of_rows() -> Done {
    let rows: Vec<_> = s_curve(80, 0)?.view().rows().map(<[f64]>::to_vec).collect();
    assert_eq!(own_table(&rows)?.len(), 80);
    Ok(())
}

fn images(points: &PointSet) -> Done<usize> {
    // #region images
    use swissroll::{prelude::*, tsne::Tsne};

    let fitted = Tsne { perplexity: 30.0, ..Tsne::default() }.fit(points)?;
    // #endregion images
    Ok(fitted.embedding().len())
}

#[test]
fn a_picture_is_a_row_of_pixels() -> Done {
    let digits = datasets::load("digits", &Request { n: Some(150), ..Request::default() })?;
    assert_eq!(images(&digits.points)?, 150);
    Ok(())
}

fn text(offsets: Vec<usize>, columns: Vec<u32>, counts: Vec<f64>, words: usize) -> Done<usize> {
    // #region text
    use swissroll::{embedding::SparsePointSet, prelude::*, umap::Umap};

    // Text i has the words columns[offsets[i]..offsets[i + 1]].
    let texts = SparsePointSet::new(offsets, columns, counts, words)?;
    let fitted = Umap::default().fit(Input::from(&texts).with_metric(Metric::Cosine))?;
    // #endregion text
    Ok(fitted.embedding().len())
}

#[test]
fn texts_are_sparse_rows() -> Done {
    let n = 60_u32;
    let columns = (0..n).flat_map(|i| [i % 20, 20 + i % 7, 27]).collect();
    let counts = (0..n).flat_map(|i| [1.0, 2.0, 1.0 + f64::from(i % 3)]).collect();
    assert_eq!(text((0..=60).map(|i| 3 * i).collect(), columns, counts, 28)?, 60);
    Ok(())
}

fn distances(values: &[f64], n: usize) -> Done<usize> {
    // #region distances
    use swissroll::{mds::Smacof, prelude::*};

    let fitted = Smacof::default().fit(DistanceMatrix::new(values, n)?)?;
    // #endregion distances
    Ok(fitted.embedding().len())
}

#[test]
fn distances_are_a_matrix() -> Done {
    let values: Vec<f64> = (0..400).map(|at| f64::from((at / 20_i32 - at % 20).abs())).collect();
    assert_eq!(distances(&values, 20)?, 20);
    Ok(())
}

fn new_rows(old: &PointSet, new: &PointSet) -> Done<(usize, Vec<u8>)> {
    // #region new-rows
    use swissroll::{embedding::persist, isomap::Isomap, prelude::*};

    let fitted = Isomap::default().fit(old)?;
    let placed = fitted.transform(new.view())?;
    let bytes = persist::encode("isomap", &fitted)?;
    // #endregion new-rows
    Ok((placed.len(), bytes))
}

#[test]
fn new_rows_are_placed_and_a_model_is_saved() -> Done {
    let (placed, bytes) = new_rows(&s_curve(120, 0)?, &s_curve(10, 1)?)?;
    assert_eq!(placed, 10);
    swissroll::load(&bytes)?;
    Ok(())
}

fn back_to_data(data: &PointSet, map: &PointSet, places: &PointSet) -> Done<(usize, f64)> {
    // #region back-to-data
    use swissroll::embedding::{Silent, Transform};
    use swissroll::regression::{LeaveOut, LocalBarycentric, Regressor};

    let decoder = LocalBarycentric::default();
    let rows = decoder.fit(map.view(), data.view().as_mat(), &Silent)?.transform(places.view())?;
    let errors = LeaveOut::default().errors(&decoder, map.view(), data.view().as_mat(), &Silent)?;
    // #endregion back-to-data
    Ok((rows.dim(), errors.total.relative()))
}

#[test]
fn places_are_decoded_and_the_error_is_measured() -> Done {
    use swissroll::prelude::Method;
    let data = s_curve(300, 0)?;
    let fitted = isomap::Isomap::default().fit(&data)?;
    let map = PointSet::from_mat(fitted.embedding().coordinates())?;
    let places = PointSet::new(vec![0.1, 0.2, -0.3, 0.0], 2)?;
    let (columns, error) = back_to_data(&data, &map, &places)?;
    assert_eq!(columns, 3);
    assert!(error < 0.1, "{error}");
    Ok(())
}

fn large(points: &PointSet) -> Done<f64> {
    // #region large
    use swissroll::embedding::MemoryLimit;
    use swissroll::{neighbor_graph::NeighborSearch, prelude::*, umap::Umap};

    let (lists, recall) = NeighborSearch::nearest(15).with_recall(0.95).find_with_recall(points)?;
    let limit = MemoryLimit::new(4_000_000_000);
    let fitted = Umap::default().fit(Input::from(points).with_neighbors(&lists).with_memory_limit(limit))?;
    // #endregion large
    assert_eq!(fitted.embedding().len(), points.len());
    Ok(recall.measured)
}

#[test]
fn approximate_lists_are_shared_within_a_limit_of_memory() -> Done {
    assert!(large(&s_curve(200, 0)?)? >= 0.9);
    Ok(())
}

fn reproducible(points: &PointSet) -> Done {
    // #region reproducible
    use swissroll::{prelude::*, umap::Umap};

    let recipe = Umap { seed: 7, ..Umap::default() };
    let (one, two) = (recipe.fit(points)?, recipe.fit(points)?);
    assert_eq!(one.embedding(), two.embedding());
    // #endregion reproducible
    Ok(())
}

#[test]
fn the_same_seed_gives_the_same_map() -> Done {
    reproducible(&s_curve(100, 0)?)
}

fn choose_k(points: &PointSet) -> Done<Vec<(usize, f64)>> {
    // #region choose-k
    use swissroll::{isomap::Isomap, prelude::*, quality::ranks::trustworthiness};

    let mut scores = vec![];
    for k in [6, 8, 12, 20] {
        let neighborhood = Neighborhood::Nearest { k };
        let fitted = Isomap { neighborhood, ..Isomap::default() }.fit(points)?;
        let map = PointSet::from_mat(fitted.embedding().coordinates())?;
        scores.push((k, trustworthiness(points.view(), map.view(), 12)?));
    }
    // #endregion choose-k
    Ok(scores)
}

#[test]
fn several_k_are_compared() -> Done {
    let scores = choose_k(&s_curve(300, 0)?)?;
    assert_eq!(scores.len(), 4);
    assert!(scores.iter().all(|&(_, score)| score > 0.9), "{scores:?}");
    Ok(())
}
