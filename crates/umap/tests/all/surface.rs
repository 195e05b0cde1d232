//! Maps on surfaces.

use std::f64::consts::TAU;

use embedding::persist::{decode, encode};
use embedding::{Error, Input, Method, Model, PointSet, Points, Transform};
use neighbor_graph::{Deduplicated, NeighborSearch, Neighborhood};
use testkit::cases::{cloud, sheet};
use testkit::groups::{agreement, group_labels, groups, places_points_in_their_group};
use umap::{Densmap, FittedUmap, Start, Surface, Umap};

const SURFACES: [(Surface, usize); 3] =
    [(Surface::Sphere, 3), (Surface::Torus, 4), (Surface::Hyperboloid, 2)];

fn on(surface: Surface, dim: usize) -> Umap {
    Umap { surface, dim, neighborhood: Neighborhood::Nearest { k: 8 }, epochs: Some(150), ..Umap::default() }
}

/// How far a row is from the surface, to rounding.
fn off(surface: Surface, row: &[f64]) -> f64 {
    let length = |part: &[f64]| part.iter().map(|v| v * v).sum::<f64>().sqrt();
    match surface {
        Surface::Plane => 0.0,
        Surface::Sphere => (length(row) - 1.0).abs(),
        Surface::Torus => (length(&row[..2]) - 1.0).abs().max((length(&row[2..]) - 1.0).abs()),
        Surface::Hyperboloid => (length(row) - 1.0).max(0.0),
    }
}

#[test]
fn maps_and_new_rows_are_on_the_surface() -> Result<(), Error> {
    let (points, new) = (sheet(150, 1), sheet(30, 2));
    for (surface, dim) in SURFACES {
        for start in [Start::Spectral, Start::Pca, Start::Random] {
            let fitted = Umap { start: start.clone(), ..on(surface, dim) }.fit(points.view())?;
            let placed = fitted.transform(new.view())?;
            for row in fitted.embedding().rows().chain(placed.rows()) {
                assert_eq!(row.len(), dim);
                assert!(off(surface, row) < 1e-14, "{surface}, {start}: {row:?}");
            }
            assert_eq!(fitted.surface(), surface);
        }
    }
    Ok(())
}

/// Groups stay apart on every surface, and new rows are placed among their own.
#[test]
fn groups_are_apart_on_every_surface() -> Result<(), Error> {
    let (points, labels) = (groups(4, 50.0), group_labels(120, 4));
    for (surface, dim) in SURFACES {
        let fitted = Umap { epochs: Some(300), ..on(surface, dim) }.fit(&points)?;
        let found = agreement(fitted.embedding(), &labels);
        assert!(found > 0.95, "{surface}: {found}");
        places_points_in_their_group(&fitted, &points, 4);
    }
    Ok(())
}

#[test]
fn the_loss_decreases_on_every_surface() -> Result<(), Error> {
    let points = sheet(150, 1);
    for (surface, dim) in SURFACES {
        let loss = |epochs| -> Result<f64, Error> {
            let recipe = Umap { epochs: Some(epochs), start: Start::Random, ..on(surface, dim) };
            Ok(recipe.fit(points.view())?.cross_entropy().value())
        };
        let (one, many) = (loss(1)?, loss(200)?);
        assert!(many < 0.9 * one, "{surface}: {one}, {many}");
    }
    Ok(())
}

/// The same bytes on any number of threads, and models keep their surface.
#[test]
fn a_saved_map_places_new_rows_on_its_surface() -> Result<(), Error> {
    let (points, new) = (sheet(150, 1), sheet(20, 2));
    for (surface, dim) in SURFACES {
        let fitted = on(surface, dim).fit(points.view())?;
        let again = on(surface, dim).fit(points.view())?;
        assert_eq!(fitted.embedding(), again.embedding());
        let bytes = encode("umap", &fitted)?;
        let read: Deduplicated<FittedUmap> = decode("umap", &bytes)?;
        assert_eq!(read.surface(), surface);
        assert_eq!(read.transform(new.view())?, fitted.transform(new.view())?);
    }
    Ok(())
}

