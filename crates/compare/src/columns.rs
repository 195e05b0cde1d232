//! The names of the columns beside a saved model: new points have the same columns in the same
//! order.

use embedding::{Error, Validate, persist, require};
use serde::{Deserialize, Serialize};

/// The kind under which such a model is stored.
const KIND: &str = "named columns";

/// Most names that a message lists.
const LISTED: usize = 10;

/// A model and the names of its columns.
#[derive(Serialize, Deserialize)]
struct Named {
    columns: Vec<String>,
    model: Vec<u8>,
}

impl Validate for Named {
    /// The model itself is checked where it is read.
    fn validate(&self) -> Result<(), Error> {
        require(!self.columns.is_empty(), "it names no column")
    }
}

/// The bytes of a model, with the names of its columns where these are known.
pub fn save(model: Vec<u8>, columns: Option<&[String]>) -> Result<Vec<u8>, Error> {
    match columns {
        Some(columns) => persist::encode(KIND, &Named { columns: columns.to_vec(), model }),
        None => Ok(model),
    }
}

/// The bytes of the model itself, and the names of its columns.
///
/// Fails with [`Error::Model`] on bytes that are no saved model.
pub fn load(bytes: Vec<u8>) -> Result<(Vec<u8>, Option<Vec<String>>), Error> {
    if persist::kind(&bytes)? != KIND {
        return Ok((bytes, None));
    }
    let Named { columns, model } = persist::decode(KIND, &bytes)?;
    Ok((model, Some(columns)))
}

/// Fails where the names of new points are others than those of the model, or in another order.
/// Another number of columns is refused by the model.
pub(crate) fn check(new: &[String], model: &[String]) -> Result<(), String> {
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
    fn names_are_kept_beside_the_model() {
        let model = persist::encode("pca", &vec![1.0, 2.0]).expect("a model");
        let named = save(model.clone(), Some(&names("a b"))).expect("a model");
        assert_ne!(named, model);
        assert_eq!(load(named).expect("a model"), (model.clone(), Some(names("a b"))));
        assert_eq!(save(model.clone(), None).expect("a model"), model);
        assert_eq!(load(model.clone()).expect("a model"), (model.clone(), None));
        assert!(load(save(model, Some(&[])).expect("a model")).is_err());
        assert!(load(b"other".to_vec()).is_err());
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
