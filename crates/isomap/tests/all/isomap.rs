//! Theorems about Isomap.

use embedding::{Error, Fitted, Input, MemoryLimit, Method, Model, PointSet, Points, Silent, Transform};
use faer::{Mat, MatRef};
use isomap::{Isomap, LandmarkIsomap, Precision};
use mds::ClassicalMds;
use mds::steps::Distances;
use neighbor_graph::{Components, Graph, NeighborSearch, Neighborhood, Symmetry};

/// u and v in (0, 1), evenly spread by the additive recurrence of the plastic
/// number; no generator involved.
fn square(n: usize) -> Vec<(f64, f64)> {
    (1..=n).map(|i| ((i as f64 * 0.754_877_666).fract(), (i as f64 * 0.569_840_291).fract())).collect()
}

/// A rolled rectangle, and the rectangle: arc length along the spiral, height.
fn roll(n: usize) -> (PointSet, Mat<f64>) {
    let arc = |t: f64| 0.5 * (t * (1.0 + t * t).sqrt() + t.asinh());
    let uv = square(n);
    let t = |u: f64| 4.7 * (1.0 + 1.2 * u);
    let points = uv.iter().flat_map(|&(u, v)| [t(u) * t(u).cos(), 21.0 * v, t(u) * t(u).sin()]).collect();
    let truth = Mat::from_fn(n, 2, |i, j| if j == 0 { arc(t(uv[i].0)) } else { 21.0 * uv[i].1 });
    (PointSet::new(points, 3).expect("finite"), truth)
}

fn gap(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> f64 {
    assert_eq!(a.shape(), b.shape());
    (a - b).norm_max()
}

fn nearest(k: usize) -> Neighborhood {
    Neighborhood::Nearest { k }
}

fn recipe(k: usize, dim: usize, precision: Precision) -> Isomap {
    Isomap { neighborhood: nearest(k), dim, precision, ..Isomap::default() }
}

#[test]
fn with_all_neighbors_it_is_classical_scaling() -> Result<(), Error> {
    let (points, _) = roll(150);
    let isomap = recipe(149, 3, Precision::Double).fit(points.view())?;
    let classical = ClassicalMds { dim: 3, ..Default::default() }.fit(points.view())?;
    let (a, b) = (isomap.embedding().coordinates(), classical.embedding().coordinates());
    assert!(gap(a, b) < 1e-10);
    let new = roll(170).0.view().select(&(150..170).collect::<Vec<_>>());
    let (a, b) = (isomap.transform(new.view())?, classical.transform(new.view())?);
    assert!(gap(a.coordinates(), b.coordinates()) < 1e-10, "new points too");
    Ok(())
}

#[test]
fn it_is_classical_scaling_of_the_geodesics() -> Result<(), Error> {
    let (points, _) = roll(400);
    let neighbors = NeighborSearch::from(nearest(9)).find(points.view())?;
    let graph = Graph::new(&neighbors, Symmetry::Union);
    // Floyd and Warshall's triple loop as the reference.
    let n = points.len();
    let mut all = vec![f64::INFINITY; n * n];
    for i in 0..n {
        all[i * n + i] = 0.0;
        graph.indices_of(i).iter().zip(graph.weights_of(i)).for_each(|(&j, &w)| all[i * n + j as usize] = w);
    }
    for k in 0..n {
        for i in 0..n {
            let through = all[i * n + k];
            for j in 0..n {
                all[i * n + j] = all[i * n + j].min(through + all[k * n + j]);
            }
        }
    }
    let all = MatRef::from_row_major_slice(&all, n, n);
    let distances = Distances::from_matrix(all, Precision::Double)?;
    let expected = ClassicalMds::default().fit_distances(&distances, &Silent)?;
    let fitted = recipe(9, 2, Precision::Double).fit(&points)?.into_single()?;
    assert!(gap(fitted.embedding().coordinates(), expected.embedding().coordinates()) < 1e-9);
    let single = recipe(9, 2, Precision::Single).fit(points.view())?;
    let difference = gap(single.embedding().coordinates(), expected.embedding().coordinates());
    assert!(difference < 1e-5 && difference > 0.0, "single precision: {difference}");

    // |K(D) − K(D_Y)|_F / n from its definition.
    let squares = Mat::from_fn(n, n, |i, j| all[(i, j)] * all[(i, j)]);
    let b = spectral::centering::double_center(squares.as_ref());
    let y = fitted.embedding().coordinates();
    let error = (&b - y * y.transpose()).norm_l2() / n as f64;
    assert!((fitted.scaling().reconstruction_error() / error - 1.0).abs() < 1e-8);

    // 1 − r² from its definition.
    for dim in 1..=2 {
        let pairs: Vec<(f64, f64)> = (0..n)
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .map(|(i, j)| {
                (all[(i, j)], (0..dim).map(|c| (y[(i, c)] - y[(j, c)]).powi(2)).sum::<f64>().sqrt())
            })
            .collect();
        let count = pairs.len() as f64;
        let (mx, my) =
            (pairs.iter().map(|p| p.0).sum::<f64>() / count, pairs.iter().map(|p| p.1).sum::<f64>() / count);
        let sum = |f: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|p| f(p.0 - mx, p.1 - my)).sum::<f64>();
        let r = sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt();
        assert!((fitted.residual_variances()[dim - 1] - (1.0 - r * r)).abs() < 1e-10);
    }
    Ok(())
}

