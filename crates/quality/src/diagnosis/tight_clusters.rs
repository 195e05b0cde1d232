//! Maps of a few tight clusters: most points are in clusters that are small compared with the map.

use super::extent::{CLOSE, difference, extent};

/// Clusters within this fraction of the extent of each other are one.
const ADJACENT: f64 = 0.03;
/// A cluster is at most this fraction of the extent wide.
const WIDEST: f64 = 0.15;
/// Fewest points of a map that is searched for clusters, most clusters, and the least fraction of the points in them.
const FEWEST: usize = 40;
const MOST_CLUSTERS: usize = 20;
const HELD: f64 = 0.95;

/// Returns the few tight clusters that a map consists of, largest first, each as the sorted indices of its points.
///
/// At most one cluster for ten points, and at most 20, together hold 95 % of the points. Each point is within 1 % of
/// the extent of the map from the first point of its cluster, in all columns. Clusters whose first points are within
/// 3 % of each other, in chains, are one cluster, at most 15 % as wide as the map. Empty for any other map, and for
/// maps of fewer than 40 points.
pub fn tight_clusters(points: &[impl AsRef<[f64]>]) -> Vec<Vec<usize>> {
    let n = points.len();
    let all: Vec<usize> = (0..n).collect();
    let extent = extent(points, &all);
    if n < FEWEST || extent.is_nan() || extent <= 0.0 {
        return Vec::new();
    }
    let near = |i: usize, j: usize| {
        let pairs = points[i].as_ref().iter().zip(points[j].as_ref());
        pairs.into_iter().all(|(a, b)| difference(*a, *b).abs() <= CLOSE * extent)
    };
    let mut left = all;
    let mut found: Vec<Vec<usize>> = Vec::new();
    // The sizes of the largest clusters found.
    let mut largest: Vec<usize> = Vec::new();
    while let Some(&first) = left.first() {
        let (cluster, others): (Vec<usize>, _) = left.into_iter().partition(|&i| near(first, i));
        left = others;
        largest.push(cluster.len());
        largest.sort_unstable_by(|a, b| b.cmp(a));
        largest.truncate(MOST_CLUSTERS);
        found.push(cluster);
        // Clusters of one or two points are outliers; some are allowed. The largest clusters
        // never hold more points than those found and all that are left.
        let most = left.len() + largest.iter().sum::<usize>();
        if found.len() > n / 10 || (most as f64) < HELD * n as f64 {
            return Vec::new();
        }
    }
    let adjacent = |i: usize, j: usize| {
        let pairs = points[i].as_ref().iter().zip(points[j].as_ref());
        pairs.into_iter().all(|(a, b)| difference(*a, *b).abs() <= ADJACENT * extent)
    };
    few(n, found, &adjacent, &|cluster| self::extent(points, cluster) > WIDEST * extent)
}

/// Keeps the largest clusters that together hold enough of the n points, and joins adjacent ones, by their first
/// points; none where a joined cluster is too wide.
fn few(
    n: usize,
    mut found: Vec<Vec<usize>>,
    adjacent: &dyn Fn(usize, usize) -> bool,
    wide: &dyn Fn(&[usize]) -> bool,
) -> Vec<Vec<usize>> {
    let least = HELD * n as f64;
    largest_first(&mut found);
    if (held_by(&found[..found.len().min(MOST_CLUSTERS)]) as f64) < least {
        return Vec::new();
    }
    let mut found = joined(&found, adjacent);
    if found.iter().any(|cluster| wide(cluster)) {
        return Vec::new();
    }
    while found.len() > 1 && held_by(&found[..found.len() - 1]) as f64 >= least {
        found.pop();
    }
    found
}

fn largest_first(clusters: &mut [Vec<usize>]) {
    clusters.sort_by_key(|cluster| std::cmp::Reverse(cluster.len()));
}

/// Joins the largest clusters that are adjacent, and adds the smaller ones that are adjacent to them; largest first.
fn joined(found: &[Vec<usize>], adjacent: &dyn Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let (large, small) = found.split_at(found.len().min(MOST_CLUSTERS));
    let adjacent = |a: &[usize], b: &[usize]| adjacent(a[0], b[0]);
    // The first cluster of the group of each.
    let mut group: Vec<usize> = (0..large.len()).collect();
    for (j, cluster) in large.iter().enumerate() {
        for i in (0..j).filter(|&i| adjacent(&large[i], cluster)) {
            let (one, other) = (group[i].min(group[j]), group[i].max(group[j]));
            group.iter_mut().filter(|of| **of == other).for_each(|of| *of = one);
        }
    }
    let mut joined = vec![Vec::new(); large.len()];
    large.iter().zip(&group).for_each(|(cluster, &of)| joined[of].extend(cluster));
    for cluster in small {
        if let Some(i) = large.iter().position(|other| adjacent(other, cluster)) {
            joined[group[i]].extend(cluster);
        }
    }
    joined.retain(|cluster| !cluster.is_empty());
    joined.iter_mut().for_each(|cluster| cluster.sort_unstable());
    largest_first(&mut joined);
    joined
}

