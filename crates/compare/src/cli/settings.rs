//! Recipes from command-line options.

use datasets::files::Given;
use embedding::implement::Value;
use embedding::{DataKind, DynMethod, MemoryLimit, ParameterInfo};

use crate::Failure;
use crate::cli::context::Context;
use crate::cli::options::method::MethodOptions;
use crate::methods::{Setting, configured, find, has};

/// The methods with the given names, each once.
pub(in crate::cli) fn methods(names: &[String]) -> Result<Vec<Box<dyn DynMethod>>, Failure> {
    let mut chosen: Vec<Box<dyn DynMethod>> = Vec::new();
    for name in names {
        let method = find(name)?;
        if chosen.iter().all(|other| other.about().name != method.about().name) {
            chosen.push(method);
        }
    }
    Ok(chosen)
}

/// The parameter of methods that search neighbors of their own: the fraction of true neighbors that
/// the search must find.
const RECALL: &str = "recall";

/// Whether the method searches neighbors of its own, approximately where that is requested.
pub(in crate::cli) fn searches_itself(method: &dyn DynMethod) -> bool {
    has(method, RECALL)
}

/// Options that set a parameter of every method that has it.
pub(in crate::cli) struct Common {
    settings: Vec<Setting>,
    /// Names of the options given explicitly.
    typed: Vec<&'static str>,
}

impl Common {
    pub(in crate::cli) fn new(MethodOptions { k, map: flags }: MethodOptions) -> Self {
        let given = [
            ("k", k.map(|k| Setting::new("k", &k))),
            ("dim", flags.dim.map(|dim| Setting::new("dim", &dim))),
            ("components", flags.components.map(|policy| Setting::new("components", &policy))),
            ("seed", flags.seed.map(|seed| Setting::new("seed", &seed))),
        ];
        let mut common = Self { settings: Vec::new(), typed: Vec::new() };
        for (name, setting) in given.into_iter().filter_map(|(name, setting)| Some((name, setting?))) {
            common.typed.push(name);
            common.settings.push(setting);
        }
        common
    }

    /// The same with `--neighbor-recall`, for the methods that search neighbors of their own; the
    /// others are given lists.
    pub(in crate::cli) fn with_recall(mut self, goal: Option<f64>) -> Self {
        self.settings.extend(goal.map(|goal| Setting::new(RECALL, &goal)));
        self
    }

    /// Typed flags that the method has no parameter for.
    pub(in crate::cli) fn unused(&self, method: &dyn DynMethod) -> impl Iterator<Item = &'static str> {
        self.typed.iter().copied().filter(|name| !has(method, name))
    }

    /// Notes typed flags that the method has no parameter for, except some that have another use.
    pub(in crate::cli) fn note_unused(&self, method: &dyn DynMethod, except: &[&str], context: &Context) {
        for unused in self.unused(method).filter(|name| !except.contains(name)) {
            context.progress.line(format!("note: {}", unused_flag(method.about().name, unused)));
        }
    }

    /// The one method of a command with these flags and its own settings; notes a `--k` without effect.
    pub(in crate::cli) fn set(
        &self,
        method: Box<dyn DynMethod>,
        own: Vec<Setting>,
        context: &Context,
    ) -> Result<Box<dyn DynMethod>, Failure> {
        if let Some(problem) = self.contradicted(&own) {
            return Err(Failure::usage(problem));
        }
        let method = self.configured(method, own.into_iter())?;
        if self.has_radius_for_k(method.as_ref()) {
            context.progress.line(format!("note: {}", unused_k(method.about().name)));
        }
        Ok(method)
    }

    /// What is wrong where a setting of the one method gives a parameter that a typed flag gives, too.
    pub(in crate::cli) fn contradicted(&self, own: &[Setting]) -> Option<String> {
        let both = own.iter().find(|setting| self.typed.contains(&setting.name.as_str()))?;
        let Setting { name, value } = both;
        Some(format!("--{name} and --set {name}={value} both set {name}; give one of them"))
    }

    /// Whether `--k` was typed, but a setting gives the configured method a radius.
    pub(in crate::cli) fn has_radius_for_k(&self, method: &dyn DynMethod) -> bool {
        self.typed.contains(&"k") && has_radius(method)
    }

    /// The method with these flags, then its own settings.
    pub(in crate::cli) fn configured(
        &self,
        method: Box<dyn DynMethod>,
        own: impl Iterator<Item = Setting>,
    ) -> Result<Box<dyn DynMethod>, Failure> {
        let common = self.settings.iter().filter(|setting| has(method.as_ref(), &setting.name)).cloned();
        let all: Vec<Setting> = common.chain(own).collect();
        configured(method, &all)
    }
}

