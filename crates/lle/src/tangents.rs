//! The steps that the alignments of tangent spaces share.

use embedding::implement::PairDistances;
use embedding::{Error, Observer};
use neighbor_graph::{Manifold, Neighbors};
use spectral::{Sparse, Tolerance};

use crate::basis::{ColumnNorm, Normalization, allow_alignment, check_dim, normalized_basis};
use crate::chart::Chart;
use crate::fitted_alignment::FittedAlignment;
use crate::frame::{Frame, Origin};
use crate::patch_columns::{Columns, PatchColumns};
use crate::patches::Patches;
use crate::per_point::each_point;
use crate::tangent_maps::TangentMaps;
use crate::training_neighbors::TrainingNeighbors;
use crate::weights::require_neighbors;

/// The neighborhoods whose tangent spaces of `dim` dimensions are aligned.
#[derive(Clone, Copy)]
pub(crate) struct Tangents<'a> {
    pub(crate) distances: PairDistances<'a>,
    pub(crate) neighbors: &'a Neighbors,
    pub(crate) dim: usize,
}

impl Tangents<'_> {
    /// Fails unless every point has the neighbors that the method needs.
    pub(crate) fn check(&self, least: usize, method: &'static str) -> Result<(), Error> {
        check_dim(self.dim, self.distances.len())?;
        require_neighbors(self.distances.len(), self.neighbors, least, method)
    }

    /// Computes columns on every patch: `derive` computes at most `width` columns from the patch's principal
    /// tangent coordinates u₁, …, u_d, the columns of the frame. Reports steps of the stage that the caller
    /// has begun.
    pub(crate) fn columns(
        &self,
        patches: &Patches,
        width: usize,
        observer: &dyn Observer,
        derive: impl Fn(&mut Vec<f64>, &Frame, &mut PatchColumns<'_>) + Sync,
    ) -> Result<Columns, Error> {
        let mut columns = Columns::zeros(patches, width);
        let scratch = || (Chart::default(), Frame::default(), Vec::new());
        each_point(&mut columns.split(patches), observer, scratch, |(chart, frame, memory), i, own| {
            chart.around(self.distances, i, patches.of(i));
            frame.decompose(chart, Origin::Mean, self.dim);
            derive(memory, frame, own);
            Ok(())
        })?;
        Ok(columns)
    }
}

/// `dim` coordinates from an alignment of tangent spaces with `width` columns on each patch: its
/// bottom eigenvectors, and for new points the affine maps of the tangent spaces.
pub(crate) fn fit_tangents<'a>(
    manifold: Manifold<'a>,
    (dim, width): (usize, usize),
    scale: ColumnNorm,
    tolerance: Tolerance,
    normalization: Normalization,
    alignment: impl FnOnce(PairDistances<'a>, &'a Neighbors, usize, &dyn Observer) -> Result<Sparse, Error>,
) -> Result<FittedAlignment<TangentMaps>, Error> {
    let Manifold { neighbors, memory_limit, observer, .. } = manifold;
    let near = TrainingNeighbors::of(&manifold)?;
    let limit = memory_limit.beside(near.bytes(&manifold) + neighbors.bytes());
    let assembling = Columns::assembling_bytes(neighbors, width, 0);
    allow_alignment(limit, assembling, None)?;
    let m = alignment(manifold.pair_distances()?, neighbors, dim, observer)?;
    allow_alignment(limit, assembling, Some(&m))?;
    let basis = normalized_basis(&m, normalization, dim, tolerance, limit, observer)?;
    Ok(FittedAlignment::new(basis, scale, TangentMaps::new(near, dim)))
}
