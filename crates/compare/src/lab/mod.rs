//! The lab: one HTML file in which every method runs live, on data of the catalog or on
//! the user's own.
//!
//! The page (`web/page`) and the engine (`web/engine`, the library compiled to WebAssembly)
//! are committed artifacts, built by their own tools. Here the engine and the data are
//! put into the page. Its content security policy allows no connection, and scripts by
//! their hash alone, so data cannot become script.

mod computed;
mod packed;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use datasets::Dataset;
use embedding::Error;
use figure::controls;
use figure::number::count;
use serde::{Deserialize, Serialize};

use computed::PackedRun;
pub use computed::{Map, Run};
use packed::Packed;

// Functions, because a constant is stored a second time in the metadata of the crate.

/// The page.
fn page_template() -> &'static str {
    include_str!("../../../../web/page/dist/lab.html")
}

/// The engine, compressed.
fn engine() -> &'static [u8] {
    include_bytes!("../../../../web/engine.wasm.xz")
}

/// The engine's description of itself.
fn manifest() -> &'static str {
    include_str!("../../../../web/engine.json")
}

/// The places of the page where contents are inserted.
const ENGINE_PLACE: &str = "id=\"engine\"></script>";
const DATA_PLACE: &str = "id=\"data\"></script>";

/// Most values of all data sets of a page; 8 bytes each before compression.
pub const MOST_VALUES: usize = 16_000_000;

/// Most rows of a data set of a page: `MOST_POINTS` in `web/engine/src/stored.rs`.
pub const MOST_POINTS: usize = 50_000;

/// The initial settings of a page; the page chooses those that are `None`. An
/// address with settings (`lab.html#k=12`) takes precedence.
#[derive(Clone, Default, PartialEq, Serialize)]
pub struct InitialSettings {
    /// A data set of the catalog, where no data of the user are shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    /// Number of points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n: Option<usize>,
    /// Neighborhood size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k: Option<usize>,
    /// Target dimension.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dim: Option<usize>,
    /// Seed of all random choices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The methods shown at first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub methods: Option<Vec<String>>,
}

/// Whether the engine makes the data set of this name itself, so that no page carries it.
pub fn generated(name: &str) -> bool {
    #[derive(Deserialize)]
    struct Manifest {
        datasets: Vec<String>,
    }
    let manifest: Manifest = serde_json::from_str(manifest()).expect("the manifest is part of the program");
    manifest.datasets.iter().any(|dataset| dataset == name)
}

/// A data set that the page carries: the user's own, or one of the catalog that the engine
/// cannot generate.
#[derive(Clone, Copy)]
pub struct Carried<'a> {
    /// How commands name the file it was read from; `None` for one of the catalog.
    pub file: Option<&'a str>,
    /// The data.
    pub data: &'a Dataset,
}

