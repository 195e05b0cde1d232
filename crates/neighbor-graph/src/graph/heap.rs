//! A priority queue of vertices with decrease-key.

const ABSENT: u32 = u32::MAX;
const ARITY: usize = 4;

/// An indexed 4-ary min-heap that holds each vertex at most once.
#[derive(Debug)]
pub(crate) struct Heap {
    entries: Vec<(f64, u32)>,
    /// Index of each vertex in `entries`.
    position: Vec<u32>,
}

impl Heap {
    pub(crate) fn new(vertices: usize) -> Self {
        Self { entries: Vec::new(), position: vec![ABSENT; vertices] }
    }

    /// Inserts the vertex, or decreases its key if this one is smaller.
    #[inline]
    pub(crate) fn offer(&mut self, vertex: u32, key: f64) {
        let at = self.position[vertex as usize];
        let at = if at == ABSENT {
            self.entries.push((key, vertex));
            self.entries.len() - 1
        } else if key < self.entries[at as usize].0 {
            at as usize
        } else {
            return;
        };
        self.rise(at, (key, vertex));
    }

    /// Removes and returns the vertex with the smallest key.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(f64, u32)> {
        let last = self.entries.pop()?;
        let Some(&first) = self.entries.first() else {
            self.position[last.1 as usize] = ABSENT;
            return Some(last);
        };
        self.position[first.1 as usize] = ABSENT;
        self.sink(last);
        Some(first)
    }

    /// Removes all entries.
    pub(crate) fn clear(&mut self) {
        for (_, vertex) in self.entries.drain(..) {
            self.position[vertex as usize] = ABSENT;
        }
    }

    fn rise(&mut self, mut at: usize, entry: (f64, u32)) {
        while at > 0 {
            let parent = (at - 1) / ARITY;
            if self.entries[parent].0 <= entry.0 {
                break;
            }
            self.place(at, self.entries[parent]);
            at = parent;
        }
        self.place(at, entry);
    }

    fn sink(&mut self, entry: (f64, u32)) {
        let mut at = 0;
        loop {
            let first = ARITY * at + 1;
            let children = self.entries.get(first..).unwrap_or_default();
            let mut least = (entry.0, at);
            for (c, child) in children.iter().take(ARITY).enumerate() {
                if child.0 < least.0 {
                    least = (child.0, first + c);
                }
            }
            if least.1 == at {
                break;
            }
            self.place(at, self.entries[least.1]);
            at = least.1;
        }
        self.place(at, entry);
    }

    #[inline]
    fn place(&mut self, at: usize, entry: (f64, u32)) {
        self.entries[at] = entry;
        self.position[entry.1 as usize] = at as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pops_in_ascending_order_for_any_insertions() {
        let mut heap = Heap::new(1000);
        for round in 0..3_u32 {
            for v in 0..1000_u32 {
                heap.offer(v, f64::from((v * 7919 + round * 31) % 1009));
            }
        }
        let least = |v: u32| (0..3).map(|r| (v * 7919 + r * 31) % 1009).min().map(f64::from);
        let mut before = -1.0;
        let mut count = 0;
        while let Some((key, v)) = heap.pop() {
            assert!(key >= before);
            assert_eq!(Some(key), least(v));
            before = key;
            count += 1;
        }
        assert_eq!(count, 1000);
    }
}
