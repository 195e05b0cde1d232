//! The sentence on collapsed maps.

use embedding::Embedding;
use embedding::implement::number::{count, counted};

use super::extent::{count_concentrated, extent};
use super::tight_clusters::tight_clusters;

/// Returns the sentence on a collapsed map: a few points determine its extent, and more than half are within 1 % of
/// it; or it consists of [`tight_clusters`], with the width of the widest one. All columns count.
pub fn collapse(map: &Embedding) -> Option<String> {
    let points: Vec<&[f64]> = map.rows().collect();
    let close = count_concentrated(&points);
    let clusters = tight_clusters(&points);
    if 2 * close <= points.len() && !clusters.is_empty() {
        let held: usize = clusters.iter().map(Vec::len).sum();
        let all: Vec<usize> = (0..points.len()).collect();
        let widest = clusters.iter().map(|cluster| extent(&points, cluster)).fold(0.0, f64::max);
        let percent = (100.0 * widest / extent(&points, &all)).ceil();
        return Some(format!(
            "{} of {} are at {}, at most {percent} % as wide as the map.",
            count(held),
            counted(points.len(), "point", "points"),
            counted(clusters.len(), "place", "places")
        ));
    }
    (2 * close > points.len()).then(|| {
        format!(
            "{} of {} are within 1 % of the extent of the map, which the other {} determine.",
            count(close),
            counted(points.len(), "point", "points"),
            count(points.len() - close)
        )
    })
}

#[cfg(test)]
mod tests {
    use faer::Mat;

    use super::*;

    #[test]
    fn a_collapsed_map_is_named_with_its_counts() {
        let map = |far: bool| {
            let value = |i: usize, j: usize| (i * (j + 1) % 7) as f64;
            let moved = |i: usize, j: usize| if far && i < 2 { 1e4 * (i + 1) as f64 } else { value(i, j) };
            Embedding::new(Mat::from_fn(60, 2, moved))
        };
        assert_eq!(collapse(&map(false)), None);
        let said = collapse(&map(true)).expect("a sentence");
        assert!(said.contains("58 of 60 points") && said.contains("the other 2"), "{said}");
        // Apart in the third column.
        let apart = |i: usize, j: usize| if j < 2 { (i % 2) as f64 } else { i as f64 };
        assert!(collapse(&Embedding::new(Mat::from_fn(60, 2, apart))).is_some());
        assert_eq!(collapse(&Embedding::new(Mat::from_fn(60, 3, apart))), None);
    }
}
