//! Results as a table for the terminal.

use crate::output::status;
use crate::results::{DatasetResults, MethodResults, Results};

/// Formats one block per data set, one line per method.
pub(super) fn of(results: &Results) -> String {
    results.datasets.iter().map(block).collect::<Vec<_>>().join("\n")
}

fn block(dataset: &DatasetResults) -> String {
    let measured = |measure: &str| dataset.methods.iter().any(|row| row.score(measure).is_some());
    let measures: Vec<&str> = quality::measures().iter().map(|m| m.name).filter(|m| measured(m)).collect();
    let mut rows = vec![header(&measures)];
    rows.extend(dataset.methods.iter().map(|row| cells(row, &measures)));
    let width =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(String::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..measures.len() + 2).map(width).collect();
    let mut text = format!("{} (n = {}, D = {})\n", dataset.name, dataset.n, dataset.columns);
    for (row, method) in rows.iter().zip(std::iter::once(None).chain(dataset.methods.iter().map(Some))) {
        let mut line = format!("  {:<1$}", row[0], widths[0]);
        row.iter().zip(&widths).skip(1).for_each(|(cell, &width)| line += &format!("  {cell:>width$}"));
        if let Some(reason) = method.and_then(|method| method.outcome.reason()) {
            line += &format!("  {}: {reason}", method.map_or("", |m| status(&m.outcome)));
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
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
