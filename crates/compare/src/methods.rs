//! Methods by name, configured from the command line.

use embedding::DynMethod;
use embedding::implement::Value;
use serde_json::{Map, Value as Json};

use crate::Failure;
use crate::suggestion::{resolve, unknown};

/// A parameter and the text typed for it.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Setting {
    /// The parameter's name.
    pub name: String,
    /// Its value.
    pub value: String,
}

impl Setting {
    /// From a name and any parameter value.
    pub(crate) fn new(name: &str, value: &impl Value) -> Self {
        Self { name: name.to_owned(), value: value.show() }
    }
}

/// The method of that name with default parameters; case and hyphens are forgiven (see
/// `resolve`), an unknown name is wrong usage.
pub(crate) fn find(name: &str) -> Result<Box<dyn DynMethod>, Failure> {
    let names: Vec<&str> = swissroll::methods().map(|method| method.about().name).collect();
    let known = |name| resolve("method", name, names.iter().copied());
    // A name with settings, as other programs write them.
    if let Some((before, _)) = name.split_once([':', '=', '('])
        && let Ok(meant) = known(before)
    {
        return Err(Failure::usage(format!(
            "unknown method `{name}`: a method is given by its name alone, here `{meant}`, and a parameter by \
             `--set {meant}.PARAM=VALUE`"
        )));
    }
    if name.contains(',') {
        return Err(Failure::usage(format!(
            "unknown method `{name}`: here one method is named; `compare run --methods {name}` runs several"
        )));
    }
    let meant = known(name)?;
    Ok(swissroll::method(meant).expect("the name is one of the list"))
}

/// The method with these settings, later ones last; an unknown parameter and an
/// illegal value are wrong usage.
pub(crate) fn configured(
    mut method: Box<dyn DynMethod>,
    settings: &[Setting],
) -> Result<Box<dyn DynMethod>, Failure> {
    let name = method.about().name;
    for setting in settings {
        if !has(method.as_ref(), &setting.name) {
            let known: Vec<&str> = method.parameters().iter().map(|info| info.name).collect();
            return Err(unknown(&format!("parameter of {name}"), &setting.name, known));
        }
        method
            .set_dyn(&setting.name, &setting.value)
            .map_err(|error| Failure::usage(format!("{name}: {error}")))?;
    }
    Ok(method)
}

/// Whether the method has a parameter of that name.
pub(crate) fn has(method: &dyn DynMethod, parameter: &str) -> bool {
    method.parameters().iter().any(|info| info.name == parameter)
}

/// The name of a method in text; for a name that is not in the registry, the name with spaces.
pub(crate) fn title(name: &str) -> String {
    swissroll::method(name)
        .map_or_else(|| name.replace(['-', '_'], " "), |method| method.about().title.to_owned())
}

/// Whether a method with these parameter values reads the classes of the points.
pub(crate) fn reads_labels(name: &str, recipe: &Json) -> bool {
    swissroll::method(name).is_some_and(|method| {
        let weight = method.label_parameter();
        method.about().needs_labels
            || weight.is_some_and(|weight| recipe.get(weight) != values(method.as_ref()).get(weight))
    })
}

/// What a method is fitted to, in words.
pub(crate) fn fitted_to(method: &dyn DynMethod) -> String {
    let about = method.about();
    let mut kinds: Vec<String> = about.accepts.iter().map(ToString::to_string).collect();
    if method.accepts_sparse() {
        kinds.insert(1, "sparse points".to_owned());
    }
    kinds.join(", ") + if about.needs_labels { "; needs labels" } else { "" }
}

/// Every parameter with its value: numbers and flags as such, the rest as text.
pub(crate) fn values(method: &dyn DynMethod) -> Map<String, Json> {
    let typed = |text: String| serde_json::from_str(&text).unwrap_or(Json::String(text));
    method.parameters().into_iter().map(|info| (info.name.to_owned(), typed(info.value))).collect()
}
