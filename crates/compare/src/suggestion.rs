//! Names as they are typed: exact, in other spellings, or nearly right.

use crate::Failure;

/// Names of methods in other programs and in papers, in lower case without hyphens.
const ELSEWHERE: [(&str, &str); 13] = [
    ("locallylinearembedding", "lle"),
    ("hlle", "hessian-lle"),
    ("mlle", "modified-lle"),
    ("spectralembedding", "laplacian-eigenmaps"),
    ("diffmap", "diffusion-maps"),
    ("kpca", "kernel-pca"),
    ("svd", "pca"),
    ("truncatedsvd", "pca"),
    ("fa", "factor-analysis"),
    ("multidimensionalscaling", "smacof"),
    ("nmds", "nonmetric-mds"),
    ("lmds", "landmark-mds"),
    ("lisomap", "landmark-isomap"),
];

/// The known name that was meant: the same name, or the only one that differs just in case,
/// hyphens, underscores and spaces (`t-SNE` is `tsne`). Any other name is a
/// usage error that suggests a near one.
pub(crate) fn resolve<'a>(
    kind: &str,
    name: &str,
    known: impl Iterator<Item = &'a str>,
) -> Result<&'a str, Failure> {
    let known: Vec<&str> = known.collect();
    let name = name.trim();
    if let Some(exact) = known.iter().find(|known| **known == name) {
        return Ok(exact);
    }
    let plain = plain(name);
    let mut alike = known.iter().filter(|known| self::plain(known) == plain);
    match (alike.next(), alike.next()) {
        (Some(only), None) => Ok(only),
        _ => Err(unknown(kind, name, known)),
    }
}

/// The usage error for a name that is not among the `known` ones.
pub(crate) fn unknown<'a>(what: &str, got: &str, known: impl IntoIterator<Item = &'a str>) -> Failure {
    let known: Vec<&str> = known.into_iter().collect();
    let plain = plain(got);
    let elsewhere = ELSEWHERE.iter().find(|(other, here)| *other == plain && known.contains(here));
    let guess = elsewhere
        .map(|(_, here)| *here)
        .or_else(|| embedding::implement::nearest_name(got, known.iter().copied()))
        .map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"));
    Failure::usage(format!("unknown {what} `{got}`{guess}; known are {}", known.join(", ")))
}

/// A name without differences of case, hyphens, underscores and spaces.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| !['-', '_', ' '].contains(c));
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 7] =
        ["tsne", "isomap", "c-isomap", "lle", "laplacian-eigenmaps", "swiss-roll", "classical-mds"];

    #[test]
    fn case_and_hyphens_are_forgiven() {
        for (typed, meant) in [
            ("t-SNE", "tsne"),
            ("LLE", "lle"),
            ("C_Isomap", "c-isomap"),
            ("cisomap", "c-isomap"),
            ("Swiss Roll", "swiss-roll"),
            (" isomap", "isomap"),
        ] {
            assert_eq!(resolve("method", typed, KNOWN.into_iter()), Ok(meant), "{typed}");
        }
        // Two names that differ in nothing else: neither is meant.
        let alike = ["a-b", "ab"];
        assert_eq!(resolve("method", "ab", alike.into_iter()), Ok("ab"));
        assert!(resolve("method", "AB", alike.into_iter()).is_err());
    }

    #[test]
    fn only_near_names_are_suggested() {
        let message = |typed| match resolve("method", typed, KNOWN.into_iter()) {
            Err(failure) => failure.to_string(),
            Ok(name) => panic!("{typed} is {name}"),
        };
        for (typed, near) in [
            ("tnse", "tsne"),
            ("laplace-eigenmaps", "laplacian-eigenmaps"),
            ("Swiss-rol", "swiss-roll"),
            ("isomp", "isomap"),
            // Parts of names: the shortest name with such a part is meant.
            ("mds", "classical-mds"),
            ("iso", "isomap"),
            ("eigenmaps", "laplacian-eigenmaps"),
            // Names of other programs.
            ("SpectralEmbedding", "laplacian-eigenmaps"),
            ("locally_linear_embedding", "lle"),
        ] {
            assert!(message(typed).contains(&format!("did you mean `{near}`?")), "{}", message(typed));
        }
        for far in ["umap", "phate", "pacmap", "ma"] {
            assert!(!message(far).contains("did you mean"), "{}", message(far));
        }
    }
}
