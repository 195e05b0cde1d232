//! The lab in the report: a page in which the methods of a run can be run again, live. The
//! report's script opens it instead of the report where the address has its settings, so
//! that a setting can be sent with the file.

use std::borrow::Cow;

use datasets::Dataset;
use embedding::{Embedding, Error};
use figure::panel::principal_components;
use maud::{Markup, PreEscaped, html};

use crate::dataset_source::file_of;
use crate::lab::{Carried, InitialSettings, MOST_VALUES, Map, Run, generated, page_of_report};
use crate::results::{DatasetResults, MethodResults, Results};
use crate::views::dataset::listed;
use crate::views::diagnosis;

/// Most rows of a data set that are run live; of more a sample is carried, and the maps of
/// the run.
const MOST_ROWS: usize = 5000;

/// Most rows of a data set whose maps are carried, and most coordinates of all its maps, at about 2.5
/// bytes each: 50 MB.
const MOST_COMPUTED: usize = 500_000;
const MOST_COORDINATES: usize = 20_000_000;

/// Most methods that are shown at once.
const MOST_METHODS: usize = 12;

/// Whether results have a lab: results of a run do; results of a study have their own samples.
pub(super) fn has_lab(results: &Results) -> bool {
    results.study.is_none() && !results.datasets.is_empty()
}

/// The element that holds the page with the data sets of a run.
pub(super) fn element(results: &Results) -> Result<Markup, Error> {
    let own: Vec<&DatasetResults> = results.datasets.iter().filter(|set| !engine_makes(set)).collect();
    let samples: Vec<Cow<'_, Dataset>> =
        own.iter().map(|set| sample(set, own.len())).collect::<Result<_, _>>()?;
    // The data sets of a run are either all listed or all files, in the order given.
    let mut inputs = inputs(&results.arguments).into_iter();
    let file = |set: &&DatasetResults| {
        let file = listed(set).is_none().then(|| inputs.next().unwrap_or("data"))?;
        Some(match set.entries {
            None => Cow::Borrowed(file),
            Some(_) => Cow::Owned(file_of(&set.name)),
        })
    };
    let files: Vec<Option<Cow<'_, str>>> = own.iter().map(file).collect();
    let carried: Vec<Carried<'_>> =
        files.iter().zip(&samples).map(|(file, data)| Carried { file: file.as_deref(), data }).collect();
    let first = results.datasets.first();
    let methods: Vec<String> =
        first.iter().flat_map(|set| &set.methods).map(|method| method.method.clone()).collect();
    let start = InitialSettings {
        data: first.filter(|set| engine_makes(set)).map(|set| set.name.clone()),
        seed: Some(results.seed),
        methods: Some(methods).filter(|methods| methods.len() <= MOST_METHODS),
        ..InitialSettings::default()
    };
    let computed = results.datasets.iter().filter(|set| has_maps(set));
    let computed: Vec<Run<'_>> = computed.map(|set| run_of(set, &results.command)).collect();
    let page = page_of_report(&start, &carried, &computed)?;
    Ok(html! { script type="application/json" id="lab" { (PreEscaped(page)) } })
}

/// A data set with its maps, as the lab shows them.
fn run_of<'a>(set: &'a DatasetResults, command: &'a str) -> Run<'a> {
    let points = set.data.points.view();
    let map = |method: &'a MethodResults| {
        let embedding = method.embedding.as_ref();
        Map {
            method: &method.method,
            embedding,
            seconds: method.seconds,
            scores: method.scores.iter().map(|score| (score.measure.as_str(), score.value)).collect(),
            spectrum: embedding.map_or(&[][..], Embedding::spectrum),
            sentences: method.notes.iter().cloned().chain(diagnosis::of_map(set, method)).collect(),
            reason: method.outcome.reason(),
        }
    };
    Run {
        key: key(set),
        k: set.graph.neighborhood.k(),
        dim: dim(set),
        seed: set.seed,
        noise: noise(set),
        command,
        data: &set.data,
        space: if points.dim() <= 3 { points.as_mat().to_owned() } else { principal_components(points, 3) },
        maps: set.methods.iter().map(map).collect(),
    }
}

/// The target dimension of a run: the dimension of its first map.
fn dim(set: &DatasetResults) -> usize {
    set.methods.iter().find_map(|method| method.embedding.as_ref()).map_or(2, Embedding::dim)
}

/// A link to the lab with a data set and its number of neighbors.
pub(super) fn link(set: &DatasetResults) -> Markup {
    let k = set.graph.neighborhood.k().map(|k| format!("&k={k}")).unwrap_or_default();
    let noise = if noise(set) > 0.0 { format!("&noise={}", set.noise) } else { String::new() };
    let key = percent(&key(set));
    let methods = match shown(set) {
        names if names.is_empty() => String::new(),
        names => format!("&methods={}", names.join(",")),
    };
    if !has_maps(set) {
        let address = format!("#data={key}&n={}&seed={}{noise}{k}{methods}", set.n.min(MOST_ROWS), set.seed);
        return html! { p { a href=(address) { "Run the methods on these data live" } } };
    }
    let dim = match dim(set) {
        2 => String::new(),
        dim => format!("&dim={dim}"),
    };
    let address = format!("#data={key}&n={}&seed={}{noise}{k}{dim}{methods}", set.n, set.seed);
    let text = "Look at these maps together, and run the methods live on a part of the data";
    html! { p { a href=(address) { (text) } } }
}

