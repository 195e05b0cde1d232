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

/// A model that keeps its points needs no file; it has the scores and names of the file.
#[test]
fn a_model_that_keeps_its_points_needs_no_file() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 120 --output x.csv");
    let text = String::from_utf8(folder.read("x.csv")).unwrap();
    let named = text.lines().enumerate().map(|(row, line)| format!("p{row},{line}\n"));
    folder.file("named.csv", format!("id,x,y,z\n{}", named.collect::<String>()));
    for (method, scaling) in [("isomap", ""), ("lle", "--standardize"), ("umap", "")] {
        folder.compare(&format!(
            "embed --method {method} --input named.csv --name-column id {scaling} --output y.csv --save m"
        ));
        for command in ["trust", "drivers"] {
            let said = folder
                .compare(&format!("{command} --model m --input named.csv --name-column id --output f.csv"));
            assert_eq!(folder.compare(&format!("{command} --model m --output s.csv")), said, "{method}");
            let [(head, given), (kept_head, kept)] = ["f.csv", "s.csv"].map(|name| table(&folder, name));
            assert_eq!(head, kept_head);
            for (given, kept) in given.iter().zip(&kept) {
                assert_eq!(given[..2], kept[..2], "{method}");
                // Rows that were standardized are restored up to rounding.
                for (given, kept) in given[2..].iter().zip(&kept[2..]) {
                    let [given, kept] = [given, kept].map(|cell| cell.parse::<f64>().unwrap());
                    assert!((given - kept).abs() < 1e-6 * (1.0 + given.abs()), "{method}: {given}, {kept}");
                }
            }
        }
    }
    folder.refuses("trust --model m --name-column id --output s.csv", 2, &["give --input"]);
    folder.compare("embed --method pca --input x.csv --output y.csv --save m");
    for command in ["trust", "drivers"] {
        folder.refuses(&format!("{command} --model m --output s.csv"), 1, &["does not keep", "--input"]);
    }
}

