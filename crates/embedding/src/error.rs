//! The one error of the workspace.

use std::borrow::Cow;
use std::fmt::Display;

/// What went wrong: the requirement, the actual value, and a remedy.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter lies outside its legal range.
    #[error("{name} must be {requirement}, but is {got}")]
    Parameter {
        /// The parameter as the user knows it.
        name: &'static str,
        /// The legal range in words, with the numbers of this call.
        requirement: String,
        /// The given value.
        got: String,
    },
    /// A value is NaN or infinite.
    #[error(
        "every value must be finite, but row {row}, column {column} (counted from 0) is {value}; remove or impute it"
    )]
    NotFinite {
        /// Row, counted from 0.
        row: usize,
        /// Column, counted from 0.
        column: usize,
        /// The offending value.
        value: f64,
    },
    /// There are fewer points than the computation needs.
    #[error("{what} needs at least {needed} point{}, but got {got}", if *.needed == 1 { "" } else { "s" })]
    TooFewPoints {
        /// What needs them.
        what: &'static str,
        /// The smallest number that works.
        needed: usize,
        /// The given number.
        got: usize,
    },
    /// Two inputs do not fit together.
    #[error("{what} must be {expected}, but is {got}")]
    Shape {
        /// What does not fit.
        what: &'static str,
        /// The shape it must have.
        expected: String,
        /// The given shape.
        got: String,
    },
    /// The neighbor graph is disconnected.
    #[error(
        "the neighbor graph must be connected, but it falls into {components} components (the largest hold {sizes:?} points); use more neighbors or a larger radius, or choose a component policy: bridge, largest or per-component"
    )]
    Disconnected {
        /// The number of components.
        components: usize,
        /// The sizes of the largest components, descending, ten at most.
        sizes: Vec<usize>,
    },
    /// One of several components, each embedded by itself, could not be embedded.
    #[error(
        "component {component} of {components} (size {size}, first row {row}, counted from 0) by itself: {problem}; use more neighbors or a larger radius, leave it out, or choose the component policy largest or bridge"
    )]
    Component {
        /// Which one, counted from 1.
        component: usize,
        /// The number of components.
        components: usize,
        /// The number of its points.
        size: usize,
        /// Its first row.
        row: u32,
        /// Why not.
        problem: Box<Error>,
    },
    /// The data cannot carry the computation.
    #[error("{problem}; {advice}")]
    Degenerate {
        /// What is degenerate, with numbers.
        problem: String,
        /// What to try.
        advice: &'static str,
        /// The same remedy as data, where a program may have an option for it.
        remedy: Option<Remedy>,
    },
    /// An iteration did not reach its tolerance.
    #[error(
        "{what} must reach a residual of {tolerance:e}, but stands at {residual:e} after {iterations} iterations; {}",
        with_memory(*.factor, .advice)
    )]
    NoConvergence {
        /// The computation.
        what: &'static str,
        /// The residual reached.
        residual: f64,
        /// The residual demanded.
        tolerance: f64,
        /// The iterations spent.
        iterations: usize,
        /// The memory, in bytes, with which the matrix would have been factorized instead of
        /// iterating, where an explicit limit excluded the factorization.
        factor: Option<u64>,
        /// What else to try.
        advice: &'static str,
    },
    /// A stage would need more memory than it may have.
    #[error(
        "{stage} must take at most {} of memory, but would take {}; {advice}",
        Bytes::beside(*.allowed, *.needed), Bytes::beside(*.needed, *.allowed)
    )]
    Memory {
        /// The stage; for a reader, with its file.
        stage: Cow<'static, str>,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
        /// What to try.
        advice: &'static str,
    },
    /// A saved model cannot be used.
    #[error("the saved model cannot be used: {problem}")]
    Model {
        /// Why not.
        problem: String,
    },
    /// A file cannot be read or written.
    #[error("{path}: {problem}{}", after(advice.as_deref()))]
    File {
        /// The file as the user named it.
        path: String,
        /// What is wrong with it; without `advice`, what to try, too.
        problem: String,
        /// What to try, apart from the problem, so that a program can replace it by better advice.
        advice: Option<String>,
        /// The same remedy as data, where a program may have an option for it.
        remedy: Option<Remedy>,
    },
    /// The observer asked to stop.
    #[error("cancelled")]
    Cancelled,
}

