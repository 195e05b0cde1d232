//! Validated matrices of pairwise distances.

use faer::MatRef;
use rayon::prelude::*;

use crate::Error;
use crate::implement::matrix::copy_tile;

/// Independent sums, which the compiler keeps in vector registers.
const LANES: usize = 8;

/// Rows and columns compared together, so that both triangles are read by whole
/// cache lines.
const TILE: usize = 64;

/// Largest difference of two entries that should be equal, relative to the
/// largest entry.
const SLACK: f64 = 1e-12;

/// The distances between all pairs of n points, n × n: symmetric, zero on the diagonal and not negative, each
/// to 1e-12 of the largest, and finite.
///
/// A borrowed view; the checks run once, in the constructors. Rounding errors of the program that computed the
/// distances are read as what they mean: [`DistanceMatrix::get`] is symmetric, zero on the diagonal and not
/// negative to the bit.
///
/// ```
/// use embedding::DistanceMatrix;
/// let distances = DistanceMatrix::new(&[0.0, 3.0, 3.0, 0.0], 2)?;
/// assert_eq!((distances.len(), distances.largest()), (2, 3.0));
/// assert!(DistanceMatrix::new(&[0.0, 3.0, 2.0, 0.0], 2).is_err());
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DistanceMatrix<'a> {
    matrix: MatRef<'a, f64>,
    largest: f64,
}

impl<'a> DistanceMatrix<'a> {
    /// Views `values` as an n × n matrix, row by row. O(n²) time.
    ///
    /// Fails when their number is not n², at the first value that is not finite or
    /// negative, on a diagonal that is not zero and on a matrix that is not symmetric, beyond 1e-12 of the
    /// largest distance.
    pub fn new(values: &'a [f64], n: usize) -> Result<Self, Error> {
        if n == 0 {
            return Err(Error::TooFewPoints { what: "a matrix of distances", needed: 1, got: 0 });
        }
        if n.checked_mul(n) != Some(values.len()) {
            return Err(Error::Shape {
                what: "the number of distances",
                expected: format!("{n} × {n}, all pairs of {n} points"),
                got: values.len().to_string(),
            });
        }
        Self::from_mat(MatRef::from_row_major_slice(values, n, n))
    }

    /// Views a matrix; checks as [`DistanceMatrix::new`].
    pub fn from_mat(matrix: MatRef<'a, f64>) -> Result<Self, Error> {
        Ok(Self { matrix, largest: check_matrix(matrix)? })
    }

    /// The number of points, n.
    pub fn len(&self) -> usize {
        self.matrix.nrows()
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The largest distance.
    pub fn largest(&self) -> f64 {
        self.largest
    }

    /// Half the mean of the n² squared distances. For Euclidean distances this is the mean
    /// squared distance of the points from their mean. O(n²).
    pub fn variance(&self) -> f64 {
        let n = self.len();
        let below = |i: usize| (0..i).map(|j| self.get(i, j).powi(2)).sum::<f64>();
        (0..n).map(below).sum::<f64>() / (n as f64 * n as f64)
    }

    /// The distance between points `i` and `j`; the lower triangle decides, so that
    /// it is symmetric to the bit.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        let distance = self.matrix[(i.max(j), i.min(j))];
        if distance < 0.0 || i == j { 0.0 } else { distance + 0.0 }
    }

    /// The n × n matrix as it was given, with its rounding errors.
    pub fn as_mat(&self) -> MatRef<'a, f64> {
        self.matrix
    }

    /// The distances between the points with the given indices, row by row.
    pub fn select(&self, rows: &[u32]) -> Vec<f64> {
        rows.iter().flat_map(|&i| rows.iter().map(move |&j| self.get(i as usize, j as usize))).collect()
    }
}

