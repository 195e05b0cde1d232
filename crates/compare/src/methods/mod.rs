//! Every method of the comparison, by name.
//!
//! A method is one file here, which describes it in an [`Entry`], and one line
//! in [`LIST`]. Everything else — the command line, `list methods`, the run,
//! saving and loading — follows from the entry.

mod entry;
mod facts;
mod parameter;
mod word;

mod diffusion_maps;
mod kernel_pca;
mod laplacian_eigenmaps;
mod lda;
mod pca;
mod random_projection;

pub use entry::{Entry, Fitted, Input, Method, Recipe, Setting};
pub use facts::{FACTS, Report};
pub use parameter::{Parameter, ParameterInfo};
pub use word::Word;

use crate::Failure;
use crate::suggestion::unknown;

/// Every method, in the order in which they are run and drawn.
pub static LIST: &[&dyn Method] = &[
    &pca::PCA,
    &kernel_pca::KERNEL_PCA,
    &lda::LDA,
    &random_projection::RANDOM_PROJECTION,
    &laplacian_eigenmaps::LAPLACIAN_EIGENMAPS,
    &diffusion_maps::DIFFUSION_MAPS,
];

/// The method of that name; an unknown name is an error that suggests a near one.
pub fn find(name: &str) -> Result<&'static dyn Method, Failure> {
    LIST.iter()
        .copied()
        .find(|method| method.name() == name)
        .ok_or_else(|| unknown("method", name, LIST.iter().map(|method| method.name())))
}
