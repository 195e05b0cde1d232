//! A matrix of distances that somebody brings: checked, and read by rows,
//! however it lies in memory.

use std::ops::Range;

use embedding::Error;
use faer::MatRef;
use rayon::prelude::*;

use crate::lanes::LANES;

/// Rows and columns looked at together, so that both triangles pass the cache
/// by lines.
const TILE: usize = 64;

/// Largest difference of two entries that should be equal, relative to the
/// largest entry.
const SLACK: f64 = 1e-12;

/// What a matrix must be to hold distances; returns its largest entry.
///
/// Square, symmetric to 1e-12 of its largest entry, zero on the diagonal, finite
/// and not negative. One pass over both triangles, strips in parallel.
pub(crate) fn check_matrix(matrix: MatRef<'_, f64>) -> Result<f64, Error> {
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
                let mut seen = Seen::NOTHING;
                for columns in (0..=strip).map(range) {
                    let rows = range(strip);
                    let size = rows.len() * columns.len();
                    copy_tile(matrix, rows.clone(), columns.clone(), &mut below[..size]);
                    copy_tile(matrix.transpose(), rows, columns, &mut above[..size]);
                    seen.look(&below[..size], &above[..size]);
                }
                seen
            },
        )
        .reduce(|| Seen::NOTHING, Seen::and);
    let flat = (0..n).all(|i| matrix[(i, i)] == 0.0);
    if seen.suspicious() || !flat {
        find_fault(matrix)?;
    }
    Ok(seen.largest())
}

/// Entries `rows` × `columns`, row by row.
pub(crate) fn copy_tile(
    matrix: MatRef<'_, f64>,
    rows: Range<usize>,
    columns: Range<usize>,
    tile: &mut [f64],
) {
    let width = columns.len();
    let part = matrix.get(rows, columns);
    if part.col_stride() == 1 {
        for (line, row) in tile.chunks_exact_mut(width.max(1)).zip(part.row_iter()) {
            match row.transpose().try_as_col_major() {
                Some(row) => line.copy_from_slice(row.as_slice()),
                None => line.iter_mut().zip(row.iter()).for_each(|(t, v)| *t = *v),
            }
        }
        return;
    }
    for (j, column) in part.col_iter().enumerate() {
        match column.try_as_col_major() {
            Some(column) => column.as_slice().iter().enumerate().for_each(|(i, v)| tile[i * width + j] = *v),
            None => column.iter().enumerate().for_each(|(i, v)| tile[i * width + j] = *v),
        }
    }
}

/// What a look at entries tells; lanes, so that several are looked at together.
#[derive(Clone, Copy)]
struct Seen {
    lowest: [f64; LANES],
    largest: [f64; LANES],
    gap: [f64; LANES],
    /// 0, or NaN once an entry was not finite.
    probe: [f64; LANES],
}

impl Seen {
    const NOTHING: Self =
        Self { lowest: [0.0; LANES], largest: [0.0; LANES], gap: [0.0; LANES], probe: [0.0; LANES] };

    /// At entries and those across the diagonal.
    fn look(&mut self, below: &[f64], above: &[f64]) {
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

    /// Whether there may be an entry that no distance can be; never a miss.
    fn suspicious(&self) -> bool {
        self.lowest.iter().any(|v| *v < 0.0)
            || self.probe.iter().any(|v| v.is_nan())
            || self.gap.iter().any(|v| *v > SLACK * self.largest())
    }
}

/// The first entry, row by row, that no distance can be.
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
            let wrong = if below < 0.0 {
                Some(("a distance", "not negative", format!("{below} between {i} and {j}")))
            } else if i == j && below > 0.0 {
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
