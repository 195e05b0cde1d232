//! A sweep as heat maps and tables.

use figure::color::SOFT;
use figure::grid::{MapCell, MapGrid};
use figure::heat::{HeatCell, HeatMap};
use figure::number::{count, score};
use figure::panel::Content;

use crate::results::{Cell, Statistics, Sweep};

use super::panel::content;
use super::scores::{CHIEF, hint, words};

/// A quantity in which cells differ: its name and value.
type Quantity = (&'static str, fn(&Cell) -> Option<f64>);

const QUANTITIES: [Quantity; 3] = [
    ("n", |cell| Some(cell.n as f64)),
    ("noise", |cell| Some(cell.noise)),
    ("k", |cell| cell.k.map(|k| k as f64)),
];

/// The head of each cell: the quantities that vary, the one that changes fastest last;
/// empty where there is one cell.
pub(crate) fn heads(sweep: &Sweep) -> Vec<Vec<String>> {
    let varies =
        |of: fn(&Cell) -> Option<f64>| sweep.cells.iter().any(|cell| of(cell) != of(&sweep.cells[0]));
    let varied: Vec<_> = QUANTITIES.into_iter().filter(|(_, of)| varies(*of)).collect();
    let head = |cell: &Cell| {
        let line = |(name, of): &(&str, fn(&Cell) -> Option<f64>)| {
            of(cell).map_or_else(|| (*name).to_owned(), |value| format!("{name} = {value}"))
        };
        varied.iter().map(line).collect()
    };
    sweep.cells.iter().map(head).collect()
}

/// The settings in a sentence.
pub(crate) fn sentence(sweep: &Sweep) -> String {
    let list = |of: fn(&Cell) -> Option<f64>| {
        let mut values: Vec<f64> = Vec::new();
        for value in sweep.cells.iter().filter_map(of) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        values.iter().map(f64::to_string).collect::<Vec<_>>().join(", ")
    };
    let mut parts: Vec<String> = QUANTITIES
        .iter()
        .rev()
        .map(|(name, of)| (name, list(*of)))
        .filter(|(name, values)| !values.is_empty() && (**name != "noise" || values != "0"))
        .map(|(name, values)| format!("{name} = {values}"))
        .collect();
    let draws = sweep.draws();
    if draws > 1 {
        parts.push(format!("{draws} draws of each, with the seeds {}", seeds(sweep)));
    }
    parts.join("; ")
}

fn seeds(sweep: &Sweep) -> String {
    let longest = sweep.cells.iter().map(|cell| &cell.seeds).max_by_key(|seeds| seeds.len());
    match longest.map(|seeds| &seeds[..]).unwrap_or_default() {
        [first, .., last] => format!("{first} to {last}"),
        [one] => one.to_string(),
        [] => String::new(),
    }
}

/// The measures that any method has; the measures that are shown first come first.
pub(crate) fn measures(sweep: &Sweep) -> Vec<&'static str> {
    let measured = |name: &str| {
        let mut cells = sweep.cells.iter().flat_map(|cell| &cell.methods);
        cells.any(|method| method.score(name).is_some())
    };
    // The error against the truth comes first, where it is known.
    let chief = ["procrustes"].into_iter().chain(CHIEF.into_iter().filter(|name| *name != "procrustes"));
    let rest = quality::measures().iter().map(|measure| measure.name).filter(|name| !CHIEF.contains(name));
    chief.chain(rest).filter(|name| measured(name)).collect()
}

/// Most settings whose maps are drawn.
const SETTINGS: usize = 10;

/// The maps of every method at every setting with kept maps, or at ten evenly spaced ones where
/// there are more; `None` without maps.
pub(crate) fn map_grid(sweep: &Sweep) -> Option<MapGrid<'_>> {
    let measures = measures(sweep);
    let chief = measures.first().copied();
    let mut columns: Vec<_> = heads(sweep)
        .into_iter()
        .zip(&sweep.cells)
        .filter_map(|(head, cell)| Some((head, sweep.drawn(cell)?)))
        .collect();
    let kept = columns.len();
    if kept > SETTINGS {
        let chosen: Vec<usize> = (0..SETTINGS).map(|i| i * (kept - 1) / (SETTINGS - 1)).collect();
        let mut at = 0..;
        columns.retain(|_| at.next().is_some_and(|at| chosen.contains(&at)));
    }
    if columns.is_empty() {
        return None;
    }
    let row = |method: &&str| {
        let cells = columns.iter().map(|(_, (_, rows))| {
            let found = rows.iter().find(|(row, _)| row.method == *method).copied();
            let content = match found {
                Some((_, Some(map))) => Content::Map(map),
                Some((row, None)) => content(row),
                None => Content::Message { heading: "", color: SOFT, text: "not run" },
            };
            let said = found.zip(chief).and_then(|((row, _), name)| Some((row.score(name)?, name)));
            let text = said.map(|(value, name)| format!("{} {}", score(value), words(name)));
            MapCell { content, text: text.unwrap_or_default() }
        });
        ((*method).to_owned(), cells.collect())
    };
    let count = sweep.cells.len();
    let some = if columns.len() < count {
        format!(" {} of {count} settings are drawn.", columns.len())
    } else {
        String::new()
    };
    let draw = if sweep.draws() > 1 { " Of several draws of a setting the first is drawn." } else { "" };
    Some(MapGrid {
        title: format!("{}: maps", words(&sweep.dataset)),
        text: format!("{}.{draw}{some}", sentence(sweep)),
        heads: columns.iter().map(|(head, _)| head.clone()).collect(),
        data: columns.iter().map(|(_, (data, _))| *data).collect(),
        rows: sweep.methods().iter().map(row).collect(),
    })
}

