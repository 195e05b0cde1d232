//! The matrix of squared distances as an operator.

use std::ops::Range;

use embedding::implement::multiply;
use faer::{Accum, Mat, MatMut, MatRef};
use rayon::prelude::*;
use spectral::Operator;

use crate::distances::Distances;
use crate::distances::STRIP;

/// Number of partial sums per application; fixed, so that results do not depend on the
/// number of threads.
const GROUPS: usize = 16;

/// Returns that number for n points.
pub(crate) fn groups(n: usize) -> usize {
    GROUPS.min(n.div_ceil(STRIP))
}

/// The matrix of squared distances, in stored units, as an operator. Each stored value is
/// read once for both triangles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SquaredOperator<'a>(pub(crate) &'a Distances);

impl Operator for SquaredOperator<'_> {
    fn order(&self) -> usize {
        self.0.len()
    }

    fn apply(&self, x: MatRef<'_, f64>, mut out: MatMut<'_, f64>) {
        let n = self.0.len();
        let strips = n.div_ceil(STRIP);
        let range = |strip: usize| strip * STRIP..((strip + 1) * STRIP).min(n);
        let partial: Vec<Mat<f64>> = (0..groups(n))
            .into_par_iter()
            .map(|group| {
                let mut sum = Mat::zeros(n, x.ncols());
                let mut tile = vec![0.0; STRIP * STRIP];
                for strip in (group..strips).step_by(GROUPS) {
                    let rows = range(strip);
                    for columns in (0..=strip).map(range) {
                        let shape = (rows.len(), columns.len());
                        copy_tile(self.0, rows.clone(), columns.clone(), &mut tile);
                        let a = MatRef::from_row_major_slice(&tile[..shape.0 * shape.1], shape.0, shape.1);
                        let target = sum.as_mut().subrows_mut(rows.start, shape.0);
                        multiply(target, Accum::Add, a, x.subrows(columns.start, shape.1), 1.0);
                        if columns.start < rows.start {
                            let target = sum.as_mut().subrows_mut(columns.start, shape.1);
                            let across = x.subrows(rows.start, shape.0);
                            multiply(target, Accum::Add, a.transpose(), across, 1.0);
                        }
                    }
                }
                sum
            })
            .collect();
        out.fill(0.0);
        for part in &partial {
            out += part;
        }
    }
}

/// Copies a tile by rows; a diagonal tile is completed to both triangles.
fn copy_tile(distances: &Distances, rows: Range<usize>, columns: Range<usize>, tile: &mut [f64]) {
    let width = columns.len();
    if columns.start < rows.start {
        let lines = tile.chunks_mut(width);
        rows.zip(lines).for_each(|(i, line)| distances.copy_squares(i, columns.clone(), line));
        return;
    }
    for (local, i) in rows.enumerate() {
        let line = local * width;
        distances.copy_squares(i, columns.start..i, &mut tile[line..line + local]);
        tile[line + local] = 0.0;
        (0..local).for_each(|j| tile[j * width + local] = tile[line + j]);
    }
}
