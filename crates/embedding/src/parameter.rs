//! Descriptions of a recipe's parameters.

use serde::Serialize;

use crate::{Error, Form, Limits, Range, Sizes, Value};

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
        $crate::Access { get: |recipe| &recipe.$($field).+, get_mut: |recipe| &mut recipe.$($field).+ }
    };
}

type Show<R> = Box<dyn Fn(&R) -> String + Send + Sync>;
type Read<R> = Box<dyn Fn(&mut R, &str) -> Option<()> + Send + Sync>;
type Number<R> = Box<dyn Fn(&R) -> Option<f64> + Send + Sync>;

/// One parameter of the recipe `R`: name, meaning, legal values, and access by text.
pub struct Parameter<R> {
    name: &'static str,
    meaning: &'static str,
    form: Form,
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
            V::FORM,
            move |recipe| get(recipe).show(),
            move |recipe, text| V::read(text).map(|value| *get_mut(recipe) = value),
            move |recipe| get(recipe).number(),
        );
        Self { largest: V::LARGEST, ..parameter }
    }

    /// A parameter with its own functions to show, read and return the number
    /// that the range applies to.
    pub fn custom(
        name: &'static str,
        meaning: &'static str,
        form: Form,
        show: impl Fn(&R) -> String + Send + Sync + 'static,
        read: impl Fn(&mut R, &str) -> Option<()> + Send + Sync + 'static,
        number: impl Fn(&R) -> Option<f64> + Send + Sync + 'static,
    ) -> Self {
        let (show, read, number) = (Box::new(show), Box::new(read), Box::new(number));
        Self { name, meaning, form, largest: None, range: None, show, read, number }
    }

    /// A number, or a value with a number, with its legal range.
    pub fn ranged<V: Value + 'static>(
        name: &'static str,
        meaning: &'static str,
        access: Access<R, V>,
        range: Range,
    ) -> Self {
        Self::new(name, meaning, access).within(range)
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

    /// `dim`, the target dimension.
    pub fn dim(access: Access<R, usize>, range: Range) -> Self {
        Self::new("dim", "target dimension d", access).within(range)
    }

    /// `seed`.
    pub fn seed(access: Access<R, u64>) -> Self {
        Self::new("seed", "seed of all random choices", access)
    }

    /// Its name on the command line.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The value in `recipe` as it would be typed.
    pub fn show(&self, recipe: &R) -> String {
        (self.show)(recipe)
    }

    /// Sets the value from text. Fails with [`Error::Parameter`] when the text is
    /// not of the form, and when the value is illegal whatever the data; then the recipe stays
    /// what it was.
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

    /// What a text that cannot be read must be: digits alone are a number that is too large.
    fn required(&self, text: &str) -> String {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match (self.largest, self.form) {
            (Some(largest), _) if digits => format!("a whole number of at most {largest}"),
            (_, Form::Integer) if self.range.is_some() => format!("a whole number, {}", self.legal()),
            (_, Form::Real) if self.range.is_some() => format!("a number, {}", self.legal()),
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
            (Form::Integer | Form::Real, Some(range)) => range.to_string(),
            (Form::WordOrNumber(word), Some(range)) => format!("{word}, or {range}"),
            (Form::Text(text), Some(range)) => format!("{text}; the number {range}"),
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
                Form::Integer => Kind::Integer,
                Form::Real => Kind::Real,
                Form::Flag => Kind::Flag,
                Form::Words(_) => Kind::Words,
                Form::WordOrNumber(_) | Form::Text(_) | Form::AutoOr(_) => Kind::Text,
            },
            words: match self.form {
                Form::Words(words) => words.to_vec(),
                Form::WordOrNumber(word) => vec![word],
                Form::AutoOr(_) => vec!["auto"],
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
    /// Text of the form that the legal values tell.
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
