//! What the weights of locally linear embedding know: given the true positions
//! of 15, 10 and 5 points of a Swiss roll, they place the other 1,985 and more.
//!
//! `cargo run -p compare --example landmarks` writes `landmarks.png`.

#![expect(clippy::print_stdout, reason = "an example speaks on stdout")]
use embedding::implement::squared_distance;
use embedding::{Error, Points, Silent};
use figure::{
    landmarks::{Reconstruction, landmarks_scene},
    paint::Paint,
    png,
};
use neighbor_graph::NeighborSearch;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let data = datasets::generate("swiss-roll", 2000, 0)?;
    let truth = data.truth.as_ref().ok_or("the roll has no true coordinates")?.view();
    let points = data.points.view();
    let neighbors = NeighborSearch::nearest(10).find(points)?;
    let weights = swissroll::lle::steps::weights(points, &neighbors, 1e-3, &Silent)?;
    let reconstruct = |count: usize| {
        let landmarks = far_apart(truth, count);
        let positions = truth.select(&landmarks);
        let all = swissroll::lle::steps::reconstruct_from_landmarks(
            &weights,
            &landmarks,
            positions.view(),
            Default::default(),
            &Silent,
        )?;
        Ok::<_, Error>((format!("from {count} landmarks"), landmarks, all))
    };
    let reconstructions = [15, 10, 5].into_iter().map(reconstruct).collect::<Result<Vec<_>, _>>()?;
    let mut panels = vec![Reconstruction { title: "the truth", landmarks: &[], coordinates: truth.as_mat() }];
    panels.extend(reconstructions.iter().map(|(title, landmarks, all)| Reconstruction {
        title,
        landmarks,
        coordinates: all.as_ref(),
    }));
    for (title, _, all) in &reconstructions {
        let points = embedding::PointSet::from_mat(all.as_ref())?;
        let residual =
            quality::shape::procrustes(truth, points.view(), quality::shape::Reflection::Allowed)?.residual;
        println!("{title}: Procrustes residual {residual:.4}");
    }
    std::fs::write("landmarks.png", png(&landmarks_scene(&panels, &Paint::of(&data)), 1.5)?)?;
    println!("landmarks.png");
    Ok(())
}

/// Begins with the first point, then takes the one farthest from all taken.
fn far_apart(points: Points<'_>, count: usize) -> Vec<u32> {
    let mut taken = vec![0_u32];
    while taken.len() < count {
        let nearest = |row: &[f64]| {
            let distance = |&i: &u32| squared_distance(points.row(i as usize), row);
            taken.iter().map(distance).fold(f64::INFINITY, f64::min)
        };
        let distances: Vec<f64> = points.rows().map(nearest).collect();
        let farthest = (0..points.len()).max_by(|&a, &b| distances[a].total_cmp(&distances[b]));
        taken.push(farthest.unwrap_or(0) as u32);
    }
    taken
}
