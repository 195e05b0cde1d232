//! Potentials of the diffused probabilities, and their distances.

use embedding::implement::squared_distance;
use embedding::{DistanceMatrix, Error};
use faer::MatRef;
use mds::Dissimilarities;
use rayon::prelude::*;

use crate::triangle::symmetric_product;

/// Added to probabilities before the logarithm.
const FLOOR: f64 = 1e-7;

/// Squared distances below this part of the squared norms are computed from differences: rounding of the
/// inner products would exceed n ε 10⁴ of them.
const CANCELLED: f64 = 1e-4;

/// The potential of a probability: −ln(p + 1e-7) for γ = 1, and 2/(1 − γ) p^((1 − γ)/2)
/// below.
pub(crate) fn potential(p: f64, gamma: f64) -> f64 {
    if gamma >= 1.0 { -(p + FLOOR).ln() } else { 2.0 / (1.0 - gamma) * p.powf((1.0 - gamma) / 2.0) }
}

/// The Euclidean distances between the potentials of the rows of Pᵗ = D^−½ Sᵗ D^½; `power` has the rows
/// of Sᵗ. m³/2 multiplications for the inner products. `advance` is called while they are computed.
///
/// Fails with [`Error::Degenerate`] where all rows are equal to rounding.
pub(crate) fn distances(
    power: Vec<f64>,
    roots: &[f64],
    gamma: f64,
    advance: &mut dyn FnMut() -> Result<(), Error>,
) -> Result<Dissimilarities, Error> {
    let m = roots.len();
    let mut potentials = power;
    potentials.par_chunks_exact_mut(m).zip(roots).for_each(|(row, own)| {
        row.iter_mut().zip(roots).for_each(|(s, root)| *s = potential(*s * root / own, gamma));
    });
    let largest = potentials.par_iter().map(|u| u.abs()).reduce(|| 0.0, f64::max);
    let between = euclidean(potentials, m, advance)?;
    let farthest = between[..m].iter().copied().fold(0.0, f64::max);
    // Each potential carries the rounding of a sum of m terms.
    let rounding = f64::EPSILON * m as f64 * largest * (m as f64).sqrt();
    if farthest <= rounding {
        return Err(Error::degenerate(
            format!("after the diffusion all points have the same probabilities (distance {farthest:e})"),
            "use a smaller time, fewer neighbors, or a larger decay",
        ));
    }
    let matrix = DistanceMatrix::from_mat(MatRef::from_column_major_slice(&between, m, m))?;
    Ok(Dissimilarities::from_given(matrix))
}

/// The distances between m rows of m numbers, from their inner products after their mean is subtracted.
fn euclidean(
    mut rows: Vec<f64>,
    m: usize,
    advance: &mut dyn FnMut() -> Result<(), Error>,
) -> Result<Vec<f64>, Error> {
    let mut mean = vec![0.0; m];
    rows.chunks_exact(m).for_each(|row| mean.iter_mut().zip(row).for_each(|(sum, u)| *sum += u));
    mean.iter_mut().for_each(|sum| *sum /= m as f64);
    rows.par_chunks_exact_mut(m).for_each(|row| row.iter_mut().zip(&mean).for_each(|(u, mean)| *u -= mean));
    let columns = MatRef::from_column_major_slice(&rows, m, m);
    let mut between =
        symmetric_product(columns.transpose(), |j, count| columns.subcols(j, count).to_owned(), advance)?;
    let norms: Vec<f64> = (0..m).map(|i| between[i * m + i]).collect();
    let row = |i: usize| &rows[i * m..][..m];
    between.par_chunks_exact_mut(m).enumerate().for_each(|(i, products)| {
        for (j, (product, norm)) in products.iter_mut().zip(&norms).enumerate() {
            let norms = norms[i] + norm;
            let squared = norms - 2.0 * *product;
            *product = match squared < CANCELLED * norms {
                _ if i == j => 0.0,
                true => squared_distance(row(i), row(j)).sqrt(),
                false => squared.sqrt(),
            };
        }
    });
    Ok(between)
}

#[cfg(test)]
mod tests {
    use super::{CANCELLED, euclidean, potential};
    use embedding::implement::squared_distance;

    #[test]
    fn the_forms_are_those_of_the_paper() {
        assert_eq!(potential(0.25, -1.0), 0.25);
        assert_eq!(potential(0.25, 0.0), 1.0);
        assert!((potential(0.25, 1.0) - 4_f64.ln()).abs() < 1e-6);
        assert!((potential(0.0, 1.0) - 7.0 * 10_f64.ln()).abs() < 1e-14);
    }

    /// Rows far from the origin, in pairs: near, nearer than inner products tell, and equal.
    #[test]
    fn distances_are_those_of_differences() {
        let m = 150;
        let apart = [0.0, 1e-1, 1e-4, 1e-9];
        let entry = |i: usize, j: usize| 16.0 + ((i / 2 * 31 + j * j) as f64).sin();
        let moved = |i: usize, j: usize| ((3 * i + j) as f64).cos() * apart[i / 2 % 4] * (i % 2) as f64;
        let rows: Vec<f64> = (0..m * m).map(|e| entry(e / m, e % m) + moved(e / m, e % m)).collect();
        let got = euclidean(rows.clone(), m, &mut || Ok(())).expect("not cancelled");
        for (i, j) in (0..m).flat_map(|i| (0..m).map(move |j| (i, j))) {
            let expected = squared_distance(&rows[i * m..][..m], &rows[j * m..][..m]).sqrt();
            // Differences of centered rows, and inner products of them.
            let rounding = f64::EPSILON * (m as f64 / CANCELLED * expected + 32.0 * (m as f64).sqrt());
            assert!((got[i * m + j] - expected).abs() <= rounding, "{i}, {j}: {expected:e}");
            assert_eq!(got[i * m + j], got[j * m + i]);
        }
    }
}
