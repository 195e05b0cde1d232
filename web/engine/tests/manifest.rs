//! The committed engine was built from the current registry: after a change of methods or parameters,
//! `web/build` makes it again.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

fn web(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}; run web/build", path.display()))
}

fn manifest() -> Value {
    serde_json::from_slice(&web("engine.json")).unwrap()
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
}

#[test]
fn the_manifest_has_the_methods_and_parameters_of_the_registry() {
    let manifest = manifest();
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"), "run web/build");
    let methods: Vec<Value> = swissroll::methods()
        .map(|method| {
            let parameters: Map<String, Value> = (method.parameters().into_iter())
                .map(|info| (info.name.to_owned(), json!({ "legal": info.legal, "default": info.default })))
                .collect();
            json!({ "name": method.about().name, "parameters": parameters })
        })
        .collect();
    for (built, now) in manifest["methods"].as_array().unwrap().iter().zip(&methods) {
        assert_eq!(built, now, "run web/build");
    }
    assert_eq!(manifest["methods"].as_array().unwrap().len(), methods.len(), "run web/build");
}

#[test]
fn the_manifest_has_the_data_sets_and_measures_of_the_catalogs() {
    let manifest = manifest();
    // Bundled data is not in the engine: the page carries its own.
    let made = |info: &&datasets::Info| ["synthetic", "rendered"].contains(&info.source);
    let generators: Vec<&str> = datasets::list().iter().filter(made).map(|info| info.name).collect();
    assert_eq!(names(&manifest["datasets"]), generators, "run web/build");
    let measures: Vec<&str> = quality::measures().iter().map(|measure| measure.name).collect();
    assert_eq!(names(&manifest["measures"]), measures, "run web/build");
    let of_maps = quality::point_measures().iter().map(|measure| measure.name);
    let per_point: Vec<&str> = of_maps.chain(["perturbation", "roundness"]).collect();
    assert_eq!(names(&manifest["per_point"]), per_point, "run web/build");
}

#[test]
fn the_manifest_describes_the_committed_module() {
    let (manifest, packed) = (manifest(), web("engine.wasm.xz"));
    let hash = Sha256::digest(&packed).iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    });
    assert_eq!(manifest["sha256"], hash);
    assert_eq!(manifest["packed_bytes"], packed.len());
    assert!(packed.len() <= 1_500_000, "the engine has {} bytes", packed.len());
    let mut module = Vec::new();
    std::io::Read::read_to_end(&mut lzma_rust2::XzReader::new(&packed[..], false), &mut module).unwrap();
    assert_eq!(manifest["bytes"], module.len());
    assert_eq!(module[..4], *b"\0asm");
    let holds = |text: &[u8]| module.windows(text.len()).any(|window| window == text);
    assert!(holds(b"cargo/registry/") && !holds(b"/cargo/registry/") && !holds(b".cargo/registry/"), "paths");
}
