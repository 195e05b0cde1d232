//! The commands, one module each.

pub(super) mod dataset;
pub(super) mod embed;
pub(super) mod explain;
pub(super) mod invert;
pub(super) mod lab;
pub(super) mod list;
pub(super) mod measure;
pub(super) mod neighbors;
pub(super) mod run;
pub(super) mod study;
pub(super) mod transform;
