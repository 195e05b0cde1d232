//! Random numbers for tests.

/// A sequence of numbers that look random (xorshift), or that bytes determine.
#[derive(Clone, Debug)]
pub struct Random(Source);

#[derive(Clone, Debug)]
enum Source {
    State(u64),
    Bytes(std::vec::IntoIter<u8>),
}

impl Random {
    /// The sequence of a seed above 0.
    pub fn new(seed: u64) -> Self {
        Self(Source::State(seed))
    }

    /// The sequence determined by bytes, 0 after their end. Each number takes as few bytes as hold its range,
    /// so that a change of one byte changes one number.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(Source::Bytes(Vec::from(bytes).into_iter()))
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        let end = end as u64;
        let number = match &mut self.0 {
            Source::State(state) => {
                *state ^= *state << 13;
                *state ^= *state >> 7;
                *state ^= *state << 17;
                *state
            }
            Source::Bytes(bytes) => {
                let (mut number, mut held) = (0, 1_u64);
                while held < end {
                    number = number << 8 | u64::from(bytes.next().unwrap_or(0));
                    held = held.saturating_mul(256);
                }
                number
            }
        };
        (number % end) as usize
    }

    /// One of the choices.
    pub fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}
