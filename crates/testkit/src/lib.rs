//! The contract every embedder must satisfy, and slow but obvious references.
