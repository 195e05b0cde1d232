//! Sets without a random generator, the same as in the scripts that made the
//! recorded values: multiples of irrational numbers modulo 1.

use embedding::PointSet;

const STEPS: [f64; 4] = [0.7548776662466927, 0.5698402909980532, 0.8191725133961645, 0.6710436067037893];

/// Number `i` (from 1) of sequence `which`, in [0, 1).
pub(crate) fn weyl(i: usize, which: usize) -> f64 {
    (i as f64 * STEPS[which]) % 1.0
}

pub(crate) fn set(n: usize, dim: usize, row: impl Fn(usize) -> Vec<f64>) -> PointSet {
    PointSet::new((1..=n).flat_map(row).collect(), dim).unwrap()
}

/// The cube (u, v, w).
pub(crate) fn cube(n: usize) -> PointSet {
    set(n, 3, |i| vec![weyl(i, 0), weyl(i, 1), weyl(i, 2)])
}

/// The plane (u, v).
pub(crate) fn plane(n: usize) -> PointSet {
    set(n, 2, |i| vec![weyl(i, 0), weyl(i, 1)])
}

/// A skewed view of the cube: (u + 0.3 v², 0.5 v + 0.2 w).
pub(crate) fn view(n: usize) -> PointSet {
    set(n, 2, |i| {
        let (u, v, w) = (weyl(i, 0), weyl(i, 1), weyl(i, 2));
        vec![u + 0.3 * v * v, 0.5 * v + 0.2 * w]
    })
}

/// Four uneven classes: ⌊3u + v⌋.
pub(crate) fn labels(n: usize) -> Vec<u32> {
    (1..=n).map(|i| (3.0 * weyl(i, 0) + weyl(i, 1)) as u32).collect()
}

/// Coordinates that have nothing to do with anything else here.
pub(crate) fn noise(n: usize, dim: usize) -> PointSet {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let values = (0..n * dim)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1_u64 << 53) as f64
        })
        .collect();
    PointSet::new(values, dim).unwrap()
}

/// Every coordinate mapped.
pub(crate) fn mapped(points: &PointSet, map: impl Fn(&[f64]) -> Vec<f64>) -> PointSet {
    let rows: Vec<Vec<f64>> = points.view().rows().map(map).collect();
    let dim = rows[0].len();
    PointSet::new(rows.concat(), dim).unwrap()
}

pub(crate) fn assert_close(got: f64, expected: f64, tolerance: f64) {
    assert!((got - expected).abs() <= tolerance, "got {got:.17}, expected {expected:.17}");
}