/// Whether the neighbors of the configured method are those within a radius, so that it has no k.
pub(in crate::cli) fn has_radius(method: &dyn DynMethod) -> bool {
    let replaced = |info: &ParameterInfo| info.name == "k" && info.value == "none";
    method.parameters().iter().any(replaced)
}

/// A note on a typed option that the method has no parameter for.
pub(in crate::cli) fn unused_flag(method: &str, name: &str) -> String {
    format!("{method} has no parameter {name}; --{name} is not used")
}

/// A note on a typed `--k` next to a radius.
pub(in crate::cli) fn unused_k(method: &str) -> String {
    format!("the neighbors of {method} are those within a radius; --k is not used")
}

/// What a method is given in addition to its parameters, set in the same way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) struct InputSettings {
    /// What the rows of the input are: `given=points|distances|similarities|neighbors`.
    pub(in crate::cli) given: DataKind,
    /// What a file of distances holds.
    pub(in crate::cli) form: Given,
    /// The memory that one stage may allocate: `memory-limit=SIZE`.
    pub(in crate::cli) memory: MemoryLimit,
}

/// The values of `given`.
#[derive(Clone, Copy, Debug)]
enum GivenData {
    Points,
    Distances,
    Similarities,
    Neighbors,
}

embedding::words!(GivenData {
    Points = "points",
    Distances = "distances",
    Similarities = "similarities",
    Neighbors = "neighbors",
});

/// Separates the settings of the input from the settings of the method.
pub(in crate::cli) fn input_settings(
    settings: Vec<Setting>,
    memory: MemoryLimit,
) -> Result<(Vec<Setting>, InputSettings), Failure> {
    let mut input = InputSettings { given: DataKind::Points, form: Given::Points, memory };
    let mut own = Vec::with_capacity(settings.len());
    for setting in settings {
        match setting.name.as_str() {
            "given" => {
                (input.given, input.form) = match read(&setting)? {
                    GivenData::Points => (DataKind::Points, Given::Points),
                    GivenData::Distances => (DataKind::Distances, Given::Distances),
                    GivenData::Similarities => (DataKind::Distances, Given::Similarities),
                    GivenData::Neighbors => (DataKind::Neighbors, Given::Points),
                };
            }
            "memory-limit" => input.memory = read(&setting)?,
            _ => own.push(setting),
        }
    }
    Ok((own, input))
}

fn read<V: Value>(Setting { name, value }: &Setting) -> Result<V, Failure> {
    V::read(value).ok_or_else(|| Failure::usage(format!("{name} must be {}, but is `{value}`", V::SYNTAX)))
}

/// Reads `PARAM=VALUE` of a method, or `METHOD.PARAM=VALUE` with its name as [`of_method`] does.
pub(in crate::cli) fn of_this_method(text: &str, method: &str) -> Result<Setting, Failure> {
    own(text.strip_prefix(method).and_then(|rest| rest.strip_prefix('.')).unwrap_or(text))
}

fn own(text: &str) -> Result<Setting, Failure> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| Failure::usage(format!("--set needs PARAM=VALUE, but got `{text}`")))?;
    Ok(Setting { name: name.trim().to_owned(), value: value.trim().to_owned() })
}

/// The settings that `--set METHOD.PARAM=VALUE` gives the methods of a command.
pub(in crate::cli) struct OwnSettings(Vec<(&'static str, Setting)>);

impl OwnSettings {
    /// Reads them. Fails where one names another method.
    pub(in crate::cli) fn read(set: &[String], methods: &[&str]) -> Result<Self, Failure> {
        let read = set.iter().map(|text| of_method(text)).collect::<Result<Vec<_>, _>>()?;
        match read.iter().find(|(name, _)| !methods.contains(name)) {
            Some((other, _)) => Err(Failure::usage(format!(
                "--set names {other}, which is not among the methods of this command: {}",
                methods.join(", ")
            ))),
            None => Ok(Self(read)),
        }
    }

    /// The settings of one method.
    pub(in crate::cli) fn of(&self, method: &str) -> impl Iterator<Item = Setting> {
        self.0.iter().filter(move |(of, _)| *of == method).map(|(_, setting)| setting.clone())
    }
}

/// The names of methods.
pub(in crate::cli) fn names(methods: &[Box<dyn DynMethod>]) -> Vec<&'static str> {
    methods.iter().map(|method| method.about().name).collect()
}

/// Reads `METHOD.PARAM=VALUE`; returns the method's name and the setting.
fn of_method(text: &str) -> Result<(&'static str, Setting), Failure> {
    let missing = || Failure::usage(format!("--set needs METHOD.PARAM=VALUE, but got `{text}`"));
    let (method, setting) = text.split_once('.').ok_or_else(missing)?;
    if method.contains('=') {
        return Err(missing());
    }
    let method = find(method.trim())?;
    Ok((method.about().name, own(setting)?))
}
