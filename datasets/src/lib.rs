//! Synthetic manifolds with known truth, and readers.
