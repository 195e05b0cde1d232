//! Spectral start of a graph with any number of connected components.

use embedding::implement::squared_distance;
use embedding::{Error, Points, Rows, SparsePointSet, SparsePoints};
use faer::Mat;
use neighbor_graph::Graph;
use spectral::{Smallest, Sparse, Tolerance, smallest};

use super::origin::Origin;
use super::principal::principal_components;
use super::random::{EXTENT, Random};

/// Residual of the eigenvectors, relative to the norm of the Laplacian: a start needs
/// directions, not digits.
const RESIDUAL: f64 = 1e-4;

/// Products with the Laplacian after which this residual is enough, without regard to the eigenvalues:
/// separate clusters have eigenvalues near 0.
const PRODUCTS: usize = 600;

/// Where no eigensolver fits.
const ADVICE: &str = "allow more memory, or begin from principal components or at random (`start`)";

/// Returns n × d coordinates, stored by rows, with a largest magnitude of about 5.
///
/// The eigenvectors of each component are scaled to half the distance between its center
/// and the nearest other one. Centers are ± 5 on the axes for up to 2 d components, and
/// the principal components of their means in the data for more; random without points.
/// Components too small for d eigenvectors are random inside that radius.
pub(super) fn spectral_start(origin: &Origin<'_>, random: &mut Random) -> Result<Vec<f64>, Error> {
    let (n, dim) = (origin.graph.len(), origin.dim);
    let labels = origin.graph.components();
    if labels.sizes.len() == 1 {
        let columns = laplacian_eigenvectors(origin, origin.graph)?;
        return Ok(random.completed(columns, n, dim));
    }
    let members: Vec<Vec<u32>> = members(&labels.of, labels.sizes.len());
    let centers = centers(origin, &members, random)?;
    let radii = radii(&centers);
    let mut y = vec![0.0; n * dim];
    for ((rows, center), radius) in members.iter().zip(&centers).zip(radii) {
        let columns = if rows.len() > dim + 1 {
            laplacian_eigenvectors(origin, &part(origin.graph, rows))?
        } else {
            Mat::zeros(rows.len(), 0)
        };
        let coordinates = random.completed(columns, rows.len(), dim);
        for (&row, own) in rows.iter().zip(coordinates.chunks_exact(dim)) {
            let target = &mut y[row as usize * dim..][..dim];
            for ((target, own), center) in target.iter_mut().zip(own).zip(center) {
                *target = center + radius / EXTENT * own;
            }
        }
    }
    Ok(y)
}

/// The vertices of every component, ascending.
fn members(of: &[u32], count: usize) -> Vec<Vec<u32>> {
    let mut members = vec![Vec::new(); count];
    of.iter().enumerate().for_each(|(i, &c)| members[c as usize].push(i as u32));
    members
}

/// The subgraph of the given vertices, renumbered.
fn part(graph: &Graph, rows: &[u32]) -> Graph {
    let local = |row: u32| rows.binary_search(&row).expect("an edge stays in its component") as u32;
    let mut edges = Vec::new();
    for (i, &row) in rows.iter().enumerate() {
        let (js, ws) = graph.of(row as usize);
        edges.extend(js.iter().zip(ws).filter(|(j, _)| **j > row).map(|(&j, &w)| (i as u32, local(j), w)));
    }
    Graph::from_edges(rows.len(), &edges).expect("the edges of a graph")
}

/// A center for every component.
fn centers(origin: &Origin<'_>, members: &[Vec<u32>], random: &mut Random) -> Result<Vec<Vec<f64>>, Error> {
    let (count, dim) = (members.len(), origin.dim);
    if count <= 2 * dim {
        let on_axis = |c: usize| {
            let mut center = vec![0.0; dim];
            center[c / 2] = if c.is_multiple_of(2) { EXTENT } else { -EXTENT };
            center
        };
        return Ok((0..count).map(on_axis).collect());
    }
    let columns = match origin.data.rows() {
        Some(Rows::Dense(points)) => {
            let means: Vec<f64> = members.iter().flat_map(|rows| mean(points, rows)).collect();
            principal_components(Points::new(&means, points.dim())?.into(), origin)?
        }
        Some(Rows::Sparse(points)) => {
            principal_components(sparse_means(points, members)?.view().into(), origin)?
        }
        None => Mat::zeros(count, 0),
    };
    Ok(random.completed(columns, count, dim).chunks_exact(dim).map(<[f64]>::to_vec).collect())
}