/// Writes the page with the given data sets; it first shows the first of them.
///
/// Fails if the data sets have more than [`MOST_VALUES`] values, or one has more than [`MOST_POINTS`] rows.
pub fn page(start: &InitialSettings, carried: &[Carried<'_>]) -> Result<String, Error> {
    filled(start, carried, None)
}

/// The same for a report, which opens the page in its own place, with maps of its run; as a
/// string of JSON without the character that ends an element.
pub fn page_of_report(
    start: &InitialSettings,
    carried: &[Carried<'_>],
    computed: &[Run<'_>],
) -> Result<String, Error> {
    let page = filled(start, carried, Some(computed))?;
    Ok(serde_json::to_string(&page).expect("text").replace('<', "\\u003c"))
}

/// What the page may do, by the name of the directive; each has one.
pub fn policy(directive: &str) -> &'static str {
    let (_, policy) = page_template().split_once("Content-Security-Policy\" content=\"").expect("a policy");
    let (policy, _) = policy.split_once('"').expect("its end");
    let mut directives = policy.split("; ").filter_map(|part| part.split_once(' '));
    directives.find(|(name, _)| *name == directive).expect("a directive of the page").1
}

fn filled(
    start: &InitialSettings,
    carried: &[Carried<'_>],
    report: Option<&[Run<'_>]>,
) -> Result<String, Error> {
    let values: usize =
        carried.iter().map(|Carried { data, .. }| data.points.len() * data.points.dim()).sum();
    if values > MOST_VALUES {
        return Err(Error::parameter(
            "the data of a page",
            format!("at most {} values; take a sample by --n, or a smaller one", count(MOST_VALUES)),
            format!("{} values", count(values)),
        ));
    }
    if let Some(Carried { file, data }) =
        carried.iter().find(|carried| carried.data.points.len() > MOST_POINTS)
    {
        let (most, rows) = (count(MOST_POINTS), count(data.points.len()));
        let problem = format!("a page takes at most {most} rows, but there are {rows}; take a sample by --n");
        return Err(Error::file(file.unwrap_or(&data.name), problem));
    }
    let content = Content {
        start,
        datasets: carried.iter().map(Packed::of).collect(),
        computed: report.into_iter().flatten().map(PackedRun::of).collect(),
        report: report.is_some(),
    };
    let json = serde_json::to_string(&content).expect("names, numbers and text");
    // So that no text of the user can end the element that holds it.
    let json = controls::escaped(&json).replace('<', "\\u003c");
    let put = |page: String, place: &str, content: &str| {
        let open = place.trim_end_matches("</script>");
        page.replacen(place, &format!("{open}{content}</script>"), 1)
    };
    let page = put(page_template().to_owned(), DATA_PLACE, &json);
    Ok(put(page, ENGINE_PLACE, &STANDARD.encode(engine())))
}

#[derive(Serialize)]
struct Content<'a> {
    start: &'a InitialSettings,
    datasets: Vec<Packed<'a>>,
    /// Data sets of a run with their maps.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    computed: Vec<PackedRun<'a>>,
    /// Whether the page is part of a report.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    report: bool,
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    #[test]
    fn the_page_has_one_place_for_the_engine_and_one_for_the_data() {
        for place in [ENGINE_PLACE, DATA_PLACE] {
            assert_eq!(page_template().matches(place).count(), 1, "{place}");
        }
        let html = page(&InitialSettings::default(), &[]).expect("a page");
        assert!(html.contains("id=\"data\">{\"start\":{},\"datasets\":[]}</script>"));
        assert!(html.contains(&STANDARD.encode(&engine()[..15])));
        assert_eq!(html.matches("</script>").count(), page_template().matches("</script>").count());
    }

    #[test]
    fn no_text_of_the_user_ends_its_element() {
        let mut data = datasets::generate("swiss-roll", 5, 0).expect("a roll");
        data.name = "</script><script>alert(1)</script>".to_owned();
        let own = Carried { file: Some("<b>"), data: &data };
        let html = page(&InitialSettings::default(), &[own]).expect("a page");
        assert_eq!(html.matches("</script").count(), page_template().matches("</script").count());
        assert!(html.contains("\\u003c/script>\\u003cscript>alert(1)"));
    }

    #[test]
    fn controls_in_names_are_escaped() {
        let mut data = datasets::generate("swiss-roll", 5, 0).expect("a roll");
        data.notes = "a\u{7f}b\u{9b}c\u{202e}d".to_owned();
        let own = Carried { file: Some("\u{1b}[31m.csv"), data: &data };
        for html in [
            page(&InitialSettings::default(), &[own]),
            page_of_report(&InitialSettings::default(), &[own], &[]),
        ] {
            let html = html.expect("a page");
            assert!(html.contains("u001b[31m.csv") && html.contains("u007fb"));
            assert!(!html.chars().any(|c| controls::is_control(c) && !['\n', '\t'].contains(&c)));
        }
    }

    #[test]
    fn a_page_connects_to_nothing_and_allows_its_own_script_alone() {
        let policy = page_template().split("Content-Security-Policy\" content=\"").nth(1).expect("a policy");
        let policy = policy.split('"').next().expect("its end");
        assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
        assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"), "{policy}");
        assert!(!policy.contains("http") && !policy.contains('*'), "{policy}");
    }

    #[test]
    fn more_values_than_a_page_carries_are_refused() {
        let data = datasets::generate("digits", 1797, 0).expect("digits");
        let own = Carried { file: None, data: &data };
        let many = vec![own; MOST_VALUES / (1797 * 64) + 1];
        let error = page(&InitialSettings::default(), &many).expect_err("too many").to_string();
        assert!(
            error.contains("at most 16,000,000 values; take a sample by --n, or a smaller one"),
            "{error}"
        );
    }

    #[test]
    fn more_rows_than_the_engine_takes_are_refused() {
        let engine = include_str!("../../../../web/engine/src/stored.rs");
        assert!(engine.contains(" MOST_POINTS: usize = 50_000;"), "the engine takes another number");
        let data = datasets::generate("swiss-roll", MOST_POINTS + 1, 0).expect("a roll");
        let error = page(&InitialSettings::default(), &[Carried { file: Some("roll.csv"), data: &data }]);
        let error = error.expect_err("too many").to_string();
        assert!(
            error.contains("roll.csv: a page takes at most 50,000 rows, but there are 50,001"),
            "{error}"
        );
    }

    #[test]
    fn a_page_says_which_data_sets_it_carries_whole() {
        let complete = |name, n, file| {
            let data = datasets::generate(name, n, 0).expect("bundled");
            let html = page(&InitialSettings::default(), &[Carried { file, data: &data }]).expect("a page");
            html.contains("\"complete\":true")
        };
        assert!(complete("digits", 1797, None));
        assert!(!complete("digits", 100, None) && !complete("digits", 1797, Some("digits.csv")));
        assert!(!complete("reviews", 400, None));
    }

    #[test]
    fn the_engine_generates_what_is_synthetic_and_nothing_that_needs_files() {
        assert!(generated("swiss-roll") && generated("fruits"));
        assert!(!generated("digits") && !generated("mnist") && !generated("swiss"));
    }

    /// All files below a folder.
    fn files(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { files(&path, found) } else { found.push(path) }
        }
    }

    /// The same as `hash` in `web/page/build.mjs`.
    #[test]
    fn the_committed_page_is_the_one_its_sources_give() {
        use sha2::{Digest, Sha256};
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/page");
        let mut paths = ["build.mjs", "package-lock.json", "../engine/engine.mjs", "../../docs/lecture.md"]
            .map(|name| root.join(name))
            .to_vec();
        files(&root.join("src"), &mut paths);
        // Types leave no trace in the page.
        paths.retain(|path| !path.ends_with("src/protocol.ts"));
        let mut named: Vec<(String, PathBuf)> = paths
            .into_iter()
            .map(|path| {
                let name = path.strip_prefix(&root).expect("below the folder");
                let parts: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
                (parts.join("/"), path)
            })
            .collect();
        named.sort();
        let mut digest = Sha256::new();
        for (name, path) in named {
            digest.update(name.as_bytes());
            digest.update([0]);
            digest.update(fs::read(path).expect("a source"));
            digest.update([0]);
        }
        let hash: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(
            page_template().contains(&format!("name=\"sources\" content=\"{hash}\"")),
            "web/page/dist/lab.html is not what web/page/src gives: run web/page/build"
        );
    }
}
