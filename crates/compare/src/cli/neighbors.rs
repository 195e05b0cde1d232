//! `compare neighbors`.

use std::process::ExitCode;

use datasets::files;
use embedding::PointSet;
use neighbor_graph::Neighborhood;

use super::Context;
use super::arguments::Neighbors;
use crate::Failure;

pub(super) fn neighbors(arguments: &Neighbors, context: &Context) -> Result<ExitCode, Failure> {
    let k = arguments.k;
    let points = files::read_points(&arguments.input, context.memory)?.points;
    context.progress.begin("neighbors");
    let lists =
        neighbor_graph::Neighbors::find(points.view(), Neighborhood::Nearest { k }, &context.progress)?;
    context.progress.end();
    let all = || (0..lists.len()).map(|i| lists.of(i));
    let indices: Vec<u32> = all().flat_map(|list| list.0).copied().collect();
    let distances = PointSet::new(all().flat_map(|list| list.1).copied().collect(), k)?;
    files::write_indices(&arguments.output, k, &indices)?;
    if let Some(path) = &arguments.distances {
        files::write_points(path, distances.view())?;
    }
    Ok(ExitCode::SUCCESS)
}
