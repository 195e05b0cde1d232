//! From flags to recipes.

use embedding::MemoryLimit;

use super::arguments::Flags;
use crate::Failure;
use crate::methods::{LIST, Method, Recipe, Setting, Word, find};
use crate::suggestion::resolve;

/// The method that was meant: see [`resolve`].
pub(super) fn method(name: &str) -> Result<&'static dyn Method, Failure> {
    find(resolve("method", name, LIST.iter().map(|method| method.name()))?)
}

/// The methods that were meant, each once.
pub(super) fn methods(names: &[String]) -> Result<Vec<&'static dyn Method>, Failure> {
    let mut chosen: Vec<&'static dyn Method> = Vec::new();
    for name in names {
        let method = method(name)?;
        if chosen.iter().all(|other| other.name() != method.name()) {
            chosen.push(method);
        }
    }
    Ok(chosen)
}

/// The flags that set a parameter of every method that has it.
pub(super) struct Common {
    settings: Vec<Setting>,
    /// Names of those that somebody typed.
    typed: Vec<&'static str>,
}

impl Common {
    pub(super) fn new(flags: Flags, memory: MemoryLimit) -> Self {
        let typed = [
            ("k", flags.k.map(|k| k.show())),
            ("dim", flags.dim.map(|dim| dim.show())),
            ("seed", flags.seed.map(|seed| seed.show())),
        ];
        let given = typed.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let mut common = Self { settings: Vec::new(), typed: Vec::new() };
        for (name, value) in given {
            common.typed.push(name);
            common.settings.push(Setting { name: name.to_owned(), value });
        }
        common.settings.push(Setting { name: "memory-limit".to_owned(), value: memory.show() });
        common
    }

    /// Typed flags that the method has no parameter for.
    pub(super) fn unused(&self, method: &'static dyn Method) -> impl Iterator<Item = &'static str> {
        self.typed.iter().copied().filter(|name| !method.has(name))
    }

    /// The method's recipe: defaults, then these flags, then its own settings.
    pub(super) fn recipe(
        &self,
        method: &'static dyn Method,
        own: impl Iterator<Item = Setting>,
    ) -> Result<Box<dyn Recipe>, Failure> {
        let common = self.settings.iter().filter(|setting| method.has(&setting.name)).cloned();
        let all: Vec<Setting> = common.chain(own).collect();
        method.recipe(&all)
    }
}

/// Reads `PARAM=VALUE`.
pub(super) fn own(text: &str) -> Result<Setting, Failure> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| Failure::usage(format!("--set needs PARAM=VALUE, but got `{text}`")))?;
    Ok(Setting { name: name.trim().to_owned(), value: value.trim().to_owned() })
}

/// Reads `METHOD.PARAM=VALUE`.
pub(super) fn of_method(text: &str) -> Result<(&'static dyn Method, Setting), Failure> {
    let missing = || Failure::usage(format!("--set needs METHOD.PARAM=VALUE, but got `{text}`"));
    let (method, setting) = text.split_once('.').ok_or_else(missing)?;
    if method.contains('=') {
        return Err(missing());
    }
    Ok((self::method(method)?, own(setting)?))
}
