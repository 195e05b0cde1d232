//! Isomap: geodesics on the neighbor graph, then classical scaling; landmark and conformal variants.
