//! Reconstruction of all coordinates from a few known ones.

use embedding::implement::proceed;
use embedding::{Error, MemoryLimit, Observer, Points};
use faer::{Mat, MatRef};
use spectral::{Sparse, solve_sparse};

use crate::alignment::{alignment, residual_map};

/// Computes the coordinates of all points from the coordinates of a few landmarks and the weights W that
/// reconstruct each point from its neighbors.
///
/// **Idea.** The weights determine the coordinates only up to an affine map; a few
/// landmarks in general position fix it.
///
/// **Definition.** Y minimizes |(I − W) Y|² over all Y whose rows at the landmarks
/// are `positions`. With M = (I − W)ᵀ(I − W) split into landmarks L and others U,
/// the normal equations are M_UU Y_U = −M_UL Y_L.
///
/// **Steps.** Compute M; one sparse factorization; one solve per column.
///
/// **Cost.** M has at most n (k + 1)² entries; the size of the Cholesky factor of M_UU is
/// compared with `memory_limit` before it is computed. Stages `"alignment"`,
/// `"positions"`.
///
/// **When it fails.** Requires at least d + 1 different landmarks for d columns, all of
/// them points of W, and at least one in every connected component. Points far from the
/// few landmarks are determined by the regularization of W, which contracts them.
///
/// ```
/// use embedding::{Points, Silent};
/// use lle::steps::{reconstruct_from_landmarks, weights};
/// use neighbor_graph::NeighborSearch;
/// // A helix, and the parameters of its ends.
/// let helix: Vec<f64> =
///     (0..=60).map(|i| f64::from(i) * 0.1).flat_map(|t| [t.cos(), t.sin(), 0.3 * t]).collect();
/// let points = Points::new(&helix, 3)?;
/// let neighbors = NeighborSearch::nearest(2).find(points)?;
/// let w = weights(points, &neighbors, 1e-9, &Silent)?;
/// let ends = Points::new(&[0.0, 6.0], 1)?;
/// let y = reconstruct_from_landmarks(&w, &[0, 60], ends, Default::default(), &Silent)?;
/// assert!((y[(20, 0)] - 2.0).abs() < 0.1);
/// # Ok::<(), embedding::Error>(())
/// ```
///
/// **Reference.** Saul and Roweis (2003), Think globally, fit locally, section 5.
pub fn reconstruct_from_landmarks(
    weights: &Sparse,
    landmarks: &[u32],
    positions: Points<'_>,
    memory_limit: MemoryLimit,
    observer: &dyn Observer,
) -> Result<Mat<f64>, Error> {
    let n = weights.nrows();
    let indices = indices(n, landmarks, positions)?;
    require_reached(weights, landmarks, &indices)?;
    let m = alignment(&residual_map(weights), observer)?;
    observer.stage("positions");
    proceed(observer, 0, 1)?;
    let dim = positions.dim();
    let free: Vec<u32> = (0..n as u32).filter(|&i| indices[i as usize].is_err()).collect();
    let mut rows = Vec::with_capacity(free.len());
    let mut rhs = Mat::zeros(free.len(), dim);
    for (u, &i) in free.iter().enumerate() {
        let (columns, values) = m.row(i as usize);
        let mut row = Vec::with_capacity(columns.len());
        for (&j, &value) in columns.iter().zip(values) {
            match indices[j as usize] {
                Err(column) => row.push((column, value)),
                Ok(landmark) => {
                    let known = positions.row(landmark as usize);
                    (0..dim).for_each(|c| rhs[(u, c)] -= value * known[c]);
                }
            }
        }
        rows.push(row);
    }
    let solved = if free.is_empty() {
        Mat::zeros(0, dim)
    } else {
        let system = Sparse::from_rows(free.len(), rows)?;
        solve_sparse(&system, rhs.as_ref(), memory_limit)?.filter(|y| finite(y.as_ref())).ok_or_else(
            || {
                Error::degenerate(
                    format!("{} landmarks do not determine the other {} points", landmarks.len(), free.len()),
                    "use more landmarks, in general position, or a larger regularization",
                )
            },
        )?
    };
    proceed(observer, 1, 1)?;
    Ok(Mat::from_fn(n, dim, |i, c| match indices[i] {
        Ok(landmark) => positions.row(landmark as usize)[c],
        Err(u) => solved[(u as usize, c)],
    }))
}

/// For each point its index among the landmarks (`Ok`) or among the others (`Err`).
type Indices = Vec<Result<u32, u32>>;

fn indices(n: usize, landmarks: &[u32], positions: Points<'_>) -> Result<Indices, Error> {
    if landmarks.len() != positions.len() {
        return Err(Error::Shape {
            what: "the number of positions",
            expected: format!("{}, the number of landmarks", landmarks.len()),
            got: positions.len().to_string(),
        });
    }
    if landmarks.len() <= positions.dim() {
        return Err(Error::TooFewPoints {
            what: "a reconstruction from landmarks",
            needed: positions.dim() + 1,
            got: landmarks.len(),
        });
    }
    let mut indices = vec![Err(0); n];
    for (l, &i) in landmarks.iter().enumerate() {
        match indices.get_mut(i as usize) {
            None => return Err(Error::parameter("a landmark", format!("a row below {n}"), i)),
            Some(Ok(_)) => return Err(Error::parameter("a landmark", "given once", format!("{i}, twice"))),
            Some(place) => *place = Ok(l as u32),
        }
    }
    for (free, place) in indices.iter_mut().filter(|place| place.is_err()).enumerate() {
        *place = Err(free as u32);
    }
    Ok(indices)
}

/// Fails if a point is not connected to any landmark.
fn require_reached(weights: &Sparse, landmarks: &[u32], indices: &Indices) -> Result<(), Error> {
    let back = weights.transposed();
    let mut reached: Vec<bool> = indices.iter().map(Result::is_ok).collect();
    let mut stack = landmarks.to_vec();
    while let Some(i) = stack.pop() {
        for &j in weights.row(i as usize).0.iter().chain(back.row(i as usize).0) {
            if !std::mem::replace(&mut reached[j as usize], true) {
                stack.push(j);
            }
        }
    }
    match reached.iter().filter(|r| !**r).count() {
        0 => Ok(()),
        lost => Err(Error::degenerate(
            format!("{lost} points are not connected to any landmark"),
            "use a landmark in every connected component",
        )),
    }
}

fn finite(y: MatRef<'_, f64>) -> bool {
    (0..y.ncols()).all(|j| y.col(j).iter().all(|v| v.is_finite()))
}
