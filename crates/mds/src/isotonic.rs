//! Isotonic regression.

/// Computes the monotonically increasing sequence x that minimizes Σ w (v − x)², by the
/// pool adjacent violators algorithm. Weights must be positive. O(n).
///
/// ```
/// let fit = mds::steps::isotonic_regression(&[1.0, 3.0, 2.0, 4.0], &[1.0; 4]);
/// assert_eq!(fit, [1.0, 2.5, 2.5, 4.0]);
/// ```
///
/// Reference: Kruskal (1964), doi:10.1007/BF02289694.
pub fn isotonic_regression(values: &[f64], weights: &[f64]) -> Vec<f64> {
    assert_eq!(values.len(), weights.len(), "one weight per value");
    let values: Vec<(f64, f64)> = values.iter().copied().zip(weights.iter().copied()).collect();
    Pool::of(&values, |pair| *pair)
        .blocks
        .iter()
        .flat_map(|block| std::iter::repeat_n(block.mean, block.length))
        .collect()
}

/// Consecutive values with the same fitted value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub(crate) mean: f64,
    /// Sum of their weights.
    pub(crate) mass: f64,
    pub(crate) length: usize,
}

/// The isotonic regression of the values added so far, as blocks of increasing means. The
/// regression of a sequence can be computed from the regressions of its parts.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    pub(crate) blocks: Vec<Block>,
}

/// Values per group of the coarse first pass.
const COARSE: usize = 32;

impl Pool {
    /// Computes the isotonic regression of weighted values. O(n), with few unpredictable
    /// branches.
    ///
    /// In the diagram of cumulative sums against cumulative weights, blocks end at the
    /// vertices of the greatest convex minorant. The minorant of a subset of the diagram's points (the coarse
    /// pass) lies above the minorant of all points, so a point not below the coarse minorant is not a vertex.
    pub(crate) fn of<T>(items: &[T], weighted: impl Fn(&T) -> (f64, f64)) -> Self {
        let mut coarse = Self::default();
        for group in items.chunks(COARSE) {
            let (mut sum, mut mass) = (0.0, 0.0);
            for (value, weight) in group.iter().map(&weighted) {
                sum += weight * value;
                mass += weight;
            }
            coarse.push(Block { mean: sum / mass, mass, length: group.len() });
        }
        let (mut pool, mut rest) = (Self::default(), items);
        for Block { mean, length, .. } in coarse.blocks {
            let (own, later) = rest.split_at(length);
            rest = later;
            // Height of the diagram above the coarse minorant.
            let mut above = 0.0;
            let (mut sum, mut mass, mut first) = (0.0, 0.0, 0);
            for (i, item) in own.iter().enumerate() {
                let (value, weight) = weighted(item);
                sum += weight * value;
                mass += weight;
                above += weight * (value - mean);
                if above < 0.0 || i + 1 == length {
                    // Exact for a single value.
                    let mean = if i == first { value } else { sum / mass };
                    pool.push(Block { mean, mass, length: i + 1 - first });
                    (sum, mass, first) = (0.0, 0.0, i + 1);
                }
            }
        }
        pool
    }

    /// Appends equal or already pooled values.
    pub(crate) fn push(&mut self, mut block: Block) {
        while let Some(last) = self.blocks.last() {
            if last.mean < block.mean {
                break;
            }
            let mass = last.mass + block.mass;
            // Exact for equal means, whatever their weights.
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
