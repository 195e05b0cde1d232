//! Methods and models without their types.

use crate::implement::{Fact, Limits, Sizes, StartScale};
use crate::{
    About, DataKind, Embedding, Error, FactInfo, Fitted, Input, LinearMap, Method, Model, Neighborhood,
    NewNeighbors, ParameterInfo, PointSet, Points, Report, Rows, TrainingRows, Transform, persist,
};

/// A [`Method`] without its type, for lists of methods and loops over them.
///
/// ```
/// # fn demo(methods: Vec<Box<dyn embedding::DynMethod>>, points: &embedding::PointSet) -> Result<(), embedding::Error> {
/// for method in methods {
///     let fitted = method.fit_dyn(&points.into())?;
///     println!("{}: {} points", method.about().title, fitted.embedding().len());
/// }
/// # Ok(())
/// # }
/// ```
pub trait DynMethod: Send + Sync {
    /// The description of the method.
    fn about(&self) -> &'static About;
    /// Its parameters, with defaults and present values.
    fn parameters(&self) -> Vec<ParameterInfo>;
    /// The ends of the legal range of each of [`DynMethod::parameters`] for an input and
    /// the present values of the others; `None` for a parameter without a range.
    fn limits(&self, input: &Input<'_>) -> Vec<Option<Limits>>;
    /// The same without the ends that depend on values of other parameters.
    fn limits_of_data(&self, input: &Input<'_>) -> Vec<Option<Limits>>;

    /// The facts that its models report.
    fn facts(&self) -> Vec<FactInfo>;
    /// Sets a parameter from text; see [`Method::set`].
    fn set_dyn(&mut self, name: &str, text: &str) -> Result<(), Error>;
    /// Whether it can be fitted to sparse points, by their neighbors or by their values
    /// ([`Method::SPARSE`]).
    fn accepts_sparse(&self) -> bool;
    /// Whether it is not fitted to rows without coordinates; see [`Method::READS_COORDINATES`].
    fn reads_coordinates(&self) -> bool {
        false
    }
    /// The parameter by which labels change the map; see [`Method::LABEL_PARAMETER`].
    fn label_parameter(&self) -> Option<&'static str> {
        None
    }
    /// The scale at which given coordinates are the start; see [`Method::START`].
    fn start_scale(&self) -> Option<StartScale> {
        None
    }
    /// A sentence that says how the start of an input is used; `None` where none is given.
    fn start_note(&self, input: &Input<'_>) -> Option<String> {
        let (start, scale) = (input.start()?, self.start_scale()?);
        if input.goes_on() {
            return Some("the fit goes on from the given map".to_owned());
        }
        let Some(fixed) = input.fixed_rows() else { return Some(scale.note(start)) };
        let (note, all) = (StartScale::Unchanged.note(start), input.len());
        let count = (0..all).filter(|row| fixed.place(*row).is_some()).count();
        Some(match fixed.pull() {
            Some(pull) => {
                format!("{note}; {count} of {all} rows are drawn to their places by a pull of {pull}")
            }
            None => format!("{note}; {count} of {all} rows are fixed"),
        })
    }
    /// Whether rows can be fixed; see [`Method::FIXES`].
    fn fixes_rows(&self) -> bool {
        false
    }
    /// Whether rows can have weights; see [`Method::WEIGHTS`].
    fn weighs_rows(&self) -> bool {
        false
    }
    /// The neighbor lists that a fit to n points searches, if any.
    fn neighborhood_dyn(&self, n: usize) -> Option<Neighborhood>;
    /// The method with the defaults of a fit to `n` points; see [`Method::settled`].
    fn settled_dyn(&self, _n: usize) -> Box<dyn DynMethod> {
        self.boxed()
    }
    /// The method of a fit that goes on from a map of this one; see [`Method::resumed`].
    fn resumed_dyn(&self) -> Box<dyn DynMethod> {
        self.boxed()
    }
    /// Fails where a fit of `n` points exceeds the memory limit by its sizes alone; see
    /// [`Method::check_memory_of`].
    fn check_memory_dyn(&self, _input: &Input<'_>, _n: usize) -> Result<(), Error> {
        Ok(())
    }
    /// Fits; see [`Method::fit`].
    fn fit_dyn(&self, input: &Input<'_>) -> Result<Box<dyn DynModel>, Error>;
    /// The model that [`DynModel::save`] wrote; fails on anything else.
    fn load(&self, bytes: &[u8]) -> Result<Box<dyn DynModel>, Error>;
    /// A copy.
    fn boxed(&self) -> Box<dyn DynMethod>;
}

/// A fitted model without its type.
pub trait DynModel: Model + Transform + Send + Sync {
    /// All facts, notes and values per point.
    fn report(&self) -> Report;
    /// The model as bytes that [`DynMethod::load`] reads.
    fn save(&self) -> Result<Vec<u8>, Error>;
    /// The points that the model was fitted to, where it keeps all; see [`Fitted::training_points`].
    fn training_points(&self) -> Result<Option<PointSet>, Error> {
        Ok(None)
    }
    /// The state from which the fit goes on to the bit; see [`Fitted::state`].
    fn state(&self) -> Result<Option<Vec<u8>>, Error> {
        Ok(None)
    }
}

impl<M: Method> DynMethod for M {
    fn about(&self) -> &'static About {
        const { &M::ABOUT }
    }

    fn parameters(&self) -> Vec<ParameterInfo> {
        let default = M::default();
        M::parameters().iter().map(|parameter| parameter.info(self, &default)).collect()
    }

    fn limits(&self, input: &Input<'_>) -> Vec<Option<Limits>> {
        let sizes = self.complete(self.sizes(input));
        M::parameters().iter().map(|parameter| parameter.limits(&sizes)).collect()
    }

    fn limits_of_data(&self, input: &Input<'_>) -> Vec<Option<Limits>> {
        let sizes = Sizes { neighbors: None, ..self.sizes(input) };
        M::parameters().iter().map(|parameter| parameter.limits(&sizes)).collect()
    }

    fn facts(&self) -> Vec<FactInfo> {
        let info = |fact: Fact<M::Fitted>| FactInfo { name: fact.name, meaning: fact.meaning };
        M::Fitted::facts().into_iter().map(info).collect()
    }

    fn set_dyn(&mut self, name: &str, text: &str) -> Result<(), Error> {
        self.set(name, text)
    }

    fn reads_coordinates(&self) -> bool {
        M::READS_COORDINATES || !M::ABOUT.accepts.contains(&DataKind::Distances)
    }

    fn label_parameter(&self) -> Option<&'static str> {
        M::LABEL_PARAMETER
    }

