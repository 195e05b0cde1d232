//! What `compare invert` reports, and its picture.

use datasets::Dataset;
use embedding::PointSet;
use figure::number::counted;
use regression::LeftOut;
use serde_json::{Value, json};

use super::arguments::{Inverse, Invert};

/// The caption of a figure: how its pictures were decoded.
pub(super) fn caption(inverse: Inverse, options: &Invert, data: &Dataset, error: &str) -> String {
    let k = options.k;
    let how = match inverse {
        Inverse::Barycentric => format!("barycentric weights of the {k} nearest points"),
        Inverse::KernelRidge => "kernel ridge regression".to_owned(),
        Inverse::Linear => "the pseudo-inverse of the map".to_owned(),
    };
    let mut text = match options.grid {
        Some(_) => format!(
            "Each picture is decoded by {how}, from the center of its cell, or, where that is far from all points, \
             from the mean of the points in the cell; other cells far from the points are empty."
        ),
        None => format!("Each picture is decoded from its place by {how}."),
    };
    if !data.labels.is_empty() {
        text += &format!(" Its color is the color of most of the {k} nearest points.");
    }
    if !error.is_empty() {
        let mut letters = error.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        text += &format!(" {}{}.", first.into_iter().collect::<String>(), letters.as_str());
    }
    text
}

/// The error of a decoding in words.
pub(super) fn sentence(error: &LeftOut, standardized: bool) -> String {
    let units =
        if standardized { ", each column divided by its standard deviation, as by the model" } else { "" };
    format!(
        "points left out are decoded with a root mean square error of {:.3} of the data's spread{units}",
        error.total.relative()
    )
}

/// A note on places far from the map, or on cells, which are left out.
pub(super) fn far_away(far: usize, all: usize, cells: bool) -> String {
    let one = far == 1;
    match cells {
        true => format!(
            "{far} of {} {} left out, with no points and far from the map",
            counted(all, "cell", "cells"),
            if one { "is" } else { "are" }
        ),
        false => format!(
            "{far} of {} {} far from the map",
            counted(all, "place", "places"),
            if one { "lies" } else { "lie" }
        ),
    }
}

/// The error of a decoding in the report.
pub(super) fn left_out(error: &LeftOut, options: &Invert, standardized: bool) -> Value {
    let one = |error: &regression::ValidationError| {
        json!({
            "root_mean_square": error.root_mean_square,
            "relative": error.relative(),
            "unexplained": error.unexplained,
        })
    };
    let mut report = one(&error.total);
    report["units"] = json!(if standardized { "standardized columns" } else { "data" });
    report["seed"] = json!(options.seed);
    report["folds"] = error.folds.iter().map(one).collect();
    report
}

/// Decoded rows as a data set. The class of each row is the most frequent class of the points near
/// it, the first one if several are equally frequent.
pub(super) fn pictures<'a>(
    data: &Dataset,
    decoded: PointSet,
    nearest: impl Iterator<Item = &'a [(u32, f64)]> + Clone,
) -> Dataset {
    let mut labels = data.labels.clone();
    for labels in &mut labels {
        let most = |list: &[(u32, f64)]| {
            let mut counts = vec![0_usize; labels.classes.len()];
            list.iter().for_each(|&(row, _)| counts[labels.values[row as usize] as usize] += 1);
            let largest = counts.iter().max().copied();
            counts.iter().position(|count| Some(*count) == largest).unwrap_or(0) as u32
        };
        labels.values = nearest.clone().map(most).collect();
    }
    Dataset {
        points: decoded,
        labels,
        truth: None,
        truth_names: Vec::new(),
        quantities: Vec::new(),
        row_names: None,
        pixels: None,
        ..data.clone()
    }
}
