//! Recipes, and descriptions of their parameters.

use serde::Serialize;

use crate::Error;
use crate::implement::{Limits, Range, Sizes, Value, ValueSyntax};

/// A type with named parameters: the recipe of a method, or a part of recipes.
///
/// `#[derive(Recipe)]` implements it and [`Default`]. Each field declares its parameter once:
///
/// - The first sentence of its documentation comment is the meaning wherever the parameter is listed:
///   `compare list` and `explain`, the page, Python. Advice may follow.
/// - `#[param(default = EXPRESSION)]`: the default; if it is left out, the default of the field's type.
/// - `range = "1 to n - 1"`: the legal range, as it is printed: `A to B`, `at least A`,
///   `at least A and below B`, `above 0` or `above A and below B`. A and B are numbers, sizes (`n`
///   points, `D` columns, `k` neighbors, `landmarks`, `basis` vectors, `classes`, `dim`), these less
///   a number, or the least of several: `min(n - 1, D)`. An expression of type [`Range`] does for
///   others. Without it the range is [`Value::RANGE`].
/// - `name = "target-weight"`: the name; if it is left out, the field's name with hyphens.
/// - `flatten`: the field's type implements `Recipe`, and its parameters become parameters of the
///   recipe; `flatten = FUNCTION` takes them from a function instead.
/// - `skip`: the field is no parameter.
///
/// The order of fields is the order of all lists.
///
/// ```
/// use embedding::{Neighborhood, Recipe};
///
/// /// A blur of points over their neighbors.
/// #[derive(Clone, Debug, PartialEq, Recipe)]
/// struct Blur {
///     /// The rule that selects neighbors.
///     #[param(flatten, default = Neighborhood::Nearest { k: 14 })]
///     neighborhood: Neighborhood,
///     /// Width of the kernel; auto is the mean distance.
///     #[param(range = "above 0")]
///     width: Option<f64>,
///     /// Largest number of iterations.
///     #[param(name = "iterations", default = 300, range = "at least 1")]
///     max_iterations: usize,
/// }
///
/// let parameters = Blur::parameters();
/// let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name()).collect();
/// assert_eq!(names, ["k", "radius", "width", "iterations"]);
/// let mut blur = Blur::default();
/// assert_eq!((blur.width, blur.max_iterations), (None, 300));
/// parameters[2].set(&mut blur, "0.5")?;
/// assert_eq!(blur.width, Some(0.5));
/// let refused = parameters[3].set(&mut blur, "0").unwrap_err().to_string();
/// assert!(refused.starts_with("iterations must be at least 1"));
/// # Ok::<(), embedding::Error>(())
/// ```
///
/// A range of a type without numbers does not compile, nor does a parameter without documentation:
///
/// ```compile_fail
/// #[derive(embedding::Recipe)]
/// struct Exact {
///     /// Whether all pairs count.
///     #[param(range = "0 to 1")]
///     exact: bool,
/// }
/// ```
///
/// ```compile_fail
/// #[derive(embedding::Recipe)]
/// struct Flat {
///     #[param(default = 2)]
///     dim: usize,
/// }
/// ```
pub trait Recipe: Sized + 'static {
    /// The parameters, with meanings and legal ranges; none by default.
    fn parameters() -> Vec<Parameter<Self>> {
        Vec::new()
    }
}

/// Read and write access to one field of the recipe `R`; made by [`field!`](crate::field).
pub struct Access<R, V> {
    /// Reads the field.
    pub get: fn(&R) -> &V,
    /// Writes the field.
    pub get_mut: fn(&mut R) -> &mut V,
}

/// [`Access`] to a field, by its path: `field!(dim)`, `field!(schedule.iterations)`.
#[macro_export]
macro_rules! field {
    ($($field:ident).+) => {
        $crate::implement::Access { get: |recipe| &recipe.$($field).+, get_mut: |recipe| &mut recipe.$($field).+ }
    };
}

type Show<R> = Box<dyn Fn(&R) -> String + Send + Sync>;
type Read<R> = Box<dyn Fn(&mut R, &str) -> Option<()> + Send + Sync>;
type Number<R> = Box<dyn Fn(&R) -> Option<f64> + Send + Sync>;

/// One parameter of the recipe `R`: name, meaning, legal values, and access by text.
pub struct Parameter<R> {
    name: &'static str,
    meaning: &'static str,
    form: ValueSyntax,
    /// The largest whole number that the text may be, where it is one.
    largest: Option<u64>,
    range: Option<Range>,
    show: Show<R>,
    read: Read<R>,
    number: Number<R>,
}

