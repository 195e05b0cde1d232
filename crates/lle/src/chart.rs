//! Coordinates of one neighborhood, from points or from distances.

use embedding::Points;
use embedding::implement::{PairDistances, unit};

use crate::eigen::Eigen;

/// Coordinates of the members of one neighborhood at a time, relative to its point. Their unit is a power of
/// two near the largest coordinate, so that squares do not overflow at any scale of the data. Memory is
/// reused.
///
/// For points, the differences xⱼ − x. For distances, classical scaling of the (k + 1) × (k + 1) distances
/// between the point and its k members: with S their squares and J = I − 1 1ᵀ/(k + 1), −½ J S J = V Λ Vᵀ and
/// the coordinates are the rows of V Λ^½, relative to the point's row. Eigenvalues that are negative, or
/// positive only by rounding (at most (k + 1)² eps of the largest), are dropped. Euclidean distances lose
/// only directions shorter than about 1e-7 of the longest; other distances lose what no coordinates can
/// represent.
#[derive(Debug, Default)]
pub(crate) struct Chart {
    /// One row per member.
    rows: Vec<f64>,
    dim: usize,
    /// The doubly centered matrix.
    block: Vec<f64>,
    means: Vec<f64>,
    eigen: Eigen,
}

impl Chart {
    /// Computes the coordinates of the members of point `i`. O(k D), or O(k³) for distances.
    pub(crate) fn around(&mut self, distances: PairDistances<'_>, i: usize, members: &[u32]) {
        match distances {
            PairDistances::Points(points) => self.differences(points, points.row(i), members),
            PairDistances::Distances(distances) => {
                let index = |a: usize| if a == 0 { i } else { members[a - 1] as usize };
                self.scale(members.len() + 1, |a, b| distances.get(index(a), index(b)));
            }
        }
    }

    /// The differences of members from `x`.
    pub(crate) fn differences(&mut self, points: Points<'_>, x: &[f64], members: &[u32]) {
        self.dim = x.len();
        self.rows.clear();
        for &j in members {
            self.rows.extend(points.row(j as usize).iter().zip(x).map(|(a, b)| a - b));
        }
        let unit = unit(&self.rows);
        self.rows.iter_mut().for_each(|v| *v /= unit);
    }

    /// Classical scaling of m points by their distances, the rows relative to the first.
    pub(crate) fn scale(&mut self, m: usize, distance: impl Fn(usize, usize) -> f64) {
        self.center_squares(m, distance);
        self.eigen.decompose(&mut self.block, m);
        let values = &self.eigen.values;
        let largest = values.iter().fold(0.0_f64, |l, v| l.max(*v));
        let rounding = (m * m) as f64 * f64::EPSILON * largest;
        let kept = || (0..m).filter(|&j| values[j] > rounding);
        // Points that coincide have one coordinate, zero.
        self.dim = kept().count().max(1);
        self.rows.clear();
        self.rows.resize((m - 1) * self.dim, 0.0);
        for (column, j) in kept().enumerate() {
            let (vector, length) = (self.eigen.vector(j), values[j].sqrt());
            for (row, v) in self.rows.chunks_exact_mut(self.dim).zip(&vector[1..]) {
                row[column] = length * (v - vector[0]);
            }
        }
    }

    /// −½ J S J in squares of a unit near the largest distance.
    fn center_squares(&mut self, m: usize, distance: impl Fn(usize, usize) -> f64) {
        self.block.clear();
        self.block.extend((0..m * m).map(|e| distance(e / m, e % m)));
        let unit = unit(&self.block);
        self.block.iter_mut().for_each(|d| *d = (*d / unit) * (*d / unit));
        self.means.clear();
        self.means.extend(self.block.chunks_exact(m).map(|row| row.iter().sum::<f64>() / m as f64));
        let grand = self.means.iter().sum::<f64>() / m as f64;
        for (row, own) in self.block.chunks_exact_mut(m).zip(&self.means) {
            for (value, mean) in row.iter_mut().zip(&self.means) {
                *value = -0.5 * (*value - (own + mean) + grand);
            }
        }
    }

