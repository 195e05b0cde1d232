//! Figure of several methods' spectra, as fractions of their sums.

use datasets::Dataset;

use crate::color::{INK, PAPER, SOFT, ramp};
use crate::number::tick;
use crate::paint::Paint;
use crate::panel::{Content, Thumbnails, draw_panel};
use crate::scene::{Anchor, Area, Item, Scene, Type};
use crate::text::{shorten, width, wrap};

/// Parts of a bar beyond this number are one.
const PARTS: usize = 12;

/// Bars of one length, one per name, divided by the given fractions of the eigenvalues,
/// largest first; next to them, large, a panel with its title. The number of parts
/// that fill most of a bar is the number of dimensions that its method finds.
pub fn spectra_scene(
    spectra: &[(String, Vec<f64>)],
    data: &Dataset,
    beside: Option<(&str, Content<'_>)>,
    paint: &Paint,
) -> Scene {
    const MARGIN: f64 = 20.0;
    let mut scene = Scene::new(1180.0, 560.0);
    let bars = Area { x: MARGIN, y: MARGIN, width: 560.0, height: 0.0 };
    scene.text(
        [bars.x, bars.y + 16.0],
        "Eigenvalues as fractions of their sum",
        Type::bold(15.0, INK),
        Anchor::Start,
    );
    let mut y = bars.y + 36.0;
    for (name, fractions) in spectra {
        draw_fractions(&mut scene, name, fractions, Area { y, height: 46.0, ..bars });
        y += 74.0;
    }
    let note = "Each bar is one method, each segment one eigenvalue, largest first. \
                The number of segments that fill most of the bar is the dimension the method sees.";
    let style = Type::regular(12.0, SOFT);
    for line in wrap(note, style, bars.width, 3) {
        scene.text([bars.x, y + 10.0], line, style, Anchor::Start);
        y += 18.0;
    }
    if let Some((title, content)) = beside {
        let x = bars.right() + 30.0;
        let area = Area { x, y: MARGIN + 30.0, width: scene.width - x - MARGIN, height: 490.0 };
        scene.text([x, MARGIN + 16.0], title, Type::bold(15.0, INK), Anchor::Start);
        draw_panel(&mut scene, data, content, paint, Thumbnails::Side { side: 26.0, pitch: 1.1 }, area);
    }
    scene.height = scene.height.max(y + MARGIN);
    scene
}

fn draw_fractions(scene: &mut Scene, name: &str, fractions: &[f64], area: Area) {
    scene.text([area.x, area.y + 12.0], name, Type::bold(12.5, INK), Anchor::Start);
    let top = area.y + 18.0;
    let height = area.bottom() - top + 8.0;
    let mut x = area.x;
    for (i, fraction) in fractions.iter().take(PARTS).enumerate() {
        let wide = (fraction * area.width).min(area.right() - x);
        let fill = ramp(0.15 + 0.8 * i as f64 / PARTS as f64);
        scene.push(Item::Rect { area: Area { x, y: top, width: (wide - 1.0).max(0.3), height }, fill });
        let style = Type::bold(11.0, if i < 7 { PAPER } else { INK });
        let label = tick((fraction * 1000.0).round() / 1000.0);
        if width(&label, style) + 8.0 < wide {
            scene.text(
                [x + 5.0, top + 0.5 * height + 4.0],
                shorten(&label, style, wide),
                style,
                Anchor::Start,
            );
        }
        x += wide;
    }
    let rest = Area { x, y: top, width: area.right() - x, height };
    if rest.width > 1.5 {
        scene.push(Item::Frame { area: rest, color: SOFT.mix(PAPER, 0.6) });
        let style = Type::regular(10.5, SOFT);
        let label = "others";
        if width(label, style) + 8.0 < rest.width {
            scene.text([rest.x + 5.0, top + 0.5 * height + 4.0], label, style, Anchor::Start);
        }
    }
}