/// A remedy for an error. The text of the error states it in words; a program that has an option for it
/// adds the name of the option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// Another value of the parameter of this name.
    Parameter(&'static str),
    /// A policy for the components of a disconnected neighbor graph.
    ComponentPolicy,
    /// A larger memory limit.
    MemoryLimit,
    /// Rows of zeros are left out.
    LeaveOutZeroRows,
    /// Classes of the points are given.
    Labels,
    /// The first line of a file of labels is read as the name of their column.
    LabelHeader,
    /// Pictures are resized to one size.
    PictureSize,
    /// Missing values are declared, and their rows left out or their values filled in.
    MissingValues,
    /// A column that the file has is named.
    ExistingColumn,
    /// The file is read by other options.
    Reading,
    /// Columns of words become coordinates or are left out.
    Coordinates,
}

impl Error {
    /// A parameter outside its range.
    pub fn parameter(name: &'static str, requirement: impl Into<String>, got: impl Display) -> Self {
        Self::Parameter { name, requirement: requirement.into(), got: got.to_string() }
    }

    /// Degenerate data.
    pub fn degenerate(problem: impl Into<String>, advice: &'static str) -> Self {
        Self::Degenerate { problem: problem.into(), advice, remedy: None }
    }

    /// `n` equal points.
    pub fn coincident(n: usize) -> Self {
        Self::degenerate(format!("all {n} points coincide"), "check the data: there is nothing to embed")
    }

    /// Something other than points for a method that accepts points alone.
    pub fn no_points() -> Self {
        Self::degenerate("the method needs points, which are not given", "fit it to points")
    }

    /// Neighbor lists alone for a method that reads other distances as well.
    pub fn lists_alone(method: impl Display) -> Self {
        Self::degenerate(
            format!(
                "{method} reads distances that neighbor lists alone do not hold, between points that are no neighbors"
            ),
            "give the points or the distances between all of them, with the lists or without",
        )
    }

    /// New points with another number of columns than the training data.
    pub(crate) fn other_columns(expected: usize, got: usize) -> Self {
        Self::Shape {
            what: "the number of columns of the new points",
            expected: format!("{expected} as in the training data"),
            got: got.to_string(),
        }
    }

    /// Sparse points for a method that reads more than their neighbor lists.
    pub fn sparse_alone(method: impl Display) -> Self {
        Self::degenerate(
            format!(
                "{method} reads all coordinates or distances, but of sparse points it would not get their zeros"
            ),
            "give the points with their zeros, or choose PCA or a method that accepts neighbor lists",
        )
    }

    /// The error of component number `component`, counted from 0, with these rows; unchanged
    /// where there is no other, and where the observer canceled.
    #[must_use]
    pub fn of_component(self, component: usize, components: usize, rows: &[u32]) -> Self {
        match (self, rows) {
            (problem, &[row, ..]) if components > 1 && problem != Self::Cancelled => {
                let (component, size, problem) = (component + 1, rows.len(), Box::new(problem));
                Self::Component { component, components, size, row, problem }
            }
            (unchanged, _) => unchanged,
        }
    }

    /// A saved model whose content contradicts itself.
    pub fn damaged(problem: impl Into<String>) -> Self {
        Self::Model { problem: problem.into() }
    }

    /// A file that cannot be used.
    pub fn file(path: impl Display, problem: impl Display) -> Self {
        Self::File { path: path.to_string(), problem: problem.to_string(), advice: None, remedy: None }
    }

    /// The error of the content of a file, with the name of the file.
    #[must_use]
    pub fn in_file(self, path: impl Display) -> Self {
        match self {
            Self::File { .. } | Self::Memory { .. } | Self::Cancelled => self,
            other => {
                let remedy = other.remedy();
                Self::File { path: path.to_string(), problem: other.to_string(), advice: None, remedy }
            }
        }
    }

