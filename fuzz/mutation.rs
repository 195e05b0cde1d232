//! Changes of inputs that consist of some bytes of choices and a body of a known form.

use libfuzzer_sys::fuzzer_mutate;
use testkit::Random;

/// The parts of the inputs of a target.
pub(crate) struct Form {
    /// Bytes of choices before the body.
    pub(crate) choices: usize,
    /// A sound input, so that a target needs no corpus.
    pub(crate) sound: fn(&mut Random) -> Vec<u8>,
    /// One small change of a body that is not empty, of a kind that libFuzzer does not make.
    pub(crate) change: fn(&mut Vec<u8>, &mut Random),
}

impl Form {
    /// Changes the input in `data[..size]`, and returns its new size; the body of
    /// [`fuzz_mutator!`](libfuzzer_sys::fuzz_mutator).
    pub(crate) fn mutate(&self, data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
        let mut random = Random::new(u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let started = size > self.choices && random.below(100) > 0;
        let mut input = if started { data[..size].to_vec() } else { (self.sound)(&mut random) };
        let changed = random.below(2) == 0;
        if changed {
            let mut body = input.split_off(self.choices);
            (self.change)(&mut body, &mut random);
            input.append(&mut body);
        }
        input.truncate(max_size);
        data[..input.len()].copy_from_slice(&input);
        if changed { input.len() } else { fuzzer_mutate(data, input.len(), max_size) }
    }
}