    /// Whether two members, or the point and a member, coincide up to `rounding` relative to the longest
    /// coordinate. O(k² D).
    pub(crate) fn has_copies(&self, rounding: f64) -> bool {
        let k = self.len();
        let row = |j: usize| &self.rows[j * self.dim..][..self.dim];
        let equal = |a: usize, b: usize| row(a).iter().zip(row(b)).all(|(x, y)| (x - y).abs() <= rounding);
        (0..k).any(|a| row(a).iter().all(|x| x.abs() <= rounding) || (0..a).any(|b| equal(a, b)))
    }

    /// The coordinates, member by member.
    pub(crate) fn rows(&self) -> &[f64] {
        &self.rows
    }

    /// The number of coordinates.
    pub(crate) fn dim(&self) -> usize {
        self.dim
    }

    /// The number of members.
    pub(crate) fn len(&self) -> usize {
        self.rows.len() / self.dim
    }
}

#[cfg(test)]
mod tests {
    use embedding::implement::squared_distance;
    use embedding::{DistanceMatrix, PointSet};

    use super::Chart;

    /// Four points in space; the third repeats the second.
    fn points() -> PointSet {
        let rows = [[0.3, -1.0, 2.0], [1.0, 0.5, 0.25], [1.0, 0.5, 0.25], [-2.0, 0.0, 1.0]];
        PointSet::from_rows(&rows).expect("finite")
    }

    fn matrix(points: &PointSet, power: f64) -> Vec<f64> {
        let rows = || points.view().rows();
        rows().flat_map(|a| rows().map(move |b| squared_distance(a, b).sqrt().powf(power))).collect()
    }

    fn inner_products(chart: &Chart) -> Vec<f64> {
        let rows = || chart.rows().chunks_exact(chart.dim());
        rows().flat_map(|a| rows().map(move |b| a.iter().zip(b).map(|(x, y)| x * y).sum())).collect()
    }

    /// G_jl = ½ (d_ij² + d_il² − d_jl²).
    #[test]
    fn charts_of_points_and_of_distances_have_the_same_inner_products() {
        let points = points();
        let values = matrix(&points, 1.0);
        let distances = DistanceMatrix::new(&values, 4).expect("distances");
        let (mut by_points, mut by_distances) = (Chart::default(), Chart::default());
        by_points.around(points.view().into(), 0, &[1, 2, 3]);
        by_distances.around(distances.into(), 0, &[1, 2, 3]);
        assert_eq!(
            (by_points.dim(), by_distances.dim()),
            (3, 2),
            "three distinct points span two dimensions"
        );
        let square = |i: usize, j: usize| distances.get(i, j).powi(2);
        for found in [inner_products(&by_points), inner_products(&by_distances)] {
            // Both are in units of their own.
            let unit = square(0, 1) / found[0];
            for (at, inner) in found.into_iter().enumerate() {
                let (j, l) = (1 + at / 3, 1 + at % 3);
                let expected = 0.5 * (square(0, j) + square(0, l) - square(j, l));
                assert!((unit * inner - expected).abs() < 1e-13, "{j}, {l}: {inner} and {expected}");
            }
        }
    }

    /// Squared distances are not Euclidean: the negative eigenvalue has no column.
    #[test]
    fn negative_eigenvalues_are_dropped() {
        let line = PointSet::new(vec![0.0, 1.0, 2.0], 1).expect("finite");
        let values = matrix(&line, 2.0);
        let distances = DistanceMatrix::new(&values, 3).expect("distances");
        let mut chart = Chart::default();
        chart.around(distances.into(), 0, &[1, 2]);
        assert_eq!((chart.dim(), chart.len()), (1, 2));
        // −½ J S J has the eigenvalue 8 along (1, 0, −1) and a negative one; the unit is 4.
        let expected = 2.0 / 4.0;
        assert!((chart.rows()[0].abs() - expected).abs() < 1e-14, "{:?}", chart.rows());
        assert!((chart.rows()[1] - 2.0 * chart.rows()[0]).abs() < 1e-14, "{:?}", chart.rows());
    }

    #[test]
    fn points_that_coincide_have_a_chart_of_zeros() {
        let distances = [0.0; 9];
        let mut chart = Chart::default();
        let zeros = DistanceMatrix::new(&distances, 3).expect("distances");
        chart.around(zeros.into(), 1, &[0, 2]);
        assert_eq!((chart.rows(), chart.dim()), (&[0.0, 0.0][..], 1));
    }
}
