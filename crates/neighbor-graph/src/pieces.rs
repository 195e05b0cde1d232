//! One model per connected manifold.

use embedding::{Embedding, Error, Model, Observer, Points, Transform};
use faer::Mat;
use serde::{Deserialize, Serialize};

use crate::given::damaged;
use crate::{Bridge, Components, NeighborIndex, Neighbors};

/// A connected set of points: what a method embeds at one time.
#[derive(Clone, Copy, Debug)]
pub struct Manifold<'a> {
    /// Its points.
    pub points: Points<'a>,
    /// Their neighbor lists; every list stays inside, and their union graph is
    /// connected. Lists may be ragged.
    pub neighbors: &'a Neighbors,
}

/// A model of some of the rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Piece<M> {
    /// The input rows, ascending.
    pub rows: Vec<u32>,
    /// Added to the piece's coordinates where several pieces are set side by side.
    pub shift: Vec<f64>,
    /// The model.
    pub model: M,
}

/// Models of all components that the policy kept; usually one.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "RawPieces<M>", bound(deserialize = "M: Deserialize<'de>"))]
pub struct Pieces<M> {
    /// In order of their first row.
    pub pieces: Vec<Piece<M>>,
    /// Edges that were added to connect the graph.
    pub bridges: Vec<Bridge>,
    embedding: Embedding,
    /// The training points of each piece, where there are several to choose from.
    train: Vec<NeighborIndex>,
}

