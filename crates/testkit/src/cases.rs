//! The point sets on which every method is tested.

use embedding::implement::squared_distance;
use embedding::{PointSet, Points};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Points and a class for each, for supervised methods.
#[derive(Clone, Debug)]
pub struct Case {
    /// The points.
    pub points: PointSet,
    /// A class per point: the quarter of the order along the first axis.
    pub labels: Vec<u32>,
}

impl Case {
    /// Points by rows, with classes.
    pub fn new(rows: Vec<Vec<f64>>) -> Self {
        let (n, dim) = (rows.len(), rows[0].len());
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&a, &b| rows[a][0].total_cmp(&rows[b][0]).then(a.cmp(&b)));
        let mut labels = vec![0; n];
        for (place, &i) in order.iter().enumerate() {
            labels[i] = (4 * place / n) as u32;
        }
        Self { points: PointSet::new(rows.concat(), dim).expect("cases are finite and not empty"), labels }
    }

    /// A view of the points.
    pub fn view(&self) -> Points<'_> {
        self.points.view()
    }

    /// The Euclidean distances between all points, n × n, row by row.
    pub fn distances(&self) -> Vec<f64> {
        distances(self.view(), self.view())
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Always false.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Applies `map` to every row; the classes stay.
    pub fn mapped(&self, map: impl Fn(&[f64]) -> Vec<f64>) -> Self {
        let rows: Vec<Vec<f64>> = self.view().rows().map(map).collect();
        let dim = rows[0].len();
        let points = PointSet::new(rows.concat(), dim).expect("mapped cases are finite");
        Self { points, labels: self.labels.clone() }
    }

    /// The rows with the given indices, in that order, with their classes.
    pub fn select(&self, rows: &[u32]) -> Self {
        Self {
            points: self.view().select(rows),
            labels: rows.iter().map(|&i| self.labels[i as usize]).collect(),
        }
    }

    /// The first `n` rows.
    pub fn first(&self, n: usize) -> Self {
        self.select(&(0..n as u32).collect::<Vec<_>>())
    }
}

/// The Euclidean distances from each row of `from` to each row of `to`, row by row.
pub fn distances(from: Points<'_>, to: Points<'_>) -> Vec<f64> {
    from.rows().flat_map(|a| to.rows().map(move |b| squared_distance(a, b).sqrt())).collect()
}

