//! New points have the columns of a model in the same order, where both have names.

/// Most names that a message lists.
const LISTED: usize = 10;

/// Fails where the names of new points are others than those of the model, or in another order.
/// Another number of columns is refused by the model.
pub(super) fn check(new: &[String], model: &[String]) -> Result<(), String> {
    let differ = |at: &usize| new[*at] != model[*at];
    let Some(at) = (0..model.len()).find(differ).filter(|_| new.len() == model.len()) else {
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
        // The model says what number of columns it needs.
        assert_eq!(check(&names("x y"), &names("a b c")), Ok(()));
        assert_eq!(check(&names("a x y z"), &names("a b c")), Ok(()));
    }
}