    fn start_scale(&self) -> Option<StartScale> {
        M::START
    }

    fn fixes_rows(&self) -> bool {
        M::FIXES
    }

    fn weighs_rows(&self) -> bool {
        M::WEIGHTS
    }

    fn accepts_sparse(&self) -> bool {
        M::SPARSE || M::ABOUT.accepts.contains(&DataKind::Neighbors)
    }

    fn neighborhood_dyn(&self, n: usize) -> Option<Neighborhood> {
        self.neighborhood(n)
    }

    fn settled_dyn(&self, n: usize) -> Box<dyn DynMethod> {
        Box::new(self.settled(n))
    }

    fn resumed_dyn(&self) -> Box<dyn DynMethod> {
        Box::new(self.resumed())
    }

    fn check_memory_dyn(&self, input: &Input<'_>, n: usize) -> Result<(), Error> {
        self.check_memory_of(input, n)
    }

    fn fit_dyn(&self, input: &Input<'_>) -> Result<Box<dyn DynModel>, Error> {
        Ok(Box::new(Named { name: M::ABOUT.name, model: self.fit(input)? }))
    }

    fn load(&self, bytes: &[u8]) -> Result<Box<dyn DynModel>, Error> {
        let model: M::Fitted = persist::decode(M::ABOUT.name, bytes)?;
        Ok(Box::new(Named { name: M::ABOUT.name, model }))
    }

    fn boxed(&self) -> Box<dyn DynMethod> {
        Box::new(self.clone())
    }
}

/// A model with the name of its method.
struct Named<F> {
    name: &'static str,
    model: F,
}

impl<F: Fitted> Model for Named<F> {
    fn embedding(&self) -> &Embedding {
        self.model.embedding()
    }
}

impl<F: Fitted> Transform for Named<F> {
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        self.model.place(rows, known)
    }

    fn place_listed(&self, new: &NewNeighbors, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        self.model.place_listed(new, known)
    }

    fn lists_among(&self) -> Option<usize> {
        self.model.lists_among()
    }

    fn invert(&self, places: Points<'_>) -> Result<Option<Embedding>, Error> {
        self.model.invert(places)
    }

    fn linear_map(&self) -> Option<LinearMap> {
        self.model.linear_map()
    }

    fn curvatures(&self) -> Result<Option<Vec<f64>>, Error> {
        self.model.curvatures()
    }
}

impl<F: Fitted> DynModel for Named<F> {
    fn report(&self) -> Report {
        self.model.report()
    }

    fn save(&self) -> Result<Vec<u8>, Error> {
        persist::encode(self.name, &self.model)
    }

    fn state(&self) -> Result<Option<Vec<u8>>, Error> {
        self.model.state()
    }

    fn training_points(&self) -> Result<Option<PointSet>, Error> {
        self.model.training_points()
    }
}