/// The ellipses of a map by PCA of a tilted plane are circles; LTSA stretches the roll four times as much across.
#[test]
fn ellipses_are_written_beside_the_scores() {
    let folder = TempFolder::new();
    let rows = (0..100).map(|i| [f64::from(i % 10), f64::from(i / 10)]);
    let plane: String = rows.map(|[x, y]| format!("{},{},{}\n", 0.6 * x, y, 0.8 * x)).collect();
    folder.file("plane.csv", plane);
    folder.compare("embed --method pca --input plane.csv --output y.csv --save m");
    let said = folder.compare("trust --model m --input plane.csv --ellipses --output s.csv");
    assert!(said.contains("with axes of 1.000 and 1.000 per unit of length"), "{said}");
    let (head, rows) = table(&folder, "s.csv");
    assert_eq!((head.as_str(), rows.len()), ("row,perturbation,axis_1,axis_2,angle", 100));
    for cells in &rows {
        let [long, short] = [2, 3].map(|column| cells[column].parse::<f64>().unwrap());
        assert!((long - 1.0).abs() < 1e-9 && (short - 1.0).abs() < 1e-9, "{long}, {short}");
    }
    folder.compare("dataset swiss-roll --n 1000 --output x.csv");
    folder.compare("embed --method ltsa --input x.csv --output y.csv --save m");
    let ellipses = "trust --model m --scores perturbation --ellipses --output s.csv";
    folder.compare(ellipses);
    let (_, rows) = table(&folder, "s.csv");
    let mut ratios: Vec<f64> = Vec::new();
    for cells in &rows {
        let [long, short, angle] = [2, 3, 4].map(|column| cells[column].parse::<f64>().unwrap());
        assert!((0.0..180.0).contains(&angle), "{angle}");
        ratios.push(long / short);
    }
    ratios.sort_unstable_by(f64::total_cmp);
    assert!((3.0..5.0).contains(&ratios[500]), "{}", ratios[500]);
    folder.compare(&format!("--threads 1 {ellipses}"));
    assert_eq!(table(&folder, "s.csv").1, rows, "one thread");
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
        assert!(said.contains("of all 120 points"), "{said}");
        let (head, rows) = table(&folder, "scores.csv");
        assert_eq!((head.as_str(), rows.len()), ("row,perturbation,singularity", 120), "{method}");
        let mut scores: Vec<f64> = rows.iter().map(|cells| cells[2].parse().unwrap()).collect();
        assert!(scores.iter().all(|score| score.is_finite()));
        scores.sort_unstable_by(f64::total_cmp);
        let median = (scores[59] + scores[60]) / 2.0;
        let sentence = format!("Singularity score of 120 points: median {median:.3}.");
        assert!(said.contains(&sentence), "{sentence} {said}");
        if method == "umap" {
            let negative = scores.iter().filter(|score| **score < 0.0).count() as f64 / 1.2;
            assert!(said.contains(&format!("{negative:.1} % of all 120 points are negative")), "{said}");
        }
        folder.compare("trust --model m --input x.csv --scores singularity --output alone.csv");
        let (head, alone) = table(&folder, "alone.csv");
        assert_eq!(head, "row,singularity");
        assert!(alone.iter().zip(&rows).all(|(alone, both)| alone[1] == both[2]), "{method}");
    }
    let of = |scores: &str| format!("trust --model m --input x.csv --scores {scores} --output s.csv");
    for method in ["pca", "densmap"] {
        folder.compare(&format!("embed --method {method} --input x.csv --output y.csv --save m"));
        folder.refuses(&of("singularity"), 2, &["t-SNE or UMAP", method]);
    }
    folder.refuses(&of("stability"), 2, &["perturbation, singularity"]);
    assert!(folder.compare("help trust").contains("`compare choose --per-point`"));
    // The perplexity of the fit is known only where it limits the neighbors.
    let many = "embed --method tsne --input x.csv --set perplexity=45 --output y.csv --save m";
    folder.compare(many);
    folder.refuses(&of("singularity"), 1, &["3 · perplexity", "119"]);
}

/// Of a sample, the median is the median of the scores that are written.
#[test]
fn the_median_of_a_sample_is_of_the_scores_written() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 2100 --output x.csv");
    let fit = "embed --method umap --input x.csv --set epochs=20 --set placing-epochs=5";
    folder.compare(&format!("{fit} --output y.csv --save m"));
    let said =
        folder.compare("trust --model m --input x.csv --scores perturbation,singularity --output scores.csv");
    let (_, rows) = table(&folder, "scores.csv");
    let mut scores: Vec<f64> = rows.iter().map(|cells| cells[2].parse().unwrap()).collect();
    scores.sort_unstable_by(f64::total_cmp);
    let median = (scores[499] + scores[500]) / 2.0;
    let sentence = format!("Singularity score of 1,000 points: median {median:.3}.");
    assert!(said.contains(&sentence) && said.contains("of all 2,100 points"), "{sentence} {said}");
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
    // A measure without any value keeps its column.
    folder.file("d.csv", "0,1,2,3\n1,0,1,2\n2,1,0,1\n3,2,1,0\n").file("line.csv", "0,0\n1,0\n2,0\n3,0\n");
    let line = "measure --input d.csv --given distances --embedding line.csv --k 1 --per-point few.csv";
    let output = folder.command(line).output().unwrap();
    let noted = String::from_utf8(output.stderr).unwrap();
    assert!(noted.contains("local_procrustes has no value at any point; its column is empty"), "{noted}");
    let (head, rows) = table(&folder, "few.csv");
    assert_eq!((head.as_str(), rows[0].join(",").as_str()), (names, "0,1,1,,,1"));
    let refused = "measure --input x.npy --embedding y.npy --per-point rows.npy";
    folder.refuses(refused, 2, &["--per-point rows.npy", ".csv or .tsv"]);
}
