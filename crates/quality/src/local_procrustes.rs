//! Local Procrustes analysis.

use embedding::{Error, PointSet, Points};
use faer::Mat;
use neighbor_graph::Neighbors;
use rayon::prelude::*;
use spectral::dense;

use crate::procrustes::{Reflection, procrustes};
use crate::reference_distances::{at_any_scales, check_sizes};
use crate::{Estimate, Original, RowSample};

/// Computes the mean Procrustes residual of neighborhoods.
///
#[doc = include_str!("explanations/local_procrustes.md")]
///
/// *Cost.* O(rows · k D min(k, D)) time; for sparse points D is the number of columns that
/// occur in a neighborhood.
///
/// *Fails* if the sizes differ, if the points of every neighborhood coincide, and for distances,
/// which have no coordinates.
pub fn local_procrustes<'a>(
    data: impl Into<Original<'a>>,
    embedding: Points<'_>,
    neighbors: &Neighbors,
    rows: RowSample,
) -> Result<Estimate, Error> {
    rows.check()?;
    let data = data.into();
    let residuals: Vec<f64> =
        local_procrustes_of_rows(data, embedding, neighbors, rows)?.into_iter().flatten().collect();
    if residuals.is_empty() {
        return Err(Error::degenerate(
            "the points of every neighborhood coincide",
            "give every point a neighbor that does not coincide with it",
        ));
    }
    Ok(Estimate::mean(&residuals, data.len()))
}

/// Computes the Procrustes residual of each neighborhood; `None` where its points coincide
/// in the data. The mean of the others is [`local_procrustes`]; range and cost are the
/// same. Fails if the sizes differ, and for distances.
pub fn local_procrustes_of_rows<'a>(
    data: impl Into<Original<'a>>,
    embedding: Points<'_>,
    neighbors: &Neighbors,
    rows: RowSample,
) -> Result<Vec<Option<f64>>, Error> {
    let data = data.into();
    let n = data.len();
    check_sizes(n, neighbors, embedding)?;
    at_any_scales(data, embedding, |data, embedding| {
        let of_row = |h| {
            let members: Vec<u32> =
                std::iter::once(h).chain(neighbors.indices_of(h as usize).iter().copied()).collect();
            let (here, there) = (data.coordinates(&members)?, embedding.select(&members));
            if !has_extent(&here) {
                return Ok(None);
            }
            if !has_extent(&there) {
                return Ok(Some(1.0));
            }
            let alignment = procrustes(spanned(here)?.view(), there.view(), Reflection::Allowed)?;
            Ok(Some(alignment.residual))
        };
        rows.choose(n).into_par_iter().map(of_row).collect()
    })
}

fn has_extent(points: &PointSet) -> bool {
    let points = points.view();
    points.rows().any(|row| row != points.row(0))
}

/// Returns the points in coordinates of their span, with at most as many columns as
/// points.
fn spanned(points: PointSet) -> Result<PointSet, Error> {
    let (count, width) = (points.len(), points.dim());
    if width <= count {
        return Ok(points);
    }
    let rows = points.view();
    let edges = Mat::from_fn(width, count, |j, i| rows.row(i)[j] - rows.row(0)[j]);
    let basis = dense::thin_q(edges.as_ref());
    let coordinates = dense::product(edges.transpose(), basis.as_ref());
    PointSet::from_mat(coordinates.as_ref())
}
