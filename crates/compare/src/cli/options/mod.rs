//! Options that several commands have, each declared once.

pub(super) mod global;
pub(super) mod labels;
pub(super) mod measure_k;
pub(super) mod method;
pub(super) mod metric;
pub(super) mod neighbors;
pub(super) mod reading;
pub(super) mod typed;
pub(super) mod unrelated;
pub(super) mod user_files;
pub(super) mod values;