fn generator(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

fn uniform(rng: &mut ChaCha8Rng) -> f64 {
    rng.random_range(0.0..1.0)
}

/// A gently rolled sheet in three dimensions: two-dimensional, connected, without ties or symmetry.
pub fn sheet(n: usize, seed: u64) -> Case {
    let mut rng = generator(seed);
    Case::new(
        (0..n)
            .map(|_| {
                let (u, v) = (uniform(&mut rng), uniform(&mut rng));
                let angle = 0.3 + 2.2 * u;
                vec![2.0 * angle.cos(), 1.5 * v + 0.1 * u * v, 2.0 * angle.sin()]
            })
            .collect(),
    )
}

/// A curved two-dimensional sheet in `dim` dimensions: each column is a plane plus two waves.
pub fn sheet_in(dim: usize, n: usize, seed: u64) -> Case {
    let mut rng = generator(seed);
    let row = |_| {
        let (u, v) = (2.0 * uniform(&mut rng), 1.5 * uniform(&mut rng));
        let place = |j: usize| {
            let t = j as f64 * GOLDEN_ANGLE;
            let (a, b) = (1.0 + 0.3 * (j % 7) as f64, 1.0 + 0.3 * (j % 5) as f64);
            t.cos() * u + t.sin() * v + 0.3 * (a * u + t).sin() + 0.3 * (b * v + 2.0 * t).cos()
        };
        (0..dim).map(place).collect()
    };
    Case::new((0..n).map(row).collect())
}

/// Multiples of it are spread evenly over the circle.
const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;

/// Two sheets far from each other, rows interleaved; 60 points in the first and
/// 45 in the second. [`second_of_two`] distinguishes them.
pub fn two_sheets(seed: u64) -> Case {
    let (first, second) = (sheet(60, seed), sheet(45, seed + 1));
    let (mut a, mut b) = (first.view().rows(), second.view().rows());
    let rows = (0..105)
        .map(|i| {
            if second_of_two(i) {
                let row = b.next().expect("45 rows of the second sheet");
                vec![row[0] + 500.0, row[1] - 300.0, row[2]]
            } else {
                a.next().expect("60 rows of the first sheet").to_vec()
            }
        })
        .collect();
    Case::new(rows)
}

/// Whether row `i` of [`two_sheets`] lies on the second one.
pub fn second_of_two(i: usize) -> bool {
    i % 7 % 2 == 1
}

/// `n` points in `dim` dimensions, uniform in a box with unequal sides.
pub fn cloud(n: usize, dim: usize, seed: u64) -> Case {
    let mut rng = generator(seed);
    let side = |j: usize| 1.0 + 1.0 / (1 + j) as f64;
    Case::new((0..n).map(|_| (0..dim).map(|j| side(j) * uniform(&mut rng)).collect()).collect())
}

/// `n` copies of one point.
pub fn constant(n: usize, dim: usize) -> Case {
    Case::new(vec![(0..dim).map(|j| 0.1 * (1 + j) as f64).collect(); n])
}

/// Points along a straight line, unevenly spaced.
pub fn collinear(n: usize, dim: usize, seed: u64) -> Case {
    let mut rng = generator(seed);
    Case::new(
        (0..n)
            .map(|_| {
                let t = uniform(&mut rng);
                (0..dim).map(|j| 0.3 + (1.0 + 0.5 * j as f64) * t).collect()
            })
            .collect(),
    )
}

/// A sheet whose points all occur `copies` times, one after the other.
pub fn copied(distinct: usize, copies: usize, seed: u64) -> Case {
    let base = sheet(distinct, seed);
    base.select(&(0..distinct * copies).map(|i| (i / copies) as u32).collect::<Vec<_>>())
}

/// A sheet with one of its points repeated `copies` more times at the end.
pub fn one_repeated(distinct: usize, copies: usize, seed: u64) -> Case {
    let rows: Vec<u32> = (0..distinct as u32).chain(std::iter::repeat_n(3, copies)).collect();
    sheet(distinct, seed).select(&rows)
}

/// An integer grid of `a` × `b` points: almost every distance is tied.
pub fn grid(a: usize, b: usize) -> Case {
    Case::new((0..a * b).map(|i| vec![(i / b) as f64, (i % b) as f64, 0.0]).collect())
}

/// A fixed shuffling of 0..n.
pub fn shuffled(n: usize, seed: u64) -> Vec<u32> {
    let mut rng = generator(seed);
    let mut order: Vec<u32> = (0..n as u32).collect();
    for i in (1..n).rev() {
        order.swap(i, rng.random_range(0..=i));
    }
    order
}

/// Rotates three-dimensional rows about a skew axis.
pub fn rotated(row: &[f64]) -> Vec<f64> {
    let plane = |p: f64, q: f64, angle: f64| {
        let (sin, cos) = angle.sin_cos();
        (cos * p - sin * q, sin * p + cos * q)
    };
    let (x, y) = plane(row[0], row[1], 0.7);
    let (y, z) = plane(y, row[2], 1.9);
    let (x, z) = plane(x, z, -0.4);
    vec![x, y, z]
}

#[cfg(test)]
mod tests {
    use super::*;
    use neighbor_graph::NeighborSearch;

    fn components(case: &Case, k: usize) -> Vec<usize> {
        let neighbors =
            NeighborSearch::nearest(k).find(case.view()).expect("k is below the number of points");
        neighbor_graph::components(&neighbors).sizes
    }

    #[test]
    fn a_sheet_is_connected_and_two_are_two() {
        for seed in 0..4 {
            assert_eq!(components(&sheet(120, seed), 8), [120]);
        }
        assert_eq!(components(&two_sheets(1), 8), [60, 45]);
        assert_eq!((0..105).filter(|&i| second_of_two(i)).count(), 45);
    }

    #[test]
    fn copied_rows_are_equal_to_their_originals() {
        let case = copied(10, 8, 1);
        assert_eq!(case.len(), 80);
        assert_eq!(case.view().row(8), case.view().row(15));
        assert_ne!(case.view().row(7), case.view().row(8));
        assert_eq!(components(&case, 5).len(), 10);
    }

    #[test]
    fn rotation_keeps_lengths() {
        let (before, after) = ([1.0, -2.0, 0.5], rotated(&[1.0, -2.0, 0.5]));
        let length = |r: &[f64]| r.iter().map(|v| v * v).sum::<f64>();
        assert!((length(&before) - length(&after)).abs() < 1e-14);
    }
}
