//! The nearest ascending sequence.

/// The ascending sequence that minimizes Σ w (v − x)², by pooling adjacent
/// violators. Weights must be positive. O(n).
///
/// ```
/// let fit = mds::isotonic_regression(&[1.0, 3.0, 2.0, 4.0], &[1.0; 4]);
/// assert_eq!(fit, [1.0, 2.5, 2.5, 4.0]);
/// ```
///
/// Reference: Kruskal (1964), doi:10.1007/BF02289694.
pub fn isotonic_regression(values: &[f64], weights: &[f64]) -> Vec<f64> {
    assert_eq!(values.len(), weights.len(), "one weight per value");
    // Blocks (mean, weight, length) with ascending means.
    let mut blocks: Vec<(f64, f64, usize)> = Vec::new();
    for (&value, &weight) in values.iter().zip(weights) {
        let mut block = (value, weight, 1);
        while let Some(&(mean, mass, length)) = blocks.last() {
            if mean < block.0 {
                break;
            }
            blocks.pop();
            let total = mass + block.1;
            // A mean of equals is exactly that, whatever their weights.
            let pooled = if mean == block.0 { mean } else { (mass * mean + block.1 * block.0) / total };
            block = (pooled, total, length + block.2);
        }
        blocks.push(block);
    }
    blocks.iter().flat_map(|&(mean, _, length)| std::iter::repeat_n(mean, length)).collect()
}
