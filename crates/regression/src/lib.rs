//! Learned maps from points to embedding coordinates, so that any method can place new points.
