//! Shortcut edges found and missed on manifolds with known coordinates, and false alarms,
//! over 20 seeds each: the table in the documentation of `neighbor_graph::shortcuts::find_shortcuts`.
#![expect(clippy::print_stdout, reason = "an example prints")]

use datasets::{Request, load};
use embedding::{Error, Input};
use neighbor_graph::{
    NeighborSearch,
    shortcuts::{find_shortcuts, true_shortcuts},
};

const SEEDS: u64 = 20;
const K: usize = 10;
const STRETCH: f64 = 5.0;

/// Manifolds, each with a noise of about a third of the median neighbor distance at 1,000
/// points.
const MANIFOLDS: [(&str, f64); 9] = [
    ("swiss-roll", 0.3),
    ("swiss-roll-hole", 0.3),
    ("s-curve", 0.02),
    ("helix", 0.01),
    ("toroidal-helix", 0.02),
    ("trefoil", 0.02),
    ("torus", 0.05),
    ("curled-box", 0.1),
    ("hypercube", 0.05),
];

/// Graphs without a true shortcut, and how many of them had an edge reported as one.
#[derive(Default)]
struct Sound {
    graphs: usize,
    alarms: usize,
}

fn main() -> Result<(), Error> {
    let mut sound = Sound::default();
    println!("| manifold | n | noise | true | found | false | graphs with a false one |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for (name, noise) in MANIFOLDS {
        for n in [400, 600, 1000] {
            for noise in [0.0, noise] {
                row(name, n, noise, &mut sound)?;
            }
        }
    }
    println!("\nOf {} graphs without a true shortcut, {} gave an alarm.", sound.graphs, sound.alarms);
    Ok(())
}

fn row(name: &str, n: usize, noise: f64, total: &mut Sound) -> Result<(), Error> {
    let (mut known, mut hit, mut wrong, mut graphs) = (0, 0, 0, 0);
    for seed in 0..SEEDS {
        let data = load(name, &Request { n: Some(n), seed, noise, ..Request::default() })?;
        let points = data.points.view();
        let lists = NeighborSearch::nearest(K).find(points)?;
        let truth = data.truth.as_ref().expect("these sets have true coordinates").view();
        let jumps = true_shortcuts(&lists, truth)?;
        let found = find_shortcuts(&Input::from(points), &lists, STRETCH)?;
        let sound = found.iter().filter(|edge| !jumps.contains(edge)).count();
        known += jumps.len();
        hit += found.len() - sound;
        wrong += sound;
        graphs += usize::from(sound > 0);
        if jumps.is_empty() {
            total.graphs += 1;
            total.alarms += usize::from(sound > 0);
        }
    }
    println!("| {name} | {n} | {noise} | {known} | {hit} | {wrong} | {graphs} |");
    Ok(())
}
