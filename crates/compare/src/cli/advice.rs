//! The command line's options for the advice of the libraries, which do not know the command line.

use clap::Command;
use embedding::{DynMethod, Remedy};

use crate::Failure;

/// The sentence of a failure of a command, with the option that helps against it.
pub(super) fn with_options(failure: &Failure, command: &Command) -> String {
    let remedy = match failure {
        Failure::Failed(error) => error.remedy(),
        Failure::Usage(_) | Failure::Interrupted => None,
    };
    let option = remedy.and_then(|remedy| option(remedy, command)).unwrap_or_default();
    format!("{failure}{option}")
}

/// What is added for a remedy; `None` where the command has no option for it.
fn option(remedy: Remedy, command: &Command) -> Option<String> {
    let has = |name: &str| command.get_arguments().any(|argument| argument.get_long() == Some(name));
    let (option, text) = match remedy {
        Remedy::Parameter(name) if has(name) => return Some(format!("; set it by --{name}")),
        Remedy::Parameter(name) if has("set") && is_parameter(name) => {
            return Some(format!("; set it by --set {name}=VALUE"));
        }
        Remedy::ComponentPolicy => ("components", "; set the policy by --components"),
        Remedy::MemoryLimit => ("memory-limit", "; set the limit by --memory-limit"),
        Remedy::LeaveOutZeroRows if has("unrelated-rows") => {
            return Some("; --unrelated-rows drop leaves out such rows".to_owned());
        }
        Remedy::LeaveOutZeroRows => ("drop-zero-rows", "; --drop-zero-rows leaves out rows of zeros"),
        Remedy::Labels => ("label-column", "; give the classes by --labels or --label-column"),
        Remedy::LabelHeader => (
            "header",
            "; a first line that names the column counts as one of them unless --header yes is given, which then \
             holds for the data, too",
        ),
        Remedy::PictureSize => ("image-size", "; give the size by --image-size HEIGHTxWIDTH"),
        Remedy::Coordinates => (
            "categories",
            "; read words by --categories indicators or ignore, and fill gaps by --missing mean",
        ),
        _ => return None,
    };
    has(option).then(|| text.to_owned())
}

/// Whether some method has a parameter of this name.
fn is_parameter(name: &str) -> bool {
    let has = |method: &dyn DynMethod| method.parameters().iter().any(|info| info.name == name);
    swissroll::methods().any(|method| has(method.as_ref()))
}

#[cfg(test)]
mod tests {
    use clap::Arg;
    use embedding::Error;

    use super::*;

    /// The end of the sentence of an error of a command with these options.
    fn added(error: Error, options: &[&'static str]) -> String {
        let options = options.iter().map(|name| Arg::new(*name).long(*name));
        let plain = error.to_string();
        let named = with_options(&Failure::Failed(error), &Command::new("embed").args(options));
        named.strip_prefix(&plain).expect("the sentence of the error").to_owned()
    }

    #[test]
    fn a_remedy_is_named_by_the_option_of_the_command() {
        let apart = || Error::Disconnected { components: 2, sizes: vec![3, 2] };
        assert_eq!(added(apart(), &["components"]), "; set the policy by --components");
        assert_eq!(added(apart(), &["k"]), "");
        let alone = apart().of_component(0, 2, &[4, 7]);
        assert_eq!(added(alone, &["components"]), "; set the policy by --components");
        let refused = |name| Error::parameter(name, "1 to n - 1 (here 1 to 2)", 9);
        assert_eq!(added(refused("k"), &["k", "set"]), "; set it by --k");
        assert_eq!(added(refused("perplexity"), &["k", "set"]), "; set it by --set perplexity=VALUE");
        assert_eq!(added(refused("perplexity"), &["k"]), "");
        assert_eq!(added(refused("the index of a point"), &["k", "set"]), "");
    }

    #[test]
    fn a_remedy_stays_with_the_error_of_a_file() {
        let zero =
            Error::degenerate("row 1 is zero", "leave the row out").with_remedy(Remedy::LeaveOutZeroRows);
        let named = zero.in_file("x.csv");
        assert_eq!(named.to_string(), "x.csv: row 1 is zero; leave the row out");
        assert_eq!(added(named, &["drop-zero-rows"]), "; --drop-zero-rows leaves out rows of zeros");
    }
}
