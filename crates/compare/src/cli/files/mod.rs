//! The files that a command reads and writes.

pub(super) mod embed_input;
pub(super) mod fitted_rows;
pub(super) mod input;
pub(super) mod map_rows;
pub(super) mod measure_input;
pub(super) mod model_columns;
pub(super) mod outputs;
pub(super) mod per_point;
pub(super) mod row_list;
pub(super) mod row_names;
pub(super) mod saved_model;
pub(super) mod start;
pub(super) mod suspicious;
pub(super) mod unknown_label;
pub(super) mod unrelated;
pub(super) mod user_files;
