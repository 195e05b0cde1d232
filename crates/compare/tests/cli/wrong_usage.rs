//! Options that are unknown or have values out of range: the message suggests what was probably meant.

use crate::temp_folder::TempFolder;

#[test]
fn a_negative_number_is_a_value_out_of_the_range_of_its_option() {
    let folder = TempFolder::new();
    let embed = "embed --method pca --input x.csv --output y.csv";
    for (line, option, range) in [
        (format!("{embed} --k -5"), "--k <K>", "a whole number of at least 1"),
        (format!("{embed} --seed -1"), "--seed <S>", "a whole number of at least 0"),
        (format!("{embed} --dim -2"), "--dim <D>", "a whole number of at least 1"),
        (format!("{embed} --cut-shortcuts -2"), "--cut-shortcuts", "a number above 1"),
        (format!("{embed} --threads -2"), "--threads <N>", "a whole number of at least 1"),
        ("run --noise -1".to_owned(), "--noise", "a finite number of at least 0"),
        ("dataset swiss-roll --output y.csv --n -1".to_owned(), "--n <N>", "a whole number of at least 1"),
        ("-5".to_owned(), "-5", "unexpected argument"),
    ] {
        folder.refuses(&line, 2, &[option, range]);
    }
}

#[test]
fn what_an_unknown_option_probably_means_is_said() {
    let folder = TempFolder::new();
    let embed = "embed --input x.csv --output y.csv --method";
    for (line, tip) in [
        (format!("{embed} tsne --perplexity 30"), "a parameter of tsne: `--set perplexity=30`"),
        (format!("{embed} umap --min_dist=0.5"), "a parameter of umap: `--set min-dist=0.5`"),
        (format!("{embed} pca --perplexity"), "a parameter of tsne, set by `--set perplexity=VALUE`"),
        (format!("{embed} umap --n_neighbors 30"), "called `--k` here: `--k 30`"),
        (format!("{embed} umap --n-neighbors=30"), "called `--k` here: `--k 30`"),
        (format!("{embed} umap --n-components 3"), "called `--dim` here: `--dim 3`"),
        (format!("{embed} umap --random_state 3"), "called `--seed` here: `--seed 3`"),
        ("run --methods pca,tsne --perplexity 5".to_owned(), "`--set tsne.perplexity=5`"),
        ("--perplexity 5".to_owned(), "`--set tsne.perplexity=5`"),
        // Of a parameter there is one value in a run.
        (
            "run --methods tsne --perplexity 5,30".to_owned(),
            "`--set tsne.perplexity=5`; the page of `compare lab`",
        ),
        ("study --input x.csv".to_owned(), "the study has data sets and methods of its own; `compare run"),
        ("dataset --name swiss-roll".to_owned(), "`compare dataset swiss-roll --output FILE`"),
    ] {
        let said = folder.refuses(&line, 2, &["unexpected argument", tip, "Usage: compare"]);
        assert!(!said.contains("similar argument"), "{said}");
    }
    // A similar name is still suggested.
    folder.refuses(&format!("{embed} pca --seeed 1"), 2, &["a similar argument exists: '--seed'"]);
    let several = &["one method is named", "`compare run --methods pca,umap` runs several"];
    folder.refuses(&format!("{embed} pca,umap"), 2, several);
}

/// Which of the two would count is no guess to make.
#[test]
fn a_parameter_that_two_options_give_is_refused() {
    let folder = TempFolder::new();
    folder.file("x.csv", (0..30).map(|i| format!("{i},{}\n", i * i % 7)).collect::<String>());
    let embed = "embed --method isomap --input x.csv --output y.csv";
    folder.refuses(&format!("{embed} --set k=5 --k 7"), 2, &["--k and --set k=5", "one of them"]);
    folder.refuses(&format!("{embed} --set isomap.dim=1 --dim 2"), 2, &["--dim and --set dim=1"]);
    folder.compare(&format!("{embed} --set k=5 --dim 1"));
    let run = "run --input x.csv --methods isomap,lle --measure-k 3 --set isomap.k=5 --out o";
    folder.refuses(&format!("{run} --k 8,9"), 2, &["--k 8,…", "--set isomap.k=5", "one of them"]);
    // One size for the others.
    folder.compare(&format!("{run} --k 8"));
}

#[test]
fn standard_input_is_for_points() {
    let folder = TempFolder::new();
    folder.file("x.csv", "1,2\n3,4\n");
    for command in [
        "embed --method pca --input x.csv --output y.csv",
        "run --input x.csv",
        "measure --input x.csv --embedding x.csv",
        "invert --input x.csv --embedding x.csv --output y.csv --grid 2x2",
    ] {
        folder.refuses(
            &format!("{command} --labels -"),
            2,
            &["--labels", "must be a file", "standard input"],
        );
    }
}
