//! Principal directions of one neighborhood.

use embedding::implement::inner_product;
use embedding::implement::unit;

use crate::chart::Chart;
use crate::eigen::Eigen;

/// The origin of a neighborhood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The mean of the members.
    Mean,
    /// The point to which the neighborhood belongs.
    Point,
}

/// The singular value decomposition X = U diag(σ) Vᵀ of one neighborhood at a time, where
/// the rows of X are the differences of the members from the origin. Workspace is reused.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    k: usize,
    /// X, k × D, scaled by a power of two near its largest magnitude.
    x: Vec<f64>,
    mean: Vec<f64>,
    small: Vec<f64>,
    eigen: Eigen,
    order: Vec<usize>,
    /// σ² in descending order, min(k, D) of them, in units of X.
    pub(crate) squares: Vec<f64>,
    /// The first `rank` columns of U, stored consecutively.
    u: Vec<f64>,
    /// The number of σ² above rounding level.
    pub(crate) rank: usize,
}

impl Frame {
    /// Decomposes a neighborhood and forms at most `most` columns of U.
    ///
    /// Uses the smaller of XᵀX and XXᵀ, O(k D min(k, D) + min(k, D)³); directions shorter
    /// than about √(k D eps) of the longest are below rounding level and not counted in
    /// `rank`.
    pub(crate) fn decompose(&mut self, chart: &Chart, origin: Origin, most: usize) {
        let (k, dim) = (chart.len(), chart.dim());
        self.k = k;
        self.shift(chart, origin);
        let m = k.min(dim);
        self.small.resize(m * m, 0.0);
        if dim < k {
            gram_of_columns(&self.x, &mut self.small, dim);
        } else {
            gram_of_rows(&self.x, &mut self.small, dim, k);
        }
        self.eigen.decompose(&mut self.small, m);
        let values = &self.eigen.values;
        self.order.clear();
        self.order.extend(0..m);
        self.order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
        self.squares.clear();
        self.squares.extend(self.order.iter().map(|&j| values[j].max(0.0)));
        let rounding = (k * dim) as f64 * f64::EPSILON * self.squares[0];
        self.rank = self.squares.iter().take_while(|&&s| s > rounding).count();
        self.left_vectors(dim, most);
    }

    /// Returns the number of members, k.
    pub(crate) fn len(&self) -> usize {
        self.k
    }

    /// Returns the number of columns of U that were formed: min(`rank`, `most`).
    pub(crate) fn columns(&self) -> usize {
        self.u.len() / self.k
    }

    /// Returns column j of U, j < [`Frame::columns`].
    pub(crate) fn column(&self, j: usize) -> &[f64] {
        &self.u[j * self.k..(j + 1) * self.k]
    }

    /// Computes X x̄, with x̄ the mean of the members relative to the point, in the units
    /// of `squares`.
    pub(crate) fn inner_with_mean(&self, out: &mut Vec<f64>) {
        out.clear();
        out.extend(self.x.chunks_exact(self.mean.len()).map(|row| inner_product(row, &self.mean)));
    }

    fn shift(&mut self, chart: &Chart, origin: Origin) {
        let (k, dim) = (chart.len(), chart.dim());
        self.x.clear();
        self.x.extend_from_slice(chart.rows());
        self.mean.clear();
        self.mean.resize(dim, 0.0);
        if origin == Origin::Mean {
            for row in self.x.chunks_exact(dim) {
                self.mean.iter_mut().zip(row).for_each(|(m, v)| *m += v);
            }
            self.mean.iter_mut().for_each(|m| *m /= k as f64);
            for row in self.x.chunks_exact_mut(dim) {
                row.iter_mut().zip(&self.mean).for_each(|(v, m)| *v -= m);
            }
        }
        let unit = unit(&self.x);
        self.x.iter_mut().for_each(|v| *v /= unit);
        self.mean.iter_mut().for_each(|v| *v /= unit);
    }

    fn left_vectors(&mut self, dim: usize, most: usize) {
        let k = self.k;
        self.u.clear();
        for j in 0..self.rank.min(most) {
            let vector = self.eigen.vector(self.order[j]);
            if dim < k {
                self.u.extend(self.x.chunks_exact(dim).map(|row| inner_product(row, vector)));
            } else {
                self.u.extend_from_slice(vector);
            }
            let (before, own) = self.u.split_at_mut(j * k);
            orthonormalize(before, own);
        }
    }
}

