//! The inverse of a map, as learned from data.

use embedding::{Embedding, MemoryLimit, Points, Silent, Transform};
use swissroll::regression::{
    FittedKernelRidge, FittedLocalBarycentric, KernelRidge, LocalBarycentric, Regressor, Width,
};

use crate::failure::Failure;
use crate::request::{Inverse, Invert};
use crate::stored::MEMORY;

/// A function from the places of a map to data, with the part of the request that determines it.
pub(crate) struct Learned {
    by: Inverse,
    k: usize,
    fitted: Fitted,
}

enum Fitted {
    Barycentric(FittedLocalBarycentric),
    KernelRidge(FittedKernelRidge),
}

impl Learned {
    /// Learns the function that the request describes.
    pub(crate) fn new(request: &Invert, map: Points<'_>, data: Points<'_>) -> Result<Self, Failure> {
        let Invert { by, k, .. } = *request;
        let (targets, memory_limit): (_, MemoryLimit) = (data.as_mat(), MEMORY);
        let fitted = match by {
            Inverse::Auto | Inverse::Barycentric => {
                let recipe = LocalBarycentric { k, ..LocalBarycentric::default() };
                Fitted::Barycentric(recipe.fit(map, targets, &Silent)?)
            }
            Inverse::KernelRidge => {
                let recipe =
                    KernelRidge { width: Width::Spacing(1.0), memory_limit, ..KernelRidge::default() };
                Fitted::KernelRidge(recipe.fit(map, targets, &Silent)?)
            }
        };
        Ok(Self { by: of(by), k, fitted })
    }

    /// Decodes places, and names the way.
    pub(crate) fn decode(&self, places: Points<'_>) -> Result<(Embedding, &'static str), Failure> {
        Ok(match &self.fitted {
            Fitted::Barycentric(fitted) => (fitted.transform(places)?, "barycentric"),
            Fitted::KernelRidge(fitted) => (fitted.transform(places)?, "kernel_ridge"),
        })
    }

    /// Whether it is the function that the request describes.
    pub(crate) fn answers(&self, request: &Invert) -> bool {
        (self.by, self.k) == (of(request.by), request.k)
    }
}

/// What is learned for a request.
fn of(by: Inverse) -> Inverse {
    if by == Inverse::Auto { Inverse::Barycentric } else { by }
}
