//! The interface of all methods.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::implement::{Division, Fact, Parameter, Scale, Sizes, StartScale, Validate};
use crate::{
    DataKind, Error, Explanation, Input, Model, Neighborhood, PerPoint, PointSet, Recipe, Remedy, Report,
    Transform, fixed, row_weights,
};

/// The description of a method, wherever it is listed.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct About {
    /// The name on the command line and in saved models.
    pub name: &'static str,
    /// The name in text.
    pub title: &'static str,
    /// The idea, in one sentence.
    pub summary: &'static str,
    /// The properties of the data that the embedding preserves.
    pub preserves: &'static str,
    /// Time and memory in n, D, k, d.
    pub cost: &'static str,
    /// How new points are placed, and whether the extension interpolates: whether the place of
    /// a row that tends to a training row tends to the place of the training row.
    pub new_points: &'static str,
    /// The kinds of data it can be fitted to.
    pub accepts: &'static [DataKind],
    /// Whether it needs a known class per point.
    pub needs_labels: bool,
    /// The smallest number of points.
    pub least_points: usize,
    /// Idea, equations, steps, failures and papers.
    pub explanation: Explanation,
}

/// A method with its parameters: a plain struct with public fields, `Default` and
/// serde, that holds no data.
///
/// Its parameters are declared at the fields by `#[derive(Recipe)]`, see [`Recipe`]. An
/// implementation describes the method ([`Method::ABOUT`]) and fits it ([`Method::fit_input`]);
/// callers use [`Method::fit`], which checks the input and every legal range first.
///
/// ```
/// use embedding::{Error, Method, Model, PointSet};
///
/// /// Generic code: the largest coordinate of any method's embedding.
/// fn extent<M: Method>(method: &M, points: &PointSet) -> Result<f64, Error> {
///     let fitted = method.fit(points)?;
///     Ok(fitted.embedding().rows().flatten().fold(0.0, |m, v| v.abs().max(m)))
/// }
/// ```
pub trait Method: Recipe + Clone + Default + Serialize + DeserializeOwned + Send + Sync {
    /// The fitted model.
    type Fitted: Fitted;

    /// The description of the method.
    const ABOUT: About;

    /// How points and distances are divided by a power of two where their squares are no normal
    /// numbers, before [`Method::fit_input`] reads them; [`Fitted::multiplied`] undoes the division.
    /// `None` for a method that reads points of any finite scale.
    const DIVISION: Option<Division> = Some(Division::SQUARES);

    /// Whether the method is fitted to the entries of sparse points, divided as dense points are. Methods
    /// that accept neighbor lists are fitted to their neighbors.
    const SPARSE: bool = false;

    /// Whether it reads coordinates of neighborhoods where it is fitted to points, whatever their metric is; such a
    /// method is not fitted to rows that hold none ([`Metric::is_mixed`](crate::Metric::is_mixed)).
    const READS_COORDINATES: bool = false;

    /// The parameter by which a method that does not need labels uses given ones; `None` for a method
    /// that does not read labels.
    const LABEL_PARAMETER: Option<&'static str> = None;

    /// The scale at which given coordinates ([`Input::with_start`]) are the start; `None` for a method
    /// without a start.
    const START: Option<StartScale> = None;

    /// Whether rows can keep their given places while others move, or be drawn to them ([`Input::with_fixed`],
    /// [`Input::with_pull`]).
    const FIXES: bool = false;

    /// Whether rows can have weights ([`Input::with_row_weights`]).
    const WEIGHTS: bool = false;

    /// The neighbor lists that a fit to n points searches, if any.
    fn neighborhood(&self, _n: usize) -> Option<Neighborhood> {
        None
    }

    /// Adds the sizes that the recipe determines (landmarks, basis vectors, …) to the
    /// sizes that legal ranges depend on.
    fn complete(&self, sizes: Sizes) -> Sizes {
        sizes
    }

    /// The recipe for points whose distances are divided by a power of two: parameters in their
    /// unit are divided, too.
    fn divided(&self, _scale: Scale) -> Self {
        self.clone()
    }

    /// The recipe with the values that a fit to `n` points chooses where a default depends on their number,
    /// such as a number of iterations. Fits to fewer points then compute what a fit to `n` points computes,
    /// so that their times can be extrapolated.
    fn settled(&self, _n: usize) -> Self {
        self.clone()
    }

    /// The recipe of a fit that goes on from a map of this one ([`Input::with_continued`]): without the phases
    /// that only lead from a small start to a map. By default the recipe itself.
    fn resumed(&self) -> Self {
        self.clone()
    }

