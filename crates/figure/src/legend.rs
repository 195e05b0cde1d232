//! The color legend of a figure.

use crate::cloud::CORE;
use crate::color::{INK, SOFT, ramp};
use crate::number::count;
use crate::paint::{Legend, Mark, Paint};
use crate::scene::{Anchor, Area, Disc, Item, Scene, Type};
use crate::text::{shorten, width};

const LINE: f64 = 17.0;

/// Draws the legend of clouds, which are shaded where there are many points, at the top of `area`
/// and returns its height.
pub(crate) fn legend(scene: &mut Scene, paint: &Paint, area: Area) -> f64 {
    let height = legend_of_discs(scene, paint, area);
    let Some(text) = paint.shaded() else { return height };
    scene.text([area.x, area.y + height + 11.0], text, Type::regular(10.5, SOFT), Anchor::Start);
    height + LINE
}

/// The same for points that are drawn one by one, even if there are many.
pub(super) fn legend_of_discs(scene: &mut Scene, paint: &Paint, area: Area) -> f64 {
    let title = Type::bold(11.5, INK);
    match &paint.legend {
        Legend::Plain if paint.title.is_empty() => 0.0,
        Legend::Plain => {
            let heading = format!("color: {}", paint.title);
            scene.text([area.x, area.y + 11.0], shorten(&heading, title, area.width), title, Anchor::Start);
            LINE
        }
        Legend::Ramp { .. } => {
            let heading = format!("color: {}", paint.title);
            scene.text([area.x, area.y + 11.0], shorten(&heading, title, area.width), title, Anchor::Start);
            let bar = Area { y: area.y + 19.0, height: 10.0, ..area };
            const STEPS: usize = 64;
            for step in 0..STEPS {
                let x = bar.x + bar.width * step as f64 / STEPS as f64;
                // Adjacent steps overlap, so that no gaps are visible.
                let width = (bar.right() - x).min(2.0 * bar.width / STEPS as f64);
                let fill = ramp((step as f64 + 0.5) / STEPS as f64);
                scene.push(Item::Rect { area: Area { x, width, ..bar }, fill });
            }
            let small = Type::regular(10.5, SOFT);
            let [low, high] = paint.legend.ends();
            scene.text([bar.x, bar.bottom() + 13.0], low, small, Anchor::Start);
            scene.text([bar.right(), bar.bottom() + 13.0], high, small, Anchor::End);
            46.0
        }
        Legend::Classes { listed: classes, more } => {
            let heading = format!("color: {}", paint.title);
            scene.text([area.x, area.y + 11.0], shorten(&heading, title, area.width), title, Anchor::Start);
            let style = Type::regular(11.0, INK);
            let widest = embedding::implement::maximum(classes.iter().map(|(name, _)| width(name, style)));
            let columns = ((area.width / (widest + 28.0)).floor() as usize).clamp(1, 5);
            let column_width = area.width / columns as f64;
            let lines = classes.len().div_ceil(columns);
            for (i, (name, Mark { color, core })) in classes.iter().enumerate() {
                let x = area.x + (i / lines) as f64 * column_width;
                let y = area.y + 30.0 + (i % lines) as f64 * LINE;
                let disc = |color, radius| Disc { at: [x + 5.0, y - 4.0], radius, color };
                let core = core.map(|color| disc(color, CORE * 4.5));
                scene.push(Item::Discs { discs: [disc(*color, 4.5)].into_iter().chain(core).collect() });
                scene.text([x + 15.0, y], shorten(name, style, column_width - 20.0), style, Anchor::Start);
            }
            let height = 24.0 + lines as f64 * LINE;
            if *more == 0 {
                return height;
            }
            let others = format!("… and {} more", count(*more));
            let style = Type::regular(10.5, SOFT);
            scene.text([area.x, area.y + height + 6.0], others, style, Anchor::Start);
            height + LINE
        }
    }
}
