//! Eigenvalues of methods.

use figure::spectrum::{MOST, Spectrum};
use figure::{Scene, paint::Paint, spectra_scene};

use crate::results::{DatasetResults, MethodResults};
use serde_json::Value;

use super::panel::content;
use super::scores::words;

/// Facts of methods whose eigenvalues are variances along the coordinates, so that
/// their fractions of the total can be compared.
const COMPARABLE: [&str; 3] = ["conformal_spectrum", "explained_variance", "trace"];

/// The eigenvalues of a method, with further ones beyond its coordinates where they are known: the
/// reported eigenvalues, or else the eigenvalues stored with its coordinates. For conformal eigenmaps
/// they are the variances along its axes, not the eigenvalues of its basis. `None` when the method
/// has no spectrum, or only one value.
pub(crate) fn eigenvalues(method: &MethodResults) -> Option<Spectrum> {
    let conformal = method.facts.get("conformal_spectrum");
    let reported = conformal.or_else(|| method.facts.get("eigenvalues")).and_then(Value::as_array);
    let reported: Option<Vec<f64>> = reported.map(|list| list.iter().filter_map(Value::as_f64).collect());
    let own = method.embedding.as_ref().map(|map| map.spectrum().to_vec());
    let extended = Some(method.spectrum.clone()).filter(|_| conformal.is_none());
    let longest = |a: Vec<f64>, b: Vec<f64>| if b.len() > a.len() { b } else { a };
    let values = match conformal {
        Some(_) => reported?,
        None => [reported, own, extended].into_iter().flatten().reduce(longest)?,
    };
    let values: Vec<f64> = values.into_iter().filter(|v| v.is_finite()).take(MOST).collect();
    (values.len() >= 2 && values.iter().any(|v| *v != 0.0)).then_some(Spectrum { values, used: method.dim })
}

/// The eigenvalues of the methods whose spectra can be compared, as fractions of the total, without
/// negative ones. A method needs at least three known eigenvalues, or two and the sum of all.
pub(crate) fn comparable(results: &DatasetResults) -> Vec<(String, Vec<f64>)> {
    let fractions = |method: &MethodResults| {
        method.embedding.as_ref()?;
        COMPARABLE.iter().find(|fact| method.facts.contains_key(**fact))?;
        // Conformal eigenmaps reports the eigenvalues of its basis.
        let facts = ["conformal_spectrum", "explained_variance", "eigenvalues"];
        let values = facts.iter().find_map(|fact| method.facts.get(*fact)?.as_array())?;
        let values: Vec<f64> = values.iter().filter_map(Value::as_f64).collect();
        let conformal = method.facts.contains_key("conformal_spectrum");
        let extended = !conformal && method.spectrum.len() > values.len();
        let values = if extended { method.spectrum.clone() } else { values };
        let values: Vec<f64> = values.into_iter().filter(|v| *v > 0.0).collect();
        let number = |fact: &str| method.facts.get(fact)?.as_f64();
        // The sum of the positive eigenvalues is the trace plus the size of the negative
        // ones, or plus a lower bound of it where not all are known.
        let negative = || number("negative_mass").or_else(|| number("negative_mass_at_least"));
        let positive = || Some(number("trace")? + negative()?);
        let known = number("total_variance").or_else(positive).filter(|total| *total > 0.0);
        let total = known.unwrap_or_else(|| values.iter().sum());
        let enough = values.len() >= if known.is_some() { 2 } else { 3 };
        enough.then(|| (method.method.clone(), values.iter().map(|v| v / total).collect()))
    };
    // The conformal spectrum comes last: its map is drawn next to the bars.
    let (last, first): (Vec<_>, Vec<_>) =
        results.methods.iter().partition(|method| method.facts.contains_key("conformal_spectrum"));
    first.into_iter().chain(last).filter_map(fractions).collect()
}

