//! New points have the columns of a model in the same order, where both have names.

/// Most names that a message lists.
const LISTED: usize = 10;

/// Fails where the names of new points are others than those of the model, or in another order.
pub(super) fn check(new: &[String], model: &[String]) -> Result<(), String> {
    if new.len() != model.len() {
        return another_number(new, model);
    }
    let differ = |at: &usize| new[*at] != model[*at];
    let Some(at) = (0..model.len()).find(differ) else {
        return Ok(());
    };
    let more = if model.len() > LISTED { ", …" } else { "" };
    let names = model[..model.len().min(LISTED)].join(", ") + more;
    let sorted = |names: &[String]| {
        let mut names = names.to_vec();
        names.sort();
        names
    };
    let advice = if sorted(new) == sorted(model) {
        format!("put the columns into the order of the model: {names}")
    } else {
        format!("give the columns of the model, {names}, and rename those that have other names only")
    };
    Err(format!(
        "the columns must be those of the model, but coordinate {at} (counted from 0) is `{}`, not `{}`; {advice}",
        new[at], model[at]
    ))
}

/// Names the columns that are missing and those that are too many. Where a name is there twice, the
/// model says what number it needs.
fn another_number(new: &[String], model: &[String]) -> Result<(), String> {
    let without = |all: &[String], others: &[String]| {
        let rest: Vec<&str> = all.iter().filter(|name| !others.contains(name)).map(String::as_str).collect();
        let more = if rest.len() > LISTED { ", …" } else { "" };
        (rest.len(), format!("`{}`{more}", rest[..rest.len().min(LISTED)].join("`, `")))
    };
    let ((lacking, missing), (surplus, additional)) = (without(model, new), without(new, model));
    let (problem, advice) = match (lacking, surplus) {
        (0, 0) => return Ok(()),
        (_, 0) => (format!("{missing} {} missing", are(lacking)), "add what is missing"),
        (0, _) => (
            format!("{additional} {} none of them", are(surplus)),
            "leave out what the model does not have (--ignore)",
        ),
        _ => (
            format!("{missing} {} missing, and {additional} {} none of them", are(lacking), are(surplus)),
            "add what is missing, or rename it, and leave out what the model does not have (--ignore)",
        ),
    };
    Err(format!(
        "the columns must be the {} of the model, but there are {}: {problem}; {advice}",
        model.len(),
        new.len()
    ))
}

/// The verb of this number of columns.
fn are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn the_first_difference_is_named() {
        assert_eq!(check(&names("a b c"), &names("a b c")), Ok(()));
        let said = check(&names("a c b"), &names("a b c")).expect_err("another order");
        assert!(
            said.contains("coordinate 1 (counted from 0) is `c`, not `b`") && said.contains("order"),
            "{said}"
        );
        let said = check(&names("a b d"), &names("a b c")).expect_err("another column");
        assert!(
            said.contains("coordinate 2 (counted from 0) is `d`, not `c`") && said.contains("rename"),
            "{said}"
        );
        let said = check(&names("c a x y"), &names("a b c")).expect_err("another number");
        assert!(
            said.contains("the 3 of the model, but there are 4: `b` is missing, and `x`, `y` are none"),
            "{said}"
        );
        let said = check(&names("b"), &names("a b c")).expect_err("fewer");
        assert!(said.contains("`a`, `c` are missing; add"), "{said}");
        let said = check(&names("a b c d"), &names("a b c")).expect_err("more");
        assert!(said.contains("`d` is none of them; leave out") && said.contains("--ignore"), "{said}");
        // The model says what number of columns it needs.
        assert_eq!(check(&names("a a b"), &names("a b")), Ok(()));
    }
}
