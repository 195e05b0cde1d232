use embedding::Error;
use neighbor_graph::Neighbors;

/// Estimates the intrinsic dimension from the ratio of the two smallest neighbor distances
/// (TWO-NN).
///
/// *Idea.* If the density is constant up to the second neighbor, the ratio μ = r₂/r₁ has
/// the distribution F(μ) = 1 − μ^(−d), independent of the density.
///
/// *Definition.* The least-squares slope through the origin of −ln(1 − i/n) over ln μ,
/// over all but the fraction `discard` of largest μ (0.1 in the paper). Duplicates are
/// ignored: r₁ and r₂ are the two smallest different positive distances of a point.
///
/// *Cost.* O(n log n).
///
/// *When it fails.* It depends on the smallest scale of the data only, and is therefore
/// sensitive to noise. `discard` in [0, 1). Fails if no ratio differs from 1.
///
/// *Reference.* Facco, d'Errico, Rodriguez and Laio, Scientific Reports 7 (2017),
/// <https://doi.org/10.1038/s41598-017-11873-y>.
pub fn two_nn(neighbors: &Neighbors, discard: f64) -> Result<f64, Error> {
    if !(0.0..1.0).contains(&discard) {
        return Err(Error::parameter("discard", "at least 0 and below 1", discard));
    }
    let ratio = |i: usize| {
        let distances = neighbors.distances_of(i);
        let beyond = |r: f64| distances.get(distances.partition_point(|d| *d <= r)).copied();
        let first = beyond(0.0)?;
        let second = beyond(first)?;
        let ratio = second / first;
        // A ratio can exceed the range of numbers.
        Some(if ratio.is_finite() { ratio.ln() } else { second.ln() - first.ln() })
    };
    let mut logs: Vec<f64> = (0..neighbors.len()).filter_map(ratio).collect();
    logs.sort_by(f64::total_cmp);
    let n = logs.len() as f64;
    // The last point would give ln 0.
    let kept = ((n * (1.0 - discard)) as usize).min(logs.len().saturating_sub(1));
    let (mut xy, mut xx) = (0.0, 0.0);
    for (i, x) in logs[..kept].iter().enumerate() {
        xy -= x * (1.0 - (i + 1) as f64 / n).ln();
        xx += x * x;
    }
    if xx > 0.0 {
        return Ok(xy / xx);
    }
    Err(Error::degenerate(
        "no point has two neighbors at different positive distances",
        "give every point at least two neighbors; on tied data use another estimator",
    ))
}
