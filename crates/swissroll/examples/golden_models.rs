//! Writes a small saved model of every method, with the coordinates that it gives to a few new rows,
//! for the test of saved models of earlier versions.
//!
//! ```sh
//! cargo run -p swissroll --example golden_models -- crates/swissroll/tests/golden/format-3
//! ```
//!
//! Existing files are never changed: a new method adds its model to the newest format, and a new format
//! gets a folder of its own.

#![expect(clippy::print_stdout, reason = "a program")]

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use testkit::saved::{golden_lines, saved_models};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("name the folder to write to")?);
    fs::create_dir_all(&folder)?;
    for saved in saved_models(swissroll::methods()) {
        let Some(name) = saved.what.strip_suffix(" of points") else { continue };
        let path = folder.join(format!("{name}.model"));
        if path.exists() {
            continue;
        }
        let (_, model) = swissroll::load(&saved.bytes)?;
        fs::write(&path, &saved.bytes)?;
        fs::write(folder.join(format!("{name}.csv")), golden_lines(&*model, saved.new.view())?)?;
        println!("{name}: {} bytes", saved.bytes.len());
    }
    Ok(())
}