impl<R: 'static> Parameter<R> {
    /// A parameter that is one field.
    pub fn new<V: Value + 'static>(
        name: &'static str,
        meaning: &'static str,
        Access { get, get_mut }: Access<R, V>,
    ) -> Self {
        let parameter = Self::custom(
            name,
            meaning,
            V::SYNTAX,
            move |recipe| get(recipe).show(),
            move |recipe, text| V::read(text).map(|value| *get_mut(recipe) = value),
            move |recipe| get(recipe).number(),
        );
        Self { largest: V::LARGEST, range: V::RANGE, ..parameter }
    }

    /// A parameter with its own functions to show, read and return the number
    /// that the range applies to.
    pub fn custom(
        name: &'static str,
        meaning: &'static str,
        form: ValueSyntax,
        show: impl Fn(&R) -> String + Send + Sync + 'static,
        read: impl Fn(&mut R, &str) -> Option<()> + Send + Sync + 'static,
        number: impl Fn(&R) -> Option<f64> + Send + Sync + 'static,
    ) -> Self {
        let (show, read, number) = (Box::new(show), Box::new(read), Box::new(number));
        Self { name, meaning, form, largest: None, range: None, show, read, number }
    }

    /// The same with a legal range.
    pub fn within(mut self, range: Range) -> Self {
        self.range = Some(range);
        self
    }

    /// The same parameter of a recipe `S` that contains the recipe `R`.
    pub fn inside<S: 'static>(self, Access { get, get_mut }: Access<S, R>) -> Parameter<S> {
        let Self { name, meaning, form, largest, range, show, read, number } = self;
        Parameter {
            name,
            meaning,
            form,
            largest,
            range,
            show: Box::new(move |recipe| show(get(recipe))),
            read: Box::new(move |recipe, text| read(get_mut(recipe), text)),
            number: Box::new(move |recipe| number(get(recipe))),
        }
    }

    /// Its name on the command line.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The value in `recipe` as it would be typed.
    pub fn show(&self, recipe: &R) -> String {
        (self.show)(recipe)
    }

    /// Sets the value from text. Fails with [`Error::Parameter`] when the text is not of the
    /// form, and when the value is illegal whatever the data; then the recipe is unchanged.
    pub fn set(&self, recipe: &mut R, text: &str) -> Result<(), Error>
    where
        R: Clone,
    {
        let mut changed = recipe.clone();
        (self.read)(&mut changed, text)
            .ok_or_else(|| Error::parameter(self.name, self.required(text), format!("`{text}`")))?;
        self.check(&changed, &Sizes::default())?;
        *recipe = changed;
        Ok(())
    }

    /// The requirement for a text that cannot be read: digits alone are a number that is too large.
    fn required(&self, text: &str) -> String {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match (self.largest, self.form) {
            (Some(largest), _) if digits => format!("a whole number of at most {largest}"),
            (_, ValueSyntax::Integer) if self.range.is_some() => format!("a whole number, {}", self.legal()),
            (_, ValueSyntax::Real) if self.range.is_some() => format!("a number, {}", self.legal()),
            _ => self.legal(),
        }
    }

    /// Fails with [`Error::Parameter`] when the value lies outside the range for these sizes.
    pub fn check(&self, recipe: &R, sizes: &Sizes) -> Result<(), Error> {
        match (self.range, (self.number)(recipe)) {
            (Some(range), Some(number)) => range.check(self.name, number, sizes, &self.show(recipe)),
            (None, Some(number)) if !number.is_finite() => {
                Err(Error::parameter(self.name, "a finite number", number))
            }
            _ => Ok(()),
        }
    }

    /// The ends of the range for these sizes; `None` for a parameter without a range.
    pub fn limits(&self, sizes: &Sizes) -> Option<Limits> {
        self.range.map(|range| range.at(sizes))
    }

    /// The legal values in words.
    pub fn legal(&self) -> String {
        match (self.form, self.range) {
            (ValueSyntax::Integer | ValueSyntax::Real, Some(range)) => range.to_string(),
            (ValueSyntax::WordOrNumber(word), Some(range)) => format!("{word}, or {range}"),
            (ValueSyntax::Text(text), Some(range)) => format!("{text}; the number {range}"),
            (form, _) => form.to_string(),
        }
    }

    /// The description, with the default and the value in `recipe`.
    pub fn info(&self, recipe: &R, default: &R) -> ParameterInfo {
        ParameterInfo {
            name: self.name,
            about: self.meaning,
            legal: self.legal(),
            kind: match self.form {
                ValueSyntax::Integer => Kind::Integer,
                ValueSyntax::Real => Kind::Real,
                ValueSyntax::Flag => Kind::Flag,
                ValueSyntax::Words(_) => Kind::Words,
                ValueSyntax::WordOrNumber(_) | ValueSyntax::Text(_) | ValueSyntax::AutoOr(_) => Kind::Text,
            },
            words: match self.form {
                ValueSyntax::Words(words) => words.to_vec(),
                ValueSyntax::WordOrNumber(word) => vec![word],
                ValueSyntax::AutoOr(_) => vec!["auto"],
                _ => Vec::new(),
            },
            default: self.show(default),
            value: self.show(recipe),
        }
    }
}

/// The type of a parameter's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Whole numbers.
    Integer,
    /// Numbers.
    Real,
    /// `true` or `false`.
    Flag,
    /// One of some words.
    Words,
    /// Text of the form that the legal values state.
    Text,
}

/// A parameter without the type of its recipe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ParameterInfo {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its meaning, in a phrase.
    pub about: &'static str,
    /// The legal values, in words.
    pub legal: String,
    /// The type of its values.
    pub kind: Kind,
    /// The words among the legal values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<&'static str>,
    /// The default.
    pub default: String,
    /// The value in the recipe that was asked.
    #[serde(skip)]
    pub value: String,
}