/// The most maps in the figure of a sweep; the page has all.
pub(crate) const SHOWN: usize = 3;

/// The heat map of a measure, method by setting.
pub(crate) fn heat_map(sweep: &Sweep, measure: &str) -> HeatMap {
    let methods = sweep.methods();
    let of = |cell: usize, method: &str| sweep.method(cell, method).and_then(|found| found.score(measure));
    let cells = 0..sweep.cells.len();
    let means = || {
        let all = methods.iter().flat_map(|method| cells.clone().map(move |cell| (cell, *method)));
        all.filter_map(|(cell, method)| Some(of(cell, method)?.mean)).filter(|mean| mean.is_finite())
    };
    let (low, high) = (embedding::implement::minimum(means()), embedding::implement::maximum(means()));
    let higher = quality::measure(measure).is_some_and(|found| found.better == quality::Better::Higher);
    let fraction = |mean: f64| {
        let up = if high > low { (mean - low) / (high - low) } else { 1.0 };
        if higher || high <= low { up } else { 1.0 - up }
    };
    let draws = |cell: usize, method: &str| -> Vec<f64> {
        let setting = &sweep.cells[cell];
        let same = sweep.runs.iter().filter(|run| {
            (run.k, run.n, run.noise.to_bits()) == (setting.k, setting.n, setting.noise.to_bits())
        });
        same.filter_map(|run| run.methods.iter().find(|row| row.method == method)?.score(measure)).collect()
    };
    let cell = |cell: usize, method: &str| match (sweep.method(cell, method), of(cell, method)) {
        (Some(found), Some(values)) => HeatCell {
            fraction: values.mean.is_finite().then(|| fraction(values.mean)),
            text: score(values.mean),
            small: match (values.deviation, found.done < found.runs) {
                (_, true) => format!("{} of {}", found.done, found.runs),
                (Some(deviation), _) => format!("± {}", score(deviation)),
                (None, _) => String::new(),
            },
            draws: draws(cell, method),
        },
        _ => HeatCell { fraction: None, text: "–".to_owned(), small: String::new(), draws: Vec::new() },
    };
    let row =
        |method: &&str| ((*method).to_owned(), cells.clone().map(|i| cell(i, method)).collect::<Vec<_>>());
    let rows: Vec<_> = methods.iter().map(row).collect();
    let [worst, best] = if higher { [low, high] } else { [high, low] };
    let spread = if sweep.draws() > 1 { "Mean ± standard deviation. " } else { "" };
    let scale = if high > low {
        format!("From dark, {} (worst here), to yellow, {} (best here). ", score(worst), score(best))
    } else {
        String::new()
    };
    let missing = |(_, cells): &(String, Vec<HeatCell>)| cells.iter().any(|cell| cell.fraction.is_none());
    let none = if rows.iter().any(missing) { "– no map, or not measured." } else { "" };
    HeatMap {
        title: format!("{}, {}", words(measure), hint(measure).rsplit(", ").next().unwrap_or_default()),
        text: format!("{scale}{spread}{none}").trim().to_owned(),
        columns: heads(sweep),
        rows,
        notes: notes(sweep),
    }
}

