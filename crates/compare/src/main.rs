//! The program `compare`.

use std::process::ExitCode;

fn main() -> ExitCode {
    compare::cli::main()
}
