//! The pairs of points of a surface that attract or repel each other in a step.

use crate::edges::Visits;
use crate::negative_samples::draw;
use crate::pairs::{Acting, LONGEST, damp};

use super::{Curved, Place, plus, squared_length, times};

/// The longest step of a point.
const LONGEST_STEP: f64 = 1.0;

/// Visits of edges and working memory, as [`Pairs`](crate::pairs::Pairs) for the plane: a plain loop in double
/// precision, without vectors of registers.
#[derive(Default)]
pub(crate) struct Pulled {
    pub(crate) visits: Visits,
    drawn: Vec<u32>,
    /// Vectors toward the other points, visit by visit.
    toward: Vec<Place>,
    /// Squared distances, then factors: of the pulls, and of the pushes by one random point each.
    pulls: Vec<f32>,
    pushes: Vec<f32>,
    /// Sums of the forces of each moving point.
    sums: Vec<Place>,
}

/// One step of some points.
#[derive(Clone, Copy)]
pub(crate) struct Turn<'a> {
    pub(crate) curved: Curved,
    pub(crate) acting: Acting,
    /// Positions of all points.
    pub(crate) map: &'a [f32],
    pub(crate) rate: f64,
}

impl Pulled {
    /// Moves the points that are at `here` along the forces of the visits.
    ///
    /// The gradient of f(s), s the squared distance, is −2 f′(s) times the vector toward the other point: the
    /// forces of the plane, with this vector as the difference. The length of each has the bound that a coordinate
    /// has in the plane.
    pub(crate) fn turn(&mut self, turn: Turn<'_>, here: &[f32], next: &mut [f32]) {
        let Turn { curved, acting, map, rate } = turn;
        let columns = curved.columns();
        let Self { visits, drawn, toward, pulls, pushes, sums } = self;
        let (rows, neighbors) = visits.ends();
        let count = rows.len();
        sums.clear();
        sums.resize(here.len() / columns, [0.0; 4]);
        look(curved, (here, map), (rows, neighbors), toward, pulls);
        acting.forces.attract(pulls);
        add(f64::from(acting.pull), (rows, toward, pulls), sums);
        drawn.resize(count, 0);
        for negative in 0..acting.negatives {
            draw(acting.key, (negative * count) as u32, map.len() / columns, drawn);
            look(curved, (here, map), (rows, drawn), toward, pushes);
            acting.forces.repel(pushes);
            add(-1.0, (rows, toward, pushes), sums);
        }
        damp(rows, pulls, acting.pull * rate as f32, |row, strength| {
            sums[row] = times(1.0 / f64::from(strength), &sums[row]);
        });
        for ((next, here), sum) in next.chunks_exact_mut(columns).zip(here.chunks_exact(columns)).zip(&*sums)
        {
            let length = rate * squared_length(sum).sqrt();
            let bounded = if length > LONGEST_STEP { LONGEST_STEP / length } else { 1.0 };
            let end = curved.moved(&curved.read(here), &times(rate * bounded, sum));
            curved.write(&end, next);
        }
    }
}

/// The vectors toward other points, and their squared lengths.
fn look(
    curved: Curved,
    (here, map): (&[f32], &[f32]),
    (rows, others): (&[u8], &[u32]),
    toward: &mut Vec<Place>,
    squares: &mut Vec<f32>,
) {
    let columns = curved.columns();
    let read = |from: &[f32], at: usize| curved.read(&from[at * columns..][..columns]);
    toward.clear();
    let pairs = rows.iter().zip(others);
    toward
        .extend(pairs.map(|(&row, &j)| curved.toward(&read(here, usize::from(row)), &read(map, j as usize))));
    squares.clear();
    squares.extend(toward.iter().map(|vector| squared_length(vector) as f32));
}

/// Adds `factor` times the forces, which are bounded.
fn add(factor: f64, (rows, toward, forces): (&[u8], &[Place], &[f32]), sums: &mut [Place]) {
    for ((&row, vector), &force) in rows.iter().zip(toward).zip(forces) {
        let force = f64::from(force);
        let length = force * squared_length(vector).sqrt();
        let bounded = if length > f64::from(LONGEST) { f64::from(LONGEST) / length } else { 1.0 };
        let sum = &mut sums[usize::from(row)];
        *sum = plus(sum, &times(factor * force * bounded, vector));
    }
}
