//! Four maps of a hemisphere to the plane, with the mean angle error of each.
//!
//! `cargo run --example conformal_map [PICTURE.svg]`
//!
//! A hemisphere has no isometric map to the plane, but a conformal one: the
//! stereographic projection. Locally linear embedding is close to it. The solution
//! of the published convex problem is the hemisphere itself in three dimensions,
//! which preserves every angle; truncated to two dimensions it is worse than the
//! unrefined embedding. The alternating refinement, constrained to two dimensions,
//! finds the projection.
#![expect(clippy::print_stdout, reason = "an example shows its numbers")]

use std::fmt::Write as _;

use swissroll::conformal_eigenmaps::settings::Pipeline;
use swissroll::conformal_eigenmaps::{ConformalEigenmaps, Refinement};
use swissroll::datasets::generate;
use swissroll::embedding::{Error, Method, Model, PointSet, Points};
use swissroll::neighbor_graph::NeighborSearch;
use swissroll::quality::RowSample;
use swissroll::quality::shape::{Reflection, align_to, angle_error, procrustes};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let hemisphere = generate("hemisphere", 1000, 0)?;
    let points = hemisphere.points.view();
    let truth = hemisphere.truth.ok_or("the generator knows the projection")?;
    let neighbors = NeighborSearch::nearest(10).find(points)?;

    let direct = ConformalEigenmaps::default();
    let refinement = Refinement { pipeline: Pipeline::Convex, ..Refinement::default() };
    let convex = ConformalEigenmaps { refinement, ..direct };
    let (direct, convex) = (direct.fit(points)?.into_single()?, convex.fit(points)?.into_single()?);

    let plain = PointSet::from_mat(direct.basis().embedding().coordinates().subcols(0, 2))?;
    let cut = PointSet::from_mat(convex.embedding().coordinates())?;
    let refined = PointSet::from_mat(direct.embedding().coordinates())?;
    let pictures = [
        ("locally linear embedding", plain),
        ("convex solution, cut to 2", cut),
        ("alternating refinement, rank 2", refined),
        ("stereographic projection", truth.clone()),
    ];

    println!("{:32} {:>12} {:>12}", "picture of a hemisphere", "angle error", "Procrustes");
    let mut titled = Vec::new();
    for (name, picture) in &pictures {
        let angle = angle_error(points, picture.view(), &neighbors, RowSample::All)?.value;
        let apart = procrustes(truth.view(), picture.view(), Reflection::Allowed)?.residual;
        println!("{name:32} {angle:>11.2}° {apart:>12.5}");
        titled.push((format!("{name}: angles off by {angle:.1}°"), picture));
    }
    let report = direct.report();
    let spectrum: Vec<String> = report.spectrum.iter().take(4).map(|v| format!("{v:.3}")).collect();
    println!("\nspectrum of the convex solution: {} (three: the hemisphere itself)", spectrum.join(" "));
    if let Some(solution) = &report.convex {
        println!(
            "its loss: {:.3e}, proven to be at most {:.1e} above the smallest, after {} estimates",
            solution.certificate.value,
            solution.certificate.gap(),
            solution.estimates
        );
    }
    let profile: Vec<String> = report.rank_profile.iter().map(|v| format!("{v:.1e}")).collect();
    println!("least loss at rank 1, 2, 3, 4: {}", profile.join(" "));
    println!("the local scale varies by {:.2} of its mean: no picture keeps lengths", report.scale_variation);

    if let Some(path) = std::env::args().nth(1) {
        std::fs::write(&path, svg(&titled, points, truth.view())?)?;
        println!("\n{path}");
    }
    Ok(())
}

/// The pictures side by side, each laid onto the truth; the color is the height.
fn svg(pictures: &[(String, &PointSet)], points: Points<'_>, truth: Points<'_>) -> Result<String, Error> {
    let (side, margin) = (320.0, 30.0);
    let reach = truth.values().iter().fold(0.0_f64, |most, v| most.max(v.abs())) * 1.15;
    let width = side * pictures.len() as f64;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{}\" font-family=\"sans-serif\" \
         font-size=\"14\" text-anchor=\"middle\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        side + margin
    );
    for (column, (name, picture)) in pictures.iter().enumerate() {
        let laid = align_to(truth, picture.view(), Reflection::Allowed)?;
        let left = side * column as f64;
        let _ = writeln!(out, "<text x=\"{}\" y=\"20\">{name}</text>", left + side / 2.0);
        for i in 0..points.len() {
            let place = |v: f64| side / 2.0 * (1.0 + v / reach);
            let (x, y) = (left + place(laid[(i, 0)]), margin + side - place(laid[(i, 1)]));
            let hue = 260.0 - 220.0 * points.row(i)[2];
            let _ = writeln!(
                out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.2\" fill=\"hsl({hue:.0},75%,45%)\"/>"
            );
        }
    }
    out.push_str("</svg>\n");
    Ok(out)
}