/// The notes on the graph of each cell, if any.
fn notes(sweep: &Sweep) -> Vec<(String, Vec<String>)> {
    let row = |name: &str, of: fn(&Cell) -> Option<&Statistics>, usual: f64| {
        let told = sweep.cells.iter().filter_map(of).any(|values| values.mean != usual);
        let cells = sweep.cells.iter().map(|cell| of(cell).map_or_else(|| "–".to_owned(), mean)).collect();
        told.then(|| (name.to_owned(), cells))
    };
    [
        row("components", |cell| Some(&cell.components), 1.0),
        row("shortcuts found", |cell| cell.shortcuts.as_ref(), 0.0),
        row("shortcuts by truth", |cell| cell.true_shortcuts.as_ref(), 0.0),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A mean of counts, with a decimal where it is no integer.
fn mean(values: &Statistics) -> String {
    if values.mean.fract() == 0.0 { count(values.mean as usize) } else { format!("{:.1}", values.mean) }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::results::{Maps, Outcome, Score, SweepRun};
    use crate::sample::results;

    /// Three methods at two k with two seeds; the third fails at the second seed.
    pub(crate) fn sweep() -> Sweep {
        let run = |k: usize, seed: u64| {
            let mut set = results("swiss-roll", 40, 3);
            set.graph.true_shortcuts = Some(k - 6);
            for (i, row) in set.methods.iter_mut().enumerate() {
                let value = 0.1 * (i + 1) as f64 + 0.01 * k as f64 + 0.002 * seed as f64;
                row.scores = vec![Score { measure: "procrustes".to_owned(), value }];
                row.scores.push(Score { measure: "trustworthiness".to_owned(), value: 1.0 - value });
                if i == 2 && seed == 1 {
                    row.outcome = Outcome::Failed { reason: "too <few> neighbors".to_owned() };
                    row.scores.clear();
                }
            }
            let methods = set.methods.iter().map(|row| row.without_points()).collect();
            SweepRun { k: Some(k), n: 40, noise: 0.0, seed, graph: set.graph, methods, maps: None }
        };
        Sweep::of("swiss-roll".to_owned(), vec![run(6, 0), run(8, 0), run(6, 1), run(8, 1)])
    }

    /// Runs of `settings` k, those whose number is in `kept` with their maps.
    fn swept(settings: usize, kept: &[usize]) -> Sweep {
        let mut runs: Vec<SweepRun> = Vec::new();
        for i in 0..settings {
            let set = results("swiss-roll", 40, 3);
            let methods = set.methods.iter().map(|row| row.without_points()).collect();
            let mut run = SweepRun {
                k: Some(4 + i),
                n: 40,
                noise: 0.0,
                seed: 0,
                graph: set.graph.clone(),
                methods,
                maps: None,
            };
            run.maps = kept.contains(&i).then(|| Maps::of(&run, &set, &runs).expect("few values"));
            runs.push(run);
        }
        Sweep::of("swiss-roll".to_owned(), runs)
    }

    #[test]
    fn ten_settings_are_drawn_of_those_whose_maps_were_kept() {
        let heads = |settings: usize, kept: &[usize]| {
            map_grid(&swept(settings, kept))
                .map(|grid| (grid.heads.concat(), grid.text.contains("settings are drawn")))
        };
        assert_eq!(heads(3, &[]), None);
        let named = |ks: &[usize]| ks.iter().map(|k| format!("k = {k}")).collect::<Vec<_>>();
        assert_eq!(heads(3, &[0, 1, 2]), Some((named(&[4, 5, 6]), false)));
        assert_eq!(heads(3, &[0, 2]), Some((named(&[4, 6]), true)));
        let all: Vec<usize> = (0..19).collect();
        assert_eq!(heads(19, &all), Some((named(&[4, 6, 8, 10, 12, 14, 16, 18, 20, 22]), true)));
        // A setting has its maps once, and every method its own.
        let sweep = swept(2, &[0, 1]);
        let set = results("swiss-roll", 40, 3);
        assert!(Maps::of(&sweep.runs[1], &set, &sweep.runs).is_none(), "a further draw of the setting");
        let grid = map_grid(&sweep).expect("maps");
        let maps = grid
            .rows
            .iter()
            .flat_map(|(_, cells)| cells)
            .filter(|cell| matches!(cell.content, Content::Map(_)));
        assert_eq!((grid.rows.len(), maps.count()), (3, 6));
    }

    #[test]
    fn draws_are_gathered_and_a_failure_is_counted() {
        let sweep = sweep();
        assert_eq!(sweep.cells.len(), 2);
        let first = sweep.method(0, "method-0").and_then(|cell| cell.score("procrustes")).expect("a score");
        assert_eq!(first.count, 2);
        assert!((first.mean - 0.161).abs() < 1e-12, "{}", first.mean);
        assert!((first.deviation.expect("of two") - 0.002 / 2.0_f64.sqrt()).abs() < 1e-12);
        let failing = sweep.method(1, "method-2").expect("it ran");
        assert_eq!(
            (failing.runs, failing.done, failing.score("procrustes").map(|s| s.count)),
            (2, 1, Some(1))
        );
        assert_eq!(failing.reason.as_deref(), Some("too <few> neighbors"));
        assert_eq!(sentence(&sweep), "k = 6, 8; n = 40; 2 draws of each, with the seeds 0 to 1");
    }

    #[test]
    fn the_best_mean_is_yellow_in_the_direction_of_the_measure() {
        let sweep = sweep();
        assert_eq!(measures(&sweep)[..2], ["procrustes", "trustworthiness"]);
        for measure in ["procrustes", "trustworthiness"] {
            let map = heat_map(&sweep, measure);
            assert_eq!(map.columns, [["k = 6"], ["k = 8"]].map(|head| head.map(str::to_owned).to_vec()));
            let fraction = |row: usize, column: usize| map.rows[row].1[column].fraction.expect("a value");
            assert_eq!(fraction(0, 0), 1.0, "{measure}");
            assert_eq!(fraction(2, 1), 0.0, "{measure}");
            assert_eq!(map.rows[2].1[1].small, "1 of 2");
            assert_eq!(map.rows[0].1[1].draws.len(), 2);
            assert_eq!(map.notes, [("shortcuts by truth".to_owned(), vec!["0".to_owned(), "2".to_owned()])]);
        }
    }
}
