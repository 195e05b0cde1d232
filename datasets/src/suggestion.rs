//! Suggestions for misspelled names.

/// Largest number of names listed; further names are only counted.
const LISTED: usize = 40;

/// Lists the valid names, with the nearest as suggestion.
pub(crate) fn one_of(got: &str, known: &[&str]) -> String {
    let quoted = |name: &&str| if name.contains(',') { format!("`{name}`") } else { (*name).to_owned() };
    let mut listed: Vec<String> = known.iter().take(LISTED).map(quoted).collect();
    if known.len() > LISTED {
        listed.push(format!("{} more", known.len() - LISTED));
    }
    let listed = listed.join(", ");
    match embedding::implement::nearest_name(got, known.iter().copied()) {
        Some(name) => format!("one of {listed} (did you mean `{name}`?)"),
        None => format!("one of {listed}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_commas_are_quoted_and_many_are_counted() {
        let said = one_of("hight", &["height", "length, cm", "width"]);
        assert_eq!(said, "one of height, `length, cm`, width (did you mean `height`?)");
        let names: Vec<String> = (0..784).map(|i| format!("pixel{i}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let said = one_of("nothing of the kind", &names);
        assert!(said.ends_with("pixel38, pixel39, 744 more"), "{said}");
    }
}
