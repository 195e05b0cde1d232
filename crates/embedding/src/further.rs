//! Eigenvalues beyond those behind an embedding.

/// The eigenvalues after `own`, the eigenvalues behind the coordinates. They are read from the
/// last of the solved eigenproblems ([`Observer::spectrum`](crate::Observer::spectrum)) that
/// begins with a multiple of `own`, and are scaled by the same factor: a method may scale its
/// eigenvalues. A single eigenvalue is a multiple of any other, so among several problems it
/// identifies its own only without a factor. Empty where no such eigenproblem has more
/// eigenvalues.
///
/// ```
/// assert_eq!(embedding::implement::eigenvalues_beyond(&[2.0, 4.0], &[vec![0.5, 1.0, 1.5]]), [6.0]);
/// ```
pub fn eigenvalues_beyond(own: &[f64], solved: &[Vec<f64>]) -> Vec<f64> {
    let Some(largest) = own.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs())) else {
        return Vec::new();
    };
    let factor = |values: &Vec<f64>| {
        let same = values.get(..own.len()).filter(|_| values.len() > own.len())?;
        let at = own.iter().position(|v| *v == largest)?;
        let factor = largest / same[at];
        let near = |(v, w): (&f64, &f64)| (v - factor * w).abs() <= 1e-9 * largest.abs();
        let told = own.len() > 1 || solved.len() == 1 || (factor - 1.0).abs() <= 1e-9;
        (told && factor != 0.0 && factor.is_finite() && own.iter().zip(same).all(near)).then_some(factor)
    };
    let found = solved.iter().rev().find_map(|values| Some((factor(values)?, values)));
    found.map(|(factor, values)| values[own.len()..].iter().map(|v| factor * v).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::eigenvalues_beyond;

    #[test]
    fn eigenvalues_are_extended_by_those_of_the_same_problem() {
        let solved = [vec![7.0, 5.0, 3.0], vec![0.5, 1.0, 1.5, 4.0], vec![9.0]];
        assert_eq!(eigenvalues_beyond(&[2.0, 4.0], &solved), [6.0, 16.0]);
        assert_eq!(eigenvalues_beyond(&[2.0, 5.0], &solved), [0.0; 0]);
        assert_eq!(eigenvalues_beyond(&[2.0, 4.0, 6.0, 16.0], &solved), [0.0; 0]);
        assert_eq!(eigenvalues_beyond(&[], &solved), [0.0; 0]);
        assert_eq!(eigenvalues_beyond(&[7.0], &solved), [5.0, 3.0]);
        assert_eq!(eigenvalues_beyond(&[14.0], &solved), [0.0; 0]);
        assert_eq!(eigenvalues_beyond(&[14.0], &solved[..1]), [10.0, 6.0]);
        assert_eq!(eigenvalues_beyond(&[0.0, 0.0], &[vec![0.0, 0.0, 1.0]]), [0.0; 0]);
        assert_eq!(eigenvalues_beyond(&[0.0, 0.0], &[vec![5.0, 3.0, 1.0]]), [0.0; 0]);
    }
}