    /// Fails where the numbers of points and columns alone show that a fit of `n` points with the columns of the
    /// input would exceed its memory limit. Every fit begins with this check for the number of its points; a
    /// caller that searches the neighbors before the fit calls it first.
    fn check_memory_of(&self, _input: &Input<'_>, _n: usize) -> Result<(), Error> {
        Ok(())
    }

    /// The fit itself, on an input whose parts and parameters were checked.
    fn fit_input(&self, input: &Input<'_>) -> Result<Self::Fitted, Error>;

    /// Fits points, or whatever else [`About::accepts`] names.
    ///
    /// Fails when a parameter is outside its range, when the input lacks what the
    /// method needs, and as the method's documentation says.
    fn fit<'a>(&self, input: impl Into<Input<'a>>) -> Result<Self::Fitted, Error> {
        let input = input.into();
        let abilities = Abilities {
            sparse: Self::SPARSE,
            start: Self::START.is_some(),
            fixes: Self::FIXES,
            weighs: Self::WEIGHTS,
        };
        check_input(&Self::ABOUT, abilities, &input)?;
        check_metric(&Self::ABOUT, Self::READS_COORDINATES, &input)?;
        self.check(self.sizes(&input))?;
        let scale = Self::DIVISION.map_or(Scale::ONE, |division| input.scale(division, Self::SPARSE));
        let start = start_at(Self::START, &input, scale)?;
        let input = start.as_ref().map_or(input, |start| input.at_scale(start.view()));
        if scale.is_one() {
            input.check_metric_of_listed()?;
            return self.fit_input(&input);
        }
        let divided = input.divided(scale)?;
        let near = divided.input(&input)?;
        near.check_metric_of_listed()?;
        self.divided(input.metric().scale(scale)).fit_input(&near)?.multiplied(scale)
    }

    /// The sizes of an input, with the number of neighbors of the recipe where the input
    /// has no lists.
    fn sizes(&self, input: &Input<'_>) -> Sizes {
        let sizes = input.sizes();
        let own = self.neighborhood(input.len()).and_then(Neighborhood::k);
        let sparse = input.sparse_points().filter(|_| Self::SPARSE);
        let columns = sizes.columns.or(sparse.map(|points| points.dim()));
        Sizes { neighbors: sizes.neighbors.or(own), columns, ..sizes }
    }

    /// Fails with [`Error::Parameter`] when a parameter is outside its range for
    /// these sizes.
    fn check(&self, sizes: Sizes) -> Result<(), Error> {
        let sizes = self.complete(sizes);
        if let Some(got) = sizes.points.filter(|n| *n < Self::ABOUT.least_points) {
            return Err(Error::TooFewPoints {
                what: Self::ABOUT.title,
                needed: Self::ABOUT.least_points,
                got,
            });
        }
        Self::parameters().iter().try_for_each(|parameter| parameter.check(self, &sizes))
    }

    /// Sets a parameter from text. Fails with [`Error::Parameter`] when there is no
    /// parameter of that name and when the text is no legal value.
    fn set(&mut self, name: &str, text: &str) -> Result<(), Error> {
        let parameters = Self::parameters();
        match parameters.iter().find(|parameter| parameter.name() == name) {
            Some(parameter) => parameter.set(self, text),
            None => Err(no_parameter(&parameters.iter().map(Parameter::name).collect::<Vec<_>>(), name)),
        }
    }
}

fn no_parameter(names: &[&str], name: &str) -> Error {
    Error::parameter("the parameter", format!("one of {}", names.join(", ")), format!("`{name}`"))
}

/// What a method can be fitted to or with.
#[derive(Clone, Copy)]
struct Abilities {
    sparse: bool,
    start: bool,
    fixes: bool,
    weighs: bool,
}

/// Fails when the method cannot be fitted to the given data.
fn check_input(
    about: &About,
    Abilities { sparse, start: has_start, fixes, weighs }: Abilities,
    input: &Input<'_>,
) -> Result<(), Error> {
    input.check()?;
    if input.row_weights().is_some() && !weighs {
        return Err(row_weights::refused(about.title));
    }
    fixed::check(about.title, fixes, input)?;
    if input.start().is_some() && !has_start {
        return Err(Error::degenerate(
            format!("{} has no start, and coordinates are given as its start", about.title),
            "leave them out, or choose an iterative method, such as tsne, umap or smacof",
        ));
    }
    let kind = input.data().kind();
    let values_of_sparse = sparse && input.sparse_points().is_some();
    if !about.accepts.contains(&kind) && !values_of_sparse {
        if input.sparse_points().is_some() {
            return Err(Error::sparse_alone(about.title));
        }
        if kind == DataKind::Neighbors && about.accepts.contains(&DataKind::Distances) {
            return Err(Error::lists_alone(about.title));
        }
        let words = about.accepts.iter().map(DataKind::to_string).collect::<Vec<_>>().join(" or ");
        return Err(Error::parameter("the input", format!("{words} for {}", about.name), kind));
    }
    match (about.needs_labels, input.labels()) {
        (false, _) => Ok(()),
        (true, Some(labels)) => labels.require_all(about.name),
        (true, None) => Err(Error::degenerate(
            format!("{} needs labels, and the data has none", about.name),
            "give a class per point, or choose an unsupervised method",
        )
        .with_remedy(Remedy::Labels)),
    }
}