/// The spectra of [`comparable`] methods, next to the map of the last of them.
pub(crate) fn scene(results: &DatasetResults, spectra: &[(String, Vec<f64>)], paint: &Paint) -> Scene {
    let method =
        spectra.last().and_then(|(name, _)| results.methods.iter().find(|method| method.method == *name));
    let title = method.map(|method| format!("{} on {}", method.method, words(&results.name)));
    let beside = title.as_deref().zip(method.map(content));
    spectra_scene(spectra, &results.data, beside, paint)
}

#[cfg(test)]
mod tests {
    use figure::paint::Paint;
    use figure::scene::Item;

    use super::*;
    use crate::sample;
    use serde_json::json;

    #[test]
    fn two_eigenvalues_are_shares_of_a_known_trace() {
        let mut results = sample::results("swiss-roll", 50, 3);
        results.methods[0].method = "isomap".to_owned();
        let facts =
            [("eigenvalues", json!([5.0, 2.0])), ("trace", json!(8.0)), ("negative_mass", json!(2.0))];
        results.methods[0].facts.extend(facts.map(|(name, value)| (name.to_owned(), value)));
        assert_eq!(comparable(&results), vec![("isomap".to_owned(), vec![0.5, 0.2])]);
        let mass = results.methods[0].facts.remove("negative_mass").expect("it was there");
        results.methods[0].facts.insert("negative_mass_at_least".to_owned(), mass);
        assert_eq!(comparable(&results), vec![("isomap".to_owned(), vec![0.5, 0.2])]);
        // With eigenvalues beyond the map's; negative ones do not count.
        results.methods[0].spectrum = vec![5.0, 2.0, 1.0, -1.0];
        assert_eq!(comparable(&results), vec![("isomap".to_owned(), vec![0.5, 0.2, 0.1])]);
        results.methods[0].spectrum.clear();
        results.methods[0].facts.remove("trace");
        assert_eq!(comparable(&results), Vec::new());
    }

    #[test]
    fn eigenvalues_beyond_those_of_the_map_are_shown() {
        let mut results = sample::results("swiss-roll", 50, 1);
        let method = &mut results.methods[0];
        let own = eigenvalues(method).expect("the sample has some");
        assert_eq!(own, Spectrum { values: vec![3.0, 2.0, -0.5], used: method.dim });
        method.spectrum = vec![3.0, 2.0, -0.5, -0.6];
        assert_eq!(eigenvalues(method).expect("as before").values, method.spectrum);
        // The variances along the axes, and not the eigenvalues of the basis.
        method.facts.insert("conformal_spectrum".to_owned(), json!([2.0, 1.0]));
        assert_eq!(eigenvalues(method).expect("two").values, [2.0, 1.0]);
    }

    #[test]
    fn shares_fill_the_bar_and_negatives_do_not_count() {
        let mut results = sample::results("swiss-roll", 50, 3);
        results.methods[0].method = "pca".to_owned();
        results.methods[0].facts.insert("explained_variance".to_owned(), json!([2.0, 1.0, 0.5]));
        results.methods[0].facts.insert("total_variance".to_owned(), json!(5.0));
        results.methods[1].method = "isomap".to_owned();
        let facts = [
            ("eigenvalues", json!([6.0, 3.0, 1.0, -2.0])),
            ("trace", json!(8.0)),
            ("negative_mass", json!(2.0)),
        ];
        results.methods[1].facts.extend(facts.map(|(name, value)| (name.to_owned(), value)));
        let spectra = comparable(&results);
        let expected =
            vec![("pca".to_owned(), vec![0.4, 0.2, 0.1]), ("isomap".to_owned(), vec![0.6, 0.3, 0.1])];
        assert_eq!(spectra, expected);
        let scene = scene(&results, &spectra, &Paint::of(&results.data));
        assert!(scene.items.iter().any(|item| matches!(item, Item::Text { text, .. } if text == "0.6")));
    }
}
