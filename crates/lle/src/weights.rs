//! Reconstruction weights: each point as an affine combination of its neighbors.

use embedding::{Access, Error, Geometry, Observer, Parameter, Range, Sizes};
use neighbor_graph::Neighbors;
use spectral::Sparse;

use crate::barycenter::Barycenter;
use crate::chart::Chart;
use crate::patches::Patches;
use crate::per_point::{cut, each_point};

/// Computes the matrix W with xᵢ ≈ Σⱼ wᵢⱼ xⱼ over the neighbors j of i, with rows of sum
/// one.
///
/// Minimizes |xᵢ − Σⱼ wᵢⱼ xⱼ|² + R |wᵢ|² with R = `regularization` · tr G, where G is the
/// Gram matrix of the differences xⱼ − xᵢ (R = `regularization` if all neighbors coincide
/// with the point). W is invariant under rotation, scaling and translation of the data.
/// Lists may have different lengths. Of a [`embedding::DistanceMatrix`] in place of
/// points, G has the entries ½ (dᵢⱼ² + dᵢₗ² − dⱼₗ²), by classical scaling of the point and
/// its neighbors: eigenvalues below zero, of distances that are not Euclidean, are dropped.
///
/// Stage `"weights"`. O(n k² (D + k)) time, in parallel; n k numbers. O(n k³) of
/// distances.
///
/// Fails if `regularization` is not finite and positive, if the number of lists differs
/// from the number of points, if a list is empty, or if a local system is numerically
/// singular (regularization below rounding level).
///
/// ```
/// use embedding::{Points, Silent};
/// use neighbor_graph::{Neighborhood, find_neighbors};
/// let line = [0.0, 1.0, 2.0, 3.0];
/// let points = Points::new(&line, 1)?;
/// let neighbors = find_neighbors(points, Neighborhood::Nearest { k: 2 }, &Silent)?;
/// let w = lle::weights(points, &neighbors, 1e-3, &Silent)?;
/// // The midpoint of its two neighbors.
/// let (js, ws) = w.row(1);
/// assert_eq!(js, [0, 2]);
/// assert!(ws.iter().all(|w| (w - 0.5).abs() < 1e-12));
/// # Ok::<(), embedding::Error>(())
/// ```
pub fn weights<'a>(
    geometry: impl Into<Geometry<'a>>,
    neighbors: &Neighbors,
    regularization: f64,
    observer: &dyn Observer,
) -> Result<Sparse, Error> {
    let geometry = geometry.into();
    let n = geometry.len();
    check_regularization(regularization)?;
    require_neighbors(n, neighbors, 1, "locally linear embedding")?;
    observer.stage("weights");
    let degrees = || (0..n).map(|i| neighbors.of(i).0.len());
    let offsets = std::iter::once(0)
        .chain(degrees().scan(0, |sum, k| {
            *sum += k;
            Some(*sum)
        }))
        .collect();
    let mut columns = vec![0_u32; neighbors.edges()];
    let mut values = vec![0.0; neighbors.edges()];
    let mut rows: Vec<_> =
        cut(&mut columns, degrees()).into_iter().zip(cut(&mut values, degrees())).collect();
    let scratch = || (Chart::default(), Barycenter::default());
    each_point(&mut rows, observer, scratch, |(chart, barycenter), i, (js, w)| {
        js.copy_from_slice(neighbors.of(i).0);
        js.sort_unstable();
        chart.around(geometry, i, js);
        barycenter
            .solve(chart, regularization, w)
            .ok_or_else(|| singular(format!("point {i}"), regularization))
    })?;
    Ok(Sparse::from_parts(n, offsets, columns, values))
}

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

pub(crate) fn check_regularization(regularization: f64) -> Result<(), Error> {
    REGULARIZATION.check("reg", regularization, &Sizes::default(), &regularization)
}

/// Legal regularizations.
const REGULARIZATION: Range = Range::positive();

/// The parameter `reg` of a recipe with a field for the regularization of the weights.
pub fn regularization_parameter<R: 'static>(access: Access<R, f64>) -> Parameter<R> {
    let meaning = "added to the diagonal of each local Gram matrix, relative to its trace";
    Parameter::ranged("reg", meaning, access, REGULARIZATION)
}

/// Fails unless there is one list per point and every list has at least `least`
/// neighbors.
pub(crate) fn require_neighbors(
    n: usize,
    neighbors: &Neighbors,
    least: usize,
    method: &'static str,
) -> Result<(), Error> {
    if neighbors.len() != n {
        return Err(Error::Shape {
            what: "the number of neighbor lists",
            expected: format!("{n}, the number of points"),
            got: neighbors.len().to_string(),
        });
    }
    match (0..n).find(|&i| neighbors.of(i).0.len() < least) {
        None => Ok(()),
        Some(i) => Err(Error::degenerate(
            format!(
                "{method} needs at least {least} neighbors of every point, but point {i} has {}",
                neighbors.of(i).0.len()
            ),
            "use more neighbors or a larger radius",
        )),
    }
}

pub(crate) fn singular(whose: String, regularization: f64) -> Error {
    Error::degenerate(
        format!(
            "the local system of {whose} is singular in floating point with regularization {regularization:e}"
        ),
        "increase the regularization, or rescale values near the limits of floating point",
    )
}