/// The given start at the scale of the method, or unchanged where rows are fixed or a fit goes on; in the unit of the divided data where it has the unit of data.
fn start_at(own: Option<StartScale>, input: &Input<'_>, data: Scale) -> Result<Option<PointSet>, Error> {
    let (Some(own), Some(start)) = (own, input.start()) else { return Ok(None) };
    let as_given = input.goes_on() || input.fixed_rows().is_some();
    let used = if as_given { StartScale::Unchanged } else { own };
    let start = used.apply(start)?;
    let unit = input.metric().scale(data);
    if own == StartScale::Unchanged && !unit.is_one() {
        return unit.divide(start.view()).map(Some);
    }
    Ok(Some(start))
}

/// Fails when the method or the data cannot use a metric other than Euclidean.
fn check_metric(about: &About, reads_coordinates: bool, input: &Input<'_>) -> Result<(), Error> {
    let metric = input.metric();
    if metric.is_euclidean() {
        return Ok(());
    }
    metric.check()?;
    let accepts_metrics = about.accepts.contains(&DataKind::Distances);
    if metric.is_mixed() && (reads_coordinates || !accepts_metrics) {
        let problem = format!(
            "{} reads coordinates, which rows with categories or gaps, compared by {metric}, do not have",
            about.title
        );
        let advice = "make a column of 0 and 1 of each category or leave out such columns, fill the gaps, and \
                      choose the metric euclidean; or choose a method of distances, such as umap";
        return Err(Error::degenerate(problem, advice).with_remedy(Remedy::Coordinates));
    }
    let requirement = if !accepts_metrics {
        format!("euclidean for {}, which reads coordinates and no distances", about.name)
    } else if input.rows().is_none() {
        format!("left out where {} are given, which have their own metric", input.data().kind())
    } else {
        return Ok(());
    };
    Err(Error::parameter("the metric", requirement, metric))
}

/// A model of a [`Method`]: saved, loaded and validated, with facts about the fit.
pub trait Fitted:
    Model + Transform + Validate + Serialize + DeserializeOwned + Send + Sync + Sized + 'static
{
    /// The facts that the model reports, with their meaning.
    fn facts() -> Vec<Fact<Self>>;

    /// Turns a model that was fitted to data divided by a power of two into a model of the data
    /// themselves. Depending on the method's map, coordinates are multiplied or not; new points
    /// are read in units of the data.
    ///
    /// Fails where a result leaves the range of numbers. The default, for methods without a
    /// [`Method::DIVISION`], always fails.
    fn multiplied(self, _scale: Scale) -> Result<Self, Error> {
        Err(Error::degenerate(
            "squares of differences of coordinates are outside of double precision",
            "multiply the data by a power of two",
        ))
    }

    /// The state of the optimization at the end of the fit, as bytes, from which [`Input::with_continued`] goes
    /// on to the bit. `None` for methods without such a state, and for models that were saved and loaded.
    fn state(&self) -> Result<Option<Vec<u8>>, Error> {
        Ok(None)
    }

    /// The points that the model was fitted to, one per row of the data, for a fit with further points; `None`
    /// where it does not keep all of them: linear models, models of distances, lists or sparse points, of several
    /// components, and of layouts that reduced the columns.
    fn training_points(&self) -> Result<Option<PointSet>, Error> {
        Ok(None)
    }

    /// Sentences that a reader of the result must know.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Values per placed point, to color the map by.
    fn per_point(&self) -> Vec<PerPoint> {
        Vec::new()
    }

    /// All facts, notes and values per point.
    fn report(&self) -> Report {
        let mut report = Report { notes: self.notes(), per_point: self.per_point(), ..Report::default() };
        for fact in Self::facts() {
            if let Some(value) = fact.of(self) {
                report.facts.insert(fact.name.to_owned(), value);
            }
        }
        report
    }
}