/// Fails unless the matrix can hold distances; returns its largest entry. One pass
/// over both triangles, strips in parallel.
fn check_matrix(matrix: MatRef<'_, f64>) -> Result<f64, Error> {
    let n = matrix.nrows();
    if matrix.ncols() != n {
        let got = format!("{n} × {}", matrix.ncols());
        return Err(Error::Shape { what: "a matrix of distances", expected: "square".into(), got });
    }
    let range = |strip: usize| strip * TILE..((strip + 1) * TILE).min(n);
    let seen = (0..n.div_ceil(TILE))
        .into_par_iter()
        .map_init(
            || (vec![0.0; TILE * TILE], vec![0.0; TILE * TILE]),
            |(below, above), strip| {
                let mut seen = Extremes::NONE;
                for columns in (0..=strip).map(range) {
                    let rows = range(strip);
                    let size = rows.len() * columns.len();
                    copy_tile(matrix, rows.clone(), columns.clone(), &mut below[..size]);
                    copy_tile(matrix.transpose(), rows, columns, &mut above[..size]);
                    seen.compare(&below[..size], &above[..size]);
                }
                seen
            },
        )
        .reduce(|| Extremes::NONE, Extremes::and);
    let slack = SLACK * seen.largest();
    let flat = (0..n).all(|i| matrix[(i, i)].abs() <= slack);
    if seen.suspicious() || !flat {
        find_fault(matrix)?;
    }
    Ok(seen.largest())
}

/// Extremes of the entries compared so far, in lanes.
#[derive(Clone, Copy)]
struct Extremes {
    lowest: [f64; LANES],
    largest: [f64; LANES],
    gap: [f64; LANES],
    /// 0, or NaN once an entry was not finite.
    probe: [f64; LANES],
}

impl Extremes {
    const NONE: Self =
        Self { lowest: [0.0; LANES], largest: [0.0; LANES], gap: [0.0; LANES], probe: [0.0; LANES] };

    /// Compares entries with those across the diagonal.
    fn compare(&mut self, below: &[f64], above: &[f64]) {
        let ((below, below_rest), (above, above_rest)) =
            (below.as_chunks::<LANES>(), above.as_chunks::<LANES>());
        for (below, above) in below.iter().zip(above) {
            for l in 0..LANES {
                self.pair(l, below[l], above[l]);
            }
        }
        below_rest.iter().zip(above_rest).for_each(|(b, a)| self.pair(0, *b, *a));
    }

    #[inline(always)]
    fn pair(&mut self, lane: usize, below: f64, above: f64) {
        let apart = below - above;
        self.lowest[lane] = if below < self.lowest[lane] { below } else { self.lowest[lane] };
        self.largest[lane] = if below > self.largest[lane] { below } else { self.largest[lane] };
        self.gap[lane] = if apart.abs() > self.gap[lane] { apart.abs() } else { self.gap[lane] };
        self.probe[lane] += 0.0 * apart;
    }

    fn and(mut self, other: Self) -> Self {
        for l in 0..LANES {
            self.lowest[l] = self.lowest[l].min(other.lowest[l]);
            self.largest[l] = self.largest[l].max(other.largest[l]);
            self.gap[l] = self.gap[l].max(other.gap[l]);
            self.probe[l] += other.probe[l];
        }
        self
    }

    fn largest(&self) -> f64 {
        self.largest.iter().fold(0.0, |m, v| m.max(*v))
    }

    /// Whether some entry may be illegal; never false where one is.
    fn suspicious(&self) -> bool {
        self.lowest.iter().any(|v| *v < -SLACK * self.largest())
            || self.probe.iter().any(|v| v.is_nan())
            || self.gap.iter().any(|v| *v > SLACK * self.largest())
    }
}

/// Fails at the first illegal entry, row by row.
fn find_fault(matrix: MatRef<'_, f64>) -> Result<(), Error> {
    let slack = SLACK * matrix.norm_max();
    for i in 0..matrix.nrows() {
        for j in 0..=i {
            for (row, column) in [(i, j), (j, i)] {
                let value = matrix[(row, column)];
                if !value.is_finite() {
                    return Err(Error::NotFinite { row, column, value });
                }
            }
            let (below, above) = (matrix[(i, j)], matrix[(j, i)]);
            let wrong = if below < -slack {
                Some(("a distance", "not negative", format!("{below} between {i} and {j}")))
            } else if i == j && below > slack {
                Some(("the distance of a point from itself", "0", format!("{below} at point {i}")))
            } else if (below - above).abs() > slack {
                let got = format!("{below} from {i} to {j} and {above} back");
                Some(("a matrix of distances", "symmetric", got))
            } else {
                None
            };
            if let Some((name, requirement, got)) = wrong {
                return Err(Error::parameter(name, requirement, got));
            }
        }
    }
    Ok(())
}
