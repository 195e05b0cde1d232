//! Classical, landmark, metric and non-metric multidimensional scaling, and Sammon's mapping.
