//! Laplacian eigenmaps and diffusion maps.
