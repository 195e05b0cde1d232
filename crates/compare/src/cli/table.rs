//! Results as a table for the terminal.

use crate::output::status;
use crate::results::{DatasetResults, MethodResults, Results, Sweep};
use crate::views::dataset::expected;
use crate::views::diagnosis::{of_graph, of_map};
use crate::views::sweep as views;
use crate::views::trust::careful;
use crate::views::verdict::line;

/// Formats one block per data set, one line per method; of a sweep, one per data set and
/// chief measure, with a column for each setting.
pub(in crate::cli) fn of(results: &Results) -> String {
    let swept = |dataset: &&DatasetResults| results.sweeps.iter().any(|sweep| sweep.dataset == dataset.name);
    let blocks = results.datasets.iter().filter(|dataset| !swept(dataset)).map(block);
    let sweeps = results.sweeps.iter().flat_map(|sweep| {
        let measures = views::measures(sweep);
        measures.into_iter().take(views::SHOWN).map(|measure| sweep_block(sweep, measure)).collect::<Vec<_>>()
    });
    sweeps.chain(blocks).collect::<Vec<_>>().join("\n")
}

fn sweep_block(sweep: &Sweep, measure: &str) -> String {
    let map = views::heat_map(sweep, measure);
    let spread = if sweep.draws() > 1 { ", mean ± standard deviation" } else { "" };
    let mut text = format!("{}: {}{spread} ({})\n", sweep.dataset, map.title, views::sentence(sweep));
    let lines = map.columns.iter().map(Vec::len).max().unwrap_or(0);
    let mut rows: Vec<Vec<String>> = (0..lines)
        .map(|line| {
            let heads = map.columns.iter().map(|head| head.get(line).cloned().unwrap_or_default());
            std::iter::once(String::new()).chain(heads).collect()
        })
        .collect();
    for (name, cells) in &map.rows {
        let cells = cells.iter().map(|cell| format!("{} {}", cell.text, cell.small).trim().to_owned());
        rows.push(std::iter::once(name.clone()).chain(cells).collect());
    }
    rows.extend(map.notes.iter().map(|(name, cells)| {
        std::iter::once(format!("({name})")).chain(cells.iter().cloned()).collect::<Vec<_>>()
    }));
    let wide = |cell: &String| cell.chars().count();
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(wide).max().unwrap_or(0);
    let widths: Vec<usize> = (0..=map.columns.len()).map(width).collect();
    for row in &rows {
        let mut line = format!("  {:<1$}", row[0], widths[0]);
        row.iter().zip(&widths).skip(1).for_each(|(cell, &width)| line += &format!("  {cell:>width$}"));
        text += line.trim_end();
        text.push('\n');
    }
    text
}

fn block(dataset: &DatasetResults) -> String {
    let measured = |measure: &str| dataset.methods.iter().any(|row| row.score(measure).is_some());
    let measures: Vec<&str> = quality::measures().iter().map(|m| m.name).filter(|m| measured(m)).collect();
    let mut rows = vec![header(&measures)];
    rows.extend(dataset.methods.iter().map(|row| cells(row, &measures)));
    let width =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(String::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..measures.len() + 2).map(width).collect();
    let recall = dataset.graph.recall.map(|recall| format!("; {recall}")).unwrap_or_default();
    let sample = dataset.measured_rows.map(|rows| format!("; measures over {rows} rows")).unwrap_or_default();
    let mut text = format!("{} (n = {}, D = {}{sample}{recall})\n", dataset.name, dataset.n, dataset.columns);
    for (row, method) in rows.iter().zip(std::iter::once(None).chain(dataset.methods.iter().map(Some))) {
        let mut line = format!("  {:<1$}", row[0], widths[0]);
        row.iter().zip(&widths).skip(1).for_each(|(cell, &width)| line += &format!("  {cell:>width$}"));
        if let Some(reason) = method.and_then(|method| method.outcome.reason()) {
            line += &format!("  {}: {reason}", method.map_or("", |m| status(&m.outcome)));
        }
        text += line.trim_end();
        text.push('\n');
    }
    let verdicts = dataset.verdicts.iter().map(|verdict| format!("  {}\n", line(verdict)));
    text + &verdicts.collect::<String>() + &diagnosis(dataset)
}

/// The diagnosis of the graph and of each map; for data that show a failure, also the expected
/// result.
fn diagnosis(dataset: &DatasetResults) -> String {
    let story = expected(dataset);
    let graph = of_graph(&dataset.graph).map(|sentence| format!("  graph: {sentence}\n"));
    let of_method = |method: &MethodResults| -> String {
        let trust = method.trust.iter().filter_map(|trust| careful(trust, &dataset.data).into_iter().next());
        let sentences = of_map(dataset, method).into_iter().chain(trust);
        sentences.map(|sentence| format!("  {}: {sentence}\n", method.method)).collect()
    };
    let found: String = graph.into_iter().chain(dataset.methods.iter().map(of_method)).collect();
    match story {
        Some(story) if found.is_empty() => format!("  expected: {story}\n  diagnosis: nothing found\n"),
        Some(story) => format!("  expected: {story}\n{found}"),
        None => found,
    }
}

fn header(measures: &[&str]) -> Vec<String> {
    let mut row = vec!["method".to_owned(), "seconds".to_owned()];
    row.extend(measures.iter().map(|m| (*m).to_owned()));
    row
}

fn cells(row: &MethodResults, measures: &[&str]) -> Vec<String> {
    if row.outcome.reason().is_some() {
        return vec![row.method.clone(), String::new()];
    }
    let score = |measure: &&str| row.score(measure).map_or_else(String::new, |value| format!("{value:.4}"));
    let mut cells = vec![row.method.clone(), format!("{:.3}", row.seconds)];
    cells.extend(measures.iter().map(score));
    cells
}
