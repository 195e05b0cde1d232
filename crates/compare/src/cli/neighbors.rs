//! `compare neighbors`.

use std::process::ExitCode;

use datasets::files;
use embedding::{Input, PointSet};
use neighbor_graph::{Neighborhood, neighbors_of_input};

use super::arguments::Neighbors;
use super::{Context, input};
use crate::Failure;
use crate::graph::{approximate, exact_for};
use crate::memory::Peak;
use crate::output::{json, write_text};
use crate::stopwatch::{Stopwatch, Times};

pub(super) fn neighbors(arguments: &Neighbors, context: &Context) -> Result<ExitCode, Failure> {
    let k = arguments.k;
    let outputs = [
        ("--output", Some(&arguments.output)),
        ("--distances", arguments.distances.as_ref()),
        ("--report", arguments.report.as_ref()),
    ];
    let outputs = outputs.into_iter().filter_map(|(option, path)| Some((option, path?)));
    input::keep_apart([&arguments.input], outputs)?;
    let points = input::read(&arguments.input, None, &arguments.reading, context)?.points;
    context.progress.begin("neighbors");
    let peak = Peak::start();
    let search = Stopwatch::start(&context.progress);
    let (lists, recall) = match arguments.neighbor_recall {
        Some(goal) => {
            exact_for(arguments.metric)?;
            let (lists, recall) = approximate(points.view(), k, goal, &search)?;
            context.progress.line(format!("note: {recall}"));
            (lists, recall.measured)
        }
        None => {
            let input = Input::from(&points).metric(arguments.metric).observer(&search);
            (neighbors_of_input(&input, Neighborhood::Nearest { k })?, 1.0)
        }
    };
    let Times { seconds, .. } = search.stop();
    let peak = peak.and_then(|peak| peak.bytes());
    context.progress.end();
    let all = || (0..lists.len()).map(|i| lists.of(i));
    let indices: Vec<u32> = all().flat_map(|list| list.0).copied().collect();
    let distances = PointSet::new(all().flat_map(|list| list.1).copied().collect(), k)?;
    files::write_indices(&arguments.output, k, &indices)?;
    if let Some(path) = &arguments.distances {
        files::write_points(path, distances.view())?;
    }
    if let Some(path) = &arguments.report {
        let report = serde_json::json!({
            "n": points.len(),
            "D": points.dim(),
            "k": k,
            "metric": arguments.metric.to_string(),
            "found_by": lists.found_by(),
            "recall": recall,
            "seconds": seconds,
            "peak_memory_bytes": peak,
        });
        write_text(path, &json(&report))?;
    }
    Ok(ExitCode::SUCCESS)
}
