//! The figure of new points in a map.

use figure::number::{count, duration, percent, score};
use figure::placement::{PlacementPage, PlacementPanel};

use crate::results::{Placed, Placement};

use super::scores::words;

/// The map alone, then with the new points by each way of placing them.
pub(crate) fn page(placement: &Placement) -> PlacementPage<'_> {
    let alone = PlacementPanel {
        new: None,
        lines: [
            format!("{}: {} known points", placement.map.method, count(placement.known)),
            format!(
                "{} of them have most of their {} nearest in their class",
                percent(placement.map_accuracy),
                placement.k
            ),
            format!("made in {}", duration(placement.map.seconds)),
        ],
    };
    let with = |placed| panel(placement, placed);
    PlacementPage {
        title: format!("{}: new points in a map", words(&placement.dataset)),
        text: caption(placement),
        labels: &placement.labels,
        map: placement.coordinates.as_ref(),
        panels: std::iter::once(alone).chain(placement.placed.iter().map(with)).collect(),
    }
}

fn panel<'a>(placement: &Placement, placed: &'a Placed) -> PlacementPanel<'a> {
    let time = match placed.training_seconds {
        None => format!("placed in {}", duration(placed.seconds)),
        Some(training) => format!(
            "trained in {}, placed in {}; validation error {}",
            duration(training),
            duration(placed.seconds),
            score(placement.validation.root_mean_square)
        ),
    };
    PlacementPanel {
        new: Some(placed.coordinates.as_ref()),
        lines: [
            format!("{} new points by {}", count(placement.new), placed.by),
            format!("{} land in their class", percent(placed.accuracy)),
            time,
        ],
    }
}

/// The sizes, and how to read the colors.
pub(crate) fn caption(placement: &Placement) -> String {
    format!(
        "A map of {} points, and {} others placed into it. Known points are faint where new ones are shown; all \
         panels have one frame. In the data itself {} of the new points would be in their class.",
        count(placement.known),
        count(placement.new),
        percent(placement.data_accuracy)
    )
}

#[cfg(test)]
mod tests {
    use figure::placement::placement_scene;
    use figure::placement::{GAP, MARGIN, PANEL_SIZE};
    use figure::scene::{Anchor, Disc, Item};
    use figure::svg;

    use super::*;
    use crate::sample;

    /// One cloud per panel: known points alone, then with the new ones; a point
    /// far away stays in its panel and is counted.
    #[test]
    fn all_panels_have_one_frame_that_no_stray_point_changes() {
        let near = sample::placement(40, 8);
        let mut far = near.clone();
        far.placed[1].coordinates[(3, 0)] = 1e9;
        let clouds = |placement: &Placement| -> Vec<Vec<Disc>> {
            let discs = |item: &Item| match item {
                Item::Discs { discs } => Some(discs.clone()),
                _ => None,
            };
            placement_scene(&page(placement)).items.iter().filter_map(discs).take(3).collect()
        };
        let (before, after) = (clouds(&near), clouds(&far));
        assert_eq!(before.iter().map(Vec::len).collect::<Vec<_>>(), [40, 48, 48]);
        let apart = |a: &Disc, b: &Disc| [a.at[0] - b.at[0], a.at[1] - b.at[1]];
        for i in 0..40 {
            let shift = apart(&before[1][i], &before[0][i]);
            assert!((shift[0] - (PANEL_SIZE + GAP)).abs() < 1e-9 && shift[1].abs() < 1e-9);
            assert_eq!(after[2][i].at, before[2][i].at);
        }
        let right = MARGIN + 3.0 * PANEL_SIZE + 2.0 * GAP;
        assert!(after[2][43].at[0] <= right && after[2][43].at[0] > right - 5.0);
        assert!(svg(&placement_scene(&page(&far))).contains("1 lie beyond"));
        assert!(!svg(&placement_scene(&page(&near))).contains("lie beyond"));
    }

    #[test]
    fn every_word_fits_the_page() {
        let scene = placement_scene(&page(&sample::placement(1400, 300)));
        for item in &scene.items {
            if let Item::Text { at, text, style, anchor: Anchor::Start } = item {
                assert!(at[0] + figure::text::width(text, *style) <= scene.width, "{text}");
            }
        }
    }
}
