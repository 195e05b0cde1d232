//! Divides an input into components, and assembles their embeddings.

use embedding::implement::{OwnedData, Validate, require, require_finite};
use embedding::{Embedding, Error, Input, Neighbors};

use crate::components::bridge::Bridge;
use crate::components::bridges;
use crate::components::manifold::Manifold;
use crate::components::shifts::side_by_side;
use crate::copies::{self, Copies};
use crate::unrelated::{unrelated_rows_of, without};
use crate::{Components, NeighborIndex, components};

/// Takes the rows of a manifold, and the manifold.
type Fit<'f> = dyn FnMut(Vec<u32>, Manifold<'_>) -> Result<(), Error> + 'f;

/// Calls `fit` with the rows of each manifold that the policy keeps, and the manifold; returns the edges
/// that were added to connect the graph.
///
/// Fails as [`ComponentFits::fit`](super::component_fits::ComponentFits::fit).
pub(super) fn for_each_manifold(
    input: &Input<'_>,
    neighbors: &Neighbors,
    policy: Components,
    fit: &mut Fit<'_>,
) -> Result<Vec<Bridge>, Error> {
    let unrelated = match policy {
        Components::Reject | Components::Bridge => Vec::new(),
        Components::Largest | Components::PerComponent => unrelated_rows_of(input, neighbors),
    };
    let related = without(neighbors, &unrelated)?;
    let neighbors = related.as_ref().unwrap_or(neighbors);
    let labels = components(neighbors);
    let whole = Manifold::of(input, neighbors);
    let all = || (0..neighbors.len() as u32).collect::<Vec<_>>();
    let mut fit = |rows: Vec<u32>, manifold: Manifold<'_>| {
        manifold.require_distinct()?;
        fit(rows, manifold)
    };
    if labels.sizes.len() == 1 {
        return fit(all(), whole).map(|()| Vec::new());
    }
    let groups = match policy {
        Components::Reject => return Err(labels.error()),
        Components::Bridge => {
            let bridges = bridges::between(input, &labels)?;
            let edges: Vec<(u32, u32, f64)> = bridges.iter().map(|b| (b.from, b.to, b.distance)).collect();
            let joined = neighbors.with_edges(&edges);
            return fit(all(), Manifold { neighbors: &joined, ..whole }).map(|()| bridges);
        }
        Components::Largest => vec![labels.members(labels.largest())],
        Components::PerComponent => {
            let all = (0..labels.sizes.len()).map(|c| labels.members(c));
            all.filter(|rows| unrelated.binary_search(&rows[0]).is_err()).collect()
        }
    };
    if groups.is_empty() {
        return Err(labels.error());
    }
    let components = groups.len();
    for (component, rows) in groups.into_iter().enumerate() {
        let neighbors = &neighbors.restricted(&rows);
        let own = OwnedData::select(whole.data, &rows);
        let data = own.as_ref().map_or(Ok(neighbors.into()), OwnedData::view)?;
        let points = data.points().map_or(0, |points| points.bytes());
        let memory_limit = whole.memory_limit.beside(points);
        let start = whole.start.map(|start| start.select(&rows));
        let start = start.as_ref().map(|start| start.view());
        let part = Manifold { data, neighbors, start, memory_limit, ..whole };
        fit(rows.clone(), part).map_err(|error| error.of_component(component, components, &rows))?;
    }
    Ok(Vec::new())
}

/// The rows of a component and its embedding.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) rows: &'a [u32],
    pub(super) embedding: &'a Embedding,
}

/// Components side by side.
pub(super) struct Joined {
    /// Added to the coordinates of each component.
    pub(super) shifts: Vec<Vec<f64>>,
    pub(super) embedding: Embedding,
    /// The training points of each component, where there are several.
    pub(super) training: Vec<NeighborIndex>,
}

/// Every row of the parts, with its part and its index in that part, in order of the rows.
fn located(parts: &[Part<'_>]) -> Vec<(u32, usize, usize)> {
    let mut placed = Vec::new();
    for (p, part) in parts.iter().enumerate() {
        placed.extend(part.rows.iter().enumerate().map(|(local, &row)| (row, p, local)));
    }
    placed.sort_unstable();
    placed
}

impl Joined {
    pub(super) fn of(whole: &Manifold<'_>, parts: &[Part<'_>]) -> Self {
        let shifts = side_by_side(&parts.iter().map(|part| part.embedding).collect::<Vec<_>>());
        let dim = parts[0].embedding.dim();
        let placed = located(parts);
        let coordinate =
            |&(_, p, local): &(u32, usize, usize), j: usize| parts[p].embedding[(local, j)] + shifts[p][j];
        let values = placed.iter().flat_map(|at| (0..dim).map(move |j| coordinate(at, j))).collect();
        let mut embedding = Embedding::from_rows(values, dim);
        if placed.len() < whole.len() {
            embedding = embedding.of_rows(placed.iter().map(|at| at.0).collect());
        }
        if let [only] = parts {
            embedding = embedding.with_spectrum(only.embedding.spectrum().to_vec());
        }
        let training = match parts {
            [_] => Vec::new(),
            several => several.iter().map(|part| NeighborIndex::of_part(whole, part.rows)).collect(),
        };
        Self { shifts, embedding, training }
    }
}

