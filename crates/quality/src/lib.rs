//! How good is an embedding: rank, distance, angle and class measures, and intrinsic dimension.