/// Removes from `own` its components along the orthonormal columns `before` (each of the
/// same length) and normalizes it. Returns the norm of the remainder; zero for a zero
/// column.
pub(crate) fn orthonormalize(before: &[f64], own: &mut [f64]) -> f64 {
    for column in before.chunks_exact(own.len()) {
        let along = inner_product(column, own);
        own.iter_mut().zip(column).for_each(|(v, q)| *v -= along * q);
    }
    let norm = inner_product(own, own).sqrt();
    if norm > 0.0 {
        own.iter_mut().for_each(|v| *v /= norm);
    }
    norm
}

fn gram_of_columns(x: &[f64], out: &mut [f64], dim: usize) {
    out.fill(0.0);
    for row in x.chunks_exact(dim) {
        for (line, a) in out.chunks_exact_mut(dim).zip(row) {
            line.iter_mut().zip(row).for_each(|(o, b)| *o += a * b);
        }
    }
}

fn gram_of_rows(x: &[f64], out: &mut [f64], dim: usize, k: usize) {
    for (a, row) in x.chunks_exact(dim).enumerate() {
        for (b, other) in x.chunks_exact(dim).take(a + 1).enumerate() {
            let inner = inner_product(row, other);
            out[a * k + b] = inner;
            out[b * k + a] = inner;
        }
    }
}

#[cfg(test)]
mod tests {
    use embedding::Points;

    use super::*;

    #[test]
    fn directions_below_rounding_are_not_counted() {
        // On a line and on a plane, with more columns than members and with fewer.
        for (k, dim) in [(12_usize, 20_usize), (20, 12)] {
            for rank in [1, 2] {
                let direction = |r: usize, c: usize| ((3 * c + 7 * r) as f64).sin() * 100.0;
                let row = |i: usize| {
                    (0..dim).map(move |c| {
                        (0..rank).map(|r| ((i + 5 * r) as f64).cos() * direction(r, c)).sum::<f64>()
                    })
                };
                let rows: Vec<f64> = (0..k).flat_map(row).collect();
                let mut chart = Chart::default();
                let members: Vec<u32> = (0..k as u32).collect();
                chart.differences(Points::new(&rows, dim).expect("finite"), &vec![1.0; dim], &members);
                let mut frame = Frame::default();
                frame.decompose(&chart, Origin::Mean, 5);
                assert_eq!((frame.rank, frame.columns()), (rank, rank), "{k} {dim}");
            }
        }
    }

    /// The frame of rows relative to 0.
    fn frame_of(rows: &[f64], dim: usize) -> (Frame, Chart) {
        let (mut chart, mut frame) = (Chart::default(), Frame::default());
        let members: Vec<u32> = (0..(rows.len() / dim) as u32).collect();
        chart.differences(Points::new(rows, dim).expect("finite"), &vec![0.0; dim], &members);
        frame.decompose(&chart, Origin::Point, dim);
        (frame, chart)
    }

    /// |Xᵀu|² = σ², whether columns or members are more.
    #[test]
    fn columns_are_left_singular_vectors() {
        let rows: Vec<f64> = (0..20).map(|e| ((e * e + 3 * e) as f64).sin()).collect();
        for dim in [2, 4, 5] {
            let (frame, chart) = frame_of(&rows[..4 * dim], dim);
            assert_eq!((frame.rank, frame.len()), (dim.min(4), 4), "{dim}");
            let square = |j: usize| {
                let along = |c: usize| {
                    chart
                        .rows()
                        .iter()
                        .skip(c)
                        .step_by(dim)
                        .zip(frame.column(j))
                        .map(|(x, u)| x * u)
                        .sum::<f64>()
                };
                (0..dim).map(|c| along(c).powi(2)).sum::<f64>()
            };
            for j in 0..frame.columns() {
                let (found, expected) = (square(j) / square(0), frame.squares[j] / frame.squares[0]);
                assert!((found - expected).abs() < 1e-12, "{dim} {j}: {found} {expected}");
            }
        }
    }

    /// √(k D eps) is 3e-7 for k = D = 20.
    #[test]
    fn directions_shorter_than_rounding_of_all_entries_are_not_counted() {
        for (length, rank) in [(2e-7, 1), (4e-7, 2)] {
            let mut rows = vec![0.0; 400];
            (rows[0], rows[21]) = (1.0, length);
            assert_eq!(frame_of(&rows, 20).0.rank, rank, "{length:e}");
        }
    }

    #[test]
    fn members_at_their_point_have_no_direction() {
        let (frame, _) = frame_of(&[0.0; 6], 2);
        assert_eq!((frame.rank, frame.columns()), (0, 0));
        let mut zeros = [0.0; 3];
        assert_eq!(orthonormalize(&[1.0, 0.0, 0.0], &mut zeros), 0.0);
        assert_eq!(zeros, [0.0; 3]);
    }
}
