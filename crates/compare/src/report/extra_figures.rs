//! Additional figures of a data set.

use faer::Mat;
use figure::cloud::input_rows;
use figure::curves::{Chart, Trace};
use figure::number::count;
use figure::{
    chart_scene,
    filmstrip::{Still, filmstrip_scene},
    paint::Paint,
};
use maud::{Markup, html};
use serde_json::Value;

use crate::results::{DatasetResults, MethodResults};
use crate::views::spectra::comparable;
use crate::views::{spectra, stills, words};

use super::picture::{captioned, unfolded};

/// Returns figures of spectra, residual variances, the methods' own charts, and
/// optimization snapshots.
pub(super) fn extra_figures(results: &DatasetResults, paint: &Paint) -> Markup {
    let figures = html! {
        (eigenvalues(results, paint))
        (residual_variance(results))
        @for method in &results.methods {
            @if let Some(chart) = convergence(method) { (curves(&chart, CONVERGENCE)) }
            @if method.frames.is_empty() {
                @for chart in &method.charts { (titled(chart)) }
            } @else {
                (film(method, paint))
            }
        }
    };
    if figures.0.is_empty() {
        return figures;
    }
    html! {
        details open[unfolded(results)] {
            summary { "Eigenvalues, residual variance and iterations of the methods" }
            div class="panels wide" { (figures) }
        }
    }
}

/// The spectra of all methods whose eigenvalues can be compared; empty for fewer than two.
fn eigenvalues(results: &DatasetResults, paint: &Paint) -> Markup {
    let comparable = comparable(results);
    if comparable.len() < 2 {
        return Markup::default();
    }
    let names: Vec<&str> = comparable.iter().map(|(name, _)| name.as_str()).collect();
    let caption = format!("eigenvalues as fractions of their sum: {}", names.join(", "));
    captioned(&spectra::scene(results, &comparable, paint), &caption, &caption, Some("broad"))
}

fn residual_variance(results: &DatasetResults) -> Markup {
    let variances = residual_variances(results);
    if variances.is_empty() {
        return Markup::default();
    }
    let caption = "Residual variance by dimension: the elbow suggests the intrinsic dimension.";
    curves(&Chart::residual_variance(&variances), caption)
}

/// What the chart of an alternation shows.
const CONVERGENCE: &str = "Each line is one schedule of the alternation, from the same start: the objective \
    against the number of linear solves. The dashed line is what no map of this basis can fall below; where a line \
    meets it, the minimum is found and proven.";

/// Draws a chart with its title and horizontal axis as caption.
fn titled(chart: &Chart) -> Markup {
    curves(chart, &format!("{}, by {}.", chart.title, chart.x.label))
}

fn curves(chart: &Chart, caption: &str) -> Markup {
    captioned(&chart_scene(chart, 560.0, 360.0), caption, caption, None)
}

/// Most iterations of a film, and most points of each: the lab shows them all.
const MOST_FRAMES: usize = 6;
const MOST_POINTS: usize = 250;

