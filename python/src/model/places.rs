//! Where training rows were placed.

use embedding::{DynModel, Embedding, Error, Points, Rows, SparsePoints, TrainingRows};

/// Bytes of one entry: a fingerprint and a row of the embedding.
const ENTRY: usize = 20;

/// The row of the embedding for each fingerprint of a training row, in increasing order of
/// fingerprints; for equal rows, the first row.
#[derive(Default)]
pub(super) struct Places(Vec<(u128, u32)>);

impl Places {
    /// The places of the rows that are in an embedding. O(n D) time, 32 n bytes.
    pub(super) fn new(points: Points<'_>, embedding: &Embedding) -> Self {
        let mut all: Vec<(u128, u32)> = (embedding.input_rows().zip(0..))
            .map(|(row, at)| (fingerprint(points.row(row as usize)), at))
            .collect();
        all.sort_unstable();
        all.dedup_by_key(|entry| entry.0);
        Self(all)
    }

    fn of(&self, row: &[f64]) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        let key = fingerprint(row);
        self.0.binary_search_by_key(&key, |entry| entry.0).ok().map(|at| self.0[at].1 as usize)
    }

    /// The coordinates of rows: for training rows from the embedding, for others by the model.
    pub(super) fn transform(&self, model: &dyn DynModel, rows: Points<'_>) -> Result<Vec<f64>, Error> {
        let embedding = model.embedding();
        let known: Vec<Option<usize>> = rows.rows().map(|row| self.of(row)).collect();
        let new: Vec<u32> = (0..).zip(&known).filter(|(_, at)| at.is_none()).map(|(row, _)| row).collect();
        if new.len() == known.len() {
            return Ok(model.transform(rows)?.values().to_vec());
        }
        let placed = match new[..] {
            [] => None,
            _ => Some(model.transform(rows.select(&new).view())?),
        };
        let mut placed = placed.iter().flat_map(Embedding::rows);
        let mut values = Vec::with_capacity(known.len() * embedding.dim());
        for at in known {
            let row = at.map(|at| embedding.row(at)).or_else(|| placed.next());
            values.extend_from_slice(row.expect("one row for each new point"));
        }
        Ok(values)
    }

    /// The same for sparse rows: where training rows have places, by their values with zeros.
    pub(super) fn transform_sparse(
        &self,
        model: &dyn DynModel,
        rows: SparsePoints<'_>,
    ) -> Result<Vec<f64>, Error> {
        if self.0.is_empty() {
            return Ok(model.place(rows.into(), TrainingRows::Stored)?.values().to_vec());
        }
        let mut values = Vec::new();
        Rows::from(rows).dense_blocks(|rows| {
            values.extend(self.transform(model, rows)?);
            Ok(())
        })?;
        Ok(values)
    }

    /// As bytes.
    pub(super) fn write(&self) -> Vec<u8> {
        self.0.iter().flat_map(|(key, at)| key.to_le_bytes().into_iter().chain(at.to_le_bytes())).collect()
    }

    /// From bytes, for an embedding of n rows.
    pub(super) fn read(bytes: &[u8], n: usize) -> Result<Self, Error> {
        let (entries, rest) = bytes.as_chunks::<ENTRY>();
        let entry = |bytes: &[u8; ENTRY]| {
            let (key, at) = bytes.split_at(16);
            let key = u128::from_le_bytes(key.try_into().expect("16 bytes"));
            (key, u32::from_le_bytes(at.try_into().expect("4 bytes")))
        };
        let all: Vec<(u128, u32)> = entries.iter().map(entry).collect();
        if !rest.is_empty() || !all.is_sorted() || all.iter().any(|entry| entry.1 as usize >= n) {
            return Err(Error::damaged("the places of its training rows are damaged"));
        }
        Ok(Self(all))
    }
}

/// 128-bit FNV-1a over the values of a row, whole words at a time, where both zeros are equal.
fn fingerprint(row: &[f64]) -> u128 {
    const PRIME: u128 = (1 << 88) + 0x13b;
    let mut state: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    for value in row {
        state ^= u128::from((value + 0.0).to_bits());
        state = state.wrapping_mul(PRIME);
        state ^= state >> 64;
    }
    state
}
