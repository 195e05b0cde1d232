//! Verdicts of fixed scores.

use super::*;

/// The measured scores of a map: trustworthiness, continuity, procrustes, residual variance, and accuracy of
/// neighbors' classes; NaN where there is none.
type Row = (&'static str, [f64; 5]);

const NONE: f64 = f64::NAN;

const NAMES: [&str; 5] = ["trustworthiness", "continuity", "procrustes", "residual_variance", "knn_accuracy"];

fn scores(row: &Row) -> Vec<Score> {
    let known = NAMES.iter().zip(row.1).filter(|(_, value)| !value.is_nan());
    known.map(|(name, value)| Score { measure: (*name).to_owned(), value }).collect()
}

/// The verdicts on neighbors, distances, clusters and new points; the trustworthiness of these is the map's.
fn decided(
    rows: &[Row],
    (shape_known, largest_class, components): (bool, Option<f64>, &[usize]),
) -> [Verdict; 4] {
    let scores: Vec<Vec<Score>> = rows.iter().map(scores).collect();
    let n = components.iter().sum();
    let maps = rows.iter().zip(&scores).map(|((method, _), scores)| Candidate {
        method,
        title: title(method),
        scores,
        placed: n,
        reads_classes: *method == "lda",
        new_points: scores.iter().find(|score| score.measure == "trustworthiness").map(|score| score.value),
    });
    let evidence = Evidence {
        maps: maps.collect(),
        n,
        shape_known,
        largest_class,
        components,
        measured_rows: None,
        faults: &|_| Vec::new(),
    };
    <[Verdict; 4]>::try_from(decide(&evidence)).expect("four purposes")
}

fn maps(verdict: &Verdict) -> [Option<&str>; 2] {
    [&verdict.recommended, &verdict.runner_up].map(Option::as_deref)
}

// Scores of `compare run --datasets NAME --n N` with default parameters.

/// swiss-roll, n = 1000.
const ROLL: &[Row] = &[
    ("pca", [0.9665, 0.9899, 0.9222, 0.9229, NONE]),
    ("isomap", [0.9996, 0.9995, 0.0009, 0.0006, NONE]),
    ("ltsa", [0.9951, 0.9949, 0.2728, 0.4035, NONE]),
    ("laplacian-eigenmaps", [0.8858, 0.9862, 0.5104, 0.2802, NONE]),
    ("tsne", [0.9995, 0.9890, 0.8749, 0.7923, NONE]),
    ("umap", [0.9984, 0.9940, 0.3824, 0.1998, NONE]),
    ("pacmap", [0.9988, 0.9970, 0.3452, 0.2228, NONE]),
];

#[test]
fn a_swiss_roll_is_shown_by_isomap() {
    let [neighbors, distances, clusters, new] = decided(ROLL, (true, None, &[1000]));
    assert_eq!(maps(&neighbors), [Some("isomap"), Some("pacmap")]);
    assert_eq!(neighbors.reason, "Trustworthiness 1.000 and continuity 1.000; PCA has 0.967 and 0.990.");
    assert_eq!(neighbors.not_to_read, Vec::<String>::new());
    assert_eq!(maps(&distances), [Some("isomap"), None]);
    assert_eq!((clusters.answer, maps(&clusters)), (Answer::NoMap, [None, None]));
    assert_eq!(maps(&new), [Some("isomap"), Some("tsne")]);
    assert_eq!(new.reason, "Trustworthiness of new points 1.000; PCA has 0.967.");
    // Without Isomap no map has the distances along the sheet.
    let others = [&ROLL[..1], &ROLL[2..]].concat();
    let [neighbors, distances, ..] = decided(&others, (true, None, &[1000]));
    assert_eq!(maps(&neighbors), [Some("pacmap"), Some("ltsa")]);
    assert_eq!(
        neighbors.not_to_read,
        ["Do not read distances between far points from it: procrustes 0.345."]
    );
    assert_eq!(distances.answer, Answer::NoMap);
    assert_eq!(
        distances.reason,
        "The best of 6 maps is LTSA with procrustes 0.273; a map to rely on has procrustes at most 0.200."
    );
}

/// clusters, n = 600: six groups in three dimensions.
#[test]
fn linear_maps_of_clusters_are_preferred_where_no_other_is_better() {
    let rows: [Row; 5] = [
        ("pca", [0.9706, 0.9929, NONE, NONE, 0.9950]),
        ("lda", [0.9564, 0.9906, NONE, NONE, 1.0]),
        ("smacof", [0.9810, 0.9921, NONE, NONE, 1.0]),
        ("tsne", [0.9941, 0.9925, NONE, NONE, 1.0]),
        ("umap", [0.9888, 0.9924, NONE, NONE, 1.0]),
    ];
    let of = (false, Some(1.0 / 6.0), &[100_usize; 6][..]);
    let [neighbors, distances, clusters, _] = decided(&rows, of);
    assert_eq!(maps(&neighbors), [Some("tsne"), Some("umap")]);
    assert_eq!(neighbors.not_to_read, ["Its distances between far points are not measured."]);
    assert_eq!(distances.answer, Answer::NotMeasured);
    assert!(distances.reason.ends_with("the neighbor graph has 6 components."), "{}", distances.reason);
    // A method that reads the classes is not the next.
    assert_eq!(maps(&clusters), [Some("pca"), Some("smacof")]);
    assert!(clusters.reason.contains("no other map is better by more than 0.01"), "{}", clusters.reason);
    // Accuracy 1 is nothing where nearly all points are in one class.
    let [.., clusters, _] = decided(&rows, (false, Some(0.995), &[600]));
    assert_eq!(clusters.answer, Answer::NoMap);
    assert!(clusters.reason.starts_with("The largest class has a fraction of 0.995"));
    // The components are groups without classes, too.
    let [.., clusters, _] = decided(&rows, (false, None, &[100; 6]));
    assert_eq!(clusters.answer, Answer::NotMeasured);
}

/// hypercube, n = 600: a cube of five dimensions.
#[test]
fn a_hypercube_supports_no_clusters_and_no_distances() {
    let rows: [Row; 5] = [
        ("pca", [0.7645, 0.9283, 0.5547, 0.6523, NONE]),
        ("isomap", [0.7766, 0.9350, 0.5698, 0.6289, NONE]),
        ("tsne", [0.9817, 0.9220, 0.6754, 0.7453, NONE]),
        ("umap", [0.9803, 0.9303, 0.7141, 0.7607, NONE]),
        ("pacmap", [0.9609, 0.9295, 0.7417, 0.7710, NONE]),
    ];
    let [neighbors, distances, clusters, _] = decided(&rows, (true, None, &[600]));
    assert_eq!(maps(&neighbors), [Some("umap"), Some("pacmap")]);
    assert_eq!(
        neighbors.not_to_read,
        ["Do not read distances between far points from it: procrustes 0.714."]
    );
    assert_eq!((distances.answer, clusters.answer), (Answer::NoMap, Answer::NoMap));
    assert!(clusters.reason.contains("gaps in a map may come from the method"));
}

/// A table of 300 rows whose column of salaries has nearly all of the variance.
#[test]
fn a_dominant_column_is_shown_by_the_linear_map_and_hides_the_classes() {
    let rows: [Row; 4] = [
        ("pca", [1.0, 1.0, NONE, 0.0, 0.52]),
        ("lda", [0.6477, 0.6502, NONE, 0.7911, 0.88]),
        ("umap", [0.9980, 0.9975, NONE, 0.6254, 0.5467]),
        ("laplacian-eigenmaps", [0.9990, 0.9952, NONE, 0.7207, 0.53]),
    ];
    let [neighbors, distances, clusters, _] = decided(&rows, (false, Some(1.0 / 3.0), &[300]));
    assert_eq!(maps(&neighbors), [Some("pca"), Some("umap")]);
    assert_eq!(neighbors.not_to_read, ["Do not read classes from it: knn accuracy 0.520."]);
    assert_eq!(maps(&distances), [Some("pca"), None]);
    assert_eq!(clusters.answer, Answer::NoMap);
    assert!(clusters.reason.starts_with("The best of 3 maps is UMAP with knn accuracy 0.547;"));
}

#[test]
fn maps_of_fewer_points_are_not_recommended_and_faults_are_named() {
    let rows: [Row; 2] =
        [("isomap", [0.99, 0.99, NONE, NONE, NONE]), ("umap", [0.98, 0.98, NONE, NONE, NONE])];
    let of_rows: Vec<Vec<Score>> = rows.iter().map(scores).collect();
    let candidates = rows.iter().zip(&of_rows).zip([90, 95]).map(|(((method, _), scores), placed)| {
        Candidate { method, title: title(method), scores, placed, reads_classes: false, new_points: None }
    });
    let faults = |at: usize| vec![format!("map {at}")];
    let evidence = Evidence {
        maps: candidates.collect(),
        n: 100,
        shape_known: false,
        largest_class: None,
        components: &[95, 5],
        measured_rows: None,
        faults: &faults,
    };
    let neighbors = &decide(&evidence)[0];
    assert_eq!(maps(neighbors), [Some("umap"), None]);
    let said = ["Its distances between far points are not measured.", "It leaves out 5 points.", "map 1"];
    assert_eq!(neighbors.not_to_read, said);
    assert!(decide(&Evidence { maps: Vec::new(), ..evidence }).is_empty());
}

/// The live page marks the best value by the same rule.
#[test]
fn the_page_has_the_same_part_of_the_range() {
    let page = include_str!("../../../../web/page/src/state/best.ts");
    let (_, rest) = page.split_once("const GOOD = ").expect("the constant");
    let part: f64 = rest.split(';').next().and_then(|text| text.parse().ok()).expect("a number");
    for measure in quality::measures() {
        assert!((measure.loss(measure.limit()) - part).abs() < 1e-12, "{}", measure.name);
    }
}
