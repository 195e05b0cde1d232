//! Conformal Isomap against its definition: classical scaling of shortest paths whose edges are
//! measured in units of the spacing around both ends.

use embedding::implement::squared_distance;
use embedding::{DistanceMatrix, Error, Input, Method, Model, Neighbors, PointSet, Transform};
use isomap::{ConformalIsomap, Precision};
use mds::ClassicalMds;
use neighbor_graph::{Duplicates, NeighborSearch, Neighborhood};

const K: usize = 6;

/// Points of a bent strip, denser where their first coordinate is smaller.
fn strip(n: usize, shift: f64) -> PointSet {
    let place = |i: usize| {
        let (u, v) = ((i as f64 * 0.754_877_666 + shift).fract(), (i as f64 * 0.569_840_291 + shift).fract());
        [2.0 * u * u, v * (0.3 + u), (2.0 * u).sin()]
    };
    PointSet::new((1..=n).flat_map(place).collect(), 3).expect("finite")
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

/// The mean distance of each point to its neighbors, or, where it lists none, to the points that list it.
fn spacings(neighbors: &Neighbors) -> Vec<f64> {
    let n = neighbors.len();
    let listed = |i: usize| -> Vec<f64> {
        let of = |h: usize| {
            let (js, ds) = neighbors.of(h);
            js.iter().position(|j| *j as usize == i).map(|at| ds[at])
        };
        (0..n).filter_map(of).collect()
    };
    (0..n)
        .map(|i| match neighbors.distances_of(i) {
            [] => mean(listed(i).into_iter()),
            own => mean(own.iter().copied()),
        })
        .collect()
}

/// The shortest paths between all points by Floyd and Warshall's algorithm, edges in units of the
/// spacing.
fn paths(neighbors: &Neighbors, spacing: &[f64]) -> Vec<f64> {
    let n = neighbors.len();
    let mut paths: Vec<f64> =
        (0..n * n).map(|at| if at / n == at % n { 0.0 } else { f64::INFINITY }).collect();
    for i in 0..n {
        let (js, ds) = neighbors.of(i);
        for (j, d) in js.iter().map(|j| *j as usize).zip(ds) {
            let length = d / (spacing[i] * spacing[j]).sqrt();
            (paths[i * n + j], paths[j * n + i]) = (length, length);
        }
    }
    for via in 0..n {
        for at in 0..n * n {
            paths[at] = paths[at].min(paths[at / n * n + via] + paths[via * n + at % n]);
        }
    }
    paths
}

/// The neighbor lists of the points, empty for the points `without`.
fn lists(points: &PointSet, without: &[usize]) -> Result<Neighbors, Error> {
    let found = NeighborSearch::nearest(K).find(points.view())?;
    let of = |i: usize| -> Vec<(u32, f64)> {
        let (js, ds) = found.of(i);
        if without.contains(&i) { Vec::new() } else { js.iter().copied().zip(ds.iter().copied()).collect() }
    };
    Neighbors::from_lists((0..points.len()).map(of).collect(), found.neighborhood())
}

#[test]
fn it_is_classical_scaling_of_paths_in_units_of_the_spacing() -> Result<(), Error> {
    let (points, new) = (strip(60, 0.0), strip(15, 0.37));
    for without in [&[][..], &[5, 20]] {
        let neighbors = lists(&points, without)?;
        let recipe = ConformalIsomap {
            neighborhood: Neighborhood::Nearest { k: K },
            precision: Precision::Double,
            ..ConformalIsomap::default()
        };
        let fitted = recipe.fit(Input::from(&points).with_neighbors(&neighbors))?.into_single()?;
        let spacing = spacings(&neighbors);
        for (own, expected) in fitted.spacing().iter().zip(&spacing) {
            assert!((own / expected - 1.0).abs() < 1e-12, "{own} {expected}");
        }
        assert_eq!(embedding::Fitted::per_point(&fitted)[0].values, fitted.spacing());
        let between = paths(&neighbors, &spacing);
        let classical = ClassicalMds { dim: 2, ..ClassicalMds::default() };
        let scaled = classical.fit(Input::from(DistanceMatrix::new(&between, points.len())?))?;
        let gap = (fitted.embedding().coordinates() - scaled.embedding().coordinates()).norm_max();
        assert!(gap < 1e-6, "{gap:e}, without the lists of {without:?}");

        // New points: edges to their nearest training points, with a spacing of their own.
        let to_all = |x: &[f64]| {
            let mut near: Vec<(usize, f64)> =
                points.view().rows().map(|row| squared_distance(x, row).sqrt()).enumerate().collect();
            near.sort_by(|a, b| a.1.total_cmp(&b.1));
            near.truncate(K);
            let own = mean(near.iter().map(|e| e.1));
            let edges: Vec<(usize, f64)> =
                near.iter().map(|&(j, d)| (j, d / (own * spacing[j]).sqrt())).collect();
            let path = |j: usize| {
                edges.iter().map(|&(i, d)| d + between[i * points.len() + j]).fold(f64::INFINITY, f64::min)
            };
            (0..points.len()).map(path).collect::<Vec<f64>>()
        };
        let rows: Vec<f64> = new.view().rows().flat_map(to_all).collect();
        let expected = scaled.transform(PointSet::new(rows, points.len())?.view())?;
        let gap = (fitted.transform(new.view())?.coordinates() - expected.coordinates()).norm_max();
        assert!(gap < 1e-6, "{gap:e} for new points, without the lists of {without:?}");
    }
    Ok(())
}

/// Its nearest training points are at distance 0, so that it has no spacing.
#[test]
fn a_new_point_on_copies_is_placed_on_them_by_the_extension() -> Result<(), Error> {
    let once = strip(40, 0.0);
    let copies = once.view().select(&[0; K]);
    let all = PointSet::new([copies.view().values(), once.view().values()].concat(), 3)?;
    let recipe = ConformalIsomap {
        neighborhood: Neighborhood::Nearest { k: K + 1 },
        duplicates: Duplicates::Keep,
        ..ConformalIsomap::default()
    };
    let fitted = recipe.fit(&all)?.into_single()?;
    let placed = fitted.transform_ignoring_matches(once.view().select(&[0]).view())?;
    for c in 0..2 {
        assert!((placed[(0, c)] - fitted.embedding()[(0, c)]).abs() < 1e-6, "coordinate {c}");
    }
    Ok(())
}

/// The spacing is the mean of distances whose sum is above the largest number.
#[test]
fn points_near_the_largest_number_have_the_map_of_ordinary_ones() -> Result<(), Error> {
    let scaled = |points: PointSet, power| {
        PointSet::new(points.view().values().iter().map(|v| v * 2f64.powi(power)).collect(), points.dim())
    };
    let recipe =
        ConformalIsomap { neighborhood: Neighborhood::Nearest { k: 25 }, ..ConformalIsomap::default() };
    let fit = |power| -> Result<_, Error> {
        let fitted = recipe.fit(&scaled(strip(30, 0.0), power)?)?;
        let placed = fitted.transform(scaled(strip(15, 0.37), power)?.view())?;
        Ok([fitted.embedding().values().to_vec(), placed.values().to_vec()])
    };
    assert_eq!(fit(1021)?, fit(0)?);
    Ok(())
}
