//! `compare trust`: scores of the points of a map.

use crate::temp_folder::TempFolder;

/// The rows of a table, without its head, and the head.
fn table(folder: &TempFolder, name: &str) -> (String, Vec<Vec<String>>) {
    let text = String::from_utf8(folder.read(name)).unwrap();
    let mut lines = text.lines();
    let head = lines.next().unwrap().to_owned();
    (head, lines.map(|line| line.split(',').map(str::to_owned).collect()).collect())
}

/// Scores for every point, with names, of plain and standardized models; the summary says what they mean.
#[test]
fn every_point_of_a_map_is_scored() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 150 --output x.csv");
    let text = String::from_utf8(folder.read("x.csv")).unwrap();
    let named = text.lines().enumerate().map(|(row, line)| format!("p{row},{line}\n"));
    folder.file("named.csv", format!("id,x,y,z\n{}", named.collect::<String>()));
    for (method, scaling) in [("isomap", ""), ("tsne", "--standardize"), ("pca", "")] {
        folder.compare(&format!(
            "embed --method {method} --input named.csv --name-column id {scaling} --output y.csv --save m"
        ));
        let trust = "trust --model m --input named.csv --name-column id --output scores.csv";
        let said = folder.compare(trust);
        assert!(said.contains("Perturbation score of 150 points"), "{said}");
        let (head, rows) = table(&folder, "scores.csv");
        assert_eq!((head.as_str(), rows.len()), ("row,id,perturbation", 150), "{method}");
        for (row, cells) in rows.iter().enumerate() {
            assert_eq!(cells[..2], [row.to_string(), format!("p{row}")], "{method}");
            let score: f64 = cells[2].parse().unwrap();
            assert!(score.is_finite() && score >= 0.0, "{method}: {score}");
        }
        let first = folder.read("scores.csv");
        folder.compare(&format!("--threads 1 {trust}"));
        assert_eq!(folder.read("scores.csv"), first, "{method}: one thread");
    }
}

/// Singularity scores of t-SNE and UMAP, alone or next to perturbation scores.
#[test]
fn places_that_the_loss_hardly_determines_are_scored() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 120 --output x.csv");
    for method in ["tsne", "umap"] {
        folder.compare(&format!("embed --method {method} --input x.csv --output y.csv --save m"));
        let said = folder
            .compare("trust --model m --input x.csv --scores perturbation,singularity --output scores.csv");
        assert!(said.contains("Singularity score of 120 points"), "{said}");
        let (head, rows) = table(&folder, "scores.csv");
        assert_eq!((head.as_str(), rows.len()), ("row,perturbation,singularity", 120), "{method}");
        assert!(rows.iter().all(|cells| cells[2].parse::<f64>().unwrap().is_finite()));
        folder.compare("trust --model m --input x.csv --scores singularity --output alone.csv");
        let (head, alone) = table(&folder, "alone.csv");
        assert_eq!(head, "row,singularity");
        assert!(alone.iter().zip(&rows).all(|(alone, both)| alone[1] == both[2]), "{method}");
    }
    folder.compare("embed --method pca --input x.csv --output y.csv --save m");
    let of = |scores: &str| format!("trust --model m --input x.csv --scores {scores} --output s.csv");
    folder.refuses(&of("singularity"), 2, &["t-SNE or UMAP", "pca"]);
    folder.refuses(&of("stability"), 2, &["compare choose --methods pca --per-point FILE"]);
    folder.refuses(&of("other"), 2, &["perturbation, singularity, stability"]);
}

/// Other data, other files and impossible numbers of neighbors are refused in words.
#[test]
fn what_cannot_be_scored_is_refused() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 60 --output x.npy");
    folder.compare("dataset swiss-roll --n 60 --seed 5 --output other.npy");
    folder.compare("dataset swiss-roll --n 30 --output few.npy");
    folder.compare("embed --method lle --input x.npy --output y.npy --save m");
    let of = |input: &str, rest: &str| format!("trust --model m --input {input} --output s.csv {rest}");
    folder.refuses(&of("other.npy", ""), 1, &["other.npy", "not the data of the model m"]);
    folder.refuses(&of("few.npy", ""), 1, &["few.npy", "not the data of the model m", "30 rows"]);
    folder.refuses(&of("x.npy", "--k 60"), 1, &["k", "1 to 59"]);
    folder.refuses(&of("x.npy", "--standardize"), 2, &["compare embed"]);
    folder.refuses("trust --model m --input x.npy --output s.npy", 2, &["--output s.npy", ".csv or .tsv"]);
}

/// The values per point of `measure`: their means are the measures of the whole.
#[test]
fn measures_have_values_at_every_point() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 150 --output x.npy");
    folder.compare("embed --method isomap --input x.npy --output y.npy");
    let said = folder.compare("measure --input x.npy --embedding y.npy --per-point rows.csv");
    let whole: serde_json::Value = serde_json::from_str(&said).unwrap();
    let (head, rows) = table(&folder, "rows.csv");
    let names = "row,trustworthiness,continuity,angle_error,local_procrustes,local_scale";
    assert_eq!((head.as_str(), rows.len()), (names, 150));
    for (column, name) in names.split(',').enumerate().skip(1).take(4) {
        let mean = rows.iter().map(|cells| cells[column].parse::<f64>().unwrap()).sum::<f64>() / 150.0;
        let expected = whole[name].as_f64().unwrap();
        assert!((mean - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{name}: {mean}, {expected}");
    }
    let refused = "measure --input x.npy --embedding y.npy --per-point rows.npy";
    folder.refuses(refused, 2, &["--per-point rows.npy", ".csv or .tsv"]);
}
