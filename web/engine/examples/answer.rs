//! Answers the messages of standard input on standard output, natively: what the
//! WebAssembly module is compared with (`web/engine/tests/parity.mjs`).
//!
//! Input and output are messages one after the other; events precede the answer of their
//! request.

use std::io::{self, Read, Write};

use swissroll_engine::Engine;

fn main() -> io::Result<()> {
    let (mut input, mut engine) = (io::stdin().lock(), Engine::default());
    let mut lengths = [0; 8];
    loop {
        match input.read_exact(&mut lengths) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            other => other?,
        }
        let total = u32::from_le_bytes([lengths[4], lengths[5], lengths[6], lengths[7]]) as usize;
        let mut request = lengths.to_vec();
        request.resize(total.max(lengths.len()), 0);
        input.read_exact(&mut request[lengths.len()..])?;
        let mut events = Vec::new();
        let answer = engine.call(&request, &mut |event| {
            events.extend_from_slice(event);
            false
        });
        let mut output = io::stdout().lock();
        output.write_all(&events)?;
        output.write_all(&answer)?;
        output.flush()?;
    }
}
