//! One model per connected manifold.

use embedding::{
    DistanceMatrix, Embedding, Error, Fact, Fitted, Input, Metric, Model, Neighbors, PerPoint, PointSet,
    SparsePointSet, Validate, require, require_finite,
};
use serde::{Deserialize, Serialize};

use crate::components::bridges::{self, Bridge};
use crate::components::manifold::Manifold;
use crate::components::shifts::side_by_side;
use crate::copies::{self, Copies};
use crate::{Components, NeighborIndex, components};

/// A model of some of the rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Piece<M> {
    /// The input rows that the model embeds, in increasing order; of merged copies the
    /// first.
    pub rows: Vec<u32>,
    /// Added to the piece's coordinates where several pieces are placed side by side.
    pub shift: Vec<f64>,
    /// The model.
    pub model: M,
}

/// A fit of a graph method: the models of all components that the component policy
/// kept, usually one, and the embedding of all placed rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pieces<M> {
    pub(super) pieces: Vec<Piece<M>>,
    bridges: Vec<Bridge>,
    pub(super) embedding: Embedding,
    /// The number of input rows, placed or not.
    pub(super) total: usize,
    /// Whether the model is of distances, so that new rows have a column per input row.
    pub(super) by_distances: bool,
    /// The metric of the points.
    metric: Metric,
    /// The training points of each piece, where there are several.
    pub(super) training: Vec<NeighborIndex>,
    /// For each row of the embedding its place among the rows that the models embed;
    /// empty where no copies were merged.
    copies: Vec<u32>,
}

impl<M> Pieces<M> {
    /// The models with their rows, in order of their first row.
    pub fn pieces(&self) -> &[Piece<M>] {
        &self.pieces
    }

    /// Edges that were added to connect the graph.
    pub fn bridges(&self) -> &[Bridge] {
        &self.bridges
    }

    /// The number of placed rows that are merged copies of an earlier row.
    pub fn copies(&self) -> usize {
        let embedded = self.pieces.iter().map(|piece| piece.rows.len()).sum();
        self.copies.len().saturating_sub(embedded)
    }

    /// The only model, of the distinct points where copies were merged; fails with
    /// [`Error::Disconnected`] where there are several (see [`Pieces::pieces`]).
    pub fn single(&self) -> Result<&M, Error> {
        self.only().ok_or_else(|| self.disconnected())
    }

    /// The only model by value; fails as [`Pieces::single`].
    pub fn into_single(mut self) -> Result<M, Error> {
        if self.pieces.len() > 1 {
            return Err(self.disconnected());
        }
        Ok(self.pieces.remove(0).model)
    }

    fn only(&self) -> Option<&M> {
        match &self.pieces[..] {
            [piece] => Some(&piece.model),
            _ => None,
        }
    }

    fn disconnected(&self) -> Error {
        let mut sizes: Vec<usize> = self.pieces.iter().map(|piece| piece.rows.len()).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes.truncate(10);
        Error::Disconnected { components: self.pieces.len(), sizes }
    }
}

