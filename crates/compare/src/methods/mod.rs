//! Every method of the comparison, by name.
//!
//! A method is one file here, which describes it in an [`Entry`], and one line
//! in [`LIST`]. Everything else — the command line, `list methods`, the run,
//! saving and loading — follows from the entry.

mod entry;
mod facts;
mod parameter;
mod word;

mod c_isomap;
mod classical_mds;
mod conformal_eigenmaps;
mod diffusion_maps;
mod hessian_lle;
mod isomap;
mod kernel_pca;
mod landmark_isomap;
mod landmark_mds;
mod laplacian_eigenmaps;
mod lda;
mod lle;
mod ltsa;
mod modified_lle;
mod mvu;
mod nonmetric_mds;
mod pca;
mod random_projection;
mod sammon;
mod smacof;
mod tsne;

pub use entry::{Entry, Fitted, Input, Method, Recipe, Setting};
pub use facts::{FACTS, Report};
pub use parameter::{Parameter, ParameterInfo};
pub use word::Word;

use embedding::{Error, persist};

use crate::Failure;
use crate::suggestion::unknown;

/// Every method, in the order in which they are run and drawn.
pub static LIST: &[&dyn Method] = &[
    &pca::PCA,
    &kernel_pca::KERNEL_PCA,
    &lda::LDA,
    &random_projection::RANDOM_PROJECTION,
    &classical_mds::CLASSICAL_MDS,
    &landmark_mds::LANDMARK_MDS,
    &smacof::SMACOF,
    &nonmetric_mds::NONMETRIC_MDS,
    &sammon::SAMMON,
    &lle::LLE,
    &modified_lle::MODIFIED_LLE,
    &hessian_lle::HESSIAN_LLE,
    &ltsa::LTSA,
    &isomap::ISOMAP,
    &landmark_isomap::LANDMARK_ISOMAP,
    &c_isomap::C_ISOMAP,
    &laplacian_eigenmaps::LAPLACIAN_EIGENMAPS,
    &diffusion_maps::DIFFUSION_MAPS,
    &conformal_eigenmaps::CONFORMAL_EIGENMAPS,
    &mvu::MVU,
    &tsne::TSNE,
];

/// The model in `bytes`, whichever method made it.
pub fn load(bytes: &[u8]) -> Result<(&'static dyn Method, Box<dyn Fitted>), Error> {
    let kind = persist::kind(bytes)?;
    let method = LIST.iter().find(|method| method.name() == kind);
    let method = method.ok_or_else(|| Error::Model {
        problem: format!("it was made by `{kind}`, a method that this version does not know"),
    })?;
    Ok((*method, method.load(bytes)?))
}

/// The method of that name; an unknown name is an error that suggests a near one.
pub fn find(name: &str) -> Result<&'static dyn Method, Failure> {
    LIST.iter()
        .copied()
        .find(|method| method.name() == name)
        .ok_or_else(|| unknown("method", name, LIST.iter().map(|method| method.name())))
}