/// The residuals were in squared input units, 12 orders of magnitude larger.
#[test]
fn residuals_are_relative_whatever_the_units() -> Result<(), Error> {
    let (points, _) = roll(400);
    let large = PointSet::new(points.clone().into_values().iter().map(|v| v * 1e6).collect(), 3)?;
    let fitted = recipe(8, 2, Precision::Double).fit(&large)?;
    let residuals = fitted.report().facts["residuals"].clone();
    let residuals = residuals.as_array().expect("one per coordinate");
    assert!(residuals.len() == 2 && residuals.iter().all(|r| r.as_f64() <= Some(1e-10)), "{residuals:?}");
    Ok(())
}

#[test]
fn training_rows_go_where_they_are() -> Result<(), Error> {
    let (points, _) = roll(600);
    for precision in [Precision::Single, Precision::Double] {
        for neighborhood in [nearest(8), Neighborhood::Within { radius: 4.0 }] {
            let recipe = Isomap { neighborhood, dim: 3, precision, ..Isomap::default() };
            let fitted = recipe.fit(points.view())?;
            let again = fitted.transform(points.view())?;
            let scale = fitted.embedding().coordinates().norm_max();
            let difference = gap(again.coordinates(), fitted.embedding().coordinates());
            assert!(difference < 1e-10 * scale, "{precision:?} {neighborhood:?}: {difference:e}");
            let some = points.view().select(&[3, 77, 12]);
            let part = fitted.transform(some.view())?;
            assert_eq!(part.row(1), again.row(77), "row by row");
        }
    }
    Ok(())
}

#[test]
fn new_points_land_among_their_neighbors() -> Result<(), Error> {
    let (all, truth) = roll(1000);
    let train = all.view().select(&(0..800).collect::<Vec<_>>());
    let new = all.view().select(&(800..1000).collect::<Vec<_>>());
    let fitted = recipe(8, 2, Precision::Single).fit(train.view())?;
    let placed = fitted.transform(new.view())?;
    // Distances from new to training points against those on the rectangle.
    let y = fitted.embedding().coordinates();
    let mut worst = 0.0_f64;
    let apart = gap(y, fitted.transform(train.view())?.coordinates());
    assert!(apart < 1e-9, "{apart}");
    for i in 0..200 {
        for j in 0..800 {
            let flat = (truth.row(800 + i) - truth.row(j)).norm_l2();
            worst = worst.max(((placed.coordinates().row(i) - y.row(j)).norm_l2() - flat).abs());
        }
    }
    assert!(worst < 6.0, "of up to 90 units: {worst}");
    // A point far from all is placed by the nearest, and refused under a radius.
    let far = Points::new(&[1e3, 0.0, 0.0], 3)?;
    assert!(fitted.transform(far)?.coordinates().norm_max().is_finite());
    let radius = Isomap { neighborhood: Neighborhood::Within { radius: 4.0 }, ..Isomap::default() };
    let refused = radius.fit(&train)?.transform(far);
    assert!(
        matches!(&refused, Err(Error::Degenerate { problem, .. }) if problem.contains("within the radius 4 of new point 0")),
        "{refused:?}"
    );
    Ok(())
}

#[test]
fn a_swiss_roll_is_unrolled_to_its_parameters() -> Result<(), Error> {
    let (points, truth) = roll(1000);
    let fitted = recipe(8, 4, Precision::Single).fit(&points)?.into_single()?;
    let variances = fitted.residual_variances();
    assert_eq!(variances.len(), 10, "the curve goes on beyond the target dimension");
    let elbow = variances[1] < 0.03 * variances[0] && variances[3] > 0.7 * variances[1];
    assert!(elbow, "the elbow is at two: {variances:?}");
    let y = fitted.embedding().coordinates();
    let along = |column: usize| {
        let (a, b) = (y.col(column), truth.col(column));
        let (ma, mb) = (a.sum() / 1000.0, b.sum() / 1000.0);
        let sum = |f: &dyn Fn(f64, f64) -> f64| (0..1000).map(|i| f(a[i] - ma, b[i] - mb)).sum::<f64>();
        (sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt()).abs()
    };
    assert!(along(0) > 0.999 && along(1) > 0.99, "{} {}", along(0), along(1));
    // Negative control: without the graph the roll stays rolled.
    let (some, _) = roll(300);
    let flat = recipe(299, 2, Precision::Single).fit(&some)?.into_single()?;
    assert!(flat.residual_variances()[1] > 0.1);
    Ok(())
}

