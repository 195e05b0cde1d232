//! The plan of `compare run`: data sets, methods and settings.

use datasets::{Info, Request};
use embedding::{DataKind, DynMethod, Error};

use super::arguments::Run;
use super::grid::{self, At};
use crate::cli::context::Context;
use crate::cli::files::user_files::{self, FilesToRead};
use crate::cli::options::method::{DEFAULT_K, MapOptions, MethodOptions};
use crate::cli::options::unrelated::Policy;
use crate::cli::settings::{Common, OwnSettings, input_settings, methods, names, unused_flag, unused_k};
use crate::graph::tangents_of;
use crate::methods::Setting;
use crate::run::{GridPoint, Plan, Planned, PlannedDataset};
use crate::{Failure, dataset_names};

/// The default data sets, with sizes at which all methods together take less than a
/// minute on two cores.
const DEFAULT: &[(&str, usize)] =
    &[("swiss-roll", 1000), ("s-curve", 1000), ("digits", 1797), ("mnist", 2000)];

/// The default methods: one of each idea, for teaching.
const TAUGHT: &[&str] = &[
    "pca",
    "lda",
    "smacof",
    "isomap",
    "lle",
    "modified-lle",
    "hessian-lle",
    "ltsa",
    "laplacian-eigenmaps",
    "diffusion-maps",
    "conformal-eigenmaps",
    "mvu",
    "tsne",
    "umap",
    "pacmap",
    "phate",
];

/// The plan of a run with these options.
pub(super) fn plan(options: &Run, context: &Context) -> Result<Plan, Failure> {
    let seed = options.map.seed.unwrap_or(0);
    let settings = grid::settings(&options.grid, seed, options.measures.size())?;
    let metric = options.distance.metric;
    if options.graph.cut_shortcuts.is_some() {
        tangents_of(metric)?;
    }
    let unnamed = unnamed(options);
    let point = |at: At| {
        Ok::<_, Failure>(GridPoint {
            k: at.k.unwrap_or(DEFAULT_K),
            k_chosen: at.k.is_some(),
            n: at.n.filter(|_| !whole(options)),
            noise: at.noise,
            seed: at.seed,
            methods: planned(options, at, unnamed, context)?,
        })
    };
    Ok(Plan {
        datasets: sources(options, &settings, context)?,
        grid: settings.iter().map(|at| point(*at)).collect::<Result<_, _>>()?,
        skip_inapplicable: unnamed,
        measure_k: options.measures.size(),
        metric,
        neighbor_recall: options.search.neighbor_recall,
        cut_shortcuts: options.graph.cut_shortcuts,
        trust: options.trust,
        command: String::new(),
        arguments: Vec::new(),
    })
}

/// Whether the run has all data sets; those with fewer points are then used whole.
fn whole(options: &Run) -> bool {
    options.datasets == ["all"]
}

