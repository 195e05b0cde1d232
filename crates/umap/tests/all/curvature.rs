//! Curvatures of the cross entropy of models.

use embedding::{Error, Input, Metric, Model, Points, Silent, Transform};
use neighbor_graph::{NeighborSearch, Neighborhood};
use testkit::cases::cloud;
use umap::neighbor_graph::Duplicates;
use umap::{Curve, Densmap, FuzzyGraph, Method, Target, Umap, smallest_curvatures};

fn recipe() -> Umap {
    Umap { neighborhood: Neighborhood::Nearest { k: 8 }, epochs: Some(60), ..Umap::default() }
}

/// A model computes its graph again: the same curvatures as from the graph of the fit.
#[test]
fn a_model_has_the_curvatures_of_its_own_fit() -> Result<(), Error> {
    let data = cloud(90, 4, 1).points;
    let fitted = recipe().fit(&data)?;
    let neighbors = NeighborSearch::nearest(8).find(&data)?;
    let graph = FuzzyGraph::of_neighbors(&neighbors, 1.0, 1.0, &Silent)?;
    let map = fitted.embedding().values().to_vec();
    let expected = smallest_curvatures(graph.graph(), Points::new(&map, 2)?, fitted.curve())?;
    assert_eq!(fitted.smallest_curvatures()?, expected);
    assert_eq!(fitted.curvatures()?, Some(expected));
    Ok(())
}

/// A row may have all others but one as neighbors, and distances need not be Euclidean.
#[test]
fn curvatures_for_large_neighborhoods_and_other_metrics() -> Result<(), Error> {
    let data = cloud(24, 4, 1).points;
    for k in [22, 23] {
        let wide = Umap { neighborhood: Neighborhood::Nearest { k }, ..recipe() };
        assert_eq!(wide.fit(&data)?.smallest_curvatures()?.len(), 24, "{k}");
    }
    let by_angle = Input::from(&data).with_metric(Metric::Cosine);
    assert_eq!(recipe().fit(by_angle)?.smallest_curvatures()?.len(), 24);
    Ok(())
}

/// Merged copies have the curvature of their distinct point.
#[test]
fn merged_copies_share_a_curvature() -> Result<(), Error> {
    let once = cloud(60, 3, 2).points;
    let mut rows: Vec<Vec<f64>> = once.view().rows().map(<[f64]>::to_vec).collect();
    rows.push(rows[7].clone());
    let data = embedding::PointSet::from_rows(&rows)?;
    let fitted = Umap { duplicates: Duplicates::Merge, ..recipe() }.fit(&data)?;
    let curvatures = fitted.curvatures()?.expect("UMAP has them");
    assert_eq!(curvatures.len(), 61);
    assert_eq!(curvatures[60], curvatures[7]);
    Ok(())
}

/// The loss of densMAP has a term that the model does not have.
#[test]
fn models_of_densmap_have_no_curvatures() -> Result<(), Error> {
    let fitted = Densmap { umap: recipe(), ..Densmap::default() }.fit(&cloud(60, 3, 2).points)?;
    assert_eq!(fitted.curvatures()?, None);
    Ok(())
}

/// Labels and a mix change the graph, which the model does not hold.
#[test]
fn changed_graphs_are_refused() -> Result<(), Error> {
    let data = cloud(60, 3, 2).points;
    let labels: Vec<u32> = (0..60).map(|i| i % 2).collect();
    let by_labels = Umap { target: Target::Used { weight: 0.5 }, ..recipe() };
    let fitted = by_labels.fit(Input::from(&data).with_labels(&labels))?;
    assert!(matches!(fitted.curvatures(), Err(Error::Degenerate { .. })));
    let fitted = Umap { mix: 0.3, ..recipe() }.fit(&data)?;
    assert!(matches!(fitted.curvatures(), Err(Error::Degenerate { .. })));
    let neighbors = NeighborSearch::nearest(8).find(&data)?;
    let graph = FuzzyGraph::of_neighbors(&neighbors, 1.0, 1.0, &Silent)?;
    let curve = Curve::fit(0.1, 1.0)?;
    let refused = smallest_curvatures(graph.graph(), Points::new(&[0.0; 10], 2)?, curve);
    assert!(matches!(refused, Err(Error::Shape { .. })), "{refused:?}");
    let map = fitted.embedding().values().to_vec();
    for (a, b) in [(0.0, 1.0), (1.0, -1.0), (f64::NAN, 1.0), (1.0, f64::INFINITY)] {
        let refused = smallest_curvatures(graph.graph(), Points::new(&map, 2)?, Curve { a, b });
        assert!(matches!(refused, Err(Error::Parameter { .. })), "{a} {b}: {refused:?}");
    }
    Ok(())
}