#[test]
fn a_disconnected_graph_follows_its_component_policy() -> Result<(), Error> {
    let (one, _) = roll(300);
    let values = one
        .view()
        .rows()
        .flat_map(|r| [r[0], r[1], r[2]])
        .chain(one.view().rows().take(200).flat_map(|r| [r[0] + 200.0, r[1], r[2]]));
    let both = PointSet::new(values.collect(), 3)?;
    let under = |components| Isomap { components, ..recipe(8, 2, Precision::Double) };
    assert!(matches!(
        under(Components::Reject).fit(both.view()),
        Err(Error::Disconnected { components: 2, sizes }) if sizes == [300, 200]
    ));
    let alone = recipe(8, 2, Precision::Double).fit(one.view())?;
    let largest = under(Components::Largest).fit(&both)?;
    assert_eq!(largest.embedding().coordinates(), alone.embedding().coordinates());
    assert!(largest.embedding().placed_rows().is_some_and(|rows| rows.iter().copied().eq(0..300)));
    let pieces = under(Components::PerComponent).fit(&both)?;
    assert_eq!(pieces.components().len(), 2);
    assert_eq!(pieces.components()[0].model.embedding().coordinates(), alone.embedding().coordinates());
    assert_eq!((pieces.embedding().len(), pieces.embedding().placed_rows()), (500, None));
    assert!(matches!(pieces.single(), Err(Error::Disconnected { components: 2, .. })));
    let placed = pieces.transform(both.view())?;
    assert!(gap(placed.coordinates(), pieces.embedding().coordinates()) < 1e-8);
    let bridged = under(Components::Bridge).fit(&both)?;
    assert_eq!((bridged.bridges().len(), bridged.embedding().len()), (1, 500));
    Ok(())
}

/// Single precision is the default.
#[test]
fn single_precision_is_advised_where_it_is_not_chosen() {
    let (points, _) = roll(100);
    let starved = Input::from(&points).with_memory_limit(MemoryLimit::new(10_000));
    let advice = |refused: Option<Error>| match refused {
        Some(Error::Memory { advice, .. }) => advice.contains("single precision"),
        other => panic!("{other:?}"),
    };
    for (precision, advised) in [(Precision::Single, false), (Precision::Double, true)] {
        assert_eq!(advice(recipe(8, 2, precision).fit(starved).err()), advised);
        let few = LandmarkIsomap { precision, ..LandmarkIsomap::default() };
        assert_eq!(advice(few.fit(starved).err()), advised);
    }
}

#[test]
fn memory_limits_are_checked_before_any_computation() {
    let (points, _) = roll(100);
    let needed =
        |input: Input<'_>| match Isomap::default().fit(input.with_memory_limit(MemoryLimit::new(10_000))) {
            Err(Error::Memory { needed, allowed: 10_000, .. }) => needed,
            other => panic!("{:?}", other.err()),
        };
    // The model shares the points of a set, and copies the points of a slice.
    assert_eq!(needed((&points).into()), 484_600);
    let slice = Points::new(points.view().values(), 3).expect("rows");
    assert_eq!(needed(slice.into()), 487_000);
    // For rows with copies, a set of the distinct rows is made.
    let rows: Vec<u32> = (0..100).chain([7]).collect();
    assert_eq!(needed((&points.view().select(&rows)).into()), 487_000);
    for dim in [0, 100] {
        assert!(matches!(recipe(8, dim, Precision::Single).fit(points.view()), Err(Error::Parameter { .. })));
    }
    let line = PointSet::new((0..30).map(|i| f64::from(i) / 7.0).collect(), 1).expect("finite");
    for precision in [Precision::Single, Precision::Double] {
        assert!(
            matches!(recipe(3, 2, precision).fit(line.view()), Err(Error::Degenerate { problem, .. }) if problem.contains("1 positive")),
            "a line has one dimension"
        );
    }
    let fitted = recipe(8, 2, Precision::Single).fit(points.view()).expect("a connected roll");
    assert!(matches!(fitted.transform(line.view()), Err(Error::Shape { .. })));
}
