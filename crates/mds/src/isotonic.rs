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
    let mut pool = Pool::default();
    for (&mean, &mass) in values.iter().zip(weights) {
        pool.push(Block { mean, mass, length: 1 });
    }
    pool.blocks.iter().flat_map(|block| std::iter::repeat_n(block.mean, block.length)).collect()
}

/// Neighbors in a sequence that share one value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub(crate) mean: f64,
    /// Their weights together.
    pub(crate) mass: f64,
    pub(crate) length: usize,
}

/// Blocks with ascending means: the regression of all that was pushed. The
/// regression of a sequence is that of the regressions of its parts.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    pub(crate) blocks: Vec<Block>,
}

impl Pool {
    /// Appends values that are equal or already pooled.
    pub(crate) fn push(&mut self, mut block: Block) {
        while let Some(last) = self.blocks.last() {
            if last.mean < block.mean {
                break;
            }
            let mass = last.mass + block.mass;
            // A mean of equals is exactly that, whatever their weights.
            let mean = if last.mean == block.mean {
                last.mean
            } else {
                (last.mass * last.mean + block.mass * block.mean) / mass
            };
            block = Block { mean, mass, length: last.length + block.length };
            self.blocks.pop();
        }
        self.blocks.push(block);
    }
}
