//! Saved models of earlier versions: every version reads them, and places rows with the same bits.
//!
//! `golden/format-N` has a model of every method in format N, as `METHOD.model`, and its training
//! coordinates and the places of new rows as `METHOD.csv`. The example `golden_models` writes them.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use testkit::saved::{golden_lines, saved_models};

/// The oldest format that is read.
const OLDEST: u32 = 3;

fn folder(format: u32) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/format-{format}"))
}

#[test]
fn models_of_every_format_place_rows_as_when_they_were_saved() {
    let new = saved_models(swissroll::methods()).swap_remove(0).new;
    for format in OLDEST..=embedding::persist::FORMAT {
        let mut names: Vec<PathBuf> =
            fs::read_dir(folder(format)).unwrap().map(|f| f.unwrap().path()).collect();
        names.retain(|path| path.extension().is_some_and(|extension| extension == "model"));
        assert!(names.len() >= 32, "format {format} has {} models", names.len());
        for path in names {
            let bytes = fs::read(&path).unwrap();
            let (method, model) =
                swissroll::load(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let name = path.file_stem().unwrap().to_str().unwrap();
            assert_eq!(method.about().name, name);
            let recorded = fs::read_to_string(path.with_extension("csv")).unwrap();
            let found = golden_lines(&*model, new.view()).unwrap();
            assert_eq!(found, recorded, "{name}, format {format}: training coordinates, then places");
        }
    }
}

#[test]
fn every_method_has_a_model_in_the_present_format() {
    let recorded: BTreeSet<String> = fs::read_dir(folder(embedding::persist::FORMAT))
        .expect("cargo run -p swissroll --example golden_models -- FOLDER writes it")
        .map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let methods: BTreeSet<String> = swissroll::methods().map(|m| m.about().name.to_owned()).collect();
    assert_eq!(recorded, methods);
}
