//! The input of `compare embed`: points, sparse points, distances between all points, or neighbor
//! lists.

use std::borrow::Cow;

use embedding::{
    DataKind, DistanceMatrix, Error, Input, Neighborhood, Neighbors, NewNeighbors, Points, Rows, SparsePoints,
};

/// What a table holds, validated.
pub(in crate::cli) enum EmbedInput<'a> {
    Points(Points<'a>),
    Sparse(SparsePoints<'a>),
    Distances(DistanceMatrix<'a>),
    Neighbors(Cow<'a, Neighbors>),
}

impl<'a> EmbedInput<'a> {
    /// Reads a table as `data`: distances are n × n; of neighbor lists each row is a
    /// point, one of its neighbors and the distance between them.
    pub(in crate::cli) fn new(table: Points<'a>, data: DataKind) -> Result<Self, Error> {
        match data {
            DataKind::Points => Ok(Self::Points(table)),
            DataKind::Distances => DistanceMatrix::from_mat(table.as_mat()).map(Self::Distances),
            DataKind::Neighbors => lists(table).map(|lists| Self::Neighbors(Cow::Owned(lists))),
        }
    }

    /// Whether the distance between any two points is given or can be computed from coordinates.
    pub(in crate::cli) fn has_distances(&self) -> bool {
        matches!(self, Self::Points(_) | Self::Distances(_))
    }

    /// The rows of coordinates, which a model places as new points.
    pub(in crate::cli) fn rows(&self) -> Option<Rows<'_>> {
        match self {
            Self::Points(points) => Some((*points).into()),
            Self::Sparse(points) => Some((*points).into()),
            Self::Distances(_) | Self::Neighbors(_) => None,
        }
    }

    /// The input of a fit.
    pub(in crate::cli) fn input(&self) -> Input<'_> {
        match self {
            Self::Points(points) => (*points).into(),
            Self::Sparse(points) => (*points).into(),
            Self::Distances(distances) => (*distances).into(),
            Self::Neighbors(neighbors) => neighbors.as_ref().into(),
        }
    }
}

/// Neighbor lists from rows of point, neighbor and distance; points are counted from 0.
fn lists(table: Points<'_>) -> Result<Neighbors, Error> {
    let edges = edges(table)?;
    let n = edges.iter().map(|&(i, j, _)| i.max(j) as usize + 1).max().unwrap_or(0);
    let lists = lists_of(edges, n)?;
    let k = lists.iter().map(Vec::len).max().unwrap_or(0).max(1);
    Neighbors::from_lists(lists, Neighborhood::Nearest { k })
}

/// The neighbor lists of new points among `training` ones, from rows of new point, training point and distance.
pub(in crate::cli) fn new_neighbors(table: Points<'_>, training: usize) -> Result<NewNeighbors, Error> {
    let edges = edges(table)?;
    let m = edges.iter().map(|&(i, ..)| i as usize + 1).max().unwrap_or(0);
    NewNeighbors::new(lists_of(edges, m)?, training)
}

/// Rows of point, neighbor and distance.
fn edges(table: Points<'_>) -> Result<Vec<(u32, u32, f64)>, Error> {
    if table.dim() != 3 {
        return Err(Error::Shape {
            what: "the number of columns of neighbor lists",
            expected: "3: point, neighbor and distance".to_owned(),
            got: table.dim().to_string(),
        });
    }
    let index = |value: f64, row: usize| {
        if value >= 0.0 && value.fract() == 0.0 && value < f64::from(u32::MAX) {
            return Ok(value as u32);
        }
        let requirement = "a whole number, counted from 0";
        Err(Error::parameter("the index of a point", requirement, format!("{value} in row {row}")))
    };
    let mut edges = Vec::with_capacity(table.len());
    for (row, edge) in table.rows().enumerate() {
        edges.push((index(edge[0], row)?, index(edge[1], row)?, edge[2]));
    }
    Ok(edges)
}

/// The lists of n points.
fn lists_of(edges: Vec<(u32, u32, f64)>, n: usize) -> Result<Vec<Vec<(u32, f64)>>, Error> {
    // A point without an edge would have an empty list: there is at least one edge per two points.
    if n > 2 * edges.len() {
        return Err(Error::parameter(
            "the index of a point",
            format!("below {}, twice the number of edges", 2 * edges.len()),
            n - 1,
        ));
    }
    let mut lists = vec![Vec::new(); n];
    for (i, j, distance) in edges {
        lists[i as usize].push((j, distance));
    }
    Ok(lists)
}
