//! The commands: one module each, with its options and its execution.

mod align;
mod choose;
mod dataset;
mod digest;
mod dimension;
mod drivers;
mod ellipses;
mod embed;
mod explain;
mod invert;
mod lab;
mod list;
mod measure;
mod neighbors;
mod plan;
mod run;
mod singularity;
mod study;
mod transform;
mod trust;
mod update;

use std::process::ExitCode;

use clap::Subcommand;

use self::align::Align;
use self::choose::Choose;
use self::dataset::Dataset;
use self::digest::Digest;
use self::dimension::Dimension;
use self::drivers::Drivers;
use self::embed::arguments::Embed;
use self::explain::Explain;
use self::invert::arguments::Invert;
use self::lab::Lab;
use self::list::List;
use self::measure::Measure;
use self::neighbors::Neighbors;
use self::plan::Plan;
use self::run::arguments::Run;
use self::study::Study;
use self::transform::Transform;
use self::trust::Trust;
use self::update::Update;
use crate::Failure;
use crate::cli::context::Context;

/// A command with its options.
#[derive(Subcommand)]
pub(super) enum Command {
    /// Run methods on data sets and write a report (the default)
    Run(Run),
    /// Write a page in which every method runs live, on generated data and on your own
    Lab(Lab),
    /// Isomap, LLE, t-SNE and UMAP on digits, fruits and reviews; placement of new digits in a
    /// map
    Study(Study),
    /// Embed the points of a file by one method
    Embed(Embed),
    /// Place new points by a saved model
    Transform(Transform),
    /// Fit the points of a saved model and new ones, with a map near the old one
    Update(Update),
    /// Make maps of several files, with rows of one name near each other
    Align(Align),
    /// Score which points of a map can be trusted, by a saved model
    Trust(Trust),
    /// Say which columns drive a map, at each point, by a saved model
    Drivers(Drivers),
    /// Choose k or perplexity for the points of a file, with reasons
    Choose(Choose),
    /// Decode places of a map: from the map back to data, with the error of that
    Invert(Invert),
    /// Find the nearest neighbors of every point of a file
    Neighbors(Neighbors),
    /// Estimate the intrinsic dimension of the points of a file by five estimators
    Dimension(Dimension),
    /// Estimate time and memory of fits before they run, from small fits of the same data
    Plan(Plan),
    /// Evaluate an embedding against its original data; writes JSON
    Measure(Measure),
    /// Write a data set to a file
    Dataset(Dataset),
    /// Print the digests of standard maps by every method, for comparison between machines
    Digest(Digest),
    /// List methods, data sets or measures
    List(List),
    /// Explain a method or a measure: idea, equations, parameters, failures, paper
    Explain(Explain),
}

impl Default for Command {
    fn default() -> Self {
        Self::Run(Run::default())
    }
}

impl Command {
    /// Runs the command. An interrupted run or study writes what has finished; the others end at once.
    pub(super) fn execute(&self, context: &Context) -> Result<ExitCode, Failure> {
        match self {
            Self::Run(_) | Self::Study(_) => context.progress.finish_on_interrupt(),
            _ => context.progress.stop_on_interrupt(),
        }
        match self {
            Self::Run(options) => run::run(options, context),
            Self::Study(options) => study::study(options, context),
            Self::Lab(options) => lab::lab(options, context),
            Self::Embed(options) => embed::embed(options, context),
            Self::Transform(options) => transform::transform(options, context),
            Self::Update(options) => update::update(options, context),
            Self::Align(options) => align::align(options, context),
            Self::Trust(options) => trust::trust(options, context),
            Self::Drivers(options) => drivers::drivers(options, context),
            Self::Choose(options) => choose::choose(options, context),
            Self::Invert(options) => invert::invert(options, context),
            Self::Neighbors(options) => neighbors::neighbors(options, context),
            Self::Dimension(options) => dimension::dimension(options, context),
            Self::Plan(options) => plan::plan(options, context),
            Self::Measure(options) => measure::measure(options, context),
            Self::Dataset(options) => dataset::dataset(options, context),
            Self::Digest(options) => digest::digest(options, context),
            Self::List(options) => list::list(options),
            Self::Explain(options) => explain::explain(options),
        }
    }
}