impl<M: Model> Pieces<M> {
    /// Applies the component policy and fits each manifold that it keeps.
    ///
    /// Fails with [`Error::Disconnected`] under [`Components::Reject`], where all points of
    /// a manifold coincide, and with whatever `fit` returns, as [`Error::Component`] where
    /// it is one of several.
    pub fn fit(
        input: &Input<'_>,
        neighbors: &Neighbors,
        policy: Components,
        fit: impl Fn(Manifold<'_>) -> Result<M, Error>,
    ) -> Result<Self, Error> {
        let labels = components(neighbors);
        let whole = Manifold::of(input, neighbors);
        let all = || (0..neighbors.len() as u32).collect::<Vec<_>>();
        let fit = |manifold: Manifold<'_>| manifold.require_distinct().and_then(|()| fit(manifold));
        if labels.sizes.len() == 1 {
            return Ok(Self::assemble(&whole, vec![(all(), fit(whole)?)], Vec::new()));
        }
        let groups = match policy {
            Components::Reject => return Err(labels.error()),
            Components::Bridge => {
                let bridges = bridges::between(input, &labels)?;
                let edges: Vec<(u32, u32, f64)> =
                    bridges.iter().map(|b| (b.from, b.to, b.distance)).collect();
                let joined = neighbors.with_edges(&edges);
                let model = fit(Manifold { neighbors: &joined, ..whole })?;
                return Ok(Self::assemble(&whole, vec![(all(), model)], bridges));
            }
            Components::Largest => vec![labels.members(labels.largest())],
            Components::PerComponent => (0..labels.sizes.len()).map(|c| labels.members(c)).collect(),
        };
        let mut fitted = Vec::with_capacity(groups.len());
        let components = groups.len();
        for (component, rows) in groups.into_iter().enumerate() {
            let points = whole.points.map(|points| points.select(&rows));
            let sparse = whole.sparse.map(|points| points.select(&rows));
            let distances = whole.distances.map(|distances| distances.select(&rows));
            let distances = distances.as_deref().map(|values| DistanceMatrix::new(values, rows.len()));
            let part = Manifold {
                points: points.as_ref().map(PointSet::view),
                sparse: sparse.as_ref().map(SparsePointSet::view),
                distances: distances.transpose()?,
                neighbors: &neighbors.restricted(&rows),
                ..whole
            };
            let model = fit(part).map_err(|error| error.of_component(component, components, &rows))?;
            fitted.push((rows, model));
        }
        Ok(Self::assemble(&whole, fitted, Vec::new()))
    }

    fn assemble(whole: &Manifold<'_>, fitted: Vec<(Vec<u32>, M)>, bridges: Vec<Bridge>) -> Self {
        let shifts = side_by_side(&fitted.iter().map(|(_, m)| m.embedding()).collect::<Vec<_>>());
        let dim = fitted[0].1.embedding().dim();
        let mut placed: Vec<(u32, usize, usize)> = Vec::new();
        for (p, (rows, _)) in fitted.iter().enumerate() {
            placed.extend(rows.iter().enumerate().map(|(local, &row)| (row, p, local)));
        }
        placed.sort_unstable();
        let coordinate = |&(_, p, local): &(u32, usize, usize), j: usize| {
            fitted[p].1.embedding()[(local, j)] + shifts[p][j]
        };
        let values = placed.iter().flat_map(|at| (0..dim).map(move |j| coordinate(at, j))).collect();
        let mut embedding = Embedding::from_rows(values, dim);
        if placed.len() < whole.len() {
            embedding = embedding.of_rows(placed.iter().map(|at| at.0).collect());
        }
        if let [(_, model)] = &fitted[..] {
            embedding = embedding.with_spectrum(model.embedding().spectrum().to_vec());
        }
        let training = match &fitted[..] {
            [_] => Vec::new(),
            several => several.iter().map(|(rows, _)| NeighborIndex::of_part(whole, rows)).collect(),
        };
        let pieces = fitted.into_iter().zip(shifts);
        Self {
            pieces: pieces.map(|((rows, model), shift)| Piece { rows, shift, model }).collect(),
            bridges,
            embedding,
            total: whole.len(),
            by_distances: whole.points.is_none() && whole.distances.is_some(),
            metric: whole.metric,
            training,
            copies: Vec::new(),
        }
    }

    /// The fit of all rows from that of their distinct points.
    pub(crate) fn with_copies(mut self, copies: &Copies) -> Self {
        let row = |distinct: u32| copies.rows[distinct as usize];
        self.pieces.iter_mut().for_each(|p| p.rows.iter_mut().for_each(|r| *r = row(*r)));
        for bridge in &mut self.bridges {
            (bridge.from, bridge.to) = (row(bridge.from), row(bridge.to));
        }
        let own = &self.embedding;
        let place = |distinct: u32| match own.placed_rows() {
            Some(placed) => placed.binary_search(&distinct).ok(),
            None => Some(distinct as usize),
        };
        let all = copies.of.iter().enumerate();
        let placed: Vec<(u32, u32)> =
            all.filter_map(|(i, &distinct)| Some((i as u32, place(distinct)? as u32))).collect();
        let values = placed.iter().flat_map(|at| own.row(at.1 as usize)).copied().collect();
        let mut embedding = Embedding::from_rows(values, own.dim()).with_spectrum(own.spectrum().to_vec());
        if placed.len() < copies.of.len() {
            embedding = embedding.of_rows(placed.iter().map(|at| at.0).collect());
        }
        self.embedding = embedding;
        self.total = copies.of.len();
        self.copies = placed.iter().map(|at| at.1).collect();
        self
    }
}

impl<M> Model for Pieces<M> {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

impl<M: Fitted> Fitted for Pieces<M> {
    /// Those of the only model, where there is one, and those of the graph.
    fn facts() -> Vec<Fact<Self>> {
        let mut facts: Vec<Fact<Self>> = M::facts().into_iter().map(|fact| fact.within(Self::only)).collect();
        facts.extend([
            Fact::metric(|fitted: &Self| fitted.metric),
            Fact::optional("rows", "input rows that were placed, where some were not", |fitted: &Self| {
                fitted.embedding.placed_rows().map(<[u32]>::to_vec)
            }),
            Fact::optional(
                "pieces",
                "points per separately embedded component, where there are several",
                |fitted: &Self| {
                    let sizes = fitted.pieces.iter().map(|piece| piece.rows.len());
                    (fitted.pieces.len() > 1).then(|| sizes.collect::<Vec<_>>())
                },
            ),
            copies::fact(Self::copies),
            Fact::optional("bridges", "edges that were added to connect the graph", |fitted: &Self| {
                (!fitted.bridges.is_empty()).then(|| fitted.bridges.clone())
            }),
        ]);
        facts
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.embedding.len() < self.total {
            notes.push(format!("{} of {} points were placed", self.embedding.len(), self.total));
        }
        notes.extend(copies::note(self.copies()));
        if self.pieces.len() > 1 {
            notes.push(format!(
                "{} components, each embedded alone and placed side by side",
                self.pieces.len()
            ));
        }
        let held = "single edges hold its components, which can flatten rings within them";
        match self.bridges.len() {
            0 => {}
            1 => notes.push(format!("1 edge was added to connect the graph; {held}")),
            count => notes.push(format!("{count} edges were added to connect the graph; {held}")),
        }
        notes.extend(self.pieces.iter().flat_map(|piece| piece.model.notes()));
        notes
    }