fn mean(points: Points<'_>, rows: &[u32]) -> Vec<f64> {
    let mut mean = vec![0.0; points.dim()];
    for &row in rows {
        mean.iter_mut().zip(points.row(row as usize)).for_each(|(m, x)| *m += x / rows.len() as f64);
    }
    mean
}

/// The mean of each component.
fn sparse_means(points: SparsePoints<'_>, members: &[Vec<u32>]) -> Result<SparsePointSet, Error> {
    let (mut offsets, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    for rows in members {
        for &row in rows {
            let (of, with) = points.row(row as usize);
            columns.extend_from_slice(of);
            values.extend(with.iter().map(|x| x / rows.len() as f64));
        }
        offsets.push(columns.len());
    }
    // Entries of one column are added.
    SparsePointSet::new(offsets, columns, values, points.dim())
}

/// Half the distance to the nearest other center.
fn radii(centers: &[Vec<f64>]) -> Vec<f64> {
    let nearest = |i: usize| {
        let others = (0..centers.len()).filter(|&j| j != i);
        others.map(|j| squared_distance(&centers[i], &centers[j])).fold(f64::INFINITY, f64::min).sqrt()
    };
    (0..centers.len()).map(|i| 0.5 * nearest(i)).collect()
}

/// Eigenvectors of I − D^−½ W D^−½ for the smallest eigenvalues but 0, of a connected
/// graph; at most d.
fn laplacian_eigenvectors(origin: &Origin<'_>, graph: &Graph) -> Result<Mat<f64>, Error> {
    let n = graph.len();
    let count = origin.dim.min(n - 1);
    if count == 0 {
        return Ok(Mat::zeros(n, 0));
    }
    let degrees: Vec<f64> = (0..n).map(|i| graph.weights_of(i).iter().sum()).collect();
    let total: f64 = degrees.iter().sum();
    let matrix = laplacian(graph, &degrees);
    let null = Mat::from_fn(n, 1, |i, _| (degrees[i] / total).sqrt());
    let problem = Smallest {
        matrix: &matrix,
        factor: None,
        null: &null,
        count,
        tolerance: Tolerance::new(RESIDUAL)?.or_after(PRODUCTS),
        memory_limit: origin.memory_limit,
    };
    let found = smallest(problem, origin.observer).map_err(|error| match error {
        Error::Memory { stage, needed, allowed, .. } => {
            Error::Memory { stage, needed, allowed, advice: ADVICE }
        }
        other => other,
    })?;
    Ok(found.vectors)
}

/// I − D^−½ W D^−½.
fn laplacian(graph: &Graph, degrees: &[f64]) -> Sparse {
    let (n, stored) = (graph.len(), graph.len() + 2 * graph.edge_count());
    let mut offsets = Vec::with_capacity(n + 1);
    let (mut columns, mut values) = (Vec::with_capacity(stored), Vec::with_capacity(stored));
    offsets.push(0);
    for i in 0..n {
        let (js, ws) = graph.of(i);
        let before = js.partition_point(|&j| (j as usize) < i);
        columns.extend_from_slice(&js[..before]);
        columns.push(i as u32);
        columns.extend_from_slice(&js[before..]);
        let scaled = js.iter().zip(ws).map(|(&j, w)| -w / (degrees[i] * degrees[j as usize]).sqrt());
        values.extend(scaled);
        values.insert(offsets[i] + before, 1.0);
        offsets.push(columns.len());
    }
    Sparse::from_parts(n, offsets, columns, values)
}