impl<M: Model> Pieces<M> {
    /// Applies the component policy and fits each manifold that it leaves.
    ///
    /// Fails with [`Error::Disconnected`] under [`Components::Reject`], and with
    /// whatever `fit` returns.
    pub fn fit(
        points: Points<'_>,
        neighbors: &Neighbors,
        policy: Components,
        observer: &dyn Observer,
        fit: impl Fn(Manifold<'_>, &dyn Observer) -> Result<M, Error>,
    ) -> Result<Self, Error> {
        let labels = neighbors.components();
        let all = || (0..points.len() as u32).collect::<Vec<_>>();
        if labels.sizes.len() == 1 {
            let model = fit(Manifold { points, neighbors }, observer)?;
            return Ok(Self::assemble(points, vec![(all(), model)], Vec::new()));
        }
        let groups = match policy {
            Components::Reject => return Err(labels.error()),
            Components::Bridge => {
                let (joined, bridges) = neighbors.bridged(points, &labels);
                let model = fit(Manifold { points, neighbors: &joined }, observer)?;
                return Ok(Self::assemble(points, vec![(all(), model)], bridges));
            }
            Components::Largest => vec![labels.members(labels.largest())],
            Components::PerComponent => (0..labels.sizes.len()).map(|c| labels.members(c)).collect(),
        };
        let mut fitted = Vec::with_capacity(groups.len());
        for rows in groups {
            let own = points.select(&rows);
            let neighbors = neighbors.restricted(&rows);
            let model = fit(Manifold { points: own.view(), neighbors: &neighbors }, observer)?;
            fitted.push((rows, model));
        }
        Ok(Self::assemble(points, fitted, Vec::new()))
    }

    fn assemble(points: Points<'_>, fitted: Vec<(Vec<u32>, M)>, bridges: Vec<Bridge>) -> Self {
        let shifts = side_by_side(&fitted.iter().map(|(_, m)| m.embedding()).collect::<Vec<_>>());
        let dim = fitted[0].1.embedding().dim();
        let mut placed: Vec<(u32, usize, usize)> = Vec::new();
        for (p, (rows, _)) in fitted.iter().enumerate() {
            placed.extend(rows.iter().enumerate().map(|(local, &row)| (row, p, local)));
        }
        placed.sort_unstable();
        let coordinates = Mat::from_fn(placed.len(), dim, |i, j| {
            let (_, p, local) = placed[i];
            fitted[p].1.embedding().coordinates[(local, j)] + shifts[p][j]
        });
        let rows = (placed.len() < points.len()).then(|| placed.iter().map(|e| e.0).collect());
        let spectrum = if fitted.len() == 1 { fitted[0].1.embedding().spectrum.clone() } else { None };
        let train = if fitted.len() > 1 {
            fitted.iter().map(|(rows, _)| NeighborIndex::new(points.select(rows).view())).collect()
        } else {
            Vec::new()
        };
        let pieces = fitted
            .into_iter()
            .zip(shifts)
            .map(|((rows, model), shift)| Piece { rows, shift, model })
            .collect();
        Self { pieces, bridges, embedding: Embedding { coordinates, spectrum, rows }, train }
    }

    /// The only model; fails with [`Error::Disconnected`] where there are several.
    pub fn into_single(mut self) -> Result<M, Error> {
        if self.pieces.len() > 1 {
            let mut sizes: Vec<usize> = self.pieces.iter().map(|p| p.rows.len()).collect();
            sizes.sort_unstable_by(|a, b| b.cmp(a));
            sizes.truncate(10);
            return Err(Error::Disconnected { components: self.pieces.len(), sizes });
        }
        Ok(self.pieces.remove(0).model)
    }
}

impl<M> Model for Pieces<M> {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

impl<M: Transform> Transform for Pieces<M> {
    /// A new point joins the piece of its nearest training point.
    fn transform(&self, new: Points<'_>) -> Result<Mat<f64>, Error> {
        if self.train.is_empty() {
            return self.pieces[0].model.transform(new);
        }
        let nearest = self.train.iter().map(|index| index.nearest(new, 1)).collect::<Result<Vec<_>, _>>()?;
        let home = |i: usize| {
            let mut best = 0;
            for p in 1..nearest.len() {
                if nearest[p][i][0].1 < nearest[best][i][0].1 {
                    best = p;
                }
            }
            best
        };
        let mut out = Mat::zeros(new.len(), self.embedding.dim());
        for (p, piece) in self.pieces.iter().enumerate() {
            let rows: Vec<u32> = (0..new.len() as u32).filter(|&i| home(i as usize) == p).collect();
            if rows.is_empty() {
                continue;
            }
            let placed = piece.model.transform(new.select(&rows).view())?;
            if placed.ncols() != out.ncols() {
                return Err(damaged("a piece has another number of coordinates than the whole"));
            }
            for (local, &row) in rows.iter().enumerate() {
                for j in 0..out.ncols() {
                    out[(row as usize, j)] = placed[(local, j)] + piece.shift[j];
                }
            }
        }
        Ok(out)
    }
}

/// What a saved [`Pieces`] holds before it is believed.
#[derive(Deserialize)]
struct RawPieces<M> {
    pieces: Vec<Piece<M>>,
    bridges: Vec<Bridge>,
    embedding: Embedding,
    train: Vec<NeighborIndex>,
}

impl<M> TryFrom<RawPieces<M>> for Pieces<M> {
    type Error = Error;
    fn try_from(raw: RawPieces<M>) -> Result<Self, Error> {
        let RawPieces { pieces, bridges, embedding, train } = raw;
        let several = pieces.len() > 1;
        let complete = !pieces.is_empty()
            && train.len() == if several { pieces.len() } else { 0 }
            && pieces.iter().all(|p| p.shift.len() == embedding.dim() && p.rows.is_sorted())
            && train.windows(2).all(|w| w[0].points().dim() == w[1].points().dim());
        if complete {
            Ok(Self { pieces, bridges, embedding, train })
        } else {
            Err(damaged("its pieces do not fit together"))
        }
    }
}

/// Shifts along the first axis so that bounding boxes do not touch: the gap is
/// a tenth of the widest box.
fn side_by_side(embeddings: &[&Embedding]) -> Vec<Vec<f64>> {
    let extent = |e: &Embedding| {
        let column = e.coordinates.col(0);
        let low = column.iter().fold(f64::INFINITY, |m, v| m.min(*v));
        let high = column.iter().fold(f64::NEG_INFINITY, |m, v| m.max(*v));
        (low, high)
    };
    let widest = embeddings.iter().map(|e| extent(e)).fold(0.0_f64, |m, (low, high)| m.max(high - low));
    let gap = if widest > 0.0 { 0.1 * widest } else { 1.0 };
    let mut edge = None;
    embeddings
        .iter()
        .map(|e| {
            let (low, high) = extent(e);
            let mut shift = vec![0.0; e.dim()];
            if let Some(right) = edge {
                shift[0] = right + gap - low;
            }
            edge = Some(high + shift[0]);
            shift
        })
        .collect()
}
