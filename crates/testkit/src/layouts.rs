//! The promises of layouts by gradient descent beyond the contract of all methods.

use embedding::{DistanceMatrix, Embedding, Error, Method, Model, Points, Transform};

use crate::cases::sheet;

/// Asserts that each change of a parameter, by name and text, gives another map.
pub fn changes_give_other_maps<M: Method + Clone>(
    recipe: &M,
    points: Points<'_>,
    changes: &[(&str, &str)],
) -> Result<(), Error> {
    let plain = recipe.fit(points)?;
    for (name, value) in changes {
        let mut changed = recipe.clone();
        changed.set(name, value)?;
        let fitted = changed.fit(points)?;
        assert!(fitted.embedding() != plain.embedding(), "{name} = {value} changes nothing");
    }
    Ok(())
}

/// Asserts that each change of a parameter, by name and text, gives the same map and other
/// coordinates of `new` points.
pub fn changes_give_other_new_points<M: Method + Clone>(
    recipe: &M,
    points: Points<'_>,
    new: Points<'_>,
    changes: &[(&str, &str)],
) -> Result<(), Error> {
    let plain = recipe.fit(points)?;
    let placed = plain.transform(new)?;
    for (name, value) in changes {
        let mut changed = recipe.clone();
        changed.set(name, value)?;
        let fitted = changed.fit(points)?;
        assert_eq!(fitted.embedding(), plain.embedding(), "{name} = {value} changes the map");
        assert!(fitted.transform(new)? != placed, "{name} = {value} changes nothing");
    }
    Ok(())
}

/// Asserts that a map is the same for distances of any scale, even where their squares leave the range of
/// numbers.
pub fn same_map_at_any_scale(
    map: impl Fn(DistanceMatrix<'_>) -> Result<Embedding, Error>,
) -> Result<(), Error> {
    let near = sheet(120, 1).distances();
    let scaled = |exponent: i32| -> Result<Embedding, Error> {
        let distances: Vec<f64> = near.iter().map(|d| d * 2_f64.powi(exponent)).collect();
        map(DistanceMatrix::new(&distances, 120)?)
    };
    let plain = scaled(0)?;
    for exponent in [-565, 665] {
        assert!(scaled(exponent)? == plain, "distances times 2^{exponent} give another map");
    }
    Ok(())
}