/// A start at a map of the same surface is used, rows can be fixed on it, and others are refused.
#[test]
fn fixed_rows_must_be_on_the_surface() -> Result<(), Error> {
    let points = sheet(100, 1);
    let fixed: Vec<bool> = (0..100).map(|i| i < 40).collect();
    for (surface, dim) in SURFACES {
        let first = on(surface, dim).fit(points.view())?;
        let map = PointSet::new(first.embedding().values().to_vec(), dim)?;
        let input = Input::from(points.view()).with_start(map.view());
        let second = on(surface, dim).fit(input.with_fixed(&fixed))?;
        assert_eq!(second.embedding().row(7), first.embedding().row(7));
        assert!(second.embedding().row(70) != first.embedding().row(70));
        let drawn = on(surface, dim).fit(input.with_pull(&fixed, 0.5))?;
        assert!(drawn.embedding().rows().all(|row| off(surface, row) < 1e-14), "{surface}");
        let moved = PointSet::new(map.view().values().iter().map(|v| 3.0 * v + 0.1).collect(), dim)?;
        let input = Input::from(points.view()).with_start(moved.view());
        let refused = on(surface, dim).fit(input.with_fixed(&fixed));
        assert!(matches!(refused, Err(Error::Degenerate { .. })), "{surface}: {refused:?}");
        let started = on(surface, dim).fit(input)?;
        assert!(started.embedding().rows().all(|row| off(surface, row) < 1e-14), "{surface}");
    }
    Ok(())
}

#[test]
fn other_dimensions_and_the_density_term_are_refused() {
    let points = cloud(40, 3, 1);
    let dims = |recipe: &Umap| matches!(recipe.fit(points.view()), Err(Error::Parameter { name: "dim", .. }));
    for (surface, dim) in SURFACES {
        assert!(dims(&on(surface, dim + 1)), "{surface}");
        assert!(dims(&on(surface, 1)), "{surface}");
        let densmap = Densmap { umap: on(surface, dim), ..Densmap::default() }.fit(points.view());
        assert!(matches!(densmap, Err(Error::Parameter { name: "surface", .. })), "{densmap:?}");
        let fitted = on(surface, dim).fit(points.view()).expect("a map");
        assert!(matches!(fitted.smallest_curvatures(), Err(Error::Degenerate { .. })));
    }
}

/// Copies of one point, and points on a line, have finite places.
#[test]
fn degenerate_data_have_places() -> Result<(), Error> {
    let line: Vec<f64> = (0..60).map(|i| f64::from(i / 3)).collect();
    for (surface, dim) in SURFACES {
        let fitted = on(surface, dim).fit(Points::new(&line, 1)?)?;
        assert!(fitted.embedding().values().iter().all(|v| v.is_finite()), "{surface}");
    }
    Ok(())
}

/// The fraction of the ten nearest neighbors in the data that are not among the hundred nearest in the map.
fn torn(data: Points<'_>, map: Points<'_>) -> Result<f64, Error> {
    let (own, found) = (NeighborSearch::nearest(10).find(data)?, NeighborSearch::nearest(100).find(map)?);
    let lost = |i: usize| own.indices_of(i).iter().filter(|j| !found.indices_of(i).contains(j)).count();
    Ok((0..data.len()).map(lost).sum::<usize>() as f64 / (10 * data.len()) as f64)
}

/// A plane tears a sphere and a torus; a map on the same surface does not.
#[test]
fn closed_surfaces_are_mapped_onto_themselves() -> Result<(), Error> {
    let plane = Umap { epochs: Some(300), ..Umap::default() };
    let flat_torus = |i: usize| {
        let (u, v) = (0.618_034 * i as f64 * TAU, 0.754_878 * i as f64 * TAU);
        [u.cos(), u.sin(), v.cos(), v.sin()]
    };
    let torus = PointSet::from_rows(&(0..500).map(flat_torus).collect::<Vec<_>>())?;
    let sphere = datasets::synthetic::sphere(500, 1)?.points;
    for (data, surface, dim) in [(&sphere, Surface::Sphere, 3), (&torus, Surface::Torus, 4)] {
        let of = |recipe: &Umap| -> Result<f64, Error> {
            let map = recipe.fit(data)?.embedding().values().to_vec();
            torn(data.view(), PointSet::new(map, recipe.dim)?.view())
        };
        let (in_plane, whole) = (of(&plane)?, of(&Umap { surface, dim, ..plane.clone() })?);
        assert!(whole < 0.5 * in_plane, "{surface}: {whole} of the neighbors, plane {in_plane}");
    }
    Ok(())
}
