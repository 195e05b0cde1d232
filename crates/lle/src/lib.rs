//! Locally linear embedding: standard, modified, Hessian, and local tangent space alignment.