    fn per_point(&self) -> Vec<PerPoint> {
        let mut all = self.only().map(M::per_point).unwrap_or_default();
        for PerPoint { values, .. } in all.iter_mut().filter(|_| !self.copies.is_empty()) {
            *values = self.copies.iter().map(|&at| values[at as usize]).collect();
        }
        all
    }
}

impl<M: Model + Validate> Validate for Pieces<M> {
    /// Every piece by itself, and that together they are the whole.
    fn validate(&self) -> Result<(), Error> {
        let Self { pieces, bridges, embedding, total, training, copies, .. } = self;
        let searched = if pieces.len() > 1 { pieces.len() } else { 0 };
        require(!pieces.is_empty() && training.len() == searched, "its pieces are not complete")?;
        let mut placed = Vec::with_capacity(embedding.len());
        for (p, piece) in pieces.iter().enumerate() {
            piece.model.validate()?;
            let own = piece.model.embedding();
            let fits = piece.shift.len() == embedding.dim()
                && own.dim() == embedding.dim()
                && own.len() == piece.rows.len()
                && piece.rows.is_sorted_by(|a, b| a < b);
            require(fits, "a piece does not have as many rows and columns as its model")?;
            require_finite(&piece.shift, "the shift of a piece")?;
            placed.extend(piece.rows.iter().enumerate().map(|(local, &row)| (row, p, local)));
        }
        placed.sort_unstable();
        let whole: Vec<u32> =
            if copies.is_empty() { (0..placed.len() as u32).collect() } else { copies.clone() };
        let all_placed =
            whole.len() == embedding.len() && whole.iter().all(|&at| (at as usize) < placed.len());
        require(all_placed, "its copies are not of its rows")?;
        // Of the copies of a point, the first has its row.
        let mut first = vec![None; placed.len()];
        for (row, &at) in embedding.input_rows().zip(&whole) {
            first[at as usize].get_or_insert(row);
        }
        let rows_match = placed.iter().zip(&first).all(|(at, row)| *row == Some(at.0))
            && placed.last().is_some_and(|at| (at.0 as usize) < *total)
            && placed.windows(2).all(|pair| pair[0].0 != pair[1].0)
            && (embedding.placed_rows().is_some() || embedding.len() == *total);
        require(rows_match, "its pieces do not have the rows of the whole")?;
        let same = whole.iter().enumerate().all(|(i, &at)| {
            let (_, p, local) = placed[at as usize];
            let own = pieces[p].model.embedding().row(local).iter().zip(&pieces[p].shift);
            own.zip(embedding.row(i)).all(|((y, shift), whole)| y + shift == *whole)
        });
        require(same, "the coordinates of its pieces are not those of the whole")?;
        for (index, piece) in training.iter().zip(pieces) {
            index.validate()?;
            let fits = index.len() == piece.rows.len() && index.columns() == training[0].columns();
            require(fits, "a piece does not have as many training points as rows")?;
        }
        let ends = bridges.iter().all(|b| b.from < b.to && (b.to as usize) < *total && b.distance >= 0.0);
        require(ends, "a bridge does not connect two of its points")?;
        require_finite(bridges.iter().map(|b| &b.distance), "the length of a bridge")
    }
}
