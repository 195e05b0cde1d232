//! t-SNE: exact, Barnes-Hut and FFT-interpolated.
