//! Which points of a map to be careful with, in colors and sentences.

use datasets::{Dataset, Labels};
use figure::number::{count, counted};
use figure::paint::{Legend, Paint};
use quality::trust::Perturbation;

use crate::results::MapTrust;

/// Most rows and classes that a sentence names.
const NAMED: usize = 8;

/// The classes by which points are colored.
const STAYS: u32 = 0;
const MOVES: u32 = 1;
const NOT_SCORED: u32 = 2;
const JUMPS: u32 = 3;

/// The class of each of `n` rows: not scored, up to half of the score of a jump, up to this score, or above it.
fn classes(trust: &MapTrust, n: usize) -> Vec<u32> {
    let mut classes = vec![NOT_SCORED; n];
    for (row, score) in trust.rows.iter().zip(&trust.scores) {
        classes[*row as usize] = match score {
            score if *score > Perturbation::JUMP => JUMPS,
            score if *score > 0.5 * Perturbation::JUMP => MOVES,
            _ => STAYS,
        };
    }
    classes
}

/// The colors of `n` rows by their scores, the same in all maps.
pub(crate) fn paint(trust: &MapTrust, n: usize) -> Paint {
    let (half, jump) = (0.5 * Perturbation::JUMP, Perturbation::JUMP);
    let names = [
        format!("up to {half}: stays"),
        format!("{half} to {jump}: moves"),
        "not scored".to_owned(),
        format!("above {jump}: jumps"),
    ];
    let values = classes(trust, n);
    let sampled = values.contains(&NOT_SCORED);
    let mut paint = Paint::labels(&Labels {
        name: "perturbation score".to_owned(),
        classes: names.to_vec(),
        values,
        unknown: Some(NOT_SCORED),
    });
    if let Legend::Classes { listed, .. } = &mut paint.legend {
        listed.retain(|(name, _)| sampled || !name.starts_with(&names[NOT_SCORED as usize]));
    }
    paint.without_names()
}

/// How many points jump, in a sentence; `None` where none does.
pub(crate) fn jumping(trust: &MapTrust) -> Option<String> {
    (!trust.jumps.is_empty()).then(|| {
        let (jump, their) = if trust.jumps.len() == 1 { ("jumps", "its") } else { ("jump", "their") };
        let sample = if trust.rows.len() < trust.of { "sampled " } else { "" };
        format!(
            "{} of {} {sample}points {jump} when {their} data change a little: {their} places, and the gaps next to \
             them, may come from the method.",
            count(trust.jumps.len()),
            count(trust.rows.len())
        )
    })
}

/// The points and the classes to be careful with, in sentences.
pub(crate) fn careful(trust: &MapTrust, data: &Dataset) -> Vec<String> {
    let Some(first) = jumping(trust) else {
        let scored = counted(trust.rows.len(), "scored point", "scored points");
        return vec![format!("None of {scored} jumps when its data change a little: no tear was found.")];
    };
    let name = |row: &u32| match &data.row_names {
        Some(names) => format!("{row} ({})", names.values[*row as usize]),
        None => row.to_string(),
    };
    let named: Vec<String> = trust.jumps.iter().take(NAMED).map(name).collect();
    let more = if trust.jumps.len() > NAMED { ", …" } else { "." };
    let rows = format!("Rows, largest score first: {}{more}", named.join(", "));
    [first, rows].into_iter().chain(data.labels.first().and_then(|labels| by_class(trust, labels))).collect()
}

/// The fraction of each class that jumps, the largest first.
fn by_class(trust: &MapTrust, labels: &Labels) -> Option<String> {
    let mut counts = vec![(0_usize, 0_usize); labels.classes.len()];
    for row in &trust.rows {
        counts[labels.values[*row as usize] as usize].1 += 1;
    }
    for row in &trust.jumps {
        counts[labels.values[*row as usize] as usize].0 += 1;
    }
    let mut jumping: Vec<(usize, (usize, usize))> =
        counts.into_iter().enumerate().filter(|(_, (jumps, _))| *jumps > 0).collect();
    let fraction = |(jumps, of): (usize, usize)| jumps as f64 / of as f64;
    jumping.sort_by(|a, b| fraction(b.1).total_cmp(&fraction(a.1)).then(a.0.cmp(&b.0)));
    let named: Vec<String> = jumping
        .iter()
        .take(NAMED)
        .map(|(class, (jumps, of))| {
            format!("`{}` {} of {}", labels.classes[*class], count(*jumps), count(*of))
        })
        .collect();
    (!named.is_empty()).then(|| format!("By class: {}.", named.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trust() -> MapTrust {
        MapTrust { rows: vec![0, 1, 3, 4], scores: vec![1.0, 20.0, 5.0, 9.0], of: 6, jumps: vec![1, 4] }
    }

    #[test]
    fn jumping_points_are_named_with_their_classes() {
        let mut data = datasets::generate("clusters", 6, 0).expect("a data set");
        let labels = &mut data.labels[0];
        labels.values = vec![0, 1, 1, 0, 0, 1];
        let said = careful(&trust(), &data);
        assert!(said[0].starts_with("2 of 4 sampled points jump when their data change a little"));
        assert_eq!(said[1..], ["Rows, largest score first: 1, 4.", "By class: `-x` 1 of 1, `+x` 1 of 3."]);
        let calm = MapTrust { jumps: Vec::new(), ..trust() };
        assert_eq!(jumping(&calm), None);
        assert!(careful(&calm, &data)[0].starts_with("None of 4 scored points jumps"));
    }

    #[test]
    fn points_are_colored_by_their_scores() {
        assert_eq!(classes(&trust(), 6), [STAYS, JUMPS, NOT_SCORED, MOVES, JUMPS, NOT_SCORED]);
    }
}