    /// The same error (degenerate data or an unusable file), with its remedy.
    #[must_use]
    pub fn with_remedy(mut self, help: Remedy) -> Self {
        if let Self::Degenerate { remedy, .. } | Self::File { remedy, .. } = &mut self {
            *remedy = Some(help);
        }
        self
    }

    /// The remedy for the error, for programs that have an option for it.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::Parameter { name, .. } => Some(Remedy::Parameter(name)),
            Self::Disconnected { .. } => Some(Remedy::ComponentPolicy),
            Self::Component { problem, .. } => problem.remedy().or(Some(Remedy::ComponentPolicy)),
            Self::Memory { .. } => Some(Remedy::MemoryLimit),
            Self::Degenerate { remedy, .. } | Self::File { remedy, .. } => *remedy,
            _ => None,
        }
    }
}

/// Advice after a problem.
fn after(advice: Option<&str>) -> String {
    advice.map(|advice| format!("; {advice}")).unwrap_or_default()
}

/// A number of bytes in the unit a person would use, with this many decimals.
struct Bytes {
    bytes: u64,
    decimals: usize,
}

/// The advice where an iteration did not converge.
fn with_memory(factor: Option<u64>, advice: &str) -> String {
    let Some(bytes) = factor else { return advice.to_owned() };
    // Rounded upward, so that the memory that is named is enough.
    let digit = 10_u64.pow(3 * (bytes.max(1).ilog10() / 3).min(3)).div_ceil(10);
    let enough = Bytes { bytes: bytes.div_ceil(digit).saturating_mul(digit), decimals: 1 };
    format!("allow {enough} of memory, with which the matrix is factorized; or {advice}")
}

/// Decimals that show every byte of a number of gigabytes.
const ALL: usize = 9;

impl Bytes {
    /// With as many decimals as distinguish it from another number.
    fn beside(bytes: u64, other: u64) -> Self {
        let text = |bytes: u64, decimals: usize| Self { bytes, decimals }.to_string();
        let decimals = (1..ALL).find(|decimals| text(bytes, *decimals) != text(other, *decimals));
        Self { bytes, decimals: decimals.unwrap_or(ALL) }
    }
}

impl Display for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (bytes, decimals) = (self.bytes as f64, self.decimals);
        match self.bytes {
            1 => write!(f, "1 byte"),
            0..1_000 => write!(f, "{bytes} bytes"),
            1_000..1_000_000 => write!(f, "{:.decimals$} kB", bytes / 1e3),
            1_000_000..1_000_000_000 => write!(f, "{:.decimals$} MB", bytes / 1e6),
            _ => write!(f, "{:.decimals$} GB", bytes / 1e9),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::MemoryLimit;

    #[test]
    fn memory_that_helps_to_converge_is_rounded_upward() {
        for (bytes, said) in [
            (7, "allow 7 bytes"),
            (1_234, "allow 1.3 kB"),
            (56_000_001, "allow 56.1 MB"),
            (56_100_000, "allow 56.1 MB"),
            (999_999_999, "allow 1.0 GB"),
            (3_200_000_001, "allow 3.3 GB"),
        ] {
            let told = super::with_memory(Some(bytes), "use fewer points");
            assert!(told.starts_with(&format!("{said} of memory")), "{bytes}: {told}");
        }
    }

    #[test]
    fn memory_errors_tell_numbers_apart_and_fit_any_stage() {
        for (allowed, needed, said) in [
            (1, 9, "the factors must take at most 1 byte of memory, but would take 9 bytes; try"),
            (
                20_000_000,
                90_000_000,
                "the factors must take at most 20.0 MB of memory, but would take 90.0 MB; try",
            ),
            (
                20_000_000,
                20_000_400,
                "the factors must take at most 20.0000 MB of memory, but would take 20.0004 MB; try",
            ),
            (
                4_000_000_000,
                4_000_000_001,
                "the factors must take at most 4.000000000 GB of memory, but would take 4.000000001 GB; try",
            ),
        ] {
            let refused = MemoryLimit::new(allowed).allow("the factors", needed, "try");
            assert_eq!(refused.expect_err("too much").to_string(), said);
        }
    }
}
