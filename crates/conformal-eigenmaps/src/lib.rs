//! Conformal eigenmaps: turn and stretch a spectral basis so that angles survive.
