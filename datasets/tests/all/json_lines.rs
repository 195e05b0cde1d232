//! Rows in JSON.

use crate::common;

use common::{Outcome, plain, read, refusal};
use datasets::files::{Missing, Reading};

#[test]
fn lists_of_numbers_are_coordinates() -> Outcome {
    let text = "{\"id\": 1, \"embedding\": [0.1, 0.2], \"kind\": \"a, b\"}\n\n{\"id\": 2, \"kind\": \"c\", \"embedding\": [0.3, 4e-1]}\n";
    let reading = Reading { ignore: vec!["id".to_owned()], label_column: Some("kind".to_owned()), ..plain() };
    let table = read(&reading, "x.jsonl", text)?;
    assert_eq!(table.points.view().values(), [0.1, 0.2, 0.3, 0.4]);
    assert_eq!(table.columns, Some(vec!["embedding.0".to_owned(), "embedding.1".to_owned()]));
    assert_eq!(table.labels.ok_or("labels")?.classes, ["a, b", "c"]);
    assert_eq!(
        reading.read_bytes(text.replace("\n\n", "\n").into_bytes(), "standard input")?.points,
        table.points
    );
    let lists = read(&plain(), "x.ndjson", "[1, 2.5]\n[3, 4]\n")?;
    assert_eq!(lists.points.view().values(), [1.0, 2.5, 3.0, 4.0]);
    Ok(())
}

#[test]
fn what_a_row_lacks_is_missing() -> Outcome {
    let text =
        "{\"x\": 1, \"y\": {\"a\": 2}}\n{\"x\": null, \"y\": {\"a\": 4}}\n{\"y\": {\"a\": 5}, \"x\": 3}\n";
    let said = refusal(&plain(), "x.jsonl", text);
    assert!(said.contains("row 1, column 0 `x` (counted from 0, line 2) is empty"), "{said}");
    let table = read(&Reading { missing: Missing::Mean, ..plain() }, "x.jsonl", text)?;
    assert_eq!(table.points.view().values(), [1.0, 2.0, 2.0, 4.0, 3.0, 5.0]);
    assert_eq!(table.columns, Some(vec!["x".to_owned(), "y.a".to_owned()]));
    Ok(())
}

#[test]
fn lines_that_are_no_rows_are_refused() {
    for (text, said) in [
        ("{\"x\": 1}\n{\"x\": \n", "line 2 must be one object or one list in JSON"),
        ("{\"x\": 1}\n7\n", "line 2 must be an object or a list, but is `7`"),
        ("{\"x\": 1, \"x\": 2}\n", "line 1 must have each key once, but has `x` twice"),
        ("{\"x\": \"word\"}\n", "row 0, column 0 `x` (counted from 0, line 1) is `word`"),
        ("\n", "the file is empty"),
    ] {
        let refused = refusal(&plain(), "x.jsonl", text);
        assert!(refused.contains(said), "{refused}");
    }
}