/// The methods that the lab shows: those with a map, or of more than 12 the ones that the verdicts name.
fn shown(set: &DatasetResults) -> Vec<&str> {
    let done: Vec<&str> = set
        .methods
        .iter()
        .filter(|method| method.embedding.is_some())
        .map(|method| method.method.as_str())
        .collect();
    if done.len() <= MOST_METHODS {
        return done;
    }
    let named = |name: &&str| {
        let mut names =
            set.verdicts.iter().flat_map(|verdict| verdict.recommended.iter().chain(&verdict.runner_up));
        names.any(|of_verdict| of_verdict == name)
    };
    done.into_iter().filter(named).collect()
}

/// The key of a data set in the settings of the lab.
fn key(set: &DatasetResults) -> String {
    if listed(set).is_some() { set.name.clone() } else { format!("own:{}", set.name) }
}

/// The noise in the settings of the lab: data that the page contains already have their noise.
fn noise(set: &DatasetResults) -> f64 {
    if engine_makes(set) { set.noise } else { 0.0 }
}

/// Whether the lab has the maps of the run.
fn has_maps(set: &DatasetResults) -> bool {
    let maps = set.methods.iter().filter_map(|method| method.embedding.as_ref());
    fits(set.n, maps.map(|map| map.len() * map.dim()).sum())
}

/// Whether maps of n rows with this many coordinates together are carried.
fn fits(n: usize, coordinates: usize) -> bool {
    (MOST_ROWS + 1..=MOST_COMPUTED).contains(&n) && coordinates <= MOST_COORDINATES
}

fn engine_makes(set: &DatasetResults) -> bool {
    listed(set).is_some() && generated(&set.name)
}

/// The files that a command line names after `--input`.
fn inputs(arguments: &[String]) -> Vec<&str> {
    let mut files = Vec::new();
    let mut inside = false;
    for word in arguments {
        match word.strip_prefix("--input=") {
            Some(file) => files.push(file),
            None if word.starts_with("--") => inside = word == "--input",
            None if inside => files.push(word),
            None => {}
        }
    }
    files
}

/// The data, or a sample that leaves enough space for the other data sets of the page.
fn sample(set: &DatasetResults, sets: usize) -> Result<Cow<'_, Dataset>, Error> {
    let most = (MOST_VALUES / sets / set.data.points.dim()).clamp(1, MOST_ROWS);
    if set.n <= most { Ok(Cow::Borrowed(&set.data)) } else { set.data.sample(most, set.seed).map(Cow::Owned) }
}

/// Text in percent encoding.
fn percent(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use datasets::find;

    use super::*;
    use crate::sample::results;

    fn html(set: &DatasetResults) -> String {
        link(set).into_string()
    }

    #[test]
    fn a_data_set_that_the_engine_makes_is_named_and_others_are_carried() {
        let roll = DatasetResults {
            shows: find("swiss-roll").expect("listed").shows.to_owned(),
            ..results("swiss-roll", 40, 2)
        };
        assert!(engine_makes(&roll));
        assert!(html(&roll).contains("\"#data=swiss-roll&amp;n=40&amp;seed=0&amp;k=12"));
        // A file of the user that has the name of a listed set.
        let own = DatasetResults { shows: "Read from swiss-roll.csv.".to_owned(), ..roll };
        assert!(!engine_makes(&own));
        assert!(html(&own).contains("data=own%3Aswiss-roll&amp;"));
    }

    #[test]
    fn of_more_points_than_are_fitted_live_the_maps_are_carried() {
        let large = results("swiss-roll", MOST_ROWS + 1, 2);
        assert!(has_maps(&large) && !has_maps(&results("swiss-roll", 60, 2)));
        assert!(!has_maps(&DatasetResults { n: MOST_COMPUTED + 1, ..large.clone() }));
        assert!(fits(MOST_COMPUTED, MOST_COORDINATES) && !fits(MOST_COMPUTED, MOST_COORDINATES + 1));
        assert!(html(&large).contains("data=own%3Aswiss-roll&amp;n=5001&amp;seed=0&amp;k=12"));
        assert!(html(&large).contains("Look at these maps together"));
        let run = run_of(&large, "compare run");
        assert_eq!((run.k, run.dim, run.maps.len()), (Some(12), large.methods[0].dim, 2));
        assert_eq!(run.maps[0].scores[0].0, "trustworthiness");
        assert!(run.maps[0].sentences.contains(&large.methods[0].notes[0]));
    }

    #[test]
    fn the_lab_opens_with_the_methods_of_the_run() {
        let few = results("swiss-roll", 40, 6);
        assert_eq!(shown(&few), ["method-0", "method-1", "method-2", "method-3", "method-5"]);
        assert!(html(&few).contains("&amp;methods=method-0,method-1,"));
        let many = results("swiss-roll", 40, 20);
        let named: Vec<&String> =
            many.verdicts.iter().filter_map(|verdict| verdict.recommended.as_ref()).collect();
        assert!(shown(&many).len() <= 4 && named.iter().all(|name| shown(&many).contains(&name.as_str())));
    }

    #[test]
    fn of_many_rows_a_sample_is_carried() {
        let set = results("swiss-roll", 60, 1);
        assert_eq!(sample(&set, 1).expect("all").points.len(), 60);
        let narrow = MOST_VALUES / (3 * 20);
        assert_eq!(sample(&set, narrow).expect("a part").points.len(), 20);
    }

    #[test]
    fn files_are_named_as_they_were_given() {
        let words =
            ["run", "--input", "a.csv", "b/c.npy", "--k", "9", "--input=d e.csv", "--labels", "l.csv"];
        assert_eq!(inputs(&words.map(str::to_owned)), ["a.csv", "b/c.npy", "d e.csv"]);
    }

    #[test]
    fn text_is_percent_encoded_as_the_page_decodes_it() {
        assert_eq!(percent("own:a b&c~ä"), "own%3Aa%20b%26c%7E%C3%A4");
    }
}
