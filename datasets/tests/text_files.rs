//! Text files as other programs write them: what is read is told, what is not read is refused with
//! the place and what to try.

use std::fs;

use datasets::files::{Reading, Table};
use embedding::Error;

fn plain() -> Reading {
    Reading::default()
}

/// A file of this name and content, by these options.
fn read(reading: &Reading, name: &str, content: impl AsRef<[u8]>) -> Result<Table, Error> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    fs::write(&path, content).expect("a temporary folder can be written");
    reading.read(&path)
}

/// The sentence with which a file is refused.
fn refusal(reading: &Reading, name: &str, content: impl AsRef<[u8]>) -> String {
    match read(reading, name, content) {
        Err(Error::File { problem, .. }) => problem,
        other => panic!("expected Error::File, got {other:?}"),
    }
}

/// Fails unless the sentence has all these parts.
#[track_caller]
fn says(said: &str, parts: &[&str]) {
    for part in parts {
        assert!(said.contains(part), "`{part}` is not in: {said}");
    }
}

#[test]
fn lines_are_counted_as_an_editor_does() {
    let text = "x,y\n1,2\n3,4\n5,6\n7,eight\n";
    for end in ["\n", "\r\n", "\r"] {
        let text = text.replace('\n', end);
        says(&refusal(&plain(), "x.csv", &text), &["row 3, column 1 `y`", "line 5)"]);
        says(&refusal(&plain(), "x.csv", format!("\u{feff}{text}")), &["row 3,", "line 5)"]);
        says(&refusal(&plain(), "x.csv", text.replace(',', ";")), &["row 3,", "line 5)"]);
        // A cell of two lines, and an empty line.
        says(&refusal(&plain(), "x.csv", text.replacen('y', &format!("\"y{end}z\""), 1)), &["line 6)"]);
        says(&refusal(&plain(), "x.csv", text.replacen("3,4", &format!("{end}3,4"), 1)), &["line 6)"]);
        says(&refusal(&plain(), "x.csv", format!("x;y{end}1;two{end}")), &["row 0,", "line 2)"]);
        says(&refusal(&plain(), "x.csv", format!("1,2{end}3,4,5{end}")), &["row 1 ", "line 2)"]);
    }
}