/// The data sets of a run.
fn sources(options: &Run, settings: &[At], context: &Context) -> Result<Vec<PlannedDataset>, Failure> {
    let request = |n| Request { n, memory: context.memory, ..Request::default() };
    let Run { files, reading, grid, distance, .. } = options;
    if !files.input.is_empty() {
        let zeros = needs_zeros(options, settings)?;
        // Of a sample the zeros of its rows suffice.
        let whole = zeros && settings.iter().any(|at| at.n.is_none());
        let request = FilesToRead {
            files,
            reading,
            sample: None,
            metric: distance.metric,
            unrelated: options.unrelated.unrelated_rows,
            zeros: whole,
        };
        let sets = user_files::read(&request, context)?;
        for (set, at) in sets.iter().flat_map(|set| settings.iter().map(move |at| (set, at))) {
            // Too large an n is refused before anything runs.
            at.n.map(|n| set.data.sample_rows(n, at.seed)).transpose()?;
        }
        let source = |set| PlannedDataset::Own { source: Box::new(set), zeros, memory: context.memory };
        return Ok(sets.into_iter().map(source).collect());
    }
    if reading.given() || files.describes_inputs() || options.unrelated.unrelated_rows != Policy::Keep {
        return Err(Failure::usage("options of reading files need --input FILE"));
    }
    if whole(options) && grid.n.len() > 1 {
        return Err(Failure::usage(
            "several --n need data sets by name; with `--datasets all`, smaller ones are used whole",
        ));
    }
    if whole(options) {
        let n = grid.n.first().copied();
        let clipped = |info: &Info| n.map(|n| info.largest_n.map_or(n, |most| n.min(most)));
        let all = datasets::list().iter().map(|info| PlannedDataset::Listed(info, request(clipped(info))));
        return Ok(all.collect());
    }
    if options.datasets.is_empty() {
        let known = DEFAULT.iter().filter_map(|(name, n)| {
            Some(PlannedDataset::Listed(dataset_names::find(name).ok()?, request(Some(*n))))
        });
        return Ok(known.collect());
    }
    let mut named: Vec<&'static Info> = Vec::new();
    for info in options
        .datasets
        .iter()
        .map(|name| dataset_names::find_all(name))
        .collect::<Result<Vec<_>, _>>()?
        .concat()
    {
        if named.iter().all(|other| other.name != info.name) {
            named.push(info);
        }
    }
    // Check every size first: an impossible one would abort the sweep halfway.
    for (info, n) in named.iter().flat_map(|info| settings.iter().map(move |at| (info, at.n))) {
        if let (true, Some(n), Some(most)) = (settings.len() > 1, n, info.largest_n)
            && n > most
        {
            return Err(Failure::Failed(Error::parameter(
                "n",
                format!("from 1 to {most} for {}", info.name),
                n,
            )));
        }
    }
    Ok(named.into_iter().map(|info| PlannedDataset::Listed(info, request(None))).collect())
}

/// Whether the zeros of sparse points are read, however many they are: for an option that acts on all
/// values, and for a method that was given by name and reads them.
fn needs_zeros(options: &Run, settings: &[At]) -> Result<bool, Failure> {
    let acts = options.graph.cut_shortcuts.is_some() || settings.iter().any(|at| at.noise > 0.0);
    let reads = || Ok::<_, Failure>(methods(&options.methods)?.iter().any(|method| !method.accepts_sparse()));
    Ok(acts || !unnamed(options) && reads()?)
}

/// Whether no method is given by name.
fn unnamed(options: &Run) -> bool {
    options.methods.is_empty() || options.methods == ["all"]
}

/// The methods of a run at one setting; `unnamed` where no method was given by name.
fn planned(options: &Run, at: At, unnamed: bool, context: &Context) -> Result<Vec<Planned>, Failure> {
    let chosen: Vec<Box<dyn DynMethod>> = match (unnamed, options.methods.is_empty()) {
        (true, true) => swissroll::methods().filter(|method| TAUGHT.contains(&method.about().name)).collect(),
        (true, false) => swissroll::methods().collect(),
        (false, _) => methods(&options.methods)?,
    };
    let set = OwnSettings::read(&options.set, &names(&chosen))?;
    let map = MapOptions { seed: Some(at.seed), ..options.map };
    let common = Common::new(MethodOptions { k: at.k, map }).with_recall(options.search.neighbor_recall);
    let planned = |method: Box<dyn DynMethod>| {
        let name = method.about().name;
        // Only for methods given by name; a seed is never unused, because the data has one.
        let unused = common.unused(method.as_ref()).filter(|flag| !unnamed && *flag != "seed");
        let mut notes: Vec<String> = unused.map(|flag| unused_flag(name, flag)).collect();
        let (settings, given) = input_settings(set.of(name).collect(), context.memory)?;
        if given.given != DataKind::Points {
            return Err(Failure::usage(format!(
                "{name}: data sets are points; give {} to `compare embed`",
                given.given
            )));
        }
        if let [first, _, ..] = &options.grid.k[..]
            && let Some(Setting { value, .. }) = settings.iter().find(|setting| setting.name == "k")
        {
            return Err(Failure::usage(format!(
                "--k {first},… and --set {name}.k={value} both set k of {name}, which would be {value} at every --k; leave \
                 one of them out"
            )));
        }
        let dim_chosen = map.dim.is_some() || settings.iter().any(|setting| setting.name == "dim");
        let method = common.configured(method, settings.into_iter())?;
        notes.extend(common.has_radius_for_k(method.as_ref()).then(|| unused_k(name)));
        Ok::<_, Failure>(Planned { method, memory: given.memory, dim_chosen, notes })
    };
    chosen.into_iter().map(planned).collect()
}
