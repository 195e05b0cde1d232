//! Embeddings by default parameters, as recorded: no change of results goes unnoticed.
//!
//! Coordinates relative to the largest one, with canonical signs, rounded to 1e-8, as one
//! number. Layouts are left out: rounding decides between their optima, and
//! processors with other registers round otherwise. A change that is meant is recorded by
//! the table that this test prints when it fails.

use swissroll::datasets::{self, Request};
use swissroll::embedding::persist::checksum;
use swissroll::prelude::{Embedding, Error, Input};

/// Method, checksum on 300 points of a Swiss roll, and on 300 digits; 0 where the method
/// refuses the data.
const RECORDED: &[(&str, u64, u64)] = &[
    ("pca", 0x94a85e981573fa48, 0xa815aaab31db9715),
    ("factor-analysis", 0x30eccd0b3d1d84bc, 0xd6973085f8e465d4),
    ("fast-ica", 0x27d14ea21447e2e8, 0x53920409f6db9125),
    ("kernel-pca", 0xf0651cd6c55cac7a, 0x706523907ce22511),
    ("lda", 0x0000000000000000, 0xf1b0eea9c43877da),
    ("random-projection", 0xbb0f990cf3be4aab, 0xc1223479bc8afd8a),
    ("classical-mds", 0x94a85e981573fa48, 0xa815aaab31db9715),
    ("landmark-mds", 0xd33f8f2a358aad6d, 0x0206a8876a9d055b),
    ("smacof", 0x3d7d5fdc45e0fb0a, 0x569c6d62155bc4b2),
    ("nonmetric-mds", 0x1a0c8cdac9271491, 0xa1984ec60b1750e7),
    ("sammon", 0xe0da02c5f1e9939b, 0xc48707673f9cb43c),
    ("lle", 0x44835efa6238ef6b, 0xb0967c54ac693491),
    ("modified-lle", 0x48613ded11554eb8, 0x3351a34359899e03),
    ("hessian-lle", 0x87453fa06017475d, 0x02e225798de3efa3),
    ("ltsa", 0x9831b84f18a6a9e8, 0x592361dca9b843d7),
    ("isomap", 0x24121dd664fa90b9, 0x93c6625d5e92a267),
    ("landmark-isomap", 0xdeb33d81e4cb4a4a, 0x2e1676e31b1e919d),
    ("c-isomap", 0x2d9b7064db6f0dbb, 0xd6a49660c0d6e716),
    ("laplacian-eigenmaps", 0x610e307de09f4167, 0x154e15422afbd2ca),
    ("diffusion-maps", 0x36910de04f4656e7, 0x6b3f961db9d55e6f),
    ("lpp", 0x373c57b2c51c8218, 0x52e793e46c96886c),
    ("npe", 0xeb24cc65187d5f2d, 0x0b615d636a27d60e),
    ("lltsa", 0x24ac1f724badc6e2, 0xaa958a5fcebfb614),
    ("conformal-eigenmaps", 0x26d20ec9b2a77ea3, 0xb000ec921bfadfb0),
    ("mvu", 0x8e7bcad173a3eadb, 0x51344667315def9c),
    ("phate", 0x4b791d29aeaf0d54, 0xc31434c658fea44b),
];

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
    let layouts = ["tsne", "umap", "densmap", "pacmap", "localmap", "trimap"];
    for method in swissroll::methods().filter(|method| !layouts.contains(&method.about().name)) {
        let sums = sets.each_ref().map(|set| {
            let mut input = Input::from(&set.points);
            if let Some(labels) = set.labels.first() {
                input = input.with_labels(&labels.values);
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
