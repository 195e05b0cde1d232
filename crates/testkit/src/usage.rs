//! Conditions that must hold for every setting and for every use of a model.

use embedding::{DynMethod, DynModel, Embedding, Error, PointSet, Points};

use crate::attempt::check_sentence;

/// Sets a parameter; returns whether the text is accepted. An accepted value is shown as text that
/// sets the same value, and a refused one changes nothing.
pub fn check_setting(method: &mut dyn DynMethod, name: &str, text: &str) -> bool {
    let at = format!("{name}={text}");
    let values = |method: &dyn DynMethod| -> Vec<(&str, String)> {
        method.parameters().into_iter().map(|parameter| (parameter.name, parameter.value)).collect()
    };
    let before = values(method);
    match method.set_dyn(name, text) {
        Ok(()) => {
            let after = values(method);
            let (_, shown) = after.iter().find(|(known, _)| *known == name).expect("it was set");
            let read = method.set_dyn(name, shown);
            assert!(read.is_ok(), "{at} is shown as {shown}, which is refused: {read:?}");
            assert_eq!(values(method), after, "{at} is shown as {shown}, which is another value");
            true
        }
        Err(error) => {
            // It may quote any text.
            assert!(error.to_string().len() > 15, "{at}: the error says too little: {error}");
            assert_eq!(values(method), before, "{at} is refused, and changes the recipe");
            false
        }
    }
}

/// Uses a model: its file can be read, and its results are finite and have the right shape. Fails where it
/// cannot place the new points.
pub fn check_use(method: &dyn DynMethod, model: &dyn DynModel, new: Points<'_>) -> Result<(), Error> {
    let name = method.about().name;
    let _ = model.report();
    let embedding = model.embedding();
    check_finite(name, "the map", embedding);
    let read = method.load(&model.save().expect("a model has an encoding"));
    assert!(read.is_ok(), "{name}: its saved model is refused: {}", read.err().expect("an error"));
    let inverted = |places: Points<'_>| {
        if let Ok(Some(points)) = model.invert(places) {
            assert_eq!(points.len(), places.len(), "{name}: a point for each place");
            check_finite(name, "the points of places", &points);
        }
    };
    if let Ok(places) = Points::new(embedding.values(), embedding.dim()) {
        inverted(places);
        inverted(wider(places).view());
    }
    let placed = |rows: Points<'_>| {
        let placed = model.transform(rows)?;
        assert_eq!((placed.len(), placed.dim()), (rows.len(), embedding.dim()), "{name}: new places");
        check_finite(name, "new places", &placed);
        Ok(())
    };
    if let Err(error) = placed(wider(new).view()) {
        check_sentence(name, "rows with a column more", &error);
    }
    placed(new)
}

/// The same rows with an additional column of zeros.
fn wider(rows: Points<'_>) -> PointSet {
    let values = rows.rows().flat_map(|row| row.iter().copied().chain([0.0])).collect();
    PointSet::new(values, rows.dim() + 1).expect("finite")
}

fn check_finite(name: &str, what: &str, coordinates: &Embedding) {
    assert!(coordinates.values().iter().all(|v| v.is_finite()), "{name}: {what}: all values are finite");
}
