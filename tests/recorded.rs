//! Embeddings by default parameters, as recorded: no change of results goes unnoticed.
//!
//! Coordinates relative to the largest one, with canonical signs, rounded to 1e-8, as one
//! number. t-SNE is left out: rounding decides between its optima, and processors with
//! other registers round otherwise. A change that is meant is recorded by the table that
//! this test prints when it fails.

use swissroll::datasets::{self, Request};
use swissroll::embedding::persist::checksum;
use swissroll::{Embedding, Error, Input};

/// Method, checksum on 300 points of a Swiss roll, and on 300 digits; 0 where the method
/// refuses the data.
const RECORDED: &[(&str, u64, u64)] = &[];

/// Each column with its entry of largest magnitude positive, in units of the largest.
fn rounded(embedding: &Embedding) -> Vec<u8> {
    let largest = embedding.values().iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    let sign = |j: usize| {
        let column = || embedding.rows().map(|row| row[j]);
        let most = column().fold(0.0_f64, |most, v| most.max(v.abs()));
        // Of entries that rounding could exchange, the first decides.
        column().find(|v| v.abs() > most * (1.0 - 1e-6)).map_or(1.0, f64::signum)
    };
    let signs: Vec<f64> = (0..embedding.dim()).map(sign).collect();
    let digits = |v: f64, sign: f64| (sign * v / largest * 1e8).round() as i64;
    embedding
        .rows()
        .flat_map(|row| row.iter().zip(&signs).map(|(v, sign)| digits(*v, *sign)).collect::<Vec<_>>())
        .flat_map(i64::to_le_bytes)
        .collect()
}

#[test]
fn default_embeddings_are_those_recorded() -> Result<(), Error> {
    let request = Request { n: Some(300), ..Request::default() };
    let sets = [datasets::load("swiss-roll", &request)?, datasets::load("digits", &request)?];
    let mut found: Vec<(&str, u64, u64)> = Vec::new();
    for method in swissroll::methods().filter(|method| method.about().name != "tsne") {
        let sums = sets.each_ref().map(|set| {
            let mut input = Input::from(&set.points);
            if let Some(labels) = set.labels.first() {
                input = input.labels(&labels.values);
            }
            method.fit_dyn(&input).map_or(0, |model| checksum(&[&rounded(model.embedding())]))
        });
        found.push((method.about().name, sums[0], sums[1]));
    }
    let table: String =
        found.iter().map(|(name, a, b)| format!("    ({name:?}, {a:#018x}, {b:#018x}),\n")).collect();
    assert_eq!(found, RECORDED, "found:\n{table}");
    Ok(())
}