fn film(method: &MethodResults, paint: &Paint) -> Markup {
    let Some(embedding) = &method.embedding else { return Markup::default() };
    let (all, rows) = (stills(&method.frames), input_rows(embedding));
    let kept: Vec<usize> = (0..rows.len()).step_by(rows.len().div_ceil(MOST_POINTS).max(1)).collect();
    let maps: Vec<(&Still<'_>, Mat<f64>)> = evenly(all.len(), MOST_FRAMES)
        .map(|at| &all[at])
        .map(|still| {
            let dim = still.coordinates.ncols();
            (still, Mat::from_fn(kept.len(), dim, |i, j| still.coordinates[(kept[i], j)]))
        })
        .collect();
    let shown: Vec<Still<'_>> =
        maps.iter().map(|(still, map)| Still { coordinates: map.as_ref(), ..**still }).collect();
    let drawn: Vec<usize> = kept.iter().map(|&at| rows[at]).collect();
    let scene = filmstrip_scene(&shown, &drawn, paint, method.charts.first());
    let of = if kept.len() < rows.len() {
        format!(", {} of {} points", count(kept.len()), count(rows.len()))
    } else {
        String::new()
    };
    let caption = format!("{}: the map at {} iterations{of}", method.method, shown.len());
    html! {
        (captioned(&scene, &caption, &caption, Some("broad")))
        @for chart in method.charts.iter().skip(1) { (titled(chart)) }
    }
}

/// At most `most` of `count` numbers from 0, evenly spaced, with the first and the last.
fn evenly(count: usize, most: usize) -> impl Iterator<Item = usize> {
    let kept = count.min(most);
    (0..kept).map(move |i| if kept < count { (i * (count - 1)).div_ceil(most - 1) } else { i })
}

/// Reads the fact `convergence`: a list of states of an alternation with the number of
/// linear systems solved, or several such lists by name.
fn convergence(method: &MethodResults) -> Option<Chart> {
    let traces: Vec<Trace> = match method.facts.get("convergence")? {
        Value::Array(steps) => vec![trace(&method.method, steps)],
        Value::Object(lists) => {
            lists.iter().filter_map(|(name, steps)| Some(trace(&words(name), steps.as_array()?))).collect()
        }
        _ => return None,
    };
    let title = format!("{}: angle loss and its proven lower bound", method.method);
    let drawn = traces.iter().any(|trace| trace.work.len() >= 2);
    drawn.then(|| Chart::convergence(title, "number of linear solves", &traces))
}

fn trace(name: &str, steps: &[Value]) -> Trace {
    let column = |key: &str| steps.iter().filter_map(|step| step.get(key)?.as_f64()).collect();
    Trace {
        name: name.to_owned(),
        work: column("estimates"),
        objective: column("value"),
        lower_bound: column("lower_bound"),
    }
}

/// Returns residual variances by method, in 1, 2, … dimensions.
fn residual_variances(results: &DatasetResults) -> Vec<(String, Vec<f64>)> {
    let of = |method: &MethodResults| {
        let values = method.facts.get("residual_variances")?.as_array()?;
        let values: Vec<f64> = values.iter().filter_map(|value| value.as_f64()).collect();
        (values.len() >= 2).then(|| (method.method.clone(), values))
    };
    results.methods.iter().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::Frame;
    use crate::sample;
    use faer::Mat;
    use serde_json::json;

    #[test]
    fn a_convergence_needs_two_states() {
        let mut method = sample::results("swiss-roll", 40, 1).methods.remove(0);
        let step = |i: usize| json!({"estimates": i, "value": 1.0 / i as f64, "lower_bound": 0.1});
        method.facts.insert("convergence".to_owned(), json!([step(1)]));
        assert_eq!(convergence(&method), None);
        method
            .facts
            .insert("convergence".to_owned(), json!({"plain": [step(1), step(2)], "midpoint": [step(1)]}));
        let chart = convergence(&method).expect("two traces");
        assert_eq!(
            chart.curves.iter().map(|curve| curve.name.as_str()).collect::<Vec<_>>(),
            ["midpoint", "plain", "lower bound, plain"]
        );
    }

    #[test]
    fn what_is_known_is_drawn_and_nothing_else() {
        let mut results = sample::results("swiss-roll", 40, 3);
        let paint = Paint::of(&results.data);
        let html = |results: &DatasetResults| extra_figures(results, &paint).into_string();
        assert_eq!(html(&results), "");
        results.methods[0].facts.insert("residual_variances".to_owned(), json!([0.4, 0.01, 0.009]));
        assert_eq!(html(&results).matches("<figure").count(), 1);
        let frame = Frame {
            iteration: 1,
            objective: None,
            coordinates: Mat::from_fn(40, 2, |i, j| (i * (j + 1)) as f64),
        };
        results.methods[1].frames = vec![frame];
        assert_eq!(html(&results).matches("<figure").count(), 2);
    }

    #[test]
    fn frames_are_thinned_evenly_with_both_ends() {
        let of = |count, most| evenly(count, most).collect::<Vec<_>>();
        assert_eq!(of(14, 6), [0, 3, 6, 8, 11, 13]);
        assert_eq!((of(3, 6), of(6, 6), of(0, 6)), (vec![0, 1, 2], vec![0, 1, 2, 3, 4, 5], vec![]));
    }
}
