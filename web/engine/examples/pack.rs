//! Packs a built WebAssembly module: `pack MODULE SOURCES FOLDER` writes `engine.wasm.gz`
//! and the manifest `engine.json` into the folder; SOURCES is the hash of the sources that
//! `web/build` computes. The same module gives the same bytes.

use std::error::Error;
use std::fmt::Write as _;
use std::num::NonZeroU64;
use std::path::Path;
use std::{env, fs};

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use swissroll_engine::Engine;
use swissroll_engine::message::{Blocks, Message};
use zopfli::{Format, Options};

/// Passes of the compressor; more gain less than a thousandth.
const ITERATIONS: NonZeroU64 = NonZeroU64::new(5).expect("positive");

/// What the engine says of itself.
fn description() -> Result<Value, Box<dyn Error>> {
    let request = Blocks::default().with_header(&json!({ "id": 0, "type": "describe" }));
    let answer = Engine::default().call(&request, &mut |_| false);
    let header = Message::read(&answer).ok_or("the answer is no message")?.header();
    let mut answer: Value = serde_json::from_slice(header)?;
    Ok(answer["value"].take())
}

/// The names of everything, and the parameters of the methods with their legal values.
fn summary(description: &Value) -> Map<String, Value> {
    let entries = |list: &Value| list.as_array().cloned().unwrap_or_default();
    let names =
        |list: &Value| -> Value { entries(list).into_iter().map(|mut entry| entry["name"].take()).collect() };
    let parameters = |method: &Value| -> Map<String, Value> {
        let legal = |mut parameter: Value| {
            let name = parameter["name"].as_str().unwrap_or_default().to_owned();
            (name, json!({ "legal": parameter["legal"].take(), "default": parameter["default"].take() }))
        };
        entries(&method["parameters"]).into_iter().map(legal).collect()
    };
    let methods: Vec<Value> = (entries(&description["methods"]).iter())
        .map(|method| json!({ "name": method["name"], "parameters": parameters(method) }))
        .collect();
    let mut summary = Map::new();
    summary.insert("version".to_owned(), description["version"].clone());
    summary.insert("methods".to_owned(), json!(methods));
    for list in ["datasets", "measures", "per_point"] {
        summary.insert(list.to_owned(), names(&description[list]));
    }
    summary
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    let part = path.with_extension("part");
    fs::write(&part, bytes)?;
    fs::rename(&part, path)?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let [module, sources, folder] = &env::args().skip(1).collect::<Vec<_>>()[..] else {
        return Err("usage: pack MODULE SOURCES FOLDER".into());
    };
    let module = fs::read(module)?;
    let mut packed = Vec::new();
    let options = Options { iteration_count: ITERATIONS, ..Options::default() };
    zopfli::compress(options, Format::Gzip, &module[..], &mut packed)?;
    let hash = Sha256::digest(&packed).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    let (bytes, packed_bytes) = (module.len(), packed.len());
    let mut manifest =
        json!({ "bytes": bytes, "packed_bytes": packed_bytes, "sha256": hash, "sources": sources });
    let summary = summary(&description()?);
    manifest.as_object_mut().ok_or("a record")?.extend(summary);
    let folder = Path::new(folder);
    write(&folder.join("engine.wasm.gz"), &packed)?;
    write(&folder.join("engine.json"), format!("{manifest:#}\n").as_bytes())
}
