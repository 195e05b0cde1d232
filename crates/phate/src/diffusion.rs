//! The diffusion operator of all points, or between landmarks.

use embedding::Error;
use spectral::Sparse;

/// P = D⁻¹ K as the symmetric matrix S = D^−½ K D^−½, which has its eigenvalues, and the
/// roots of the degrees D.
pub(crate) struct Diffusion {
    pub(crate) symmetric: Sparse,
    pub(crate) roots: Vec<f64>,
}

impl Diffusion {
    /// The diffusion between all points: K is the kernel.
    pub(crate) fn of_points(kernel: &Sparse) -> Result<Self, Error> {
        let roots: Vec<f64> = degrees(kernel).iter().map(|d| d.sqrt()).collect();
        let row = |i: usize| {
            let (js, ks) = kernel.row(i);
            js.iter().zip(ks).map(|(&j, k)| (j, k / (roots[i] * roots[j as usize]))).collect()
        };
        let symmetric = Sparse::from_rows(roots.len(), (0..roots.len()).map(row).collect())?;
        Ok(Self { symmetric, roots })
    }

    /// The diffusion between the cells of the points' partition. With C the matrix of memberships, it goes
    /// from a cell to the points by Cᵀ K with rows divided by their sums, and back by D⁻¹ K C. One step is
    /// two steps between points. The second matrix, n × m, is returned too.
    pub(crate) fn of_cells(kernel: &Sparse, cells: &[u32], count: usize) -> Result<(Self, Sparse), Error> {
        let degrees = degrees(kernel);
        let mut masses = vec![0.0; count];
        cells.iter().zip(&degrees).for_each(|(&cell, degree)| masses[cell as usize] += degree);
        let roots: Vec<f64> = masses.iter().map(|m: &f64| m.sqrt()).collect();
        let to_cells = |divisor: &dyn Fn(usize, usize) -> f64| {
            let row = |i: usize| {
                let (js, ks) = kernel.row(i);
                let entry = |(&j, k): (&u32, &f64)| {
                    let cell = cells[j as usize];
                    (cell, k / divisor(i, cell as usize))
                };
                js.iter().zip(ks).map(entry).collect()
            };
            Sparse::from_rows(count, (0..cells.len()).map(row).collect())
        };
        // S = AᵀA with A = D^−½ K C M^−½.
        let half = to_cells(&|i, cell| degrees[i].sqrt() * roots[cell])?;
        Ok((Self { symmetric: half.gram(), roots }, to_cells(&|i, _| degrees[i])?))
    }
}

/// The row sums.
fn degrees(kernel: &Sparse) -> Vec<f64> {
    (0..kernel.nrows()).map(|i| kernel.row(i).1.iter().sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::Diffusion;
    use spectral::Sparse;

    fn kernel() -> Sparse {
        let entry = |i: usize, j: usize| (j as u32, (-(i as f64 - j as f64).powi(2) / 3.0).exp());
        let row = |i: usize| (0..9).filter(|j| i.abs_diff(*j) < 3).map(|j| entry(i, j)).collect();
        Sparse::from_rows(9, (0..9).map(row).collect()).expect("columns below 9")
    }

    /// Rows of D^−½ S D^½.
    fn transitions(diffusion: &Diffusion) -> Vec<Vec<f64>> {
        let Diffusion { symmetric, roots } = diffusion;
        let (m, symmetric) = (roots.len(), symmetric.to_dense());
        let entry = |i: usize, j: usize| symmetric[(i, j)] * roots[j] / roots[i];
        (0..m).map(|i| (0..m).map(|j| entry(i, j)).collect()).collect()
    }

    #[test]
    fn rows_are_probabilities() {
        let cells = [0, 0, 1, 1, 1, 2, 2, 3, 3];
        let (landmarks, spread) = Diffusion::of_cells(&kernel(), &cells, 4).expect("a partition");
        let points = Diffusion::of_points(&kernel()).expect("as many columns as rows");
        for row in transitions(&points).iter().chain(&transitions(&landmarks)) {
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-14);
        }
        for i in 0..9 {
            assert!((spread.row(i).1.iter().sum::<f64>() - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn a_step_between_cells_of_one_point_is_two_steps() {
        let cells: Vec<u32> = (0..9).collect();
        let (landmarks, _) = Diffusion::of_cells(&kernel(), &cells, 9).expect("a partition");
        let points = Diffusion::of_points(&kernel()).expect("as many columns as rows");
        let once = points.symmetric.to_dense();
        assert!((landmarks.symmetric.to_dense() - &once * &once).norm_max() < 1e-15);
    }
}
