//! The alignment matrix of reconstruction weights.

use embedding::{Error, Observer};
use spectral::Sparse;

use crate::patches::Patches;

/// Returns I − W, whose image is the reconstruction error.
pub fn residual_map(weights: &Sparse) -> Sparse {
    let n = weights.nrows();
    let mut offsets = Vec::with_capacity(n + 1);
    offsets.push(0);
    let mut columns = Vec::with_capacity(weights.stored() + n);
    let mut values = Vec::with_capacity(weights.stored() + n);
    for i in 0..n {
        let (js, ws) = weights.row(i);
        let own = js.partition_point(|&j| (j as usize) < i);
        assert!(js.get(own) != Some(&(i as u32)), "a point is not its own neighbor");
        columns.extend_from_slice(&js[..own]);
        columns.push(i as u32);
        columns.extend_from_slice(&js[own..]);
        values.extend(ws[..own].iter().map(|w| -w));
        values.push(1.0);
        values.extend(ws[own..].iter().map(|w| -w));
        offsets.push(columns.len());
    }
    Sparse::from_parts(weights.ncols(), offsets, columns, values)
}

/// Computes M = BᵀB for B = I − W ([`residual_map`]): yᵀ M y is the reconstruction error
/// of y.
///
/// Sparse, symmetric, positive semidefinite, M 1 = 0.
///
/// Stage `"alignment"`. O(n k²) time, rows in parallel; at most n (k + 1)² entries,
/// usually a few times fewer.
pub fn alignment(residual_map: &Sparse, observer: &dyn Observer) -> Result<Sparse, Error> {
    observer.stage("alignment");
    let line = |i: usize, p: usize, out: &mut [f64]| {
        let values = residual_map.row(i).1;
        out.iter_mut().zip(values).for_each(|(o, v)| *o = values[p] * v);
    };
    Patches::of_rows(residual_map).assemble(line, observer)
}
