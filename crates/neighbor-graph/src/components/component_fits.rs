//! The fits of the components of a neighbor graph.

use embedding::implement::{Fact, Validate};
use embedding::{Embedding, Error, Fitted, Input, Metric, Model, Neighbors, PerPoint, PointSet};
use serde::{Deserialize, Serialize};

use crate::components::assemble::{self, Joined, Part};
use crate::components::bridge::{self, Bridge};
use crate::components::manifold::Manifold;
use crate::copies::{self, Copies};
use crate::{Components, NeighborIndex};

/// The fit of one component: a model of some of the rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ComponentFit<M> {
    /// The input rows that the model embeds, in increasing order; the first row of merged
    /// copies.
    pub rows: Vec<u32>,
    /// Added to the coordinates of the component where several are put side by side.
    pub shift: Vec<f64>,
    /// The model.
    pub model: M,
}

/// A fit of a graph method: the models of all components that the component policy
/// kept, usually one, and the embedding of all placed rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ComponentFits<M> {
    #[serde(rename = "pieces")]
    pub(super) fits: Vec<ComponentFit<M>>,
    bridges: Vec<Bridge>,
    pub(super) embedding: Embedding,
    /// The number of input rows, placed or not.
    pub(super) total: usize,
    /// Whether the model is of distances, so that new rows have a column per input row.
    pub(super) by_distances: bool,
    /// The metric of the points.
    metric: Metric,
    /// The training points of each component, where there are several.
    pub(super) training: Vec<NeighborIndex>,
    /// For each row of the embedding its index among the rows that the models embed;
    /// empty where no copies were merged.
    pub(super) copies: Vec<u32>,
}

impl<M> ComponentFits<M> {
    /// The models with their rows, in order of their first row.
    pub fn components(&self) -> &[ComponentFit<M>] {
        &self.fits
    }

    /// Edges that were added to connect the graph.
    pub fn bridges(&self) -> &[Bridge] {
        &self.bridges
    }

    /// The number of placed rows that are merged copies of an earlier row.
    pub fn copies(&self) -> usize {
        let embedded = self.fits.iter().map(|fit| fit.rows.len()).sum();
        self.copies.len().saturating_sub(embedded)
    }

    /// The only model, of the distinct points where copies were merged; fails with
    /// [`Error::Disconnected`] where there are several (see [`ComponentFits::components`]).
    pub fn single(&self) -> Result<&M, Error> {
        self.only().ok_or_else(|| self.disconnected())
    }

    /// The only model by value; fails as [`ComponentFits::single`].
    pub fn into_single(mut self) -> Result<M, Error> {
        if self.fits.len() > 1 {
            return Err(self.disconnected());
        }
        Ok(self.fits.remove(0).model)
    }

    fn only(&self) -> Option<&M> {
        match &self.fits[..] {
            [fit] => Some(&fit.model),
            _ => None,
        }
    }

    fn disconnected(&self) -> Error {
        let mut sizes: Vec<usize> = self.fits.iter().map(|fit| fit.rows.len()).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes.truncate(10);
        Error::Disconnected { components: self.fits.len(), sizes }
    }
}

impl<M: Model> ComponentFits<M> {
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
        let mut fitted = Vec::new();
        let bridges = assemble::for_each_manifold(input, neighbors, policy, &mut |rows, manifold| {
            fitted.push((rows, fit(manifold)?));
            Ok(())
        })?;
        Ok(Self::assemble(&Manifold::of(input, neighbors), fitted, bridges))
    }

    fn assemble(whole: &Manifold<'_>, fitted: Vec<(Vec<u32>, M)>, bridges: Vec<Bridge>) -> Self {
        let parts: Vec<Part<'_>> =
            fitted.iter().map(|(rows, model)| Part { rows, embedding: model.embedding() }).collect();
        let Joined { shifts, embedding, training } = Joined::of(whole, &parts);
        let fits = fitted.into_iter().zip(shifts);
        Self {
            fits: fits.map(|((rows, model), shift)| ComponentFit { rows, shift, model }).collect(),
            bridges,
            embedding,
            total: whole.len(),
            by_distances: whole.data.distances().is_some(),
            metric: whole.metric,
            training,
            copies: Vec::new(),
        }
    }

    /// Turns the fit of some rows, in increasing order, into a fit of all `total` rows. The other rows are
    /// left out.
    pub(crate) fn of_rows(mut self, rows: &[u32], total: usize) -> Self {
        let row = |part: u32| rows[part as usize];
        self.fits.iter_mut().for_each(|fit| fit.rows.iter_mut().for_each(|r| *r = row(*r)));
        let placed = self.embedding.input_rows().map(row).collect();
        self.embedding = self.embedding.of_rows(placed);
        self.total = total;
        self
    }

    /// Turns the fit of the distinct points into a fit of all rows.
    pub(crate) fn with_copies(mut self, copies: &Copies) -> Self {
        let row = |distinct: u32| copies.rows[distinct as usize];
        self.fits.iter_mut().for_each(|p| p.rows.iter_mut().for_each(|r| *r = row(*r)));
        for bridge in &mut self.bridges {
            (bridge.from, bridge.to) = (row(bridge.from), row(bridge.to));
        }
        (self.embedding, self.copies) = assemble::with_copies(&self.embedding, copies);
        self.total = copies.of.len();
        self
    }
}

impl<M> Model for ComponentFits<M> {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

impl<M: Fitted> Fitted for ComponentFits<M> {
    /// The facts of the model, where there is only one, and the facts of the graph.
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
                    let sizes = fitted.fits.iter().map(|fit| fit.rows.len());
                    (fitted.fits.len() > 1).then(|| sizes.collect::<Vec<_>>())
                },
            ),
            copies::fact(Self::copies),
            Fact::optional("bridges", "edges that were added to connect the graph", |fitted: &Self| {
                (!fitted.bridges.is_empty()).then(|| fitted.bridges.clone())
            }),
        ]);
        facts
    }

    fn training_points(&self) -> Result<Option<PointSet>, Error> {
        let whole = self.embedding.len() == self.total;
        let Some(only) = self.only().filter(|_| whole) else { return Ok(None) };
        let own = only.training_points()?;
        let all = |own: PointSet| if self.copies.is_empty() { own } else { own.view().select(&self.copies) };
        Ok(own.map(all))
    }

    fn notes(&self) -> Vec<String> {
        let unplaced = self.embedding.len() < self.total;
        let placed = unplaced.then_some((self.embedding.len(), self.total));
        let mut notes = assemble::notes(placed, self.copies(), self.fits.len(), self.bridges.len());
        notes.extend(self.fits.iter().flat_map(|fit| fit.model.notes()));
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

impl<M: Model + Validate> Validate for ComponentFits<M> {
    /// Checks every component, and that the components together are the embedding.
    fn validate(&self) -> Result<(), Error> {
        self.fits.iter().try_for_each(|fit| fit.model.validate())?;
        let shifts: Vec<&[f64]> = self.fits.iter().map(|fit| &fit.shift[..]).collect();
        let part = self
            .fits
            .iter()
            .map(|ComponentFit { rows, model, .. }| Part { rows, embedding: model.embedding() });
        let parts: Vec<Part<'_>> = part.collect();
        assemble::check(&parts, &shifts, &self.training, (&self.embedding, &self.copies), self.total)?;
        bridge::check(&self.bridges, self.total)
    }
}
