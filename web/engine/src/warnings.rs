//! Probable mistakes in a file, as kinds with fields: the page has its own sentences and repairs.

use datasets::files::{Suspicion, Table};
use embedding::Metric;
use serde_json::{Value, json};

/// The probable mistakes in a table, as [`Suspicion`] and the reader find them.
pub(crate) fn of(table: &Table) -> Vec<Value> {
    let read = table.warnings.iter().map(|sentence| json!({ "kind": "reader", "sentence": sentence }));
    let found = Suspicion::find(table, Metric::Euclidean);
    read.chain(found.iter().map(|found| fields(found, table))).collect()
}

fn fields(found: &Suspicion, table: &Table) -> Value {
    let column = |column: usize| {
        let name = table.columns.as_ref().map(|names| &names[column]);
        json!({ "number": table.numbers[column], "name": name })
    };
    let columns = |list: &[usize]| list.iter().copied().map(column).collect::<Vec<_>>();
    match found {
        Suspicion::Classes { name, classes } => {
            json!({ "kind": "classes", "name": name, "classes": classes })
        }
        Suspicion::Equal => json!({ "kind": "equal" }),
        Suspicion::Distances => json!({ "kind": "distances" }),
        Suspicion::Nines { number, columns: of, others, rows } => json!({
            "kind": "nines", "number": number, "columns": columns(of), "others": others, "rows": rows,
        }),
        Suspicion::Dominant { column: of, fraction, others } => json!({
            "kind": "dominant", "columns": [column(*of)], "fraction": fraction, "others": others,
        }),
        Suspicion::Constant { columns: of } => json!({ "kind": "constant", "columns": columns(of) }),
        Suspicion::Copies { copies } => json!({ "kind": "copies", "copies": copies }),
        Suspicion::Indifferent { distance, .. } => json!({ "kind": "indifferent", "distance": distance }),
    }
}
