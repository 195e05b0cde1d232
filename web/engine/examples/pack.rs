//! Packs a built WebAssembly module: `pack MODULE SOURCES FOLDER` writes `engine.wasm.xz`
//! and the manifest `engine.json` into the folder; SOURCES is the hash of the sources that
//! `web/build` computes. The same module gives the same bytes.

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::{env, fs};

use lzma_rust2::{CheckType, LzmaOptions, XzOptions, XzWriter};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use swissroll_engine::Engine;
use swissroll_engine::message::{Blocks, Message};

/// The module as xz. Instructions have no alignment, so that literals depend on the byte
/// before them (`lc`) and positions on nothing (`pb`); the dictionary of preset 6, 8 MiB, is
/// larger than the module.
fn packed(module: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let preset = LzmaOptions::with_preset(6);
    let nice_len = LzmaOptions::NICE_LEN_MAX;
    let lzma_options = LzmaOptions { lc: 4, lp: 0, pb: 0, nice_len, ..preset };
    let options = XzOptions { lzma_options, check_type: CheckType::Crc32, ..XzOptions::default() };
    let mut writer = XzWriter::new(Vec::new(), options)?;
    writer.write_all(module)?;
    Ok(writer.finish()?)
}

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
    let packed = packed(&module)?;
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
    write(&folder.join("engine.wasm.xz"), &packed)?;
    write(&folder.join("engine.json"), format!("{manifest:#}\n").as_bytes())
}
