//! The command line that repeats a view.

use serde_json::json;

use crate::failure::Failure;
use crate::fit::{method, settings};
use crate::request::{Chosen, Command, Common, Settings, Source};
use crate::state::{Answer, Engine};

/// The command line of `compare run`.
pub(crate) fn command(engine: &Engine, request: &Command) -> Answer {
    let stored = engine.stored(&request.data)?;
    let unknown = || {
        Failure::request(format!(
            "the command line has no name for the points of `{}`; save them as a file first",
            stored.data.name
        ))
    };
    let mut words = vec!["run".to_owned()];
    let mut option = |name: &str, value: &dyn ToString| words.extend([name.to_owned(), value.to_string()]);
    let seed = match stored.source.as_ref().ok_or_else(unknown)? {
        Source::Listed { scale: Some(_), .. } => return Err(unknown()),
        Source::Listed { dataset, n, noise, seed, .. } => {
            option("--datasets", dataset);
            if let Some(n) = n {
                option("--n", n);
            }
            if *noise != 0.0 {
                option("--noise", noise);
            }
            Some(*seed)
        }
        Source::File { file, sample, options } => {
            option("--input", file);
            if let Some((n, _)) = sample {
                option("--n", n);
            }
            words.extend(options.iter().cloned());
            sample.map(|(_, seed)| seed)
        }
    };
    let mut option = |name: &str, value: &dyn ToString| words.extend([name.to_owned(), value.to_string()]);
    // One option seeds data and methods; where they differ, each method has its own.
    let common = request.common;
    let data_seed = seed.or(common.seed).unwrap_or(0);
    let of_methods = common.seed.filter(|seed| *seed != data_seed);
    if data_seed != 0 || common.seed.is_some() {
        option("--seed", &data_seed);
    }
    let names: Vec<&str> = request.methods.iter().map(|chosen| chosen.method.as_str()).collect();
    if !names.is_empty() {
        option("--methods", &names.join(","));
    }
    if let Some(k) = common.k {
        option("--k", &k);
    }
    if let Some(dim) = common.dim {
        option("--dim", &dim);
    }
    for Chosen { method: name, settings: own } in &request.methods {
        let method = method(name)?;
        let seed = Common { seed: of_methods, ..Common::default() };
        let seed = settings(method.as_ref(), seed, &Settings::new())?;
        for (parameter, value) in seed.into_iter().chain(settings(method.as_ref(), Common::default(), own)?) {
            option("--set", &format!("{name}.{parameter}={value}"));
        }
    }
    let quoted: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    Ok(json!({ "words": words, "line": format!("compare {}", quoted.join(" ")) }))
}

/// A word as a POSIX shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=.,/:".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_for_the_shell() {
        assert_eq!(quoted("lle.reg=1e-3"), "lle.reg=1e-3");
        assert_eq!(quoted("my data.csv"), "'my data.csv'");
        assert_eq!(quoted("it's; rm"), "'it'\\''s; rm'");
        assert_eq!(quoted(""), "''");
    }
}
