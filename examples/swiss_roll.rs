//! A Swiss roll, unrolled by locally linear embedding and by Isomap on one neighbor graph.
//!
//! `cargo run --example swiss_roll`
#![expect(clippy::print_stdout, reason = "an example shows its numbers")]

use swissroll::datasets::synthetic::swiss_roll;
use swissroll::embedding::{Error, Input, Method, Model, PointSet, Transform};
use swissroll::isomap::Isomap;
use swissroll::lle::{HessianLle, Lle};
use swissroll::neighbor_graph::NeighborSearch;
use swissroll::quality::ranks::trustworthiness;
use swissroll::quality::shape::affine_residual;

fn main() -> Result<(), Error> {
    let roll = swiss_roll(2000, 1)?;
    let (points, truth) = (roll.points.view(), roll.truth.expect("the Swiss roll has true coordinates"));
    let neighbors = NeighborSearch::nearest(12).find(points)?;

    let input = Input::from(points).with_neighbors(&neighbors);
    let lle = Lle::default().fit(input)?;
    let hessian = HessianLle::default().fit(input)?;
    let isomap = Isomap::default().fit(input)?;

    println!("{} points, {} columns, 12 neighbors", points.len(), points.dim());
    println!("{:<12} {:>15} {:>16}", "method", "trustworthiness", "affine residual");
    let methods: [(&str, &dyn Model); 3] = [("lle", &lle), ("hessian-lle", &hessian), ("isomap", &isomap)];
    for (name, model) in methods {
        let flat = PointSet::from_mat(model.embedding().coordinates())?;
        let trust = trustworthiness(points, flat.view(), 12)?;
        let residual = affine_residual(truth.view(), flat.view())?;
        println!("{name:<12} {trust:>15.4} {residual:>16.2e}");
    }

    // A new point is placed among the old ones.
    let new = swiss_roll(1, 2)?;
    let placed = isomap.transform(new.points.view())?;
    println!(
        "isomap places {:?} at [{:.3}, {:.3}]",
        new.points.view().row(0),
        placed[(0, 0)],
        placed[(0, 1)]
    );
    Ok(())
}
