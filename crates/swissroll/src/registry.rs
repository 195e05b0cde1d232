//! The list of all methods.

use embedding::{DynMethod, DynModel, Error, persist};

use crate::saved::columns::model_of;
use crate::saved::mixed;
use crate::saved::rotated::{self, Rotated};
use crate::saved::standardized::{self, Standardized};

/// One line per method, in the order in which they are listed, run and drawn.
///
/// A static, not a constant: the code of all methods would be generated again in every crate
/// that [`methods`] is inlined into.
static METHODS: &[fn() -> Box<dyn DynMethod>] = &[
    boxed::<linear::Pca>,
    boxed::<linear::FactorAnalysis>,
    boxed::<linear::FastIca>,
    boxed::<linear::KernelPca>,
    boxed::<linear::Lda>,
    boxed::<linear::RandomProjection>,
    boxed::<mds::ClassicalMds>,
    boxed::<mds::LandmarkMds>,
    boxed::<mds::Smacof>,
    boxed::<mds::NonmetricMds>,
    boxed::<mds::Sammon>,
    boxed::<lle::Lle>,
    boxed::<lle::ModifiedLle>,
    boxed::<lle::HessianLle>,
    boxed::<lle::Ltsa>,
    boxed::<isomap::Isomap>,
    boxed::<isomap::LandmarkIsomap>,
    boxed::<isomap::ConformalIsomap>,
    boxed::<laplacian::LaplacianEigenmaps>,
    boxed::<laplacian::DiffusionMaps>,
    boxed::<linear_projections::Lpp>,
    boxed::<linear_projections::Npe>,
    boxed::<linear_projections::Lltsa>,
    boxed::<conformal_eigenmaps::ConformalEigenmaps>,
    boxed::<conformal_eigenmaps::MaximumVarianceUnfolding>,
    boxed::<tsne::Tsne>,
    boxed::<umap::Umap>,
    boxed::<umap::Densmap>,
    boxed::<pacmap::Pacmap>,
    boxed::<pacmap::Localmap>,
    boxed::<trimap::Trimap>,
    boxed::<phate::Phate>,
];

fn boxed<M: embedding::Method>() -> Box<dyn DynMethod> {
    Box::new(M::default())
}

/// All methods with their default parameters.
///
/// ```
/// let names: Vec<&str> = swissroll::methods().map(|method| method.about().name).collect();
/// assert!(names.contains(&"isomap") && names.contains(&"tsne"));
/// ```
pub fn methods() -> impl ExactSizeIterator<Item = Box<dyn DynMethod>> {
    METHODS.iter().map(|make| make())
}

/// The method of the given name with its default parameters; `None` if no method has this name.
///
/// ```
/// use swissroll::prelude::{Input, PointSet};
/// let mut pca = swissroll::method("pca").expect("listed");
/// pca.set_dyn("dim", "1")?;
/// let points = PointSet::from_rows(&[[0.0, 1.0], [1.0, 2.0], [2.0, 3.5]])?;
/// assert_eq!(pca.fit_dyn(&Input::from(&points))?.embedding().dim(), 1);
/// # Ok::<(), swissroll::prelude::Error>(())
/// ```
pub fn method(name: &str) -> Option<Box<dyn DynMethod>> {
    methods().find(|method| method.about().name == name)
}

/// A method and a model that it made.
pub type MethodAndModel = (Box<dyn DynMethod>, Box<dyn DynModel>);

/// The model that [`DynModel::save`] wrote, alone or with what else was stored ([`saved`](crate::saved)), and the
/// method that made it.
///
/// Fails with [`Error::Model`] on bytes that are not a saved model, and on a model of an unknown
/// method.
pub fn load(bytes: &[u8]) -> Result<MethodAndModel, Error> {
    let bytes = model_of(bytes)?;
    if let Some((model, _)) = mixed::parts(&bytes)? {
        return load_alone(&model);
    }
    let Some((model, scaling)) = standardized::parts(&bytes)? else { return load_alone(&bytes) };
    let (method, model) = load_alone(&model)?;
    Ok((method, Box::new(Standardized { scaling, model })))
}

fn load_alone(bytes: &[u8]) -> Result<MethodAndModel, Error> {
    if let Some((model, rotation)) = rotated::parts(bytes)? {
        let (method, model) = load_plain(&model)?;
        return Ok((method, Box::new(Rotated::new(model, rotation)?)));
    }
    load_plain(bytes)
}

/// A model that is not rotated.
fn load_plain(bytes: &[u8]) -> Result<MethodAndModel, Error> {
    let kind = persist::kind(bytes)?;
    let maker = method(kind).ok_or_else(|| Error::Model {
        problem: format!("it was made by `{kind}`, a method that this version does not know"),
    })?;
    let model = maker.load(bytes)?;
    Ok((maker, model))
}
