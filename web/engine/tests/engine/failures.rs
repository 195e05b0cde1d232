//! What cannot be answered is refused with a sentence.

use serde_json::json;
use swissroll_engine::Engine;
use swissroll_engine::message::Message;

use crate::client::Client;

#[test]
fn bytes_that_are_no_request_are_refused() {
    for bytes in [&b""[..], b"hello", &[9, 0, 0, 0, 9, 0, 0, 0], &[2, 0, 0, 0, 10, 0, 0, 0, b'{', b'x']] {
        let answer = Engine::default().call(bytes, &mut |_| false);
        let header = Message::read(&answer).unwrap().header();
        let header: serde_json::Value = serde_json::from_slice(header).unwrap();
        assert_eq!((&header["type"], &header["kind"]), (&json!("failed"), &json!("request")), "{bytes:?}");
    }
}

#[test]
fn unknown_requests_and_missing_fields_are_refused() {
    let mut client = Client::default();
    let (kind, message) = client.refused(&json!({ "type": "dance" }));
    assert!(kind == "request" && message.contains("dance"), "{message}");
    let (kind, message) = client.refused(&json!({ "type": "generate", "data": "a" }));
    assert!(kind == "request" && message.contains("dataset"), "{message}");
    assert_eq!(client.refused(&json!({})).0, "request");
}

#[test]
fn failures_have_the_kind_and_the_sentence_of_the_library() {
    let mut client = Client::default();
    client.generate("two-swiss-rolls", 60);
    client.generate("swiss-roll", 40);
    let fit = |data: &str, method: &str, settings: serde_json::Value| json!({ "type": "fit", "data": data, "method": method, "settings": settings });
    let (kind, message) = client.refused(&fit("swiss-roll", "isomop", json!({})));
    assert!(kind == "request" && message.ends_with("did you mean `isomap`?"), "{message}");
    let (kind, message) = client.refused(&fit("swiss-roll", "isomap", json!({ "k": 40 })));
    assert!(kind == "parameter" && message.contains("1 to 39"), "{message}");
    let (kind, message) = client.refused(&fit("swiss-roll", "isomap", json!({ "kk": 4 })));
    assert!(kind == "parameter" && message.contains("`kk`"), "{message}");
    assert_eq!(client.refused(&fit("swiss-roll", "isomap", json!({ "k": [4] }))).0, "request");
    assert_eq!(client.refused(&fit("two-swiss-rolls", "isomap", json!({ "k": 4 }))).0, "disconnected");
    assert_eq!(client.refused(&fit("swiss-roll", "lda", json!({}))).0, "degenerate");
    let unknown = json!({ "type": "generate", "data": "a", "dataset": "swiss-rol" });
    let (kind, message) = client.refused(&unknown);
    assert!(kind == "parameter" && message.contains("swiss-roll"), "{message}");
    let many = json!({ "type": "generate", "data": "a", "dataset": "swiss-roll", "n": 50_001 });
    assert_eq!(client.refused(&many).0, "parameter");
    // The data is still there.
    client.ask(&fit("swiss-roll", "isomap", json!({ "k": 8 })));
}

#[test]
fn an_illegal_value_names_its_parameter() {
    let mut client = Client::default();
    client.generate("swiss-roll", 40);
    let fit =
        json!({ "type": "fit", "data": "swiss-roll", "method": "tsne", "settings": { "perplexity": -1 } });
    let answer = client.call(swissroll_engine::message::Blocks::default(), &fit).header;
    assert_eq!((&answer["kind"], &answer["parameter"]), (&json!("parameter"), &json!("perplexity")));
}
