//! The options by which the advice of the libraries is followed, which know of none.

use embedding::DynMethod;

/// What libraries advise, and the same with the option.
const OPTIONS: [(&str, &str); 5] = [
    (
        "leave the row out, or choose another metric",
        "leave the row out (--drop-zero-rows for rows of zeros), or choose another metric",
    ),
    ("allow more memory", "allow more memory (--memory-limit)"),
    (
        "ask for a size to which all are resized",
        "give the size to which all are resized: --image-size HEIGHTxWIDTH",
    ),
    (
        "choose a component policy: bridge, largest or per-component",
        "choose a component policy: --components bridge, largest or per-component",
    ),
    ("give a class per point", "give a class per point (--labels or --label-column)"),
];

/// The sentence of an error with the options that its advice needs.
pub(in crate::cli) fn with_options(sentence: &str) -> String {
    let mut text = sentence.to_owned();
    for (plain, named) in OPTIONS {
        text = text.replace(plain, named);
    }
    text += &flag(sentence).unwrap_or_default();
    text + header(sentence).unwrap_or_default()
}

/// What is added where the data do not allow the value of a parameter, which may be a default.
fn flag(sentence: &str) -> Option<String> {
    let (name, requirement) = sentence.split_once(" must be ")?;
    let of_method = |method: &dyn DynMethod| method.parameters().iter().any(|info| info.name == name);
    match name {
        _ if !requirement.contains("(here ") => None,
        "k" | "dim" => Some(format!("; set it by --{name}")),
        _ => swissroll::methods()
            .any(|method| of_method(method.as_ref()))
            .then(|| format!("; set it by --set {name}=VALUE")),
    }
}

/// What is added where there are more labels than rows, one of which may be a header.
fn header(sentence: &str) -> Option<&'static str> {
    let (_, counts) = sentence.split_once("there must be one label for each of the ")?;
    let (rows, labels) = counts.split_once(" rows, but there are ")?;
    let number = |text: &str| text.replace(',', "").parse::<usize>().ok();
    (number(labels)? > number(rows)?).then_some(
        "; a first line that names the column counts as one of them unless --header yes is given, which then holds \
         for the data, too",
    )
}

#[cfg(test)]
mod tests {
    use embedding::Error;

    use super::*;

    #[test]
    fn a_component_policy_is_named_by_its_option() {
        let said = Error::Disconnected { components: 2, sizes: vec![3, 2] }.to_string();
        assert!(with_options(&said).contains("--components bridge, largest or per-component"), "{said}");
    }

    #[test]
    fn a_header_is_mentioned_where_there_are_too_many_labels() {
        let of = |labels: usize| {
            with_options(&format!(
                "l.csv: there must be one label for each of the 60 rows, but there are {labels}"
            ))
        };
        assert!(of(61).contains("--header yes") && !of(59).contains("--header"));
    }
}