/// Turns the embedding of the distinct points into an embedding of all rows; also returns, for each
/// of its rows, the row of the distinct points.
pub(super) fn with_copies(own: &Embedding, copies: &Copies) -> (Embedding, Vec<u32>) {
    let index = |distinct: u32| match own.placed_rows() {
        Some(placed) => placed.binary_search(&distinct).ok(),
        None => Some(distinct as usize),
    };
    let all = copies.of.iter().enumerate();
    let placed: Vec<(u32, u32)> =
        all.filter_map(|(i, &distinct)| Some((i as u32, index(distinct)? as u32))).collect();
    let values = placed.iter().flat_map(|at| own.row(at.1 as usize)).copied().collect();
    let mut embedding = Embedding::from_rows(values, own.dim()).with_spectrum(own.spectrum().to_vec());
    if placed.len() < copies.of.len() {
        embedding = embedding.of_rows(placed.iter().map(|at| at.0).collect());
    }
    (embedding, placed.iter().map(|at| at.1).collect())
}

/// Sentences on the rows that were placed (where some were not), on copies, components and bridges.
pub(super) fn notes(
    placed: Option<(usize, usize)>,
    copies: usize,
    components: usize,
    bridges: usize,
) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some((placed, total)) = placed {
        notes.push(format!("{placed} of {total} points were placed"));
    }
    notes.extend(copies::note(copies));
    if components > 1 {
        notes.push(format!("{components} components, each embedded alone and placed side by side"));
    }
    let held = "single edges hold its components, which can flatten rings within them";
    match bridges {
        0 => {}
        1 => notes.push(format!("1 edge was added to connect the graph; {held}")),
        count => notes.push(format!("{count} edges were added to connect the graph; {held}")),
    }
    notes
}

/// Fails unless the components together are the embedding of the rows that were placed. Where copies
/// were merged, `copies` has for each row of the embedding its index among the rows of the components.
pub(super) fn check(
    parts: &[Part<'_>],
    shifts: &[&[f64]],
    training: &[NeighborIndex],
    (embedding, copies): (&Embedding, &[u32]),
    total: usize,
) -> Result<(), Error> {
    let searched = if parts.len() > 1 { parts.len() } else { 0 };
    require(!parts.is_empty() && training.len() == searched, "its pieces are not complete")?;
    for (part, shift) in parts.iter().zip(shifts) {
        let fits = shift.len() == embedding.dim()
            && part.embedding.dim() == embedding.dim()
            && part.embedding.len() == part.rows.len()
            && part.rows.is_sorted_by(|a, b| a < b);
        require(fits, "a piece does not have as many rows and columns as its model")?;
        require_finite(*shift, "the shift of a piece")?;
    }
    let placed = located(parts);
    let whole: Vec<u32> =
        if copies.is_empty() { (0..placed.len() as u32).collect() } else { copies.to_vec() };
    let all_placed = whole.len() == embedding.len() && whole.iter().all(|&at| (at as usize) < placed.len());
    require(all_placed, "its copies are not of its rows")?;
    // The first copy of a point has its row.
    let mut first = vec![None; placed.len()];
    for (row, &at) in embedding.input_rows().zip(&whole) {
        first[at as usize].get_or_insert(row);
    }
    let rows_match = placed.iter().zip(&first).all(|(at, row)| *row == Some(at.0))
        && placed.last().is_some_and(|at| (at.0 as usize) < total)
        && placed.windows(2).all(|pair| pair[0].0 != pair[1].0)
        && (embedding.placed_rows().is_some() || embedding.len() == total);
    require(rows_match, "its pieces do not have the rows of the whole")?;
    let same = whole.iter().enumerate().all(|(i, &at)| {
        let (_, p, local) = placed[at as usize];
        let own = parts[p].embedding.row(local).iter().zip(shifts[p]);
        own.zip(embedding.row(i)).all(|((y, shift), whole)| y + shift == *whole)
    });
    require(same, "the coordinates of its pieces differ from the coordinates of the whole")?;
    for (index, part) in training.iter().zip(parts) {
        index.validate()?;
        let fits = index.len() == part.rows.len() && index.columns() == training[0].columns();
        require(fits, "a piece does not have as many training points as rows")?;
    }
    Ok(())
}
