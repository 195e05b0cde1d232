//! Probable mistakes in tables: each is found in a table that has it, and in none that has not.

use datasets::files::{Missing, Reading, Suspicion, Table};
use embedding::Metric;

fn read(text: &str, reading: &Reading) -> Table {
    reading.read_bytes(text.as_bytes().to_vec(), "x.csv").expect("the table can be read")
}

fn found(text: &str) -> Vec<Suspicion> {
    Suspicion::find(&read(text, &Reading::default()), Metric::Euclidean)
}

/// A table of `rows` rows, whose cells are functions of the row.
fn table(header: &str, rows: usize, row: impl Fn(usize) -> String) -> String {
    format!("{header}\n{}", (0..rows).map(|i| row(i) + "\n").collect::<String>())
}

#[test]
fn a_table_without_mistakes_has_none() {
    let text = table("a,b,c", 20, |i| format!("{},{},{}", i * 7 % 20, i * 3 % 19, i * i % 17));
    assert_eq!(found(&text), []);
    let points = read(&text, &Reading::default());
    assert_eq!(Suspicion::find(&points, Metric::Manhattan), []);
    // Numbers that are never equal are alike to a metric that counts equal values.
    let text = table("a,b,c", 20, |i| format!("{}.5,{}.25,{}.125", i, i + 1, i + 2));
    let apart = Suspicion::find(&read(&text, &Reading::default()), Metric::Hamming);
    assert!(matches!(apart[..], [Suspicion::Indifferent { metric: Metric::Hamming, .. }]), "{apart:?}");
}

#[test]
fn a_dominant_column_constant_columns_and_nines_are_found() {
    let text = table("a,b,c,d", 20, |i| format!("{},{},{},1", 1000 * (i * 7 % 20), i * 3 % 19, i * i % 17));
    let [Suspicion::Dominant { column: 0, fraction, others: 2 }, Suspicion::Constant { columns }] =
        &found(&text)[..]
    else {
        panic!("{:?}", found(&text))
    };
    assert!(*fraction > 0.99 && columns == &[3]);
    let standardized = read(&text, &Reading { standardize: true, ..Reading::default() });
    assert_eq!(
        Suspicion::find(&standardized, Metric::Euclidean),
        [Suspicion::Constant { columns: vec![3] }],
        "standardized columns have equal variances"
    );
    let gaps = table("a,b,c", 20, |i| {
        format!(
            "{},{},{}",
            i * 7 % 20,
            if i == 4 { "-999".to_owned() } else { (i * 3 % 19).to_string() },
            i * i % 17
        )
    });
    assert_eq!(
        found(&gaps),
        [Suspicion::Nines { number: -999.0, columns: vec![1], others: vec![[0.0, 18.0]], rows: 1 }]
    );
    let reading =
        Reading { missing: Missing::Mean, missing_values: vec!["-999".to_owned()], ..Reading::default() };
    assert_eq!(Suspicion::find(&read(&gaps, &reading), Metric::Euclidean), []);
}

#[test]
fn copies_equal_rows_distances_and_labels_that_are_no_classes_are_found() {
    let copied = table("a,b,c", 20, |i| {
        let i = i % 18;
        format!("{},{},{}", i * 7 % 20, i * 3 % 19, i * i % 17)
    });
    assert_eq!(found(&copied), [Suspicion::Copies { copies: 2 }]);
    assert_eq!(found(&table("a,b", 4, |_| "1,2".to_owned())), [Suspicion::Equal]);
    let distances = table("a,b,c,d", 4, |i| {
        (0..4).map(|j: usize| (i.abs_diff(j)).to_string()).collect::<Vec<_>>().join(",")
    });
    assert_eq!(found(&distances), [Suspicion::Distances]);
    let reading = Reading { label_column: Some("kind".to_owned()), ..Reading::default() };
    let labeled = |classes: usize| {
        let text = table("a,b,kind", 80, |i| format!("{},{},c{}", i * 7 % 80, i * 3 % 79, i % classes));
        Suspicion::find(&read(&text, &reading), Metric::Euclidean)
    };
    assert_eq!(labeled(41), [Suspicion::Classes { name: "kind".to_owned(), classes: 41 }]);
    assert_eq!(labeled(40), []);
}