fn held_by(clusters: &[Vec<usize>]) -> usize {
    clusters.iter().map(Vec::len).sum()
}

#[cfg(test)]
mod tests {
    use super::super::extent::count_concentrated;
    use super::*;

    #[test]
    fn tight_clusters_are_told_from_wide_ones() {
        // Three clusters of 60, 30 and 8 points, and two outliers.
        let at = |i: usize| match i {
            0..60 => [0.0, 0.001 * i as f64],
            60..90 => [10.0, 0.001 * i as f64],
            90..98 => [5.0, 9.0],
            _ => [i as f64 / 20.0, 4.0],
        };
        let points: Vec<[f64; 2]> = (0..100).map(at).collect();
        let sizes: Vec<usize> = tight_clusters(&points).iter().map(Vec::len).collect();
        assert_eq!(sizes, [60, 30, 8]);
        // Clusters a tenth of the extent wide are none.
        let wide: Vec<[f64; 2]> = points
            .iter()
            .enumerate()
            .map(|(i, p)| [p[0] + 0.15 * (i % 7) as f64, p[1] + 0.12 * (i % 11) as f64])
            .collect();
        assert!(tight_clusters(&wide).is_empty());
        assert!(tight_clusters(&points[..30]).is_empty() && tight_clusters(&[[1.0, 1.0]; 50]).is_empty());
    }

    /// All clusters are looked for, and then the largest kept.
    fn slow(points: &[[f64; 2]]) -> Vec<Vec<usize>> {
        let n = points.len();
        let mut left: Vec<usize> = (0..n).collect();
        let reach = CLOSE * extent(points, &left);
        let mut found: Vec<Vec<usize>> = Vec::new();
        while let Some(&first) = left.first() {
            let near = |i: &usize| (0..2).all(|a| difference(points[first][a], points[*i][a]).abs() <= reach);
            found.push(left.iter().copied().filter(near).collect());
            left.retain(|i| !near(i));
        }
        if found.len() > n / 10 {
            return Vec::new();
        }
        let extent_of = |rows: &[usize]| extent(points, rows);
        let whole = extent_of(&(0..n).collect::<Vec<_>>());
        let adjacent = |i: usize, j: usize| {
            (0..2).all(|a| difference(points[i][a], points[j][a]).abs() <= ADJACENT * whole)
        };
        few(n, found, &adjacent, &|cluster| extent_of(cluster) > WIDEST * whole)
    }

    #[test]
    fn clusters_are_the_same_whether_or_not_the_search_ends_early() {
        let mut some = 0;
        for case in 0..60_u32 {
            // Up to 30 clusters of different sizes, and points in between.
            let count = 2 + case % 29;
            let at = |i: u32| match (i * 7 + case) % (8 + 3 * (case % 11)) {
                0 => [f64::from(i % 97), f64::from(i % 89)],
                _ => {
                    let cluster = (i * i / 3 + i) % count;
                    [f64::from(cluster % 6) * 17.0, f64::from(cluster / 6) * 19.0 + 1e-3 * f64::from(i % 5)]
                }
            };
            let points: Vec<[f64; 2]> = (0..600).map(at).collect();
            assert_eq!(tight_clusters(&points), slow(&points), "case {case}");
            some += usize::from(!tight_clusters(&points).is_empty());
        }
        assert!((10..50).contains(&some), "{some} of 60 maps are of a few clusters");
    }

    /// Two clusters in the first two columns, and a line in the third.
    #[test]
    fn clusters_differ_in_any_column() {
        let line = |i: u32| [f64::from(i % 2), 0.0, f64::from(i) / 50.0];
        let points: Vec<[f64; 3]> = (0..50).map(line).collect();
        assert!(tight_clusters(&points).is_empty() && count_concentrated(&points) <= 3);
        let flat: Vec<&[f64]> = points.iter().map(|point| &point[..2]).collect();
        assert_eq!((tight_clusters(&flat).len(), count_concentrated(&flat)), (2, 25));
    }
}
