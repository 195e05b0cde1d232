//! What can be set on a method's recipe.

use serde::Serialize;

/// One parameter of the recipe `R`.
pub struct Parameter<R> {
    /// Its name on the command line.
    pub name: &'static str,
    /// The legal values, in words.
    pub legal: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// The value as it would be typed.
    pub show: fn(&R) -> String,
    /// Takes a typed value; none where it cannot be one.
    pub set: fn(&mut R, &str) -> Option<()>,
}

/// A parameter as `list methods` shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ParameterInfo {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its value when nobody sets it.
    pub default: String,
    /// The legal values, in words.
    pub legal: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
}

/// A parameter that is one field of the recipe.
macro_rules! field {
    ($name:literal, $($field:ident).+, $legal:expr, $about:expr) => {
        $crate::methods::Parameter {
            name: $name,
            legal: $legal,
            about: $about,
            show: |recipe| $crate::methods::Word::show(&recipe.$($field).+),
            set: |recipe, text| {
                recipe.$($field).+ = $crate::methods::Word::read(text)?;
                Some(())
            },
        }
    };
}

/// `dim`, the target dimension.
macro_rules! dim {
    ($legal:expr) => {
        $crate::methods::parameter::field!("dim", dim, $legal, "target dimension d")
    };
}

/// `seed`, of every random choice.
macro_rules! seed {
    () => {
        $crate::methods::parameter::field!("seed", seed, "0 to 2^64 - 1", "seed of every random choice")
    };
}

/// `k`, the number of neighbors.
macro_rules! k {
    () => {
        $crate::methods::Parameter {
            name: "k",
            legal: "1 to n - 1",
            about: "number of nearest neighbors",
            show: |recipe| match recipe.neighborhood {
                neighbor_graph::Neighborhood::Nearest { k } => k.to_string(),
                neighbor_graph::Neighborhood::Within { .. } => "none".to_owned(),
            },
            set: |recipe, text| {
                recipe.neighborhood = neighbor_graph::Neighborhood::Nearest { k: text.parse().ok()? };
                Some(())
            },
        }
    };
}

/// `radius`, in place of `k`.
macro_rules! radius {
    () => {
        $crate::methods::Parameter {
            name: "radius",
            legal: "a positive number in input units",
            about: "neighbors are all points within this distance, in place of k",
            show: |recipe| match recipe.neighborhood {
                neighbor_graph::Neighborhood::Nearest { .. } => "none".to_owned(),
                neighbor_graph::Neighborhood::Within { radius } => $crate::methods::Word::show(&radius),
            },
            set: |recipe, text| {
                let radius = $crate::methods::Word::read(text)?;
                recipe.neighborhood = neighbor_graph::Neighborhood::Within { radius };
                Some(())
            },
        }
    };
}

/// `components`, the policy for a graph that falls apart.
macro_rules! components {
    () => {
        $crate::methods::parameter::field!(
            "components",
            components,
            "reject, bridge, largest or per-component",
            "what to do when the neighbor graph falls apart"
        )
    };
}

/// `memory-limit`, of any one stage.
macro_rules! memory_limit {
    () => {
        $crate::methods::parameter::field!(
            "memory-limit",
            memory_limit,
            "bytes, or a number with kB, MB, GB or TB, or unlimited",
            "memory that one stage may take"
        )
    };
}

/// `tolerance`, of the eigenvectors.
macro_rules! tolerance {
    () => {
        $crate::methods::parameter::field!(
            "tolerance",
            tolerance.residual,
            "a positive number",
            "residual demanded of the eigenvectors, relative to the operator's norm"
        )
    };
}

pub(crate) use {components, dim, field, k, memory_limit, radius, seed, tolerance};
